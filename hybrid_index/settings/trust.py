"""What a repository's own settings file may change.

A repository is written by others. Its `.hybrid-index/settings.toml` may narrow what is indexed and tune how answers are
ranked, and may never widen: no folder outside the root, no unmasked secrets, no model from elsewhere, no larger limits.
Every field of the settings carries one of these rules; a field without one may not be set by a repository at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any


class WorkspaceRule:
    """Base of all rules."""

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Say why the workspace's file may not set `value`, or None; `below` is what the trusted layers give."""
        raise NotImplementedError

    def allowance(self, default: Any) -> str:
        """Say in a few words, for the reference, what the workspace's file may do."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Free(WorkspaceRule):
    """Any valid value: it changes how answers look, not what is read."""

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Never object."""
        return None

    def allowance(self, default: Any) -> str:
        """Anything."""
        return "any value"


@dataclass(frozen=True, slots=True)
class UserOnly(WorkspaceRule):
    """Never, for the reason given."""

    why: str

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Object to anything but the value that already holds."""
        return None if value == below else self.why

    def allowance(self, default: Any) -> str:
        """Nothing."""
        return "nothing"


@dataclass(frozen=True, slots=True)
class AtMost(WorkspaceRule):
    """A number no larger than what already holds, or than `cap` where a repository may have a reason to need more."""

    cap: int = 0

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Object to a number above both."""
        limit = max(below, self.cap)
        return None if value <= limit else f"a repository may set at most {limit:,}"

    def allowance(self, default: Any) -> str:
        """Up to a number."""
        return f"up to {max(default, self.cap):,}"


@dataclass(frozen=True, slots=True)
class OnlyTo(WorkspaceRule):
    """A switch that may be turned one way only."""

    allowed: bool

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Object to turning the switch the other way."""
        return None if value in (self.allowed, below) else f"a repository may only turn this {_on_off(self.allowed)}"

    def allowance(self, default: Any) -> str:
        """One way only."""
        return f"turn {_on_off(self.allowed)}"


@dataclass(frozen=True, slots=True)
class InsideRoot(WorkspaceRule):
    """Relative paths that stay inside the workspace, links followed."""

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Object to the first path that leaves the root and that the trusted layers do not name."""
        outside = [path for path in value if path not in below and not _inside(path, root)]
        return f"a repository may only name relative paths inside itself, not {outside[0]!r}" if outside else None

    def allowance(self, default: Any) -> str:
        """Inside only."""
        return "relative paths inside the workspace"


@dataclass(frozen=True, slots=True)
class Keeps(WorkspaceRule):
    """A list that must go on holding certain entries."""

    entries: tuple[str, ...]

    def objection(self, value: Any, below: Any, root: Path) -> str | None:
        """Object to a list that drops one of the entries."""
        missing = [entry for entry in self.entries if entry in below and entry not in value]
        return f"a repository may not remove {', '.join(missing)}" if missing else None

    def allowance(self, default: Any) -> str:
        """Anything but some removals."""
        return f"all but removing {', '.join(self.entries)}"


def _on_off(value: bool) -> str:
    return "on" if value else "off"


def _inside(path: str, root: Path) -> bool:
    windows = PureWindowsPath(path)
    if windows.drive or windows.root or PurePosixPath(path).is_absolute() or ".." in windows.parts or "\0" in path:
        return False
    try:
        return (root / path).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a loop of links
        return False
