"""`python -m eval ablate`: what each channel and each ranking signal is worth.

Runs the settings as given, then once without the keyword channel, without the vector channel, without all signals, and
without each signal alone, and prints the loss with its interval. The names of the signals are those that `explain_hit`
shows for the answers found, or --signals.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from eval.arguments import Suite, add_suite, read_overrides, read_suite
from eval.compare import difference
from eval.overrides import Overrides
from eval.product import Product, index_folder
from eval.results import MEASURES, Result, Summary, table, to_json, write_json
from eval.running import run_suite
from eval.sweep import run_variants

_CHANNELS = "fusion"  # the part of a score that is the two channels, not a signal


def observed_signals(suite: Suite, overrides: Overrides, result: Result) -> list[str]:
    """Names of the signals that took part in the score of the first hit or the answer of any question."""
    names: set[str] = set()
    for repo in suite.repos:
        root = suite.tree(repo)
        with Product(root, index_folder(suite.index_root, root, overrides), overrides) as product:
            for row in result.rows:
                if row.repo == repo:
                    for chunk in dict.fromkeys([*row.top[:1], *([row.answer] if row.answer else [])]):
                        names.update(part.name for part in product.explain(row.query, chunk).contributions)
    return sorted(names - {_CHANNELS})


def variants(signals: Sequence[str], base: Overrides) -> list[tuple[str, Overrides]]:
    """The named ablations on top of `base`."""
    already = list(base.get("ranking.disabled_signals", []))
    return [
        ("without keywords", base | {"fts.enabled": False}),
        ("without vectors", base | {"semantic.enabled": False}),
        ("without signals", base | {"ranking.signals": False}),
        *((f"without {name}", base | {"ranking.disabled_signals": [*already, name]}) for name in signals),
    ]


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval ablate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_suite(parser)
    parser.add_argument("--signals", default="", metavar="A,B", help="only these signals")
    parser.add_argument("--measure", choices=MEASURES, default="ndcg10")
    parser.add_argument("--json", type=Path, metavar="OUT", help="all results and differences")
    options = parser.parse_args(arguments)
    suite, base = read_suite(options), read_overrides(options)
    baseline, _ = run_suite(suite, base, "as set")
    signals = [name for name in options.signals.split(",") if name] or observed_signals(suite, base, baseline)
    results = run_variants(suite, variants(signals, base))
    differences = {result.name: difference(baseline, result, options.measure) for result in results}
    ranked = sorted(results, key=lambda r: (differences[r.name].mean, r.name))
    lines: list[tuple[str, Summary]] = [(r.name, r.summary()["ALL"]) for r in [baseline, *ranked]]
    print(table(lines, "ablation"))
    print(f"\nloss of {options.measure} (95 % interval, p; questions better / worse without it)")
    for result in ranked:
        d = differences[result.name]
        print(f"  {result.name:<32} {d.mean:+.4f}  ({d.low:+.4f} .. {d.high:+.4f}, p {d.p:.4f}; {d.wins} / {d.losses})")
    if options.json:
        named = {name: asdict(d) for name, d in differences.items()}
        write_json({"differences": named, "results": [to_json(r) for r in [baseline, *ranked]]}, options.json)
    return 0
