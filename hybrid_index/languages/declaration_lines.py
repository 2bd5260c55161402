"""Languages that are read line by line: a pattern says which lines declare something, and its name.

For text that has no grammar here, or whose grammar is not installed. Nesting is told by indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hybrid_index.languages.cutting import tile
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.outline import Entry, Outline
from hybrid_index.languages.words import joined
from hybrid_index.types import Chunk, ParsedFile, SourceText

_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|abstract|final|sealed|partial|override|virtual|async"
    r"|shared|overridable|mustoverride|notoverridable|shadows|friend|open|data|inline|unsafe|extern|const|pub(?:\(\w+\))?)\s+)*+"
)
_GENERIC = (
    _MODIFIERS + r"(?:class|struct|interface|enum|record|trait|module|namespace|object|protocol|union|type|mixin"
    r"|extension|def|defp|defmodule|defmacro|defn|fn|func|function|fun|sub|proc|procedure|method|macro|package|typedef)\s+"
    r"([A-Za-z_$][\w$.:<>-]{0,100})"
)
_BY_LANGUAGE: dict[str, tuple[str, tuple[str, ...]]] = {
    "protobuf": (r"(?:message|enum|service|rpc|extend|oneof)\s+([\w.]{1,100})", ("//", "/*", "*")),
    "graphql": (
        r"(?:extend\s+)?(?:type|input|enum|interface|union|scalar|directive|query|mutation|subscription|fragment)\s+@?(\w{1,100})",
        ("#", '"""'),
    ),
    "sql": (
        r"(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:global\s+|temp(?:orary)?\s+|unique\s+|clustered\s+|nonclustered\s+)*"
        r"(?:table|view|procedure|proc|function|trigger|index|type|schema|sequence|materialized\s+view|policy)\s+"
        r"(?:if\s+(?:not\s+)?exists\s+)?([\[\]\"`\w.$]{1,200})",
        ("--", "/*", "*"),
    ),
    "powershell": (r"(?:function|filter|class|enum|configuration)\s+([\w:-]{1,100})", ("#", "<#")),
    "batch": (r":([A-Za-z_]\w{0,100})\s*$", ("::", "rem ", "REM ")),
    "makefile": (r"([\w./%$(){}-]{1,100})\s*::?(?!=)", ("#",)),
    "dockerfile": (r"FROM\s+\S+(?:\s+AS\s+(\S{1,100}))?", ("#",)),
    "cmake": (
        r"(?:function|macro|project|add_executable|add_library|add_custom_target|option)\s*\(\s*([\w.:${}-]{1,100})",
        ("#",),
    ),
    "hcl": (r"(?:resource|data|module|variable|output|provider|locals|terraform)\b\s*([^{\n]{0,150})", ("#", "//")),
    "bicep": (r"(?:resource|module|param|var|output|type|func|metadata)\s+(\w{1,100})", ("//",)),
    "http": (r"(?:###\s*(.{0,150})|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(\S{1,200}))", ("#", "@")),
    "sln": (r"(?:Project\(\"[^\"]*\"\)\s*=\s*\"([^\"]{1,200})\"|GlobalSection\((\w{1,80})\))", ("#",)),
    "vb": (
        _MODIFIERS
        + r"(?:class|module|structure|interface|enum|sub|function|property|namespace|event|operator)\s+"
        + r"(\w[\w.]{0,100})",
        ("'", "<"),
    ),
    "groovy": (
        _MODIFIERS + r"(?:class|interface|trait|enum|def|void|task|stage)\s*\(?['\"]?([\w$.-]{1,100})",
        ("//", "/*", "*", "@"),
    ),
    "erlang": (r"(?:-(?:module|record|type|spec|callback)\s*\(?\s*)?([a-z]\w{0,100})\s*\(", ("%",)),
    "clojure": (r"\((?:def\w*|ns)\s+(?:\^\S+\s+)*([^\s()\[\]]{1,100})", (";",)),
    "nix": (r"([\w.-]{1,100})\s*=", ("#",)),
    "glsl": (
        r"(?:(?:layout\([^)\n]*\)\s*)?(?:uniform|in|out|const|struct|buffer)\s+)?\w+(?:<[^>\n]*>)?\s+(\w{1,100})\s*[({;:=]",
        ("//", "/*", "*"),
    ),
    "cabal": (r"([\w-]{1,60})(?::|\s*$|\s+\S+\s*$)", ("--",)),
}
_COMMENTS = ("//", "/*", "*", "#", "--", ";;", "%", "'", "@", '"""')
_PATTERNS = {name: (re.compile(pattern, re.I), lead) for name, (pattern, lead) in _BY_LANGUAGE.items()}
_FALLBACK = (re.compile(_GENERIC), _COMMENTS)
LINE_LANGUAGES = tuple(_BY_LANGUAGE)
_CODE_WITHOUT_PATTERN = frozenset("dart julia ocaml elm perl r objc vue svelte astro starlark t4 fsharp".split())


def has_declarations(language: str, grammars: frozenset[str] = frozenset()) -> bool:
    """Whether lines of a language can be told to declare something."""
    return language in _PATTERNS or language in _CODE_WITHOUT_PATTERN or language in grammars


def declaration_lines(layout: Layout, language: str) -> Iterator[Entry]:
    """The lines that declare something."""
    pattern, _ = _PATTERNS.get(language, _FALLBACK)
    for number, line in enumerate(layout.lines, 1):
        text = line[:400].lstrip()
        match = pattern.match(text) if text else None
        if match is not None:
            name = next((group for group in match.groups() if group), "")
            yield Entry(number, layout.indent(number), name.strip(" \t{(:;\"'"))


def parse_lines(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut code at the lines that declare something; a long declaration is cut where it is least indented."""
    layout = Layout.of(source)
    _, lead = _PATTERNS.get(source.language, _FALLBACK)
    outline = Outline(layout, list(declaration_lines(layout, source.language)), lead)
    spans = tile(layout, outline.sections(), options)
    return ParsedFile(tuple(_chunk(outline, start, end) for start, end in spans))


def _chunk(outline: Outline, start: int, end: int) -> Chunk:
    declared = [entry.name for entry in outline.declared(start, end) if entry.name]
    around = [entry.name for entry in outline.around(start)]
    title = ".".join([*around, *declared[:1]]) or None
    return Chunk(start, end, "code", title, names=joined(declared), context=joined(around))
