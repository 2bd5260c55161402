"""Which file names can be indexed, and how the others are shown."""

from __future__ import annotations

import os
import re

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def is_indexable_name(path: str) -> bool:
    """Whether a path is valid Unicode without control characters or line breaks.

    A name with a line break could forge lines of a reply, and one that is not UTF-8 can't be stored or sent as text.
    """
    return (path.isascii() and path.isprintable()) or _UNSAFE.search(path) is None


def shown_name(path: str) -> str:
    """A printable form of any path: what can't be shown is escaped."""
    if is_indexable_name(path):
        return path
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return _UNSAFE.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)
