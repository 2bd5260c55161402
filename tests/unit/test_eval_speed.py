"""Drawn queries, memory of process trees, and the arithmetic of a speed report."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eval.errors import EvalError
from eval.handshake import environment_of
from eval.probes import draw, probes_of, sentence_of
from eval.process_memory import PeakMemory, measure_name, tree_bytes
from eval.speed import copy_tree, peer_figures, product_figures, ratios, run_child

TREE = Path(__file__).parents[1] / "fixtures" / "eval" / "trees" / "marina"


def test_the_same_tree_gives_the_same_queries_wherever_it_lies(tmp_path: Path) -> None:
    copy_tree(TREE, tmp_path / "elsewhere")
    assert draw(TREE, 30) == draw(tmp_path / "elsewhere", 30)


def test_queries_are_names_sentences_and_keys_that_stand_in_the_tree_in_equal_shares() -> None:
    drawn = draw(TREE, 15)
    assert [sum(probe.kind == kind for probe in drawn) for kind in ("symbol", "sentence", "key")] == [5, 5, 5]
    assert len({probe.query for probe in drawn}) == 15
    for probe in drawn:
        line = (TREE / probe.path).read_text(encoding="utf-8").split("\n")[probe.line - 1]
        assert probe.query.split()[0] in line


def test_a_small_tree_gives_what_it_has(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def only_one():\n    pass\n", encoding="utf-8")
    (tmp_path / "b.bin").write_bytes(b"class Hidden\0\n")
    assert [probe.query for probe in draw(tmp_path, 10)] == ["only_one"]
    assert list(probes_of(tmp_path / "missing")) == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("    /// <summary>Says whether a hull lies safely here.</summary>", "Says whether a hull lies safely here"),
        ("# Keeps what the caller gave for later use.", "Keeps what the caller gave for later use"),
        ("#if SOME SYMBOL OF THE BUILD", None),
        ("// var x = call(one, two, three, four);", None),
        ("// too short", None),
        ("int x = 5;", None),
    ],
)
def test_only_plain_comment_sentences_are_asked(line: str, sentence: str | None) -> None:
    assert sentence_of(line) == sentence


def test_a_copy_leaves_out_folders_that_hold_no_source_but_keeps_git(tmp_path: Path) -> None:
    for name in ("src/a.cs", "bin/a.dll", "src/obj/x", ".git/HEAD", "packages"):
        file = tmp_path / "tree" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", encoding="utf-8")
    copy_tree(tmp_path / "tree", tmp_path / "copy")
    copied = sorted(p.relative_to(tmp_path / "copy").as_posix() for p in (tmp_path / "copy").rglob("*") if p.is_file())
    assert copied == [".git/HEAD", "packages", "src/a.cs"]


def script(folder: Path, text: str) -> list[str]:
    file = folder / "child.py"
    file.write_text(text, encoding="utf-8")
    return [sys.executable, str(file)]


HOLDER = """
import subprocess, sys
hold = "x = b'x' * 60_000_000; print('held', flush=True); input()"
pipe = subprocess.PIPE
workers = [subprocess.Popen([sys.executable, "-c", hold], stdin=pipe, stdout=pipe) for _ in range(2)]
for worker in workers:
    worker.stdout.readline()
print("held", flush=True)
input()
"""


def test_memory_of_a_process_counts_its_workers(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(script(tmp_path, HOLDER), stdin=pipe, stdout=pipe) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdout.readline()
        peak = PeakMemory(child.pid)
        assert tree_bytes(child.pid, measure_name()) > 120_000_000
        assert peak.stop() > 120_000_000
        child.stdin.write(b"\n")


def test_a_childs_result_comes_with_its_peak_memory(tmp_path: Path) -> None:
    text = "import json; print('indexed', flush=True); print(json.dumps({'index_s': 1.0}))"
    result = run_child(script(tmp_path, text), os.environ)
    assert result["index_s"] == 1.0 and result["memory_measure"] == measure_name()


def test_a_child_that_fails_is_reported_with_its_error_output(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="no model here"):
        run_child(script(tmp_path, "raise SystemExit('no model here')"), os.environ)


def test_a_process_that_is_gone_has_no_memory() -> None:
    assert tree_bytes(2**22 + 1, "rss") == 0
    assert tree_bytes(os.getpid(), "rss") > 1_000_000


def run(index_s: float, latencies: list[float]) -> dict[str, object]:
    return {
        "index_s": index_s, "latencies_ms": latencies, "refresh_s": [0.1, 0.3], "swept_ms": [7.0],
        "update_s": [0.2], "files": 3,
        "update_watched_s": [], "source_bytes": 2_000_000, "database_bytes": 1_000_000, "chunks": 9, "vectors": 9,
        "peak_memory_bytes": 50_000_000, "version": "0.7",
    }  # fmt: skip


def test_speed_figures_are_medians_and_ratios_are_product_over_peer() -> None:
    runs = [run(4.0, [1.0, 2.0]), run(2.0, [3.0, 4.0]), run(9.0, [5.0])]
    measured = product_figures(runs, [0.5, 0.3, 0.4])
    assert (measured["index_s"], measured["index_s_per_mb"], measured["query_p50_ms"]) == (4.0, 2.0, 3.0)
    assert (measured["db_ratio"], measured["peak_memory_mb"], measured["handshake_s"]) == (0.5, 50.0, 0.4)
    assert measured["update_watched_s"] is None
    assert ratios(measured, peer_figures([run(8.0, [6.0])])) == {
        "index": 0.5, "query_p50": 0.5, "query_p95": pytest.approx(4.8 / 6), "memory": 1.0
    }  # fmt: skip


def test_the_server_gets_the_index_and_settings_of_the_measurement(tmp_path: Path) -> None:
    environment = environment_of(
        tmp_path, {"semantic.enabled": False, "fts.weights": [1, 2], "fusion.normalisation": "rrf"}
    )
    assert environment["HYBRID_INDEX_INDEX__DIR"] == str(tmp_path)
    assert environment["HYBRID_INDEX_SEMANTIC__ENABLED"] == "false"
    assert json.loads(environment["HYBRID_INDEX_FTS__WEIGHTS"]) == [1, 2]
    assert environment["HYBRID_INDEX_FUSION__NORMALISATION"] == "rrf"
