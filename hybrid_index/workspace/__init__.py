"""Which files are there: finding them, ignore rules, classification, decoding, secrets, and what git knows.

Finding a file, deciding whether it is offered, and reading it are three separate steps: `Workspace.scan` lists without
reading, `Workspace.read` judges the content, and every path that is left out has a `SkipReason`.
"""

from hybrid_index.workspace.classify import is_generated, is_test, language_of, pair_of
from hybrid_index.workspace.explain import Explanation, explain_path
from hybrid_index.workspace.head import GitState, is_dirty, read_git_state
from hybrid_index.workspace.options import ScopeOptions
from hybrid_index.workspace.paths import refuse_dangerous_root, resolve_inside
from hybrid_index.workspace.reading import ReadResult, content_hash, read_text
from hybrid_index.workspace.roots import Root
from hybrid_index.workspace.skips import LedgerEntry, Skip, SkipReason
from hybrid_index.workspace.workspace import ScanResult, Workspace

__all__ = [
    "Explanation",
    "GitState",
    "LedgerEntry",
    "ReadResult",
    "Root",
    "ScanResult",
    "ScopeOptions",
    "Skip",
    "SkipReason",
    "Workspace",
    "content_hash",
    "explain_path",
    "is_dirty",
    "is_generated",
    "is_test",
    "language_of",
    "pair_of",
    "read_git_state",
    "read_text",
    "refuse_dangerous_root",
    "resolve_inside",
]
