"""Bind whole workspaces, single files, and what a change touches. Pure: sources come in, values go out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hybrid_index.graph.algebra import Algebra
from hybrid_index.graph.binder import Bound, FileBinder, Possible, Sid
from hybrid_index.graph.hierarchy import HierarchyEdge, edges
from hybrid_index.graph.model import BindingContext, Model
from hybrid_index.languages.csharp.facts import FileBodies, FileFacts, extract


class Call(NamedTuple):
    """Calls of one member from another: declaration index in the file, callee, kind, how many."""

    caller: int
    callee: Sid
    kind: str  # "call", "new", "ctor_init", "operator" or "method_group"
    count: int


class Bindings(NamedTuple):
    """What one file's names were bound to."""

    references: tuple[Bound, ...]
    possible: tuple[Possible, ...]
    calls: tuple[Call, ...]


@dataclass(slots=True)
class WorkspaceBinding:
    """A bound workspace."""

    facts: dict[str, FileFacts]
    references: dict[str, tuple[Bound, ...]] = field(default_factory=dict)
    possible: dict[str, tuple[Possible, ...]] = field(default_factory=dict)
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
        references = tuple(sorted(dict.fromkeys(binder.references)))
        calls = tuple(sorted(Call(c, s, k, n) for (c, s, k), n in binder.calls.items()))
        return Bindings(references, tuple(sorted(dict.fromkeys(binder.possible))), calls)

    def edges(self) -> list[HierarchyEdge]:
        """Every hierarchy edge of the workspace."""
        return edges(self.model, self.algebra)


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


def affected_files(old: Mapping[str, FileFacts], new: Mapping[str, FileFacts], changed: Iterable[str]) -> set[str]:
    """Files whose bindings may differ after `changed` files went from `old` facts to `new` ones.

    A change inside bodies touches the file alone. A changed declaration touches every file that mentions a name declared
    in it, before or after; changed usings that hold for a whole project touch everything.
    """
    out: set[str] = set()
    names: set[str] = set()
    for path in changed:
        before, after = old.get(path), new.get(path)
        out.add(path)
        if _global_usings(before) != _global_usings(after):
            return set(new) | set(old)
        names |= _changed_names(before, after)
    if names:
        long = {name.removesuffix("Attribute") for name in names}
        names |= long
        out.update(path for path, facts in new.items() if not names.isdisjoint(facts.mentioned))
    return out


def _global_usings(facts: FileFacts | None) -> tuple[object, ...]:
    return tuple((u.is_static, u.alias, u.target) for u in facts.usings if u.is_global) if facts is not None else ()


def _changed_names(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """Names declared differently, with the names of the types around them."""
    left, right = _interface(before), _interface(after)
    return {name for key in left.keys() ^ right.keys() for name in key[0]} | {
        name for key in left.keys() & right.keys() if left[key] != right[key] for name in key[0]
    }


def _interface(facts: FileFacts | None) -> dict[tuple[object, ...], int]:
    return {}


__all__ = ["Binder", "Bindings", "Call", "WorkspaceBinding", "affected_files", "bind_workspace", "owners"]
