"""Paths from outside are resolved and checked here, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath, PureWindowsPath

from hybrid_index.errors import PathError

_DRIVE = re.compile(r"^[A-Za-z]:")


def resolve_inside(root: Path, given: str) -> Path:
    """Resolve a path that a caller gave; it must lie inside `root` after links are followed.

    Absolute paths are accepted when they lie inside the root.

    Raises:
        PathError: the path leaves the root or is not a plain path.
    """
    text = given.strip()
    if not text or "\0" in text:
        raise PathError(f"{given!r} is not a path.")
    if text.lower().startswith("file:") or text.startswith(("\\\\", "//")):
        raise PathError(f"{given!r} is not a workspace path. Give a path relative to {root}.")
    text = text.replace("\\", "/")
    windows_drive = bool(_DRIVE.match(text)) and not isinstance(root, PureWindowsPath)
    absolute = PurePosixPath(text).is_absolute() or PureWindowsPath(text).is_absolute()
    if windows_drive:
        raise PathError(f"{given!r} names a drive. Give a path relative to {root}.")
    real_root = root.resolve()
    try:
        target = (Path(text) if absolute else real_root / text).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PathError(f"{given!r} can't be resolved: {error}.") from error
    if target != real_root and real_root not in target.parents:
        raise PathError(f"{given!r} lies outside the workspace {real_root}. Give a path inside it.")
    return target


def refuse_dangerous_root(root: Path) -> None:
    """Refuse a root that would index a whole machine or a whole home.

    Raises:
        PathError: the root is a file system root or a home directory.
    """
    resolved = root.resolve()
    if resolved == Path(resolved.anchor):
        raise PathError(f"{resolved} is the root of a file system. Name a project folder, or pass --allow-any-root.")
    if resolved == Path.home().resolve():
        raise PathError(f"{resolved} is a home directory. Name a project folder, or pass --allow-any-root.")
