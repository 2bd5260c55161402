"""`python -m eval speed DIR`: how fast and how small, optionally beside a peer on the same tree in the same run.

Works on a copy of DIR (a file of it is changed and put back), each index in a fresh folder and a fresh process, product
and peer by turns, `--repeat` times; figures are medians. Importing Python modules is not timed, loading the model is.
Queries are timed in one process with the watcher on, as the server runs; `query_unwatched` looks for changes each time.
Ratios are product / peer, so below 1 is faster or smaller. Peak memory is that of the process with all its workers
until the first index stands. With `--peer semble`, semble 0.7 must be installed in --peer-python; it indexes what it
would by default (code); `--peer-content code docs config` gives it all the text that the product indexes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from eval.arguments import read_overrides
from eval.errors import EvalError
from eval.handshake import handshake_seconds
from eval.overrides import Overrides
from eval.probes import SKIPPED_FOLDERS, draw
from eval.process_memory import PeakMemory
from eval.results import write_json

PEER_WORKERS = "4"  # what the peer's own command line sets for itself
_MB = 1_000_000


def run_child(command: Sequence[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """Run a measuring process; returns its JSON with `peak_memory_bytes` until it said `indexed`.

    Raises:
        EvalError: it ended without a result; the message carries the end of its error output.
    """
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            list(command), stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8", env=dict(environment)
        )
        memory = PeakMemory(child.pid)
        assert child.stdout is not None
        marker = child.stdout.readline()
        peak = memory.stop()
        output = child.stdout.read()
        child.stdout.close()
        code = child.wait()
        errors.seek(0)
        tail = errors.read().decode("utf-8", "replace").strip()[-2000:]
    if code or marker.strip() != "indexed":
        raise EvalError(f"{' '.join(command[:3])} ... ended with exit code {code}:\n{tail or marker + output}")
    result: dict[str, Any] = json.loads(output)
    return result | {"peak_memory_bytes": peak, "memory_measure": memory.measure}


def copy_tree(source: Path, target: Path) -> None:
    """Copy what may be source, with git's folder so that its ignore rules hold."""
    skipped = SKIPPED_FOLDERS - {".git"}

    def left_out(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if name in skipped and Path(folder, name).is_dir()}

    shutil.copytree(source, target, symlinks=True, ignore=left_out, ignore_dangling_symlinks=True)


def product_figures(runs: Sequence[Mapping[str, Any]], handshakes: Sequence[float]) -> dict[str, Any]:
    """Medians over the product's runs; latencies are pooled."""
    last = runs[-1]
    latencies = [value for run in runs for value in run["latencies_ms"]]
    index_s = median(run["index_s"] for run in runs)
    source_mb = last["source_bytes"] / _MB
    pooled = {name: [value for run in runs for value in run[name]] for name in ("refresh_s", "update_s")}
    watched = [value for run in runs for value in run["update_watched_s"]]
    return {
        "index_s": index_s,
        "index_s_per_mb": index_s / source_mb if source_mb else None,
        "refresh_s": median(pooled["refresh_s"]),
        "update_s": median(pooled["update_s"]) if pooled["update_s"] else None,
        "update_watched_s": median(watched) if watched else None,
        "query_p50_ms": float(np.percentile(latencies, 50)),
        "query_p95_ms": float(np.percentile(latencies, 95)),
        "query_unwatched_p50_ms": median(value for run in runs for value in run["swept_ms"]),
        "db_ratio": last["database_bytes"] / last["source_bytes"] if last["source_bytes"] else None,
        "peak_memory_mb": median(run["peak_memory_bytes"] for run in runs) / _MB,
        "handshake_s": median(handshakes) if handshakes else None,
        "source_mb": source_mb,
        "files": last["files"],
        "chunks": last["chunks"],
        "vectors": last["vectors"],
    }


def peer_figures(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Medians over the peer's runs."""
    latencies = [value for run in runs for value in run["latencies_ms"]]
    return {
        "index_s": median(run["index_s"] for run in runs),
        "query_p50_ms": float(np.percentile(latencies, 50)),
        "query_p95_ms": float(np.percentile(latencies, 95)),
        "peak_memory_mb": median(run["peak_memory_bytes"] for run in runs) / _MB,
        "files": runs[-1]["files"],
        "chunks": runs[-1]["chunks"],
        "version": runs[-1]["version"],
    }


def ratios(measured: Mapping[str, Any], peer: Mapping[str, Any]) -> dict[str, float]:
    """Product / peer; below 1 is better."""
    names = {"index": "index_s", "query_p50": "query_p50_ms", "query_p95": "query_p95_ms", "memory": "peak_memory_mb"}
    return {name: measured[key] / peer[key] for name, key in names.items() if peer[key]}


def _request(folder: Path, name: str, content: Mapping[str, Any]) -> str:
    file = folder / f"{name}.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return str(file)


def _measure(root: Path, options: argparse.Namespace, overrides: Overrides, scratch: Path) -> dict[str, Any]:
    tree = scratch / root.name
    copy_tree(root, tree)
    probes = draw(tree, options.queries)
    if not probes:
        raise EvalError(f"{root} holds no names, comments or keys to ask for; is it a source tree?")
    changed = next((probe.path for probe in probes if probe.kind == "symbol"), probes[0].path)
    common = {"root": str(tree), "queries": [probe.query for probe in probes], "passes": 3}
    runs: list[dict[str, Any]] = []
    peers: list[dict[str, Any]] = []
    handshakes: list[float] = []
    for number in range(options.repeat):
        index_dir = scratch / f"index-{number}"
        request = common | {"index_dir": str(index_dir), "settings": overrides, "update_path": changed, "updates": 3}
        child = [sys.executable, "-m", "eval.speed_child", _request(scratch, "product", request)]
        runs.append(run_child(child, os.environ))
        if not options.no_handshake:
            handshakes += [handshake_seconds(tree, index_dir, overrides) for _ in range(3)]
        if options.peer:
            peers.append(_run_peer(common, options, scratch / f"peer-{number}", scratch))
        print(f"round {number + 1} of {options.repeat} done", file=sys.stderr, flush=True)
        shutil.rmtree(index_dir, ignore_errors=True)
    measured = product_figures(runs, handshakes)
    peer = peer_figures(peers) if peers else {}
    return {
        "measured": measured,
        "peer": peer,
        "ratios": ratios(measured, peer) if peer else {},
        "meta": {
            "tree": root.name,
            "repeat": options.repeat,
            "queries": len(probes),
            "settings": overrides,
            "version": version("hybrid-index"),
            "vector": runs[-1]["vector"],
            "memory_measure": runs[-1]["memory_measure"],
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.system(),
            "index_s_all": [run["index_s"] for run in runs],
            "peer_index_s_all": [run["index_s"] for run in peers],
        },
    }


def _run_peer(common: Mapping[str, Any], options: argparse.Namespace, cache: Path, scratch: Path) -> dict[str, Any]:
    request = dict(common) | {"model": options.peer_model, "content": options.peer_content}
    script = str(Path(__file__).with_name("speed_peer.py"))
    # A cache folder of its own: each round indexes from nothing, and the user's caches stay as they are.
    environment = os.environ | {"SEMBLE_CACHE_LOCATION": str(cache), "SEMBLE_INDEX_WORKERS": PEER_WORKERS}
    return run_child([str(options.peer_python), script, _request(scratch, "peer", request)], environment)


def _print(report: Mapping[str, Any]) -> None:
    measured, peer = report["measured"], report["peer"]
    width = max(map(len, measured))
    names = [*measured, *(name for name in peer if name not in measured)]
    print(f"{'':<{width}} {'product':>12}" + (f" {'peer':>12}" if peer else ""))
    for name in names:
        cells = [_cell(measured.get(name))] + ([_cell(peer.get(name))] if peer else [])
        print(f"{name:<{width}} " + " ".join(f"{cell:>12}" for cell in cells))
    for name, value in report["ratios"].items():
        print(f"ratio {name:<{width - 6}} {value:>12.3f}")


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m eval speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path, metavar="DIR")
    parser.add_argument("--repeat", type=int, default=3, help="rounds; figures are medians")
    parser.add_argument("--queries", type=int, default=60, help="queries drawn from the tree")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; repeatable")
    parser.add_argument("--peer", choices=["semble"])
    parser.add_argument("--peer-model", metavar="FOLDER", help="the peer's model: a local folder or a name")
    parser.add_argument("--peer-python", type=Path, default=Path(sys.executable), metavar="PATH", help="Python with it")
    parser.add_argument("--peer-content", nargs="+", default=["code"], choices=["code", "docs", "config"])
    parser.add_argument("--no-handshake", action="store_true", help="leave the MCP server out")
    parser.add_argument("--json", type=Path, metavar="OUT")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    options = _arguments().parse_args(arguments)
    root = options.root.resolve()
    if not root.is_dir():
        raise EvalError(f"{options.root} is not a folder.")
    if options.repeat < 1 or options.queries < 1:
        raise EvalError("--repeat and --queries must be at least 1.")
    with tempfile.TemporaryDirectory(prefix="hybrid-index-speed-", ignore_cleanup_errors=True) as folder:
        report = _measure(root, options, read_overrides(options), Path(folder))
    _print(report)
    if options.json:
        write_json(report, options.json)
    return 0
