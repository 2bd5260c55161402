"""The part of a chunk that a hit shows: whole lines of the live file, where the query's words are densest."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid_index.retrieval.signals import part_stems


def best_window(lines: Sequence[str], start: int, end: int, size: int, wanted: frozenset[str]) -> tuple[int, int]:
    """Choose at most `size` lines of `start..end` (1-based, inclusive), preferring the beginning.

    Args:
        lines: the live file.
        start: first line of the chunk.
        end: last line of the chunk, cut at the end of the file.
        size: lines to show; 0 shows none.
        wanted: stems of the query's words.

    Returns:
        First and last line of the window; last < first when there is nothing to show.
    """
    end = min(end, len(lines))
    while start < end and not lines[start - 1].strip():
        start += 1
    if size <= 0 or start > end:
        return start, start - 1
    if end - start + 1 <= size:
        return start, end
    hits = [len(part_stems(line) & wanted) for line in lines[start - 1 : end]]
    total = sum(hits[:size])
    best, best_total = 0, total + 0.5  # the beginning names the symbol: another place must be better, not equal
    for first in range(1, len(hits) - size + 1):
        total += hits[first + size - 1] - hits[first - 1]
        if total > best_total:
            best, best_total = first, float(total)
    return start + best, start + best + size - 1
