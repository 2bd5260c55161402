"""Documentation references (`cref`): names written in comments, resolved where the comment stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hybrid_index.graph.algebra import Algebra
from hybrid_index.graph.model import Member, Model, Scope, TypeDef

_PREFIX = re.compile(r"^[A-Z!]:")
_PART = re.compile(r"\s*([@\w]+)\s*(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|<([^<>]*)>)?\s*")


class Part(NamedTuple):
    """One name of a dotted reference."""

    offset: int
    name: str
    arity: int


def split(text: str) -> tuple[list[Part], list[str] | None]:
    """The names of a reference and its parameter types, None where no list is written."""
    prefix = _PREFIX.match(text)
    start = prefix.end() if prefix else 0
    head, paren, tail = text.partition("(")
    parts: list[Part] = []
    while start < len(head):
        match = _PART.match(head, start)
        if match is None:
            return [], None
        arguments = match.group(2) or match.group(3)
        arity = len(list(_top_level(arguments))) if arguments else 0
        parts.append(Part(match.start(1), match.group(1).lstrip("@"), arity))
        start = match.end()
        if start < len(head) and head[start] != ".":
            return [], None
        start += 1
    if not paren:
        return parts, None
    return parts, [p.strip() for p in _top_level(tail.rpartition(")")[0]) if p.strip()]


def _top_level(text: str) -> Iterator[str]:
    """The parts between commas that stand outside brackets."""
    depth, last = 0, 0
    for index, char in enumerate(text):
        if char in "{<[(":
            depth += 1
        elif char in "}>])":
            depth -= 1
        elif char == "," and depth == 0:
            yield text[last:index]
            last = index + 1
    yield text[last:]


def resolve(model: Model, algebra: Algebra, scope: Scope, text: str) -> Iterator[tuple[int, str, Member | TypeDef]]:
    """(offset, name, target) of each name in a reference that means something in sight."""
    parts, parameters = split(text)
    left: Any = None
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        found = (
            _first(model, scope, part) if index == 0 else model.member_of(left, part.name, [None] * part.arity, scope)
        )
        known = found is not None and (found[0] == "ns" or isinstance(found[0], TypeDef) and not found[0].unknown)
        if known and not (last and parameters is not None and found[0] != "ns" and found[0].kind != "delegate"):
            if isinstance(found[0], TypeDef):
                yield part.offset, part.name, found[0]
            left = found
            continue
        if last:
            owners = [left] if left is not None and left[0] != "ns" else _enclosing(scope) if index == 0 else []
            if known and found[0] != "ns":
                owners, part = [found], part._replace(name=".ctor")
            for owner in owners:
                member = _member(model, algebra, owner, part, parameters)
                if member is not None:
                    yield part.offset, parts[-1].name, member
                    break
        return


def _enclosing(scope: Scope) -> list[Any]:
    out = []
    type_ = scope.type
    while type_ is not None:
        out.append((type_, type_.own_arguments))
        type_ = type_.outer
    return out


def _first(model: Model, scope: Scope, part: Part) -> Any:
    if part.arity == 0:
        for owner in _enclosing(scope):
            if owner[0].name == part.name and owner[0].arity == 0:
                return owner
    return model.lookup(scope, part.name, part.arity)


def _member(model: Model, algebra: Algebra, owner: Any, part: Part, parameters: list[str] | None) -> Member | None:
    key = "this[]" if part.name in ("this", "Item") else part.name
    members = [m for m, _, _ in algebra.members(owner, key)]
    if part.arity:
        members = [m for m in members if len(m.decl.type_parameters) == part.arity]
    if parameters is not None and len(members) > 1:
        members = [m for m in members if len(m.decl.parameters) == len(parameters)]
        if len(members) > 1:
            wanted = [_bare(p) for p in parameters]
            members = [m for m in members if _written(m) == wanted] or members
    # Without a parameter list the compiler takes the first overload too, but says that it is ambiguous.
    return members[0] if len(members) == 1 else None


def _bare(text: str) -> str:
    """A written type without namespace, arguments, modifiers and nullability."""
    word = re.sub(r"^(?:ref|out|in|params)\s+", "", text.strip())
    word = re.sub(r"[{<].*[}>]", "", word).rstrip("?")
    return word.rpartition(".")[2]


def _written(member: Member) -> list[str]:
    return [_name(p.type) for p in member.decl.parameters]


def _name(syntax: Any) -> str:
    if syntax is None:
        return ""
    if syntax[0] == "tarr":
        return _name(syntax[1]) + "[]"
    if syntax[0] in ("tnull", "tptr"):
        return _name(syntax[1])
    return str(syntax[1] if syntax[0] == "tp" else syntax[2] if syntax[0] == "tn" else syntax[-2])
