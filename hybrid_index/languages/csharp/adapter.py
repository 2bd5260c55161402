"""C# source text to chunks and symbols, with one parse for both."""

from __future__ import annotations

from hybrid_index.languages.csharp.chunks import symbol_chunks
from hybrid_index.languages.csharp.symbols import symbols_of
from hybrid_index.languages.csharp.syntax import parse
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.types import Chunk, ParsedFile, SourceText, Symbol


def parse_csharp(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a C# file by symbol."""
    chunks, symbols = csharp_chunks(source.text, options)
    return ParsedFile(tuple(chunks), symbols)


def csharp_chunks(text: str, options: ChunkingOptions) -> tuple[list[Chunk], tuple[Symbol, ...]]:
    """Give the chunks and the symbols of C# text."""
    symbols = symbols_of(parse(text.encode("utf-8", "replace")))
    return symbol_chunks(text.split("\n"), symbols, options), symbols
