"""The read side of the store: a snapshot is one consistent state of the index, whatever a writer does meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from hybrid_index.store.connection import fetch_all, fetch_one
from hybrid_index.store.rows import ChunkRecord, Counts, FileSummary, KnownFile, SkipRow

MAX_KNN = 4096  # what vec0 accepts for k; beyond it the vectors are scanned in memory

_CHUNK = (
    "SELECT c.id, c.file_id, c.start_line, c.end_line, c.kind, c.symbol, c.names, "
    "f.path, f.language, f.is_test, f.is_generated, f.project, f.pair, f.hash "
    "FROM chunks c JOIN files f ON f.id = c.file_id "
)


@dataclass(frozen=True, slots=True)
class VectorTable:
    """What the stored vectors were made with."""

    model: str
    dimension: int
    dtype: str


class Snapshot:
    """Reads of one moment. Made by `Store.snapshot()`; valid inside its `with` block."""

    def __init__(self, connection: apsw.Connection, vector_problem: str | None) -> None:
        self._connection = connection
        self.vector_problem = vector_problem

    # -- facts --------------------------------------------------------------------------------------------------------

    def meta(self) -> dict[str, str]:
        """Every stored fact about the index."""
        return dict(fetch_all(self._connection, "SELECT key, value FROM meta"))

    @property
    def generation(self) -> int:
        """Counts the commits to this index."""
        row = fetch_one(self._connection, "SELECT value FROM meta WHERE key = 'generation'")
        return int(row[0]) if row else 0

    @property
    def identity(self) -> str:
        """Differs for every database that was built anew."""
        row = fetch_one(self._connection, "SELECT value FROM meta WHERE key = 'identity'")
        return str(row[0]) if row else ""

    def vector_table(self) -> VectorTable | None:
        """What vectors are stored; None when there are none."""
        row = fetch_one(self._connection, "SELECT value FROM meta WHERE key = 'vectors'")
        if row is None:
            return None
        model, dimension, dtype = str(row[0]).rsplit("|", 2)
        return VectorTable(model, int(dimension), dtype)

    def counts(self) -> Counts:
        """How much is indexed."""
        one = fetch_one(
            self._connection,
            "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM chunks), (SELECT count(*) FROM symbols), "
            "(SELECT count(*) FROM chunks c JOIN files f ON f.id = c.file_id WHERE f.model IS NOT NULL), "
            "(SELECT count(*) FROM skips), (SELECT coalesce(sum(size), 0) FROM files)",
        )
        return Counts(*one)

    def size_counts(self) -> tuple[int, int, int]:
        """Files, chunks and recorded skips, cheaply."""
        row = fetch_one(
            self._connection,
            "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM chunks), (SELECT count(*) FROM skips)",
        )
        return int(row[0]), int(row[1]), int(row[2])

    def languages(self) -> dict[str, int]:
        """Files by language."""
        return dict(
            fetch_all(self._connection, "SELECT language, count(*) FROM files GROUP BY language ORDER BY 2 DESC, 1")
        )

    def skips(self) -> list[SkipRow]:
        """Files in scope that hold nothing to index."""
        rows = fetch_all(
            self._connection, "SELECT path, reason, detail, size, mtime_ns, features FROM skips ORDER BY path"
        )
        return [SkipRow(*row) for row in rows]

    def known_files(self) -> dict[str, KnownFile]:
        """Every indexed file by path, with what a pass compares."""
        rows = fetch_all(
            self._connection,
            "SELECT path, id, size, mtime_ns, hash, features, model, language, is_test, is_generated, project, pair "
            "FROM files",
        )
        return {row[0]: KnownFile(*row[1:]) for row in rows}

    def known_skips(self) -> dict[str, SkipRow]:
        """Every recorded skip by path."""
        return {skip.path: skip for skip in self.skips()}

    # -- files --------------------------------------------------------------------------------------------------------

    def files(self) -> list[FileSummary]:
        """Every indexed file, by path."""
        rows = fetch_all(
            self._connection,
            "SELECT id, path, size, lines, language, extension, is_test, is_generated, project, pair "
            "FROM files ORDER BY path",
        )
        return [FileSummary(*row) for row in rows]

    def file(self, path: str) -> FileSummary | None:
        """One file by path."""
        row = fetch_one(
            self._connection,
            "SELECT id, path, size, lines, language, extension, is_test, is_generated, project, pair "
            "FROM files WHERE path = ?",
            (path,),
        )
        return None if row is None else FileSummary(*row)

    def file_hash(self, path: str) -> bytes | None:
        """The content hash that a file was indexed with."""
        row = fetch_one(self._connection, "SELECT hash FROM files WHERE path = ?", (path,))
        return None if row is None else bytes(row[0])

    # -- chunks -------------------------------------------------------------------------------------------------------

    def chunks(self, ids: Iterable[int]) -> dict[int, ChunkRecord]:
        """Chunks by id; unknown ids are left out."""
        rows = fetch_all(
            self._connection, _CHUNK + "WHERE c.id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),)
        )
        return {row[0]: ChunkRecord(*row) for row in rows}

    def chunks_of(self, path: str) -> list[ChunkRecord]:
        """The chunks of one file in line order."""
        rows = fetch_all(self._connection, _CHUNK + "WHERE f.path = ? ORDER BY c.start_line, c.id", (path,))
        return [ChunkRecord(*row) for row in rows]

    def chunk_ids_of_files(self, file_ids: Sequence[int]) -> list[int]:
        """Ids of all chunks of the given files."""
        rows = fetch_all(
            self._connection,
            "SELECT id FROM chunks WHERE file_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(file_ids)),),
        )
        return [row[0] for row in rows]

    # -- keyword channel ----------------------------------------------------------------------------------------------

    def search_fts(
        self, expression: str, weights: Sequence[float], k: int, file_ids: Sequence[int] | None
    ) -> list[tuple[int, float]]:
        """The `k` best chunks as (id, score), best first; scores are negated `bm25()`, higher is better.

        `expression` must be valid FTS5 syntax. With `file_ids`, only chunks of these files take part.
        """
        ranking = f"bm25(fts, {', '.join(repr(float(w)) for w in weights)})"
        clause, values = "", []
        if file_ids is not None:
            clause = " AND rowid IN (SELECT id FROM chunks WHERE file_id IN (SELECT value FROM json_each(?)))"
            values.append(json.dumps(list(file_ids)))
        rows = fetch_all(
            self._connection,
            f"SELECT rowid, {ranking} AS score FROM fts WHERE fts MATCH ?{clause} ORDER BY score, rowid LIMIT ?",
            (expression, *values, k),
        )
        return [(row[0], -row[1]) for row in rows]

    # -- vector channel -----------------------------------------------------------------------------------------------

    def search_vec(
        self, query: NDArray[np.float32], table: VectorTable, k: int, file_ids: Sequence[int] | None
    ) -> list[tuple[int, float]]:
        """The `k` nearest chunks as (id, cosine), best first, found by vec0; `k` is cut at what vec0 accepts."""
        clause, values = "", []
        if file_ids is not None:
            clause = " AND chunk_id IN (SELECT id FROM chunks WHERE file_id IN (SELECT value FROM json_each(?)))"
            values.append(json.dumps(list(file_ids)))
        wrap = "vec_int8(?)" if table.dtype == "int8" else "?"
        rows = fetch_all(
            self._connection,
            f"SELECT chunk_id, distance FROM vec WHERE embedding MATCH {wrap} AND k = ?{clause}",
            (encode_vector(query, table.dtype), min(k, MAX_KNN), *values),
        )
        # A zero vector has no direction: its cosine distance is undefined and it is never a neighbour.
        found = [(row[0], 1.0 - row[1]) for row in rows if row[1] is not None and row[1] == row[1]]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def vector_rows(self, after_id: int) -> Iterator[tuple[int, bytes]]:
        """(chunk id, stored vector) of chunks with an id above `after_id`, in id order."""
        return iter(
            fetch_all(
                self._connection,
                "SELECT chunk_id, embedding FROM vec WHERE chunk_id > ? ORDER BY chunk_id",
                (after_id,),
            )
        )

    def chunk_ids(self) -> NDArray[np.int64]:
        """Ids of all chunks, ascending."""
        return np.fromiter(
            (row[0] for row in fetch_all(self._connection, "SELECT id FROM chunks ORDER BY id")), np.int64
        )


def encode_vector(vector: NDArray[np.float32], dtype: str) -> bytes:
    """A vector in stored form. int8 rows are scaled so that the largest component is 127: cosine ignores length."""
    if dtype != "int8":
        return bytes(np.ascontiguousarray(vector, dtype="<f4").tobytes())
    peak = float(np.max(np.abs(vector))) if vector.size else 0.0
    if peak == 0.0:
        return bytes(vector.size)
    return bytes(np.rint(vector * (127.0 / peak)).astype(np.int8).tobytes())
