"""Turns git snapshots into pairs of token counts, one file a repository.

    python -m eval.embedder.collect --snapshots DIR --out DIR [--list training.txt] [--style once|as-used]
                                    [--evaluation-trees DIR...]

`DIR/<owner>+<name>/repo` or `DIR/<owner>+<name>` is a git directory (a bare clone). Files that share code with the
evaluation trees are left out.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from eval.embedder.pairs import AS_USED, ONCE, Pair, Style, as_question, commit_pairs, file_pairs, is_learnable, is_test
from eval.embedder.sources import (
    PERMISSIVE,
    Snapshot,
    read_names,
    refuse_evaluation,
    window_hashes,
)
from hybrid_index.embeddings.static import BUNDLED_MODEL
from hybrid_index.embeddings.wordpiece import open_tokenizer

# Pairs of one repository at most, by kind, so that none rules.
CAPS = {"doc": 9_000, "file": 3_000, "commit": 2_500, "section": 1_200, "name": 2_000}
_TEST_SHARE = 0.2
_MAX_FILES = 6_000
_COMMITS = 1_200
_MAX_TOKENS = 400
# Licence heads and project files are shared by unrelated repositories; a copied file shares nearly all its windows.
_MAX_OVERLAP = 0.1
_OVERLAP_STEP = 4


def repository_pairs(snapshot: Snapshot, forbidden: set[int], style: Style = ONCE) -> list[Pair]:
    """All pairs of a snapshot within the caps, in an order that depends on its name only."""
    rng = random.Random(zlib.crc32(snapshot.name.encode()))
    files = [(oid, path) for oid, path, size in snapshot.paths() if is_learnable(path, size)]
    files = [item for item in files if not is_test(item[1]) or rng.random() < _TEST_SHARE]
    files = rng.sample(files, min(len(files), _MAX_FILES))
    found: dict[str, list[Pair]] = {kind: [] for kind in CAPS}
    copied: set[str] = set()
    for blob in snapshot.blobs(files):
        hashes = window_hashes(blob.text, _OVERLAP_STEP) if forbidden else set()
        if hashes and len(hashes & forbidden) > _MAX_OVERLAP * len(hashes):
            copied.add(blob.path)
            continue
        for pair in file_pairs(blob.path, blob.text, rng, style):
            found[pair.kind].append(pair)
    log = snapshot.run(
        "log", "--no-merges", f"-n{_COMMITS}", "-U10", "--format=%x00%s", "-p", "--no-renames", timeout=60
    )
    found["commit"] = [pair for pair in commit_pairs(log, rng, style) if pair.path not in copied]
    chosen = [pair for kind, pairs in found.items() for pair in rng.sample(pairs, min(len(pairs), CAPS[kind]))]
    rng.shuffle(chosen)
    return [
        Pair(p.kind, p.query if p.kind == "name" else as_question(p.query, rng), p.document, p.path) for p in chosen
    ]


def save_pairs(pairs: Iterable[Pair], out: Path) -> int:
    """Store token counts of both sides; pairs without a known token on either side are dropped."""
    tokenizer, _ = open_tokenizer(BUNDLED_MODEL / "tokenizer.json")
    columns: dict[str, list[int]] = {"q": [], "qn": [], "d": [], "dc": [], "dn": [], "kind": []}
    kinds = list(CAPS)
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        if (pair.query, pair.document) in seen:
            continue
        seen.add((pair.query, pair.document))
        query, query_counts = tokenizer.count(pair.query, 64)
        document, counts = tokenizer.count(pair.document, _MAX_TOKENS)
        if not query or len(document) < 5:
            continue
        columns["q"].extend(t for t, n in zip(query, query_counts, strict=True) for _ in range(n))
        columns["qn"].append(sum(query_counts))
        columns["d"].extend(document)
        columns["dc"].extend(counts)
        columns["dn"].append(len(document))
        columns["kind"].append(kinds.index(pair.kind))
    arrays: dict[str, Any] = {key: np.asarray(value, np.int32) for key, value in columns.items()}
    np.savez(out, **arrays)
    return len(columns["qn"])


def evaluation_windows(trees: Iterable[Path]) -> set[int]:
    """Hashes of the evaluation code, to recognise copies of it inside training repositories."""
    found: set[int] = set()
    for tree in trees:
        for path in tree.rglob("*"):
            if path.is_file() and is_learnable(path.name, path.stat().st_size):
                found |= window_hashes(path.read_text(encoding="utf-8", errors="replace"))
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snapshots", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--list", default="training.txt")
    parser.add_argument("--evaluation-trees", type=Path, nargs="*", default=[])
    parser.add_argument("--style", choices=["once", "as-used"], default="once", help="see pairs.Style")
    parser.add_argument("--part", default="0/1", help="which share of the list to do, for several processes")
    options = parser.parse_args()
    names = read_names(options.list)
    refuse_evaluation(names)
    options.out.mkdir(parents=True, exist_ok=True)
    forbidden = evaluation_windows(options.evaluation_trees)
    part, parts = map(int, options.part.split("/"))
    for name in names[part::parts]:
        target = options.out / f"{name.replace('/', '+')}.npz"
        folder = options.snapshots / name.replace("/", "+")
        git_dir = folder / "repo" if (folder / "repo").is_dir() else folder
        if target.exists() or not git_dir.is_dir():
            continue
        snapshot = Snapshot(name, git_dir)
        licence = snapshot.licence()
        if licence not in PERMISSIVE:
            print(f"{name}\t{licence}\tleft out", flush=True)
            continue
        count = save_pairs(
            repository_pairs(snapshot, forbidden, AS_USED if options.style == "as-used" else ONCE), target
        )
        print(f"{name}\t{licence}\t{count}", flush=True)


if __name__ == "__main__":
    main()
