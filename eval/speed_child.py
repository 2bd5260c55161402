"""Measures the product in a process of its own: `python -m eval.speed_child REQUEST.json`.

The request is `{root, index_dir, settings, queries, passes, update_path, updates}`; prints `indexed` when the first
index stands, then one line of JSON. Queries are timed with the watcher on, as the server asks, and apart from that
without it (`swept_ms`), where each one looks for changed files first. The tree is the measurement's own copy: a file of
it is changed and put back.
"""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from eval.product import settings_for
from hybrid_index.service import HybridIndex
from hybrid_index.service.requests import SearchRequest, WatchRequest

_GIVE_UP_SECONDS = 30.0
_POLL_SECONDS = 0.002


def _timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _finds(index: HybridIndex, word: str, path: str) -> bool:
    """Whether the keyword channel knows the word in the file (the snippet is live and would prove nothing)."""
    hits = index.search(SearchRequest(query=word)).hits
    return any(hit.path == path and hit.fts_rank is not None for hit in hits)


def _until_found(index: HybridIndex, word: str, path: str) -> float | None:
    started = time.perf_counter()
    while time.perf_counter() - started < _GIVE_UP_SECONDS:
        if _finds(index, word, path):
            return time.perf_counter() - started
        time.sleep(_POLL_SECONDS)
    return None


def _updates(index: HybridIndex, file: Path, path: str, count: int, act: Callable[[], object]) -> list[float]:
    """Seconds from a saved change to a search that finds it, `count` times; the file is put back afterwards."""
    original = file.read_bytes()
    out = []
    try:
        for _ in range(count):
            # Letters only, so that no tokenizer splits it; random, so that no earlier round is found.
            word = "zq" + "".join(chr(ord("a") + secrets.randbelow(26)) for _ in range(14))
            started = time.perf_counter()
            file.write_bytes(original + f"\n// {word}\n".encode())
            act()
            if _until_found(index, word, path) is not None:
                out.append(time.perf_counter() - started)
    finally:
        file.write_bytes(original)
    return out


def _latencies(index: HybridIndex, queries: list[str], passes: int) -> list[float]:
    out = []
    for number in range(passes + 1):
        for query in queries:
            seconds = _timed(lambda query=query: index.search(SearchRequest(query=query)))  # type: ignore[misc]
            if number:
                out.append(seconds * 1000)
    return out


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Index, refresh, ask, update, and describe what was built."""
    root = Path(request["root"])
    settings = settings_for(Path(request["index_dir"]), request["settings"])
    started = time.perf_counter()
    index = HybridIndex.open(root, settings, allow_any_root=True)
    index.reindex()
    index_s = time.perf_counter() - started
    print("indexed", flush=True)
    with index:
        refreshes = [_timed(index.reindex) for _ in range(5)]
        swept = _latencies(index, request["queries"], 1)
        path = request["update_path"]
        updates = _updates(index, root / path, path, request["updates"], index.reindex)
        index.reindex()
        index.watch(WatchRequest(enabled=True))
        latencies = _latencies(index, request["queries"], request["passes"])
        watched = _updates(index, root / path, path, request["updates"], lambda: None)
        index.watch(WatchRequest(enabled=False))
        index.reindex()
        status = index.index_status()
    return {
        "index_s": index_s,
        "refresh_s": refreshes,
        "latencies_ms": latencies,
        "swept_ms": swept,
        "update_s": updates,
        "update_watched_s": watched,
        "files": status.files,
        "chunks": status.chunks,
        "vectors": status.vectors,
        "source_bytes": status.source_bytes,
        "database_bytes": status.database_bytes,
        "vector": status.index.vector,
    }


def main() -> None:
    """Run the request named on the command line."""
    print(json.dumps(measure(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))), flush=True)


if __name__ == "__main__":
    main()
