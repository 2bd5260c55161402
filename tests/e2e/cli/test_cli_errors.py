"""Exit codes, error lines, where options may stand, and what importing costs."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hybrid_index.cli.session import find_workspace

Run = Callable[..., Any]
COMMAND = [sys.executable, "-m", "hybrid_index.cli.app"]


def test_nothing_found_is_exit_code_1(in_shop: Run) -> None:
    assert in_shop("text", "no such text anywhere").code == 1
    assert in_shop("find", "no-such-file.zig").code == 1
    assert in_shop("config", "No:Such:Key").code == 1
    assert in_shop("show", "missing.cs:1-2").code == 1
    assert in_shop("settings", "nothing").code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serch", "x"], "search"),
        (["search"], "QUERY"),
        (["search", "x", "--top-n", "0"], "--top-n"),
        (["search", "x", "--top-n", "1000"], "--top-n"),
        (["search", "x", "--max-tokens", "1"], "--max-tokens"),
        (["search", "x", "--alpha", "nan"], "alpha"),
        (["search", "x", "--set", "fusion.alhpa=1"], "Did you mean fusion.alpha?"),
        (["search", "x", "--set", "fusion.alpha"], "has no value"),
        (["search", "x", "--cursor", "nonsense"], "cursor"),
        (["text", "(", "--regex"], "hybrid-index: "),
    ],
)
def test_a_wrong_request_is_exit_code_2_with_one_clear_error(in_shop: Run, arguments: list[str], message: str) -> None:
    outcome = in_shop(*arguments)
    assert outcome.code == 2, outcome
    assert message in outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err


def test_a_missing_or_dangerous_root_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    assert run("--root", str(tmp_path / "nowhere"), "status").code == 2
    outcome = run("--root", tmp_path.anchor, "search", "x")
    assert outcome.code == 2
    assert "root of a file system" in outcome.err


def test_an_index_that_cannot_be_written_is_exit_code_3(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n", encoding="utf-8")
    (tmp_path / "occupied").write_text("a file where the index folder should be", encoding="utf-8")
    outcome = run("--root", str(tmp_path), "--index-root", str(tmp_path / "occupied"), "index")
    assert outcome.code == 3, outcome
    assert "Traceback" not in outcome.err


def test_debug_shows_the_traceback(in_shop: Run) -> None:
    assert "Traceback" in in_shop("search", "x", "--set", "no.key=1", "--debug").err


def test_options_of_the_program_may_stand_after_the_command(run: Run, shop: Path) -> None:
    assert run("find", "OrderService", "--root", str(shop)).code == 0
    assert run("find", "OrderService", f"--root={shop}").code == 0


def test_after_two_dashes_everything_is_the_query(in_shop: Run, shop: Path) -> None:
    (shop / "docs" / "usage.md").write_text("Use --root to choose.\n", encoding="utf-8")
    in_shop("index")
    outcome = in_shop("text", "--", "--root")
    assert outcome.code == 0
    assert "docs/usage.md:1:5" in outcome.out


def test_the_workspace_is_the_nearest_folder_with_an_index_or_a_repository(tmp_path: Path) -> None:
    nested = tmp_path / "repository" / "src" / "deep"
    nested.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    assert find_workspace(nested) == tmp_path / "repository"
    (tmp_path / "repository" / "src" / ".hybrid-index").mkdir()
    assert find_workspace(nested) == tmp_path / "repository" / "src"


def test_help_and_version_import_nothing_heavy() -> None:
    program = (
        "import sys; from hybrid_index.cli.app import main; main(['--help']); main(['search', '--help']);"
        "sys.stderr.write(','.join({'rich', 'numpy', 'apsw', 'mcp', 'tree_sitter'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == ""
    assert "search" in done.stdout


def test_a_search_imports_neither_mcp_nor_rich_when_piped(shop: Path) -> None:
    program = (
        "import sys; from hybrid_index.cli.app import main;"
        f"main(['--root', {str(shop)!r}, 'search', 'stock']);"
        "sys.stderr.write(','.join({'mcp', 'rich', 'starlette'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert "OrderService" in done.stdout


def test_the_installed_program_answers_in_a_pipe_without_colours(shop: Path) -> None:
    done = subprocess.run([*COMMAND, "--root", str(shop), "search", "reserve stock"], capture_output=True, timeout=60)
    assert done.returncode == 0
    assert b"OrderService.cs" in done.stdout
    assert b"\x1b[" not in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="head is not there")
def test_a_reader_that_stops_early_is_no_error(shop: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # whoever reads has gone before the first line
    try:
        done = subprocess.run(
            [*COMMAND, "--root", str(shop), "search", "stock"], stdout=writer, stderr=subprocess.PIPE, timeout=60
        )
    finally:
        os.close(writer)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_watch_ends_cleanly_on_an_interrupt(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n", encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "--root", str(tmp_path), "watch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    first = process.stderr.readline()  # said once the watcher runs
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=30)
    assert "Ctrl-C stops" in first
    assert process.returncode == 130
    assert "Traceback" not in rest
