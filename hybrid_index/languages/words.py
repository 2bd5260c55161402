"""Lists of names for the search columns: each once, in order, bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_NAMES = 80  # of one chunk; a generated enum or a lock file can have thousands
MAX_CHARS = 2_000  # of one column: names are a summary, the text itself is indexed beside them


def joined(names: Iterable[str], limit: int = MAX_NAMES) -> str:
    """The distinct names, separated by spaces."""
    out: dict[str, None] = {}
    size = 0
    for name in names:
        if not name or name in out:
            continue
        size += len(name) + 1
        if size > MAX_CHARS or len(out) >= limit:
            break
        out[name] = None
    return " ".join(out)


def found(pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None) -> list[str]:
    """Every non-empty group of a pattern's matches, in order."""
    matches = pattern.finditer(text, start, len(text) if end is None else end)
    return [group for match in matches for group in match.groups() if group]
