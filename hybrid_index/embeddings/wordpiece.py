"""Turns text into token ids: a quick reader of the bundled model's kind of tokenizer, and any other through a library.

The bundled tokenizer splits camelCase, strips accents, lowers, keeps runs of letters and runs of digits, and cuts a
word that is not in its vocabulary into pieces. All of that depends on one identifier alone, so one dictionary from
identifier to token ids does most of the work. Equality with the `tokenizers` library is proved in the tests.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from hybrid_index.errors import ModelError

# The stages of a tokenizer that `IdentifierTokenizer` reproduces. Anything else goes to the library.
_NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {
            "type": "Replace",
            "pattern": {"Regex": "(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"},
            "content": " ",
        },
        {"type": "NFKD"},
        {"type": "StripAccents"},
        {"type": "Lowercase"},
    ],
}
_PRE_TOKENIZER = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "[^\\p{L}\\p{N}]+"}, "behavior": "Removed", "invert": False},
        {"type": "Digits", "individual_digits": False},
    ],
}

# ASCII punctuation and white space always separate; every other character is judged after normalisation.
_RUN = re.compile(r"[A-Za-z0-9\x80-\U0010ffff]+")
_ASCII_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# About 200 bytes an entry: 20 MB at most in each process. A 10 MB C# tree has some 60,000 different identifiers.
_CACHE_ENTRIES = 100_000


class TokenCounter(Protocol):
    """What the static encoder needs of a tokenizer."""

    def count(self, text: str, limit: int | None) -> tuple[list[int], list[int]]:
        """Give the ids of the first `limit` tokens and how often each occurs; an id may be listed more than once.

        Unknown tokens count towards the limit and are left out.
        """


def open_tokenizer(path: Path) -> tuple[TokenCounter, int]:
    """Read a `tokenizer.json`; return it with the median length in characters of its tokens.

    Raises:
        ModelError: the file is missing or not a tokenizer.
    """
    try:
        raw = path.read_text(encoding="utf-8")
        spec = json.loads(raw)
    except OSError as error:
        raise ModelError(f"The tokenizer {path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ModelError(f"{path} is not a tokenizer: {error}.") from error
    if not isinstance(spec, dict) or not isinstance(spec.get("model"), dict):
        raise ModelError(f"{path} is not a tokenizer: it has no model.")
    if _is_identifier_tokenizer(spec):
        model = spec["model"]
        quick = IdentifierTokenizer(
            model["vocab"], model["unk_token"], model["continuing_subword_prefix"], model["max_input_chars_per_word"]
        )
        return quick, _median_length(model["vocab"])
    library = LibraryTokenizer(raw, str(path))
    return library, _median_length(library.vocabulary())


def _is_identifier_tokenizer(spec: dict[str, Any]) -> bool:
    return (
        spec["model"].get("type") == "WordPiece"
        and spec.get("normalizer") == _NORMALIZER
        and spec.get("pre_tokenizer") == _PRE_TOKENIZER
        and not spec.get("added_tokens")
        and not spec.get("post_processor")
    )


def _median_length(tokens: Iterable[str]) -> int:
    lengths = sorted(map(len, tokens))
    middle = len(lengths) // 2
    if not lengths:
        return 0
    return lengths[middle] if len(lengths) % 2 else (lengths[middle - 1] + lengths[middle]) // 2


class IdentifierTokenizer:
    """WordPiece over the words inside identifiers, with a cache from identifier to token ids."""

    def __init__(self, vocabulary: dict[str, int], unknown: str, continuation: str, max_word_chars: int) -> None:
        self._vocabulary = vocabulary
        self._unknown = vocabulary[unknown]
        self._continuation = continuation
        self._max_word_chars = max_word_chars
        self._cache: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str) -> list[int]:
        """Give all token ids of the text in order, unknown ones included."""
        return [token for run in _RUN.findall(text) for token in self._tokens(run)]

    def count(self, text: str, limit: int | None) -> tuple[list[int], list[int]]:
        """See `TokenCounter`."""
        runs: dict[str, int] = {}
        for run in _RUN.findall(text):
            runs[run] = runs.get(run, 0) + 1
        cache = self._cache
        ids: list[int] = []
        counts: list[int] = []
        total = 0
        for run, times in runs.items():
            tokens = cache.get(run)
            if tokens is None:
                tokens = self._tokens(run)
            total += times * len(tokens)
            for token in tokens:
                ids.append(token)
                counts.append(times)
        if limit is not None and total > limit:
            ids = self.ids(text)[:limit]
            counts = [1] * len(ids)
        if self._unknown in ids:
            known = [(token, times) for token, times in zip(ids, counts, strict=True) if token != self._unknown]
            return [token for token, _ in known], [times for _, times in known]
        return ids, counts

    def _tokens(self, run: str) -> tuple[int, ...]:
        tokens = self._cache.get(run)
        if tokens is None:
            words = [part.lower() for part in _ASCII_PART.findall(run)] if run.isascii() else _unicode_words(run)
            tokens = tuple(piece for word in words for piece in self._pieces(word))
            if len(self._cache) >= _CACHE_ENTRIES:
                self._cache.clear()
            self._cache[run] = tokens
        return tokens

    def _pieces(self, word: str) -> list[int]:
        """Cut a word into the longest pieces known, from the left; one unknown piece makes the whole word unknown."""
        whole = self._vocabulary.get(word)
        if len(word) > self._max_word_chars:
            return [self._unknown]
        if whole is not None:
            return [whole]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            prefix = self._continuation if start else ""
            for end in range(len(word), start, -1):
                piece = self._vocabulary.get(prefix + word[start:end])
                if piece is not None:
                    break
            else:
                return [self._unknown]
            pieces.append(piece)
            start = end
        return pieces


def _unicode_words(run: str) -> list[str]:
    """Split a run that has characters outside ASCII, as the tokenizer's normaliser and splitter would."""
    decomposed = unicodedata.normalize("NFKD", _CAMEL.sub(" ", run))
    # Lowered one character at a time: the library does not know the Greek final sigma either.
    lowered = (low for c in decomposed if unicodedata.category(c)[0] != "M" for low in c.lower())
    kinds = groupby(lowered, lambda c: unicodedata.category(c)[0])
    return ["".join(characters) for kind, characters in kinds if kind in "LN"]


class LibraryTokenizer:
    """Any other tokenizer, run by the `tokenizers` library."""

    def __init__(self, raw: str, name: str) -> None:
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_str(raw)
        except Exception as error:  # the library raises bare Exception
            raise ModelError(f"{name} is not a tokenizer that the tokenizers library reads: {error}.") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        model = json.loads(raw)["model"]
        unknown = model.get("unk_token")
        self._unknown = model.get("unk_id") if unknown is None else self._tokenizer.token_to_id(unknown)

    def vocabulary(self) -> Sequence[str]:
        """Give every token."""
        return list(self._tokenizer.get_vocab())

    def count(self, text: str, limit: int | None) -> tuple[list[int], list[int]]:
        """See `TokenCounter`."""
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        counts: dict[int, int] = {}
        for token in ids[:limit]:
            if token != self._unknown:
                counts[token] = counts.get(token, 0) + 1
        return list(counts), list(counts.values())
