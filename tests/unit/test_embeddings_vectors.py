"""Vectors in storage form and the exact scan."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid_index.embeddings import row_lengths, scan
from hybrid_index.store import encode_vector


def unit_rows(count: int, dimension: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def int8_rows(rows: np.ndarray) -> np.ndarray:
    stored = b"".join(encode_vector(row, "int8") for row in rows)
    return np.frombuffer(stored, np.int8).reshape(rows.shape)


def test_int8_storage_keeps_direction_within_a_thousandth() -> None:
    rows = unit_rows(50, 256, 1)
    back = int8_rows(rows).astype(np.float32)
    assert np.min(np.sum(rows * back, axis=1) / np.linalg.norm(back, axis=1)) > 0.999


def test_int8_storage_spans_the_whole_range_and_keeps_zero_rows() -> None:
    assert int8_rows(np.array([[0.5, -0.25, 0.0, 0.125]], np.float32)).tolist() == [[127, -64, 0, 32]]
    assert not int8_rows(np.zeros((1, 4), np.float32)).any()


@given(
    count=st.integers(1, 3_000),
    k=st.integers(1, 50),
    seed=st.integers(0, 20),
    dtype=st.sampled_from(["float32", "float16", "int8"]),
    share=st.floats(0.0, 1.0),
)
def test_the_scan_returns_what_sorting_all_cosines_returns(
    count: int, k: int, seed: int, dtype: str, share: float
) -> None:
    rows = unit_rows(count, 8, seed)
    matrix = int8_rows(rows) if dtype == "int8" else rows.astype(dtype)
    mask = np.random.default_rng(seed).random(count) < share
    query = unit_rows(1, 8, seed + 1)[0]
    floats = matrix.astype(np.float32)
    cosines = floats @ query
    if dtype == "int8":
        cosines = cosines / np.linalg.norm(floats, axis=1)
    expected = np.sort(cosines[mask])[::-1][:k]
    found, scores = scan(matrix, query, k, mask)
    assert mask[found].all()
    assert len(set(found.tolist())) == len(found)
    np.testing.assert_allclose(scores, expected, atol=2e-3 if dtype == "float16" else 1e-5)
    np.testing.assert_allclose(cosines[found], scores, atol=2e-3 if dtype == "float16" else 1e-5)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_equal_scores_come_in_row_order_also_at_the_cut(dtype: str) -> None:
    matrix = np.tile(np.array([[1, 0]], dtype), (3_000, 1))
    matrix[5] = [0, 1]
    found, _ = scan(matrix, np.array([1, 0], np.float32), 10)
    assert found.tolist() == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_zero_rows_are_never_found_but_opposite_and_orthogonal_ones_are(dtype: str) -> None:
    matrix = np.array([[0, 0], [-1, 0], [0, 1]], dtype)
    found, scores = scan(matrix, np.array([1, 0], np.float32), 10)
    assert found.tolist() == [2, 1]
    assert scores.tolist() == [0.0, -1.0]


def test_int8_rows_of_any_scale_are_compared_by_cosine() -> None:
    matrix = np.array([[10, 0], [60, 60], [127, 20]], np.int8)
    found, scores = scan(matrix, np.array([1, 0], np.float32), 3, lengths=row_lengths(matrix))
    assert found.tolist() == [0, 2, 1]
    assert scores[0] == pytest.approx(1.0)


@pytest.mark.parametrize("k", [0, -1])
def test_nothing_is_found_for_no_rows_wanted_a_zero_query_or_an_empty_matrix(k: int) -> None:
    rows = unit_rows(4, 2, 0)
    for found, scores in (
        scan(rows, rows[0], k),
        scan(rows, np.zeros(2, np.float32), 3),
        scan(rows[:0], rows[0], 3),
        scan(rows, rows[0], 3, np.zeros(4, bool)),
    ):
        assert len(found) == len(scores) == 0
