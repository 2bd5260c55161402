"""Keep a workspace bound while its files change: only what a change can reach is bound again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hybrid_index.graph.hierarchy import HierarchyEdge
from hybrid_index.graph.model import BindingContext, Model
from hybrid_index.graph.workspace import Binder, Bindings, affected_files, defines_of, owners, same_interface
from hybrid_index.languages.csharp.facts import FileFacts, extract


class LiveWorkspace:
    """A model that follows edits. Sources are read through `read` when a file must be bound again."""

    def __init__(self, facts: Mapping[str, FileFacts], context: BindingContext, read: Callable[[str], bytes]) -> None:
        self.facts = dict(facts)
        self.context = context
        self._read = read
        self._projects = owners(context)
        self._binder = Binder(Model(self.facts, context))

    def change(self, paths: set[str], context: BindingContext | None = None) -> dict[str, Bindings]:
        """Take in changed, new and removed files; gives the new bindings of every file whose bindings may differ.

        Args:
            paths: the files that changed; one whose `read` raises FileNotFoundError is gone.
            context: the projects after the change, where their files or references changed: then everything is bound.
        """
        old = dict(self.facts)
        if context is not None:
            self.context, self._projects = context, owners(context)
        for path in paths:
            try:
                self.facts[path] = self._extract(path)
            except FileNotFoundError:
                self.facts.pop(path, None)
        if context is not None:
            affected = set(self.facts)
        else:
            affected = affected_files(old, self.facts, paths)
        if context is None and all(same_interface(old.get(p), self.facts.get(p)) for p in paths):
            for path in paths:
                self._binder.model.take(self.facts[path])
        else:
            self._binder = Binder(Model(self.facts, self.context))
        return {path: self._bind(path) for path in sorted(affected)}

    def edges(self) -> list[HierarchyEdge]:
        """Every hierarchy edge of the workspace as it stands."""
        return self._binder.edges()

    def _extract(self, path: str) -> FileFacts:
        return extract(self._read(path), path, defines_of(self.context, self._projects, path))[0]

    def _bind(self, path: str) -> Bindings:
        _, bodies = extract(self._read(path), path, defines_of(self.context, self._projects, path))
        return self._binder.bind_file(path, bodies)
