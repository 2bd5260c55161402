"""Exact text over the live files: literal strings and bounded regular expressions."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hybrid_index.errors import QueryError
from hybrid_index.service.replies import TextMatch
from hybrid_index.service.requests import TextRequest
from hybrid_index.store import FileSummary

MAX_PATTERN_CHARS = 1_000
MAX_LINE_CHARS = 2_000  # of one line that a regular expression sees: bounds what backtracking can cost
MAX_SHOWN_CHARS = 300

# Two unbounded repeats inside one another are what makes a pattern take exponential time.
_NESTED_REPEAT = re.compile(r"\([^()]*[+*][^()]*\)\s*(?:[+*]|\{\d+,)")


@dataclass(frozen=True, slots=True)
class LiteralResult:
    """Matches of one page, and how many there are in all."""

    matches: list[TextMatch]
    total: int
    files: int
    searched: int
    out_of_time: bool


def compile_pattern(request: TextRequest) -> re.Pattern[str]:
    """Compile what to look for.

    Raises:
        QueryError: the pattern is empty, too long, not a regular expression, or could take exponential time.
    """
    if not request.pattern:
        raise QueryError("The pattern is empty. Give the text to look for.")
    if len(request.pattern) > MAX_PATTERN_CHARS:
        raise QueryError(
            f"The pattern has {len(request.pattern):,} characters; at most {MAX_PATTERN_CHARS:,} are taken."
        )
    text = request.pattern if request.regex else re.escape(request.pattern)
    if request.regex and _NESTED_REPEAT.search(text):
        raise QueryError("The pattern repeats a group that repeats inside; write it without the nested + or *.")
    if request.whole_word:
        text = rf"(?<!\w)(?:{text})(?!\w)"
    try:
        return re.compile(text, re.IGNORECASE if request.ignore_case else 0)
    except re.error as error:
        raise QueryError(f"{request.pattern!r} is not a regular expression: {error}.") from error


def find_text(
    pattern: re.Pattern[str],
    files: Sequence[FileSummary],
    read: Callable[[str], str | None],
    request: TextRequest,
    offset: int,
    deadline: float,
) -> LiteralResult:
    """Search files in path order; stops at `deadline` (`time.monotonic()` seconds) with what it has."""
    matches: list[TextMatch] = []
    total = hit_files = searched = 0
    for file in files:
        if time.monotonic() > deadline:
            return LiteralResult(matches, total, hit_files, searched, True)
        text = read(file.path)
        searched += 1
        if text is None:
            continue
        before_file = total
        if not request.regex and pattern.search(text) is None:
            continue  # right for literal text only: an anchor of an expression means a line, not the file
        lines = text.split("\n")
        for number, column in _lines_with(pattern, lines):
            if offset <= total < offset + request.top_n:
                matches.append(_match(file, lines, number, column, request.context_lines))
            total += 1
        hit_files += total > before_file
    return LiteralResult(matches, total, hit_files, searched, False)


def _lines_with(pattern: re.Pattern[str], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    for number, line in enumerate(lines, 1):
        found = pattern.search(line[:MAX_LINE_CHARS])
        if found is not None:
            yield number, found.start() + 1


def _match(file: FileSummary, lines: Sequence[str], number: int, column: int, context: int) -> TextMatch:
    return TextMatch(
        path=file.path,
        line=number,
        column=column,
        text=lines[number - 1][:MAX_SHOWN_CHARS],
        before=[line[:MAX_SHOWN_CHARS] for line in lines[max(0, number - 1 - context) : number - 1]],
        after=[line[:MAX_SHOWN_CHARS] for line in lines[number : number + context]],
        language=file.language,
    )
