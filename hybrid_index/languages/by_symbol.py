"""Code by symbol: a member with its comment and attributes stays whole, a type too large for one chunk has a header."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from hybrid_index.languages.cutting import Rank, Section, nest, tile
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.words import joined
from hybrid_index.types import Chunk, Symbol

TYPE_KINDS = frozenset(
    "class struct interface record enum delegate trait module object protocol extension union type impl actor".split()
) | {"record struct"}
_INSIDE_OTHERS = frozenset({"enum_member", "parameter", "lambda", "enum member"})  # never units of their own
_UNNAMED = frozenset({"namespace", "scope"})  # they qualify names and are not looked for themselves
_MAX_LEAD = 80  # lines of comments and attributes above a symbol that belong to it
_MAX_HINTS = 120  # member names that a type's header is found by
_MAX_DOCS = 20  # documentation texts of one chunk


class SymbolIndex:
    """The symbols of a file by line: which are declared in a span, which are around it."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self._named = sorted(
            (s for s in symbols if s.kind not in _UNNAMED), key=lambda s: (s.name_span.start_line, -s.span.end_line)
        )
        self._name_lines = [symbol.name_span.start_line for symbol in self._named]
        self._spans = sorted(
            (s for s in symbols if s.kind not in _INSIDE_OTHERS), key=lambda s: (s.span.start_line, -s.span.end_line)
        )
        self._span_lines = [symbol.span.start_line for symbol in self._spans]
        self._parents = _parents(self._spans)
        self._members: dict[str, list[str]] = {}
        for symbol in self._named:
            if symbol.container is not None:
                self._members.setdefault(symbol.container, []).append(symbol.name)

    def declared(self, start: int, end: int) -> list[Symbol]:
        """Symbols whose names stand in a span of lines, namespaces left out."""
        return self._named[bisect_left(self._name_lines, start) : bisect_right(self._name_lines, end)]

    def around(self, start: int, end: int) -> list[Symbol]:
        """Symbols that began before a span and go on to its end at least, outermost first."""
        index = bisect_left(self._span_lines, start) - 1
        out: list[Symbol] = []
        while index >= 0:
            if self._spans[index].span.end_line >= end:
                out.append(self._spans[index])
            index = self._parents[index]
        return out[::-1]

    def members(self, symbol: Symbol) -> list[str]:
        """Names of the members of a type."""
        return self._members.get(symbol.doc_id, [])


def _parents(spans: Sequence[Symbol]) -> list[int]:
    out: list[int] = []
    stack: list[int] = []
    for index, symbol in enumerate(spans):
        while stack and spans[stack[-1]].span.end_line < symbol.span.end_line:
            stack.pop()
        out.append(stack[-1] if stack else -1)
        stack.append(index)
    return out


def symbol_sections(layout: Layout, symbols: Sequence[Symbol], lead: tuple[str, ...]) -> list[Section]:
    """The declarations of a file as a tree of line spans; lines above one that begin with `lead` belong to it."""
    spans: list[tuple[int, int]] = []
    for symbol in symbols:
        if symbol.kind in _INSIDE_OTHERS or symbol.span.start_line > layout.count:
            continue
        start = min(symbol.doc_start_line or symbol.span.start_line, symbol.span.start_line)
        spans.append((start, min(symbol.span.end_line, layout.count)))
    spans.sort(key=lambda span: (span[0], -span[1]))
    ends: set[int] = {end for _, end in spans}
    return nest([(_with_lead(layout, start, lead, ends), end) for start, end in spans])


def _with_lead(layout: Layout, start: int, lead: tuple[str, ...], ends: set[int]) -> int:
    line = start
    while line > 1 and start - line < _MAX_LEAD and line - 1 not in ends:
        if not layout.lines[line - 2].lstrip().startswith(lead):
            break
        line -= 1
    return line


def symbol_chunks(
    layout: Layout,
    symbols: Sequence[Symbol],
    options: ChunkingOptions,
    lead: tuple[str, ...] = ("//", "#"),
    rank: Rank | None = None,
) -> list[Chunk]:
    """Cut a file along its symbols."""
    spans = tile(layout, symbol_sections(layout, symbols, lead), options, rank=rank)
    index = SymbolIndex(symbols)
    return [describe(index, start, end) for start, end in spans]


def describe(index: SymbolIndex, start: int, end: int) -> Chunk:
    """The chunk of a span: the symbols that it declares, what is around it, their documentation."""
    declared = index.declared(start, end)
    around = index.around(start, end)
    enclosing = [symbol.name for symbol in around if symbol.kind != "namespace"]
    main = next((s for s in declared if s.kind in TYPE_KINDS), declared[0] if declared else None)
    kind = main.kind if main is not None else around[-1].kind if enclosing else "file header"
    return Chunk(
        start_line=start,
        end_line=end,
        kind=kind.replace(" ", "_"),
        symbol=".".join([*enclosing, main.name] if main is not None else enclosing) or None,
        names=joined(symbol.name for symbol in declared),
        context=joined([_namespace(around[0] if around else main), *(s.name for s in around if s.kind != "namespace")]),
        docs=joined((symbol.doc_summary for symbol in declared), _MAX_DOCS),
        hints=joined(index.members(main), _MAX_HINTS) if main is not None and main.kind in TYPE_KINDS else "",
    )


def _namespace(outermost: Symbol | None) -> str:
    """What qualifies the outermost symbol around a chunk; for a namespace, itself."""
    if outermost is None or outermost.kind == "namespace":
        return outermost.qualified_name if outermost is not None else ""
    return outermost.qualified_name.rpartition(".")[0]
