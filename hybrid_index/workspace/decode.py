"""From the bytes of a file to its text: encodings, line ends, and what is not text at all."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

SNIFF_BYTES = 8_000  # git looks for a NUL in as many
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is a prefix of it
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(
    rb"""^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})
    | ^[^\n]{0,200}(?:\n[^\n]{0,200})?coding[:=][ \t]*([-\w.]{2,40})
    | <meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,40})
    | ^@charset\s+"([\w-]{2,40})" """,
    re.VERBOSE | re.IGNORECASE,
)
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\v\b\x1b\x1a")
_MAX_CONTROL_SHARE = 0.02  # real text in an unknown encoding holds next to none, compressed data about 10 %
_MAX_REPLACED_SHARE = 0.1  # of the non-ASCII characters, when damaged UTF-8 is told from another encoding


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file with line ends `LF` and without a byte-order mark."""

    text: str
    encoding: str


def decode(data: bytes, fallback: str = "cp1252") -> Decoded | None:
    """Decode a whole file; None when it is binary.

    In order: a byte-order mark, UTF-16 that shows itself by its zero bytes, UTF-8, UTF-8 with a few damaged bytes, an
    encoding that the file declares, `fallback`.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _clean(data.decode(encoding, "replace"), encoding.removesuffix("-sig"))
    if b"\0" in data[:SNIFF_BYTES]:
        wide = _utf16_without_mark(data)
        return _clean(data.decode(wide, "replace"), wide) if wide else None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None if _looks_binary(data) else _decode_legacy(data, fallback)
    return None if _looks_binary(data) else _clean(text, "utf-8")


def _clean(text: str, encoding: str) -> Decoded:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return Decoded(text, encoding)


def _looks_binary(data: bytes) -> bool:
    head = data[:SNIFF_BYTES]
    return len(head) - len(head.translate(None, _CONTROL)) > len(head) * _MAX_CONTROL_SHARE


def _utf16_without_mark(data: bytes) -> str | None:
    head = data[: SNIFF_BYTES - SNIFF_BYTES % 2]
    if len(data) % 2 or len(head) < 4:
        return None
    low, high = head[0::2], head[1::2]
    for encoding, zeros, others in (("utf-16-le", high, low), ("utf-16-be", low, high)):
        # Text that is mostly Latin has nearly all its zeros in one half; binary data has them in both. A letter such
        # as U+0100 puts a zero into the other half, so a few of them are text.
        if zeros.count(0) > len(zeros) * 0.4 and others.count(0) * 4 <= zeros.count(0):
            try:
                text = head.decode(encoding)
            except UnicodeDecodeError:
                return None
            control = sum(1 for char in text if char < " " and char not in "\t\n\r\f\v")
            return encoding if control <= len(text) * _MAX_CONTROL_SHARE else None
    return None


def _decode_legacy(data: bytes, fallback: str) -> Decoded:
    repaired = data.decode("utf-8", "replace")
    bad = repaired.count("\ufffd")
    wide = sum(1 for char in repaired if char > "\x7f")
    if bad <= wide * _MAX_REPLACED_SHARE:
        return _clean(repaired, "utf-8")
    for encoding in (_declared(data[:1_024]), fallback, "latin-1"):
        if encoding:
            try:
                return _clean(data.decode(encoding), encoding)
            except (UnicodeDecodeError, LookupError):
                continue
    raise AssertionError("latin-1 decodes any bytes")


def _declared(head: bytes) -> str | None:
    found = _DECLARED.search(head)
    if not found:
        return None
    name = next(group for group in found.groups() if group).decode("ascii", "replace")
    try:
        info = codecs.lookup(name)
        b"".decode(name)  # refuses codecs that are not text encodings
    except (LookupError, ValueError):
        return None
    # A declared Unicode encoding was tried already, and was wrong.
    return None if info.name.startswith(("utf", "unicode", "punycode", "idna", "raw")) else info.name
