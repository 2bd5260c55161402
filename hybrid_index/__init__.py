"""Hybrid Index: local hybrid retrieval for code. These are the public names; everything else may change."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hybrid_index.errors import HybridIndexError
    from hybrid_index.service import HybridIndex
    from hybrid_index.service.replies import SearchReply
    from hybrid_index.service.requests import SearchRequest
    from hybrid_index.settings import Settings

__all__ = ["HybridIndex", "HybridIndexError", "SearchReply", "SearchRequest", "Settings"]

_HOMES = {
    "HybridIndex": "hybrid_index.service",
    "HybridIndexError": "hybrid_index.errors",
    "SearchReply": "hybrid_index.service.replies",
    "SearchRequest": "hybrid_index.service.requests",
    "Settings": "hybrid_index.settings",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `hybrid-index --help` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
