"""Cutting a file into spans of lines: the rules that every adapter shares.

An adapter says where its units are (a member, a section, an element, a key) as a tree of `Section` values; `tile` makes
spans of bounded size of it that together hold every line with text. Everything is linear in the number of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions

MAX_DEPTH = 60  # sections nested deeper are cut by size only, so that recursion stays bounded
_FLOOR = 0.6  # a piece of a long unit ends in the last 40 % of what it may hold, where the break is best
_TALL = 2  # a piece has at most this many times a window's lines, however short they are

Rank = Callable[[int], float]
"""How bad it is to begin a piece at a line; 0 is a perfect place."""


@dataclass(slots=True)
class Section:
    """Lines that belong together, and the sections inside them in order."""

    start: int
    end: int
    children: list[Section] = field(default_factory=list)
    joins: bool = True  # whether it may share a chunk with the section before it


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `start..end`; neighbours with the same `group` may become one chunk."""

    start: int
    end: int
    group: int = 0
    joins: bool = True


def nest(spans: Sequence[tuple[int, int]]) -> list[Section]:
    """Make a tree of line spans given outermost first by their first line."""
    roots: list[Section] = []
    open_sections: list[Section] = []
    for start, end in spans:
        while open_sections and open_sections[-1].end < start:
            open_sections.pop()
        section = Section(start, end)
        if not open_sections:
            roots.append(section)
        elif len(open_sections) < MAX_DEPTH:
            section.end = min(end, open_sections[-1].end)
            open_sections[-1].children.append(section)
        else:
            continue
        open_sections.append(section)
    return roots


def tile(
    layout: Layout,
    sections: Sequence[Section],
    options: ChunkingOptions,
    *,
    start: int = 1,
    end: int | None = None,
    rank: Rank | None = None,
) -> list[tuple[int, int]]:
    """Spans of at most `max_chars` that hold every non-blank line of `start..end`, in order.

    Small neighbours share a span, a unit that is too long is cut where `rank` is lowest.
    """
    last = layout.count if end is None else end
    out: list[tuple[int, int]] = []
    for block in _merged(layout, _blocks(layout, sections, start, last, options), options):
        span = layout.trimmed(block.start, block.end)
        if span is None:
            continue
        if layout.size(*span) <= options.max_chars:
            out.append(span)
        else:
            out.extend(cut(layout, *span, options, rank))
    return out


def _blocks(layout: Layout, sections: Sequence[Section], start: int, end: int, options: ChunkingOptions) -> list[Block]:
    """Blocks that cover every line: what lies between sections belongs to the one around them."""
    out: list[Block] = []
    groups = iter(range(1, 1 << 60))

    def split(children: Sequence[Section], first: int, last: int, group: int) -> None:
        cursor = first
        for child in children:
            begin, finish = max(child.start, cursor), min(child.end, last)
            if finish < begin:
                continue
            if begin > cursor:
                out.append(Block(cursor, begin - 1, group))
            if child.children and layout.size(begin, finish) > options.max_chars:
                split(child.children, begin, finish, next(groups))
            else:
                out.append(Block(begin, finish, group, child.joins))
            cursor = finish + 1
        if cursor <= last:
            out.append(Block(cursor, last, group))

    split(sections, start, end, 0)
    return out


def _merged(layout: Layout, blocks: Sequence[Block], options: ChunkingOptions) -> list[Block]:
    """Join neighbours of one group while they fit into one chunk; braces and blank lines go to what is before them."""
    out: list[Block] = []
    size = 0
    for block in blocks:
        own = layout.size(block.start, block.end)
        if out and _holds_no_word(layout, block):
            out[-1] = Block(out[-1].start, block.end, out[-1].group, out[-1].joins)
            size += own
        elif out and out[-1].group == block.group and block.joins and size + own <= options.max_chars:
            out[-1] = Block(out[-1].start, block.end, block.group, out[-1].joins)
            size += own
        else:
            out.append(block)
            size = own
    if len(out) > 1 and _holds_no_word(layout, out[0]):
        out[:2] = [Block(out[0].start, out[1].end, out[1].group, out[1].joins)]
    return out


def _holds_no_word(layout: Layout, block: Block) -> bool:
    if block.end - block.start > 20:
        return False
    return not any(char.isalnum() for line in layout.lines[block.start - 1 : block.end] for char in line[:200])


def cut(
    layout: Layout, start: int, end: int, options: ChunkingOptions, rank: Rank | None = None
) -> list[tuple[int, int]]:
    """Cut a long unit at its best breaks, each piece repeating the end of the one before it."""
    badness = rank or by_indent(layout)
    out: list[tuple[int, int]] = []
    while True:
        stop = _end_of_piece(layout, start, end, options, badness)
        span = layout.trimmed(start, stop)
        if span is not None and (not out or span[1] > out[-1][1]):
            out.append(span)
        if stop >= end:
            return out
        # Repeat some lines, but always move on by more than is repeated.
        start = max(stop + 1 - min(options.overlap_lines, (stop - start) // 3), start + 1)


def _end_of_piece(layout: Layout, start: int, end: int, options: ChunkingOptions, rank: Rank) -> int:
    limit = options.max_chars
    remaining = layout.size(start, end)
    if start >= end or (remaining <= limit and end - start < options.window_lines * _TALL):
        return end
    if remaining < 2 * limit * _FLOOR:  # two halves rather than a whole piece and a sliver
        limit = max(remaining // 2 + remaining // 8, 1)
    ceiling = max(min(layout.reach(start, limit), start + options.window_lines * _TALL - 1, end - 1), start)
    floor = min(layout.reach(start, int(limit * _FLOOR)), ceiling)
    best, lowest = ceiling, float("inf")
    for line in range(ceiling, floor - 1, -1):
        badness = rank(line + 1)
        if badness < lowest:
            best, lowest = line, badness
    return best


def by_indent(layout: Layout) -> Rank:
    """Rank lines by how little they are indented; a line that only closes something is no place to begin."""

    def rank(line: int) -> float:
        text = layout.lines[line - 1].strip()
        if not text:
            return 500.0
        badness = float(min(layout.indent(line), 200))
        if text[0] in ")]}" or text.startswith(("else", "catch", "finally", "end", "</")):
            return badness + 100.0
        return badness if layout.is_blank(line - 1) else badness + 0.5

    return rank


def windows(layout: Layout, options: ChunkingOptions, start: int = 1, end: int | None = None) -> list[tuple[int, int]]:
    """Windows of lines with overlap; an edge moves to a blank line where one is near.

    50-line windows ranked better than longer ones where both were measured. Windows of very long lines are shorter.
    """
    last = layout.count if end is None else end
    out: list[tuple[int, int]] = []
    while start <= last:
        stop = min(start + options.window_lines - 1, layout.reach(start, 2 * options.max_chars), last)
        if stop < last:
            for line in range(stop, max(stop - options.window_lines // 5, start), -1):
                if layout.is_blank(line):
                    stop = line
                    break
        span = layout.trimmed(start, stop)
        if span is not None and (not out or span[1] > out[-1][1]):
            out.append(span)
        if stop >= last:
            break
        start = max(stop + 1 - min(options.overlap_lines, (stop - start) // 3), start + 1)
    return out
