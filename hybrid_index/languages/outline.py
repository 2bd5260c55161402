"""Files whose structure is a list of titled places: headings, keys, selectors, declaration lines.

A place ends where the next one of its depth or a shallower one begins. Depths only need to be comparable within a file,
so an indentation serves as well as a level.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from hybrid_index.languages.cutting import Section, nest
from hybrid_index.languages.layout import Layout

_MAX_LEAD = 60  # comment lines above a place that belong to it


@dataclass(frozen=True, slots=True)
class Entry:
    """A titled place of a file. An empty name marks a place to cut at, nothing more."""

    line: int
    depth: int
    name: str


class Outline:
    """The entries of a file, in order of their lines, with what encloses what."""

    def __init__(self, layout: Layout, entries: Sequence[Entry], comments: tuple[str, ...] = ()) -> None:
        self.entries = entries
        self._lines = [entry.line for entry in entries]
        self._parents: list[int] = []
        self._ends: list[int] = []
        self._starts = _starts(layout, entries, comments)
        self._relate(layout.count)

    def _relate(self, last: int) -> None:
        stack: list[int] = []
        self._ends = [last] * len(self.entries)
        for index, entry in enumerate(self.entries):
            while stack and self.entries[stack[-1]].depth >= entry.depth:
                self._ends[stack.pop()] = max(self._starts[index] - 1, entry.line - 1, 1)
            self._parents.append(stack[-1] if stack else -1)
            stack.append(index)

    def sections(self) -> list[Section]:
        """The entries as a tree of line spans, comments above them included."""
        return nest([(self._starts[i], max(self._ends[i], self._lines[i])) for i in range(len(self.entries))])

    def declared(self, start: int, end: int) -> Sequence[Entry]:
        """The entries that begin in a span of lines."""
        return self.entries[bisect_left(self._lines, start) : bisect_right(self._lines, end)]

    def around(self, line: int) -> list[Entry]:
        """The named entries that began before a line and hold it, outermost first."""
        index = bisect_left(self._lines, line) - 1
        out: list[Entry] = []
        while index >= 0:
            if self._ends[index] >= line and self.entries[index].name:
                out.append(self.entries[index])
            index = self._parents[index]
        return out[::-1]

    def path(self, index: int) -> list[str]:
        """The names from the outermost entry to this one."""
        out: list[str] = []
        while index >= 0:
            if self.entries[index].name:
                out.append(self.entries[index].name)
            index = self._parents[index]
        return out[::-1]

    def first_index(self, line: int) -> int:
        """Index of the first entry at or after a line."""
        return bisect_left(self._lines, line)


def _starts(layout: Layout, entries: Sequence[Entry], comments: tuple[str, ...]) -> list[int]:
    """Where each entry's text begins: at the comments right above it, if it has any."""
    out: list[int] = []
    floor = 0
    for entry in entries:
        start = entry.line
        while (
            comments
            and start - 1 > floor
            and entry.line - start < _MAX_LEAD
            and layout.lines[start - 2].lstrip().startswith(comments)
        ):
            start -= 1
        out.append(start)
        floor = entry.line
    return out
