"""`python -m eval report RESULT.json... --out PAGE`: one page with plots from saved results.

PAGE ends in `.html` (plots inside) or `.md` (plots as SVG files beside it). The first result is the baseline of the
differences. `--speed SPEED.json` adds the table of an `eval speed` run.
"""

from __future__ import annotations

import argparse
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.compare import difference
from eval.errors import EvalError
from eval.overrides import describe
from eval.plots import bars, budget_curves, quality_against_latency
from eval.results import MEASURES, Result, Summary, read_result

WORST = 10  # questions shown for each category
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}"
    "table{border-collapse:collapse;margin:1rem 0;font-size:13px}td,th{border:1px solid #ccc;padding:.2rem .5rem;"
    "text-align:right}td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#eee}svg{background:#fff}td,th{border-color:#555}}"
)


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text; the first row is the heading."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """An SVG with its name."""

    name: str
    svg: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it."""

    title: str
    parts: tuple[str | Table | Plot, ...]


def _summary_table(lines: Sequence[tuple[str, Summary]]) -> Table:
    rows = [(name, str(s["n"]), *(f"{s[m]:.3f}" for m in MEASURES)) for name, s in lines]
    return Table((("", "n", *MEASURES), *rows))


def _differences(results: Sequence[Result]) -> Table:
    rows = []
    for other in results[1:]:
        for measure in ("ndcg10", "hit10", "ev8000"):
            d = difference(results[0], other, measure)
            interval = f"{d.low:+.4f} .. {d.high:+.4f}"
            rows.append(
                (f"{other.name} - {results[0].name}", measure, f"{d.mean:+.4f}", interval, f"{d.p:.4f}")
                + (str(d.wins), str(d.losses))
            )
    return Table((("", "measure", "difference", "95 % interval", "p", "better", "worse"), *rows))


def worst_questions(result: Result, category: str, count: int = WORST) -> Table:
    """The questions of a category with the lowest scores; rank is that of the first relevant hit, 40 deep."""
    rows = [row for row in result.rows if row.category == category and row.ndcg10 < 1]
    rows.sort(key=lambda row: (row.ndcg10, -(row.first_rank or 10_000), row.id))
    cells = [
        (r.id, r.query, f"{r.ndcg10:.2f}", str(r.first_rank or "-"), r.top[0] if r.top else "-") for r in rows[:count]
    ]
    return Table((("id", "question", "NDCG@10", "rank", "first hit"), *cells))


def sections(results: Sequence[Result], speed: dict[str, Any] | None = None) -> list[Section]:
    """Everything the page says."""
    parts = {result.name: result.summary() for result in results}
    categories = {
        name: {k: v for k, v in summary.items() if k != "ALL" and not k.startswith("repo:")}
        for name, summary in parts.items()
    }
    out = [
        Section(
            "Results",
            (
                *(f"{result.name}: {describe(result.settings)}" for result in results),
                _summary_table([(name, summary["ALL"]) for name, summary in parts.items()]),
                *([_differences(results)] if len(results) > 1 else []),
                Plot("latency", quality_against_latency(results, "ndcg10")),
                Plot("budget", budget_curves(results)),
            ),
        ),
        Section(
            "By category",
            (
                Plot("category", bars(list(categories.items()), "ndcg10", "NDCG@10 by category")),
                Plot("category-hit10", bars(list(categories.items()), "hit10", "hit@10 by category")),
                _summary_table([(f"{n}: {k}", v) for n, values in categories.items() for k, v in values.items()]),
            ),
        ),
    ]
    languages = [(result.name, result.languages()) for result in results]
    if any(summaries for _, summaries in languages):
        out.append(Section("By language", (Plot("language", bars(languages, "ndcg10", "NDCG@10 by language")),)))
    repos = [
        (f"{name}: {k.removeprefix('repo:')}", v)
        for name, summary in parts.items()
        for k, v in summary.items()
        if k.startswith("repo:")
    ]
    out.append(Section("By repository", (_summary_table(repos),)))
    if speed:
        out.append(Section("Speed and size", (_speed_table(speed),)))
    last = results[-1]
    worst = [
        Section(f"Worst of {name} ({last.name})", (worst_questions(last, name),)) for name in categories[last.name]
    ]
    return out + worst


def _speed_table(speed: dict[str, Any]) -> Table:
    measured, peer = speed.get("measured", {}), speed.get("peer", {})
    names = [*measured, *(name for name in peer if name not in measured)]

    def cell(value: object) -> str:
        return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)

    rows = [(name, cell(measured.get(name)), cell(peer.get(name))) for name in names]
    rows += [(f"ratio {name}", cell(value), "") for name, value in speed.get("ratios", {}).items()]
    return Table((("", "product", "peer"), *rows))


def to_html(page: Sequence[Section], title: str) -> str:
    """One self-contained page."""
    body = [f"<h1>{html.escape(title)}</h1>"]
    for section in page:
        body.append(f"<h2>{html.escape(section.title)}</h2>")
        for part in section.parts:
            if isinstance(part, Plot):
                body.append(f"<figure>{part.svg}</figure>")
            elif isinstance(part, Table):
                body.append(_html_table(part))
            else:
                body.append(f"<p>{html.escape(part)}</p>")
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
    return f"{head}<style>{_STYLE}</style><body>{''.join(body)}</body></html>\n"


def _html_table(table: Table) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    first, *rest = table.rows
    return f"<table>{line(first, 'th')}{''.join(line(row, 'td') for row in rest)}</table>"


def to_markdown(page: Sequence[Section], title: str, stem: str) -> tuple[str, dict[str, str]]:
    """The page as Markdown, and the SVG files to write beside it by name."""
    lines, files = [f"# {title}", ""], {}
    for section in page:
        lines += [f"## {section.title}", ""]
        for part in section.parts:
            if isinstance(part, Plot):
                name = f"{stem}-{part.name}.svg"
                files[name] = part.svg
                lines += [f"![{part.name}]({name})", ""]
            elif isinstance(part, Table):
                first, *rest = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in part.rows]
                rule = ["---", *["---:"] * (len(first) - 1)]
                lines += [f"| {' | '.join(row)} |" for row in (first, rule, *rest)] + [""]
            else:
                lines += [part, ""]
    return "\n".join(lines), files


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m eval report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULT.json")
    parser.add_argument("--out", type=Path, required=True, metavar="PAGE", help="page.html or page.md")
    parser.add_argument("--speed", type=Path, metavar="SPEED.json")
    parser.add_argument("--title", default="Retrieval quality")
    options = parser.parse_args(arguments)
    if options.out.suffix not in (".html", ".md"):
        raise EvalError(f"{options.out} must end in .html or .md.")
    speed = None
    if options.speed:
        try:
            speed = json.loads(options.speed.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise EvalError(f"{options.speed} is not a result of `python -m eval speed --json`: {error}.") from error
    page = sections([read_result(file) for file in options.results], speed)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    if options.out.suffix == ".html":
        options.out.write_text(to_html(page, options.title), encoding="utf-8")
    else:
        text, files = to_markdown(page, options.title, options.out.stem)
        options.out.write_text(text, encoding="utf-8")
        for name, svg in files.items():
            options.out.with_name(name).write_text(svg, encoding="utf-8")
    print(f"{options.out} written")
    return 0
