"""Summaries, saved forms, differences, sweeps and folds, on rows made up for the purpose."""

import csv
import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.__main__ import COMMANDS
from eval.__main__ import main as dispatch
from eval.compare import changed_parts, difference, moves, pair_rows
from eval.errors import EvalError
from eval.fit import cross_fit, deal
from eval.overrides import index_key, nested, parse_overrides, parse_value, split_list
from eval.report import sections, to_html, to_markdown
from eval.results import Result, Row, read_result, to_json, write_csv, write_json
from eval.significance import paired
from eval.sweep import DEFAULT_GRID, combinations, parse_grid
from hybrid_index.service.replies import Contribution, ExplainReply, IndexState, QueryAnalysis

MEASURES = {"hit1": 0.0, "hit10": 1.0, "ev2000": 0.25, "ev4000": 0.5, "ev8000": 0.75}


def row(name: str, ndcg10: float, repo: str = "a", category: str = "docs", language: str = "") -> Row:
    return Row(id=name, repo=repo, category=category, query=f"ask {name}", ndcg10=ndcg10, language=language, **MEASURES)


def result(*rows: Row, form: str = "dotnet", name: str = "run") -> Result:
    return Result(name, form, rows, {"fusion.alpha": 0.5}, {"query_p50_ms": 4.0})  # type: ignore[arg-type]


UNEVEN = (row("1", 1.0), row("2", 0.0), row("3", 0.5), row("4", 0.25, "b", "config", "go"))


def test_dotnet_means_weigh_questions_and_semble_means_weigh_repositories() -> None:
    assert result(*UNEVEN).summary()["ALL"]["ndcg10"] == pytest.approx(1.75 / 4)
    assert result(*UNEVEN, form="semble").summary()["ALL"]["ndcg10"] == pytest.approx((0.5 + 0.25) / 2)


def test_the_summary_has_all_categories_and_repositories_with_their_counts() -> None:
    summary = result(*UNEVEN).summary()
    assert {name: values["n"] for name, values in summary.items()} == {
        "ALL": 4, "config": 1, "docs": 3, "repo:a": 3, "repo:b": 1
    }  # fmt: skip
    assert list(summary["ALL"]) == ["n", "ndcg10", "hit1", "hit10", "ev2000", "ev4000", "ev8000"]
    assert list(result(*UNEVEN).languages()) == ["go"]


def test_a_saved_result_reads_back_as_it_was(tmp_path: Path) -> None:
    saved = result(*UNEVEN, name="mine")
    write_json(to_json(saved), tmp_path / "new" / "mine.json")
    assert read_result(tmp_path / "new" / "mine.json") == saved
    assert set(json.loads((tmp_path / "new" / "mine.json").read_text(encoding="utf-8"))) >= {"summary", "rows"}


@pytest.mark.parametrize("text", ["[]", "{}", '{"rows": [{"id": "1"}]}', "not json"])
def test_a_file_that_is_no_result_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    with pytest.raises(EvalError, match=r"x\.json"):
        read_result(tmp_path / "x.json")
    with pytest.raises(EvalError, match="cannot be read"):
        read_result(tmp_path / "missing.json")


def test_the_csv_has_a_line_for_each_question_and_none_of_their_text(tmp_path: Path) -> None:
    write_csv(result(*reversed(UNEVEN)), tmp_path / "r.csv")
    text = (tmp_path / "r.csv").read_text(encoding="utf-8")
    lines = list(csv.DictReader(text.splitlines()))
    assert [line["id"] for line in lines] == ["1", "2", "3", "4"]
    assert lines[3]["ndcg10"] == "0.2500" and "ask" not in text


def test_differences_are_paired_by_question_and_count_wins_and_losses() -> None:
    a = result(row("1", 0.0), row("2", 1.0), row("3", 0.5), row("only a", 1.0))
    b = result(row("3", 0.5), row("2", 0.5), row("1", 1.0), row("only b", 0.0))
    found = difference(a, b)
    assert (found.mean, found.wins, found.losses, found.ties) == (pytest.approx(0.5 / 3), 1, 1, 1)
    assert [left.id for left, _ in pair_rows(a, b)] == ["1", "2", "3"]
    assert [(move.id, move.after - move.before) for move in moves(a, b)] == [("1", 1.0), ("2", -0.5)]


def test_results_without_a_common_question_cannot_be_compared() -> None:
    with pytest.raises(EvalError, match="share no question"):
        difference(result(row("1", 0.0)), result(row("2", 0.0)))


def exact_p(differences: list[float]) -> float:
    """The randomisation test by all sign patterns."""
    observed = abs(sum(differences))
    signs = itertools.product((1, -1), repeat=len(differences))
    sums = [abs(sum(s * d for s, d in zip(pattern, differences, strict=True))) for pattern in signs]
    return sum(total >= observed - 1e-9 for total in sums) / len(sums)


def test_the_randomisation_test_agrees_with_full_enumeration() -> None:
    differences = [0.3, 0.1, -0.05, 0.4, 0.2, -0.1, 0.25, 0.0]
    found = paired([0.0] * 8, differences, [1 / 8] * 8, [""] * 8)
    assert found.p == pytest.approx(exact_p(differences), abs=0.02)
    assert found.low < found.mean < found.high


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_no_difference_is_never_significant(scores: list[float]) -> None:
    found = paired(scores, scores, [1 / len(scores)] * len(scores), [""] * len(scores))
    assert (found.mean, found.p, found.low, found.high) == (0.0, 1.0, 0.0, 0.0)


def test_paired_differences_are_repeatable_and_turn_with_the_sides() -> None:
    a, b = [0.1, 0.5, 0.3, 0.9], [0.4, 0.5, 0.8, 0.2]
    forward, backward = paired(a, b, [0.25] * 4, ["x"] * 4), paired(b, a, [0.25] * 4, ["x"] * 4)
    assert forward == paired(a, b, [0.25] * 4, ["x"] * 4)
    assert forward.mean == -backward.mean and forward.p == backward.p
    with pytest.raises(ValueError, match="same questions"):
        paired(a, b[:2], [0.25] * 4, ["x"] * 4)


def explained(**parts: float) -> ExplainReply:
    state = IndexState(version="1", status="fresh", root="r")
    analysis = QueryAnalysis(kind="natural", terms=[], fts_expression="", alpha=1, beta=0, normalisation="minmax")
    return ExplainReply(
        summary="", index=state, elapsed_ms=1, query="q", chunk_id="a:1-2", found=True, analysis=analysis,
        contributions=[Contribution(name=name, value=value, why="") for name, value in parts.items()],
    )  # fmt: skip


def test_the_reason_of_a_move_is_the_parts_of_the_score_that_changed_largest_first() -> None:
    parts = changed_parts(explained(fts=0.6, path=0.1, same=0.2), explained(fts=0.5, path=0.4, same=0.2, new=0.05))
    assert parts == ("path 0.100 -> 0.400", "fts 0.600 -> 0.500", "new 0.000 -> 0.050")


def test_settings_are_read_as_toml_values_or_else_as_text() -> None:
    assert parse_overrides(["fusion.alpha=0.5", "semantic.enabled=false", "fusion.normalisation=rrf"]) == {
        "fusion.alpha": 0.5, "semantic.enabled": False, "fusion.normalisation": "rrf"
    }  # fmt: skip
    assert parse_value('["a", "b"]') == ["a", "b"] and parse_value("a=b") == "a=b"
    assert split_list('a.b=[1,2],c.d="x,y",e.f=1') == ["a.b=[1,2]", 'c.d="x,y"', "e.f=1"]
    assert nested({"a.b": 1, "a.c": 2}) == {"a": {"b": 1, "c": 2}}
    for wrong in ("alpha=1", "fusion.alpha"):
        with pytest.raises(EvalError, match="not a setting"):
            parse_overrides([wrong])


def test_settings_of_asking_share_an_index_and_settings_of_storing_do_not() -> None:
    assert index_key({"fusion.alpha": 1.0, "ranking.signals": False, "fts.k": 9}) == index_key({}) == "default"
    assert len({index_key({}), index_key({"semantic.enabled": False}), index_key({"chunking.max_chars": 900})}) == 3


def test_a_grid_gives_every_combination_and_moves_joined_settings_together() -> None:
    grid = parse_grid(["fusion.alpha+fusion.beta=0.8+0.2,0.5+0.5", "fts.k=100,200"])
    assert combinations(grid, {"ranking.signals": True})[1] == {
        "ranking.signals": True, "fusion.alpha": 0.8, "fusion.beta": 0.2, "fts.k": 200
    }  # fmt: skip
    assert len(combinations(parse_grid(DEFAULT_GRID), {})) == 18
    for wrong in ("fusion.alpha", "fusion.alpha=", "a.b+c.d=1", "alpha=1"):
        with pytest.raises(EvalError):
            parse_grid([wrong])


@given(st.sets(st.text("abcdef", min_size=1, max_size=4), min_size=2, max_size=20), st.integers(2, 6))
def test_folds_hold_every_repository_once_whatever_the_order(repos: set[str], folds: int) -> None:
    if len(repos) < folds:
        with pytest.raises(EvalError, match="folds"):
            deal(sorted(repos), folds)
        return
    dealt = deal(sorted(repos), folds)
    assert sorted(name for fold in dealt for name in fold) == sorted(repos)
    assert dealt == deal(sorted(repos, reverse=True), folds)
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1


def test_no_repository_is_scored_with_settings_chosen_on_it() -> None:
    names = [f"repo{n}" for n in range(6)]
    baseline = result(*(row(name, 0.5, name) for name in names), name="base")
    # Each candidate is perfect on one repository and bad elsewhere: chosen on its own repository it would look best.
    lucky = [result(*(row(n, 1.0 if n == own else 0.4, n) for n in names), name=own) for own in names]
    folds, held = cross_fit(baseline, [(one, 1) for one in lucky], 3, "ndcg10", charge=0.0)
    assert all(fold.chosen not in fold.repos for fold in folds)
    assert held.summary()["ALL"]["ndcg10"] <= 0.5


def test_a_gain_smaller_than_its_charge_is_not_taken() -> None:
    names = ["a", "b", "c", "d"]
    baseline = result(*(row(n, 0.5, n) for n in names), name="base")
    better = result(*(row(n, 0.503, n) for n in names), name="better")
    assert {fold.chosen for fold in cross_fit(baseline, [(better, 2)], 2, "ndcg10", charge=0.002)[0]} == {"base"}
    assert {fold.chosen for fold in cross_fit(baseline, [(better, 1)], 2, "ndcg10", charge=0.002)[0]} == {"better"}


def test_the_report_is_one_page_with_plots_tables_and_the_worst_questions() -> None:
    evil = Row(id="<x>", repo="a", category="docs", query="<script>&|\nnew", ndcg10=0.0, **MEASURES)
    runs = [result(evil, row("2", 1.0, language="go"), name="one"), result(evil, row("2", 0.5), name="two")]
    page = sections(runs, {"measured": {"index_s": 1.5, "update_s": None}, "peer": {}, "ratios": {"index": 0.5}})
    titles = [section.title for section in page]
    assert titles[0] == "Results" and "By language" in titles and "Worst of docs (two)" in titles
    text = to_html(page, "T & T")
    assert text.count("<svg") == 5 and "<script>" not in text and "T &amp; T" in text
    assert text == to_html(
        sections(runs, {"measured": {"index_s": 1.5, "update_s": None}, "ratios": {"index": 0.5}}), "T & T"
    )
    markdown, files = to_markdown(page, "T", "page")
    assert set(files) == {
        "page-latency.svg", "page-budget.svg", "page-category.svg", "page-category-hit10.svg", "page-language.svg"
    }  # fmt: skip
    assert "<script>&\\| new" in markdown and all(f"]({name})" in markdown for name in files)


def test_the_dispatcher_names_its_commands_and_turns_errors_into_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["--help"]) == 0
    usage = capsys.readouterr().out
    assert all(name in usage for name in COMMANDS)
    assert dispatch([]) == dispatch(["nonsense"]) == 2
    assert dispatch(["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_two_saved_results_are_compared_and_reported_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("a", 0.2), ("b", 0.9)):
        write_json(to_json(result(row("1", value), row("2", 0.5))), tmp_path / f"{name}.json")
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert dispatch(["compare", *files, "--json", str(tmp_path / "out.json")]) == 0
    assert "b - a: ndcg10 +0.3500" in capsys.readouterr().out
    (comparison,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["comparisons"]
    assert comparison["wins"] == 1 and comparison["moved"][0]["id"] == "1"
    assert dispatch(["report", *files, "--out", str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page-category.svg").read_text(encoding="utf-8").startswith("<svg")
    assert dispatch(["report", *files, "--out", str(tmp_path / "page.pdf")]) == 2
