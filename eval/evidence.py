"""Evidence recall: whether the answer is in the text that a caller receives for a given number of tokens.

The returned text is the whole span of each hit, read from the live file, in rank order and as deep as the ranking
goes, cut at the budget (4 characters a token). A relevant target is found when its first ten lines are all there
(fewer where the target is shorter); a target without lines is found when any line of its file is.
"""

from __future__ import annotations

from collections.abc import Sequence

from eval.hits import RankedHit
from eval.judging import same_file
from eval.questions import Format, Question, Target

BUDGETS = (2_000, 4_000, 8_000)
CHARACTERS_PER_TOKEN = 4
EVIDENCE_LINES = 10


def lines_within(hits: Sequence[RankedHit], tokens: int) -> list[tuple[str, range]]:
    """The whole lines of each hit that fit the budget, in rank order."""
    left = tokens * CHARACTERS_PER_TOKEN
    out: list[tuple[str, range]] = []
    for hit in hits:
        kept = 0
        for line in hit.text.split("\n"):
            if len(line) > left:
                left = -1
                break
            left -= len(line) + 1
            kept += 1
        if kept:
            out.append((hit.path, range(hit.start_line, hit.start_line + kept)))
        if left < 0:
            break
    return out


def _found(target: Target, shown: Sequence[tuple[str, range]], form: Format) -> bool:
    spans = [lines for path, lines in shown if same_file(path, target.path, form)]
    if target.start_line is None or target.end_line is None:
        return bool(spans)
    wanted = range(target.start_line, min(target.end_line, target.start_line + EVIDENCE_LINES - 1) + 1)
    return all(any(line in lines for lines in spans) for line in wanted)


def evidence_recall(question: Question, hits: Sequence[RankedHit], tokens: int, form: Format) -> float:
    """Share of the relevant targets (of all targets where none is relevant) found within a budget."""
    shown = lines_within(hits, tokens)
    targets = question.relevant or question.secondary
    return sum(_found(target, shown, form) for target in targets) / len(targets)
