"""What git knows of a workspace; never fails, never prompts, never takes git's locks."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class GitState:
    """The commit a workspace is at. Everything is None outside a repository."""

    head: str | None = None
    branch: str | None = None
    worktree: Path | None = None


def run_git(root: Path, *args: str) -> bytes | None:
    """Run git in `root`; its output, or None when git is missing, refuses, or takes too long."""
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false", *args],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def read_git_state(root: Path) -> GitState:
    """Read the commit, branch and worktree that `root` is in."""
    top = run_git(root, "rev-parse", "--show-toplevel")
    if top is None:
        return GitState()
    worktree = Path(os.fsdecode(top.rstrip(b"\r\n")))
    head = run_git(root, "rev-parse", "--verify", "-q", "HEAD")
    branch = run_git(root, "symbolic-ref", "-q", "--short", "HEAD")
    return GitState(head.decode().strip() if head else None, os.fsdecode(branch).strip() if branch else None, worktree)


def is_dirty(root: Path) -> bool | None:
    """Whether files below `root` differ from the commit; None outside a repository."""
    status = run_git(root, "status", "--porcelain", "-z", "--untracked-files=normal", "--", ".")
    return None if status is None else bool(status)


def list_files(root: Path) -> list[str] | None:
    """List tracked and untracked, not ignored files below `root`, relative to it; None outside a usable repository."""
    out = run_git(root, "ls-files", "-co", "--exclude-standard", "-z", "--deduplicate")
    if out is None:
        return None
    return [os.fsdecode(name) for name in out.split(b"\0") if name]


def list_ignored(root: Path) -> list[str]:
    """List ignored files and folders (folders end in `/`), folded into the highest ignored folder."""
    out = run_git(root, "ls-files", "-oi", "--exclude-standard", "--directory", "-z")
    return [] if out is None else [os.fsdecode(name) for name in out.split(b"\0") if name]


def ignore_rule(root: Path, path: str) -> str | None:
    """Name the ignore rule that hides `path`, as file:line:pattern; None when none does."""
    out = run_git(root, "check-ignore", "-v", "--", path)
    return os.fsdecode(out).split("\t", 1)[0].strip() if out else None
