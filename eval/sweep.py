"""`python -m eval sweep`: every combination of some settings, best first.

`--grid KEY=V1,V2,...` adds a dimension (repeatable); settings that move together are joined by `+`, as in
`--grid fusion.alpha+fusion.beta=0.8+0.2,0.5+0.5`. Without --grid: channel weights by normalisation.
The best line of a sweep is a maximum over noise: `fit` gives the honest number.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

from eval.arguments import Suite, add_suite, read_overrides, read_suite
from eval.compare import difference
from eval.errors import EvalError
from eval.overrides import Overrides, describe, parse_value, split_list
from eval.results import MEASURES, Result, table, to_json, write_json
from eval.running import run_suite

DEFAULT_GRID = (
    "fusion.alpha+fusion.beta=1.0+0.0,0.8+0.2,0.65+0.35,0.5+0.5,0.35+0.65,0.0+1.0",
    "fusion.normalisation=minmax,rank,rrf",
)


def parse_grid(texts: Sequence[str]) -> list[list[Overrides]]:
    """Read `--grid` texts into one list of alternatives for each dimension.

    Raises:
        EvalError: a text has no values, or a value has not as many parts as its key.
    """
    out: list[list[Overrides]] = []
    for text in texts:
        key, separator, values = text.partition("=")
        keys = [part.strip() for part in key.split("+")]
        alternatives = [
            [value] if len(keys) == 1 else [part.strip() for part in value.split("+")] for value in split_list(values)
        ]
        if not separator or not alternatives or not all("." in part for part in keys):
            raise EvalError(f"{text!r} is not a grid; write section.key=value,value.")
        if wrong := [parts for parts in alternatives if len(parts) != len(keys)]:
            raise EvalError(f"{text!r}: {'+'.join(wrong[0])} has {len(wrong[0])} part(s) for {len(keys)} settings.")
        out.append([dict(zip(keys, map(parse_value, parts), strict=True)) for parts in alternatives])
    return out


def combinations(grid: Sequence[Sequence[Overrides]], base: Overrides) -> list[Overrides]:
    """Every combination of one alternative per dimension, on top of `base`."""
    out = []
    for chosen in itertools.product(*grid):
        merged = dict(base)
        for part in chosen:
            merged |= part
        out.append(merged)
    return out


def run_variants(suite: Suite, variants: Sequence[tuple[str, Overrides]]) -> list[Result]:
    """Run each named setting, saying which."""
    out = []
    for number, (name, overrides) in enumerate(variants, 1):
        print(f"[{number}/{len(variants)}] {name}", file=sys.stderr, flush=True)
        out.append(run_suite(suite, overrides, name, quiet=True)[0])
    return out


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval sweep", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_suite(parser)
    parser.add_argument("--grid", action="append", default=[], metavar="KEY=V1,V2", help="a dimension; repeatable")
    parser.add_argument("--measure", choices=MEASURES, default="ndcg10", help="what to sort by")
    parser.add_argument("--json", type=Path, metavar="OUT", help="the results of all combinations")
    options = parser.parse_args(arguments)
    suite, base = read_suite(options), read_overrides(options)
    sets = combinations(parse_grid(options.grid or DEFAULT_GRID), base)
    baseline, *results = run_variants(suite, [("as set", base), *((describe(one), one) for one in sets)])
    ranked = sorted(results, key=lambda r: (-float(r.summary()["ALL"][options.measure]), r.name))
    print(table([(r.name, r.summary()["ALL"]) for r in [baseline, *ranked]], f"sweep by {options.measure}"))
    best = difference(baseline, ranked[0], options.measure)
    print(
        f"\nbest - as set: {best.mean:+.4f} (95 % {best.low:+.4f} .. {best.high:+.4f}, p = {best.p:.4f} before choosing"
        f" among {len(results)})"
    )
    if options.json:
        write_json({"results": [to_json(result) for result in [baseline, *ranked]]}, options.json)
    return 0
