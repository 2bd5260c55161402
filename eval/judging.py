"""From ranked hits to measures.

Hits are turned into a run over target ids first (each hit stands for at most one target, each target is found once),
because the IR measures of `ir_measures` know documents, not spans. The two question forms have two rules:

- `dotnet`: exact paths; a hit takes the best target not yet taken among those it overlaps; relevant targets have gain
  2, secondary ones 1; hit@k asks for a relevant target.
- `semble`: one path may be the tail of the other; a target belongs to the first hit that covers it, and a hit that is
  the first for several targets pays once; every target has gain 1; hit@k asks for any target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ir_measures
from ir_measures import Measure, Success, nDCG

from eval.hits import RankedHit
from eval.questions import Format, Question, Target

CUTOFF = 10
RELEVANT_GAIN, SECONDARY_GAIN = 2, 1


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the first ten hits of a question are worth."""

    ndcg10: float
    hit1: float
    hit10: float


def same_file(hit: str, target: str, form: Format) -> bool:
    """Whether a hit's path names a target's file under a form's rule."""
    if form == "dotnet":
        return hit == target
    return hit == target or hit.endswith("/" + target) or target.endswith("/" + hit)


def covers(hit: RankedHit, target: Target, form: Format) -> bool:
    """Whether a hit shares at least one line with a target."""
    return same_file(hit.path, target.path, form) and target.overlap(hit.start_line, hit.end_line) > 0


def assign_targets(question: Question, hits: Sequence[RankedHit], form: Format) -> list[int | None]:
    """For each hit the index in `question.targets` of the target it is credited with, or None."""
    targets = question.targets
    out: list[int | None] = [None] * len(hits)
    if form == "semble":
        for index, target in enumerate(targets):
            rank = next((r for r, hit in enumerate(hits) if covers(hit, target, form)), None)
            if rank is not None and out[rank] is None:
                out[rank] = index
        return out
    free = set(range(len(targets)))
    for rank, hit in enumerate(hits):
        met = [index for index in sorted(free) if covers(hit, targets[index], form)]
        if met:
            best = max(met, key=lambda i: (_gain(question, i, form), targets[i].overlap(hit.start_line, hit.end_line)))
            out[rank] = best
            free.remove(best)
    return out


def _gain(question: Question, index: int, form: Format) -> int:
    if form == "semble":
        return 1
    return RELEVANT_GAIN if index < len(question.relevant) else SECONDARY_GAIN


def judge(
    questions: Sequence[Question], ranked: Mapping[str, Sequence[RankedHit]], form: Format
) -> dict[str, Judgement]:
    """Score every question by id; one without hits scores zero."""
    qrels: list[ir_measures.Qrel] = []
    run: list[ir_measures.ScoredDoc] = []
    for question in questions:
        hits = ranked.get(question.id, ())[:CUTOFF]
        qrels += [
            ir_measures.Qrel(question.id, f"target-{index}", _gain(question, index, form))
            for index in range(len(question.targets))
        ]
        run += [
            # Scores fall by whole steps, so that no tie is broken by name.
            ir_measures.ScoredDoc(question.id, f"miss-{rank}" if index is None else f"target-{index}", float(-rank))
            for rank, index in enumerate(assign_targets(question, hits, form))
        ]
    answers = RELEVANT_GAIN if form == "dotnet" else 1
    measures: dict[Measure, str] = {
        nDCG @ CUTOFF: "ndcg10",
        Success(rel=answers) @ 1: "hit1",
        Success(rel=answers) @ CUTOFF: "hit10",
    }
    values = {question.id: {"ndcg10": 0.0, "hit1": 0.0, "hit10": 0.0} for question in questions}
    if run:
        for metric in ir_measures.iter_calc(list(measures), qrels, run):
            values[metric.query_id][measures[metric.measure]] = float(metric.value)
    return {identifier: Judgement(**value) for identifier, value in values.items()}


def first_relevant(question: Question, hits: Sequence[RankedHit], form: Format) -> int | None:
    """1-based rank of the first hit that covers a relevant target, at any depth."""
    for rank, hit in enumerate(hits, 1):
        if any(covers(hit, target, form) for target in question.relevant):
            return rank
    return None
