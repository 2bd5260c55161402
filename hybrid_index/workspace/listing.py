"""All paths below one root that no ignore rule names, by git where git can say and by walking elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from stat import S_ISDIR

from hybrid_index.workspace.git import GitListing, GitProblem, NotARepository, ignoring_rule, list_ignored
from hybrid_index.workspace.names import shown_name
from hybrid_index.workspace.skips import Skip, SkipReason, left_out_by_name
from hybrid_index.workspace.walk import walk

Entry = tuple[str, bool, os.stat_result]
"""A path relative to the root, whether git tracks it, and its status (links not followed)."""


@dataclass(slots=True)
class Listing:
    """What was found below one root."""

    entries: list[Entry] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)  # folders that git listed: "" or "sub/", relative to the root


class Lister:
    """Lists one root; repositories inside it (submodules, clones) are listed by their own git."""

    def __init__(
        self,
        folder: str,
        never: frozenset[str],
        *,
        use_git: bool,
        follow_submodules: bool,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._folder = folder
        self._never = never
        self._use_git = use_git
        self._follow = follow_submodules
        self._progress = progress
        self._found = Listing()

    def run(self) -> Listing:
        """List everything."""
        pending = [""]
        while pending:
            prefix = pending.pop()
            pending.extend(self._list(prefix))
        return self._found

    def _list(self, prefix: str) -> list[str]:
        """List one repository or plain folder; returns the prefixes of the repositories inside it."""
        folder = self._folder + "/" + prefix if prefix else self._folder
        if self._use_git:
            try:
                with GitListing(folder, self._never) as listing:
                    if listing.tracked or not ignoring_rule(folder, "."):
                        return self._take_git(prefix, folder, listing)
                # The folder itself is ignored by a repository above it, yet it was named as a root: walk it.
            except NotARepository:
                pass
            except GitProblem as problem:
                self._found.warnings.append(f"{prefix or 'The workspace'}: {problem} Its files are found without git.")
        return self._take_walk(prefix, folder)

    def _take_git(self, prefix: str, folder: str, listing: GitListing) -> list[str]:
        found = self._found
        found.repositories.append(prefix)
        inner = self._take_paths(prefix, folder, listing.tracked, tracked=True)
        try:
            untracked, unreadable = listing.untracked()
        except GitProblem as problem:
            found.warnings.append(f"{prefix or 'The workspace'}: untracked files were not listed: {problem}")
            return inner
        found.skips.extend(Skip(f"{prefix}{path}/", SkipReason.UNREADABLE, why) for path, why in unreadable)
        return inner + self._take_paths(prefix, folder, untracked, tracked=False)

    def _take_paths(self, prefix: str, folder: str, paths: list[str], *, tracked: bool) -> list[str]:
        """Take in paths that git listed; returns the prefixes of the repositories among them."""
        entries, lstat = self._found.entries, os.lstat
        inner: list[str] = []
        for path in paths:
            try:
                status = lstat(f"{folder}/{path}")
            except (FileNotFoundError, NotADirectoryError):
                continue  # git still tracks it, or it was deleted a moment ago
            except (OSError, ValueError) as error:
                self._found.skips.append(Skip(prefix + shown_name(path), SkipReason.UNREADABLE, _why(error)))
                continue
            if S_ISDIR(status.st_mode):
                inner.extend(self._enter_repository(f"{prefix}{path.rstrip('/')}/"))
            else:
                entries.append((prefix + path, tracked, status))
        self._report()
        return inner

    def _take_walk(self, prefix: str, folder: str) -> list[str]:
        found = self._found
        before = len(found.entries)
        report = self._progress and (lambda count: self._report(before + count))
        walked = walk(folder, self._never, stop_at_repositories=self._use_git, progress=report)
        found.entries.extend((prefix + path, False, status) for path, status in walked.files)
        found.skips.extend(Skip(prefix + skip.path, skip.reason, skip.detail) for skip in walked.skips)
        self._report()
        return [inner for path in walked.repositories for inner in self._enter_repository(f"{prefix}{path}/")]

    def _enter_repository(self, prefix: str) -> list[str]:
        if not self._follow:
            self._found.skips.append(Skip(prefix, SkipReason.SUBMODULE, "follow_submodules is off"))
        elif not os.path.lexists(f"{self._folder}/{prefix}.git"):
            self._found.skips.append(Skip(prefix, SkipReason.SUBMODULE, "not checked out"))
        else:
            return [prefix]
        return []

    def _report(self, count: int | None = None) -> None:
        if self._progress is not None:
            self._progress(len(self._found.entries) if count is None else count)


def ignored_by_git(folder: str, repositories: Iterable[str], never: frozenset[str]) -> list[Skip]:
    """The untracked paths of listed repositories that a rule ignores; whole folders are one entry."""
    skips: list[Skip] = []
    for prefix in repositories:
        try:
            paths = list_ignored(f"{folder}/{prefix}" if prefix else folder, never)
        except GitProblem:
            continue  # it was listed a moment ago: now it is gone
        inside = "\0"  # no path starts with it
        for path in sorted(paths):  # a folder comes before what git lists below it again
            if path.startswith(inside):
                continue
            inside = path if path.endswith("/") else inside
            name = path.rstrip("/").rpartition("/")[2]
            if path.endswith("/") and name in never:
                skips.append(Skip(prefix + path, SkipReason.EXCLUDED_BY_SETTING, left_out_by_name(name)))
            else:
                skips.append(Skip(prefix + path, SkipReason.IGNORED_BY_RULE, "git"))
    return skips


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
