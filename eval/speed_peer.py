"""Measures semble, run as a script by the Python that has it: `speed_peer.py REQUEST.json`.

Imports nothing of this project. The request is `{root, model, queries, passes, content}`; prints `indexed` when the
index stands, then one line of JSON. Importing is not timed, loading the model is, as for the product.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Index once, then ask every query `passes` times after one warm-up pass."""
    import semble  # type: ignore[import-not-found, unused-ignore]

    content = [semble.ContentType(name) for name in request["content"]]
    started = time.perf_counter()
    index = semble.SembleIndex.from_path(request["root"], content=content, model_path=request["model"])
    index_s = time.perf_counter() - started
    print("indexed", flush=True)
    latencies = []
    for number in range(request["passes"] + 1):
        for query in request["queries"]:
            started = time.perf_counter()
            index.search(query, top_k=10)
            if number:
                latencies.append((time.perf_counter() - started) * 1000)
    stats = index.stats
    return {
        "index_s": index_s,
        "latencies_ms": latencies,
        "files": stats.indexed_files,
        "chunks": stats.total_chunks,
        "version": semble.__version__,
    }


def main() -> None:
    """Run the request named on the command line."""
    print(json.dumps(measure(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))), flush=True)


if __name__ == "__main__":
    main()
