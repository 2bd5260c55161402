"""`python -m eval compare A B ...`: results or settings side by side; the first is the baseline.

A, B, ... are saved results (JSON files of `run --json`) or settings written `name:key=value,key=value` (`name:` alone
for the defaults); settings need --questions and --corpora. Prints the paired difference of each to the first
(randomisation test, 95 % bootstrap interval, wins and losses), the questions that moved most and, where both are
settings, why: the parts of the answer's score that changed, from `explain_hit`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eval.arguments import Suite, add_suite, read_overrides, read_suite
from eval.errors import EvalError
from eval.overrides import Overrides, parse_overrides, split_list
from eval.product import Product, index_folder
from eval.results import MEASURES, Result, Row, read_result, table, to_json, write_json
from eval.running import run_suite
from eval.significance import Difference, paired
from hybrid_index.service.replies import ExplainReply

_SMALL = 1e-4  # contributions that differ by less are not a reason


@dataclass(frozen=True, slots=True)
class Move:
    """A question whose score changed, and why where that could be asked."""

    id: str
    repo: str
    category: str
    query: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None
    first_before: str | None
    first_after: str | None
    why: tuple[str, ...] = ()


def pair_rows(a: Result, b: Result) -> list[tuple[Row, Row]]:
    """The questions that both results hold, in the order of `a`. Raises EvalError where there are none."""
    other = {row.id: row for row in b.rows}
    pairs = [(row, other[row.id]) for row in a.rows if row.id in other]
    if not pairs:
        raise EvalError(f"{a.name} and {b.name} share no question; compare runs over the same question files.")
    return pairs


def difference(a: Result, b: Result, measure: str = "ndcg10") -> Difference:
    """The paired difference B - A over the questions that both hold."""
    pairs = pair_rows(a, b)
    rows = [left for left, _ in pairs]
    strata = [row.repo if a.form == "semble" else "" for row in rows]
    return paired(
        [left.value(measure) for left, _ in pairs],
        [right.value(measure) for _, right in pairs],
        a.weights(rows),
        strata,
    )


def moves(a: Result, b: Result, measure: str = "ndcg10") -> list[Move]:
    """Questions whose score changed, largest change first."""
    out = [
        Move(
            id=left.id,
            repo=left.repo,
            category=left.category,
            query=left.query,
            before=left.value(measure),
            after=right.value(measure),
            rank_before=left.first_rank,
            rank_after=right.first_rank,
            first_before=left.top[0] if left.top else None,
            first_after=right.top[0] if right.top else None,
        )
        for left, right in pair_rows(a, b)
        if abs(left.value(measure) - right.value(measure)) > _SMALL
    ]
    return sorted(out, key=lambda move: (-abs(move.after - move.before), move.id))


def changed_parts(before: ExplainReply, after: ExplainReply) -> tuple[str, ...]:
    """The named parts of a chunk's score that differ between two explanations, largest difference first."""
    left = {part.name: part.value for part in before.contributions}
    right = {part.name: part.value for part in after.contributions}
    names = sorted(left.keys() | right.keys(), key=lambda n: (-abs(right.get(n, 0) - left.get(n, 0)), n))
    return tuple(
        f"{name} {left.get(name, 0.0):.3f} -> {right.get(name, 0.0):.3f}"
        for name in names
        if abs(right.get(name, 0.0) - left.get(name, 0.0)) > _SMALL
    )


def explain_moves(
    suite: Suite, a: Overrides, b: Overrides, found: Sequence[Move], answers: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    """Why the answer chunk of each moved question scores otherwise, by question id."""
    out: dict[str, tuple[str, ...]] = {}
    for repo in dict.fromkeys(move.repo for move in found):
        root = suite.tree(repo)
        with (
            Product(root, index_folder(suite.index_root, root, a), a) as left,
            Product(root, index_folder(suite.index_root, root, b), b) as right,
        ):
            for move in found:
                if move.repo == repo and move.id in answers:
                    chunk = answers[move.id]
                    parts = changed_parts(left.explain(move.query, chunk), right.explain(move.query, chunk))
                    out[move.id] = (f"answer {chunk}", *parts)
    return out


def _load(text: str, options: argparse.Namespace, base: Overrides) -> tuple[Result, Overrides | None]:
    file = Path(text)
    if file.suffix == ".json" or file.is_file():
        return read_result(file), None
    name, separator, settings = text.partition(":")
    if not separator:
        raise EvalError(f"{text!r} is neither a result file nor settings; write name:key=value,key=value.")
    overrides = base | parse_overrides(split_list(settings))
    print(f"running {name} ...", file=sys.stderr, flush=True)
    result, _ = run_suite(read_suite(options), overrides, name, quiet=True)
    return result, overrides


def _print_moves(found: Sequence[Move], why: dict[str, tuple[str, ...]], limit: int) -> None:
    for move in found[:limit]:
        print(
            f"  {move.after - move.before:+.3f}  {move.id} [{move.category}] {move.query[:90]}\n"
            f"          first answer at rank {move.rank_before or '-'} -> {move.rank_after or '-'};"
            f" first hit {move.first_before} -> {move.first_after}"
        )
        for line in why.get(move.id, ())[:6]:
            print(f"          {line}")
    if len(found) > limit:
        print(f"  ... and {len(found) - limit} more (--moved N shows more)")


def _summary_lines(results: Sequence[Result]) -> str:
    return table(((result.name, result.summary()["ALL"]) for result in results), "ALL")


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("systems", nargs="+", metavar="A", help="result.json, or name:key=value,...")
    add_suite(parser, optional=True)
    parser.add_argument("--measure", choices=MEASURES, default="ndcg10")
    parser.add_argument("--moved", type=int, default=10, metavar="N", help="questions shown for each comparison")
    parser.add_argument("--json", type=Path, metavar="OUT", help="differences, moved questions and all results")
    options = parser.parse_args(arguments)
    if len(options.systems) < 2:
        raise EvalError("compare needs at least two results or settings.")
    loaded = [_load(text, options, read_overrides(options)) for text in options.systems]
    (baseline, base_overrides), *others = loaded
    print(_summary_lines([result for result, _ in loaded]))
    out: list[dict[str, Any]] = []
    for result, overrides in others:
        change = difference(baseline, result, options.measure)
        found = moves(baseline, result, options.measure)
        why: dict[str, tuple[str, ...]] = {}
        if base_overrides is not None and overrides is not None:
            answers = {row.id: row.answer for r in (baseline, result) for row in r.rows if row.answer}
            why = explain_moves(read_suite(options), base_overrides, overrides, found[: options.moved], answers)
        print(
            f"\n{result.name} - {baseline.name}: {options.measure} {change.mean:+.4f}"
            f" (95 % {change.low:+.4f} .. {change.high:+.4f}, p = {change.p:.4f});"
            f" {change.wins} better, {change.losses} worse, {change.ties} same"
        )
        _print_moves(found, why, options.moved)
        explained = [asdict(move) | {"why": why.get(move.id, ())} for move in found]
        out.append({"a": baseline.name, "b": result.name, "measure": options.measure} | asdict(change))
        out[-1]["moved"] = explained
    if options.json:
        write_json({"comparisons": out, "results": [to_json(result) for result, _ in loaded]}, options.json)
    return 0
