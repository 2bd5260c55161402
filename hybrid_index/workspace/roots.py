"""The folders of a workspace and the names that their files have in it.

Files below the root have paths relative to it. A further root inside the root keeps those names. One outside has the
prefix `@<folder name>/`, with `-2`, `-3` ... added when an earlier one is called the same; one inside another further
root is named through that one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid_index.errors import PathError
from hybrid_index.workspace.paths import is_inside


@dataclass(frozen=True, slots=True)
class Root:
    """A folder and the prefix of its files' paths: "", "sub/folder/" or "@name/"."""

    folder: Path
    prefix: str


def resolve_root(root: Path) -> Path:
    """The real folder that a workspace is opened at.

    Raises:
        PathError: there is none.
    """
    try:
        resolved = root.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise PathError(f"There is no folder {os.fspath(root)!r}. Name an existing folder.") from error
    if not resolved.is_dir():
        raise PathError(f"{os.fspath(root)!r} is not a folder. Name the folder that holds the files.")
    return resolved


def all_roots(root: Path, extra: Sequence[str]) -> tuple[tuple[Root, ...], tuple[str, ...]]:
    """The root and its further roots, and a warning for each further root that can't be used."""
    roots = [Root(root, "")]
    warnings: list[str] = []
    taken: set[str] = set()
    for text in extra:
        folder = Path(os.path.expanduser(text))
        try:
            resolved = (folder if folder.is_absolute() else root / folder).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            warnings.append(f"extra_roots: there is no folder {text!r}.")
            continue
        if not resolved.is_dir():
            warnings.append(f"extra_roots: {text!r} is not a folder.")
        elif is_inside(os.fspath(root), os.fspath(resolved)):
            warnings.append(f"extra_roots: {text!r} holds the workspace itself, so it is not added.")
        else:
            roots.append(Root(resolved, _prefix(resolved, roots, taken)))
    return tuple(roots), tuple(warnings)


def _prefix(folder: Path, roots: Sequence[Root], taken: set[str]) -> str:
    for other in roots:
        if is_inside(os.fspath(folder), os.fspath(other.folder)):
            inner = folder.relative_to(other.folder).as_posix()
            return other.prefix if inner == "." else f"{other.prefix}{inner}/"
    name, number = folder.name, 2
    while name in taken:
        name, number = f"{folder.name}-{number}", number + 1
    taken.add(name)
    return f"@{name}/"
