"""From questions and answers to the rows of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.evidence import BUDGETS, evidence_recall
from eval.hits import Answer
from eval.judging import CUTOFF, first_relevant, judge
from eval.questions import Format, Question
from eval.results import Row


def score(questions: Sequence[Question], answers: Mapping[str, Answer], form: Format) -> list[Row]:
    """One row for each question, in order."""
    ranked = {identifier: answer.hits for identifier, answer in answers.items()}
    judged = judge(questions, ranked, form)
    rows = []
    for question in questions:
        answer = answers.get(question.id, Answer((), 0.0))
        rank = first_relevant(question, answer.hits, form)
        evidence = {f"ev{tokens}": evidence_recall(question, answer.hits, tokens, form) for tokens in BUDGETS}
        rows.append(
            Row(
                id=question.id,
                repo=question.repo,
                category=question.category,
                query=question.query,
                language=question.language,
                ndcg10=judged[question.id].ndcg10,
                hit1=judged[question.id].hit1,
                hit10=judged[question.id].hit10,
                first_rank=rank,
                answer=answer.hits[rank - 1].chunk_id if rank else None,
                top=tuple(hit.chunk_id for hit in answer.hits[:CUTOFF]),
                latency_ms=round(answer.latency_ms, 3),
                **evidence,
            )
        )
    return rows
