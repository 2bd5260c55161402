"""Pairs as `collect` stored them, and batches of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Side:
    """Texts as runs of token ids with counts; text i holds `ids[starts[i]:starts[i + 1]]`."""

    ids: Ints
    counts: NDArray[np.float32]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, rows: NDArray[np.int64]) -> tuple[Ints, NDArray[np.float32], NDArray[np.int64]]:
        """Ids and counts of some texts, put end to end, with the offset at which each begins."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        offsets = np.cumsum(lengths) - lengths
        index = np.arange(int(lengths.sum())) + np.repeat(self.starts[rows] - offsets, lengths)
        return self.ids[index], self.counts[index], offsets


@dataclass(frozen=True, slots=True)
class Repository:
    """The pairs of one repository: query i belongs to document i."""

    name: str
    queries: Side
    documents: Side
    kinds: Ints

    def __len__(self) -> int:
        return len(self.kinds)


def _side(ids: Ints, counts: NDArray[np.float32], lengths: Ints) -> Side:
    return Side(ids, counts, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def load(folder: Path, names: Sequence[str] | None = None) -> list[Repository]:
    """Read the pairs of every repository in the folder, or of those named."""
    out = []
    for path in sorted(folder.glob("*.npz")):
        name = path.stem.replace("+", "/", 1)
        if names is not None and name not in names:
            continue
        with np.load(path) as data:
            queries = _side(data["q"], np.ones(len(data["q"]), np.float32), data["qn"])
            documents = _side(data["d"], data["dc"].astype(np.float32), data["dn"])
            if len(data["kind"]):
                out.append(Repository(name, queries, documents, data["kind"]))
    return out


def blocks(
    repositories: Sequence[Repository], size: int, seed: int, power: float
) -> Iterator[tuple[Repository, NDArray[np.int64]]]:
    """Endless blocks of pairs, each of one repository, drawn with a probability of (pairs in it) ** `power`.

    Pairs of one repository are each other's hard negatives.
    """
    rng = np.random.default_rng(seed)
    usable = [r for r in repositories if len(r) >= 32]
    weights = np.array([len(r) for r in usable], float) ** power
    orders = [rng.permutation(len(r)) for r in usable]
    positions = [0] * len(usable)
    while True:
        i = int(rng.choice(len(usable), p=weights / weights.sum()))
        repository, take = usable[i], min(size, len(usable[i]))
        if positions[i] + take > len(repository):
            orders[i], positions[i] = rng.permutation(len(repository)), 0
        rows = orders[i][positions[i] : positions[i] + take]
        positions[i] += take
        yield repository, rows
