"""`search_text`, `find_file` and `config_lookup`: exact text, paths and configuration keys."""

from __future__ import annotations

import posixpath
import time
from typing import TYPE_CHECKING

from hybrid_index.errors import QueryError
from hybrid_index.retrieval import matching_files, part_stems, path_matches
from hybrid_index.service import configuration, literal, replies, requests
from hybrid_index.service.answers.common import budget_of, counted, file_filter, searched, since, text_of
from hybrid_index.service.paging import fit, make_cursor, read_cursor
from hybrid_index.store import FileSummary

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex


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
        result = literal.find_text(pattern, files, lambda path: text_of(service, path), request, offset, deadline)
        kept = fit(result.matches, budget_of(service, request))
        more = result.total - offset - len(kept)
        left_out = len(result.matches) - len(kept)
        summary = f"{counted(result.total, 'line')} in {result.files:,} of {counted(len(files), 'file')}"
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
        return 0.9 if path_matches(path, wanted) else 0.0
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
        values = configuration.lookup(files, (text_of(service, file.path) for file in files), request.key)
        kept = fit(values[: request.top_n], budget_of(service, request))
        left_out = len(values) - len(kept)
        return replies.ConfigReply(
            summary=f"{counted(len(values), 'value')} in {counted(len({v.path for v in values}), 'file')}"
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
