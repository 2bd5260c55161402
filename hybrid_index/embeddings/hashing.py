"""A model without a model: words hashed to directions. Equal texts get equal vectors on every machine; for tests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hybrid_index.embeddings.header import with_place

_WORD = re.compile(r"\w+")
_DIMENSION = 64


class HashingEmbedder:
    """Adds one to a component for every word, chosen with its sign by the word's CRC-32."""

    def __init__(self, header_components: int = 3, header_repeats: int = 4) -> None:
        self._header_components = header_components
        self._header_repeats = header_repeats

    @property
    def model_id(self) -> str:
        """A constant: the hash function never changes."""
        return f"hashing-{_DIMENSION}"

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return _DIMENSION

    def document_text(self, path: str, context: str, text: str) -> str:
        """Put the last components of the path before the chunk, several times, then what encloses it."""
        return with_place(path, context, text, self._header_components, self._header_repeats)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed chunks into unit rows."""
        rows = np.zeros((len(texts), _DIMENSION), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                code = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                row[code % _DIMENSION] += 1.0 if code & 0x8000_0000 else -1.0
            length = float(np.linalg.norm(row))
            if length > 0.0:
                row /= length
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question as a document is."""
        return self.embed_documents([text]).reshape(-1)
