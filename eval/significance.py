"""Whether a difference between two rankings of the same questions is more than chance.

Paired, because questions differ far more than systems do. The randomisation test asks how often a coin toss per
question (which of the two systems gave which score) makes a mean difference at least as large; the bootstrap interval
redraws questions, within their repository where repositories weigh equally. Both are seeded, so a report is repeatable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

ROUNDS = 10_000  # Monte-Carlo error of p = .05 is then about .002
_SEED = 20_260
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean difference B - A with its two-sided p value and 95 % interval, and how many questions it moved."""

    mean: float
    p: float
    low: float
    high: float
    wins: int
    losses: int
    ties: int


Floats = npt.NDArray[np.float64]


def _randomised(differences: Floats, weights: Floats, rng: np.random.Generator) -> float:
    observed = abs(float(differences @ weights))
    moved = np.abs(differences) > _TIE
    weighted = (differences * weights)[moved]
    signs = rng.integers(0, 2, size=(ROUNDS, weighted.size), dtype=np.int8) * 2 - 1
    as_large = np.abs(signs @ weighted) >= observed - _TIE
    return float((as_large.sum() + 1) / (ROUNDS + 1))


def _bootstrap(
    differences: Floats, weights: Floats, strata: Sequence[str], rng: np.random.Generator
) -> tuple[float, float]:
    means = np.zeros(ROUNDS)
    names = np.asarray(strata)
    for name in sorted(set(strata)):
        rows = np.flatnonzero(names == name)
        drawn = rng.integers(0, rows.size, size=(ROUNDS, rows.size))
        means += differences[rows][drawn].mean(axis=1) * weights[rows].sum()
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def paired(a: Sequence[float], b: Sequence[float], weights: Sequence[float], strata: Sequence[str]) -> Difference:
    """Compare two systems' scores of the same questions.

    `weights` add up to 1 and say what each question counts in the mean; questions are redrawn within their stratum
    (pass one name for all where they are one population).

    Raises:
        ValueError: the sequences differ in length or are empty.
    """
    if not a or not len(a) == len(b) == len(weights) == len(strata):
        raise ValueError("paired() needs the same questions, at least one, on both sides.")
    differences = np.asarray(b, dtype=np.float64) - np.asarray(a, dtype=np.float64)
    shares = np.asarray(weights, dtype=np.float64)
    rng = np.random.default_rng(_SEED)
    p = _randomised(differences, shares, rng)
    low, high = _bootstrap(differences, shares, strata, rng)
    return Difference(
        mean=float(differences @ shares),
        p=p,
        low=low,
        high=high,
        wins=int((differences > _TIE).sum()),
        losses=int((differences < -_TIE).sum()),
        ties=int((np.abs(differences) <= _TIE).sum()),
    )
