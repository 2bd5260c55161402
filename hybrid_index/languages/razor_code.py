"""The C# blocks of a Razor file: where they are, and their members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hybrid_index.languages.csharp.chunks import members_of
from hybrid_index.languages.layout import Layout
from hybrid_index.types import Span, Symbol

_OPENING = re.compile(r"^[ \t]*@(code|functions)\b\s*\{", re.M)
_TOKEN = re.compile(
    r"\"\"\"(?:.*?\"\"\"|.*)|(?:@\$?|\$@)\"(?:[^\"]|\"\")*+\"?|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?"
    r"|'(?:\\.|[^'\\\n])[^'\n]{0,8}'|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|@\*(?:[^*]|\*(?!@))*+(?:\*@)?|[{}]",
    re.S,
)


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A `@code` or `@functions` block: offsets of its braces."""

    start: int  # of the directive
    opening: int
    closing: int


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """The code blocks of a file in order; one without a closing brace goes on to the end."""
    position = 0
    while (match := _OPENING.search(text, position)) is not None:
        opening = match.end() - 1
        closing = _closing_brace(text, opening)
        yield CodeBlock(match.start(), opening, closing)
        position = closing + 1


def _closing_brace(text: str, opening: int) -> int:
    depth = 0
    for match in _TOKEN.finditer(text, opening):
        token = match.group()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return len(text)


def block_members(layout: Layout, block: CodeBlock, head: str, type_id: str) -> tuple[Symbol, ...]:
    """Declarations of a block as members of the component's class, at the places they have in the file.

    `head` is the class declaration that the block stands for, `type_id` its documentation id.
    """
    line = layout.line_at(block.opening)
    opening = f"{head} {{"
    text = "\n" * (line - 1) + opening + layout.text[block.opening + 1 : block.closing + 1]
    shift = block.opening - layout.offsets[line - 1] + 1 - len(opening)
    members = [symbol for symbol in members_of(text) if symbol.doc_id != type_id]
    return tuple(_shifted(symbol, line, shift) for symbol in members)


def _shifted(symbol: Symbol, line: int, columns: int) -> Symbol:
    """Undo what the class declaration moved on its own line."""
    if symbol.span.start_line != line:
        return symbol
    return replace(
        symbol,
        span=_moved(symbol.span, line, columns),
        name_span=_moved(symbol.name_span, line, columns),
        body=_moved(symbol.body, line, columns) if symbol.body is not None else None,
    )


def _moved(span: Span, line: int, columns: int) -> Span:
    start, end = span.start_column, span.end_column
    return Span(
        span.start_line,
        span.end_line,
        start + columns if start is not None and span.start_line == line else start,
        end + columns if end is not None and span.end_line == line else end,
    )
