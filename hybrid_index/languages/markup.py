"""Razor and XAML: markup in windows that follow its elements, code blocks as C#, names and bindings as hints."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace

from hybrid_index.languages.csharp.adapter import csharp_chunks
from hybrid_index.languages.cutting import Block, tile
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.types import Chunk, ParsedFile, SourceText, Symbol

_CODE = re.compile(r"^[ \t]*@(?:code|functions)\b[ \t]*(\{?)", re.M)
_RAZOR_NAMES = re.compile(
    r"@page\s+\"([^\"]+)\"|@(?:model|inherits|layout|inject|typeparam|implements)\s+([\w.<>, ]+)|@ref=\"([^\"]+)\""
    r"|\bid=\"([\w-]+)\"|\bname=\"([\w.-]+)\"|\basp-[\w-]+=\"([^\"]+)\""
)
_COMPONENT = re.compile(r"<([A-Z][\w.]*)")
_HANDLER = re.compile(r"@(?:on\w+|bind[\w:-]*)=\"@?([^\"]+)\"")
_XAML_NAMES = re.compile(r"\b(?:x:Name|x:Class|x:Key|x:DataType|Name|x:TypeArguments)=\"([^\"]+)\"")
_XAML_HINTS = re.compile(
    r"\{(?:Binding|x:Bind|TemplateBinding|CompiledBinding|ReflectionBinding)\s+(?:Path=)?([\w.$()\[\]]+)"
    r"|\{(?:StaticResource|DynamicResource)\s+([\w.]+)|\b(?:Click|Command|\w+Changed|Classes|Selector)=\"([^\"]+)\""
    r"|(avares://[^\"\s]+)"
)
MAX_WORDS = 80  # names or hints of one chunk


def _found(pattern: re.Pattern[str], text: str) -> str:
    seen = dict.fromkeys(group for match in pattern.finditer(text) for group in match.groups() if group)
    return " ".join(list(seen)[:MAX_WORDS])


def element_blocks(lines: Sequence[str], start: int, end: int, group: str = "") -> list[Block]:
    """Cut markup where a line is as little indented as any near it: the edges of its outer elements."""
    blocks: list[Block] = []
    begin = start
    for number in range(start + 1, end + 1):
        text = lines[number - 1]
        before = lines[number - 2]
        opens = text.lstrip().startswith(("<", "@")) and not text.lstrip().startswith("</")
        if opens and (not before.strip() or _indent(text) <= _indent(before)):
            blocks.append(Block(begin, number - 1, group))
            begin = number
    blocks.append(Block(begin, end, group))
    return blocks


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def parse_razor(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut a Razor component, page or view; members of its code blocks are symbols of the component."""
    lines = source.text.split("\n")
    component = posixpath.basename(source.path).split(".")[0]
    regions = _code_regions(source.text, lines)
    chunks: list[Chunk] = []
    symbols: list[Symbol] = []
    next_line = 1
    for start, end in regions:
        if start > next_line:
            chunks.extend(_markup(lines, next_line, start - 1, component, options))
        inner, found = _code(lines, start, end, component, options)
        chunks.extend(inner)
        symbols.extend(found)
        next_line = end + 1
    if next_line <= len(lines):
        chunks.extend(_markup(lines, next_line, len(lines), component, options))
    return ParsedFile(tuple(chunks), tuple(symbols))


def _code_regions(text: str, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Lines of `@code { ... }` blocks, found by counting braces outside strings and comments."""
    out: list[tuple[int, int]] = []
    position = 0
    while (match := _CODE.search(text, position)) is not None:
        opening = text.find("{", match.start())
        if opening < 0:
            break
        closing = _closing_brace(text, opening)
        start = text.count("\n", 0, match.start()) + 1
        end = text.count("\n", 0, closing) + 1
        out.append((start, min(end, len(lines))))
        position = text.find("\n", closing)
        if position < 0:
            break
    return out


_TOKENS = re.compile(r"@?\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|//[^\n]*|/\*.*?\*/|[{}]", re.S)


def _closing_brace(text: str, opening: int) -> int:
    depth = 0
    for match in _TOKENS.finditer(text, opening):
        token = match.group()
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return len(text) - 1 if text else 0


def _code(
    lines: Sequence[str], start: int, end: int, component: str, options: ChunkingOptions
) -> tuple[list[Chunk], list[Symbol]]:
    """Parse a code block as the body of a class of the component's name, at its own line numbers."""
    body = list(lines[start - 1 : end])
    opening = next((i for i, line in enumerate(body) if "{" in line), 0)
    name = re.sub(r"\W", "_", component) or "_"
    first = body[opening]
    padded = [""] * len(lines[: start - 1]) + [""] * opening
    padded += [f"class {name} {{" + first[first.find("{") + 1 :], *body[opening + 1 :]]
    chunks, symbols = csharp_chunks("\n".join(padded), options)
    inside = [c for c in chunks if c.start_line <= end]
    inside = [replace(c, start_line=max(c.start_line, start), end_line=min(c.end_line, end)) for c in inside]
    if inside:  # the lines before the first member belong to it
        inside[0] = replace(inside[0], start_line=start)
        last = max(range(len(inside)), key=lambda i: inside[i].end_line)
        inside[last] = replace(inside[last], end_line=max(inside[last].end_line, end))
    else:
        inside = [Chunk(start, end, "code", component)]
    return inside, [s for s in symbols if s.container and s.kind != "class"]


def _markup(lines: Sequence[str], start: int, end: int, component: str, options: ChunkingOptions) -> list[Chunk]:
    out: list[Chunk] = []
    for block in tile(lines, element_blocks(lines, start, end), options):
        text = "\n".join(lines[block.start - 1 : block.end])
        out.append(
            Chunk(
                block.start,
                block.end,
                "markup",
                component,
                names=_found(_RAZOR_NAMES, text),
                context=component,
                hints=" ".join(filter(None, (_found(_COMPONENT, text), _found(_HANDLER, text)))),
            )
        )
    return out


def parse_xaml(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut XAML along its elements; names, bindings and resource keys are indexed beside the text."""
    lines = source.text.split("\n")
    view = posixpath.basename(source.path).split(".")[0]
    chunks: list[Chunk] = []
    for block in tile(lines, element_blocks(lines, 1, len(lines)), options):
        text = "\n".join(lines[block.start - 1 : block.end])
        chunks.append(
            Chunk(
                block.start,
                block.end,
                "markup",
                view,
                names=_found(_XAML_NAMES, text),
                context=view,
                hints=_found(_XAML_HINTS, text),
            )
        )
    return ParsedFile(tuple(chunks))
