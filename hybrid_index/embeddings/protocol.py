"""The seam between the product and whatever turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """A model that puts texts and questions into one vector space.

    Implementations are safe to use from several threads at once, and can be pickled into a worker process, which then
    opens the model's files itself.
    """

    @property
    def model_id(self) -> str:
        """Name and content hash of the model: vectors of different ids are never compared."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    def document_text(self, path: str, context: str, text: str) -> str:
        """Give the text to embed for a chunk: what the model should know of its place, then the chunk itself.

        `path` is workspace-relative with `/`; `context` names what encloses the chunk and may be empty.
        """

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed chunks, given as `document_text` made them, into unit rows.

        A text in which the model knows nothing becomes a row of zeros.
        """

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question into a unit vector; zeros where the model knows none of its words."""
