"""Text without known structure, and files too large or too broken for their adapter: windows of lines."""

from __future__ import annotations

from hybrid_index.languages.cutting import windows
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.types import Chunk, ParsedFile, SourceText


def parse_plain(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a text into windows of lines."""
    return ParsedFile(tuple(Chunk(start, end, "window") for start, end in windows(Layout.of(source), options)))
