"""`Workspace`: which files are there, why the others are not, and what a file says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from hybrid_index.errors import PathError
from hybrid_index.types import FileRecord, SourceText
from hybrid_index.workspace.admission import Admission, never_entered
from hybrid_index.workspace.facts import NameFacts
from hybrid_index.workspace.listing import Lister, Listing, ignored_by_git
from hybrid_index.workspace.options import ScopeOptions
from hybrid_index.workspace.paths import is_inside, resolve_inside
from hybrid_index.workspace.reading import ReadResult, read_source, read_text
from hybrid_index.workspace.roots import Root, all_roots, resolve_root
from hybrid_index.workspace.skips import LedgerEntry, Skip, SkipReason, summarise

Progress = Callable[[int], None]
"""Called now and then with the number of paths found so far."""


def _nothing() -> tuple[Skip, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The files offered for indexing, and what is left out."""

    files: tuple[FileRecord, ...]  # sorted by path
    skips: tuple[Skip, ...]  # sorted by path; what git ignores is only in the ledger
    warnings: tuple[str, ...] = ()
    _ignored: Callable[[], tuple[Skip, ...]] = field(default=_nothing, repr=False, compare=False)

    def all_skips(self) -> tuple[Skip, ...]:
        """All skips, with what git ignores: asks git, which takes about as long as the scan."""
        return tuple(sorted({*self.skips, *self._ignored()}, key=lambda skip: skip.path))

    def ledger(self, also: Iterable[Skip] = ()) -> tuple[LedgerEntry, ...]:
        """Counts by reason with the folders that hold most; `also` adds the skips that reading found."""
        return summarise((*self.all_skips(), *also))


class Workspace:
    """One workspace on disk. Holds no open files and no state that a change on disk would make wrong."""

    def __init__(self, root: Path, options: ScopeOptions | None = None) -> None:
        """Resolve the root, which may be a link.

        Raises:
            PathError: there is no such folder.
        """
        self.root = resolve_root(root)
        self.options = options or ScopeOptions()
        self.roots, self._warnings = all_roots(self.root, self.options.extra_roots)
        self._facts = NameFacts(self.options)

    def scan(self, progress: Progress | None = None) -> ScanResult:
        """List the files to index, without reading any. An exception that `progress` raises ends the scan."""
        files: dict[str, FileRecord] = {}
        skips: dict[str, Skip] = {}
        warnings = list(self._warnings)
        listed: list[tuple[str, str, Listing]] = []
        for root in self.roots:
            folder = os.fspath(root.folder)
            lister = Lister(
                folder,
                never_entered(self.options),
                use_git=self.options.use_git,
                follow_submodules=self.options.follow_submodules,
                progress=progress,
            )
            listing = lister.run()
            self._admit(root, listing, files, skips)
            skips.update((root.prefix + skip.path, _under(root.prefix, skip)) for skip in listing.skips)
            warnings.extend(listing.warnings)
            listed.append((root.prefix, folder, listing))
        for path in files.keys() & skips.keys():
            del skips[path]  # left out of one root, named by another
        never = never_entered(self.options)

        def ignored() -> tuple[Skip, ...]:
            return tuple(
                _under(prefix, skip)
                for prefix, folder, listing in listed
                for skip in ignored_by_git(folder, listing.repositories, never)
            )

        return ScanResult(
            tuple(files[path] for path in sorted(files)),
            tuple(skips[path] for path in sorted(skips)),
            tuple(warnings),
            ignored,
        )

    def read(self, record: FileRecord) -> ReadResult:
        """Read a file of the scan: its masked text and the hash of its bytes, or the reason why it is left out."""
        full = self.full_path(record.path)
        if not self.contains(os.path.realpath(os.path.dirname(full))):  # a folder became a link since it was listed
            return ReadResult(None, b"", Skip(record.path, SkipReason.OUTSIDE_ROOT, "below a link that leads out"))
        return read_source(record.path, full, self.options, record.language)

    def full_path(self, path: str) -> str:
        """Where a path of the workspace is on disk, without checking that it is there."""
        for root in self.roots:
            if root.prefix.startswith("@") and path.startswith(root.prefix):
                return f"{root.folder}/{path[len(root.prefix) :]}"
        return f"{self.root}/{path}"

    def resolve(self, user_path: str) -> Path:
        """Turn a path that a caller gave into a real path inside the workspace.

        Raises:
            PathError: it is malformed, leads out, or does not exist.
        """
        outside = [(root.prefix, root.folder) for root in self.roots if root.prefix.startswith("@")]
        return resolve_inside([*outside, ("", self.root)], user_path)

    def name_of(self, full_path: Path) -> str:
        """The path in the workspace of a real path.

        Raises:
            PathError: it is outside.
        """
        for root in (self.roots[0], *(root for root in self.roots if root.prefix.startswith("@"))):
            if is_inside(os.fspath(full_path), os.fspath(root.folder)):
                return root.prefix + full_path.relative_to(root.folder).as_posix()
        raise PathError(f"{full_path} is outside the workspace.")

    def read_text(self, user_path: str) -> SourceText:
        """The live text of a path that a caller gave, decoded and masked as for indexing.

        Raises:
            PathError: it is outside, missing, or not text that may be shown.
        """
        full = self.resolve(user_path)
        return read_text(full, self.options, name=self.name_of(full))

    def contains(self, real_path: str) -> bool:
        """Whether a resolved absolute path lies inside one of the roots."""
        return any(is_inside(real_path, os.fspath(root.folder)) for root in self.roots)

    def _admit(self, root: Root, listing: Listing, files: dict[str, FileRecord], skips: dict[str, Skip]) -> None:
        """Sort what was listed below one root into files and skips."""
        admission = Admission(os.fspath(root.folder), root.prefix, self.options, self.contains, self._facts)
        admission.read_ignore_files(path for path, _, _ in listing.entries)
        for path, tracked, status in listing.entries:
            skip = admission.folder_skip(path.rpartition("/")[0], tracked) or admission.file_skip(path, status)
            if skip is None:
                record = admission.record(path, status)
                files[record.path] = record
            else:
                skips[skip.path] = skip


def _under(prefix: str, skip: Skip) -> Skip:
    return Skip(prefix + skip.path, skip.reason, skip.detail) if prefix else skip
