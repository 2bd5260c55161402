"""Bind whole workspaces, single files, and what a change touches. Pure: sources come in, values go out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hybrid_index.graph.algebra import Algebra
from hybrid_index.graph.binder import Bound, FileBinder
from hybrid_index.graph.hierarchy import HierarchyEdge, edges
from hybrid_index.graph.model import TYPE_KINDS, BindingContext, Model, SymbolKey
from hybrid_index.languages.csharp.facts import DeclarationFacts, FileBodies, FileFacts, extract
from hybrid_index.languages.csharp.lowering import COLUMN_MASK, SHIFT


class Call(NamedTuple):
    """Calls of one member from another."""

    caller: str  # doc_id of the calling member in the bound file, "" for top-level statements
    callee: SymbolKey
    kind: str  # "call", "new", "ctor_init", "operator" or "method_group"
    times: int


class Use(NamedTuple):
    """One bound reference."""

    line: int
    column: int  # 1-based, UTF-16 units
    length: int
    target: SymbolKey
    kind: str  # read, write, call, construct, inherit, attribute, type, typeof, nameof, operator, index
    bound_by: str
    sure: bool  # False: `heuristic`
    implicit: bool  # the target's name does not stand at the position (`new()`, an operator, `base(...)`)
    enclosing: str  # doc_id of the enclosing member or type, "" outside


class PossibleUse(NamedTuple):
    """A use of a member's name on a receiver of unknown type."""

    line: int
    column: int
    length: int
    name: str
    enclosing: str


class Bindings(NamedTuple):
    """What one file's names were bound to."""

    references: tuple[Use, ...]
    possible: tuple[PossibleUse, ...]
    calls: tuple[Call, ...]


@dataclass(slots=True)
class WorkspaceBinding:
    """A bound workspace."""

    facts: dict[str, FileFacts]
    references: dict[str, tuple[Use, ...]] = field(default_factory=dict)
    possible: dict[str, tuple[PossibleUse, ...]] = field(default_factory=dict)
    calls: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    edges: list[HierarchyEdge] = field(default_factory=list)


class Binder:
    """Binds files against one model; holds the caches that bindings share."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.algebra = Algebra(model)

    def bind_file(self, path: str, bodies: FileBodies) -> Bindings:
        """Bind one file; a file of several projects is bound as its first project sees it."""
        facts = self.model.facts[path]
        binder = FileBinder(self.model, self.algebra, facts, self.model.file_projects[path][0])
        binder.bind(bodies)
        ids = facts.declarations
        references = {self._use(bound, ids) for bound in binder.references}
        possible = {
            PossibleUse(p.pos >> SHIFT, p.pos & COLUMN_MASK, p.length, p.name, _id(ids, p.enclosing))
            for p in binder.possible
        }
        calls = [
            Call(_id(ids, caller), self.model.symbol_key(callee), kind, times)
            for (caller, callee, kind), times in binder.calls.items()
        ]
        return Bindings(tuple(sorted(references)), tuple(sorted(possible)), tuple(sorted(calls)))

    def _use(self, bound: Bound, ids: tuple[DeclarationFacts, ...]) -> Use:
        return Use(
            bound.pos >> SHIFT,
            bound.pos & COLUMN_MASK,
            bound.length,
            self.model.symbol_key(bound.target),
            bound.kind,
            bound.how,
            bound.sure,
            bound.implicit,
            _id(ids, bound.enclosing),
        )

    def edges(self) -> list[HierarchyEdge]:
        """Every hierarchy edge of the workspace."""
        return edges(self.model, self.algebra)


def _id(declarations: tuple[DeclarationFacts, ...], index: int) -> str:
    return declarations[index].doc_id if index >= 0 else ""


def defines_of(context: BindingContext, path_projects: Mapping[str, str], path: str) -> frozenset[str] | None:
    """The defines of the project that a file is bound in; None where they are unknown."""
    project = path_projects.get(path)
    return context.projects[project].defines if project is not None else None


def owners(context: BindingContext) -> dict[str, str]:
    """The first project of each file."""
    out: dict[str, str] = {}
    for name, project in context.projects.items():
        for path in project.files:
            out.setdefault(path, name)
    return out


def bind_workspace(sources: Mapping[str, bytes], context: BindingContext | None = None) -> WorkspaceBinding:
    """Extract and bind every file in this process."""
    context = context or BindingContext()
    projects = owners(context)
    facts: dict[str, FileFacts] = {}
    bodies: dict[str, FileBodies] = {}
    for path, source in sources.items():
        facts[path], bodies[path] = extract(source, path, defines_of(context, projects, path))
    bound = WorkspaceBinding(facts)
    binder = Binder(Model(facts, context))
    for path, lowered in bodies.items():
        result = binder.bind_file(path, lowered)
        bound.references[path], bound.possible[path], bound.calls[path] = result
    bound.edges = binder.edges()
    return bound


def same_interface(before: FileFacts | None, after: FileFacts | None) -> bool:
    """Whether two versions of a file declare the same things in the same order: then a model can take the new one."""
    if before is None or after is None or _global_usings(before) != _global_usings(after):
        return False
    return [d.doc_id for d in before.declarations] == [d.doc_id for d in after.declarations] and _interface(
        before
    ) == _interface(after)


def affected_files(old: Mapping[str, FileFacts], new: Mapping[str, FileFacts], changed: Iterable[str]) -> set[str]:
    """Files whose bindings may differ after `changed` files went from `old` facts to `new` ones.

    A change inside bodies touches the file alone. A changed member touches the files that mention its name. What is
    used without being named (a type's bases, constructors, operators, indexers) touches those that mention the type,
    or a member through which a value of that type can be had. Changed usings of a whole project touch everything.
    """
    out: set[str] = set()
    names: set[str] = set()
    types: set[str] = set()
    for path in changed:
        before, after = old.get(path), new.get(path)
        if after is not None:
            out.add(path)
        if _global_usings(before) != _global_usings(after):
            return set(new)
        changed_names, changed_types = _changed_names(before, after)
        names |= changed_names
        types |= changed_types
    if names or types:
        names |= {part for namespace in _namespaces(old) ^ _namespaces(new) for part in namespace.split(".")}
        names |= _closure(new, types)
        names |= {name.removesuffix("Attribute") for name in names}
        out.update(path for path, facts in new.items() if not names.isdisjoint(facts.mentioned))
    return out


def _namespaces(files: Mapping[str, FileFacts]) -> set[str]:
    return {decl.namespace for facts in files.values() for decl in facts.declarations}


def _closure(files: Mapping[str, FileFacts], types: set[str]) -> set[str]:
    """`types`, the types derived from them or declared with them, and the members that give a value of one."""
    reached: set[str] = set()
    members: set[str] = set()
    while types - reached:
        reached |= types
        for facts in files.values():
            if reached.isdisjoint(facts.mentioned):
                continue
            for decl in facts.declarations:
                shown = (decl.type, decl.bases, tuple(p.type for p in decl.parameters), decl.constraints)
                if _mentions(shown, reached):
                    (types if decl.kind in TYPE_KINDS or decl.kind == "constructor" else members).add(decl.name)
    return reached | members


def _mentions(syntax: Any, names: set[str]) -> bool:
    if isinstance(syntax, str):
        return syntax in names
    return isinstance(syntax, tuple) and any(_mentions(part, names) for part in syntax)


def _global_usings(facts: FileFacts | None) -> tuple[object, ...]:
    return tuple((u.is_static, u.alias, u.target) for u in facts.usings if u.is_global) if facts is not None else ()


# Members that are used without their name standing there.
_UNNAMED = frozenset(["constructor", "indexer", "operator", "conversion", "destructor"])
_BY_PATTERN = frozenset(["Deconstruct", "GetEnumerator", "GetAwaiter", "GetResult", "Current", "Add", "Invoke"])


def _changed_names(before: FileFacts | None, after: FileFacts | None) -> tuple[set[str], set[str]]:
    """Names declared differently, and the types of which something changed that is used without its name."""
    left, right = _interface(before), _interface(after)
    names: set[str] = set()
    types: set[str] = set()
    for key in left.keys() | right.keys():
        if left.get(key) == right.get(key):
            continue
        chain = key[0]
        names.add(chain[0])
        kinds = {seen[0] for seen in left.get(key, []) + right.get(key, [])}
        if kinds & TYPE_KINDS:
            types.update(chain)
        elif kinds & _UNNAMED or chain[0] in _BY_PATTERN:
            types.update(chain[1:])
    return names, types


def _interface(facts: FileFacts | None) -> dict[Any, list[Any]]:
    """What other files can see of a file: each declaration without its place, by the names around it."""
    out: dict[Any, list[Any]] = {}
    if facts is None:
        return out
    usings = [(u.namespace, u.alias, u.is_static, _plain(u.target)) for u in facts.usings]
    for decl in facts.declarations:
        names = [decl.name]
        parent = decl.parent
        while parent >= 0:
            names.append(facts.declarations[parent].name)
            parent = facts.declarations[parent].parent
        seen = (
            decl.kind,
            decl.namespace,
            decl.modifiers,
            decl.type_parameters,
            _plain(decl.type),
            tuple((p.name, _plain(p.type), p.modifier, p.optional) for p in decl.parameters),
            tuple(_plain(b) for b in decl.bases),
            _plain(decl.explicit_interface),
            tuple((n, tuple(_plain(t) for t in types)) for n, types in decl.constraints),
            decl.inactive,
            usings,  # the same words may mean another type
        )
        out.setdefault((tuple(names), decl.namespace), []).append(seen)
    return out


def _plain(syntax: Any) -> Any:
    """Type syntax without positions."""
    if not isinstance(syntax, tuple):
        return None if isinstance(syntax, int) else syntax
    return tuple(_plain(part) for part in syntax)


__all__ = ["Binder", "Bindings", "Call", "WorkspaceBinding", "affected_files", "bind_workspace", "owners"]
