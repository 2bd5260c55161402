"""What the answers share: filters, budgets, the live text of files."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hybrid_index.retrieval import FileFilter
from hybrid_index.service import replies, requests
from hybrid_index.store import Snapshot
from hybrid_index.types import FileRecord
from hybrid_index.workspace import language_of

if TYPE_CHECKING:
    from hybrid_index.service.service import HybridIndex


SPAN = re.compile(r"^(?P<path>.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?$")
"""path, path:line or path:start-end."""


def since(started: float) -> float:
    """Milliseconds since a `time.monotonic()`."""
    return round((time.monotonic() - started) * 1000, 2)


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: "1 file", "1,200 files"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def file_filter(request: requests.Filters) -> FileFilter:
    """Turn a request's filters into conditions on files."""
    return FileFilter(
        tuple(request.paths),
        tuple(language.lower() for language in request.languages),
        tuple("." + extension.lower().lstrip(".") for extension in request.extensions),
        tuple(request.projects),
        request.tests,
        request.generated,
    )


def budget_of(service: HybridIndex, request: requests.Request) -> int:
    """Tokens that a reply may have."""
    budget = service.retrieval.budget
    return min(request.max_tokens or budget.max_tokens, budget.hard_max_tokens)


def searched(snapshot: Snapshot | None, channels: Sequence[str], ranking_filter: FileFilter) -> replies.Searched:
    """Say what was searched."""
    files, chunks, skipped = snapshot.size_counts() if snapshot is not None else (0, 0, 0)
    return replies.Searched(
        files=files, chunks=chunks, skipped_files=skipped, channels=list(channels), filters=ranking_filter.describe()
    )


def live_text(service: HybridIndex, path: str) -> tuple[str, bytes] | None:
    """Read the text of a file as it is now, secrets masked, with its hash; None when it is gone or not text."""
    result = service.workspace.read(FileRecord(path, 0, 0, language_of(path)))
    return None if result.source is None else (result.source.text, result.hash)


def text_of(service: HybridIndex, path: str) -> str | None:
    """Give the live text of a file; None when it is gone or not text."""
    live = live_text(service, path)
    return None if live is None else live[0]
