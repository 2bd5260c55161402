"""Other languages: one adapter for all of them, driven by a grammar and a query file.

A symbol's `doc_id` is a kind letter and its qualified name inside the file (`M:Server.Run`); a function inside another
has the letter `L`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

from hybrid_index.languages.by_symbol import TYPE_KINDS, symbol_chunks
from hybrid_index.languages.declaration_lines import parse_lines
from hybrid_index.languages.grammars import Grammar, Loaded, load
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.trees import broken_regions, matches, parse_bounded, statement_rank
from hybrid_index.types import ParsedFile, SourceText, Span, Symbol

_LETTERS = {
    **dict.fromkeys(("namespace", "module"), "N"),
    **dict.fromkeys(("function", "method", "constructor", "macro", "test", "procedure", "trigger"), "M"),
    **dict.fromkeys(("field", "const", "variable", "enum_member", "column", "index"), "F"),
    "property": "P",
}
_CONTAINERS = TYPE_KINDS | {"namespace", "scope", "table"}
_MERGED = frozenset({"function", "method", "macro"})
_DEFINITION = "definition."
_QUALIFIED = re.compile(r"\s*(?:::|\.|:(?=\w))\s*")
_GENERIC_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_RECEIVER = re.compile(r"[\w.]+")
_ACCESS = re.compile(r"\b(public|private|protected|internal|fileprivate|export|pub)\b")
_COMMENT_SIGNS = re.compile(
    r"^\s*(?:/\*\*?|\*/|\*+(?!/)|//[/!]?|#+!?|--+[|^]?|--\[=*\[|;+|<#|#>|\{-\s*\|?|\(\*+|@\w*doc)? ?"
)
_DOC_END = re.compile(r"(?:\*/|-\}|\]=*\]|#>|\*\)|\"\"\"|''')\s*$")
_MAX_SIGNATURE = 400
_MAX_DOC = 600
_MAX_DOC_LINES = 100
_CPP = re.compile(r"^\s*(?:namespace\b|template\s*<|class\s+\w|(?:public|private|protected):|using\s+\w)|::", re.M)


@dataclass(slots=True)
class _Item:
    """One declaration while it is put together."""

    kind: str
    pattern: int
    node: Node
    name: Node
    start: int
    end: int
    receiver: Node | None = None
    doc: Node | None = None


def parse_tagged(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a file along the declarations that its language's query finds; without a grammar, along declaration lines."""
    loaded = load(_dialect(source))
    data = source.text.encode("utf-8", "replace")
    tree = parse_bounded(loaded.language, data) if loaded is not None else None
    if loaded is None or tree is None:
        return parse_lines(source, options)
    root = tree.root_node
    layout = Layout.of(source)
    symbols = _Tagger(layout, data, loaded).symbols(root)
    if not symbols:
        return parse_lines(source, options)
    lead = (*loaded.grammar.comments, *loaded.grammar.attributes)
    chunks = symbol_chunks(layout, symbols, options, lead, statement_rank(root, layout))
    declared = tuple(symbol for symbol in symbols if symbol.kind != "scope")
    return ParsedFile(tuple(chunks), declared, broken_regions=broken_regions(root))


def _dialect(source: SourceText) -> str:
    """The grammar for a file: a C header is often C++."""
    if source.language == "c" and source.path.endswith((".h", ".H")) and _CPP.search(source.text):
        return "cpp"
    return source.language


class _Tagger:
    """Turns the matches of a query over one file into symbols."""

    def __init__(self, layout: Layout, data: bytes, loaded: Loaded) -> None:
        self._layout = layout
        self._data = data
        self._ascii = len(data) == len(layout.text)
        self._loaded = loaded
        self._grammar: Grammar = loaded.grammar

    def symbols(self, root: Node) -> list[Symbol]:
        """Every declaration in order, scopes included."""
        items = sorted(self._items(root), key=lambda item: (item.start, -item.end, item.pattern))
        out: list[Symbol] = []
        stack: list[tuple[int, Symbol]] = []
        for item in items:
            while stack and stack[-1][0] < item.end:
                stack.pop()
            symbol = self._symbol(item, [symbol for _, symbol in stack])
            if self._grammar.clauses and out and _is_clause_of(out[-1], symbol):
                out[-1] = _united(out[-1], symbol)
                continue
            out.append(symbol)
            stack.append((item.end, symbol))
        return out

    def _items(self, root: Node) -> Iterable[_Item]:
        """One item for each name: the widest node and the first pattern that declares it."""
        found: dict[int, _Item] = {}
        docs: dict[int, Node] = {}
        kinds = self._loaded.kinds
        for pattern, captures in matches(self._loaded.query, root, self._data):
            names = captures.get("name")
            if not names:
                continue
            name = names[0]
            key = name.start_byte
            kind = kinds[pattern]
            if not kind:
                docs[key] = captures["doc"][0]
                continue
            node = captures["scope" if kind == "scope" else _DEFINITION + kind][0]
            receivers = captures.get("receiver")
            known = found.get(key)
            if known is None:
                start, end = node.byte_range
                receiver = receivers[0] if receivers else None
                found[key] = _Item(kind, pattern, node, name, start, end, receiver)
                continue
            if pattern < known.pattern:
                known.kind, known.pattern = kind, pattern
            if node.start_byte < known.start or node.end_byte > known.end:
                known.node = node
                known.start, known.end = node.byte_range
        for key, doc in docs.items():
            if key in found:
                found[key].doc = doc
        return found.values()

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : min(node.end_byte, node.start_byte + 4_000)].decode("utf-8", "replace")

    def _symbol(self, item: _Item, around: list[Symbol]) -> Symbol:
        qualifier, name = self._names(item)
        container = next((s for s in reversed(around) if s.kind in _CONTAINERS or s.kind in _MERGED), None)
        kind = item.kind
        owner = container.doc_id if container is not None else None
        if kind == "function" and container is not None and container.kind in _MERGED:
            kind = "local function"
        elif kind == "function" and (
            qualifier or (container is not None and container.kind in _CONTAINERS - {"namespace", "module"})
        ):
            kind = "method"
        prefix = container.qualified_name if container is not None else ""
        qualified = ".".join(part for part in (prefix, qualifier, name) if part)
        if qualifier and owner is None:
            owner = f"T:{qualifier}"
        letter = "L" if kind == "local function" else _LETTERS.get(kind, "T")
        signature = self._signature(item)
        doc_line, summary = self._doc(item)
        access = _ACCESS.search(signature)
        return Symbol(
            name=name,
            kind=kind,
            qualified_name=qualified,
            doc_id=f"{letter}:{qualified}",
            span=self._span(item.node),
            name_span=self._span(item.name),
            signature=signature,
            container=owner,
            accessibility=access[1].replace("pub", "public")
            if access and access[1] == "pub"
            else access[1]
            if access
            else "",
            body=None,
            doc_start_line=doc_line,
            doc_summary=summary,
            roles=("test",) if kind == "test" else (),
        )

    def _names(self, item: _Item) -> tuple[str, str]:
        """What qualifies a name where it is declared (`Server` in `func (s *Server) Run`), and the name."""
        text = " ".join(self._text(item.name).split())
        if item.receiver is not None:
            receiver = _RECEIVER.search(_GENERIC_ARGUMENTS.sub("", self._text(item.receiver)))
            return (receiver[0].rpartition(".")[2] if receiver else "", text)
        before, operator, after = text.partition("operator")
        if operator and not after[:1].isalnum() and not after.startswith("_"):
            return ".".join(part for part in _QUALIFIED.split(before) if part), operator + after
        if item.kind == "test":
            return "", text[:120]
        previous = ""
        while previous != text and ("<" in text or "[" in text):
            previous, text = text, _GENERIC_ARGUMENTS.sub("", text)
        parts = [part for part in _QUALIFIED.split(text.strip("\"'`&* ")) if part]
        return ".".join(parts[:-1]), parts[-1] if parts else text

    def _span(self, node: Node) -> Span:
        start, end = node.start_point, node.end_point
        if self._ascii:
            return Span(start[0] + 1, end[0] + 1, start[1] + 1, end[1] + 1)
        return Span(start[0] + 1, end[0] + 1, self._column(start[0], start[1]), self._column(end[0], end[1]))

    def _column(self, row: int, column: int) -> int:
        if row >= self._layout.count:
            return 1
        line = self._layout.lines[row]
        if line.isascii() or column == 0:
            return column + 1
        before = line.encode("utf-8", "replace")[:column].decode("utf-8", "replace")
        return len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1

    def _signature(self, item: _Item) -> str:
        """The declaration from its own line up to its body, on one line."""
        line_start = item.name.start_byte - item.name.start_point[1]
        start = max(item.start, line_start)
        text = self._data[start : min(item.end, start + _MAX_SIGNATURE)].decode("utf-8", "replace")
        depth = 0
        for position, char in enumerate(text):
            if char in "([":
                depth += 1
            elif char in ")]":
                depth -= 1
            elif depth <= 0 and char in "{;\n":
                text = text[:position]
                break
        text = " ".join(text.split())
        for ending in (" do", ":", " =", " then", " where"):
            text = text.removesuffix(ending)
        return text

    def _doc(self, item: _Item) -> tuple[int | None, str]:
        """First line and text of the comment above a declaration, or the text of its docstring."""
        first = self._comment_start(item.node.start_point[0] + 1)
        if item.doc is not None:
            text = self._text(item.doc).strip("rRbBuUfF").strip("\"'")
            return first, " ".join(text.split())[:_MAX_DOC]
        if first is None:
            return None, ""
        lines = self._layout.lines[first - 1 : item.node.start_point[0]]
        lead = self._grammar.attributes
        kept = [
            _DOC_END.sub("", _COMMENT_SIGNS.sub("", line, count=1)) for line in lines if not _is_attribute(line, lead)
        ]
        return first, " ".join(" ".join(kept).split())[:_MAX_DOC]

    def _comment_start(self, line: int) -> int | None:
        """The first line of the comments right above a line; attributes may stand between."""
        lines = self._layout.lines
        opening, closing = self._grammar.block
        first: int | None = None
        line -= 1
        floor = max(line - _MAX_DOC_LINES, 0)
        while line > floor:
            text = lines[line - 1].strip()
            if closing in text and not text.startswith(self._grammar.comments[:1]):
                start = line
                while start > floor and opening not in lines[start - 1]:
                    start -= 1
                if start == floor or not lines[start - 1].lstrip().startswith(opening):
                    break
                first, line = start, start - 1
            elif text.startswith(self._grammar.comments):
                first, line = line, line - 1
            elif _is_attribute(text, self._grammar.attributes):
                line -= 1
            else:
                break
        return first


def _is_attribute(line: str, attributes: tuple[str, ...]) -> bool:
    text = line.lstrip()
    return text.startswith(attributes) and not text.startswith(("@doc", "@moduledoc"))


def _is_clause_of(before: Symbol, after: Symbol) -> bool:
    return (
        before.kind == after.kind
        and before.kind in _MERGED
        and before.qualified_name == after.qualified_name
        and after.span.start_line - before.span.end_line <= 3
    )


def _united(before: Symbol, after: Symbol) -> Symbol:
    """A function whose clauses are written one after another."""
    span = Span(before.span.start_line, after.span.end_line, before.span.start_column, after.span.end_column)
    return Symbol(
        name=before.name,
        kind=before.kind,
        qualified_name=before.qualified_name,
        doc_id=before.doc_id,
        span=span,
        name_span=before.name_span,
        signature=before.signature,
        container=before.container,
        accessibility=before.accessibility,
        doc_start_line=before.doc_start_line,
        doc_summary=before.doc_summary or after.doc_summary,
    )
