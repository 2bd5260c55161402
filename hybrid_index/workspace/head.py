"""Where a repository's head is, read from its files: every answer names it, and starting git would double its time."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from hybrid_index.workspace.git import GitProblem, finish_git, run_git, start_git

_COMMIT = re.compile(r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$")
_SYMBOLIC_DEPTH = 5  # git follows as many


@dataclass(frozen=True, slots=True)
class GitState:
    """Where the head of a folder's repository is. All is None or False where there is no repository."""

    head: str | None = None  # commit id; None before the first commit
    branch: str | None = None  # short name; None when detached
    detached: bool = False
    worktree_root: Path | None = None
    git_dir: Path | None = None  # of this worktree
    common_dir: Path | None = None  # shared by all worktrees


def read_git_state(root: Path) -> GitState:
    """Read where the head is. Never fails, never writes; without a readable repository all fields are empty."""
    try:
        return _read(root)
    except (OSError, ValueError):
        return GitState()


def is_dirty(root: Path, timeout_s: float = 5.0) -> bool | None:
    """Whether files below `root` differ from the head's, untracked ones included; None where git can't say in time."""
    arguments = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=dirty", "--", "."]
    try:
        out, _, _ = finish_git(start_git(os.fspath(root), arguments), timeout_s=timeout_s)
    except GitProblem:
        return None
    return bool(out)


def _read(root: Path) -> GitState:
    found = _find(root.resolve())
    if found is None:
        return GitState()
    worktree, git_dir = found
    common_dir = git_dir
    common = _text(git_dir / "commondir")
    if common is not None:
        common_dir = (git_dir / common).resolve()
    name, commit = "HEAD", None
    branch: str | None = None
    for _ in range(_SYMBOLIC_DEPTH):
        value = _text((git_dir if name == "HEAD" else common_dir) / name)
        if value is None:
            commit = _packed(common_dir, name)
            break
        if not value.startswith("ref:"):
            commit = value if _COMMIT.match(value) else None
            break
        name = value[4:].strip()
        if not _is_plain_ref(name):
            break
        branch = name.removeprefix("refs/heads/")
    if branch == ".invalid" or (common_dir / "reftable").exists():  # refs are in a table that only git reads
        return _ask_git(worktree, git_dir, common_dir)
    return GitState(commit, branch, branch is None, worktree, git_dir, common_dir)


def _find(folder: Path) -> tuple[Path, Path] | None:
    """The worktree that holds a folder, and its git directory."""
    for candidate in (folder, *folder.parents):
        marker = candidate / ".git"
        if marker.is_dir():
            if (marker / "HEAD").exists():
                return candidate, marker
        elif marker.is_file():
            text = _text(marker) or ""
            if text.startswith("gitdir:"):
                return candidate, (candidate / text[7:].strip()).resolve()
    return None


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _packed(common_dir: Path, name: str) -> str | None:
    for line in (_text(common_dir / "packed-refs") or "").splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name and _COMMIT.match(commit):
            return commit
    return None


def _is_plain_ref(name: str) -> bool:
    return name.startswith("refs/") and ".." not in name and not any(char in name for char in "\0\\:~^?*[ ")


def _ask_git(worktree: Path, git_dir: Path, common_dir: Path) -> GitState:
    folder = os.fspath(worktree)
    try:
        head = run_git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"], accept=(0, 1))[0].strip() or None
        branch = run_git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"], accept=(0, 1))[0].strip() or None
    except GitProblem:
        return GitState(None, None, False, worktree, git_dir, common_dir)
    return GitState(head, branch, branch is None, worktree, git_dir, common_dir)
