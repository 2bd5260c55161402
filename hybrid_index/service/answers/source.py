"""`source_context`: spans of files as they are now."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hybrid_index.errors import PathError, QueryError
from hybrid_index.service import replies, requests
from hybrid_index.service.answers.common import SPAN, budget_of, counted, since
from hybrid_index.service.paging import fit
from hybrid_index.store import Snapshot
from hybrid_index.types import FileRecord
from hybrid_index.workspace import explain_path, language_of

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex


def source_context(service: HybridIndex, request: requests.SourceRequest) -> replies.SourceReply:
    """Answer `source_context`."""
    started = time.monotonic()
    blocks: list[replies.SourceBlock] = []
    failed: list[replies.Failure] = []
    with service.reading(check=False) as (snapshot, state):
        for target in request.targets:
            try:
                blocks.append(_block(service, snapshot, target, request))
            except (PathError, QueryError) as error:
                failed.append(replies.Failure(target=target, reason=str(error)))
        kept = fit(blocks, budget_of(service, request), _shorten_block)
        left_out = len(blocks) - len(kept)
        cut = any(a.end_line != b.end_line for a, b in zip(kept, blocks, strict=False))
        return replies.SourceReply(
            summary=counted(len(kept), "span") + (f", {len(failed)} could not be read" if failed else ""),
            index=state,
            elapsed_ms=since(started),
            truncated=left_out > 0 or cut,
            omitted=replies.Omitted(count=left_out, what="spans beyond max_tokens; ask for them again")
            if left_out
            else None,
            blocks=kept,
            failed=failed,
        )


def _block(
    service: HybridIndex, snapshot: Snapshot | None, target: str, request: requests.SourceRequest
) -> replies.SourceBlock:
    found = SPAN.match(target.strip())
    if found is None:
        raise QueryError(f"{target!r} is not path, path:line or path:start-end.")
    full = service.workspace.resolve(found["path"])
    path = service.workspace.name_of(full)
    result = service.workspace.read(FileRecord(path, 0, 0, language_of(path)))
    if result.skip is not None:
        raise PathError(f"{path} can't be shown ({result.skip.reason}: {result.skip.detail}).")
    assert result.source is not None
    if snapshot is not None and snapshot.file(path) is None:  # readable, but perhaps left out for a reason
        explained = explain_path(service.workspace, path)
        if not explained.indexed:
            raise PathError(f"{path} can't be shown ({explained.reason}: {explained.detail}).")
    live = (result.source.text, result.hash)
    lines = live[0].split("\n")
    total = len(lines) - (lines[-1] == "" and len(lines) > 1)
    start = int(found["start"] or 1)
    end = int(found["end"] or (found["start"] or total))
    if start > total or end < start:
        raise QueryError(f"{path} has {total} lines; {start}-{end} is not among them.")
    first, last = max(1, start - request.before), min(total, end + request.after)
    indexed = snapshot.file_hash(path) if snapshot is not None else None
    symbol = None
    if snapshot is not None:
        inside = [c for c in snapshot.chunks_of(path) if c.start_line <= start <= c.end_line]
        symbol = inside[0].symbol if inside else None
    return replies.SourceBlock(
        path=path,
        start_line=first,
        end_line=last,
        total_lines=total,
        text="\n".join(lines[first - 1 : last]),
        language=language_of(path),
        symbol=symbol,
        stale=indexed is not None and indexed != live[1],
    )


def _shorten_block(block: replies.SourceBlock, room: int) -> replies.SourceBlock:
    lines = block.text.split("\n")
    size = len(block.text)
    while len(lines) > 1 and size > room:
        size -= len(lines.pop()) + 2
    return block.model_copy(
        update={"text": "\n".join(lines)[: max(room, 0)], "end_line": block.start_line + len(lines) - 1}
    )
