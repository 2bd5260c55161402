"""Markdown by heading; configuration, style sheets and any other text by size with the names they declare."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hybrid_index.languages.cutting import Block, size_of, tile, windows
from hybrid_index.languages.markup import element_blocks
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.types import Chunk, ParsedFile, SourceText

_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_KEYS = {
    "json": re.compile(r"\"([^\"\\\n]{1,80})\"\s*:"),
    "yaml": re.compile(r"^\s*(?:-\s+)?([\w.$/-]{1,80})\s*:(?:\s|$)", re.M),
    "toml": re.compile(r"^\s*(?:\[+([\w.\"-]+)\]+|([\w.-]{1,80})\s*=)", re.M),
    "ini": re.compile(r"^\s*(?:\[([^\]\n]+)\]|([\w.:-]{1,80})\s*=)", re.M),
    "editorconfig": re.compile(r"^\s*(?:\[([^\]\n]+)\]|([\w.:-]{1,80})\s*=)", re.M),
    "msbuild": re.compile(r"<([A-Z][\w.]*)|\b(?:Include|Update|Name|Condition)=\"([^\"]+)\""),
    "xml": re.compile(r"<([A-Za-z][\w.:-]*)|\b(?:name|key|id|Include|Name)=\"([^\"]+)\""),
    "css": re.compile(r"([.#][A-Za-z_][\w-]*|--[\w-]+)"),
}
_KEYS["scss"] = _KEYS["less"] = _KEYS["css"]
MAX_KEYS = 80


def parse_markdown(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut Markdown at its headings; fenced code is never mistaken for one."""
    lines = source.text.split("\n")
    sections: list[tuple[Block, tuple[str, ...]]] = []
    path: list[tuple[int, str]] = []
    start, fence = 1, ""
    for number, line in enumerate(lines, 1):
        if (mark := _FENCE.match(line)) is not None and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        heading = None if fence else _HEADING.match(line)
        if heading is None:
            continue
        if number > start:
            sections.append((Block(start, number - 1), tuple(text for _, text in path)))
        start = number
        while path and path[-1][0] >= len(heading[1]):
            path.pop()
        path.append((len(heading[1]), heading[2]))
    sections.append((Block(start, len(lines)), tuple(text for _, text in path)))
    return ParsedFile(
        tuple(_section(piece, headings) for block, headings in sections for piece in tile(lines, [block], options))
    )


def _section(block: Block, headings: tuple[str, ...]) -> Chunk:
    title = headings[-1] if headings else None
    return Chunk(
        block.start, block.end, "section", title, names=title or "", context=" ".join(headings[:-1]), docs=title or ""
    )


def parse_config(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut configuration along its outer keys; small files stay whole."""
    lines = source.text.split("\n")
    blocks = [Block(1, len(lines))]
    if size_of(lines, 1, len(lines)) > options.small_file_chars:
        blocks = _outer_blocks(lines, source.language)
    return ParsedFile(tuple(_named(block, lines, source, "config") for block in tile(lines, blocks, options)))


def parse_windows(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut any other text into windows of lines."""
    lines = source.text.split("\n")
    if len(lines) <= options.window_lines and size_of(lines, 1, len(lines)) <= options.small_file_chars * 2:
        blocks = tile(lines, [Block(1, len(lines))], options)
    else:
        blocks = windows(lines, options)
    return ParsedFile(tuple(_named(block, lines, source, "window") for block in blocks))


def _named(block: Block, lines: Sequence[str], source: SourceText, kind: str) -> Chunk:
    pattern = _KEYS.get(source.language)
    names: list[str] = []
    if pattern is not None:
        text = "\n".join(lines[block.start - 1 : block.end])
        names = list(dict.fromkeys(group for m in pattern.finditer(text) for group in m.groups() if group))[:MAX_KEYS]
    return Chunk(block.start, block.end, kind, names=" ".join(names))


def _outer_blocks(lines: Sequence[str], language: str) -> list[Block]:
    if language in ("xml", "msbuild"):
        return element_blocks(lines, 1, len(lines))
    blocks: list[Block] = []
    begin = 1
    limit = 2 if language == "json" else 0
    for number in range(2, len(lines) + 1):
        text = lines[number - 1]
        if text.strip() and len(text) - len(text.lstrip()) <= limit and text.lstrip()[0] not in "}])":
            blocks.append(Block(begin, number - 1))
            begin = number
    blocks.append(Block(begin, len(lines)))
    return blocks
