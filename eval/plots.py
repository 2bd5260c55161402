"""The plots of the report, as SVG text: vector graphics that need no file beside the page."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import matplotlib

matplotlib.use("Agg")  # no display is needed, or there

from matplotlib.figure import Figure

from eval.evidence import BUDGETS
from eval.results import Result, Summary

# Colours that stay apart for colour-blind readers (Okabe and Ito), darkest first.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_INCHES_PER_GROUP = 0.9


def _colour(index: int) -> str:
    return _COLOURS[index % len(_COLOURS)]


def _svg(figure: Figure) -> str:
    text = io.StringIO()
    # Fixed metadata and ids: the same results give the same page.
    with matplotlib.rc_context({"svg.hashsalt": "hybrid-index", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    whole = text.getvalue()
    return whole[whole.index("<svg") :]


def bars(groups: Sequence[tuple[str, Mapping[str, Summary]]], measure: str, title: str) -> str:
    """Grouped bars: one group for each name found in any result, one bar for each result."""
    names = list(dict.fromkeys(name for _, summaries in groups for name in summaries))
    figure = Figure(figsize=(max(5.0, _INCHES_PER_GROUP * len(names) * max(1.0, len(groups) / 2)), 3.4))
    axes = figure.add_subplot()
    width = 0.8 / len(groups)
    for index, (label, summaries) in enumerate(groups):
        places = [position + index * width for position in range(len(names))]
        heights = [float(summaries[name][measure]) if name in summaries else 0.0 for name in names]
        drawn = axes.bar(places, heights, width, label=label, color=_colour(index))
        axes.bar_label(drawn, fmt="%.2f", fontsize=6, padding=1)
    axes.set_xticks([position + 0.4 - width / 2 for position in range(len(names))], names, rotation=30, ha="right")
    axes.set_ylim(0, 1.08)
    axes.set_title(title)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return _svg(figure)


def quality_against_latency(results: Sequence[Result], measure: str) -> str:
    """One point for each result: median latency of a query, mean quality."""
    figure = Figure(figsize=(5.0, 3.4))
    axes = figure.add_subplot()
    for index, result in enumerate(results):
        latency = float(result.meta.get("query_p50_ms", 0.0))
        quality = float(result.summary()["ALL"][measure])
        axes.plot(latency, quality, "o", color=_colour(index), label=result.name)
        axes.annotate(result.name, (latency, quality), textcoords="offset points", xytext=(6, 4), fontsize=7)
    axes.set_xlabel("median query, ms")
    axes.set_ylabel(measure)
    axes.margins(0.25)  # room for the names beside the points
    axes.set_xlim(left=0)
    axes.set_title("Quality against latency")
    axes.grid(alpha=0.3)
    return _svg(figure)


def budget_curves(results: Sequence[Result]) -> str:
    """Evidence recall by token budget, one line for each result."""
    figure = Figure(figsize=(5.0, 3.4))
    axes = figure.add_subplot()
    for index, result in enumerate(results):
        total = result.summary()["ALL"]
        axes.plot(BUDGETS, [float(total[f"ev{b}"]) for b in BUDGETS], "o-", color=_colour(index), label=result.name)
    axes.set_xticks(BUDGETS)
    axes.set_ylim(0, 1)
    axes.set_xlabel("tokens returned")
    axes.set_ylabel("evidence recall")
    axes.set_title("Answers within a budget")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="lower right")
    return _svg(figure)
