"""`reindex` and `index_status`: what a pass did, what the index holds, and why a path is not in it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hybrid_index.indexing import PassResult
from hybrid_index.service import replies, requests
from hybrid_index.service.answers.common import since
from hybrid_index.store import Snapshot
from hybrid_index.workspace import ScanResult, Skip, SkipReason, explain_path

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex


def reindex_reply(result: PassResult, chunks: int, state: replies.IndexState, started: float) -> replies.ReindexReply:
    """Build the reply of `reindex`."""
    parts = [
        f"{count:,} {name}"
        for name, count in (("added", result.added), ("changed", result.changed), ("removed", result.removed))
        if count
    ]
    return replies.ReindexReply(
        summary=(", ".join(parts) or "nothing changed") + f"; {chunks:,} chunks in all",
        index=state,
        elapsed_ms=since(started),
        added=result.added,
        changed=result.changed,
        removed=result.removed,
        unchanged=max(0, result.unchanged),
        skipped=result.skipped,
        chunks=chunks,
        seconds=round(result.seconds, 3),
        rebuilt=result.rebuild_reason is not None,
        rebuild_reason=result.rebuild_reason,
    )


def index_status(service: HybridIndex, request: requests.StatusRequest) -> replies.IndexStatusReply:
    """Answer `index_status`; never indexes, but says what a pass would do."""
    started = time.monotonic()
    plan, scan = service.indexer.check()
    with service.reading(check=False) as (snapshot, state):
        counts = snapshot.counts() if snapshot is not None else None
        meta = snapshot.meta() if snapshot is not None else {}
        table = snapshot.vector_table() if snapshot is not None else None
        if snapshot is not None and plan.lagging and state.status == "fresh":
            state = state.model_copy(
                update={
                    "status": "stale",
                    "lagging_files": plan.lagging,
                    "reason": f"{plan.lagging:,} files changed since the last pass",
                }
            )
        recorded = snapshot.skips() if snapshot is not None else []
        entries = scan.ledger(Skip(row.path, SkipReason(row.reason), row.detail) for row in recorded)
        database, wal = service.store.bytes_on_disk()
        lagging = [task.record.path for task in plan.tasks][:20] + list(plan.removed)[:20]
        files = counts.files if counts else 0
        return replies.IndexStatusReply(
            summary=f"{state.status}: {files:,} files, {counts.chunks if counts else 0:,} chunks",
            index=state,
            elapsed_ms=since(started),
            files=files,
            chunks=counts.chunks if counts else 0,
            symbols=counts.symbols if counts else 0,
            vectors=counts.vectors if counts else 0,
            languages=snapshot.languages() if snapshot is not None else {},
            skipped=[
                replies.SkipCount(
                    reason=entry.reason, count=entry.count, top_prefixes=[name for name, _ in entry.top_prefixes]
                )
                for entry in entries
            ],
            database=str(service.store.database),
            database_bytes=database,
            wal_bytes=wal,
            source_bytes=counts.source_bytes if counts else 0,
            model=table.model if table is not None else None,
            watching=service.watcher.running,
            last_indexed=meta.get("last_indexed"),
            warnings=[*scan.warnings, *([service.watcher.problem] if service.watcher.problem else [])],
            explained=[_explain_path(service, snapshot, path, scan) for path in request.explain_paths],
            lagging=lagging,
        )


def _explain_path(
    service: HybridIndex, snapshot: Snapshot | None, given: str, scan: ScanResult
) -> replies.PathExplanation:
    found = explain_path(service.workspace, given, scan)
    known = snapshot.file(found.path) if snapshot is not None else None
    chunks = len(snapshot.chunks_of(found.path)) if snapshot is not None else 0
    offered = found.indexed and known is None
    return replies.PathExplanation(
        path=found.path,
        indexed=found.indexed and known is not None,
        reason="not_yet_indexed" if offered else found.reason,
        detail="run `hybrid-index index`" if offered else found.detail,
        language=found.language,
        chunks=chunks,
    )
