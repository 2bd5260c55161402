"""`python -m eval run`: index each repository, ask every question with the product's defaults, score.

    python -m eval run QUESTIONS... --corpora DIR [--format dotnet|semble] [--set key=value]...
                       [--json OUT] [--hits OUT] [--csv OUT]

Indexes are kept under --index-root and refreshed, so that a second run only asks. NDCG@10 and hit@1/10 judge the ten
hits that the product returns with its defaults; evidence recall and --hits read on to 40 by the product's own paging.
The text of a hit is the whole span of its chunk, read from the live file (not the shortened snippet).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from eval.arguments import Suite, add_suite, read_overrides, read_suite
from eval.hits import Answer, RankedHit
from eval.overrides import Overrides, describe
from eval.product import Product, index_folder
from eval.questions import Question
from eval.results import Result, table, to_json, write_csv, write_json
from eval.scoring import score


class Asker(Protocol):
    """Whatever answers a question with ranked hits."""

    def ask(self, query: str) -> Answer:
        """Rank hits for a question."""
        ...


def ask_all(asker: Asker, questions: Sequence[Question]) -> dict[str, Answer]:
    """Ask every question, by id."""
    return {question.id: asker.ask(question.query) for question in questions}


def run_suite(
    suite: Suite, overrides: Overrides, name: str = "run", *, quiet: bool = False
) -> tuple[Result, dict[str, Answer]]:
    """Index and ask every repository of a suite with one set of settings."""
    answers: dict[str, Answer] = {}
    indexing: dict[str, float] = {}
    for repo in suite.repos:
        root = suite.tree(repo)
        asked = [question for question in suite.questions if question.repo == repo]
        with Product(root, index_folder(suite.index_root, root, overrides), overrides) as product:
            started = time.perf_counter()
            product.refresh()
            product.follow()
            indexing[repo] = round(time.perf_counter() - started, 3)
            answers |= ask_all(product, asked)
        if not quiet:
            print(f"{repo}: indexed in {indexing[repo]:.1f} s, {len(asked)} questions", file=sys.stderr, flush=True)
    rows = tuple(score(suite.questions, answers, suite.form))
    latencies = [row.latency_ms for row in rows]
    meta: dict[str, Any] = {
        "version": version("hybrid-index"),
        "index_seconds": indexing,
        "query_p50_ms": round(float(np.percentile(latencies, 50)), 3),
        "query_p95_ms": round(float(np.percentile(latencies, 95)), 3),
        "first_page_hits": round(float(np.mean([answer.first_page for answer in answers.values()])), 3),
    }
    return Result(name, suite.form, rows, dict(overrides), meta), answers


def hits_json(suite: Suite, answers: Mapping[str, Answer]) -> dict[str, Any]:
    """The ranked hits: by question id (`dotnet`), or by repository and query (`semble`)."""
    out: dict[str, Any] = {}
    for question in suite.questions:
        hits = [_hit_json(hit) for hit in answers[question.id].hits]
        if suite.form == "semble":
            out.setdefault(question.repo, {})[question.query] = hits
        else:
            out[question.id] = hits
    return out


def _hit_json(hit: RankedHit) -> dict[str, Any]:
    return {"path": hit.path, "start_line": hit.start_line, "end_line": hit.end_line, "text": hit.text}


def print_result(result: Result) -> None:
    """Print the summary tables of a run."""
    print(
        f"\n{result.name}: {describe(result.settings)}  (query p50 {result.meta['query_p50_ms']:.1f} ms;"
        f" {result.meta['first_page_hits']:.1f} hits on the first page)"
    )
    print(table(result.summary().items(), "mean over " + ("questions" if result.form == "dotnet" else "repositories")))
    if languages := result.languages():
        print("\n" + table(languages.items(), "language"))


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_suite(parser)
    parser.add_argument("--name", default="run", help="name of the result in tables and plots")
    parser.add_argument("--json", type=Path, metavar="OUT", help="summary and rows")
    parser.add_argument("--hits", type=Path, metavar="OUT", help="ranked hits with their text, 40 deep")
    parser.add_argument("--csv", type=Path, metavar="OUT", help="one line a question, without its text")
    options = parser.parse_args(arguments)
    suite = read_suite(options)
    result, answers = run_suite(suite, read_overrides(options), options.name)
    print_result(result)
    if options.json:
        write_json(to_json(result), options.json)
    if options.hits:
        write_json(hits_json(suite, answers), options.hits)
    if options.csv:
        write_csv(result, options.csv)
    return 0
