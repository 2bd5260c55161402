"""Razor components, pages and views: directives and markup by element, code blocks as C#.

The file is a class of its name, as the Razor compiler makes one: its members are symbols with that class's ids. The
namespace is the one that the file declares; without one it is left out, since only the project knows it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hybrid_index.languages.by_symbol import SymbolIndex, symbol_sections
from hybrid_index.languages.csharp.chunks import LEAD
from hybrid_index.languages.cutting import Section, nest, tile
from hybrid_index.languages.elements import Element, ElementIndex, elements
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.razor_code import CodeBlock, block_members, code_blocks
from hybrid_index.languages.words import found, joined
from hybrid_index.types import Chunk, ParsedFile, SourceText, Span, Symbol

_PAGE = re.compile(r"^[ \t]*@page[ \t]+\"([^\"\n]{1,300})\"", re.M)
_INJECT = re.compile(r"^[ \t]*@inject[ \t]+([\w.<>,?\[\] ]{1,200})[ \t](\w{1,100})[ \t]*;?[ \t]*$", re.M)
_NAMESPACE = re.compile(r"^[ \t]*@namespace[ \t]+([\w.]{1,300})", re.M)
_TYPE_PARAMETER = re.compile(r"^[ \t]*@typeparam[ \t]+(\w{1,100})", re.M)
_DIRECTIVE = re.compile(
    r"^[ \t]*@(?:page[ \t]+\"([^\"\n]{1,300})\"|section[ \t]+(\w{1,100})"
    r"|(?:model|inherits|layout|inject|implements|rendermode)[ \t]+([\w.<>,?\[\] ]{1,200}))",
    re.M,
)
_NAMED = re.compile(
    r"@ref\s*=\s*\"@?([\w.]{1,100})\"|(?<![\w-])(?:id|name|for|slot)\s*=\s*\"([\w.:-]{1,100})\""
    r"|\basp-[\w-]{1,60}\s*=\s*\"([^\"\n]{1,200})\""
)
_HINTS = re.compile(
    r"@(?:on\w{1,40}|bind[\w:-]{0,60})\s*=\s*\"@?(?:\(?[^\"\n]{0,40}=>\s*)?([\w.]{1,100})"
    r"|@bind-([A-Z]\w{0,100})|\bclass\s*=\s*\"([\w -]{1,200})\"|(?<!\w)@([A-Z][\w.]{1,100})"
    r"|\b(?:href|Href|src|action)\s*=\s*\"([/~@\w][^\"\s\n]{0,200})\""
)
_HEADING = re.compile(r"<(?:h[1-6]|title|PageTitle|MudText|legend)\b[^<>\n]{0,200}>([^<>@\n]{1,200})<")
_COMMENT = re.compile(r"@\*(.{1,400}?)\*@", re.S)
_ANY_COMMENT = re.compile(r"@\*(?:.*?\*@|.*)", re.S)
_CONTROL = re.compile(r"([ \t]*)@(?:if|for|foreach|while|switch|using|lock|try|section|\{)(?!\w)")
_ELSE = re.compile(r"[ \t]*(?:\}[ \t]*)?(?:else|catch|finally)\b")
_MAX_CONTROL = 2_000  # lines of one control block
_MAX_LOOKED_AT = 300_000  # lines looked at for ends of control blocks in one file


def parse_razor(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a Razor file; members of its code blocks are symbols of the component, whose name is the file's."""
    layout = Layout.of(source)
    view = View(layout, source)
    whole = layout.size(1, layout.count) <= options.small_file_chars
    sections = [] if whole else view.sections()
    chunks: list[Chunk] = []
    elements_by_line = ElementIndex(view.elements)
    for start, end in tile(layout, sections, options):
        inside, around = elements_by_line.take(start, end)
        chunks.append(view.chunk(start, end, inside, around, is_first=not chunks))
    return ParsedFile(tuple(chunks), (view.component(), *view.symbols), (view.qualified,))


class View:
    """One Razor file, taken apart."""

    def __init__(self, layout: Layout, source: SourceText) -> None:
        self.layout = layout
        text = layout.text
        self.name = re.sub(r"\W", "_", posixpath.basename(source.path).split(".")[0]) or "_"
        self.is_component = source.language == "razor"
        declared = _NAMESPACE.search(text)
        self.namespace = declared[1] if declared else ""
        self.type_parameters = _TYPE_PARAMETER.findall(text)
        arity = f"`{len(self.type_parameters)}" if self.type_parameters else ""
        self.qualified = ".".join(filter(None, (self.namespace, self.name))) + arity
        self.blocks = list(code_blocks(text))
        self.elements = elements(layout, self._markup_only())
        self.members = [symbol for block in self.blocks for symbol in self._members(block)]
        self.symbols: list[Symbol] = [*self._routes(), *self._injected(), *self.members]
        self._index = SymbolIndex(self.members)

    def _markup_only(self) -> str:
        """The text with code blocks and comments blanked, every offset kept."""
        parts: list[str] = []
        position = 0
        for block in self.blocks:
            parts += [self.layout.text[position : block.start], " " * (block.closing - block.start)]
            position = block.closing
        parts.append(self.layout.text[position:])
        return _ANY_COMMENT.sub(lambda match: " " * len(match.group()), "".join(parts))

    def _members(self, block: CodeBlock) -> Sequence[Symbol]:
        parameters = f"<{', '.join(self.type_parameters)}>" if self.type_parameters else ""
        namespace = f"namespace {self.namespace}; " if self.namespace else ""
        members = block_members(
            self.layout, block, f"{namespace}partial class {self.name}{parameters}", f"T:{self.qualified}"
        )
        return [self._with_role(symbol) for symbol in members]

    def _with_role(self, symbol: Symbol) -> Symbol:
        """Mark a component's parameters, which markup elsewhere sets as attributes."""
        if symbol.kind != "property":
            return symbol
        lines = "\n".join(self.layout.lines[symbol.span.start_line - 1 : symbol.name_span.start_line])
        return replace(symbol, roles=(*symbol.roles, "parameter")) if _PARAMETER.search(lines) else symbol

    def component(self) -> Symbol:
        """The class that the file is."""
        layout = self.layout
        return Symbol(
            name=self.name,
            kind="component" if self.is_component else "view",
            qualified_name=self.qualified,
            doc_id=f"T:{self.qualified}",
            span=Span(1, layout.count),
            name_span=Span(1, 1),
            signature=f"{'component' if self.is_component else 'view'} {self.qualified}",
            accessibility="public",
            roles=("page",) if _PAGE.search(layout.text) else (),
        )

    def _routes(self) -> Iterator[Symbol]:
        for match in _PAGE.finditer(self.layout.text):
            yield self._declared(match, 1, "route", f"R:{match[1]}", match[1])

    def _injected(self) -> Iterator[Symbol]:
        for match in _INJECT.finditer(self.layout.text):
            yield self._declared(match, 2, "property", f"P:{self.qualified}.{match[2]}", f"{self.qualified}.{match[2]}")

    def _declared(self, match: re.Match[str], group: int, kind: str, doc_id: str, qualified: str) -> Symbol:
        return Symbol(
            name=match[group],
            kind=kind,
            qualified_name=qualified,
            doc_id=doc_id,
            span=self.layout.span(match.start(), match.end()),
            name_span=self.layout.span(match.start(group), match.end(group)),
            signature=match.group().strip(),
            container=f"T:{self.qualified}",
            roles=("inject",) if kind == "property" else (),
        )

    def sections(self) -> list[Section]:
        """Elements, control blocks, code blocks and their members as one tree of line spans."""
        spans = [(element.start_line, element.end_line) for element in self.elements]
        spans += _control_blocks(self.layout)
        line_at = self.layout.line_at
        code = [(line_at(block.start), line_at(block.closing)) for block in self.blocks]
        members = symbol_sections(self.layout, self.members, LEAD)
        spans += code
        spans += [(section.start, section.end) for section in members]
        return nest(sorted(spans, key=lambda span: (span[0], -span[1])))

    def chunk(self, start: int, end: int, inside: list[Element], around: list[Element], *, is_first: bool) -> Chunk:
        """The chunk of a span: what it declares, what it uses, where it stands."""
        text = self.layout.slice(start, end)
        declared = self._index.declared(start, end)
        enclosing = [symbol.name for symbol in self._index.around(start, end)]
        is_code = not inside and bool(declared or enclosing)
        main = declared[0] if declared and is_code else None
        path = [self.name, *enclosing, main.name] if main is not None else [self.name, *enclosing]
        components = [element.tag for element in inside if element.tag[:1].isupper() or "-" in element.tag]
        return Chunk(
            start,
            end,
            (main.kind if main is not None else "code") if is_code else "markup",
            ".".join(path),
            names=joined(
                [
                    *([self.name] if is_first else []),
                    *found(_DIRECTIVE, text),
                    *(symbol.name for symbol in declared),
                    *found(_NAMED, text),
                ]
            ),
            context=joined([self.qualified, *(e.tag for e in around if e.tag[:1].isupper()), *enclosing]),
            docs=joined(
                [
                    *(symbol.doc_summary for symbol in declared),
                    *(" ".join(words.split()) for words in (*found(_HEADING, text), *found(_COMMENT, text))),
                ],
                20,
            ),
            hints=joined([*components, *found(_HINTS, text)]),
        )


_PARAMETER = re.compile(r"\[(?:[\w.]+,\s*)*(?:Cascading)?Parameter\b")


def _control_blocks(layout: Layout) -> list[tuple[int, int]]:
    """Lines of `@if`, `@foreach`, `@{` and the like, up to the closing brace with the same indentation."""
    out: list[tuple[int, int]] = []
    lines = layout.lines
    looked_at = 0
    for number, text in enumerate(lines, 1):
        match = _CONTROL.match(text)
        if match is None or looked_at > _MAX_LOOKED_AT:
            continue
        margin = match[1]
        line = number
        while line < min(layout.count, number + _MAX_CONTROL):
            line += 1
            looked_at += 1
            following = lines[line - 1]
            if following.startswith(margin + "}") and not _ELSE.match(following):
                if line < layout.count and _ELSE.match(lines[line]) and lines[line].startswith(margin):
                    continue
                out.append((number, line))
                break
    return out
