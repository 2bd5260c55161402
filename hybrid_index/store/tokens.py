"""How text becomes words for the keyword channel, on both the writing and the asking side.

SQLite's own tokenizer keeps `GetOrderAsync` as one word. Here identifiers are written out whole *and* in parts, so that
"order" finds it, `GetOrderAsync` finds it first, and `order_id` meets `OrderId`. Runs of Chinese, Japanese and Korean
characters are written out as pairs, so that a query finds words inside them. Folding of case and diacritics and the
Porter stem follow in FTS5 (porter gained .013 NDCG where it was measured).
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_WORD = 64  # longer runs are base64 and the like: they never help a query and swell the index

_WORD = re.compile(r"\w+")
_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_CJK_RANGES = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{_CJK_RANGES}]+|[^{_CJK_RANGES}]+")
_CJK = re.compile(f"[{_CJK_RANGES}]")
_CACHE_WORDS = 200_000  # distinct words remembered: some 30 MB, enough for a large workspace


def words(text: str) -> list[str]:
    """The runs of letters, digits and underscores of `text`, in order."""
    return _WORD.findall(text)


def split_identifier(word: str) -> list[str]:
    """Split at case changes, underscores and digits: `GetHTTPUrl2_x` -> `Get HTTP Url 2 x`."""
    if word.isascii():
        return _PARTS.findall(word)
    # Letters beyond ASCII keep their case in a plain shadow of the word, which the same rule can read.
    shadow = "".join(c if c.isascii() else "1" if c.isdigit() else "A" if c.isupper() else "a" for c in word)
    return [word[found.start() : found.end()] for found in _PARTS.finditer(shadow)]


def cjk_pairs(run: str) -> list[str]:
    """Overlapping pairs of a run of CJK characters; a single one stands alone."""
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=_CACHE_WORDS)
def expand_word(word: str) -> str:
    """What is indexed for one word: the word itself and, where it has them, its parts."""
    if len(word) > MAX_WORD:
        word = word[:MAX_WORD]
    if not word.isascii() and _CJK.search(word):
        out: list[str] = []
        for run in _CJK_RUN.findall(word):
            out.extend(cjk_pairs(run) if _CJK.match(run) else [expand_word(run)])
        return " ".join(out)
    parts = split_identifier(word)
    if len(parts) < 2:
        return word
    whole = word.replace("_", "")
    # One-letter parts are the I of IService and the T of TItem: common everywhere, useful nowhere.
    return " ".join([whole, *(part for part in parts if len(part) > 1 or part.isdigit())])


def expand_text(text: str) -> str:
    """What is indexed for a text: each word expanded, everything else dropped."""
    return " ".join(map(expand_word, _WORD.findall(text)))
