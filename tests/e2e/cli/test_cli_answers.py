"""Every command answers on a real workspace, as text and as the typed reply."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hybrid_index.errors import Cancelled
from hybrid_index.indexing.options import IndexingOptions
from hybrid_index.service import HybridIndex, replies

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "model"),
    [
        (["index"], replies.ReindexReply),
        (["search", "reserve", "stock"], replies.SearchReply),
        (["text", "ReserveStock"], replies.TextReply),
        (["find", "OrderService"], replies.FindFileReply),
        (["config", "Stock:ReservationMinutes"], replies.ConfigReply),
        (["show", "docs/orders.md:1-3"], replies.SourceReply),
        (["status"], replies.IndexStatusReply),
        (["capabilities"], replies.CapabilitiesReply),
    ],
)
def test_json_is_the_typed_reply(in_shop: Run, arguments: list[str], model: type[replies.Reply]) -> None:
    outcome = in_shop(*arguments, "--json")
    assert outcome.code == 0, outcome
    assert model.model_validate_json(outcome.out).summary


def test_search_prints_place_kind_and_numbered_lines(in_shop: Run) -> None:
    outcome = in_shop("search", "where is stock reserved?", "--lang", "csharp", "--tests", "exclude")
    assert outcome.code == 0
    assert "src/Shop/OrderService.cs:" in outcome.out
    assert "[text_hybrid, " in outcome.out
    assert " | " in outcome.out
    assert "ReserveStock(Order order)" in outcome.out
    assert "OrderServiceTests" not in outcome.out


def test_search_indexes_a_workspace_that_has_no_index_and_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Heron\n\nHerons stand still.\n", encoding="utf-8")
    outcome = run("--root", str(tmp_path), "search", "heron")
    assert outcome.code == 0
    assert "notes.md" in outcome.out
    assert "indexing" in outcome.err
    again = run("--root", str(tmp_path), "search", "heron")
    assert again.err == ""


def test_search_finishes_an_indexing_run_that_was_interrupted(run: Run, tmp_path: Path) -> None:
    for number in range(IndexingOptions().inline_max_files + 1):  # more than an answer brings in by itself
        (tmp_path / f"bird{number}.md").write_text(f"# Bird {number}\n", encoding="utf-8")
    (tmp_path / "notes.md").write_text("# Heron\n\nHerons stand still.\n", encoding="utf-8")
    stop = threading.Event()
    with HybridIndex.open(tmp_path) as index, pytest.raises(Cancelled):
        index.reindex(progress=lambda stage, done, total: stop.set() if stage == "index" else None, cancel=stop)
    outcome = run("--root", str(tmp_path), "search", "heron")
    assert outcome.code == 0, outcome
    assert "notes.md" in outcome.out
    assert "had not finished" in outcome.err


def test_options_of_search_reach_the_answer(in_shop: Run) -> None:
    def paths(*options: str) -> list[str]:
        found = json.loads(in_shop("search", "stock", "--json", *options).out)
        return [hit["path"] for hit in found["hits"]]

    assert len(paths("-n", "1")) == 1
    assert set(paths("--ext", ".md")) == {"docs/orders.md"}
    assert set(paths("--path", "src/**", "--path", "!**/*.json")) == {"src/Shop/OrderService.cs"}
    assert set(paths("--tests", "only")) <= {"tests/OrderServiceTests.cs"}
    kinds = {hit["hit_kind"] for hit in json.loads(in_shop("search", "stock", "--json", "--beta", "0").out)["hits"]}
    assert kinds <= {"text_fts", "text_hybrid"}


def test_text_prints_what_an_editor_can_open(in_shop: Run) -> None:
    outcome = in_shop("text", "reservestock", "-i", "-w")
    assert "src/Shop/OrderService.cs:7:17: " in outcome.out


def test_find_and_config_and_show_print_their_facts(in_shop: Run) -> None:
    assert "src/Shop/OrderService.cs" in in_shop("find", "orderservice.cs").out
    assert "Stock:ReservationMinutes = 15" in in_shop("config", "ReservationMinutes").out
    assert "3 | Stock is reserved" in in_shop("show", "docs/orders.md:3").out


def test_explain_adds_up(in_shop: Run) -> None:
    hit = json.loads(in_shop("search", "reserve stock", "--json").out)["hits"][0]
    answer = in_shop("explain", hit["chunk_id"], "reserve stock", "--json")
    explained = replies.ExplainReply.model_validate_json(answer.out)
    assert explained.rank == hit["rank"]
    assert sum(part.value for part in explained.contributions) == pytest.approx(explained.raw_score, abs=1e-6)


def test_status_says_why_a_path_is_not_indexed(in_shop: Run) -> None:
    in_shop("index")
    outcome = in_shop("status", "--explain", "bin/skipped.dll", "src/Shop/OrderService.cs")
    assert "bin/skipped.dll: not indexed" in outcome.out
    assert "src/Shop/OrderService.cs: indexed" in outcome.out


@pytest.mark.parametrize(
    ("alias", "arguments"),
    [
        ("search-text", ["ReserveStock"]),
        ("find-file", ["OrderService"]),
        ("config-lookup", ["Stock:ReservationMinutes"]),
        ("source-context", ["docs/orders.md"]),
        ("index-status", []),
        ("server-capabilities", []),
        ("reindex", []),
    ],
)
def test_the_names_of_the_mcp_tools_work_as_commands(in_shop: Run, alias: str, arguments: list[str]) -> None:
    assert in_shop(alias, *arguments).code == 0


def test_terminal_control_sequences_of_a_file_never_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "evil.md").write_text("# Evil \x9b2J title, cleared in many words of plain text\n", encoding="utf-8")
    outcome = run("--root", str(tmp_path), "show", "evil.md")
    assert outcome.code == 0
    assert "Evil" in outcome.out
    assert "\x9b" not in outcome.out


def test_index_takes_a_folder_and_reports_what_changed(run: Run, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "one.md").write_text("# One\n", encoding="utf-8")
    first = json.loads(run("index", str(workspace), "--json").out)
    assert first["added"] == 1
    (workspace / "one.md").unlink()
    second = json.loads(run("index", str(workspace), "--json").out)
    assert (second["added"], second["removed"]) == (0, 1)


def test_settings_lists_values_with_their_layer(in_shop: Run, shop: Path) -> None:
    outcome = in_shop("settings", "fusion", "--set", "fusion.alpha=0.5")
    assert "fusion.alpha = 0.5  # command line" in outcome.out
    assert "fusion.beta = 0.35\n" in outcome.out
    rows = json.loads(in_shop("settings", "budget.top_n", "--json").out)
    assert [replies.SettingValue.model_validate(row).source for row in rows] == ["default"]


def test_settings_prints_the_example_file(run: Run) -> None:
    expected = (Path(__file__).parents[3] / "settings.example.toml").read_text(encoding="utf-8")
    assert run("settings", "--example").out == expected
