"""The exact nearest-neighbour scan over a matrix of stored vectors in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Rows converted to float32 at a time. Over 200,000 x 256 int8 rows blocks of 512-1,024 took 16 ms, 4,096 took 22 ms: a
# converted block of 1 MB stays in a core's own cache.
_BLOCK_ROWS = 1_024


def row_lengths(rows: NDArray[np.int8]) -> NDArray[np.float32]:
    """Lengths of int8 rows, for `scan`; compute them once for a matrix that is scanned often."""
    out = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _BLOCK_ROWS):
        block = rows[start : start + _BLOCK_ROWS].astype(np.float32)
        np.sqrt(np.einsum("ij,ij->i", block, block), out=out[start : start + _BLOCK_ROWS])
    return out


def scan(
    matrix: NDArray[Any],
    query: NDArray[np.float32],
    k: int,
    mask: NDArray[np.bool_] | None = None,
    lengths: NDArray[np.float32] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Find the `k` rows nearest to a unit query by cosine, best first, ties in row order.

    Args:
        matrix: float32 or float16 unit rows, or int8 rows of any scale.
        query: a unit vector; zeros find nothing.
        k: how many rows to return at most.
        mask: rows that may be returned; all where absent.
        lengths: `row_lengths(matrix)`, for an int8 matrix only; computed where absent.

    Returns:
        Row numbers and their cosines. Zero rows have no direction and are never returned.
    """
    if k <= 0 or len(matrix) == 0 or not query.any():
        return np.empty(0, np.int64), np.empty(0, np.float32)
    scores = _dot(matrix, np.ascontiguousarray(query, np.float32))
    if matrix.dtype == np.int8:
        lengths = row_lengths(matrix) if lengths is None else lengths
        scores = np.divide(scores, lengths, out=np.full(len(scores), -np.inf, np.float32), where=lengths > 0.0)
    else:
        zero = np.flatnonzero(scores == 0.0)
        scores[zero[~matrix[zero].any(axis=1)]] = -np.inf
    if mask is not None:
        scores[~mask] = -np.inf
    best = _top(scores, k)
    return best, scores[best]


def _dot(matrix: NDArray[Any], query: NDArray[np.float32]) -> NDArray[np.float32]:
    if matrix.dtype == np.float32:
        return np.asarray(matrix @ query, np.float32)
    scores = np.empty(len(matrix), np.float32)
    block = np.empty((min(_BLOCK_ROWS, len(matrix)), matrix.shape[1]), np.float32)
    for start in range(0, len(matrix), _BLOCK_ROWS):
        rows = matrix[start : start + _BLOCK_ROWS]
        part = block[: len(rows)]
        np.copyto(part, rows)
        np.matmul(part, query, out=scores[start : start + len(rows)])
    return scores


def _top(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The `k` best rows that may be returned, best first; equal scores in row order, at the cut too."""
    if k < len(scores):
        threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
        rows = np.flatnonzero(scores >= threshold)
    else:
        rows = np.arange(len(scores))
    rows = rows[scores[rows] > -np.inf]
    order = np.argsort(-scores[rows], kind="stable")
    return np.asarray(rows[order][:k], np.int64)
