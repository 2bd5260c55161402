"""What the write side may be told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexingOptions:
    """How an index is built and kept fresh."""

    workers: int = 0  # 0 = one per core, at most 8; small jobs stay in this process
    batch_files: int = 256  # files committed together: what a killed run can lose
    watch: bool = True  # a server watches the workspace
    debounce_ms: int = 150
    sweep_deadline_ms: int = 200  # how long the check for changed files before an answer may take
    inline_max_files: int = 50  # changed files that are indexed before answering
    vector_extensions: tuple[str, ...] = ()  # when not empty, only these file kinds are embedded
