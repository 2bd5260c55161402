"""The write side of the store: every change of a file's rows happens here, inside one transaction a batch."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw
from filelock import BaseFileLock

from hybrid_index.store.connection import fetch_all, fetch_one, load_vector_extension, open_writer
from hybrid_index.store.migrations import path_from
from hybrid_index.store.reader import Snapshot
from hybrid_index.store.rows import ChunkRows, FileRows, KnownFile, SkipRow
from hybrid_index.store.versions import FORMAT_VERSION

_INSERT_FTS = (
    "INSERT INTO fts (rowid, stem, directories, names, context, docs, hints, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_SYMBOL = f"INSERT INTO symbols VALUES ({', '.join('?' * 16)})"


class StoreWriter:
    """The one writer. Holds the lock file from its making until `close`."""

    def __init__(self, database: Path, lock: BaseFileLock) -> None:
        self._lock = lock
        self.rebuild_reason: str | None = None
        self._connection = open_writer(database)
        self.vector_problem = load_vector_extension(self._connection)
        self._ensure_format()
        self._has_vectors = self._table_exists("vec")

    # -- life ---------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Fold the log into the database as far as readers allow, then let the lock go."""
        try:
            self._connection.pragma("optimize")
            fetch_all(self._connection, "PRAGMA wal_checkpoint(PASSIVE)")
        except apsw.Error:
            pass  # a later writer checkpoints
        finally:
            self._connection.close()
            self._lock.release()

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """All or nothing; marks a new generation of the index."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute(
                "INSERT INTO meta VALUES ('generation', '1') "
                "ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
            )
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _ensure_format(self) -> None:
        version = int(self._connection.pragma("user_version"))
        if version == FORMAT_VERSION:
            return
        if version == 0:
            self._create()
            return
        steps = path_from(version, FORMAT_VERSION)
        if steps is None:
            self.rebuild_reason = f"the index has format {version}, this program writes format {FORMAT_VERSION}"
            self._drop_everything()
            self._create()
            return
        for start, _reason, migrate in steps:
            with self.atomic():
                migrate(self._connection)
                self._connection.pragma("user_version", start + 1)

    def _create(self) -> None:
        schema = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(schema)
        # Tells one database from another that was built in its place.
        self._connection.execute("INSERT INTO meta VALUES ('identity', ?)", (uuid.uuid4().hex,))
        self._connection.pragma("user_version", FORMAT_VERSION)
        self._connection.execute("COMMIT")

    def _drop_everything(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for name, sql in fetch_all(
            self._connection,
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'",
        ):
            if "using vec0" in sql.lower() and self.vector_problem:
                continue
            self._connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        names = fetch_all(
            self._connection, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        for (name,) in names:
            self._connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        self._connection.execute("COMMIT")

    def _table_exists(self, name: str) -> bool:
        found = fetch_one(self._connection, "SELECT 1 FROM sqlite_master WHERE name = ?", (name,))
        return found is not None

    # -- reading what a pass compares with -----------------------------------------------------------------------------

    def known_files(self) -> dict[str, KnownFile]:
        """Every indexed file by path."""
        return Snapshot(self._connection, self.vector_problem).known_files()

    def known_skips(self) -> dict[str, SkipRow]:
        """Every recorded skip by path."""
        return Snapshot(self._connection, self.vector_problem).known_skips()

    def meta(self, key: str) -> str | None:
        """A stored fact about the index."""
        row = fetch_one(self._connection, "SELECT value FROM meta WHERE key = ?", (key,))
        return None if row is None else str(row[0])

    # -- writing, inside atomic() -------------------------------------------------------------------------------------

    def set_meta(self, facts: Mapping[str, str | None]) -> None:
        """Store facts about the index; None forgets one."""
        for key, value in facts.items():
            if value is None:
                self._connection.execute("DELETE FROM meta WHERE key = ?", (key,))
            else:
                self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def has_model(self, model: str, dimension: int, dtype: str) -> bool:
        """Whether the vector table fits a model already."""
        return self._has_vectors and self.meta("vectors") == _vector_key(model, dimension, dtype)

    def use_model(self, model: str, dimension: int, dtype: str) -> None:
        """Make the vector table fit a model, dropping the vectors of another.

        Must run before vectors are written. Files then have no vectors until they are written again.
        """
        self._connection.execute("DROP TABLE IF EXISTS vec")
        column = "int8" if dtype == "int8" else "float"
        self._connection.execute(
            f"CREATE VIRTUAL TABLE vec USING vec0 "
            f"(chunk_id INTEGER PRIMARY KEY, embedding {column}[{int(dimension)}] distance_metric=cosine)"
        )
        self._connection.execute("UPDATE files SET model = NULL")
        self.set_meta({"vectors": _vector_key(model, dimension, dtype)})
        self._has_vectors = True

    def replace_file(self, file: FileRows) -> bool:
        """Write a file's rows in place of what was there, keeping its project and pair; True when something was."""
        old = fetch_one(self._connection, "SELECT id, project, pair FROM files WHERE path = ?", (file.path,))
        if old is not None:
            self._remove_rows(old[0])
        self._connection.execute("DELETE FROM skips WHERE path = ?", (file.path,))
        self._connection.execute(
            "INSERT INTO files VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(file.path, file.size, file.mtime_ns, file.hash, file.language, file.extension, file.lines),
                *(file.is_test, file.is_generated, file.features, file.model),
                *((old[1], old[2]) if old is not None else (None, None)),
            ),
        )
        file_id = self._connection.last_insert_rowid()
        self._insert_chunks(file_id, file.chunks)
        if file.symbols:
            self._insert_symbols(file_id, file)
        return old is not None

    def _insert_chunks(self, file_id: int, chunks: Sequence[ChunkRows]) -> None:
        if not chunks:
            return
        connection = self._connection
        first = self._next_id("chunks")
        connection.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(first + i, file_id, c.start_line, c.end_line, c.kind, c.symbol, c.names) for i, c in enumerate(chunks)],
        )
        connection.executemany(_INSERT_FTS, [(first + i, *c.fts) for i, c in enumerate(chunks) if c.fts is not None])
        vectors = [(first + i, c.vector) for i, c in enumerate(chunks) if c.vector is not None]
        if vectors:
            wrap = "vec_int8(?)" if self._vector_dtype() == "int8" else "?"
            connection.executemany(f"INSERT INTO vec (chunk_id, embedding) VALUES (?, {wrap})", vectors)

    def _vector_dtype(self) -> str:
        return (self.meta("vectors") or "||int8").rsplit("|", 1)[-1]

    def _insert_symbols(self, file_id: int, file: FileRows) -> None:
        first = self._next_id("symbols")
        # Of a partial type's parts in one file, the first one is the parent of the members of all.
        ids: dict[str, int] = {}
        for number, symbol in enumerate(file.symbols, first):
            ids.setdefault(symbol.doc_id, number)
        self._connection.executemany(
            _INSERT_SYMBOL,
            [
                (
                    *(number, file_id, ids.get(s.container) if s.container else None, s.doc_id, s.name, s.kind),
                    *(s.accessibility, " ".join(s.modifiers), " ".join(s.roles)),
                    *(s.span.start_line, s.span.end_line, s.name_span.start_line, s.name_span.start_column or 1),
                    *((s.body.start_line, s.body.end_line) if s.body else (None, None)),
                    s.doc_start_line,
                )
                for number, s in enumerate(file.symbols, first)
            ],
        )

    def _next_id(self, table: str) -> int:
        """The id that the next row of a table gets. There is one writer, so ids can be handed out here."""
        row = fetch_one(self._connection, "SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
        return (int(row[0]) if row else 0) + 1

    def _remove_rows(self, file_id: int) -> None:
        connection = self._connection
        chunks = "SELECT id FROM chunks WHERE file_id = ?"
        connection.execute(f"DELETE FROM fts WHERE rowid IN ({chunks})", (file_id,))
        if self._has_vectors:
            for (chunk_id,) in fetch_all(connection, chunks, (file_id,)):
                connection.execute("DELETE FROM vec WHERE chunk_id = ?", (chunk_id,))
        connection.execute("DELETE FROM chunks WHERE file_id = ?", (file_id,))
        connection.execute("DELETE FROM symbols WHERE file_id = ?", (file_id,))
        connection.execute("DELETE FROM files WHERE id = ?", (file_id,))

    def remove_paths(self, paths: Iterable[str]) -> None:
        """Forget files and skips."""
        for path in paths:
            row = fetch_one(self._connection, "SELECT id FROM files WHERE path = ?", (path,))
            if row is not None:
                self._remove_rows(row[0])
            self._connection.execute("DELETE FROM skips WHERE path = ?", (path,))

    def put_skip(self, skip: SkipRow) -> None:
        """Record a skip; whatever was indexed of the file goes."""
        self.remove_paths([skip.path])
        self._connection.execute(
            "INSERT OR REPLACE INTO skips VALUES (?, ?, ?, ?, ?, ?)",
            (skip.path, skip.reason, skip.detail, skip.size, skip.mtime_ns, skip.features),
        )

    def touch(self, path: str, size: int, mtime_ns: int) -> None:
        """Note that a file has new times but the same content."""
        self._connection.execute("UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?", (size, mtime_ns, path))

    def update_facts(self, rows: Iterable[tuple[str | None, str | None, str]]) -> None:
        """Set the project and the pair of files, given as (project, pair, path)."""
        self._connection.executemany("UPDATE files SET project = ?, pair = ? WHERE path = ?", rows)


def _vector_key(model: str, dimension: int, dtype: str) -> str:
    return f"{model}|{dimension}|{dtype}"
