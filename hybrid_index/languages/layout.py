"""The lines of one text with their sizes, so that every question about a span of lines costs no walk over them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from hybrid_index.types import SourceText, Span


class Layout:
    """A text as lines. Line numbers are 1-based and inclusive; an empty text has one empty line."""

    __slots__ = ("lines", "offsets", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()  # a final line end does not begin another line
        self.offsets = [0, *accumulate(len(line) + 1 for line in self.lines)]

    @classmethod
    def of(cls, source: SourceText) -> Layout:
        """The layout of a file's text."""
        return cls(source.text)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def size(self, start: int, end: int) -> int:
        """Characters of a span, line ends included."""
        return self.offsets[end] - self.offsets[start - 1]

    def slice(self, start: int, end: int) -> str:
        """The text of a span."""
        return self.text[self.offsets[start - 1] : self.offsets[end] - 1]

    def line_at(self, offset: int) -> int:
        """The line that holds a character."""
        return min(bisect_right(self.offsets, offset), len(self.lines))

    def reach(self, start: int, chars: int) -> int:
        """The last line of the longest span from `start` that has at most `chars` characters; at least `start`."""
        return max(bisect_right(self.offsets, self.offsets[start - 1] + chars) - 1, start)

    def is_blank(self, line: int) -> bool:
        """Whether a line holds nothing but white space."""
        text = self.lines[line - 1]
        return not text or text.isspace()

    def indent(self, line: int) -> int:
        """Characters of white space before a line's text."""
        text = self.lines[line - 1]
        return len(text) - len(text.lstrip())

    def trimmed(self, start: int, end: int) -> tuple[int, int] | None:
        """The span without blank lines at its edges; None when nothing is left."""
        while start <= end and self.is_blank(start):
            start += 1
        while end >= start and self.is_blank(end):
            end -= 1
        return (start, end) if start <= end else None

    def column_at(self, offset: int) -> int:
        """The 1-based column of a character, in UTF-16 code units."""
        before = self.text[self.offsets[self.line_at(offset) - 1] : offset]
        if before.isascii():
            return len(before) + 1
        return len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1

    def span(self, start: int, end: int) -> Span:
        """The place of the characters `start..end` (end exclusive)."""
        return Span(self.line_at(start), self.line_at(end), self.column_at(start), self.column_at(end))
