"""XML and its dialects (MSBuild, resources, settings) and HTML templates by element."""

from __future__ import annotations

import re

from hybrid_index.languages.cutting import tile
from hybrid_index.languages.elements import Element, ElementIndex, element_sections, elements
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.words import found, joined
from hybrid_index.types import Chunk, ParsedFile, SourceText

_NAMING = re.compile(
    r"\b(?:name|key|id|Include|Update|Remove|Name|Id|Key|Project|Sdk|AfterTargets|BeforeTargets|DependsOnTargets|ref)"
    r"\s*=\s*(?:\"([^\"<>\n]{1,200})\"|'([^'<>\n]{1,200})')"
)
_HTML_NAMES = re.compile(
    r"\b(?:id|name|for|slot|asp-[\w-]+|v-[\w:-]+|x-[\w:-]+)\s*=\s*(?:\"([^\"<>\n]{1,200})\"|'([^'<>\n]{1,200})')"
)
_HTML_HEADING = re.compile(r"<(?:h[1-6]|title)\b[^<>]{0,300}>([^<>]{1,200})<", re.I)
_COMMENT = re.compile(r"<!--(.{1,600}?)-->", re.S)


def parse_xml(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut XML along its elements; names are the tags and what `name`, `key`, `id`, `Include` and the like say."""
    layout = Layout.of(source)
    every = elements(layout)
    whole = layout.size(1, layout.count) <= options.small_file_chars
    index = ElementIndex(every)
    chunks: list[Chunk] = []
    for start, end in tile(layout, [] if whole else element_sections(every), options):
        inside, around = index.take(start, end)
        text = layout.slice(start, end)
        path = [element.tag for element in around]
        chunks.append(
            Chunk(
                start,
                end,
                "config",
                _title(path, inside),
                names=joined([*found(_NAMING, text), *(element.tag for element in inside)]),
                context=joined(path),
                docs=joined(found(_COMMENT, text), 5),
            )
        )
    return ParsedFile(tuple(chunks))


def _title(path: list[str], inside: list[Element]) -> str | None:
    """The element path of a chunk: what is around it, and the one element that it holds whole."""
    tags = [*path, inside[0].tag] if inside and inside[0].end_line >= inside[-1].end_line else path
    return "/".join(tags[:6]) or None


def parse_html(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut an HTML page or template along its elements; ids, names, headings and custom elements are its names."""
    layout = Layout.of(source)
    every = elements(layout)
    index = ElementIndex(every)
    chunks: list[Chunk] = []
    for start, end in tile(layout, element_sections(every), options):
        inside, around = index.take(start, end)
        text = layout.slice(start, end)
        titles = [" ".join(title.split()) for title in found(_HTML_HEADING, text)]
        custom = [element.tag for element in inside if "-" in element.tag or element.tag[:1].isupper()]
        chunks.append(
            Chunk(
                start,
                end,
                "markup",
                titles[0] if titles else None,
                names=joined([*found(_HTML_NAMES, text), *custom]),
                context=joined(element.tag for element in around if element.tag.lower() not in ("html", "body")),
                docs=joined(titles),
            )
        )
    return ParsedFile(tuple(chunks))
