"""Opening SQLite: one writer, many readers, each rule with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import sqlite_vec

from hybrid_index.errors import StorageError

BUSY_MS = 5_000
CACHE_KIB = 32_768  # the hot part of a 50,000-chunk index stays in memory
WAL_LIMIT_BYTES = 64 * 1024 * 1024  # the log is cut back to this after a checkpoint
MMAP_BYTES = 1 << 30


Row = Any
"""One row of a query: a tuple whose item types the statement decides, which no type checker can see."""


def open_writer(path: Path) -> apsw.Connection:
    """Open (or create) the database for writing."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(BUSY_MS)
    connection.pragma("journal_mode", "wal")
    # In WAL mode NORMAL can lose the last commits on power loss but never the database; the files are still on disk.
    connection.pragma("synchronous", "normal")
    connection.pragma("journal_size_limit", WAL_LIMIT_BYTES)
    connection.pragma("foreign_keys", False)  # rows are removed together by the writer; checks would double its work
    connection.pragma("temp_store", "memory")
    connection.pragma("cache_size", -CACHE_KIB)
    return connection


def open_reader(path: Path) -> apsw.Connection:
    """Open the database so that nothing can be written through this connection.

    Raises:
        StorageError: the database cannot be opened.
    """
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(BUSY_MS)
        connection.pragma("query_only", True)
        connection.pragma("temp_store", "memory")
        connection.pragma("cache_size", -CACHE_KIB)
        connection.pragma("mmap_size", MMAP_BYTES)
    except apsw.Error as error:
        raise StorageError(f"The index {path} cannot be opened: {error}.") from error
    return connection


def load_vector_extension(connection: apsw.Connection) -> str | None:
    """Load sqlite-vec; the reason when that fails, else None."""
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
    except (apsw.Error, OSError, AttributeError) as error:
        return f"sqlite-vec can't be loaded: {error}"
    return None


def fetch_all(connection: apsw.Connection, sql: str, values: Sequence[object] = ()) -> list[Row]:
    """Run a query and give all its rows."""
    return connection.execute(sql, values).fetchall()


def fetch_one(connection: apsw.Connection, sql: str, values: Sequence[object] = ()) -> Row:
    """Run a query and give its first row, or None."""
    return connection.execute(sql, values).fetchone()
