"""Question files: what is asked, and which places of the repository answer it.

Two forms are read. `dotnet`: a list of `{id, repo, category, query, relevant, secondary}` whose targets are spans
`{path, start_line, end_line}`. `semble`: a list of `{query, relevant, secondary, category}` in a file named after its
repository, whose targets are mostly whole files; `repos.json` beside the files or one folder up names the languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from eval.errors import EvalError
from eval.json_files import read_json

Format = Literal["dotnet", "semble"]
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True, slots=True)
class Target:
    """A place that answers a question: lines of a file, or the whole file where no lines are given."""

    path: str
    start_line: int | None = None
    end_line: int | None = None

    def covers_file(self) -> bool:
        """Whether any line of the file answers."""
        return self.start_line is None or self.end_line is None

    def overlap(self, start_line: int, end_line: int) -> int:
        """How many lines of `start_line..end_line` lie in the target."""
        if self.start_line is None or self.end_line is None:
            return max(0, end_line - start_line + 1)
        return max(0, min(end_line, self.end_line) - max(start_line, self.start_line) + 1)


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its answers; secondary targets help but do not answer alone."""

    id: str
    repo: str
    category: str
    query: str
    relevant: tuple[Target, ...]
    secondary: tuple[Target, ...] = ()
    language: str = ""

    @property
    def targets(self) -> tuple[Target, ...]:
        """Relevant targets, then secondary ones."""
        return self.relevant + self.secondary


def _target(raw: object, where: str) -> Target:
    if isinstance(raw, str):
        return Target(raw.replace("\\", "/"))
    if isinstance(raw, Mapping) and isinstance(raw.get("path"), str):
        start, end = raw.get("start_line"), raw.get("end_line")
        if start is None or end is None:
            return Target(raw["path"].replace("\\", "/"))
        if isinstance(start, int) and isinstance(end, int) and 1 <= start <= end:
            return Target(raw["path"].replace("\\", "/"), start, end)
        raise EvalError(f"{where}: lines {start!r}..{end!r} are not a span; give 1 <= start_line <= end_line.")
    raise EvalError(f"{where}: a target is a path or an object with path, start_line and end_line, not {raw!r}.")


def _category(raw: Mapping[str, Any], form: Format) -> str:
    category = raw.get("category")
    if isinstance(category, str) and category:
        return category
    if form == "dotnet":
        return "uncategorised"
    query = str(raw["query"]).strip()
    if " " not in query:
        return "symbol"
    return "architecture" if query.lower().startswith("how ") else "semantic"


def _question(raw: object, number: int, file: Path, form: Format, languages: Mapping[str, str]) -> Question:
    where = f"{file}: question {number}"
    if not isinstance(raw, Mapping) or not isinstance(raw.get("query"), str) or not raw["query"].strip():
        raise EvalError(f"{where} has no `query` text.")
    repo = raw.get("repo") if form == "dotnet" else None
    name = repo if isinstance(repo, str) and repo else file.stem
    relevant = tuple(_target(item, where) for item in raw.get("relevant", []))
    secondary = tuple(_target(item, where) for item in raw.get("secondary", []))
    if not relevant and not secondary:
        raise EvalError(f"{where} ({raw['query']!r}) has no target; list at least one under `relevant`.")
    identifier = raw.get("id")
    return Question(
        id=identifier if isinstance(identifier, str) and identifier else f"{name}-{number:03d}",
        repo=name,
        category=_category(raw, form),
        query=raw["query"],
        relevant=relevant,
        secondary=secondary,
        language=languages.get(name, ""),
    )


def _languages(files: Sequence[Path], repos: Path | None) -> dict[str, str]:
    """Language of each repository, from the `repos.json` given, beside the files, or one folder up."""
    candidates = [repos] if repos else [folder / "repos.json" for f in files for folder in (f.parent, f.parent.parent)]
    out: dict[str, str] = {}
    for candidate in dict.fromkeys(candidates):
        if candidate.is_file():
            for spec in _read_list(candidate):
                if isinstance(spec, Mapping) and "name" in spec:
                    out.setdefault(str(spec["name"]), str(spec.get("language", "")))
        elif repos:
            raise EvalError(f"{candidate} is not a file; --repos names a list of {{name, language}}.")
    return out


def _read_list(file: Path) -> list[Any]:
    data = read_json(file)
    if not isinstance(data, list):
        raise EvalError(f"{file} holds no list; a question file is a JSON list of questions.")
    return data


def read_questions(files: Sequence[Path], form: Format, repos: Path | None = None) -> list[Question]:
    """Read question files (`repos.json` among them is skipped), in the order given.

    Raises:
        EvalError: a file or a question cannot be used, or two questions share an id.
    """
    named = [file for file in files if file.name != "repos.json"]
    languages = _languages(named, repos)
    out: list[Question] = []
    seen: dict[str, Path] = {}
    for file in named:
        for number, raw in enumerate(_read_list(file), 1):
            question = _question(raw, number, file, form, languages)
            if question.id in seen:
                raise EvalError(f"{file}: the id {question.id!r} was already used in {seen[question.id]}.")
            seen[question.id] = file
            out.append(question)
    if not out:
        raise EvalError("There are no questions in the files given.")
    return out
