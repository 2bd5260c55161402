"""The one typed API: what the command line, the MCP server, the web page and library users call.

`HybridIndex` is the composition root: it builds every package's options from the settings, owns the store, the
embedder and the watcher, and answers each request model with its reply model.
"""

from hybrid_index.service.service import HybridIndex

__all__ = ["HybridIndex"]
