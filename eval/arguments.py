"""Options that several commands share."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from platformdirs import user_cache_path

from eval.errors import EvalError
from eval.overrides import Overrides, parse_overrides
from eval.questions import FORMATS, Format, Question, read_questions


@dataclass(frozen=True, slots=True)
class Suite:
    """Questions with the trees they are asked of."""

    questions: tuple[Question, ...]
    form: Format
    corpora: Path
    index_root: Path

    @property
    def repos(self) -> list[str]:
        """Repositories in the order of their first question."""
        return list(dict.fromkeys(question.repo for question in self.questions))

    def tree(self, repo: str) -> Path:
        """The folder of a repository's tree. Raises EvalError where it is missing."""
        folder = self.corpora / repo
        if not folder.is_dir():
            raise EvalError(f"{folder} is not a folder; --corpora DIR must hold the tree of each repository by name.")
        return folder


def add_suite(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the questions, --corpora, --format, --repos, --only, --index-root and --set."""
    if optional:
        parser.add_argument("--questions", type=Path, nargs="+", metavar="FILE", help="question files")
    else:
        parser.add_argument("questions", type=Path, nargs="+", metavar="QUESTIONS", help="question files")
    parser.add_argument("--corpora", type=Path, required=not optional, metavar="DIR", help="DIR/<repo> holds each tree")
    parser.add_argument("--format", choices=FORMATS, default="dotnet", help="form of the question files")
    parser.add_argument(
        "--repos", type=Path, metavar="FILE", help="list of {name, language}; default: beside the files"
    )
    parser.add_argument("--only", default="", metavar="A,B", help="only these repositories")
    parser.add_argument("--index-root", type=Path, metavar="DIR", help="where indexes are kept between runs")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; repeatable")


def read_suite(options: argparse.Namespace) -> Suite:
    """Read the questions that the options name.

    Raises:
        EvalError: a file cannot be used, or no question is left.
    """
    if not options.questions or options.corpora is None:
        raise EvalError("Give --questions FILES and --corpora DIR to run settings; saved results need neither.")
    form = cast(Format, options.format)
    questions = read_questions(options.questions, form, options.repos)
    only = {name for name in options.only.split(",") if name}
    if unknown := only - {question.repo for question in questions}:
        raise EvalError(f"--only names {', '.join(sorted(unknown))}, which no question is about.")
    kept = tuple(question for question in questions if not only or question.repo in only)
    index_root = options.index_root or user_cache_path("hybrid-index") / "eval"
    return Suite(kept, form, options.corpora, index_root)


def read_overrides(options: argparse.Namespace) -> Overrides:
    """The `--set` options. Raises EvalError for one that is no setting."""
    return parse_overrides(options.set)
