"""C# by symbol: what belongs to a member beyond its own lines, and where a long one is cut."""

from __future__ import annotations

from hybrid_index.languages.by_symbol import symbol_chunks
from hybrid_index.languages.csharp.symbols import symbols_of
from hybrid_index.languages.csharp.syntax import parse
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.trees import broken_regions, statement_rank
from hybrid_index.types import ParsedFile, SourceText, Symbol

LEAD = ("//", "/*", "*", "[", "#region", "#if", "#pragma warning disable", "#nullable")
"""Beginnings of lines that belong to the declaration below them."""


def parse_csharp(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a C# file by symbol; a region that cannot be parsed is covered like the rest, and named."""
    layout = Layout.of(source)
    parsed = parse(source.text.encode("utf-8", "replace"))
    root = parsed.tree.root_node
    symbols = symbols_of(parsed)
    chunks = symbol_chunks(layout, symbols, options, LEAD, statement_rank(root, layout))
    return ParsedFile(tuple(chunks), symbols, broken_regions=broken_regions(root))


def members_of(text: str) -> tuple[Symbol, ...]:
    """The declarations of C# that stands inside another file; lines of that file around it are blank in `text`."""
    return symbols_of(parse(text.encode("utf-8", "replace")))
