"""Judges a model as it is used, on repositories held out from training: a comment's sentence must find its file.

    python -m eval.embedder.held_out --snapshots DIR [--header N] [--repeats N] FOLDER...

Each question is a comment's first sentence. That comment is cut out of its file, the rest is cut into windows and
embedded with the path's line; NDCG@10 counts the first window of the right file. Choices between runs and between
settings of the path's line are made here, never on the question sets.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.embedder.pairs import clean_doc, comment_blocks, is_learnable, is_test, kind_of
from eval.embedder.score import windows
from eval.embedder.sources import Snapshot, read_names
from hybrid_index.embeddings import Embedder, EmbeddingOptions, load_embedder, scan

_MAX_FILES = 700
_MAX_QUESTIONS = 150
_FIRST_COMMENT_SHARE = 0.6  # questions from a file's first comment, which tends to say what the file is for
_MIN_LINES = 25
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One repository: its chunks as (path, text), its questions as (sentence, path)."""

    name: str
    chunks: list[tuple[str, str]]
    questions: list[tuple[str, str]]


def read_held_out(snapshot: Snapshot) -> HeldOut:
    """Chunks and questions of a snapshot; the same ones at every call."""
    rng = random.Random(1)
    files = [
        (oid, path)
        for oid, path, size in snapshot.paths()
        if is_learnable(path, size) and kind_of(path) != "md" and not is_test(path)
    ]
    chunks: list[tuple[str, str]] = []
    questions: list[tuple[str, str]] = []
    for blob in snapshot.blobs(rng.sample(files, min(len(files), _MAX_FILES))):
        lines = blob.text.split("\n")
        comments = [
            (start, end, sentence)
            for start, end, raw in comment_blocks(lines, kind_of(blob.path))
            if (sentence := clean_doc(raw))
        ]
        if comments and len(lines) > _MIN_LINES:
            first = rng.random() < _FIRST_COMMENT_SHARE
            start, end, sentence = comments[0] if first else rng.choice(comments)
            lines = lines[:start] + lines[end:]
            questions.append((sentence, blob.path))
        chunks.extend((blob.path, "\n".join(lines[a - 1 : b])) for a, b in windows("\n".join(lines)))
    rng.shuffle(questions)
    return HeldOut(snapshot.name, chunks, questions[:_MAX_QUESTIONS])


def held_out_score(repository: HeldOut, embedder: Embedder) -> float:
    """Mean NDCG@10 over the questions, one right file each."""
    matrix = embedder.embed_documents([embedder.document_text(path, "", text) for path, text in repository.chunks])
    gains = []
    for sentence, path in repository.questions:
        rows, _ = scan(matrix, embedder.embed_query(sentence), _DEPTH)
        ranks = [rank for rank, row in enumerate(rows, 1) if repository.chunks[row][0] == path]
        gains.append(1.0 / math.log2(ranks[0] + 1) if ranks else 0.0)
    return float(np.mean(gains))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snapshots", type=Path, required=True)
    parser.add_argument("--header", type=int, default=EmbeddingOptions().header_components)
    parser.add_argument("--repeats", type=int, default=EmbeddingOptions().header_repeats)
    parser.add_argument("folders", nargs="*", default=[""], help="model folders; the bundled one where absent")
    options = parser.parse_args()
    repositories = []
    for name in read_names("validation.txt"):
        folder = options.snapshots / name.replace("/", "+")
        git_dir = folder / "repo" if (folder / "repo").is_dir() else folder
        if git_dir.is_dir():
            repositories.append(read_held_out(Snapshot(name, git_dir)))
    for folder in options.folders:
        embedder = load_embedder(
            EmbeddingOptions(model=folder, header_components=options.header, header_repeats=options.repeats)
        )
        scores = {repository.name: held_out_score(repository, embedder) for repository in repositories}
        counts = [len(repository.questions) for repository in repositories]
        pooled = float(np.average(list(scores.values()), weights=counts))
        mean = float(np.mean(list(scores.values())))
        print(f"{embedder.model_id}  over questions {pooled:.4f}  over repositories {mean:.4f}", flush=True)
        print("  " + "  ".join(f"{name} {score:.3f}" for name, score in scores.items()), flush=True)


if __name__ == "__main__":
    main()
