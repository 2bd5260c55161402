"""Which files a request looks at; the answer goes into both channels, so that `k` candidates always fit the filters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hybrid_index.store import FileSummary


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
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Compile a glob over `/` paths: `**` crosses folders, `*` and `?` do not; without a `/` it matches the name."""
    text = glob.replace("\\", "/").removeprefix("./").lstrip("/")
    prefix = "" if "/" in text else "(?:.*/)?"
    if text.endswith("/"):
        text += "**"
    out, i = "", 0
    while i < len(text):
        if text.startswith("**/", i):
            out, i = out + "(?:.*/)?", i + 3
        elif text.startswith("**", i):
            out, i = out + ".*", i + 2
        elif text[i] == "*":
            out, i = out + "[^/]*", i + 1
        elif text[i] == "?":
            out, i = out + "[^/]", i + 1
        else:
            out, i = out + re.escape(text[i]), i + 1
    return re.compile(prefix + out + r"\Z", re.I)


def matching_files(files: Sequence[FileSummary], wanted: FileFilter) -> list[FileSummary]:
    """Give the files that pass a filter."""
    include = [glob_pattern(glob) for glob in wanted.paths if not glob.startswith("!")]
    exclude = [glob_pattern(glob[1:]) for glob in wanted.paths if glob.startswith("!")]
    projects = {name.lower().rstrip("/") for name in wanted.projects}

    def passes(file: FileSummary) -> bool:
        if include and not any(pattern.match(file.path) for pattern in include):
            return False
        if any(pattern.match(file.path) for pattern in exclude):
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
