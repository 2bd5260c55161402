"""Bind references to symbols: who means what, who calls whom, who inherits from whom.

Pure: facts and lowered bodies (from `languages.csharp.facts.extract`) come in, plain values go out.

- `bind_workspace(sources, context)` and `bind_in_processes(...)` give a `WorkspaceBinding`: per file `references`
  (`Use`), `possible` (`PossibleUse`: receivers of unknown type, never mixed in) and `calls` (`Call`); `edges` for all.
- `Binder(Model(facts, context)).bind_file(path, bodies)` binds one file; `LiveWorkspace` follows edits.
- A symbol is a `SymbolKey`: (path, doc_id) of its declaration; of a partial type, its part in the first file by path.
- An edge is (key, "base" | "interface" | "implements" | "overrides", key or the plain name of an external symbol); a
  member that a record synthesises stands as (path, record's doc_id, member name).
- `Use.sure` False is the label `heuristic`, True is `indexed`; `bound_by` says how.
- Lines and columns are 1-based, columns in UTF-16 units.
"""

from hybrid_index.graph.hierarchy import HierarchyEdge
from hybrid_index.graph.live import LiveWorkspace
from hybrid_index.graph.model import BindingContext, Model, ProjectFacts, SymbolKey
from hybrid_index.graph.parallel import bind_in_processes
from hybrid_index.graph.workspace import (
    Binder,
    Bindings,
    Call,
    PossibleUse,
    Use,
    WorkspaceBinding,
    affected_files,
    bind_workspace,
    same_interface,
)

__all__ = [
    "Binder",
    "BindingContext",
    "Bindings",
    "Call",
    "HierarchyEdge",
    "LiveWorkspace",
    "Model",
    "PossibleUse",
    "ProjectFacts",
    "SymbolKey",
    "Use",
    "WorkspaceBinding",
    "affected_files",
    "bind_in_processes",
    "bind_workspace",
    "same_interface",
]
