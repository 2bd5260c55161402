"""Scores an embedding model alone on the question sets: vector order only, no keywords, no ranking rules.

    python -m eval.embedder.score --corpora DIR QUESTIONS... [--format semble|dotnet] [--model FOLDER] [--json OUT]
                                  [--header N] [--repeats N] [--per-file N]

`QUESTIONS` are the question files (`<repo>.json`), `DIR/<repo>` each repository's tree. With `--format semble` the
`repos.json` beside the question files' folder names each benchmark's root; hits and targets are scored as that
benchmark scores chunk tools.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hybrid_index.embeddings import Embedder, EmbeddingOptions, load_embedder, scan

WINDOW_LINES, OVERLAP_LINES = 50, 10
_MAX_BYTES = 1_000_000
_DEPTH = 10
# The semble benchmark indexes code only; the .NET questions are about every text file.
_CODE = frozenset(
    ".bash .bats .c .cc .cpp .cs .erl .ex .exs .go .h .hpp .hs .java .js .jsx .kt .kts .lua .mjs .php .py .rb .rs"
    " .scala .sh .sql .swift .ts .tsx .zig".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file; a target without lines is the whole file."""

    path: str
    start: int | None
    end: int | None

    def meets(self, other: Place) -> bool:
        """Whether both name one file (one path may be the tail of the other) and share a line."""
        a, b = self.path, other.path
        if a != b and not a.endswith("/" + b) and not b.endswith("/" + a):
            return False
        if self.start is None or self.end is None or other.start is None or other.end is None:
            return True
        return self.start <= other.end and other.start <= self.end


def windows(text: str) -> Iterator[tuple[int, int]]:
    """First and last line of each window."""
    count = len(text.splitlines())
    for start in range(0, count, WINDOW_LINES - OVERLAP_LINES):
        yield start + 1, min(start + WINDOW_LINES, count)
        if start + WINDOW_LINES >= count:
            break


def read_corpus(tree: Path, root: Path, kinds: frozenset[str] | None, embedder: Embedder) -> Any:
    """(places, unit rows) of every chunk of the text files under `root`, paths relative to `tree`."""
    places: list[Place] = []
    texts: list[str] = []
    for file in sorted(root.rglob("*")):
        if file.is_symlink() or not file.is_file() or ".git" in file.parts or file.stat().st_size > _MAX_BYTES:
            continue
        if kinds is not None and file.suffix.lower() not in kinds:
            continue
        raw = file.read_bytes()
        if b"\0" in raw[:4_000]:
            continue
        text = raw.decode("utf-8", "replace").lstrip("\ufeff")
        path = file.relative_to(tree).as_posix()
        lines = text.splitlines()
        for start, end in windows(text):
            body = "\n".join(lines[start - 1 : end])
            if body.strip():
                places.append(Place(path, start, end))
                texts.append(embedder.document_text(path, "", body))
    return places, embedder.embed_documents(texts)


def gain(hits: Sequence[Place], targets: Sequence[tuple[Place, int]], one_each: bool) -> float:
    """NDCG@10. With `one_each` (dotnet) a hit uses up its best open target only; without (semble) all that it meets."""
    ideal = sorted((weight for _, weight in targets), reverse=True)[:_DEPTH]
    best = sum(weight / math.log2(i + 2) for i, weight in enumerate(ideal))
    open_targets = list(targets)
    total = 0.0
    for i, hit in enumerate(hits[:_DEPTH]):
        met = [target for target in open_targets if hit.meets(target[0])]
        if not met:
            continue
        paid = max(met, key=lambda target: target[1])
        total += paid[1] / math.log2(i + 2)
        open_targets = (
            [t for t in open_targets if t is not paid] if one_each else [t for t in open_targets if t not in met]
        )
    return total / best if best else 0.0


def _targets(question: dict[str, Any], secondary_weight: int, primary_weight: int) -> list[tuple[Place, int]]:
    out = []
    for key, weight in (("relevant", primary_weight), ("secondary", secondary_weight)):
        for item in question.get(key, []):
            item = {"path": item} if isinstance(item, str) else item
            out.append((Place(item["path"], item.get("start_line"), item.get("end_line")), weight))
    return out


def _hits(places: Sequence[Place], order: Sequence[int], per_file: int) -> list[Place]:
    """The best places, at most `per_file` of a file (0: no limit)."""
    seen: dict[str, int] = {}
    out: list[Place] = []
    for row in order:
        place = places[row]
        seen[place.path] = seen.get(place.path, 0) + 1
        if not per_file or seen[place.path] <= per_file:
            out.append(place)
    return out


def score_set(files: Sequence[Path], corpora: Path, options: argparse.Namespace, embedder: Embedder) -> dict[str, Any]:
    """Mean NDCG@10: over repositories for semble, over questions for dotnet, and by category."""
    dotnet = options.format == "dotnet"
    roots: dict[str, str] = {}
    if not dotnet:
        specs = json.loads((files[0].parent.parent / "repos.json").read_text(encoding="utf-8"))
        roots = {spec["name"]: spec.get("benchmark_root") or "" for spec in specs}
    rows: list[dict[str, Any]] = []
    for file in files:
        name = file.stem
        tree = corpora / name
        places, matrix = read_corpus(tree, tree / roots.get(name, ""), None if dotnet else _CODE, embedder)
        for question in json.loads(file.read_text(encoding="utf-8")):
            order, _ = scan(matrix, embedder.embed_query(question["query"]), 200)
            hits = _hits(places, [int(row) for row in order], options.per_file)
            value = gain(hits, _targets(question, 1, 2 if dotnet else 1), dotnet)
            rows.append({"repo": name, "category": question["category"], "query": question["query"], "ndcg10": value})
    means = {key: _mean_by(rows, key) for key in ("repo", "category")}
    overall = np.mean([row["ndcg10"] for row in rows]) if dotnet else np.mean(list(means["repo"].values()))
    return {"model": embedder.model_id, "ndcg10": float(overall), "by": means, "rows": rows}


def _mean_by(rows: Sequence[dict[str, Any]], key: str) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row["ndcg10"])
    return {name: float(np.mean(values)) for name, values in sorted(groups.items())}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--format", choices=["semble", "dotnet"], default="semble")
    parser.add_argument("--model", default="", help="a model folder; the bundled one where absent")
    parser.add_argument("--header", type=int, default=EmbeddingOptions().header_components)
    parser.add_argument("--repeats", type=int, default=EmbeddingOptions().header_repeats)
    parser.add_argument("--per-file", type=int, default=0, help="hits of one file at most; 0 for no limit")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    embedder = load_embedder(
        EmbeddingOptions(model=options.model, header_components=options.header, header_repeats=options.repeats)
    )
    result = score_set(options.questions, options.corpora, options, embedder)
    print(f"{result['model']}  NDCG@10 {result['ndcg10']:.4f}  over {len(result['rows'])} questions")
    for group in ("category", "repo"):
        print("  " + "  ".join(f"{name} {value:.3f}" for name, value in result["by"][group].items()))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
