"""The quick tokenizer gives what the `tokenizers` library gives for the bundled model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

import hybrid_index
from hybrid_index.embeddings import wordpiece
from hybrid_index.embeddings.static import BUNDLED_MODEL
from hybrid_index.embeddings.wordpiece import IdentifierTokenizer, open_tokenizer

LIBRARY = Tokenizer.from_file(str(BUNDLED_MODEL / "tokenizer.json"))
LIBRARY.no_truncation()
REPOSITORY = Path(hybrid_index.__file__).parents[1]


@pytest.fixture(scope="module")
def quick() -> IdentifierTokenizer:
    tokenizer, _ = open_tokenizer(BUNDLED_MODEL / "tokenizer.json")
    assert isinstance(tokenizer, IdentifierTokenizer)
    return tokenizer


def library_ids(text: str) -> list[int]:
    return list(LIBRARY.encode(text, add_special_tokens=False).ids)


def test_every_text_of_this_repository_has_the_same_tokens(quick: IdentifierTokenizer) -> None:
    files = [path for ending in ("*.py", "*.md", "*.toml") for path in REPOSITORY.glob(f"hybrid_index/**/{ending}")]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert quick.ids(text) == library_ids(text), path


@pytest.mark.parametrize(
    "text",
    [
        "HTTPServer2XMLParser getURLFor IOException aB1C A1b ABc x86_64 SHA256Hash",
        "naïve Größe ÉCOLE ﬁle ２０２６ ½ ² ① Ⅷ ΣΑΣ İstanbul ǅ ßẞ",
        "e\u0301cole _\u0301x a\u200bb zero\ufeffwidth \u0600abc हिन्दी ไทย 한국어 東京都 ﷽",
        "a" * 60 + " " + "a" * 61 + " zqxjkvbnm" * 3,
        "emoji👩‍👩‍👧 x🙂y 𝔘nicode 𝟘𝟙",
        "\x00nul\x00 tab\tnew\nline\r\n\x7fdel\x80",
    ],
)
def test_odd_text_has_the_same_tokens(quick: IdentifierTokenizer, text: str) -> None:
    assert quick.ids(text) == library_ids(text)


@given(st.text(st.characters(max_codepoint=0x24F, exclude_categories=["Cs"]), max_size=60))
def test_any_western_text_has_the_same_tokens(text: str) -> None:
    tokenizer, _ = open_tokenizer(BUNDLED_MODEL / "tokenizer.json")
    assert isinstance(tokenizer, IdentifierTokenizer)
    assert tokenizer.ids(text) == library_ids(text)


def expand(counted: tuple[list[int], list[int]]) -> list[int]:
    return sorted(token for token, times in zip(*counted, strict=True) for _ in range(times))


def test_counts_are_those_of_the_first_tokens_without_unknown_ones(quick: IdentifierTokenizer) -> None:
    text = "OrderService 東京 order order service café 東京"
    known = [token for token in library_ids(text) if token != 1]
    assert expand(quick.count(text, None)) == sorted(known)
    assert expand(quick.count(text, 4)) == sorted(token for token in library_ids(text)[:4] if token != 1)


def test_a_full_cache_starts_again_without_changing_any_result(
    quick: IdentifierTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wordpiece, "_CACHE_ENTRIES", 3)
    text = "one two three four five OneTwo ThreeFour"
    assert quick.ids(text) == library_ids(text)
    assert quick.ids(text) == library_ids(text)


def test_a_lone_surrogate_is_an_unknown_word(quick: IdentifierTokenizer) -> None:
    assert quick.count("order \ud800", None) == quick.count("order", None)


@pytest.mark.parametrize(("tokens", "median"), [([], 0), (["abc"], 3), (["a", "abcd"], 2), (["a", "abc", "abcdef"], 3)])
def test_the_median_token_length_rounds_down(tokens: list[str], median: int) -> None:
    assert wordpiece._median_length(tokens) == median
