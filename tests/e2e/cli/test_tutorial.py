"""The tutorial's commands run as they stand there, in a workspace like the one it shows."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorial" / "first-answer.md"
Run = Callable[..., Any]


def commands() -> list[list[str]]:
    blocks = re.findall(r"```console\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [words[1:] for words in lines if words[:1] == ["hybrid-index"]]


def hits(text: str) -> list[str]:
    """The lines of the hits, without their scores: those move with every improvement of the ranking."""
    lines = re.sub(r" \d\.\d\d([],])", r"\1", text).splitlines()[1:]
    return [line for line in lines if not line.startswith("More: ")]


def test_every_command_of_the_tutorial_answers(in_shop: Run) -> None:
    ran = commands()
    assert {words[0] for words in ran} >= {"search", "text", "find", "config", "show", "explain", "status"}
    for words in ran:
        outcome = in_shop(*words)
        assert outcome.code == 0, (words, outcome)


def test_what_the_tutorial_shows_is_what_the_program_prints(in_shop: Run) -> None:
    shown = re.findall(r"```text\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), flags=re.DOTALL)[0]
    answer = in_shop(*commands()[1]).out
    assert hits(shown) == hits(answer)
