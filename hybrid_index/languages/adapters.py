"""Which adapter reads which language, and what happens when one fails.

Adapters are imported when the first file of their language comes, so that a program that only asks loads no
parser.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.plain import parse_plain
from hybrid_index.types import ParsedFile, SourceText, Span

Adapter = Callable[[SourceText, ChunkingOptions], ParsedFile]

_ADAPTERS: dict[str, tuple[str, str]] = {
    "csharp": ("csharp.chunks", "parse_csharp"),
    **dict.fromkeys(("razor", "cshtml"), ("razor", "parse_razor")),
    "xaml": ("xaml", "parse_xaml"),
    **dict.fromkeys(("markdown", "restructuredtext", "asciidoc"), ("headings", "parse_prose")),
    **dict.fromkeys(("json", "yaml", "toml", "ini", "dotenv", "editorconfig"), ("config", "parse_config")),
    **dict.fromkeys(("xml", "msbuild"), ("xml", "parse_xml")),
    **dict.fromkeys(("html", "svg"), ("xml", "parse_html")),
    **dict.fromkeys(("css", "scss", "less"), ("styles", "parse_styles")),
    **dict.fromkeys(
        "protobuf graphql batch makefile dockerfile cmake hcl bicep http sln vb groovy erlang clojure nix glsl cabal"
        " dart julia ocaml elm perl r objc vue svelte astro starlark t4".split(),
        ("declaration_lines", "parse_lines"),
    ),
    **dict.fromkeys(
        "python javascript typescript tsx java go rust kotlin c cpp ruby php swift scala elixir haskell lua bash zig"
        " powershell sql fsharp".split(),
        ("tagged", "parse_tagged"),
    ),
}
MAX_SYNTAX_LINES = 60_000  # a longer file is data or generated code: windows cost a tenth and lose nothing there


def supported_languages() -> tuple[str, ...]:
    """Languages with an adapter of their own; all other text is cut into windows."""
    return tuple(sorted(_ADAPTERS))


@cache
def _adapter(language: str) -> Adapter:
    if language not in _ADAPTERS:
        return parse_plain
    module, name = _ADAPTERS[language]
    adapter: Adapter = getattr(import_module(f"hybrid_index.languages.{module}"), name)
    return adapter


def parse_file(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a file into chunks and find its symbols. Never raises: a file no adapter can read is cut into windows."""
    lines = source.text.count("\n") + 1
    if lines > MAX_SYNTAX_LINES:
        return parse_plain(source, options)
    try:
        return _adapter(source.language)(source, options)
    except Exception:  # one file that trips an adapter must not cost the workspace its index
        return ParsedFile(parse_plain(source, options).chunks, broken_regions=(Span(1, lines),))
