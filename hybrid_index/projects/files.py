"""The only door to the disk: files inside the workspace, by workspace-relative path, parsed once.

Evaluation works with absolute paths under a made-up root (`/<name of the workspace folder>`), so that the outcome does
not depend on where the workspace lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from hybrid_index.projects.documents import MAX_DOCUMENT_BYTES, Node, UnreadableDocument, parse_document
from hybrid_index.projects.globs import compile_glob

# Stands for the folders of the SDK, MSBuild and NuGet, none of which is read.
TOOLSET_ROOT = "/.toolset"


class FileReader(Protocol):
    """Reads files by workspace-relative path."""

    def read(self, path: str) -> bytes:
        """Content of a file.

        Raises:
            UnreadableDocument: it is missing, outside the workspace, too large or unreadable.
        """

    def exists(self, path: str) -> bool:
        """Whether a file or folder exists inside the workspace."""


class DiskReader:
    """Reads below one folder and never through a link that leaves it."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def read(self, path: str) -> bytes:
        """See `FileReader`."""
        try:
            resolved = (self._root / path).resolve()
            if not resolved.is_relative_to(self._root):
                raise UnreadableDocument("the file lies outside the workspace and was not read")
            with resolved.open("rb") as stream:
                return stream.read(MAX_DOCUMENT_BYTES + 1)
        except FileNotFoundError:
            raise UnreadableDocument("the file does not exist") from None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "its name is not valid here"
            raise UnreadableDocument(f"the file cannot be read: {reason}") from error

    def exists(self, path: str) -> bool:
        """See `FileReader`."""
        try:
            resolved = (self._root / path).resolve()
            return resolved.is_relative_to(self._root) and resolved.exists()
        except (OSError, ValueError):
            return False


class WorkspaceFiles:
    """Files of a workspace as project evaluation sees them."""

    def __init__(self, reader: FileReader, paths: Sequence[str], root_name: str) -> None:
        self._reader = reader
        self.virtual_root = f"/{root_name or 'workspace'}"
        self._scanned: dict[str, str] = {}
        for path in paths:
            self._scanned.setdefault(path.lower(), path)
        self._names = set(paths)
        self._directories = _directories(paths)
        self._documents: dict[str, Node | UnreadableDocument] = {}
        self._exists: dict[str, bool] = {}
        self._above: dict[tuple[str, str], str | None] = {}

    def relative(self, absolute: str) -> str | None:
        """Workspace-relative path of an absolute one, None where it leads outside."""
        if absolute == self.virtual_root:
            return ""
        prefix = self.virtual_root + "/"
        return absolute[len(prefix) :] if absolute.startswith(prefix) else None

    def absolute(self, path: str) -> str:
        """Absolute path under the made-up root."""
        return f"{self.virtual_root}/{path}" if path else self.virtual_root

    def spelled(self, path: str) -> str:
        """The path as the scan spells it, where only the case differs."""
        return path if path in self._names else self._scanned.get(path.lower(), path)

    def is_scanned(self, path: str) -> bool:
        """Whether the scan offers the file, in whatever case."""
        return path in self._names or path.lower() in self._scanned

    def exists(self, path: str) -> bool:
        """Whether a file or folder exists inside the workspace."""
        if path in self._names or path in self._directories or path.lower() in self._scanned:
            return True
        known = self._exists.get(path)
        if known is None:
            known = self._exists[path] = self._reader.exists(path)
        return known

    def matching(self, pattern: str) -> list[str]:
        """Scanned paths that match a glob, sorted."""
        matches = compile_glob(pattern)
        return sorted(path for lowered, path in self._scanned.items() if matches(lowered))

    def read(self, path: str) -> bytes:
        """Content of a file; see `FileReader.read`."""
        return self._reader.read(self.spelled(path))

    def document(self, path: str) -> Node:
        """A file's XML, parsed once.

        Raises:
            UnreadableDocument: it cannot be read or parsed.
        """
        path = self.spelled(path)
        found = self._documents.get(path)
        if found is None:
            try:
                found = parse_document(self._reader.read(path))
            except UnreadableDocument as error:
                found = error
            self._documents[path] = found
        if isinstance(found, UnreadableDocument):
            raise UnreadableDocument(str(found))
        return found

    def file_above(self, name: str, directory: str) -> str | None:
        """The nearest file called `name` in a workspace-relative folder or above it."""
        visited: list[tuple[str, str]] = []
        while True:
            key = (name, directory)
            if key in self._above:
                found = self._above[key]
                break
            visited.append(key)
            candidate = f"{directory}/{name}" if directory else name
            found = self.spelled(candidate) if self.exists(candidate) else None
            if found is not None or not directory:
                break
            directory = directory.rpartition("/")[0]
        for key in visited:
            self._above[key] = found
        return found


def _directories(paths: Sequence[str]) -> set[str]:
    directories = {""}
    for path in paths:
        directory = path.rpartition("/")[0]
        while directory not in directories:
            directories.add(directory)
            directory = directory.rpartition("/")[0]
    return directories
