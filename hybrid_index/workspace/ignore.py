"""Ignore files in gitignore syntax, with git's own matching rules.

The walker for folders outside git must leave out what git would leave out, so patterns are translated as git's
`wildmatch` reads them: on bytes (here: text in which each character stands for one byte), `*` and `?` stop at `/`, the
last matching line of the deepest file wins, and nothing below an ignored folder can be re-included. A property test
compares the outcome with git itself.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from hybrid_index.workspace.wildmatch import translate

FOLDS_CASE = sys.platform in ("win32", "darwin")  # their file systems fold case by default, and so does git there
MAX_IGNORE_BYTES = 1_000_000  # a larger "ignore file" is no ignore file


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file."""

    source: str  # the ignore file, relative to the scanned folder
    line: int
    pattern: str
    negated: bool

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.pattern}"


@dataclass(slots=True)
class _Matcher:
    """The rules of one file that apply to one kind of path, arranged so that most are found by dictionary."""

    names: dict[str, int] = field(default_factory=dict)  # last component -> index of the last such rule
    paths: dict[str, int] = field(default_factory=dict)
    suffixes: dict[str, int] = field(default_factory=dict)
    wild_names: list[tuple[int, re.Pattern[str]]] = field(default_factory=list)
    wild_paths: list[tuple[int, re.Pattern[str]]] = field(default_factory=list)

    def last_match(self, path: str, name: str) -> int:
        """The index of the last rule that matches, or -1."""
        best = max(self.names.get(name, -1), self.paths.get(path, -1))
        for suffix, index in self.suffixes.items():
            if index > best and name.endswith(suffix):
                best = index
        for text, rules in ((name, self.wild_names), (path, self.wild_paths)):
            for index, pattern in reversed(rules):
                if index <= best:
                    break
                if pattern.fullmatch(text):
                    best = index
                    break
        return best


class IgnoreFile:
    """A parsed ignore file; paths are relative to the folder it stands in."""

    def __init__(self, content: bytes, source: str, *, fold_case: bool = FOLDS_CASE) -> None:
        self._rules: list[IgnoreRule] = []
        self._files = _Matcher()
        self._folders = _Matcher()
        self._fold_case = fold_case
        text = content.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        for number, line in enumerate(text.split("\n"), start=1):
            self._add(_trimmed(line.removesuffix("\r")), source, number)

    def match(self, path: str, is_folder: bool) -> IgnoreRule | None:
        """The rule that decides about `path`, or None."""
        if not path.isascii():
            path = os.fsencode(path).decode("latin-1")
        if self._fold_case:
            path = path.lower()
        matcher = self._folders if is_folder else self._files
        index = matcher.last_match(path, path.rpartition("/")[2])
        return None if index < 0 else self._rules[index]

    def _add(self, line: str, source: str, number: int) -> None:
        if not line or line.startswith("#"):
            return
        pattern, negated = (line[1:], True) if line.startswith("!") else (line, False)
        folders_only = pattern.endswith("/")
        pattern = pattern.removesuffix("/")
        if not pattern:
            return
        if self._fold_case:
            pattern = pattern.lower()
        index = len(self._rules)
        self._rules.append(IgnoreRule(source, number, line.encode("latin-1").decode("utf-8", "replace"), negated))
        for matcher in (self._folders,) if folders_only else (self._folders, self._files):
            _place(matcher, pattern, index)


def _place(matcher: _Matcher, pattern: str, index: int) -> None:
    literal = not re.search(r"[*?\[\\]", pattern)
    if "/" not in pattern:
        if literal:
            matcher.names[pattern] = index
        elif pattern.startswith("*") and not re.search(r"[*?\[\\]", pattern[1:]):
            matcher.suffixes[pattern[1:]] = index
        elif regex := translate(pattern, stops_at_slash=False):
            matcher.wild_names.append((index, regex))
        return
    pattern = pattern.removeprefix("/")
    if literal:
        matcher.paths[pattern] = index
    elif regex := translate(pattern, stops_at_slash=True):
        matcher.wild_paths.append((index, regex))


def _trimmed(line: str) -> str:
    """Drop trailing spaces unless a backslash keeps them."""
    end = position = 0
    while position < len(line):
        if line[position] == "\\":
            position += 2
            end = min(position, len(line))
            continue
        position += 1
        if line[position - 1] != " ":
            end = position
    return line[:end]


class IgnoreTree:
    """All ignore files of given names below one folder."""

    def __init__(self, folder: str, names: tuple[str, ...], *, fold_case: bool = FOLDS_CASE) -> None:
        self._folder = folder
        self._names = tuple(name for name in names if "/" not in name)
        self._at_root = tuple(name for name in names if "/" in name)
        self._fold_case = fold_case
        self._chains: dict[str, tuple[tuple[str, IgnoreFile], ...]] = {}
        self._verdicts: dict[str, IgnoreRule | None] = {}

    def decides(self, path: str, is_folder: bool) -> IgnoreRule | None:
        """The rule that ignores `path`, itself or through a folder above it; None when it is not ignored."""
        folder = path.rpartition("/")[0]
        above = self.ignored_folder(folder) if folder else None
        return above or self._own_verdict(path, folder, is_folder)

    def ignored_folder(self, folder: str) -> IgnoreRule | None:
        """The rule that ignores a folder or one above it."""
        if not folder:
            return None
        if folder not in self._verdicts:
            self._verdicts[folder] = self.decides(folder, is_folder=True)
        return self._verdicts[folder]

    def load(self, folder: str, present: Callable[[str], bool] | None = None) -> None:
        """Read the ignore files of a folder; `present` answers whether a name exists, where that is known already."""
        parent = folder.rpartition("/")[0]
        chain = self._chains.get(parent, ()) if folder else ()
        names = self._names if folder else self._names + self._at_root
        for name in names:
            if present is not None and "/" not in name and not present(name):
                continue
            path = f"{folder}/{name}" if folder else name
            content = read_ignore_file(f"{self._folder}/{path}")
            if content is not None:
                base = f"{folder}/" if folder else ""
                chain = (*chain, (base, IgnoreFile(content, path, fold_case=self._fold_case)))
        self._chains[folder] = chain

    def _own_verdict(self, path: str, folder: str, is_folder: bool) -> IgnoreRule | None:
        for base, file in reversed(self._chain(folder)):
            rule = file.match(path[len(base) :], is_folder)
            if rule is not None:
                return None if rule.negated else rule
        return None

    def _chain(self, folder: str) -> tuple[tuple[str, IgnoreFile], ...]:
        if folder not in self._chains:
            if folder:
                self._chain(folder.rpartition("/")[0])
            self.load(folder)
        return self._chains[folder]


def read_ignore_file(path: str) -> bytes | None:
    """The bytes of an ignore file; None when there is none to read (links are not followed, as in git)."""
    try:
        if not os.path.isfile(path) or os.path.islink(path) or os.path.getsize(path) > MAX_IGNORE_BYTES:
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
