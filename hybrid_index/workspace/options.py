"""What the workspace scan may be told."""

from __future__ import annotations

from dataclasses import dataclass

DENIED_SEGMENTS = (
    ".git",
    ".hg",
    ".svn",
    ".vs",
    ".idea",
    ".hybrid-index",
    "bin",
    "obj",
    "node_modules",
    "packages",
    "TestResults",
    "artifacts",
    "__pycache__",
    ".venv",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
)


@dataclass(frozen=True, slots=True)
class ScopeOptions:
    """Which files of the workspace are indexed."""

    extra_roots: tuple[str, ...] = ()  # further folders to include, absolute or relative to the root
    exclude_roots: tuple[str, ...] = ()  # folders (relative to the root) to leave out
    exclude_segments: tuple[str, ...] = DENIED_SEGMENTS  # folder names that are never entered
    ignore_files: tuple[str, ...] = (".hybridindexignore",)  # further files in gitignore syntax
    include_extensions: tuple[str, ...] = ()  # when not empty, only these (".cs"); "" means "without an extension"
    exclude_extensions: tuple[str, ...] = ()
    max_file_bytes: int = 2_000_000
    max_line_chars: int = 20_000  # a file whose average line is longer than `minified_average` is minified
    minified_average: int = 1_000
    follow_submodules: bool = True
    use_git: bool = True
    mask_secrets: bool = True
