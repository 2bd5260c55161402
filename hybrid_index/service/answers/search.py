"""`search`: a page of ranked hits with their snippets."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hybrid_index.retrieval import Ranked, Ranking, RetrievalOptions, best_window, part_stems
from hybrid_index.service import replies, requests
from hybrid_index.service.answers.common import budget_of, counted, file_filter, live_text, searched, since
from hybrid_index.service.paging import fit, make_cursor, read_cursor
from hybrid_index.store import Snapshot
from hybrid_index.types import HitKind

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex


def options_for(service: HybridIndex, request: requests.SearchRequest) -> RetrievalOptions:
    """Lay what a request asks for over the settings."""
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


def rank(service: HybridIndex, snapshot: Snapshot, request: requests.SearchRequest) -> Ranking:
    """Rank all candidates for a request."""
    options = options_for(service, request)
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
        ranking = rank(service, snapshot, request)
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
    text = counted(len(kept), "hit") + (f", {more:,} more" if more > 0 else "")
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
    live = live_text(service, record.path)
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
