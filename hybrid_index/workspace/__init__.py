"""Which files are there: walking, ignoring and reading are three separate questions, each with a recorded answer.

Useful for: listing a workspace, reading a file safely, saying why a path is not indexed. Not useful for: what a file
means (`languages`).
"""

from hybrid_index.workspace.classify import is_generated, is_test, language_of, pair_of
from hybrid_index.workspace.git import GitState, is_dirty, read_git_state
from hybrid_index.workspace.options import ScopeOptions
from hybrid_index.workspace.paths import refuse_dangerous_root, resolve_inside
from hybrid_index.workspace.workspace import ReadResult, ScanResult, Skip, SkipReason, Workspace, ledger

__all__ = [
    "GitState",
    "ReadResult",
    "ScanResult",
    "ScopeOptions",
    "Skip",
    "SkipReason",
    "Workspace",
    "is_dirty",
    "is_generated",
    "is_test",
    "language_of",
    "ledger",
    "pair_of",
    "read_git_state",
    "refuse_dangerous_root",
    "resolve_inside",
]
