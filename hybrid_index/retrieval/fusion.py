"""Making one score of two channels: `S = alpha * S_fts + beta * S_vec`; a channel without the chunk adds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Ranked = Sequence[tuple[int, float]]
"""(chunk id, raw score) best first."""


@dataclass(frozen=True, slots=True)
class Fused:
    """One candidate with what each channel said."""

    chunk_id: int
    score: float
    fts_rank: int | None
    fts_raw: float | None
    fts_score: float | None
    vec_rank: int | None
    vec_raw: float | None
    vec_score: float | None


def normalise(ranked: Ranked, method: str, rrf_k: int = 10) -> dict[int, float]:
    """Bring a channel's scores to 0..1, keeping their order.

    `minmax`: (s - min) / (max - min), with the last candidate kept above zero; `rank`: 1 - (r - 1) / n; `rrf`:
    (k + 1) / (k + r), reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) scaled so that rank 1 is 1.
    """
    if not ranked:
        return {}
    n = len(ranked)
    if method == "rrf":
        return {chunk_id: (rrf_k + 1) / (rrf_k + r) for r, (chunk_id, _) in enumerate(ranked, 1)}
    if method == "rank":
        return {chunk_id: 1 - (r - 1) / n for r, (chunk_id, _) in enumerate(ranked, 1)}
    best, worst = ranked[0][1], ranked[-1][1]
    spread = best - worst
    if spread <= 0:
        return {chunk_id: 1.0 for chunk_id, _ in ranked}
    # Being found at all is worth a little: the last candidate is not the same as no candidate.
    floor = 1 / (n + 1)
    return {chunk_id: floor + (1 - floor) * (score - worst) / spread for chunk_id, score in ranked}


def fuse(fts: Ranked, vec: Ranked, alpha: float, beta: float, method: str, rrf_k: int) -> list[Fused]:
    """Fuse two ranked lists, best first; ties keep the keyword order, then the vector order."""
    fts_norm, vec_norm = normalise(fts, method, rrf_k), normalise(vec, method, rrf_k)
    fts_rank = {chunk_id: rank for rank, (chunk_id, _) in enumerate(fts, 1)}
    vec_rank = {chunk_id: rank for rank, (chunk_id, _) in enumerate(vec, 1)}
    fts_raw, vec_raw = dict(fts), dict(vec)
    found = [
        Fused(
            chunk_id,
            alpha * fts_norm.get(chunk_id, 0.0) + beta * vec_norm.get(chunk_id, 0.0),
            fts_rank.get(chunk_id),
            fts_raw.get(chunk_id),
            fts_norm.get(chunk_id),
            vec_rank.get(chunk_id),
            vec_raw.get(chunk_id),
            vec_norm.get(chunk_id),
        )
        for chunk_id in dict.fromkeys([*fts_rank, *vec_rank])
        if (alpha > 0 and chunk_id in fts_rank) or (beta > 0 and chunk_id in vec_rank)
    ]
    last = len(found) + 1
    found.sort(key=lambda f: (-f.score, f.fts_rank or last, f.vec_rank or last, f.chunk_id))
    return found
