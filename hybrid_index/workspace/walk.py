"""The files below a folder that git does not know: ignore files honoured, links not followed, devices not opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from hybrid_index.workspace.ignore import IgnoreTree
from hybrid_index.workspace.skips import Skip, SkipReason, left_out_by_name

GIT_IGNORE = ".gitignore"


@dataclass(slots=True)
class Walked:
    """What a walk found, relative to the walked folder."""

    files: list[tuple[str, os.stat_result]] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)  # folders that are git repositories; they are not entered
    skips: list[Skip] = field(default_factory=list)


def walk(
    folder: str,
    never: Collection[str],
    *,
    stop_at_repositories: bool,
    progress: Callable[[int], None] | None = None,
) -> Walked:
    """Walk a folder without entering folders named in `never`, ignored folders, or links."""
    found = Walked()
    rules = IgnoreTree(folder, (GIT_IGNORE,))
    pending = [""]
    while pending:
        at = pending.pop()
        try:
            with os.scandir(f"{folder}/{at}" if at else folder) as listing:
                entries = {entry.name: entry for entry in listing}
        except FileNotFoundError:
            continue  # deleted since its parent was listed
        except OSError as error:
            found.skips.append(Skip(at + "/", SkipReason.UNREADABLE, error.strerror or str(error)))
            continue
        if stop_at_repositories and at and ".git" in entries:
            found.repositories.append(at)
            continue
        if GIT_IGNORE in entries:
            rules.load(at)
        pending.extend(_visit(at, entries, rules, never, found))
        if progress is not None:
            progress(len(found.files))
    return found


def _visit(
    at: str, entries: dict[str, os.DirEntry[str]], rules: IgnoreTree, never: Collection[str], found: Walked
) -> list[str]:
    """Sort the entries of one folder; returns the folders to enter."""
    enter: list[str] = []
    for name, entry in entries.items():
        path = f"{at}/{name}" if at else name
        try:
            status = entry.stat(follow_symlinks=False)
            is_folder = entry.is_dir(follow_symlinks=False) and not is_junction(status)
        except FileNotFoundError:
            continue
        except OSError as error:
            found.skips.append(Skip(path, SkipReason.UNREADABLE, error.strerror or str(error)))
            continue
        if is_folder and name in never:
            found.skips.append(Skip(path + "/", SkipReason.EXCLUDED_BY_SETTING, left_out_by_name(name)))
        elif rule := rules.verdict(path, is_folder):
            found.skips.append(Skip(path + "/" * is_folder, SkipReason.IGNORED_BY_RULE, str(rule)))
        elif is_folder:
            enter.append(path)
        else:
            found.files.append((path, status))
    return enter


def is_junction(status: os.stat_result) -> bool:
    """Whether a Windows folder is a junction or mount point, which leads elsewhere like a link."""
    return getattr(status, "st_reparse_tag", 0) != 0
