"""Bind references to symbols: who means what, who calls whom, who inherits from whom."""

from hybrid_index.graph.hierarchy import HierarchyEdge
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
