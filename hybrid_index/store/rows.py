"""The values that go into and come out of the store.

Read values are built straight from SQL rows, so their flags are SQLite's 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid_index.types import Symbol


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """One chunk as it is written: its row, its keyword columns and its vector."""

    start_line: int
    end_line: int
    kind: str
    symbol: str | None
    names: str
    fts: (
        tuple[str, ...] | None
    )  # texts of the keyword columns in their order, expanded; None leaves the chunk out of the keyword channel
    vector: bytes | None  # in the index's dtype; None leaves it out of the vector channel


@dataclass(frozen=True, slots=True)
class FileRows:
    """One file as it is written."""

    path: str
    size: int
    mtime_ns: int
    hash: bytes
    language: str
    extension: str
    lines: int
    is_test: bool
    is_generated: bool
    features: str
    model: str | None
    chunks: tuple[ChunkRows, ...]
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class SkipRow:
    """A file in scope that holds nothing to index."""

    path: str
    reason: str
    detail: str
    size: int
    mtime_ns: int
    features: str


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What a refresh compares a scanned file with."""

    id: int
    size: int
    mtime_ns: int
    hash: bytes
    features: str
    model: str | None
    language: str
    is_test: bool
    is_generated: bool
    project: str | None
    pair: str | None


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """One chunk with the facts of its file, as retrieval reads it."""

    id: int
    file_id: int
    start_line: int
    end_line: int
    kind: str
    symbol: str | None
    names: str
    path: str
    language: str
    is_test: bool
    is_generated: bool
    project: str | None
    pair: str | None
    hash: bytes


@dataclass(frozen=True, slots=True)
class FileSummary:
    """One indexed file, as listings and filters read it."""

    id: int
    path: str
    size: int
    lines: int
    language: str
    extension: str
    is_test: bool
    is_generated: bool
    project: str | None
    pair: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is indexed."""

    files: int
    chunks: int
    symbols: int
    vectors: int
    skipped: int
    source_bytes: int
