"""The tree-sitter grammars of other languages: each a wheel and a query file, loaded when first needed.

A query file (`queries/<name>.scm`) captures a declaration as `@definition.<kind>` with its `@name`; `@scope` marks what
qualifies names without being a declaration (an `impl` block), `@receiver` the type that a function belongs to, `@doc`
documentation inside a body. A further language is a row here and a query file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from tree_sitter import Language, Query

_SLASHES = ("//", "/*", "*/")
_HASH = ("#",)


@dataclass(frozen=True, slots=True)
class Grammar:
    """Where a grammar comes from, and what a language's comments and attributes look like."""

    module: str
    query: str
    function: str = "language"
    comments: tuple[str, ...] = _SLASHES  # beginnings of comment lines
    block: tuple[str, str] = ("/*", "*/")  # around comments of several lines
    attributes: tuple[str, ...] = ("@",)  # beginnings of lines that stand between a comment and its declaration
    clauses: bool = False  # one function may be written as several declarations in a row


GRAMMARS: dict[str, Grammar] = {
    "python": Grammar("tree_sitter_python", "python", comments=_HASH, block=("\0", "\0")),
    "javascript": Grammar("tree_sitter_javascript", "javascript"),
    "typescript": Grammar("tree_sitter_typescript", "typescript", "language_typescript"),
    "tsx": Grammar("tree_sitter_typescript", "typescript", "language_tsx"),
    "java": Grammar("tree_sitter_java", "java"),
    "go": Grammar("tree_sitter_go", "go"),
    "rust": Grammar("tree_sitter_rust", "rust", attributes=("#[", "#![")),
    "kotlin": Grammar("tree_sitter_kotlin", "kotlin"),
    "c": Grammar("tree_sitter_c", "c", attributes=("__attribute__", "[[")),
    "cpp": Grammar("tree_sitter_cpp", "cpp", attributes=("__attribute__", "[[")),
    "ruby": Grammar("tree_sitter_ruby", "ruby", comments=_HASH, block=("=begin", "=end")),
    "php": Grammar("tree_sitter_php", "php", "language_php", comments=("//", "/*", "*/", "# "), attributes=("#[",)),
    "swift": Grammar("tree_sitter_swift", "swift"),
    "scala": Grammar("tree_sitter_scala", "scala"),
    "elixir": Grammar(
        "tree_sitter_elixir", "elixir", comments=_HASH, block=("@doc", '"""'), attributes=("@",), clauses=True
    ),
    "haskell": Grammar("tree_sitter_haskell", "haskell", comments=("--",), block=("{-", "-}"), clauses=True),
    "lua": Grammar("tree_sitter_lua", "lua", comments=("--",), block=("--[", "]]")),
    "bash": Grammar("tree_sitter_bash", "bash", comments=_HASH, block=("\0", "\0")),
    "zig": Grammar("tree_sitter_zig", "zig", comments=("//",), block=("\0", "\0")),
    "powershell": Grammar(
        "tree_sitter_powershell", "powershell", comments=_HASH, block=("<#", "#>"), attributes=("[",)
    ),
    "sql": Grammar("tree_sitter_sql", "sql", comments=("--", "/*", "*/")),
    "fsharp": Grammar("tree_sitter_fsharp", "fsharp", comments=("//",), block=("(*", "*)"), attributes=("[<",)),
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A grammar ready for use."""

    grammar: Grammar
    language: Language
    query: Query
    kinds: tuple[str, ...]  # what each pattern of the query defines; "" for a pattern that only adds to others


@cache
def load(name: str) -> Loaded | None:
    """Load a language's grammar; None where its wheel is not installed."""
    grammar = GRAMMARS[name]
    try:
        module = import_module(grammar.module)
    except ImportError:
        return None
    language = Language(getattr(module, grammar.function)())
    text = (Path(__file__).parent / "queries" / f"{grammar.query}.scm").read_text(encoding="utf-8")
    query = Query(language, text)
    kinds = tuple(_kind(text, query, index) for index in range(query.pattern_count))
    return Loaded(grammar, language, query, kinds)


def _kind(text: str, query: Query, index: int) -> str:
    pattern = text.encode()[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
    if "@scope" in pattern:
        return "scope"
    _, found, kind = pattern.partition("@definition.")
    return kind.split()[0].rstrip(")") if found else ""
