"""Judges a token table on held-out pairs: a query should find its own document among all of its repository.

python -m eval.embedder.validate --pairs DIR FOLDER...
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.embedder.collect import CAPS
from eval.embedder.dataset import Repository, Side, load
from eval.embedder.model_folder import Floats, read_table

_MAX_QUERIES = 600
_MAX_DOCUMENTS = 3_000
_DEPTH = 10


def embed(table: Floats, side: Side, rows: NDArray[np.int64]) -> Floats:
    """Unit vectors of some texts."""
    ids, counts, offsets = side.take(rows)
    sums = np.add.reduceat(table[ids] * counts[:, None], offsets, axis=0)
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9), np.float32)


def validate(table: Floats, repositories: list[Repository]) -> dict[str, float]:
    """NDCG@10 with one right document a query: the mean over repositories, and by kind of pair."""
    kinds = list(CAPS)
    totals: dict[str, list[float]] = {"all": [], **{kind: [] for kind in kinds}}
    for repository in repositories:
        rng = np.random.default_rng(0)
        rows = rng.permutation(len(repository))[:_MAX_DOCUMENTS]
        documents = embed(table, repository.documents, rows)
        queries = embed(table, repository.queries, rows[:_MAX_QUERIES])
        scores = queries @ documents.T
        own = scores[np.arange(len(queries)), np.arange(len(queries))]
        ranks = (scores > own[:, None]).sum(axis=1) + 1
        gains = np.where(ranks <= _DEPTH, 1.0 / np.log2(ranks + 1.0), 0.0)
        by_kind = repository.kinds[rows[:_MAX_QUERIES]]
        totals["all"].append(float(gains.mean()))
        for i, kind in enumerate(kinds):
            if (by_kind == i).any():
                totals[kind].append(float(gains[by_kind == i].mean()))
    return {kind: round(float(np.mean(values)), 4) for kind, values in totals.items() if values}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    repositories = load(options.pairs)
    for folder in options.folders:
        print(folder.name, validate(read_table(folder), repositories), flush=True)


if __name__ == "__main__":
    main()
