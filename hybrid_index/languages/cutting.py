"""Cutting a file into spans of lines: the rules that every adapter shares.

An adapter says where its units are (a member, a section, a key); these functions make spans of bounded size that
tile the file. Everything is linear in the number of lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hybrid_index.languages.options import ChunkingOptions


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `start..end` (1-based, inclusive) that belong together; blocks with another `group` are never merged."""

    start: int
    end: int
    group: str = ""


def size_of(lines: Sequence[str], start: int, end: int) -> int:
    """Characters of a span, line ends included."""
    return sum(len(line) + 1 for line in lines[start - 1 : end])


def blank(lines: Sequence[str], start: int, end: int) -> bool:
    """Whether a span holds nothing but white space."""
    return not any(line.strip() for line in lines[start - 1 : end])


def tile(lines: Sequence[str], blocks: Sequence[Block], options: ChunkingOptions) -> list[Block]:
    """Merge small neighbours, cut what is too long, drop what is blank."""
    out: list[Block] = []
    for block in merge(lines, blocks, options):
        if blank(lines, block.start, block.end):
            continue
        if size_of(lines, block.start, block.end) <= options.max_chars:
            out.append(block)
        else:
            out.extend(cut(lines, block, options))
    return out


def merge(lines: Sequence[str], blocks: Sequence[Block], options: ChunkingOptions) -> list[Block]:
    """Join neighbours of one group while they fit into one chunk.

    Full chunks rank better than many small ones: a method alone has too few words for a question about behaviour.
    """
    out: list[Block] = []
    size = 0
    for block in blocks:
        own = size_of(lines, block.start, block.end)
        if out and out[-1].group == block.group and size + own <= options.max_chars:
            out[-1] = Block(out[-1].start, block.end, block.group)
            size += own
        else:
            out.append(block)
            size = own
    return out


def cut(lines: Sequence[str], block: Block, options: ChunkingOptions) -> list[Block]:
    """Cut a long block where the code is least nested, each piece repeating the end of the one before it."""
    out: list[Block] = []
    start = block.start
    while start <= block.end:
        end = _end_of_piece(lines, start, block.end, options)
        out.append(Block(start, end, block.group))
        if end >= block.end:
            break
        # Repeat some lines, but always move on by more than is repeated.
        start = max(end + 1 - min(options.overlap_lines, (end - start) // 3), start + 1)
    return out


def _end_of_piece(lines: Sequence[str], start: int, last: int, options: ChunkingOptions) -> int:
    size, end = 0, start - 1
    while end < last and (end < start or size + len(lines[end]) < options.max_chars):
        size += len(lines[end]) + 1
        end += 1
        if end - start + 1 >= options.window_lines * 2:
            break
    if end >= last:
        return last
    # Among the last third of the piece, prefer a blank line, then the least indented one.
    floor = start + (end - start) * 2 // 3
    best, best_indent = end, 1 << 30
    for number in range(end, floor, -1):
        text = lines[number - 1]
        indent = -1 if not text.strip() else len(text) - len(text.lstrip())
        if indent < best_indent:
            best, best_indent = number, indent
    return best


def windows(lines: Sequence[str], options: ChunkingOptions, start: int = 1, end: int | None = None) -> list[Block]:
    """Windows of lines with overlap; the edges move to a blank line where one is near.

    50-line windows ranked better than longer ones where both were measured.
    """
    last = len(lines) if end is None else end
    out: list[Block] = []
    while start <= last:
        stop = min(start + options.window_lines - 1, last)
        if stop < last:
            for number in range(stop, max(stop - options.window_lines // 5, start), -1):
                if not lines[number - 1].strip():
                    stop = number
                    break
        if not blank(lines, start, stop):
            out.append(Block(start, stop))
        if stop >= last:
            break
        start = max(stop + 1 - options.overlap_lines, start + 1)
    return out
