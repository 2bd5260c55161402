"""Configuration by key path: small files whole, larger ones along their outer keys."""

from __future__ import annotations

from collections.abc import Sequence

from hybrid_index.languages.cutting import tile
from hybrid_index.languages.keyed import KEY_FINDERS
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.outline import Entry, Outline
from hybrid_index.languages.words import joined
from hybrid_index.types import Chunk, ParsedFile, SourceText

_MAX_PATHS = 40  # key paths of one chunk that are written out


def parse_config(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a configuration file along its keys; names of a chunk are its keys and their paths (`Logging:Level`)."""
    finder, comments = KEY_FINDERS[source.language]
    layout = Layout.of(source)
    outline = Outline(layout, list(finder(layout)), comments)
    whole = layout.size(1, layout.count) <= options.small_file_chars
    spans = tile(layout, [] if whole else outline.sections(), options)
    return ParsedFile(tuple(_chunk(outline, start, end) for start, end in spans))


def _chunk(outline: Outline, start: int, end: int) -> Chunk:
    declared = outline.declared(start, end)
    around = [entry.name for entry in outline.around(start)]
    keys = [entry.name for entry in declared if entry.name]
    return Chunk(
        start,
        end,
        "config",
        _title(declared, around),
        names=joined([*keys, *_paths(outline, start, declared)]),
        context=joined(around),
    )


def _title(declared: Sequence[Entry], around: list[str]) -> str | None:
    """The path of the one outermost key of a chunk, or of what is around its keys."""
    named = [entry for entry in declared if entry.name]
    top = min((entry.depth for entry in named), default=0)
    outermost = [entry.name for entry in named if entry.depth == top]
    path = [*around, outermost[0]] if len(outermost) == 1 else around
    return ":".join(path) or None


def _paths(outline: Outline, start: int, declared: Sequence[Entry]) -> list[str]:
    """Full paths of the innermost keys, as `Section:Key`."""
    first = outline.first_index(start)
    out: list[str] = []
    for index, entry in enumerate(declared, first):
        following = outline.entries[index + 1] if index + 1 < len(outline.entries) else None
        if not entry.name or (following is not None and following.depth > entry.depth):
            continue
        path = outline.path(index)
        if len(path) > 1:
            out.append(":".join(path))
        if len(out) >= _MAX_PATHS:
            break
    return out
