"""Which files a request looks at; the answer goes into both channels, so that `k` candidates always fit the filters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hybrid_index.errors import QueryError
from hybrid_index.store import FileSummary
from hybrid_index.workspace.wildmatch import translate


@dataclass(frozen=True, slots=True)
class FileFilter:
    """Conditions on files; all must hold."""

    paths: tuple[str, ...] = ()  # globs; a leading ! excludes
    languages: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()  # project names, or folders
    tests: str = "include"  # "include" | "exclude" | "only"
    generated: str = "include"

    @property
    def empty(self) -> bool:
        """Whether every file passes."""
        return self == FileFilter()

    def describe(self) -> list[str]:
        """Say the conditions in words."""
        out = [
            f"{name}: {', '.join(values)}"
            for name, values in (
                ("paths", self.paths),
                ("languages", self.languages),
                ("extensions", self.extensions),
                ("projects", self.projects),
            )
            if values
        ]
        out += [f"tests: {self.tests}"] if self.tests != "include" else []
        return out + ([f"generated: {self.generated}"] if self.generated != "include" else [])


@lru_cache(maxsize=512)
def _glob(glob: str) -> re.Pattern[str]:
    text = _comparable(glob.replace("\\", "/").removeprefix("./").lstrip("/"))
    text += "**" if text.endswith("/") else ""
    pattern = translate(text if "/" in text else f"**/{text}", stops_at_slash=True)
    if pattern is None:
        raise QueryError(f"{glob!r} is not a glob: a bracket or backslash in it has no end.")
    return pattern


def _comparable(text: str) -> str:
    """A text as `translate` compares it, one character a byte, without regard to case."""
    return text.lower().encode("utf-8", "surrogateescape").decode("latin-1")


def path_matches(path: str, glob: str) -> bool:
    """Whether a path fits a glob as git reads it: `**` crosses folders, `*` and `?` do not; case is ignored.

    A glob without a `/` is compared with the name alone.

    Raises:
        QueryError: the glob is malformed.
    """
    return _glob(glob).fullmatch(_comparable(path)) is not None


def matching_files(files: Sequence[FileSummary], wanted: FileFilter) -> list[FileSummary]:
    """Give the files that pass a filter. Raises QueryError for a malformed glob."""
    include = [glob for glob in wanted.paths if not glob.startswith("!")]
    exclude = [glob[1:] for glob in wanted.paths if glob.startswith("!")]
    projects = {name.lower().rstrip("/") for name in wanted.projects}

    def passes(file: FileSummary) -> bool:
        if include and not any(path_matches(file.path, glob) for glob in include):
            return False
        if any(path_matches(file.path, glob) for glob in exclude):
            return False
        if wanted.languages and file.language not in wanted.languages:
            return False
        if wanted.extensions and file.extension not in wanted.extensions:
            return False
        if projects and (file.project or "").lower() not in projects and not _below(file.path.lower(), projects):
            return False
        return _included(bool(file.is_test), wanted.tests) and _included(bool(file.is_generated), wanted.generated)

    return [file for file in files if passes(file)]


def _below(path: str, folders: set[str]) -> bool:
    return any(path.startswith(folder + "/") for folder in folders)


def _included(flag: bool, rule: str) -> bool:
    return rule == "include" or flag == (rule == "only")
