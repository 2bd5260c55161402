"""What the workspace scan may be told."""

from __future__ import annotations

from dataclasses import dataclass

NEVER_SOURCE_SEGMENTS = (
    ".git",
    ".hg",
    ".svn",
    ".hybrid-index",
    "node_modules",
    "__pycache__",
    ".venv",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
)
"""Folders that never hold a workspace's own source, so they are not entered even where git tracks them."""

BUILD_OUTPUT_SEGMENTS = (
    ".vs",
    ".idea",
    "bin",
    "obj",
    "packages",
    "TestResults",
    "artifacts",
)
"""Folders that often hold build output but may hold source (`packages/` of a JavaScript monorepo, `bin/` with scripts).

They hide nothing that git tracks; where git does not track the files, a folder of an ambiguous name is left out only if
it looks like output (see `outputs.py`).
"""

DENIED_SEGMENTS = NEVER_SOURCE_SEGMENTS + BUILD_OUTPUT_SEGMENTS


@dataclass(frozen=True, slots=True)
class ScopeOptions:
    """Which files of the workspace are indexed."""

    extra_roots: tuple[str, ...] = ()  # further folders to include, absolute or relative to the root
    exclude_roots: tuple[str, ...] = ()  # folders (relative to the root) to leave out, tracked by git or not
    exclude_segments: tuple[str, ...] = DENIED_SEGMENTS  # folder names that are not entered; added ones always hold
    ignore_files: tuple[str, ...] = (".hybridindexignore",)  # further files in gitignore syntax
    include_extensions: tuple[str, ...] = ()  # when not empty, only these (".cs"); "" means "without an extension"
    exclude_extensions: tuple[str, ...] = ()
    max_file_bytes: int = 2_000_000
    max_line_chars: int = 20_000  # a file is minified only if a line is longer than this, or its name says so
    minified_average: int = 1_000  # and if its lines are longer than this on average
    fallback_encoding: str = "cp1252"  # for bytes that are neither Unicode nor declare an encoding
    follow_submodules: bool = True
    use_git: bool = True
    mask_secrets: bool = True
