"""What the chunkers may be told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChunkingOptions:
    """Sizes of chunks.

    Evidence: on the 135 .NET questions (`python -m eval run`, hybrid, otherwise these defaults) NDCG@10 was .46 with
    symbol chunks of 1,500 characters, .48 with 2,200 and .50 with 3,000, where markup began to lose. 50-line windows
    rank better than 110-line ones and whole files.
    """

    max_chars: int = 2_500
    window_lines: int = 50
    overlap_lines: int = 10
    small_file_chars: int = 2_500  # a file no longer than this is one chunk
