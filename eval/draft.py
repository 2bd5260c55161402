"""`python -m eval init DIR --out FILE`: draft a question file for a workspace of your own.

Draws doc-comment sentences, headings, names and configuration keys from the tree and takes, as each answer, the chunk
of the index that holds the line. A draft is a start: sentences are quoted word for word, which flatters keyword search,
so reword each question as you would ask it, check the span, and delete what nobody would ask.
"""

from __future__ import annotations

import argparse
import glob
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from eval.arguments import read_overrides
from eval.errors import EvalError
from eval.probes import Probe, draw
from eval.product import Product, index_folder
from eval.results import write_json
from hybrid_index.service.requests import SearchRequest

_CATEGORIES = {"symbol": "symbol", "sentence": "behavior", "key": "config", "heading": "docs"}
_NOTE = "Draft: reword the query and check the span."


def span_of(product: Product, probe: Probe) -> tuple[int, int] | None:
    """The lines of the chunk that holds a probe's line, as the index cut it."""
    request = SearchRequest(query=probe.query, paths=[glob.escape(probe.path)], top_n=50)
    for hit in product.index.search(request).hits:
        if hit.path == probe.path and hit.start_line <= probe.line <= hit.end_line:
            return hit.start_line, hit.end_line
    return None


def worded(probe: Probe) -> str:
    """The draft wording of a probe."""
    if probe.kind == "key":
        return f"where is {probe.query} configured?"
    return probe.query


def draft(product: Product, repo: str, probes: Sequence[Probe]) -> list[dict[str, Any]]:
    """Questions in the `dotnet` form for the probes whose chunk the index returns."""
    out: list[dict[str, Any]] = []
    for probe in probes:
        span = span_of(product, probe)
        if span is None:
            continue
        category = _CATEGORIES[probe.kind]
        number = sum(question["category"] == category for question in out) + 1
        out.append(
            {
                "id": f"{repo.lower()}-{category}-{number:02d}",
                "repo": repo,
                "category": category,
                "query": worded(probe),
                "relevant": [{"path": probe.path, "start_line": span[0], "end_line": span[1]}],
                "secondary": [],
                "note": _NOTE,
            }
        )
    return out


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval init", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: <name of DIR>.json in the current folder")
    parser.add_argument("--count", type=int, default=40, help="questions to draft, at most")
    parser.add_argument("--index-root", type=Path, metavar="DIR", help="where indexes are kept between runs")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; repeatable")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    if not root.is_dir():
        raise EvalError(f"{options.root} is not a folder.")
    out = options.out or Path(f"{root.name}.json")
    if out.exists():
        raise EvalError(f"{out} exists already; name another file with --out, or remove it.")
    overrides = read_overrides(options)
    index_root = options.index_root or user_cache_path("hybrid-index") / "eval"
    with Product(root, index_folder(index_root, root, overrides), overrides) as product:
        product.refresh()
        questions = draft(product, root.name, draw(root, options.count, ("symbol", "sentence", "key", "heading")))
    if not questions:
        raise EvalError(f"{root} holds no names, comments, headings or keys to ask for.")
    write_json(questions, out)
    print(f"{len(questions)} draft questions in {out}. Reword them, then:")
    print(f"  python -m eval run {out} --corpora {root.parent}")
    return 0
