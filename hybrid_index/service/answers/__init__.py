"""One function per operation: from a request to its reply, over the packages below."""

from hybrid_index.service.answers.common import since
from hybrid_index.service.answers.explain import explain_hit
from hybrid_index.service.answers.lookups import config_lookup, find_file, search_text
from hybrid_index.service.answers.search import search
from hybrid_index.service.answers.source import source_context
from hybrid_index.service.answers.status import index_status, reindex_reply

TOOLS = (
    *("server_capabilities", "index_status", "reindex", "watch", "search", "explain_hit", "search_text"),
    *("find_file", "config_lookup", "source_context"),
)

__all__ = [
    "TOOLS",
    "config_lookup",
    "explain_hit",
    "find_file",
    "index_status",
    "reindex_reply",
    "search",
    "search_text",
    "since",
    "source_context",
]
