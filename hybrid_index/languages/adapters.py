"""Which adapter reads which language, and what happens when one fails."""

from __future__ import annotations

from collections.abc import Callable

from hybrid_index.languages.csharp.adapter import parse_csharp
from hybrid_index.languages.documents import parse_config, parse_markdown, parse_windows
from hybrid_index.languages.markup import parse_razor, parse_xaml
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.types import ParsedFile, SourceText, Span

Adapter = Callable[[SourceText, ChunkingOptions], ParsedFile]

_ADAPTERS: dict[str, Adapter] = {
    "csharp": parse_csharp,
    "razor": parse_razor,
    "cshtml": parse_razor,
    "xaml": parse_xaml,
    "markdown": parse_markdown,
    **dict.fromkeys(("json", "yaml", "toml", "xml", "msbuild", "ini", "editorconfig"), parse_config),
}
MAX_SYNTAX_LINES = 60_000  # a longer file is data or generated code: windows cost a tenth and lose nothing there


def supported_languages() -> tuple[str, ...]:
    """Languages with an adapter of their own; all other text is cut into windows."""
    return tuple(sorted(_ADAPTERS))


def parse_file(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a file into chunks and find its symbols. Never raises: a file no adapter can read is cut into windows."""
    adapter = _ADAPTERS.get(source.language)
    lines = source.text.count("\n") + 1
    if adapter is None or lines > MAX_SYNTAX_LINES:
        return parse_windows(source, options)
    try:
        return adapter(source, options)
    except (RecursionError, ValueError, IndexError, KeyError, AttributeError):
        # One file that trips an adapter must not cost the workspace its index.
        fallback = parse_windows(source, options)
        return ParsedFile(fallback.chunks, broken_regions=(Span(1, lines),))
