"""Edges between types and between members: base, interface, implements, overrides."""

from __future__ import annotations

from typing import Any

from hybrid_index.graph.algebra import Algebra
from hybrid_index.graph.model import Member, Model, TypeDef, iter_types

# The target is a SymbolKey, or the name of an external symbol. A member that a record synthesises is the record's key
# with the member's name as third part.
HierarchyEdge = tuple[Any, str, Any]


def sid_of(target: Member | TypeDef) -> Any:
    """Identity of a source symbol, or the plain name of an external one."""
    if isinstance(target, TypeDef):
        if target.external:
            return repr(target)
        facts, index = target.parts[0]
        return facts.path, facts.declarations[index].doc_id
    if target.owner.external:
        return repr(target)
    return target.facts.path, target.decl.doc_id


def edges(model: Model, algebra: Algebra | None = None) -> list[HierarchyEdge]:
    """Every hierarchy edge that starts in the workspace."""
    algebra = algebra or Algebra(model)
    out: dict[HierarchyEdge, None] = {}
    for type_ in iter_types(model):
        for edge in type_edges(model, algebra, type_):
            out[edge] = None
    return list(out)


def type_edges(model: Model, algebra: Algebra, type_: TypeDef) -> list[HierarchyEdge]:  # noqa: C901 - one short case per form
    """The edges that start at one type or its members."""
    out: list[HierarchyEdge] = []
    if type_.kind in ("enum", "delegate"):
        return out
    source = sid_of(type_)
    closure = algebra.supertypes((type_, type_.own_arguments))[1:]
    for base in model.bases(type_):
        if not isinstance(base[0], TypeDef):
            continue
        if base[0].kind == "interface" or type_.kind in ("interface", "struct", "record struct"):
            continue
        if not base[0].unknown or not _looks_like_interface(base[0].name):
            out.append((source, "base", sid_of(base[0])))
    for base in closure:
        head = base[0]
        if isinstance(head, TypeDef) and (
            head.kind == "interface" or head.unknown and _looks_like_interface(head.name)
        ):
            if base in model.bases(type_):
                out.append((source, "interface", sid_of(head)))
    for members in type_.members.values():
        for member in members:
            out.extend(_member_edges(model, algebra, type_, member))
    out.extend(_implements(model, algebra, type_))
    if type_.kind == "record":
        # Every record declares this property; a derived one overrides it.
        records = [b[0] for b in model.bases(type_) if isinstance(b[0], TypeDef) and b[0].kind == "record"]
        if records and not records[0].external:
            out.append(((*source, "EqualityContract"), "overrides", (*sid_of(records[0]), "EqualityContract")))
    return out


def _looks_like_interface(name: str) -> bool:
    return len(name) > 1 and name[0] == "I" and name[1].isupper()


def _member_edges(model: Model, algebra: Algebra, type_: TypeDef, member: Member) -> list[HierarchyEdge]:
    if "override" not in member.decl.modifiers:
        return []
    key = "this[]" if member.kind == "indexer" else member.name
    for base in algebra.supertypes((type_, type_.own_arguments))[1:]:
        head = base[0]
        if not isinstance(head, TypeDef) or head.kind == "interface":
            continue
        env = algebra.env(base)
        for other in head.members.get(key, ()):
            if other.kind == member.kind and same_signature(model, algebra, member, other, env):
                return [(sid_of(member), "overrides", sid_of(other))]
    return []


def same_signature(model: Model, algebra: Algebra, mine: Member, other: Member, env: Any) -> bool:
    """Whether two members have the same parameters, `other`'s owner seen through `env`."""
    if len(mine.decl.type_parameters) != len(other.decl.type_parameters):
        return False
    a, b = model.parameter_types(mine), model.parameter_types(other)
    if len(a) != len(b):
        return False
    renamed = dict(env)
    renamed.update((p, (q, ())) for p, q in zip(other.parameters, mine.parameters, strict=False))
    for x, y in zip(a, b, strict=True):
        z = algebra.substitute(y, renamed)
        if x is not None and z is not None and x != z and not _alike(x, z):
            return False
    return True


def _alike(x: Any, y: Any) -> bool:
    """Equal but for what is unknown and for element names of tuples."""
    if x is None or y is None:
        return True
    return x[0] is y[0] and len(x[1]) == len(y[1]) and all(_alike(a, b) for a, b in zip(x[1], y[1], strict=True))


def _declared_interfaces(model: Model, algebra: Algebra, type_: TypeDef) -> list[Any]:
    """The interfaces in a type's own base list with those that they extend; a base class brings its own edges."""
    out: list[Any] = []
    for base in model.bases(type_):
        if isinstance(base[0], TypeDef) and base[0].kind == "interface":
            out.extend(t for t in algebra.supertypes(base) if t not in out)
    return out


def _implements(model: Model, algebra: Algebra, type_: TypeDef) -> list[HierarchyEdge]:
    out: list[HierarchyEdge] = []
    for base in _declared_interfaces(model, algebra, type_):
        head = base[0]
        if not isinstance(head, TypeDef) or head.kind != "interface":
            continue
        env = algebra.env(base)
        for key, members in head.members.items():
            if key.startswith(("op ", ".", "~")):
                continue
            for wanted in members:
                if wanted.decl.explicit_interface is not None:
                    continue
                found = _implementation(model, algebra, type_, head, key, wanted, env)
                if found is not None:
                    out.append((sid_of(found), "implements", sid_of(wanted)))
    return out


def _implementation(
    model: Model, algebra: Algebra, type_: TypeDef, interface: TypeDef, key: str, wanted: Member, env: Any
) -> Member | None:
    implicit = None
    for member in type_.members.get(key, ()):
        if member.kind != wanted.kind or not same_signature(model, algebra, member, wanted, env):
            continue
        explicit = member.decl.explicit_interface
        if explicit is not None:
            scope = model.member_scope(member)
            meant = model.resolve_name(explicit, scope)
            if meant is not None and meant[0] is interface:
                return member
        elif "public" in member.decl.modifiers and member.static == wanted.static and type_.kind != "interface":
            implicit = member
    if implicit is None and type_.kind != "interface":
        return _inherited_implementation(model, algebra, type_, key, wanted, env)
    return implicit


def _inherited_implementation(
    model: Model, algebra: Algebra, type_: TypeDef, key: str, wanted: Member, env: Any
) -> Member | None:
    """A public member of a base class that happens to implement an interface of the derived one."""
    for base in algebra.supertypes((type_, type_.own_arguments))[1:]:
        head = base[0]
        if not isinstance(head, TypeDef) or head.kind == "interface" or head.external:
            continue
        for member in head.members.get(key, ()):
            fits = member.kind == wanted.kind and "public" in member.decl.modifiers
            if fits and same_signature(model, algebra, member, wanted, env):
                return member
    return None
