"""The result of a run: one row a question, summaries over rows, and their JSON and CSV forms.

JSON: `{summary: {ALL | category | repo:NAME: {n, ndcg10, hit1, hit10, ev2000, ev4000, ev8000}}, rows: [...], meta}`.
`dotnet` means are over questions. `semble` follows its benchmark: a repository is the mean of its questions, ALL the
mean of its repositories, a category the mean over the repositories that have it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from eval.errors import EvalError
from eval.json_files import read_json
from eval.questions import Format

MEASURES = ("ndcg10", "hit1", "hit10", "ev2000", "ev4000", "ev8000")
_CSV_FIELDS = ("id", "repo", "language", "category", *MEASURES, "first_rank")


@dataclass(frozen=True, slots=True)
class Row:
    """One question's scores. `first_rank` is the rank of the first relevant hit at any depth, `answer` its chunk id."""

    id: str
    repo: str
    category: str
    query: str
    ndcg10: float
    hit1: float
    hit10: float
    ev2000: float
    ev4000: float
    ev8000: float
    language: str = ""
    first_rank: int | None = None
    answer: str | None = None
    top: tuple[str, ...] = ()  # chunk ids of the first ten hits
    latency_ms: float = 0.0

    def value(self, measure: str) -> float:
        """The score by its name."""
        return float(getattr(self, measure))


Summary = dict[str, float | int]
_ROWS = TypeAdapter(tuple[Row, ...])


@dataclass(frozen=True, slots=True)
class Result:
    """Rows of one run with the settings that gave them."""

    name: str
    form: Format
    rows: tuple[Row, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    def summary(self) -> dict[str, Summary]:
        """Means for ALL, each category, and each repository."""
        out = {"ALL": self._mean(self.rows)}
        for category in sorted({row.category for row in self.rows}):
            out[category] = self._mean([row for row in self.rows if row.category == category])
        for repo in sorted({row.repo for row in self.rows}):
            out[f"repo:{repo}"] = self._mean([row for row in self.rows if row.repo == repo])
        return out

    def languages(self) -> dict[str, Summary]:
        """Means for each language that the question files name."""
        names = sorted({row.language for row in self.rows} - {""})
        return {name: self._mean([row for row in self.rows if row.language == name]) for name in names}

    def weights(self, rows: Sequence[Row] | None = None) -> list[float]:
        """What each row weighs in the mean over `rows` (default: all); they add up to 1."""
        chosen = self.rows if rows is None else rows
        if self.form == "dotnet":
            return [1 / len(chosen)] * len(chosen)
        counts: dict[str, int] = {}
        for row in chosen:
            counts[row.repo] = counts.get(row.repo, 0) + 1
        return [1 / len(counts) / counts[row.repo] for row in chosen]

    def _mean(self, rows: Sequence[Row]) -> Summary:
        weights = self.weights(rows)
        means = {m: sum(w * row.value(m) for w, row in zip(weights, rows, strict=True)) for m in MEASURES}
        return {"n": len(rows), **means}


def to_json(result: Result) -> dict[str, Any]:
    """The stable JSON form."""
    meta = {"name": result.name, "format": result.form, "settings": result.settings, **result.meta}
    return {
        "summary": result.summary(),
        "rows": [asdict(row) for row in result.rows],
        "meta": meta | {"languages": result.languages()},
    }


def from_json(data: Mapping[str, Any], source: str) -> Result:
    """Read the JSON form back. Raises EvalError when it is not one."""
    meta = dict(data.get("meta", {}))
    meta.pop("languages", None)
    try:
        rows = _ROWS.validate_python(data["rows"])
        form: Format = meta.pop("format", "dotnet")
        return Result(meta.pop("name", source), form, rows, meta.pop("settings", {}), meta)
    except (KeyError, ValidationError) as error:
        raise EvalError(f"{source} is not a result of `python -m eval run --json`: {error}.") from error


def read_result(file: Path) -> Result:
    """Load a saved result, named after its file.

    Raises:
        EvalError: the file is missing or is not a result.
    """
    data = read_json(file)
    if not isinstance(data, dict):
        raise EvalError(f"{file} is not a result of `python -m eval run --json`.")
    result = from_json(data, str(file))
    return Result(file.stem, result.form, result.rows, result.settings, result.meta)


def write_json(data: object, file: Path) -> None:
    """Write JSON, making the folder where needed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_csv(result: Result, file: Path) -> None:
    """Write one line a question, without its text, so that a change of ranking arrives as a reviewable diff."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_CSV_FIELDS)
        for row in sorted(result.rows, key=lambda r: (r.repo, r.id)):
            values = (getattr(row, name) for name in _CSV_FIELDS)
            writer.writerow([f"{value:.4f}" if isinstance(value, float) else value for value in values])


def table(lines: Iterable[tuple[str, Mapping[str, float | int]]], heading: str = "") -> str:
    """A plain-text table of summaries."""
    rows = list(lines)
    width = max([len(heading), *(len(name) for name, _ in rows)])
    out = [f"{heading:<{width}}     n  NDCG@10   hit@1  hit@10   ev@2k   ev@4k   ev@8k"]
    out += [
        f"{name:<{width}} {values['n']:>5}" + "".join(f"{values[m]:>8.3f}" for m in MEASURES) for name, values in rows
    ]
    return "\n".join(out)
