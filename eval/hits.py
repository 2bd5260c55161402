"""A ranked hit as the judge sees it: a span of a file and the live text of that span."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

_LINE_END = re.compile(r"\r\n|\r|\n")  # as an editor counts lines; str.splitlines() also splits at form feeds
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One hit, best first in its list. Lines are 1-based and inclusive; the path is relative to the repository."""

    path: str
    start_line: int
    end_line: int
    text: str = ""
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The ranked hits of one question; the latency is that of the first page, as a caller with the defaults sees it."""

    hits: tuple[RankedHit, ...]
    latency_ms: float
    first_page: int = 0  # hits of the first page: the product's reply budget may leave fewer than it was asked for


def read_lines(file: Path) -> list[str]:
    """Lines of a live file without their ends; an unreadable file has none."""
    try:
        raw = file.read_bytes()
    except OSError:
        return []
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8")
    return _LINE_END.split(raw.decode(encoding, "replace"))


def span_text(lines: list[str], start_line: int, end_line: int) -> str:
    """The text of `start_line..end_line`."""
    return "\n".join(lines[start_line - 1 : end_line])
