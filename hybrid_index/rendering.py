"""Replies as plain text, for a pipe and for MCP clients that read text.

`outline` gives the summary and one line per result, for clients that also get the typed reply; `full` adds the snippets
and every fact that a reader needs to act, for clients that get nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hybrid_index.service import replies

_CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}
_SIZE_STEP = 1024
_LINE_END = 2  # characters of a line end inside JSON
_MORE_CHARS = 20
_CLIPPED = "\n(cut at max_tokens)"


def printable(text: str) -> str:
    """Return text in which control characters are written out, so that a file cannot steer a terminal."""
    return text.translate(_CONTROL)


def outline(reply: replies.Reply, room: int | None = None) -> str:
    """Render the summary and one line per result, in at most `room` characters; the summary and notes always stand."""
    lines, ends = _lines(reply, _SHORT), [reply.summary, *_notes(reply)]
    if room is not None:
        lines = _within(lines, room - sum(len(end) + _LINE_END for end in ends))
    return printable("\n".join([ends[0], *lines, *ends[1:]]))


def full(reply: replies.Reply) -> str:
    """Render everything a reader needs, snippets and source text included."""
    return printable("\n".join([reply.summary, *_lines(reply, _WITH_TEXT), *_notes(reply)]))


def clip(text: str, room: int) -> str:
    """Cut a rendering at a line so that it has at most `room` characters, and say so in its last line."""
    if len(text) <= room:
        return text
    kept = text[: max(0, room - len(_CLIPPED))].rpartition("\n")[0]
    return f"{kept}{_CLIPPED}"


def size(count: int) -> str:
    """Write a number of bytes for people."""
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < _SIZE_STEP or unit == "GB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= _SIZE_STEP
    raise AssertionError("unreachable")


def hit_place(hit: replies.Hit) -> str:
    """Render where a hit is: rank, span, symbol."""
    symbol = f"  {hit.symbol}" if hit.symbol else ""
    return f"{hit.rank}. {hit.path}:{hit.start_line}-{hit.end_line}{symbol}"


def hit_line(hit: replies.Hit) -> str:
    """Render one hit in one line: where it is, how it was found, how well it did."""
    marks = [hit.hit_kind.value, f"{hit.score:.2f}"]
    marks += ["test"] * hit.is_test + ["generated"] * hit.is_generated
    return f"{hit_place(hit)}  [{', '.join(marks)}]"


def block_line(block: replies.SourceBlock) -> str:
    """Render what a block of source text is, in one line."""
    stale = "  (changed since it was indexed)" if block.stale else ""
    return f"{block.path}:{block.start_line}-{block.end_line} of {block.total_lines}{stale}"


def notes(reply: replies.Reply) -> list[str]:
    """Render what limits an answer: what is missing, how fresh the index is, how to go on."""
    return [printable(note) for note in _notes(reply)]


def numbered(text: str, first_line: int) -> list[str]:
    """Return the lines of a snippet with their line numbers."""
    lines = text.splitlines()
    width = len(str(first_line + len(lines) - 1))
    return [f"  {number:>{width}} | {line}" for number, line in enumerate(lines, first_line)]


_Renderer = Callable[[Any], Iterable[str]]


def _lines(reply: replies.Reply, renderers: dict[type[replies.Reply], _Renderer]) -> list[str]:
    renderer = renderers.get(type(reply))
    return list(renderer(reply)) if renderer else []


def _within(lines: list[str], room: int) -> list[str]:
    if sum(len(line) + _LINE_END for line in lines) <= room:
        return lines
    kept: list[str] = []
    room -= _MORE_CHARS
    for line in lines:
        room -= len(line) + _LINE_END
        if room < 0:
            break
        kept.append(line)
    return [*kept, f"... {len(lines) - len(kept)} more"] if kept else []


def _notes(reply: replies.Reply) -> Iterable[str]:
    if reply.partial and reply.partial_reason:
        yield f"Partial: {reply.partial_reason}"
    if reply.omitted:
        yield f"Left out: {reply.omitted.count} {reply.omitted.what}"
    if reply.next_cursor:
        yield f"More: cursor {reply.next_cursor}"
    if reply.index.status != "fresh":
        yield f"Index: {reply.index.status}" + (f" ({reply.index.reason})" if reply.index.reason else "")


def _hits(reply: replies.SearchReply) -> Iterable[str]:
    return map(hit_place, reply.hits)


def _hits_with_snippets(reply: replies.SearchReply) -> Iterable[str]:
    for hit in reply.hits:
        yield ""
        yield hit_line(hit)
        if hit.pair:
            yield f"  pair: {hit.pair}"
        yield from numbered(hit.snippet, hit.snippet_start_line)
        if hit.followup:
            arguments = ", ".join(f"{name}={value}" for name, value in hit.followup.arguments.items())
            yield f"  next: {hit.followup.tool}({arguments})"
    if not reply.hits:
        yield _searched(reply.searched)


def _searched(searched: replies.Searched) -> str:
    filters = f"; filters: {', '.join(searched.filters)}" if searched.filters else ""
    return (
        f"Searched {searched.files} files ({searched.chunks} chunks) by {', '.join(searched.channels) or 'nothing'}; "
        f"{searched.skipped_files} files are not indexed{filters}."
    )


def _places(reply: replies.TextReply) -> Iterable[str]:
    return (f"{match.path}:{match.line}:{match.column}" for match in reply.matches)


def _value_places(reply: replies.ConfigReply) -> Iterable[str]:
    yield from (f"{value.path}:{value.line}  {value.key}" for value in reply.values)
    yield from (f"{match.path}:{match.line}  used" for match in reply.used_in)


def _standing(reply: replies.ExplainReply) -> Iterable[str]:
    if reply.found:
        yield f"rank {reply.rank}, score {_number(reply.score)}"


def _paths(reply: replies.FindFileReply) -> Iterable[str]:
    return (file.path for file in reply.files)


def _explanation(reply: replies.ExplainReply) -> Iterable[str]:
    if reply.found:
        yield f"rank {reply.rank}, score {_number(reply.score)}, raw score {_number(reply.raw_score)}"
    for channel in reply.channels:
        yield (
            f"  {channel.channel}: rank {channel.rank or '-'}, raw {_number(channel.raw)}, "
            f"normalised {_number(channel.normalised)}, weight {channel.weight:g}"
        )
    for part in reply.contributions:
        yield f"  {part.value:+.4f}  {part.name}: {part.why}"
    if reply.matched_terms:
        yield f"  matched: {', '.join(reply.matched_terms)}"
    analysis = reply.analysis
    yield (
        f"  query: {analysis.kind}; alpha {analysis.alpha:g}, beta {analysis.beta:g}, {analysis.normalisation}; "
        f"keyword expression {analysis.fts_expression}"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _matches(matches: Iterable[replies.TextMatch]) -> Iterable[str]:
    return (f"{match.path}:{match.line}:{match.column}: {match.text}" for match in matches)


def _text_with_context(reply: replies.TextReply) -> Iterable[str]:
    for match in reply.matches:
        if not (match.before or match.after):
            yield from _matches([match])
            continue
        yield from (f"{match.path}-{match.line - len(match.before) + at}- {t}" for at, t in enumerate(match.before))
        yield from _matches([match])
        yield from (f"{match.path}-{match.line + at}- {line}" for at, line in enumerate(match.after, 1))
        yield "--"
    if not reply.matches:
        yield _searched(reply.searched)


def _files(reply: replies.FindFileReply) -> Iterable[str]:
    return (f"{file.path}  ({file.language}, {file.lines} lines)" for file in reply.files)


def _values(reply: replies.ConfigReply) -> Iterable[str]:
    for value in reply.values:
        yield f"{value.path}:{value.line}: {value.key} = {value.value}  [{value.layer}]"
    if reply.used_in:
        yield "Used in:"
        yield from _matches(reply.used_in)


def _blocks(reply: replies.SourceReply) -> Iterable[str]:
    for block in reply.blocks:
        yield block_line(block)
    yield from _failed(reply)


def _blocks_with_text(reply: replies.SourceReply) -> Iterable[str]:
    for block in reply.blocks:
        yield ""
        yield block_line(block)
        yield from numbered(block.text, block.start_line)
    yield from _failed(reply)


def _failed(reply: replies.SourceReply) -> Iterable[str]:
    return (f"{failure.target}: {failure.reason}" for failure in reply.failed)


def _status(reply: replies.IndexStatusReply) -> Iterable[str]:
    for path in reply.explained:
        yield (
            f"{path.path}: {'indexed' if path.indexed else 'not indexed'}: {path.reason}"
            f"{f' ({path.detail})' if path.detail else ''}"
        )
    yield from (f"warning: {warning}" for warning in reply.warnings)


def _status_in_full(reply: replies.IndexStatusReply) -> Iterable[str]:
    index = reply.index
    commit = f", commit {index.indexed_commit[:12]}" if index.indexed_commit else ""
    yield f"root: {index.root}"
    yield f"status: {index.status}, {index.coverage:.0%} of the files in scope{commit}"
    yield f"holds: {reply.files} files, {reply.chunks} chunks, {reply.symbols} symbols, {reply.vectors} vectors"
    languages = sorted(reply.languages.items(), key=lambda item: (-item[1], item[0]))
    yield "languages: " + (", ".join(f"{name} {count}" for name, count in languages) or "none")
    yield f"vectors: {index.vector}" + (f", model {reply.model}" if reply.model else "")
    yield f"database: {reply.database} ({size(reply.database_bytes)} for {size(reply.source_bytes)} of source)"
    yield f"watching: {'yes' if reply.watching else 'no'}; last indexed: {reply.last_indexed or 'never'}"
    for skip in reply.skipped:
        where = f"  mostly {', '.join(skip.top_prefixes[:3])}" if skip.top_prefixes else ""
        yield f"skipped: {skip.count} {skip.reason}{where}"
    if reply.lagging:
        yield "lagging: " + ", ".join(reply.lagging)
    yield from _status(reply)


def _pass(reply: replies.ReindexReply) -> Iterable[str]:
    yield (
        f"added {reply.added}, changed {reply.changed}, removed {reply.removed}, unchanged {reply.unchanged}, "
        f"skipped {reply.skipped}; {reply.chunks} chunks in {reply.seconds:.1f} s"
    )
    if reply.rebuilt:
        yield f"rebuilt: {reply.rebuild_reason or 'asked for'}"


def _capabilities(reply: replies.CapabilitiesReply) -> Iterable[str]:
    yield f"version {reply.version}; tools: {', '.join(reply.tools)}"
    yield f"languages: {', '.join(reply.languages)}"
    yield f"channels: {', '.join(reply.channels)}; model: {reply.model or 'none'}"
    yield "limits: " + ", ".join(f"{name} {value}" for name, value in reply.limits.items())
    yield from (f"{item.key} = {item.value}  ({item.source})" for item in reply.settings)


def _watch(reply: replies.WatchReply) -> Iterable[str]:
    yield f"watching: {'yes' if reply.watching else 'no'} ({reply.mode})"


_SHORT: dict[type[replies.Reply], _Renderer] = {
    replies.SearchReply: _hits,
    replies.ExplainReply: _standing,
    replies.TextReply: _places,
    replies.FindFileReply: _paths,
    replies.ConfigReply: _value_places,
    replies.SourceReply: _blocks,
    replies.IndexStatusReply: _status,
}
_WITH_TEXT: dict[type[replies.Reply], _Renderer] = {
    replies.SearchReply: _hits_with_snippets,
    replies.ExplainReply: _explanation,
    replies.TextReply: _text_with_context,
    replies.FindFileReply: _files,
    replies.ConfigReply: _values,
    replies.SourceReply: _blocks_with_text,
    replies.IndexStatusReply: _status_in_full,
    replies.ReindexReply: _pass,
    replies.CapabilitiesReply: _capabilities,
    replies.WatchReply: _watch,
}
