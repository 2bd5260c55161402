"""Prose by heading: Markdown, reStructuredText and AsciiDoc."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hybrid_index.languages.cutting import Rank, tile
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.outline import Entry, Outline
from hybrid_index.languages.words import joined
from hybrid_index.types import Chunk, ParsedFile, SourceText

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NOT_PROSE = re.compile(r"\s*(?:[-*+>|]|\d+[.)]|#|`{3}|~{3}|$)|(?: {4}|\t)")
_INLINE = re.compile(r"!?\[([^\]\[]*)\](?:\([^()]*\)|\[[^\]\[]*\])|<[^<>]{1,200}>|[`*]+|\{#[\w-]+\}")
_RST_LINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}[ \t]*$")
_ASCIIDOC = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_MAX_TITLE = 200  # characters; a longer heading is a paragraph that lost its blank line


def parse_prose(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a document at its headings; a long section is cut between paragraphs, never first inside a code block."""
    layout = Layout.of(source)
    outline = Outline(layout, list(_FINDERS[source.language](layout)))
    rank = _between_paragraphs(layout)
    spans = tile(layout, outline.sections(), options, rank=rank)
    return ParsedFile(tuple(_chunk(outline, start, end) for start, end in spans))


def _chunk(outline: Outline, start: int, end: int) -> Chunk:
    declared = [entry.name for entry in outline.declared(start, end) if entry.name]
    around = [entry.name for entry in outline.around(start)]
    title = declared[0] if declared else around[-1] if around else None
    return Chunk(
        start,
        end,
        "section",
        title,
        names=joined(declared or around[-1:]),
        context=joined(around),
        docs=joined(declared),
    )


def _between_paragraphs(layout: Layout) -> Rank:
    fenced = _fenced_lines(layout)

    def rank(line: int) -> float:
        if line in fenced:
            return 3.0 if layout.is_blank(line - 1) else 4.0
        if layout.is_blank(line):
            return 2.0
        if layout.is_blank(line - 1):
            return float(min(layout.indent(line), 8)) / 10
        return 1.0 + float(min(layout.indent(line), 8)) / 10

    return rank


def _fenced_lines(layout: Layout) -> frozenset[int]:
    """Lines inside fenced code, the opening line excepted."""
    out: list[int] = []
    fence = ""
    for number, line in enumerate(layout.lines, 1):
        if fence:
            out.append(number)
            if _closes(line, fence):
                fence = ""
        elif (mark := _FENCE.match(line)) is not None and "`" not in line[mark.end() :]:
            fence = mark[1]
    return frozenset(out)


def _closes(line: str, fence: str) -> bool:
    text = line.strip()
    return text.startswith(fence) and not text.strip(fence[0])


def front_matter_end(layout: Layout) -> int:
    """The last line of a YAML or TOML block at the top of a document; 0 where there is none."""
    mark = layout.lines[0].strip()
    if mark not in ("---", "+++"):
        return 0
    for number, line in enumerate(layout.lines[1:200], 2):
        if line.strip() == mark:
            return number
    return 0


def plain_title(text: str) -> str:
    """A heading without its markup."""
    text = _CLOSING.sub("", text[: _MAX_TITLE * 5].rstrip())
    return " ".join(_INLINE.sub(lambda match: match[1] or "", text).split())[:_MAX_TITLE]


def _markdown(layout: Layout) -> Iterator[Entry]:
    fence = ""
    comment = False
    skip = front_matter_end(layout)
    for number, line in enumerate(layout.lines[skip:], skip + 1):
        if comment:
            comment = "-->" not in line
            continue
        if fence:
            if _closes(line, fence):
                fence = ""
            continue
        mark = _FENCE.match(line)
        if mark is not None and "`" not in line[mark.end() :]:
            fence = mark[1]
        elif "<!--" in line and "-->" not in line.rpartition("<!--")[2]:
            comment = True
        elif (heading := _ATX.match(line)) is not None:
            yield Entry(number, len(heading[1]), plain_title(line[heading.end() :]))
        elif number > skip + 1 and (under := _SETEXT.match(line)) is not None:
            title = layout.lines[number - 2]
            if not _NOT_PROSE.match(title):
                yield Entry(number - 1, 1 if under[1][0] == "=" else 2, plain_title(title))


def _restructured(layout: Layout) -> Iterator[Entry]:
    """Underlined titles; the order in which the signs appear gives their depth."""
    levels: dict[str, int] = {}
    lines = layout.lines
    number = 1
    while number < len(lines):
        title, under = lines[number - 1], lines[number]
        mark = _RST_LINE.match(under)
        over = mark is not None and number > 1 and _RST_LINE.match(lines[number - 2]) is not None
        is_title = (
            mark is not None
            and bool(title.strip())
            and not _RST_LINE.match(title)
            and len(under.rstrip()) >= min(len(title.strip()), 40)
            and (over or not title[0].isspace())
        )
        if mark is not None and is_title:
            sign = mark[1] + ("^" if over else "")
            depth = levels.setdefault(sign, len(levels) + 1)
            yield Entry(number - 1 if over else number, depth, plain_title(title))
            number += 1
        number += 1


def _asciidoc(layout: Layout) -> Iterator[Entry]:
    block = ""
    for number, line in enumerate(layout.lines, 1):
        text = line.rstrip()
        if block:
            if text == block:
                block = ""
        elif len(text) >= 4 and text in ("-" * len(text), "." * len(text), "=" * len(text), "+" * len(text)):
            block = text
        elif (heading := _ASCIIDOC.match(line)) is not None:
            yield Entry(number, len(heading[1]), plain_title(line[heading.end() :]))


_FINDERS: dict[str, Callable[[Layout], Iterator[Entry]]] = {
    "markdown": _markdown,
    "restructuredtext": _restructured,
    "asciidoc": _asciidoc,
}
PROSE_LANGUAGES = tuple(_FINDERS)
