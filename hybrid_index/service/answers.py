"""One function per operation: from a request to its reply, over the packages below."""

from __future__ import annotations

import posixpath
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hybrid_index.errors import PathError, QueryError, StaleReferenceError
from hybrid_index.indexing import PassResult
from hybrid_index.retrieval import (
    FileFilter,
    Ranked,
    Ranking,
    RetrievalOptions,
    best_window,
    glob_pattern,
    matching_files,
    part_stems,
    stems_of,
)
from hybrid_index.service import configuration, literal, replies, requests
from hybrid_index.service.paging import fit, make_cursor, read_cursor
from hybrid_index.store import FileSummary, Snapshot
from hybrid_index.types import FileRecord, HitKind
from hybrid_index.workspace import Skip, SkipReason, explain_path, language_of

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex

TOOLS = (
    *("server_capabilities", "index_status", "reindex", "watch", "search", "explain_hit", "search_text"),
    *("find_file", "config_lookup", "source_context"),
)
_SPAN = re.compile(r"^(?P<path>.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?$")


def since(started: float) -> float:
    """Milliseconds since a `time.monotonic()`."""
    return round((time.monotonic() - started) * 1000, 2)


def file_filter(request: requests.Filters) -> FileFilter:
    """Turn a request's filters into conditions on files."""
    return FileFilter(
        tuple(request.paths),
        tuple(language.lower() for language in request.languages),
        tuple("." + extension.lower().lstrip(".") for extension in request.extensions),
        tuple(request.projects),
        request.tests,
        request.generated,
    )


def budget_of(service: HybridIndex, request: requests.Request) -> int:
    """Tokens that a reply may have."""
    budget = service.retrieval.budget
    return min(request.max_tokens or budget.max_tokens, budget.hard_max_tokens)


def searched(snapshot: Snapshot | None, channels: Sequence[str], ranking_filter: FileFilter) -> replies.Searched:
    """Say what was searched."""
    files, chunks, skipped = snapshot.size_counts() if snapshot is not None else (0, 0, 0)
    return replies.Searched(
        files=files, chunks=chunks, skipped_files=skipped, channels=list(channels), filters=ranking_filter.describe()
    )


# -- search ------------------------------------------------------------------------------------------------------------


def _options(service: HybridIndex, request: requests.SearchRequest) -> RetrievalOptions:
    options = service.retrieval
    fusion, ranking = options.fusion, options.ranking
    if request.alpha is not None or request.beta is not None:
        fusion = replace(
            fusion,
            alpha=fusion.alpha if request.alpha is None else request.alpha,
            beta=fusion.beta if request.beta is None else request.beta,
            adapt_to_query=False,  # weights that the caller sets hold exactly
        )
    if request.signals is not None:
        ranking = replace(ranking, signals=request.signals)
    if request.ranking is not None:
        ranking = replace(ranking, mode=request.ranking)
    if not ranking.signals:
        ranking = replace(ranking, max_per_file=0)
    return replace(options, fusion=fusion, ranking=ranking)


def _rank(service: HybridIndex, snapshot: Snapshot, request: requests.SearchRequest) -> Ranking:
    options = _options(service, request)
    embedder = service.indexer.embedder() if options.fusion.beta > 0 else None
    return service.searcher.rank(
        snapshot, request.query, file_filter(request), embedder, service.indexer.model_problem, options
    )


def search(service: HybridIndex, request: requests.SearchRequest) -> replies.SearchReply:
    """Answer `search`."""
    started = time.monotonic()
    key = request.model_dump_json(exclude={"cursor", "top_n", "max_tokens", "snippet_lines"})
    offset = read_cursor(request.cursor, key)
    top_n = request.top_n or service.retrieval.budget.top_n
    with service.reading() as (snapshot, state):
        if snapshot is None:
            return replies.SearchReply(
                summary="nothing was searched: " + (state.reason or "there is no index yet"),
                index=state,
                elapsed_ms=since(started),
                query=request.query,
                hits=[],
                searched=searched(None, (), file_filter(request)),
            )
        ranking = _rank(service, snapshot, request)
        page = ranking.hits[offset : offset + top_n]
        best = ranking.hits[0].score if ranking.hits else 0.0
        hits = [
            _hit(service, hit, offset + number, best, ranking, request.snippet_lines)
            for number, hit in enumerate(page, 1)
        ]
        kept = fit(hits, budget_of(service, request), _shorten)
        more = len(ranking.hits) - offset - len(kept)
        left_out = len(hits) - len(kept)
        partial = state.status in ("building", "partial")
        return replies.SearchReply(
            summary=_search_summary(ranking, kept, more, snapshot),
            index=state.model_copy(update={"vector": f"unavailable({ranking.vector_problem})"})
            if ranking.vector_problem and state.vector == "on"
            else state,
            elapsed_ms=since(started),
            truncated=left_out > 0,
            partial=partial,
            partial_reason=state.reason if partial else None,
            next_cursor=make_cursor(key, offset + len(kept)) if more > 0 and kept else None,
            omitted=replies.Omitted(count=left_out, what="hits beyond max_tokens; use next_cursor")
            if left_out
            else None,
            query=request.query,
            hits=kept,
            searched=searched(snapshot, ranking.channels, ranking.filter),
        )


def _search_summary(ranking: Ranking, kept: Sequence[replies.Hit], more: int, snapshot: Snapshot) -> str:
    if ranking.query.kind == "empty":
        return "the query has no word or number to look for"
    if not kept:
        files, chunks, skipped = snapshot.size_counts()
        where = f"{ranking.files_searched:,} of {files:,}" if ranking.files_searched is not None else f"{files:,}"
        return f"nothing found in {where} files ({chunks:,} chunks; {skipped:,} files hold nothing to search)"
    text = f"{len(kept)} hits" + (f", {more:,} more" if more > 0 else "")
    return text + ("; no text holds the quoted phrase, its words were searched" if ranking.relaxed else "")


def _kind(hit: Ranked) -> HitKind:
    if hit.fused.fts_rank is not None and hit.fused.vec_rank is not None:
        return HitKind.TEXT_HYBRID
    return HitKind.TEXT_FTS if hit.fused.fts_rank is not None else HitKind.TEXT_VECTOR


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _hit(
    service: HybridIndex, hit: Ranked, rank: int, best: float, ranking: Ranking, snippet_lines: int | None
) -> replies.Hit:
    record = hit.record
    size = service.retrieval.budget.snippet_lines if snippet_lines is None else snippet_lines
    live = _live(service, record.path)
    lines = live[0].split("\n") if live is not None else []
    first, last = best_window(
        lines, record.start_line, record.end_line, size, part_stems(" ".join(ranking.query.terms))
    )
    return replies.Hit(
        chunk_id=f"{record.path}:{record.start_line}-{record.end_line}",
        path=record.path,
        start_line=record.start_line,
        end_line=record.end_line,
        hit_kind=_kind(hit),
        rank=rank,
        score=round(max(0.0, min(1.0, hit.score / best)), 4) if best > 0 else 0.0,
        fts_score=_round(hit.fused.fts_score),
        vec_score=_round(hit.fused.vec_score),
        fts_rank=hit.fused.fts_rank,
        vec_rank=hit.fused.vec_rank,
        language=record.language,
        symbol=record.symbol,
        project=record.project,
        is_test=bool(record.is_test),
        is_generated=bool(record.is_generated),
        pair=record.pair,
        snippet="\n".join(lines[first - 1 : last]),
        snippet_start_line=first,
    )


def _shorten(hit: replies.Hit, room: int) -> replies.Hit:
    """Cut a snippet to whole lines that fit; the first line may be cut inside."""
    lines = hit.snippet.split("\n")
    while len(lines) > 1 and sum(len(line) + 2 for line in lines) > room:
        lines.pop()
    text = "\n".join(lines)
    return hit.model_copy(update={"snippet": text if len(text) <= room else text[: max(room - 8, 0)]})


def explain_hit(service: HybridIndex, request: requests.ExplainRequest) -> replies.ExplainReply:
    """Answer `explain_hit` from the same ranking that `search` shows."""
    started = time.monotonic()
    with service.reading() as (snapshot, state):
        if snapshot is None:
            raise QueryError("There is no index yet, so there is nothing to explain. Run `hybrid-index index`.")
        ranking = _rank(service, snapshot, request)
        fusion = _options(service, request).fusion
        place = next(
            (
                (number, hit)
                for number, hit in enumerate(ranking.hits, 1)
                if f"{hit.record.path}:{hit.record.start_line}-{hit.record.end_line}" == request.chunk_id
            ),
            None,
        )
        if place is None:
            _check_chunk(snapshot, request.chunk_id)
        query = ranking.query
        analysis = replies.QueryAnalysis(
            kind=query.kind,
            terms=list(query.terms),
            phrases=list(query.phrases),
            filters=ranking.filter.describe(),
            fts_expression=query.relaxed if ranking.relaxed else query.expression,
            alpha=ranking.alpha,
            beta=ranking.beta,
            normalisation=fusion.normalisation,
        )
        reply = replies.ExplainReply(
            summary=f"{request.chunk_id} is not among the {len(ranking.hits):,} candidates of this query",
            index=state,
            elapsed_ms=since(started),
            query=request.query,
            chunk_id=request.chunk_id,
            found=False,
            analysis=analysis,
        )
        return reply if place is None else _explained(service, reply, ranking, *place)


def _explained(
    service: HybridIndex, reply: replies.ExplainReply, ranking: Ranking, number: int, hit: Ranked
) -> replies.ExplainReply:
    fused = hit.fused
    channels = [
        replies.ChannelScore(
            channel="fts", rank=fused.fts_rank, raw=fused.fts_raw, normalised=fused.fts_score, weight=ranking.alpha
        ),
        replies.ChannelScore(
            channel="vec", rank=fused.vec_rank, raw=fused.vec_raw, normalised=fused.vec_score, weight=ranking.beta
        ),
    ]
    return reply.model_copy(
        update={
            "summary": f"rank {number} of {len(ranking.hits):,}, score {hit.score:.4f}",
            "found": True,
            "rank": number,
            "score": round(hit.score / ranking.hits[0].score, 4) if ranking.hits[0].score > 0 else 0.0,
            "raw_score": hit.score,
            "channels": channels,
            "contributions": [
                replies.Contribution(name=part.name, value=part.value, why=part.why) for part in hit.contributions
            ],
            "matched_terms": _matched(service, hit, ranking.query.terms),
        }
    )


def _check_chunk(snapshot: Snapshot, chunk_id: str) -> None:
    found = _SPAN.match(chunk_id)
    path = found["path"] if found else chunk_id
    chunks = snapshot.chunks_of(path)
    ids = [f"{path}:{chunk.start_line}-{chunk.end_line}" for chunk in chunks]
    if chunk_id in ids:
        return
    if not chunks:
        raise StaleReferenceError(f"{chunk_id!r} is not a chunk: {path} is not in the index. Take an id from a hit.")
    start = int(found["start"]) if found and found["start"] else 1
    near = min(chunks, key=lambda chunk: abs(chunk.start_line - start))
    raise StaleReferenceError(
        f"{chunk_id!r} is not a chunk of {path} any more. The nearest one is {path}:{near.start_line}-{near.end_line}."
    )


def _matched(service: HybridIndex, hit: Ranked, terms: Sequence[str]) -> list[str]:
    live = _live(service, hit.record.path)
    if live is None:
        return []
    text = "\n".join(live[0].split("\n")[hit.record.start_line - 1 : hit.record.end_line])
    have = stems_of(" ".join((text, hit.record.path, hit.record.names)))
    return [term for term in terms if stems_of(term) & have]


# -- exact text, paths, configuration, source --------------------------------------------------------------------------


def search_text(service: HybridIndex, request: requests.TextRequest) -> replies.TextReply:
    """Answer `search_text`."""
    started = time.monotonic()
    pattern = literal.compile_pattern(request)
    key = request.model_dump_json(exclude={"cursor", "top_n", "max_tokens"})
    offset = read_cursor(request.cursor, key)
    wanted = file_filter(request)
    deadline = started + service.retrieval.budget.deadline_ms / 1000
    with service.reading() as (snapshot, state):
        files = matching_files(snapshot.files(), wanted) if snapshot is not None else []
        result = literal.find_text(pattern, files, lambda path: _text(service, path), request, offset, deadline)
        kept = fit(result.matches, budget_of(service, request))
        more = result.total - offset - len(kept)
        left_out = len(result.matches) - len(kept)
        summary = f"{result.total:,} lines in {result.files:,} of {len(files):,} files"
        if result.total == 0:
            summary = f"not found in {result.searched:,} of {len(files):,} files searched"
        return replies.TextReply(
            summary=summary,
            index=state,
            elapsed_ms=since(started),
            truncated=left_out > 0,
            partial=result.out_of_time,
            partial_reason=f"the deadline passed after {result.searched:,} files" if result.out_of_time else None,
            next_cursor=make_cursor(key, offset + len(kept)) if more > 0 and kept else None,
            omitted=replies.Omitted(count=left_out, what="matches beyond max_tokens; use next_cursor")
            if left_out
            else None,
            pattern=request.pattern,
            matches=kept,
            total=result.total,
            files=result.files,
            searched=searched(snapshot, ("literal",), wanted),
        )


def _text(service: HybridIndex, path: str) -> str | None:
    live = _live(service, path)
    return None if live is None else live[0]


def _live(service: HybridIndex, path: str) -> tuple[str, bytes] | None:
    """Read the text of a file as it is now, secrets masked, with its hash; None when it is gone or not text."""
    result = service.workspace.read(FileRecord(path, 0, 0, language_of(path)))
    return None if result.source is None else (result.source.text, result.hash)


def find_file(service: HybridIndex, request: requests.FindFileRequest) -> replies.FindFileReply:
    """Answer `find_file`."""
    started = time.monotonic()
    if not request.pattern.strip():
        raise QueryError("The pattern is empty. Give a name, a part of a path, or a glob.")
    key = request.model_dump_json(exclude={"cursor", "top_n", "max_tokens"})
    offset = read_cursor(request.cursor, key)
    with service.reading() as (snapshot, state):
        files = matching_files(snapshot.files(), file_filter(request)) if snapshot is not None else []
        scored = [(_path_score(file.path, request.pattern), file) for file in files]
        found = sorted(
            ((score, file) for score, file in scored if score > 0),
            key=lambda item: (-item[0], len(item[1].path), item[1].path),
        )
        page = found[offset : offset + request.top_n]
        hits = [
            replies.FileHit(
                path=file.path,
                language=file.language,
                size=file.size,
                lines=file.lines,
                score=round(score, 4),
                project=file.project,
                is_test=bool(file.is_test),
                is_generated=bool(file.is_generated),
                pair=[file.pair] if file.pair else [],
            )
            for score, file in page
        ]
        kept = fit(hits, budget_of(service, request))
        more = len(found) - offset - len(kept)
        return replies.FindFileReply(
            summary=f"{len(found):,} of {len(files):,} files match" if found else f"no file of {len(files):,} matches",
            index=state,
            elapsed_ms=since(started),
            truncated=len(kept) < len(hits),
            next_cursor=make_cursor(key, offset + len(kept)) if more > 0 and kept else None,
            omitted=replies.Omitted(count=len(hits) - len(kept), what="files beyond max_tokens; use next_cursor")
            if len(kept) < len(hits)
            else None,
            pattern=request.pattern,
            files=kept,
            total=len(found),
        )


def _path_score(path: str, pattern: str) -> float:
    """Score a path 0..1: exact path, exact name, stem, part of the name, part of the path, words of it."""
    wanted = pattern.strip().replace("\\", "/").lower().removeprefix("./")
    lower = path.lower()
    name = posixpath.basename(lower)
    if any(mark in wanted for mark in "*?"):
        return 0.9 if glob_pattern(wanted).match(path) else 0.0
    if lower == wanted:
        return 1.0
    if lower.endswith("/" + wanted):
        return 0.98
    if name.split(".")[0] == wanted or posixpath.splitext(name)[0] == wanted:
        return 0.9
    if wanted in name:
        return 0.6 + 0.2 * len(wanted) / len(name)
    if wanted in lower:
        return 0.5
    want = part_stems(pattern)
    return 0.4 if want and want <= part_stems(path) else 0.0


def config_lookup(service: HybridIndex, request: requests.ConfigRequest) -> replies.ConfigReply:
    """Answer `config_lookup`."""
    started = time.monotonic()
    if not request.key.strip():
        raise QueryError("The key is empty. Give a key such as ConnectionStrings:Default or TargetFramework.")
    wanted = file_filter(request)
    with service.reading() as (snapshot, state):
        files: list[FileSummary] = []
        if snapshot is not None:
            files = [
                file
                for file in matching_files(snapshot.files(), wanted)
                if file.language in configuration.CONFIG_LANGUAGES
            ]
        values = configuration.lookup(files, (_text(service, file.path) for file in files), request.key)
        kept = fit(values[: request.top_n], budget_of(service, request))
        left_out = len(values) - len(kept)
        return replies.ConfigReply(
            summary=f"{len(values):,} values in {len({v.path for v in values}):,} files"
            if values
            else f"no file of {len(files):,} configuration files sets this key",
            index=state,
            elapsed_ms=since(started),
            truncated=left_out > 0,
            omitted=replies.Omitted(count=left_out, what="values; narrow with paths, or raise top_n and max_tokens")
            if left_out
            else None,
            key=request.key,
            values=kept,
            searched=searched(snapshot, ("config",), wanted),
        )


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
            summary=f"{len(kept)} spans" + (f", {len(failed)} could not be read" if failed else ""),
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
    found = _SPAN.match(target.strip())
    if found is None:
        raise QueryError(f"{target!r} is not path, path:line or path:start-end.")
    full = service.workspace.resolve(found["path"])
    path = service.workspace.name_of(full)
    result = service.workspace.read(FileRecord(path, 0, 0, language_of(path)))
    why = result.skip
    if why is None and snapshot is not None and snapshot.file(path) is None:
        explained = explain_path(service.workspace, path)
        why = None if explained.indexed else Skip(path, SkipReason(explained.reason), explained.detail)
    if result.source is None or why is not None:
        reason = f" ({why.reason}: {why.detail})" if why is not None else ""
        raise PathError(f"{path} can't be shown{reason}.")
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


# -- index -------------------------------------------------------------------------------------------------------------


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
            explained=[_explain_path(service, snapshot, path) for path in request.explain_paths],
            lagging=lagging,
        )


def _explain_path(service: HybridIndex, snapshot: Snapshot | None, given: str) -> replies.PathExplanation:
    found = explain_path(service.workspace, given)
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
