"""Text to vectors: the `Embedder` seam, its providers, and the scan over stored vectors.

Useful for: turning chunks and questions into vectors, comparing them.
Not useful for: storing them (`store`), or deciding what they are worth beside keywords (`retrieval`).
"""

from hybrid_index.embeddings.loading import PROVIDERS, load_embedder
from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.embeddings.protocol import Embedder
from hybrid_index.embeddings.vectors import row_lengths, scan

__all__ = [
    "PROVIDERS",
    "Embedder",
    "EmbeddingOptions",
    "load_embedder",
    "row_lengths",
    "scan",
]
