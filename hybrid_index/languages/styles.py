"""Style sheets by rule: CSS, SCSS and Less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hybrid_index.languages.cutting import nest, tile
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.words import found, joined
from hybrid_index.types import Chunk, ParsedFile, SourceText

_TOKEN = re.compile(
    r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
    r"|(?<!:)//[^\n]*+|#\{|[{};]"
)
_NAMES = re.compile(
    r"([.#](?!\d)[A-Za-z_-][\w-]{0,80})(?=[^;{}\n]*(?:[{,]|$))|(--[\w-]{1,80})\s*:|([$@][\w-]{1,80})\s*:"
    r"|@(?:mixin|include|function|keyframes|extend|layer|font-face|container)\s+([\w.%-]{1,80})",
    re.M,
)
_COMMENT = re.compile(r"/\*+(.{1,400}?)\*/", re.S)
_MAX_SELECTOR = 160


def rules(layout: Layout) -> Iterator[tuple[int, int]]:
    """Lines of rules and at-rules at any depth, outermost first, with the comments above them."""
    spans: list[list[int]] = []
    stack: list[int] = []
    begin = 0  # where the text of the current selector or declaration begins
    text = layout.text
    interpolated = 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "#{":
            interpolated += 1
        elif token == "{":
            head = text[begin : match.start()]
            lead = len(head) - len(head.lstrip())
            spans.append([layout.line_at(begin + lead), 0])
            stack.append(len(spans) - 1)
            begin = match.end()
        elif token == "}" and interpolated:
            interpolated -= 1
        elif token == "}":
            if stack:
                spans[stack.pop()][1] = layout.line_at(match.start())
            begin = match.end()
        elif token == ";":
            begin = match.end()
    for start, end in spans:
        yield start, max(end, start)


def parse_styles(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a style sheet between its rules; names are classes, ids, variables, mixins and animations."""
    layout = Layout.of(source)
    chunks: list[Chunk] = []
    for start, end in tile(layout, nest(list(rules(layout))), options):
        text = layout.slice(start, end)
        chunks.append(
            Chunk(
                start,
                end,
                "style",
                _selector(text),
                names=joined(found(_NAMES, text)),
                docs=joined((" ".join(comment.split()) for comment in found(_COMMENT, text)), 5),
            )
        )
    return ParsedFile(tuple(chunks))


def _selector(text: str) -> str | None:
    """The first selector of a chunk."""
    head, brace, _ = _COMMENT.sub("", text[:4_000]).partition("{")
    selector = " ".join(head.rpartition(";")[2].rpartition("}")[2].split())
    return selector[:_MAX_SELECTOR] if brace and selector else None
