"""Source text to chunks and symbols: one adapter per language family, pure functions without I/O.

Useful for: cutting a file into units that are worth returning. Not useful for: which files there are (`workspace`), or
what a name refers to (`graph`).
"""

from hybrid_index.languages.adapters import parse_file, supported_languages
from hybrid_index.languages.options import ChunkingOptions

__all__ = ["ChunkingOptions", "parse_file", "supported_languages"]
