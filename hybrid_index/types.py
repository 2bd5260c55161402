"""The frozen values that every package shares.

They carry facts and no behaviour to speak of, so that `languages`, `projects`, `embeddings`, `workspace` and `store`
can exchange them without importing one another. Lines are 1-based and inclusive; columns are 1-based and count UTF-16
code units, as compilers and editors report them. Paths are workspace-relative with `/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class HitKind(StrEnum):
    """How a result was found. The set is closed and stable: clients branch on it."""

    TEXT_FTS = "text_fts"
    TEXT_VECTOR = "text_vector"
    TEXT_HYBRID = "text_hybrid"
    TEXT_LITERAL = "text_literal"
    PATH = "path"
    SYMBOL_DECLARATION = "symbol_declaration"
    SYMBOL_REFERENCE = "symbol_reference"
    SYMBOL_EDGE = "symbol_edge"


class Confidence(StrEnum):
    """How far a symbol fact may be trusted."""

    EXACT = "exact"  # a compiler or language server said so
    INDEXED = "indexed"  # the syntax tree, unambiguous
    HEURISTIC = "heuristic"  # a name, a directory, history
    STALE = "stale"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a file; columns are absent where only lines are known."""

    start_line: int
    end_line: int
    start_column: int | None = None
    end_column: int | None = None


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file that the workspace scan offers for indexing."""

    path: str
    size: int
    mtime_ns: int
    language: str
    is_test: bool = False
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class SourceText:
    """The decoded text of one file: no byte-order mark, line ends normalised to LF, secrets masked.

    Masking keeps the number of lines, so line numbers stay those an editor shows.
    """

    path: str
    language: str
    text: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of whole lines that is indexed and returned as one unit.

    The text of a chunk is the file's lines `start_line..end_line`; everything else here is indexed beside the text and
    is never shown as file text.
    """

    start_line: int
    end_line: int
    kind: str  # e.g. "method", "type", "markup", "section", "config", "window"
    symbol: str | None = None  # the symbol declared by, or enclosing, the chunk: "OrderService.Create"
    names: str = ""  # names that the chunk declares (symbols, keys, element names), separated by spaces
    context: str = ""  # enclosing namespace, type, heading or key path, separated by spaces
    docs: str = ""  # documentation comments, headings, comments
    hints: str = ""  # what the text implies but does not say (paired types, routes): heuristic


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declaration found in a syntax tree.

    `doc_id` is the documentation-comment id (`M:Shop.Order.Ship(System.Int32)`) with parameter types as written; for
    languages without such ids it is the kind letter and the qualified name.
    """

    name: str
    kind: str  # "class", "method", "property", ...
    qualified_name: str
    doc_id: str
    span: Span  # the whole declaration with attributes, without its doc comment
    name_span: Span
    signature: str
    container: str | None = None  # doc_id of the containing type or namespace
    accessibility: str = ""
    modifiers: tuple[str, ...] = ()
    body: Span | None = None
    doc_start_line: int | None = None  # first line of the doc comment, where there is one
    doc_summary: str = ""
    roles: tuple[str, ...] = ()  # "controller", "test", "component", ...


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of a symbol at a position."""

    target: str  # doc_id of the symbol referred to
    kind: str  # "read", "write", "call", "construct", "inherit", "attribute", "typeof", "nameof", "cref", "markup", ...
    line: int
    column: int
    length: int
    enclosing: str | None  # doc_id of the member that contains the use
    confidence: Confidence
    bound_by: str  # how it was bound: "scope", "receiver type", "using static", ...


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two symbols or two projects."""

    source: str
    kind: str  # "base", "interface", "implements", "overrides", "call", "project_reference", ...
    target: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What one language adapter makes of one file."""

    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...] = ()
    hints: tuple[str, ...] = ()
    broken_regions: tuple[Span, ...] = field(default=())  # where the grammar failed; chunks cover them all the same
