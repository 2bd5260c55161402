"""Cursors and budgets: how a long answer is cut, and how its rest is reached."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from hybrid_index.errors import QueryError

CHARS_PER_TOKEN = 4  # the usual estimate for code and English
ENVELOPE_CHARS = 700  # of a reply around its items: summary, index state, counts

T = TypeVar("T", bound=BaseModel)


def make_cursor(request_key: str, offset: int) -> str:
    """Name a place in the answer to one request."""
    return base64.urlsafe_b64encode(f"{offset}:{_digest(request_key)}".encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, request_key: str) -> int:
    """Give the offset that a cursor names; 0 without one.

    Raises:
        QueryError: the cursor is malformed or belongs to another request.
    """
    if cursor is None or cursor == "":
        return 0
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        offset, digest = text.split(":")
        place = int(offset)
    except (ValueError, binascii.Error, UnicodeDecodeError) as error:
        raise QueryError("The cursor can't be read. Pass next_cursor of a reply as it is, or leave it out.") from error
    if digest != _digest(request_key) or place < 0:
        raise QueryError("The cursor belongs to another request. Leave it out to start from the first result.")
    return place


def _digest(request_key: str) -> str:
    return hashlib.blake2b(request_key.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()


def fit(items: Sequence[T], max_tokens: int, shorten: Callable[[T, int], T] | None = None) -> list[T]:
    """Keep the first items that fit a budget; the first one is shortened rather than dropped where it can be."""
    room = max_tokens * CHARS_PER_TOKEN - ENVELOPE_CHARS
    kept: list[T] = []
    for item in items:
        size = len(item.model_dump_json()) + 1
        if size > room and shorten is not None and (not kept or room > 600):
            item = shorten(item, max(room - (size - _text_size(item)), 0))
            size = len(item.model_dump_json()) + 1
        if size > room:
            break
        kept.append(item)
        room -= size
    return kept


def _text_size(item: BaseModel) -> int:
    text = getattr(item, "snippet", None) or getattr(item, "text", None) or ""
    return len(str(text))
