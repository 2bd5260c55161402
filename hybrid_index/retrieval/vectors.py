"""The vector channel: vec0 for a process that asks once, a matrix in memory for one that stays."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid_index.embeddings import row_lengths, scan
from hybrid_index.store import MAX_KNN, Snapshot, VectorTable

QUESTIONS_BEFORE_LOADING = 2  # loading costs about as much as three questions to vec0


class VectorChannel:
    """Nearest chunks. Thread-safe; keeps a matrix in step with the index once it pays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = 0
        self._key: tuple[str, int, VectorTable] | None = None
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: NDArray[Any] = np.empty((0, 0), np.int8)
        self._lengths: NDArray[np.float32] | None = None

    def search(
        self, snapshot: Snapshot, table: VectorTable, query: NDArray[np.float32], k: int, file_ids: Sequence[int] | None
    ) -> list[tuple[int, float]]:
        """Give the `k` nearest chunks as (id, cosine), best first."""
        if not query.any() or k <= 0:
            return []
        with self._lock:
            self._asked += 1
            if self._asked < QUESTIONS_BEFORE_LOADING and k <= MAX_KNN:
                return snapshot.search_vec(query, table, k, file_ids)
            self._refresh(snapshot, table)
            ids, matrix, lengths = self._ids, self._matrix, self._lengths
        if not len(ids):
            return []
        mask = None if file_ids is None else np.isin(ids, snapshot.chunk_ids_of_files(file_ids))
        rows, scores = scan(matrix, query, k, mask, lengths)
        return [(int(ids[row]), float(score)) for row, score in zip(rows, scores, strict=True)]

    def _refresh(self, snapshot: Snapshot, table: VectorTable) -> None:
        key = (snapshot.identity, snapshot.generation, table)
        if self._key == key:
            return
        same = self._key is not None and (self._key[0], self._key[2]) == (key[0], key[2])
        ids, matrix = (self._ids, self._matrix) if same else (np.empty(0, np.int64), None)
        if same and len(ids):  # rows of chunks that are gone go; ids are never used again
            alive = np.isin(ids, snapshot.chunk_ids(), assume_unique=True)
            ids, matrix = ids[alive], matrix[alive] if matrix is not None else None
        new_ids, blobs = [], []
        for chunk_id, blob in snapshot.vector_rows(int(self._ids[-1]) if same and len(self._ids) else 0):
            new_ids.append(chunk_id)
            blobs.append(blob)
        dtype = np.dtype(np.int8) if table.dtype == "int8" else np.dtype("<f4")
        if blobs:
            fresh = np.frombuffer(b"".join(blobs), dtype=dtype).reshape(len(blobs), table.dimension)
            ids = np.concatenate([ids, np.asarray(new_ids, np.int64)])
            matrix = fresh if matrix is None or not len(matrix) else np.concatenate([matrix, fresh])
        self._ids, self._key = ids, key
        self._matrix = matrix if matrix is not None else np.empty((0, table.dimension), dtype)
        self._lengths = row_lengths(self._matrix) if dtype == np.int8 and len(ids) else None
