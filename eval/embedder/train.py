"""Trains the token table on pairs by contrast.

    python -m eval.embedder.train --pairs DIR --out FOLDER [--start FOLDER] [--validation DIR]

Each step takes a few blocks of pairs, each of one repository. Every document of the step is a negative for every
query and the reverse; those of the same repository are the hard ones. Needs torch; one CPU core is enough.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval.embedder.dataset import Repository, blocks, load
from eval.embedder.model_folder import Floats, read_table, write_model
from eval.embedder.sources import refuse_evaluation
from eval.embedder.validate import validate
from hybrid_index.embeddings.static import BUNDLED_MODEL


@dataclass(frozen=True, slots=True)
class Recipe:
    """What decides a run. The defaults are those of the bundled model."""

    steps: int = 1_200
    block: int = 256
    blocks: int = 4
    rate: float = 4e-3
    temperature: float = 0.07
    dropout: float = 0.2  # of tokens, on both sides
    anchor: float = 0.01  # pull towards the start, on the rows that a step touches
    power: float = 0.75  # of a repository's size in its probability: larger ones say more, but not in proportion
    seed: int = 0


def train(repositories: list[Repository], start: Floats, recipe: Recipe, validation: list[Repository]) -> Floats:
    """Run the recipe; the table is scaled so that its rows are about one long when training begins."""
    import torch

    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    scaled = start / np.mean(np.linalg.norm(start, axis=1))
    table = torch.nn.Parameter(torch.from_numpy(scaled.copy()))
    origin = torch.from_numpy(scaled.copy())
    optimiser = torch.optim.Adam([table], lr=recipe.rate)
    source = blocks(repositories, recipe.block, recipe.seed, recipe.power)
    began, total = time.monotonic(), 0.0
    for step in range(recipe.steps):
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * _rate_share(step, recipe.steps)
        drawn = [next(source) for _ in range(recipe.blocks)]
        queries = _embed(table, [(r.queries, rows) for r, rows in drawn], recipe.dropout, rng)
        documents = _embed(table, [(r.documents, rows) for r, rows in drawn], recipe.dropout, rng)
        scores = queries @ documents.T / recipe.temperature
        scores = scores.masked_fill(_same_query(drawn), float("-inf"))
        labels = torch.arange(len(scores))
        cross = torch.nn.functional.cross_entropy
        loss = (cross(scores, labels) + cross(scores.T, labels)) / 2
        optimiser.zero_grad()
        loss.backward()
        assert table.grad is not None
        touched = table.grad.abs().sum(1) > 0
        table.grad[touched] += recipe.anchor * (table.detach()[touched] - origin[touched]) / len(scores)
        optimiser.step()
        total += float(loss.detach())
        if (step + 1) % 100 == 0:
            report = f"step {step + 1} loss {total / 100:.4f} {time.monotonic() - began:.0f}s"
            if validation and (step + 1) % 300 == 0:
                report += f" validation {validate(table.detach().numpy(), validation)}"
            print(report, flush=True)
            total = 0.0
    return np.array(table.detach().numpy(), np.float32)


def _rate_share(step: int, steps: int) -> float:
    """Warm-up over 5 % of the steps, then a straight line down to a twentieth."""
    return min(1.0, (step + 1) / (0.05 * steps)) * max(0.05, 1.0 - step / steps)


def _embed(table: Any, parts: list[Any], dropout: float, rng: np.random.Generator) -> Any:
    """Unit vectors of texts, a share of their tokens left out."""
    import torch

    ids, weights, offsets, base = [], [], [], 0
    for side, rows in parts:
        part_ids, part_counts, part_offsets = side.take(rows)
        ids.append(part_ids)
        weights.append(part_counts * (rng.random(len(part_ids)) >= dropout))
        offsets.append(part_offsets + base)
        base += len(part_ids)
    sums = torch.nn.functional.embedding_bag(
        torch.from_numpy(np.concatenate(ids).astype(np.int64)),
        table,
        torch.from_numpy(np.concatenate(offsets)),
        mode="sum",
        per_sample_weights=torch.from_numpy(np.concatenate(weights).astype(np.float32)),
    )
    return torch.nn.functional.normalize(sums, dim=1, eps=1e-6)


def _same_query(drawn: list[Any]) -> Any:
    """Pairs of the batch, other than a pair with itself, that ask the very same thing: no negatives of one another."""
    import torch

    numbers: dict[bytes, int] = {}
    keys: list[int] = []
    for repository, rows in drawn:
        side = repository.queries
        for r in rows:
            query = side.ids[side.starts[r] : side.starts[r + 1]].tobytes()
            keys.append(numbers.setdefault(query, len(numbers)))
    codes = np.asarray(keys)
    same = torch.from_numpy(codes[:, None] == codes[None, :])
    return same & ~torch.eye(len(keys), dtype=torch.bool)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, default=BUNDLED_MODEL)
    parser.add_argument("--validation", type=Path)
    parser.add_argument("--seeds", type=int, default=1, help="runs to average")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    for name in ("steps", "block", "blocks"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Recipe(), name))
    for name in ("rate", "temperature", "dropout", "anchor", "power"):
        parser.add_argument(f"--{name}", type=float, default=getattr(Recipe(), name))
    options = parser.parse_args()

    import torch

    torch.set_num_threads(options.threads)
    repositories = load(options.pairs)
    refuse_evaluation(r.name for r in repositories)
    print(f"{len(repositories)} repositories, {sum(map(len, repositories))} pairs", flush=True)
    validation = load(options.validation) if options.validation else []
    start = read_table(options.start)
    tables = []
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        recipe = Recipe(
            options.steps, options.block, options.blocks, options.rate, options.temperature, options.dropout,
            options.anchor, options.power, seed,
        )  # fmt: skip
        tables.append(train(repositories, start, recipe, validation))
    write_model(np.mean(tables, axis=0), BUNDLED_MODEL, options.out)


if __name__ == "__main__":
    main()
