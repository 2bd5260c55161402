"""`python -m eval fit`: choose settings on some repositories, report them on the others.

Repositories are dealt into folds. For each fold the candidate with the best mean on the other folds is chosen, less a
small charge for each setting that departs from the defaults (few parameters, and none for a gain within noise); the
questions of the fold are then scored with that choice. The number reported is the mean over those held-out scores, so
no repository is ever scored with settings chosen on it. Candidates come from --grid, as in `sweep`.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from eval.arguments import add_suite, read_overrides, read_suite
from eval.compare import difference
from eval.errors import EvalError
from eval.overrides import Overrides, describe
from eval.results import MEASURES, Result, Row, table, to_json, write_json
from eval.sweep import DEFAULT_GRID, combinations, parse_grid, run_variants

# What one departure from the defaults must earn in the measure before it is taken. FINDINGS of the prototype: weights
# looked .014-.02 better on the repositories they were fitted on; a tenth of that for each setting keeps fits small.
CHARGE = 0.002


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold: the candidate chosen without it, and what that candidate scored inside and outside the fit."""

    repos: tuple[str, ...]
    chosen: str
    fitted: float  # mean of the measure on the repositories that chose it
    held_out: float


def deal(repos: Sequence[str], folds: int) -> list[tuple[str, ...]]:
    """Deal repositories into folds of nearly equal size, in an order that does not depend on their listing.

    Raises:
        EvalError: there are fewer repositories than folds, or fewer than two folds.
    """
    if folds < 2 or len(set(repos)) < folds:
        raise EvalError(f"{len(set(repos))} repositories cannot make {folds} folds; need 2 <= folds <= repositories.")
    ordered = sorted(set(repos), key=lambda name: hashlib.blake2b(name.encode()).hexdigest())
    return [tuple(sorted(ordered[number::folds])) for number in range(folds)]


def _mean(result: Result, repos: Sequence[str], measure: str) -> float:
    rows = [row for row in result.rows if row.repo in repos]
    return sum(w * row.value(measure) for w, row in zip(result.weights(rows), rows, strict=True))


def cross_fit(
    baseline: Result, candidates: Sequence[tuple[Result, int]], folds: int, measure: str, charge: float = CHARGE
) -> tuple[list[Fold], Result]:
    """Choose per fold among the baseline and `candidates` (result, departures from it).

    Returns the folds, and a result whose every row was scored with settings chosen on other repositories.
    """
    everything = [(baseline, 0), *candidates]
    out: list[Fold] = []
    rows: dict[str, Row] = {}
    all_repos = [row.repo for row in baseline.rows]
    for held in deal(all_repos, folds):
        fitting = sorted(set(all_repos) - set(held))
        chosen, _ = max(everything, key=lambda c: (_mean(c[0], fitting, measure) - charge * c[1], -c[1]))
        out.append(Fold(held, chosen.name, _mean(chosen, fitting, measure), _mean(chosen, held, measure)))
        rows |= {row.id: row for row in chosen.rows if row.repo in held}
    return out, Result("cross-fit", baseline.form, tuple(rows[row.id] for row in baseline.rows))


def _departures(overrides: Overrides, base: Overrides) -> int:
    return sum(base.get(key) != value for key, value in overrides.items())


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval fit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_suite(parser)
    parser.add_argument("--grid", action="append", default=[], metavar="KEY=V1,V2", help="a dimension; repeatable")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--charge", type=float, default=CHARGE, help="what a departure from the defaults must earn")
    parser.add_argument("--measure", choices=MEASURES, default="ndcg10")
    parser.add_argument("--json", type=Path, metavar="OUT", help="folds and held-out rows")
    options = parser.parse_args(arguments)
    suite, base = read_suite(options), read_overrides(options)
    deal(suite.repos, options.folds)
    sets = combinations(parse_grid(options.grid or DEFAULT_GRID), base)
    baseline, *results = run_variants(suite, [("as set", base), *((describe(one), one) for one in sets)])
    candidates = [(result, _departures(one, base)) for result, one in zip(results, sets, strict=True)]
    folds, held_out = cross_fit(baseline, candidates, options.folds, options.measure, options.charge)
    for fold in folds:
        print(f"fold {', '.join(fold.repos)}: {fold.chosen}  fitted {fold.fitted:.4f}  held out {fold.held_out:.4f}")
    print(table([(r.name, r.summary()["ALL"]) for r in (baseline, held_out)], "ALL"))
    change = difference(baseline, held_out, options.measure)
    print(f"held-out gain {change.mean:+.4f} (95 % {change.low:+.4f} .. {change.high:+.4f}, p = {change.p:.4f})")
    if options.json:
        folds_json = [asdict(fold) for fold in folds]
        write_json({"folds": folds_json, "results": [to_json(baseline), to_json(held_out)]}, options.json)
    return 0
