"""`explain_hit`: the parts of a score, from the ranking that `search` shows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hybrid_index.errors import QueryError, StaleReferenceError
from hybrid_index.retrieval import Ranked, Ranking, stems_of
from hybrid_index.service import replies, requests
from hybrid_index.service.answers.common import SPAN, live_text, since
from hybrid_index.service.answers.search import options_for, rank
from hybrid_index.store import Snapshot

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex


def explain_hit(service: HybridIndex, request: requests.ExplainRequest) -> replies.ExplainReply:
    """Answer `explain_hit` from the same ranking that `search` shows."""
    started = time.monotonic()
    with service.reading() as (snapshot, state):
        if snapshot is None:
            raise QueryError("There is no index yet, so there is nothing to explain. Run `hybrid-index index`.")
        ranking = rank(service, snapshot, request)
        fusion = options_for(service, request).fusion
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
    found = SPAN.match(chunk_id)
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
    live = live_text(service, hit.record.path)
    if live is None:
        return []
    text = "\n".join(live[0].split("\n")[hit.record.start_line - 1 : hit.record.end_line])
    have = stems_of(" ".join((text, hit.record.path, hit.record.names)))
    return [term for term in terms if stems_of(term) & have]
