"""MSBuild expressions: `$(Name)`, `$(Name.Method(..))`, `$([Type]::Method(..))`, `@(Item)` and `%(Metadata)`.

Text is parsed once into parts and the parts are cached, because the same conditions come back for every project that
imports a file. What cannot be known without the SDK expands to nothing and leaves a note, so the caller can say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from hybrid_index.projects.functions import FunctionContext, Unknowable, call_method, call_static, read_member, to_text

# Expressions nest when an argument holds another expression; the deepest seen in the corpora is 4.
MAX_NESTING = 24
# A property that doubles itself in each import would otherwise exhaust memory; real lists stay under 10 kB.
MAX_VALUE_LENGTH = 200_000

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*")
_STATIC = re.compile(r"\[\s*([A-Za-z_][A-Za-z0-9_.]*)\s*\]\s*::\s*([A-Za-z_][A-Za-z0-9_]*)")
_METADATA = re.compile(r"\s*(?:([A-Za-z_][\w\-]*)\.)?([A-Za-z_][\w\-]*)\s*$")
_OPENER = re.compile(r"[$@%]\(")
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")


class Scope(Protocol):
    """What expressions are evaluated against."""

    @property
    def functions(self) -> FunctionContext:
        """What intrinsic functions may ask."""

    @property
    def condition_directory(self) -> str:
        """Folder that relative paths in a condition start from."""

    def property_value(self, name: str) -> tuple[str, str | None]:
        """Value of a property and, where it is not certain, the reason."""

    def item_list(self, name: str) -> tuple[list[str], str | None]:
        """Identities of an item type and, where they are not known, the reason."""

    def metadata_value(self, item: str, name: str) -> str | None:
        """Metadata of the item at hand, None where there is none."""


@dataclass(frozen=True, slots=True)
class Step:
    """One `.Member`, `.Method(..)` or `[index]` after the head of an expression."""

    member: str  # "" for an index
    arguments: tuple[Template, ...] | None  # None: a property rather than a call


@dataclass(frozen=True, slots=True)
class PropertyPart:
    """`$( .. )`: a property or a static call, then steps."""

    source: str
    name: str  # property name, or the type of a static call
    static_member: str | None
    arguments: tuple[Template, ...] | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ItemPart:
    """`@( .. )`."""

    source: str
    name: str
    separator: str
    plain: bool  # False: a transform or item function, which is not evaluated


@dataclass(frozen=True, slots=True)
class MetadataPart:
    """`%( .. )`."""

    source: str
    item: str
    name: str


@dataclass(frozen=True, slots=True)
class UnreadablePart:
    """Something between brackets that does not follow the syntax."""

    source: str


Part = str | PropertyPart | ItemPart | MetadataPart | UnreadablePart


@dataclass(frozen=True, slots=True)
class Template:
    """Text taken apart into literals and expressions."""

    parts: tuple[Part, ...] = field(default=())


def expand(text: str, scope: Scope, notes: list[str]) -> str:
    """Evaluate every expression in `text`; each one that cannot be known adds a reason to `notes`. Never raises."""
    if "$(" not in text and "@(" not in text and "%(" not in text:
        return text
    return expand_template(parse_template(text), scope, notes)


def expand_template(template: Template, scope: Scope, notes: list[str], depth: int = 0) -> str:
    """Evaluate a parsed text; see `expand`."""
    pieces = [part if isinstance(part, str) else _expand_part(part, scope, notes, depth) for part in template.parts]
    value = pieces[0] if len(pieces) == 1 else "".join(pieces)
    if len(value) > MAX_VALUE_LENGTH:
        notes.append(f"a value grew beyond {MAX_VALUE_LENGTH:,} characters")
        return ""
    return value


def unescape(text: str) -> str:
    """Undo MSBuild's `%XX` escapes."""
    if "%" not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _outside_quotes(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """The characters of a text, with their places, that are neither quotes nor inside them."""
    quote = ""
    for index in range(start, len(text)):
        char = text[index]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        else:
            yield index, char


def closing_bracket(text: str, start: int) -> int:
    """Index of the `)` that closes the bracket opened just before `start`, -1 where there is none."""
    depth = 1
    for index, char in _outside_quotes(text, start):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return index
    return -1


@lru_cache(maxsize=8192)
def parse_template(text: str, depth: int = 0) -> Template:
    """Take `text` apart; what is not an expression stays literal."""
    parts: list[Part] = []
    position = 0
    while (match := _OPENER.search(text, position)) is not None:
        end = closing_bracket(text, match.end())
        if end < 0:
            break
        if match.start() > position:
            parts.append(text[position : match.start()])
        parts.append(_parse_part(text[match.start()], text[match.end() : end], text[match.start() : end + 1], depth))
        position = end + 1
    if position < len(text) or not parts:
        parts.append(text[position:])
    return Template(tuple(parts))


def _parse_part(kind: str, body: str, source: str, depth: int) -> Part:
    if depth >= MAX_NESTING:
        return UnreadablePart(source)
    if kind == "@":
        return _parse_item(body, source)
    if kind == "%":
        match = _METADATA.match(body)
        return MetadataPart(source, match[1] or "", match[2]) if match else UnreadablePart(source)
    return _parse_property(body.strip(), source, depth)


def _parse_item(body: str, source: str) -> Part:
    match = _NAME.match(body.strip())
    if match is None:
        return UnreadablePart(source)
    rest = body.strip()[match.end() :].strip()
    separator = re.match(r",\s*'([^']*)'\s*$", rest)
    return ItemPart(source, match[0], separator[1] if separator else ";", not rest or separator is not None)


def _parse_property(body: str, source: str, depth: int) -> Part:
    static = _STATIC.match(body)
    head = static or _NAME.match(body)
    if head is None:
        return UnreadablePart(source)
    position = head.end()
    arguments: tuple[Template, ...] | None = None
    if static:
        arguments, position = _parse_arguments(body, position, depth)
    steps: list[Step] = []
    while position < len(body):
        char = body[position]
        if char.isspace():
            position += 1
        elif char == ".":
            member = _NAME.match(body, position + 1)
            if member is None:
                return UnreadablePart(source)
            given, position = _parse_arguments(body, member.end(), depth)
            steps.append(Step(member[0], given))
        elif char == "[" and (end := body.find("]", position)) > 0:
            steps.append(Step("", (parse_template(body[position + 1 : end], depth + 1),)))
            position = end + 1
        else:
            return UnreadablePart(source)
    if static:
        return PropertyPart(source, static[1], static[2], arguments, tuple(steps))
    return PropertyPart(source, head[0], None, None, tuple(steps))


def _parse_arguments(body: str, position: int, depth: int) -> tuple[tuple[Template, ...] | None, int]:
    """Arguments of a call that starts at `position`; None where there is no bracket."""
    start = position
    while start < len(body) and body[start].isspace():
        start += 1
    if start >= len(body) or body[start] != "(":
        return None, position
    end = closing_bracket(body, start + 1)
    if end < 0:
        return None, position
    inner = body[start + 1 : end]
    if not inner.strip():
        return (), end + 1
    return tuple(parse_template(argument, depth + 1) for argument in _split_arguments(inner)), end + 1


def _split_arguments(text: str) -> list[str]:
    """Split at commas outside quotes and brackets, and take the quotes off."""
    arguments: list[str] = []
    depth, start = 0, 0
    for index, char in _outside_quotes(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            arguments.append(text[start:index])
            start = index + 1
    arguments.append(text[start:])
    return [_unquoted(argument.strip()) for argument in arguments]


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] in "'\"`" and text[-1] == text[0]:
        return text[1:-1]
    return text


def _expand_part(part: Part, scope: Scope, notes: list[str], depth: int) -> str:
    if isinstance(part, PropertyPart):
        if part.static_member is None and not part.steps:
            value, reason = scope.property_value(part.name)
            if reason:
                notes.append(reason)
            return value
        return _expand_call(part, scope, notes, depth)
    if isinstance(part, ItemPart):
        if not part.plain:
            notes.append(f"{part.source} is an item transform, which is not evaluated")
            return ""
        identities, reason = scope.item_list(part.name)
        if reason:
            notes.append(reason)
        return part.separator.join(identities)
    if isinstance(part, MetadataPart):
        metadata = scope.metadata_value(part.item, part.name)
        if metadata is None:
            notes.append(f"{part.source} depends on an item that is not known here")
            return ""
        return metadata
    assert isinstance(part, UnreadablePart)
    notes.append(f"{part.source[:80]} does not follow the syntax of expressions")
    return ""


def _expand_call(part: PropertyPart, scope: Scope, notes: list[str], depth: int) -> str:
    if depth >= MAX_NESTING:
        notes.append(f"{part.source[:80]} is nested too deeply")
        return ""

    def values(arguments: Sequence[Template] | None) -> list[str]:
        return [unescape(expand_template(each, scope, notes, depth + 1)) for each in arguments or ()]

    return _guarded(part.source, notes, lambda: _run_call(part, scope, notes, values))


def _run_call(
    part: PropertyPart, scope: Scope, notes: list[str], values: Callable[[Sequence[Template] | None], list[str]]
) -> str:
    if part.static_member is None:
        text, reason = scope.property_value(part.name)
        if reason:
            notes.append(reason)
        value: object = text
    else:
        value = call_static(part.name, part.static_member, values(part.arguments), scope.functions)
    for step in part.steps:
        if not step.member:
            value = call_method(value, "get_Chars", values(step.arguments))
        elif step.arguments is None:
            value = read_member(value, step.member)
        else:
            value = call_method(value, step.member, values(step.arguments))
    return to_text(value)


def _guarded(source: str, notes: list[str], run: Callable[[], str]) -> str:
    """Run a call; a failure becomes a note, as a project file must never raise through the loader."""
    try:
        return run()
    except Unknowable as unknown:
        notes.append(f"{source[:80]}: {unknown}")
    except (ValueError, IndexError, OverflowError, ZeroDivisionError, TypeError) as error:
        notes.append(f"{source[:80]} cannot be evaluated: {error}")
    return ""
