"""From a file to its masked text and the hash of its bytes, or the reason why it has none."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from hybrid_index.errors import PathError
from hybrid_index.types import SourceText
from hybrid_index.workspace.classify import is_generated, language_of, language_of_shebang
from hybrid_index.workspace.credentials import CREDENTIAL_NAME, holds_private_key, is_credential_path, is_settings_file
from hybrid_index.workspace.decode import decode
from hybrid_index.workspace.options import ScopeOptions
from hybrid_index.workspace.secrets import mask
from hybrid_index.workspace.skips import Skip, SkipReason

HASH_BYTES = 16
READ_BYTES = 65_536
_ORDINARY_LINE = 400  # characters; what people write is shorter, also with long strings and signatures
_ENOUGH_ORDINARY_LINES = 10  # a bundle has one to a few, around a licence comment
_MINIFIED_NAMES = (".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", ".bundle.js", ".chunk.js")


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The text of a file, or why it is left out. `hash` is of the bytes as they are on disk; empty when unreadable."""

    source: SourceText | None
    hash: bytes
    skip: Skip | None = None
    is_generated: bool = False
    masked_lines: int = 0


def content_hash(data: bytes) -> bytes:
    """The hash that decides whether a file changed."""
    return hashlib.blake2b(data, digest_size=HASH_BYTES).digest()


def read_bytes(full_path: str, limit: int) -> bytes | tuple[SkipReason, str]:
    """Read a regular file of at most `limit` bytes; never follows a link to it, never waits on a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(full_path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return SkipReason.LINK, "became a link after it was listed"
        return SkipReason.UNREADABLE, error.strerror or str(error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return SkipReason.NOT_REGULAR, "a pipe, socket, device or folder"
        if status.st_size > limit:
            return SkipReason.TOO_LARGE, f"{status.st_size:,} bytes; the limit is {limit:,}"
        data = _read_up_to(descriptor, status.st_size, limit)
    except OSError as error:
        return SkipReason.UNREADABLE, error.strerror or str(error)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        return SkipReason.TOO_LARGE, f"more than {limit:,} bytes"
    return data


def _read_up_to(descriptor: int, expected: int, limit: int) -> bytes:
    """Read to the end, or one byte past the limit: a file may grow while it is read."""
    parts: list[bytes] = []
    size, wanted = 0, expected + 1
    while size <= limit and (part := os.read(descriptor, min(wanted, limit + 1 - size))):
        parts.append(part)
        size, wanted = size + len(part), READ_BYTES
    return b"".join(parts)


def read_source(path: str, full_path: str, options: ScopeOptions, language: str | None = None) -> ReadResult:
    """Read, judge, decode and mask one file; `path` is its name in the workspace."""
    if is_credential_path(path):
        return ReadResult(None, b"", Skip(path, SkipReason.SECRET, CREDENTIAL_NAME))
    data = read_bytes(full_path, options.max_file_bytes)
    if isinstance(data, tuple):
        return ReadResult(None, b"", Skip(path, *data))
    digest = content_hash(data)
    decoded = decode(data, options.fallback_encoding)
    if decoded is None:
        return ReadResult(None, digest, Skip(path, SkipReason.BINARY, "the bytes are not text"))
    text = decoded.text
    if why := minified(path, text, options):
        return ReadResult(None, digest, Skip(path, SkipReason.MINIFIED, why))
    if holds_private_key(path, text):
        return ReadResult(None, digest, Skip(path, SkipReason.SECRET, "the file is a private key"))
    kind = language or language_of(path)
    masked = 0
    if options.mask_secrets:
        text, masked = mask(text, kind, settings_file=is_settings_file(path))
    if kind == "text" and text.startswith("#!"):
        kind = language_of_shebang(text.split("\n", 1)[0]) or kind
    source = SourceText(path, kind, text, decoded.encoding)
    return ReadResult(source, digest, None, is_generated(path, text), masked)


def minified(path: str, text: str, options: ScopeOptions) -> str | None:
    """Why a text counts as minified, or None.

    Either its name says so and its lines are long, or it has a line longer than `max_line_chars`, its lines are longer
    than `minified_average` on average, and next to no line looks written by a person. So a small one-line file, and a
    source file with one huge string, are still indexed.
    """
    lines = text.count("\n") + 1
    average = len(text) // lines
    limit = options.minified_average
    if average > limit // 4 and path.lower().endswith(_MINIFIED_NAMES):
        return f"a bundle by its name, with {average:,} characters a line"
    if average <= limit or len(text) <= options.max_line_chars:
        return None
    lengths = [len(line.strip()) for line in text.split("\n")]
    ordinary = sum(1 for length in lengths if 0 < length <= _ORDINARY_LINE)
    if max(lengths) > options.max_line_chars and ordinary < _ENOUGH_ORDINARY_LINES:
        return f"{average:,} characters a line"
    return None


def read_text(path: Path, options: ScopeOptions | None = None, *, name: str | None = None) -> SourceText:
    """The live text of one file, decoded and masked as for indexing. `name` is its path in the workspace.

    Raises:
        PathError: the file can't be read, or is not text.
    """
    result = read_source(name or path.name, os.fspath(path), options or ScopeOptions())
    if result.source is None:
        assert result.skip is not None
        raise PathError(f"{name or path} can't be shown: {result.skip.reason} ({result.skip.detail}).")
    return result.source
