"""Paths that callers give: kept inside the roots, and roots that are too large to be meant."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from hybrid_index.errors import PathError

_DRIVE = re.compile(r"^[A-Za-z]:")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:(?:/|$)")


def resolve_inside(roots: Path | Sequence[tuple[str, Path]], user_path: str) -> Path:
    """Turn a path that a caller gave into a real path inside a root.

    `roots` is one folder, or pairs of a prefix (`""` for the workspace itself, `@name/` for a further root) and a
    folder. An absolute path is accepted only when it lies inside a root.

    Raises:
        PathError: the path is malformed, leads out of the roots (by `..` or through a link), or does not exist.
    """
    pairs = [("", roots)] if isinstance(roots, Path) else list(roots)
    folder, relative = _split(pairs, user_path)
    joined = folder / relative if relative else folder
    try:
        resolved = joined.resolve(strict=True)
    except FileNotFoundError as error:
        raise PathError(f"There is no {user_path!r} in the workspace. Use find_file to look for it.") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise PathError(f"The path {_shown(user_path)} can't be resolved: {error}.") from error
    if not any(is_inside(os.fspath(resolved), os.fspath(root)) for _, root in pairs):
        raise PathError(f"The path {user_path!r} leads out of the workspace through a link, so it is not read.")
    return resolved


def _split(pairs: Sequence[tuple[str, Path]], user_path: str) -> tuple[Path, str]:
    """The root that a path belongs to, and the rest of the path."""
    path = user_path
    if "\0" in path or any(0xD800 <= ord(char) <= 0xDFFF for char in path):
        raise PathError(f"The path {_shown(path)} holds characters that no path can have.")
    if len(path) > 4_096:
        raise PathError(f"The path starting {path[:60]!r} is too long.")
    if path.startswith(("\\\\", "//")):
        raise PathError(f"{path!r} is a network or device path. Give a path relative to the workspace.")
    if _SCHEME.match(path):
        raise PathError(f"{path!r} is a URL. Give a path relative to the workspace.")
    if os.name == "nt":
        path = path.replace("\\", "/")
    if os.path.isabs(path) or _DRIVE.match(path):
        return _absolute(pairs, path)
    if any(part == ".." for part in re.split(r"[/\\]", path)):
        raise PathError(f"{user_path!r} climbs out with '..'. Give a path relative to the workspace without it.")
    for prefix, folder in pairs:
        if prefix and (path + "/").startswith(prefix):
            return folder, path[len(prefix) :]
    for prefix, folder in pairs:
        if not prefix:
            return folder, "" if path in ("", ".") else path
    raise PathError(f"{user_path!r} is not below any root of the workspace.")


def _absolute(pairs: Sequence[tuple[str, Path]], path: str) -> tuple[Path, str]:
    normal = os.path.normpath(path)
    for _, folder in pairs:
        if is_inside(normal, os.fspath(folder)):
            return folder, os.path.relpath(normal, folder)
    raise PathError(f"{path!r} is outside the workspace. Give a path relative to it.")


def is_inside(path: str, folder: str) -> bool:
    """Whether an absolute path is a folder or lies below it; both already resolved."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def refuse_dangerous_root(root: Path) -> None:
    """Refuse a root that holds a whole machine or a whole home.

    Raises:
        PathError: `root` is a drive or file-system root, a home directory, or a folder that holds one.
    """
    resolved = root.resolve()
    if resolved.parent == resolved:
        raise PathError(f"{resolved} is the root of a file system. Name the folder of one project.")
    try:
        home = Path.home().resolve()
    except (RuntimeError, OSError):
        return  # an account without a home
    if resolved == home:
        raise PathError(f"{resolved} is a home directory. Name the folder of one project.")
    if is_inside(os.fspath(home), os.fspath(resolved)):
        raise PathError(f"{resolved} holds home directories. Name the folder of one project.")


def _shown(path: str) -> str:
    return ascii(path[:100])
