"""Bind references to symbols: who means what, who calls whom, who inherits from whom."""

from hybrid_index.graph.binder import Bound, Possible, Sid
from hybrid_index.graph.hierarchy import HierarchyEdge
from hybrid_index.graph.model import BindingContext, Model, ProjectFacts
from hybrid_index.graph.workspace import (
    Binder,
    Bindings,
    Call,
    WorkspaceBinding,
    affected_files,
    bind_workspace,
)

__all__ = [
    "Binder",
    "BindingContext",
    "Bindings",
    "Bound",
    "Call",
    "HierarchyEdge",
    "Model",
    "Possible",
    "ProjectFacts",
    "Sid",
    "WorkspaceBinding",
    "affected_files",
    "bind_workspace",
]
