"""Whether a listed path is offered for indexing: one order of questions for every way of listing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from stat import S_ISLNK, S_ISREG

from hybrid_index.types import FileRecord
from hybrid_index.workspace.facts import NameFacts
from hybrid_index.workspace.ignore import IgnoreTree
from hybrid_index.workspace.names import shown_name
from hybrid_index.workspace.options import BUILD_OUTPUT_SEGMENTS, ScopeOptions
from hybrid_index.workspace.outputs import looks_like_output
from hybrid_index.workspace.skips import Skip, SkipReason, left_out_by_name
from hybrid_index.workspace.walk import is_junction

# Larger SVG files are outlines of fonts and pictures, digits that nobody searches: 2.2 of the 3.7 MB of text in eShop.
# Icons, which have names and classes worth finding, are a tenth of this.
MAX_DRAWING_BYTES = 20_000


def never_entered(options: ScopeOptions) -> frozenset[str]:
    """Folder names that are left out whether git tracks them or not: the certain ones, and any that a user added."""
    return frozenset(options.exclude_segments) - frozenset(BUILD_OUTPUT_SEGMENTS) | {".git"}


class Admission:
    """Decides about the paths of one root, given relative to it."""

    def __init__(
        self, folder: str, prefix: str, options: ScopeOptions, contains: Callable[[str], bool], facts: NameFacts
    ) -> None:
        """`contains` answers whether an absolute real path lies inside the workspace's roots."""
        self._folder = folder
        self._prefix = prefix
        self._options = options
        self._contains = contains
        self._facts = facts
        self._never = never_entered(options)
        self._ambiguous = frozenset(name.lower() for name in options.exclude_segments if name in BUILD_OUTPUT_SEGMENTS)
        self._excluded_roots = tuple(root.replace("\\", "/").strip("/") for root in options.exclude_roots)
        self._rules = IgnoreTree(folder, options.ignore_files)
        self._folders: dict[bool, dict[str, Skip | None]] = {True: {"": None}, False: {"": None}}  # by tracked
        self._outputs: dict[str, bool] = {}

    def read_ignore_files(self, paths: Iterable[str]) -> None:
        """Read the further ignore files: those of the root folder, and those among the listed paths."""
        self._rules.load("")
        names = tuple("/" + name for name in self._options.ignore_files)
        if names:
            for path in paths:
                if path.endswith(names):
                    self._rules.load(path.rpartition("/")[0])

    def folder_skip(self, folder: str, tracked: bool) -> Skip | None:
        """Why nothing below a folder is offered; None when something may be."""
        verdicts = self._folders[tracked]
        if folder in verdicts:
            return verdicts[folder]
        missing = [folder]
        while (folder := folder.rpartition("/")[0]) not in verdicts:
            missing.append(folder)
        skip = verdicts[folder]
        for below in reversed(missing):
            skip = verdicts[below] = skip or self._own_folder_skip(below, tracked)
        return skip

    def file_skip(self, path: str, status: os.stat_result) -> Skip | None:
        """Why a file is not offered, its folders aside; None when it is."""
        if not S_ISREG(status.st_mode) or is_junction(status):
            why: tuple[SkipReason, str] | None = self._kind_reason(path, status)
        elif rule := self._rules.verdict(path, is_folder=False):
            why = SkipReason.IGNORED_BY_RULE, str(rule)
        else:
            facts = self._facts[path]
            why = facts.skip
            limit = self._options.max_file_bytes
            if facts.language == "svg":
                limit = min(limit, MAX_DRAWING_BYTES)
            if why is None and status.st_size > limit:
                why = SkipReason.TOO_LARGE, f"{status.st_size:,} bytes; the limit is {limit:,}"
        return None if why is None else Skip(self._prefix + shown_name(path), *why)

    def record(self, path: str, status: os.stat_result) -> FileRecord:
        """The record of a file that is offered."""
        facts = self._facts[path]
        return FileRecord(
            self._prefix + path, status.st_size, status.st_mtime_ns, facts.language, facts.is_test, facts.is_generated
        )

    def _own_folder_skip(self, folder: str, tracked: bool) -> Skip | None:
        name = folder.rpartition("/")[2]
        shown = self._prefix + shown_name(folder) + "/"
        if name in self._never:
            return Skip(shown, SkipReason.EXCLUDED_BY_SETTING, left_out_by_name(name))
        if name.lower() in self._ambiguous and not tracked and self._is_output(folder):
            return Skip(shown, SkipReason.EXCLUDED_BY_SETTING, f"untracked build output in a folder named {name}")
        if self._prefix + folder in self._excluded_roots:
            return Skip(shown, SkipReason.EXCLUDED_BY_SETTING, "exclude_roots")
        if rule := self._rules.verdict(folder, is_folder=True):
            return Skip(shown, SkipReason.IGNORED_BY_RULE, str(rule))
        try:
            status = os.lstat(f"{self._folder}/{folder}")
        except OSError:
            return None  # gone since it was listed: reading its files will say so
        if S_ISLNK(status.st_mode) or is_junction(status):
            return Skip(self._prefix + shown_name(folder), *self._link_reason(folder))
        return None

    def _is_output(self, folder: str) -> bool:
        if folder not in self._outputs:
            self._outputs[folder] = looks_like_output(f"{self._folder}/{folder}")
        return self._outputs[folder]

    def _kind_reason(self, path: str, status: os.stat_result) -> tuple[SkipReason, str]:
        if S_ISLNK(status.st_mode) or is_junction(status):
            return self._link_reason(path)
        return SkipReason.NOT_REGULAR, "a pipe, socket or device"

    def _link_reason(self, path: str) -> tuple[SkipReason, str]:
        try:
            target = os.path.realpath(f"{self._folder}/{path}", strict=True)
        except OSError as error:
            return SkipReason.UNREADABLE, f"a link that leads nowhere: {error.strerror or error}"
        if self._contains(target):
            return SkipReason.LINK, "a link; its target is inside the workspace and indexed under its own path"
        return SkipReason.OUTSIDE_ROOT, "a link that leads out of the workspace"
