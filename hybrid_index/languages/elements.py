"""Elements of markup with their lines, found by a tolerant scan: XML, HTML, XAML and Razor, also when malformed.

A close tag closes the nearest open element of its name; what was left open inside it counts as empty. Anything that is
not a tag is passed over, so that code, comparisons and generic types between the tags do no harm.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from hybrid_index.languages.cutting import MAX_DEPTH, Section, nest
from hybrid_index.languages.layout import Layout

_OUTSIDE = re.compile(r"<!--(?:.*?-->|.*)|<!\[CDATA\[(?:.*?\]\]>|.*)|<\?(?:.*?\?>|.*)|<(/?)([A-Za-z_][\w.:-]*)", re.S)
_INSIDE = re.compile(r"=\s*(?:\"[^\"]*+\"?|'[^']*+'?)|(/?)(?<!=)>|<")
_RAW = re.compile(r"script|style", re.I)


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its lines, and the offsets of its start tag."""

    tag: str
    start_line: int
    end_line: int
    start: int
    tag_end: int


def elements(layout: Layout, text: str | None = None) -> list[Element]:
    """Every element in order of start tags. `text` may stand in for the layout's, with parts blanked out."""
    text = layout.text if text is None else text
    found: list[tuple[str, int, int]] = []  # tag, start offset, end of the start tag
    ends: list[int] = []  # offset where each element ends
    stack: list[int] = []
    open_tags: Counter[str] = Counter()
    position = 0
    while (match := _OUTSIDE.search(text, position)) is not None:
        position = match.end()
        tag = match[2]
        if tag is None:
            continue
        if match[1]:
            if open_tags[tag]:
                _close(tag, found, ends, stack, open_tags, position)
            continue
        is_empty, position = _end_of_tag(text, position)
        found.append((tag, match.start(), position))
        ends.append(position - 1)
        if is_empty:
            continue
        if _RAW.fullmatch(tag):
            ends[-1] = position = _end_of_raw(text, tag, position)
            continue
        stack.append(len(found) - 1)
        open_tags[tag] += 1
    line_at = layout.line_at
    return [
        Element(tag, line_at(start), line_at(max(end, start)), start, tag_end)
        for (tag, start, tag_end), end in zip(found, ends, strict=True)
    ]


def _close(
    tag: str,
    found: list[tuple[str, int, int]],
    ends: list[int],
    stack: list[int],
    open_tags: Counter[str],
    position: int,
) -> None:
    while stack:
        index = stack.pop()
        name = found[index][0]
        open_tags[name] -= 1
        if name == tag:
            ends[index] = position
            return


def _end_of_tag(text: str, position: int) -> tuple[bool, int]:
    """Whether a start tag closes itself, and the offset after it."""
    while (match := _INSIDE.search(text, position)) is not None:
        sign = match.group()
        if sign == "<":
            return True, match.start()  # the tag was never finished
        position = match.end()
        if sign[-1] == ">" and sign[0] in "/>":
            return bool(match[1]), position
    return True, len(text)


def _end_of_raw(text: str, tag: str, position: int) -> int:
    close = re.compile(rf"</{tag}\s*>", re.I).search(text, position)
    return close.end() if close is not None else position


def element_sections(found_elements: list[Element]) -> list[Section]:
    """Elements as a tree of line spans."""
    return nest([(element.start_line, element.end_line) for element in found_elements])


class ElementIndex:
    """Which elements begin in a span of lines, and which one is around it."""

    def __init__(self, found_elements: list[Element]) -> None:
        self._elements = found_elements
        self._next = 0
        self._open: list[Element] = []

    def take(self, start: int, end: int) -> tuple[list[Element], list[Element]]:
        """Elements that begin in the span and those around it, outermost first; spans must come in order."""
        while self._next < len(self._elements) and self._elements[self._next].start_line < start:
            element = self._elements[self._next]
            while self._open and self._open[-1].end_line < element.start_line:
                self._open.pop()
            if element.end_line > element.start_line and len(self._open) < MAX_DEPTH:
                self._open.append(element)
            self._next += 1
        while self._open and self._open[-1].end_line < start:
            self._open.pop()
        inside: list[Element] = []
        for index in range(self._next, len(self._elements)):
            if self._elements[index].start_line > end:
                break
            inside.append(self._elements[index])
        return inside, [element for element in self._open if element.end_line >= start]
