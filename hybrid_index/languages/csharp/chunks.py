"""C# by symbol: a member with its comment and attributes is a chunk, a type has a header chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hybrid_index.languages.cutting import Block, size_of, tile
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.types import Chunk, Symbol

TYPE_KINDS = frozenset({"class", "struct", "interface", "record", "record struct", "enum", "delegate"})
_OUTSIDE = frozenset({"namespace", "local function", "enum member", "parameter", "lambda"})
MAX_NAMES = 60  # names of one chunk that are indexed; a generated enum can have thousands
MAX_HEADER_HINTS = 1_000  # characters of member names that a type's header is found by


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    symbol: Symbol


def symbol_chunks(lines: Sequence[str], symbols: Sequence[Symbol], options: ChunkingOptions) -> list[Chunk]:
    """Cut a file along its symbols. `lines` are those of the file the symbols were found in."""
    types = {s.doc_id: s for s in symbols if s.kind in TYPE_KINDS}
    units = _leaves(lines, symbols, options)
    blocks = _blocks(lines, units, types)
    by_line = sorted(symbols, key=lambda s: (s.name_span.start_line, -s.span.end_line))
    return [_chunk(block, by_line, types, lines) for block in tile(lines, blocks, options)]


def _leaves(lines: Sequence[str], symbols: Sequence[Symbol], options: ChunkingOptions) -> list[_Unit]:
    """Members, and types that fit into one chunk as they are; outermost first, none inside another."""
    containers = {s.container for s in symbols if s.kind not in _OUTSIDE}
    candidates: list[_Unit] = []
    for symbol in symbols:
        if symbol.kind in _OUTSIDE:
            continue
        start = min(symbol.doc_start_line or symbol.span.start_line, symbol.span.start_line)
        end = min(symbol.span.end_line, len(lines))
        is_large = size_of(lines, start, end) > options.max_chars
        if not (symbol.kind in TYPE_KINDS and symbol.doc_id in containers and is_large):
            candidates.append(_Unit(start, end, symbol))
    candidates.sort(key=lambda unit: (unit.start, -unit.end))
    out: list[_Unit] = []
    for unit in candidates:
        if not out or unit.start > out[-1].end:
            out.append(unit)
    return out


def _blocks(lines: Sequence[str], units: Sequence[_Unit], types: dict[str, Symbol]) -> list[Block]:
    """Blocks that cover every line: what lies between members belongs to the type around it."""
    blocks: list[Block] = []
    next_line = 1
    for unit in units:
        if unit.start > next_line:
            blocks.extend(_gap(lines, next_line, unit.start - 1, types))
        blocks.append(Block(unit.start, unit.end, unit.symbol.container or ""))
        next_line = unit.end + 1
    if next_line <= len(lines):
        blocks.extend(_gap(lines, next_line, len(lines), types))
    return _absorb(lines, blocks)


def _gap(lines: Sequence[str], start: int, end: int, types: dict[str, Symbol]) -> list[Block]:
    """Cut what lies between members where a type's declaration begins."""
    starts = sorted(
        {min(s.doc_start_line or s.span.start_line, s.span.start_line): s.doc_id for s in types.values()}.items()
    )
    inside = [(line, doc_id) for line, doc_id in starts if start <= line <= end]
    if not inside:
        return [Block(start, end, "")]
    out = [Block(start, inside[0][0] - 1, "")] if inside[0][0] > start else []
    for (line, doc_id), following in zip(inside, [*(i[0] for i in inside[1:]), end + 1], strict=True):
        out.append(Block(line, following - 1, doc_id))
    return out


def _absorb(lines: Sequence[str], blocks: Sequence[Block]) -> list[Block]:
    """Give gaps of braces, directives and comments to the block they stand beside."""
    out: list[Block] = []
    for block in blocks:
        if out and block.group == "" and _only_punctuation(lines, block):
            out[-1] = Block(out[-1].start, block.end, out[-1].group)
        else:
            out.append(block)
    return out


def _only_punctuation(lines: Sequence[str], block: Block) -> bool:
    return all(
        not (text := line.strip()) or text in {"{", "}", "};", "})", "});"} or text.startswith("#")
        for line in lines[block.start - 1 : block.end]
    )


def _chunk(block: Block, by_line: Sequence[Symbol], types: dict[str, Symbol], lines: Sequence[str]) -> Chunk:
    declared = [s for s in by_line if block.start <= s.name_span.start_line <= block.end and s.kind != "namespace"]
    around = [
        s
        for s in by_line
        if s.span.start_line < block.start and s.span.end_line >= block.end and s.kind not in ("parameter",)
    ]
    around.sort(key=lambda s: s.span.start_line)
    main = next((s for s in declared if s.kind in TYPE_KINDS), declared[0] if declared else None)
    enclosing = [s.name for s in around if s.kind != "namespace"]
    symbol = ".".join([*enclosing, main.name] if main is not None else enclosing) or None
    kind = main.kind if main is not None else (around[-1].kind if enclosing else "file header")
    hints = ""
    if main is not None and main.kind in TYPE_KINDS:
        hints = " ".join(s.name for s in by_line if s.container == main.doc_id)[:MAX_HEADER_HINTS]
    return Chunk(
        start_line=block.start,
        end_line=block.end,
        kind=kind.replace(" ", "_"),
        symbol=symbol,
        names=" ".join(dict.fromkeys(s.name for s in declared[:MAX_NAMES])),
        context=" ".join(s.qualified_name if s.kind == "namespace" else s.name for s in around),
        docs=" ".join(s.doc_summary for s in declared[:MAX_NAMES] if s.doc_summary),
        hints=hints,
    )
