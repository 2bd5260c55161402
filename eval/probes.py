"""Queries drawn from a tree: the names, sentences and keys that its own files contain.

The same tree gives the same queries on every machine, so that latencies can be compared, and no two trees share a fixed
list that one of them might suit.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.hits import read_lines

Kind = Literal["symbol", "sentence", "key", "heading"]

# Folders that hold no source of the tree's own.
SKIPPED_FOLDERS = frozenset(
    ".git .hg .svn .vs .idea .hybrid-index bin obj node_modules packages TestResults __pycache__ .venv".split()
)
_MAX_BYTES = 1_000_000
_CONFIG = frozenset(".json .yaml .yml .toml .xml .config .props .targets .csproj".split())
_PROSE = frozenset(".md .markdown .rst".split())
_SYMBOL = re.compile(
    r"^\s*(?:[a-z]+\s+)*(?:class|interface|struct|record|enum|trait|def|func|fn|fun|function|module|type)\s+"
    r"([A-Za-z_]\w{3,60})\b"
)
_COMMENT = re.compile(r"^\s*(?:///|//!|//|\*|#|--)\s*(.+)$")
_KEY = re.compile(r'^\s*(?:"([A-Za-z_][\w.:-]{3,60})"\s*:|([A-Za-z_][\w.-]{3,60})\s*[:=]|<([A-Za-z_][\w.]{3,60})[\s>])')
_HEADING = re.compile(r"^#{1,4}\s+(.{8,90}?)\s*#*$")
_DIRECTIVE = re.compile(
    r"^(?:if|elif|else|endif|region|endregion|pragma|define|include|import|nullable|error|warning)\b"
)
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")


@dataclass(frozen=True, slots=True)
class Probe:
    """A query with the line it was drawn from."""

    kind: Kind
    query: str
    path: str
    line: int


def source_files(root: Path) -> Iterator[Path]:
    """Readable text-sized files of a tree, sorted, links and folders of others left out."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
        for name in sorted(names):
            file = Path(folder, name)
            if not file.is_symlink() and file.is_file() and 0 < file.stat().st_size <= _MAX_BYTES:
                yield file


def sentence_of(line: str) -> str | None:
    """The plain sentence of a comment line, if it is one that a person could ask: 5 to 16 words, no code."""
    match = _COMMENT.match(line)
    if match is None:
        return None
    text = _TAG.sub(" ", match[1]).strip(" :-*!#/")
    words = _WORD.findall(text)
    if not 5 <= len(words) <= 16 or any(sign in text for sign in ";{}=()[]|\\`:"):
        return None
    if _DIRECTIVE.match(text) and line.lstrip().startswith("#"):
        return None
    return " ".join(text.split()).rstrip(".:,")


def _symbol_of(line: str) -> str | None:
    match = _SYMBOL.match(line)
    return match[1] if match else None


def _key_of(line: str) -> str | None:
    match = _KEY.match(line)
    return next(group for group in match.groups() if group) if match else None


def _heading_of(line: str) -> str | None:
    match = _HEADING.match(line)
    return match[1] if match and len(_WORD.findall(match[1])) >= 2 else None


def _rules(suffix: str) -> list[tuple[Kind, Callable[[str], str | None]]]:
    if suffix in _CONFIG:
        return [("key", _key_of)]
    if suffix in _PROSE:
        return [("heading", _heading_of)]
    return [("symbol", _symbol_of), ("sentence", sentence_of)]


def probes_of(root: Path) -> Iterator[Probe]:
    """Every candidate of a tree, in file and line order."""
    for file in source_files(root):
        lines = read_lines(file)
        if any("\0" in line for line in lines[:50]):
            continue
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(lines, 1):
            for kind, rule in _rules(file.suffix.lower()):
                query = rule(line)
                if query:
                    yield Probe(kind, query, path, number)
                    break


def _order(probe: Probe) -> bytes:
    return hashlib.blake2b(f"{probe.kind}:{probe.query}".encode(), digest_size=8).digest()


def draw(root: Path, count: int, kinds: tuple[Kind, ...] = ("symbol", "sentence", "key")) -> list[Probe]:
    """Draw `count` probes with different queries, the kinds in equal shares as far as the tree has them."""
    pools: dict[Kind, dict[str, Probe]] = {kind: {} for kind in kinds}
    for probe in probes_of(root):
        if probe.kind in pools:
            pools[probe.kind].setdefault(probe.query, probe)
    queues = [sorted(pool.values(), key=_order) for pool in pools.values()]
    out: list[Probe] = []
    while len(out) < count and any(queues):
        for queue in queues:
            if queue and len(out) < count:
                out.append(queue.pop(0))
    return out
