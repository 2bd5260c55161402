"""Which repositories may be learnt from, which are held out to validate, and which judge and are never touched."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_DATA = Path(__file__).parent / "data"

# Heads of licence files, in this order: a licence that forbids free reuse must win over words that others share.
_LICENCES = (
    ("AGPL", "affero general public"),
    ("LGPL", "lesser general public"),
    ("GPL", "gnu general public"),
    ("MPL", "mozilla public"),
    ("EPL", "eclipse public"),
    ("Apache-2.0", "apache license"),
    ("Unlicense", "unlicense"),
    ("ISC", "isc license"),
    ("MIT", "permission is hereby granted, free of charge"),
    ("BSD", "redistribution and use in source and binary"),
    ("PostgreSQL", "permission to use, copy, modify, and distribute this software"),
    ("MIT", "mit license"),
)
PERMISSIVE = frozenset({"Apache-2.0", "Unlicense", "ISC", "MIT", "BSD", "PostgreSQL"})


class ForbiddenSourceError(Exception):
    """A source is an evaluation repository, or its licence is not one to learn from."""


def read_names(file: str) -> list[str]:
    """Names of one list under `data/`, without comments."""
    lines = (_DATA / file).read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0].strip() for line in lines if line.strip() and not line.startswith("#")]


def refuse_evaluation(names: Iterable[str]) -> None:
    """Raise `ForbiddenSourceError` if any name is an evaluation repository, whoever owns the copy."""
    full = {name.lower() for name in read_names("evaluation.txt")}
    short = {name.split("/")[1] for name in full}
    for name in names:
        if name.lower() in full or name.lower().split("/")[-1] in short:
            raise ForbiddenSourceError(f"{name} is an evaluation repository: it must not be trained on.")


@dataclass(frozen=True, slots=True)
class Blob:
    """A text file of a snapshot."""

    path: str
    text: str


class Snapshot:
    """A git directory, read without a work tree."""

    def __init__(self, name: str, git_dir: Path) -> None:
        refuse_evaluation([name])
        self.name = name
        self._git = ["git", f"--git-dir={git_dir}"]

    def run(self, *arguments: str, timeout: int = 120) -> str:
        """Output of a git command; what had come until the time ran out, where it did."""
        try:
            done = subprocess.run([*self._git, *arguments], capture_output=True, timeout=timeout, check=False)
            raw = done.stdout
        except subprocess.TimeoutExpired as error:
            raw = error.stdout or b""
        return raw.decode("utf-8", "replace")

    def paths(self) -> list[tuple[str, str, int]]:
        """(object id, path, size) of every file of the newest commit."""
        rows = []
        for entry in self.run("ls-tree", "-r", "-l", "-z", "HEAD").split("\0"):
            head, _, path = entry.partition("\t")
            fields = head.split()
            # Links are left out, and so are objects that a partial snapshot lacks: their size is no number.
            if len(fields) == 4 and fields[1] == "blob" and fields[0] != "120000" and fields[3].isdigit():
                rows.append((fields[2], path, int(fields[3])))
        return rows

    def blobs(self, wanted: Iterable[tuple[str, str]]) -> Iterator[Blob]:
        """Texts of (object id, path) pairs; files that are missing or not text are left out."""
        process = subprocess.Popen([*self._git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None and process.stdout is not None
        with process:
            for oid, path in wanted:
                process.stdin.write(oid.encode() + b"\n")
                process.stdin.flush()
                head = process.stdout.readline().split()
                if len(head) != 3:
                    continue
                raw = process.stdout.read(int(head[2]))
                process.stdout.read(1)
                if b"\0" not in raw[:4_000]:
                    yield Blob(path, raw.decode("utf-8", "replace").lstrip("\ufeff").replace("\r\n", "\n"))

    def licence(self) -> str:
        """Licence by the head of the licence file; "?" where none is recognised."""
        names = [row for row in self.paths() if "/" not in row[1]]
        files = [row for row in names if row[1].lower().startswith(("license", "licence", "copying", "copyright"))]
        best = "?"
        for blob in self.blobs((oid, path) for oid, path, _ in files):
            head = " ".join(blob.text[:3_000].lower().split())
            found = next((licence for licence, words in _LICENCES if words in head), "?")
            if found in PERMISSIVE or best == "?":
                best = found
            if best in PERMISSIVE:
                break
        return best


def window_hashes(text: str, step: int = 1, lines: int = 8) -> set[int]:
    """Hashes of runs of non-blank lines, beginning at every `step`th, for telling copies of evaluation code."""
    rows = [stripped for line in text.splitlines() if (stripped := line.strip())]
    runs = ("\n".join(rows[i : i + lines]) for i in range(0, len(rows) - lines + 1, step))
    return {int.from_bytes(hashlib.blake2b(run.encode("utf-8", "replace"), digest_size=8).digest()) for run in runs}
