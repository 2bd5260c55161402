"""From bytes to text: encodings, line ends, and what is not text at all."""

from __future__ import annotations

import codecs
import posixpath
import re
from dataclasses import dataclass

from hybrid_index.workspace.options import ScopeOptions

SNIFF_BYTES = 8_192  # git looks at the first 8,000 bytes for a NUL to call a file binary
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with LF line ends, and the encoding it was in."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded | None:
    """Decode a file; None when it is binary."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return Decoded(_normalise(data.decode(encoding, errors="replace")), encoding)
    head = data[:SNIFF_BYTES]
    if b"\0" in head:
        wide = _bare_utf16(head)
        return Decoded(_normalise(data.decode(wide, errors="replace")), wide) if wide else None
    try:
        text, encoding = data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        if len(_CONTROL.findall(head)) * 50 > len(head):
            return None
        # Old Windows sources; bytes that cp1252 leaves undefined become the replacement character.
        text, encoding = data.decode("cp1252", errors="replace"), "cp1252"
    if "\0" in text:
        return None
    return Decoded(_normalise(text), encoding)


def _bare_utf16(head: bytes) -> str | None:
    """Recognise UTF-16 without a mark: mostly ASCII text has a zero in every other byte."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half < 2:
        return None
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _normalise(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def minified(path: str, text: str, options: ScopeOptions) -> str | None:
    """Say why a text is a bundle rather than source; None when it is source.

    A bundle has long lines throughout. A source file with one long string keeps a short median line.
    """
    if len(text) < options.minified_average:
        return None
    name = posixpath.basename(path).lower()
    if ".min." in name or name.endswith(".map"):
        return "the name marks a bundle or source map"
    lines = text.count("\n") + 1
    average = len(text) // lines
    if average <= options.minified_average:
        return None
    short = sum(1 for line in text.split("\n") if 0 < len(line) <= options.minified_average)
    if short >= 5:
        return None
    return f"lines are {average:,} characters long on average"
