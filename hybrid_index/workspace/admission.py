"""Is this path offered for indexing? One order of questions for the scan and for the explanation of a path."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from hybrid_index.types import FileRecord
from hybrid_index.workspace.classify import extension_of, is_binary_name, is_generated, is_test, language_of
from hybrid_index.workspace.ignore import IgnoreTree
from hybrid_index.workspace.names import is_indexable_name, shown_name
from hybrid_index.workspace.options import BUILD_OUTPUT_SEGMENTS, NEVER_SOURCE_SEGMENTS, ScopeOptions
from hybrid_index.workspace.outputs import looks_like_output
from hybrid_index.workspace.secrets import is_credential_name
from hybrid_index.workspace.skips import Skip, SkipReason
from hybrid_index.workspace.walk import is_junction


def never_entered(options: ScopeOptions) -> frozenset[str]:
    """Folder names that are left out whether git tracks them or not: the certain ones, and any that a user added."""
    return frozenset(options.exclude_segments) - frozenset(BUILD_OUTPUT_SEGMENTS) | {".git"}


class Admission:
    """Decides about the paths of one root, given relative to it."""

    def __init__(self, folder: str, prefix: str, options: ScopeOptions, contains: Callable[[str], bool]) -> None:
        """`contains` answers whether an absolute real path lies inside the workspace's roots."""
        self._folder = folder
        self._prefix = prefix
        self._options = options
        self._contains = contains
        self._never = never_entered(options)
        self._ambiguous = frozenset(options.exclude_segments) & frozenset(BUILD_OUTPUT_SEGMENTS)
        self._excluded_roots = tuple(root.replace("\\", "/").strip("/") for root in options.exclude_roots)
        self._include = _extensions(options.include_extensions)
        self._exclude = _extensions(options.exclude_extensions)
        self._rules = IgnoreTree(folder, options.ignore_files)
        self._folders: dict[tuple[str, bool], Skip | None] = {}
        self._outputs: dict[str, bool] = {}

    def folder_skip(self, folder: str, tracked: bool) -> Skip | None:
        """Why nothing below a folder is offered; None when something may be."""
        if not folder:
            return None
        key = (folder, tracked)
        if key not in self._folders:
            above = self.folder_skip(folder.rpartition("/")[0], tracked)
            self._folders[key] = above or self._own_folder_skip(folder, tracked)
        return self._folders[key]

    def file_skip(self, path: str, status: os.stat_result) -> Skip | None:
        """Why a file is not offered, its folders aside; None when it is."""
        reason_detail = self._name_reason(path) or self._kind_reason(path, status) or self._content_reason(path, status)
        if reason_detail is None:
            return None
        return Skip(self._prefix + shown_name(path), *reason_detail)

    def record(self, path: str, status: os.stat_result) -> FileRecord:
        """The record of a file that is offered."""
        shown = self._prefix + path
        return FileRecord(
            shown, status.st_size, status.st_mtime_ns, language_of(path), is_test(shown), is_generated(shown)
        )

    def unreadable(self, path: str, error: OSError) -> Skip:
        """The skip of a path whose status can't be had."""
        return Skip(self._prefix + shown_name(path), SkipReason.UNREADABLE, error.strerror or str(error))

    # -- folders ------------------------------------------------------------------------------------------------------

    def _own_folder_skip(self, folder: str, tracked: bool) -> Skip | None:
        name = folder.rpartition("/")[2]
        shown = self._prefix + shown_name(folder) + "/"
        if name in self._never:
            detail = f"folders named {name} are left out"
            if name not in NEVER_SOURCE_SEGMENTS:
                detail += " (exclude_segments)"
            return Skip(shown, SkipReason.EXCLUDED_BY_SETTING, detail)
        if name in self._ambiguous and not tracked and self._is_output(folder):
            return Skip(shown, SkipReason.EXCLUDED_BY_SETTING, f"untracked build output in a folder named {name}")
        if self._prefix + folder in self._excluded_roots:
            return Skip(shown, SkipReason.EXCLUDED_BY_SETTING, "exclude_roots")
        if rule := self._rules.decides(folder, is_folder=True):
            return Skip(shown, SkipReason.IGNORED_BY_RULE, str(rule))
        try:
            status = os.lstat(f"{self._folder}/{folder}")
        except OSError:
            return None  # its files will say
        if stat.S_ISLNK(status.st_mode) or is_junction(status):
            return Skip(self._prefix + shown_name(folder), *self._link_reason(folder))
        return None

    def _is_output(self, folder: str) -> bool:
        if folder not in self._outputs:
            self._outputs[folder] = looks_like_output(f"{self._folder}/{folder}")
        return self._outputs[folder]

    # -- files --------------------------------------------------------------------------------------------------------

    def _name_reason(self, path: str) -> tuple[SkipReason, str] | None:
        if not is_indexable_name(path):
            return SkipReason.BAD_NAME, "the name is not valid UTF-8 or holds control characters"
        if rule := self._rules.decides(path, is_folder=False):
            return SkipReason.IGNORED_BY_RULE, str(rule)
        return None

    def _kind_reason(self, path: str, status: os.stat_result) -> tuple[SkipReason, str] | None:
        if stat.S_ISREG(status.st_mode) and not is_junction(status):
            return None
        if stat.S_ISLNK(status.st_mode) or is_junction(status):
            return self._link_reason(path)
        return SkipReason.NOT_REGULAR, "a pipe, socket or device"

    def _link_reason(self, path: str) -> tuple[SkipReason, str]:
        full = f"{self._folder}/{path}"
        try:
            target = os.path.realpath(full, strict=True)
        except OSError as error:
            return SkipReason.UNREADABLE, f"a link that leads nowhere: {error.strerror or error}"
        if self._contains(target):
            return SkipReason.LINK, "a link; its target is inside the workspace and indexed under its own path"
        return SkipReason.OUTSIDE_ROOT, "a link that leads out of the workspace"

    def _content_reason(self, path: str, status: os.stat_result) -> tuple[SkipReason, str] | None:
        extension = extension_of(path)
        if self._include and extension not in self._include:
            return (
                SkipReason.EXCLUDED_BY_SETTING,
                f"include_extensions does not name {extension or 'files without one'}",
            )
        if extension in self._exclude:
            return SkipReason.EXCLUDED_BY_SETTING, f"exclude_extensions names {extension or 'files without one'}"
        if is_credential_name(path.rpartition("/")[2]):
            return SkipReason.SECRET, "the name says that the file holds credentials"
        if is_binary_name(path):
            return SkipReason.BINARY, f"{extension} files are not text"
        if status.st_size > self._options.max_file_bytes:
            return SkipReason.TOO_LARGE, f"{status.st_size:,} bytes; the limit is {self._options.max_file_bytes:,}"
        return None


def _extensions(given: tuple[str, ...]) -> frozenset[str]:
    return frozenset(text.lower() if not text or text.startswith(".") else "." + text.lower() for text in given)
