"""`Workspace`: which files are there, why others are not, and what each says."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pathspec

from hybrid_index.errors import PathError
from hybrid_index.types import FileRecord, SourceText
from hybrid_index.workspace.classify import GENERATED_HEAD_CHARS, is_generated, is_test, language_of
from hybrid_index.workspace.git import ignore_rule, list_files, list_ignored
from hybrid_index.workspace.options import ScopeOptions
from hybrid_index.workspace.reading import Decoded, decode, minified
from hybrid_index.workspace.secrets import is_credential_file, mask_secrets

_Spec = pathspec.PathSpec[Any]
HASH_BYTES = 16


class SkipReason(StrEnum):
    """Why a path is not indexed."""

    IGNORED = "ignored-by-rule"
    EXCLUDED = "excluded-by-setting"
    TOO_LARGE = "too-large"
    BINARY = "binary"
    MINIFIED = "minified"
    SECRET = "secret"
    UNREADABLE = "unreadable"
    OUTSIDE = "outside-root"
    NOT_REGULAR = "not-a-regular-file"


@dataclass(frozen=True, slots=True)
class Skip:
    """One path that is left out; a folder ends in `/` and stands for all below it."""

    path: str
    reason: SkipReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scan found."""

    files: tuple[FileRecord, ...]
    skips: tuple[Skip, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The text of a file, or why it has none."""

    hash: bytes
    source: SourceText | None
    skip: Skip | None
    is_generated: bool = False


class Workspace:
    """The files of one root.

    Raises:
        PathError: the root is missing or not a folder.
    """

    def __init__(self, root: Path, options: ScopeOptions | None = None) -> None:
        self.root = root.resolve()
        self.options = options or ScopeOptions()
        if not self.root.is_dir():
            raise PathError(f"{root} is not a folder. Name the folder of a workspace.")

    # -- which files --------------------------------------------------------------------------------------------------

    def scan(self) -> ScanResult:
        """List the files in scope, sorted by path, with what was left out and why. Reads no file."""
        names = list_files(self.root) if self.options.use_git else None
        from_git = names is not None
        skips: list[Skip] = []
        warnings: list[str] = []
        if names is None:
            names = list(self._walk("", [], skips))
        elif (extra := self._extra_ignores()) is not None:
            kept = [name for name in names if not extra.match_file(name)]
            skips.extend(Skip(n, SkipReason.IGNORED, "extra ignore file") for n in set(names).difference(kept))
            names = kept
        files: dict[str, FileRecord] = {}
        for name in names:
            if name.endswith("/") or (
                from_git and (self.root / name).is_dir() and not os.path.islink(self.root / name)
            ):
                self._submodule(name.rstrip("/"), files, skips)
                continue
            outcome = self._record(name)
            if isinstance(outcome, FileRecord):
                files[outcome.path] = outcome
            elif outcome is not None:
                skips.append(outcome)
        self._add_extra_roots(files, skips, warnings)
        return ScanResult(tuple(files[path] for path in sorted(files)), tuple(skips), tuple(warnings))

    def _submodule(self, name: str, files: dict[str, FileRecord], skips: list[Skip]) -> None:
        if not self.options.follow_submodules or self._excluded(name + "/x"):
            skips.append(Skip(name + "/", SkipReason.EXCLUDED, "submodule"))
            return
        inner = Workspace(self.root / name, replace(self.options, extra_roots=()))
        result = inner.scan()
        for record in result.files:
            path = f"{name}/{record.path}"
            files[path] = FileRecord(
                path, record.size, record.mtime_ns, record.language, is_test(path), record.is_generated
            )
        skips.extend(Skip(f"{name}/{skip.path}", skip.reason, skip.detail) for skip in result.skips)

    def _add_extra_roots(self, files: dict[str, FileRecord], skips: list[Skip], warnings: list[str]) -> None:
        for given in self.options.extra_roots:
            folder = (self.root / given).resolve()
            if self.root == folder or self.root in folder.parents:
                # Inside the root: brings back what ignore rules hide.
                for name in self._walk(folder.relative_to(self.root).as_posix(), [], skips, honour_ignores=False):
                    outcome = self._record(name)
                    if isinstance(outcome, FileRecord):
                        files[outcome.path] = outcome
            else:
                warnings.append(f"extra root {given} lies outside the workspace and is not indexed")

    def _record(self, name: str) -> FileRecord | Skip | None:
        try:
            name.encode("utf-8")
        except UnicodeEncodeError:
            return Skip(name.encode("utf-8", "replace").decode(), SkipReason.UNREADABLE, "the name is not valid UTF-8")
        if (why := self._excluded(name)) is not None:
            return Skip(name, SkipReason.EXCLUDED, why)
        full = self.root / name
        try:
            info = os.lstat(full)
            if stat.S_ISLNK(info.st_mode):
                return self._linked(name, full)
            if not stat.S_ISREG(info.st_mode):
                return Skip(name, SkipReason.NOT_REGULAR)
        except FileNotFoundError:
            return None  # deleted in the working tree
        except OSError as error:
            return Skip(name, SkipReason.UNREADABLE, error.strerror or str(error))
        if info.st_size > self.options.max_file_bytes:
            return Skip(name, SkipReason.TOO_LARGE, f"{info.st_size:,} bytes")
        if is_credential_file(name):
            return Skip(name, SkipReason.SECRET, "a credential file")
        return FileRecord(name, info.st_size, info.st_mtime_ns, language_of(name), is_test(name), is_generated(name))

    def _linked(self, name: str, full: Path) -> Skip | None:
        """A link is never indexed: its target is, under its own name, when it lies in the workspace."""
        try:
            target = full.resolve(strict=True)
        except (OSError, RuntimeError):
            return Skip(name, SkipReason.UNREADABLE, "a broken link")
        if self.root in target.parents:
            return Skip(name, SkipReason.NOT_REGULAR, "a link; its target is indexed under its own path")
        return Skip(name, SkipReason.OUTSIDE, "a link that leaves the workspace")

    def _excluded(self, name: str) -> str | None:
        """Say which setting leaves a path out; denied folder names apply where git does not vouch for a file."""
        options = self.options
        for folder in options.exclude_roots:
            prefix = folder.strip("/") + "/"
            if name.startswith(prefix):
                return f"exclude_roots has {folder}"
        if name.startswith(".hybrid-index/") or "/.hybrid-index/" in name or name.startswith(".git/"):
            return "an index or repository folder"
        extension = os.path.splitext(name)[1].lower()
        if options.include_extensions and extension not in options.include_extensions:
            return f"include_extensions does not have {extension or 'files without an extension'}"
        if extension in options.exclude_extensions and extension:
            return f"exclude_extensions has {extension}"
        return None

    def _extra_ignores(self) -> _Spec | None:
        lines: list[str] = []
        for name in self.options.ignore_files:
            path = self.root / name
            if path.is_file():
                lines.extend(path.read_text(encoding="utf-8", errors="replace").splitlines())
        return pathspec.PathSpec.from_lines("gitignore", lines) if lines else None

    def _walk(
        self, folder: str, specs: list[tuple[str, _Spec]], skips: list[Skip], honour_ignores: bool = True
    ) -> Iterator[str]:
        """List files below a folder of a tree that git does not manage, honouring nested ignore files."""
        pending = [(folder, specs)]
        while pending:
            folder, specs = pending.pop()
            try:
                entries = sorted(os.scandir(self.root / folder), key=lambda entry: entry.name)
            except OSError as error:
                skips.append(Skip(folder + "/", SkipReason.UNREADABLE, error.strerror or str(error)))
                continue
            if honour_ignores:
                specs = specs + self._specs_in(folder, {entry.name for entry in entries})
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and entry.name in self.options.exclude_segments:
                    skips.append(Skip(path + "/", SkipReason.EXCLUDED, f"exclude_segments has {entry.name}"))
                elif _ignored(path + "/" if is_folder else path, specs):
                    skips.append(Skip(path + "/" if is_folder else path, SkipReason.IGNORED))
                elif is_folder:
                    pending.append((path, specs))
                else:
                    yield path

    def _specs_in(self, folder: str, names: set[str]) -> list[tuple[str, _Spec]]:
        found: list[tuple[str, _Spec]] = []
        for name in (".gitignore", *self.options.ignore_files):
            if name in names:
                try:
                    text = (self.root / folder / name).read_text(encoding="utf-8", errors="replace")
                except OSError:
                    continue
                found.append(
                    (folder + "/" if folder else "", pathspec.PathSpec.from_lines("gitignore", text.splitlines()))
                )
        return found

    def ignored(self) -> list[Skip]:
        """List what ignore rules hide in a git workspace, folders folded; for a ledger, not for every scan."""
        return [Skip(path, SkipReason.IGNORED) for path in list_ignored(self.root)] if self.options.use_git else []

    def explain(self, path: str) -> Skip | FileRecord | None:
        """Say what a scan makes of one path; None when nothing is there."""
        outcome = self._record(path)
        if isinstance(outcome, FileRecord) and self.options.use_git:
            rule = ignore_rule(self.root, path)
            if rule is not None:
                return Skip(path, SkipReason.IGNORED, rule)
        return outcome

    # -- what they say ------------------------------------------------------------------------------------------------

    def read(self, record: FileRecord) -> ReadResult:
        """Read, hash and decode one file; secrets are masked."""
        path = record.path
        try:
            with open(self.root / path, "rb") as stream:
                data = stream.read(self.options.max_file_bytes + 1)
        except OSError as error:
            return _left_out(b"", path, SkipReason.UNREADABLE, error.strerror or str(error))
        digest = hashlib.blake2b(data, digest_size=HASH_BYTES).digest()
        if len(data) > self.options.max_file_bytes:
            return _left_out(digest, path, SkipReason.TOO_LARGE, f"more than {self.options.max_file_bytes:,} bytes")
        decoded = decode(data)
        if decoded is None:
            return _left_out(digest, path, SkipReason.BINARY, "")
        if (why := minified(path, decoded.text, self.options)) is not None:
            return _left_out(digest, path, SkipReason.MINIFIED, why)
        text = self._masked(decoded)
        source = SourceText(path, record.language, text, decoded.encoding)
        return ReadResult(digest, source, None, is_generated(path, text[:GENERATED_HEAD_CHARS]))

    def live_text(self, path: str) -> tuple[str, bytes] | None:
        """Read the text of a file as it is now, with its hash; None when it is gone or not text."""
        result = self.read(FileRecord(path, 0, 0, language_of(path)))
        return None if result.source is None else (result.source.text, result.hash)

    def _masked(self, decoded: Decoded) -> str:
        return mask_secrets(decoded.text) if self.options.mask_secrets else decoded.text


def _left_out(digest: bytes, path: str, reason: SkipReason, detail: str) -> ReadResult:
    return ReadResult(digest, None, Skip(path, reason, detail))


def _ignored(path: str, specs: list[tuple[str, _Spec]]) -> bool:
    """Apply the nested ignore files from the outermost in; the last rule that speaks decides."""
    hidden = False
    for prefix, spec in specs:
        verdict = spec.check_file(path[len(prefix) :]).include
        if verdict is not None:
            hidden = verdict
    return hidden


def ledger(skips: tuple[Skip, ...] | list[Skip], top: int = 5) -> list[tuple[str, int, list[str]]]:
    """Count skips by reason with the folders that hold most of them: (reason, count, folders)."""
    by_reason: dict[str, Counter[str]] = {}
    for skip in skips:
        folder = skip.path if skip.path.endswith("/") else os.path.dirname(skip.path) + "/"
        by_reason.setdefault(skip.reason, Counter())[folder] += 1
    return [
        (reason, sum(folders.values()), [name for name, _ in folders.most_common(top)])
        for reason, folders in sorted(by_reason.items())
    ]
