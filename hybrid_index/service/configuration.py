"""Configuration keys across files and layers: where a key is set, and to what."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from hybrid_index.service.replies import ConfigValue
from hybrid_index.store import FileSummary

CONFIG_LANGUAGES = frozenset({"json", "yaml", "toml", "ini", "editorconfig", "xml", "msbuild"})
MAX_VALUE_CHARS = 200

_JSON_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.S)
_YAML_LINE = re.compile(r"^(\s*)(?:- )?([\w.$/\"'-]+)\s*:(?:\s+(.*))?$")
_INI_LINE = re.compile(r"^\s*([\w.:\"'-]+)\s*=\s*(.*)$")
_SECTION = re.compile(r"^\s*\[+([^\]]+)\]+\s*$")
_ELEMENT = re.compile(r"<([A-Za-z][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>(?:([^<\n]*)</\1>)?")
_ATTRIBUTE = re.compile(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")

Entry = tuple[str, str, int]
"""(key path joined with ":", value, line)."""


def entries(text: str, language: str) -> Iterator[Entry]:
    """List the keys of a configuration text with their values; tolerant of comments and broken parts."""
    if language == "json":
        return _json(text)
    if language == "yaml":
        return _yaml(text)
    if language in ("xml", "msbuild"):
        return _xml(text)
    return _ini(text)


def key_matches(path: str, wanted: str) -> bool:
    """Whether a key path ends in the wanted keys, written with `:`, `.`, `__` or `/` between them."""
    have = [part.lower() for part in re.split(r"[:/]|__", path) if part]
    flat = [part.lower() for part in re.split(r"[:/.]|__", path) if part]
    want = [part.lower() for part in re.split(r"[:/]|__", wanted.strip()) if part]
    dotted = [part.lower() for part in re.split(r"[:/.]|__", wanted.strip()) if part]
    return bool(want) and (have[-len(want) :] == want or flat[-len(dotted) :] == dotted)


def lookup(files: Sequence[FileSummary], texts: Iterator[str | None], key: str) -> list[ConfigValue]:
    """Find every place that sets a key, in path order."""
    found: list[ConfigValue] = []
    for file, text in zip(files, texts, strict=False):
        if text is None:
            continue
        for path, value, line in entries(text, file.language):
            if key_matches(path, key):
                found.append(
                    ConfigValue(
                        key=path,
                        value=value[:MAX_VALUE_CHARS],
                        path=file.path,
                        line=line,
                        layer=layer_of(file),
                        language=file.language,
                    )
                )
    return found


def layer_of(file: FileSummary) -> str:
    """Name the layer that a file is in the configuration of an application or build."""
    name = posixpath.basename(file.path)
    stem = posixpath.splitext(name)[0]
    if file.language == "msbuild":
        return f"msbuild {name}" if name.lower().startswith("directory.") else "msbuild project"
    return stem if stem else name


def _json(text: str) -> Iterator[Entry]:
    stack: list[str] = []
    pending: str | None = None
    last: str | None = None
    line, counted = 1, 0
    indices: list[int | None] = []
    for match in _JSON_TOKEN.finditer(text):
        token = match.group()
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if token.startswith(("//", "/*")):
            continue
        if token == ":":
            pending, last = last, None
        elif token in "{[":
            stack.append(pending if pending is not None else _index(indices))
            indices.append(0 if token == "[" else None)
            pending = None
        elif token in "}]":
            if stack:
                stack.pop()
                indices.pop()
            last = None
        elif token == ",":
            last = None
        elif pending is not None:
            yield ":".join([*(part for part in stack if part), pending]), token.strip('"'), line
            pending = None
        else:
            last = token.strip('"')


def _index(indices: list[int | None]) -> str:
    if not indices or indices[-1] is None:
        return ""
    number = indices[-1]
    indices[-1] = number + 1
    return str(number)


def _yaml(text: str) -> Iterator[Entry]:
    stack: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        found = _YAML_LINE.match(line)
        if found is None or line.lstrip().startswith("#"):
            continue
        indent = len(found[1]) + (2 if line.lstrip().startswith("- ") else 0)
        while stack and stack[-1][0] >= indent:
            stack.pop()
        key = found[2].strip("\"'")
        stack.append((indent, key))
        yield ":".join(part for _, part in stack), (found[3] or "").strip().strip("\"'"), number


def _ini(text: str) -> Iterator[Entry]:
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if (head := _SECTION.match(line)) is not None:
            section = head[1].strip().strip("\"'")
        elif (found := _INI_LINE.match(line)) is not None:
            key = found[1].strip("\"'")
            yield f"{section}:{key}" if section else key, found[2].strip().strip("\"'"), number


def _xml(text: str) -> Iterator[Entry]:
    line, counted = 1, 0
    for match in _ELEMENT.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        attributes = {m[1]: m[2] if m[2] is not None else m[3] for m in _ATTRIBUTE.finditer(match[2] or "")}
        name = attributes.get("key") or attributes.get("name") or attributes.get("Include") or attributes.get("Update")
        value = match[4].strip() if match[4] else ""
        if value:
            yield f"{match[1]}:{name}" if name else match[1], value, line
        elif name is not None:
            rest = [v for k, v in attributes.items() if k not in ("key", "name", "Include", "Update")]
            yield f"{match[1]}:{name}", rest[0] if rest else "", line
