"""The default model: a table of token vectors, summed and normalised. Needs numpy and nothing else.

It reads the folder format of model2vec's `StaticModel` (`config.json`, `tokenizer.json`, `model.safetensors`) and gives
the same vectors. Counts are linear: a word that occurs five times counts five times.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid_index.embeddings.header import with_place
from hybrid_index.embeddings.weights import open_tensors
from hybrid_index.embeddings.wordpiece import open_tokenizer
from hybrid_index.errors import ModelError

BUNDLED_MODEL = Path(__file__).parent / "models" / "static-code-v3-256-int8"

_DEFAULT_MAX_TOKENS = 512  # of the folder format, where config.json names none
_HASH_DIGITS = 10


class StaticEmbedder:
    """Embeds texts with the static model in `folder`.

    Raises:
        ModelError: the folder is no static model, or its files do not fit one another.
    """

    def __init__(self, folder: Path, header_components: int = 3, header_repeats: int = 4) -> None:
        self._folder = folder
        self._header_components = header_components
        self._header_repeats = header_repeats
        config = _read_config(folder)
        tensors = open_tensors(folder / "model.safetensors")
        embeddings = tensors.get("embeddings")
        if embeddings is None or embeddings.ndim != 2:
            raise ModelError(f"{folder} is not a static model: model.safetensors holds no table named 'embeddings'.")
        self._embeddings = embeddings
        self._tokenizer, median_length = open_tokenizer(folder / "tokenizer.json")
        self._weights = _floats(tensors.get("weights"))
        mapping = tensors.get("mapping")
        self._mapping = None if mapping is None else np.asarray(mapping, np.int64)
        if self._mapping is not None and self._mapping.size and int(self._mapping.max()) >= len(embeddings):
            raise ModelError(f"{folder}: the token mapping points beyond the {len(embeddings)} rows of the table.")
        self._max_tokens: int | None = config.get("max_length", _DEFAULT_MAX_TOKENS)
        # As model2vec does: far more characters than the tokens could cover are not even looked at.
        self._max_chars = None if self._max_tokens is None else self._max_tokens * median_length
        # The lines before a chunk are part of what is embedded, so vectors made with other ones are not comparable.
        self._model_id = f"{folder.name}@{_content_hash(folder)}+place{header_components}x{header_repeats}"

    def __reduce__(self) -> tuple[type[StaticEmbedder], tuple[Path, int, int]]:
        return StaticEmbedder, (self._folder, self._header_components, self._header_repeats)

    @property
    def model_id(self) -> str:
        """Folder name and content hash."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return int(self._embeddings.shape[1])

    def document_text(self, path: str, context: str, text: str) -> str:
        """Put the last components of the path before the chunk, several times, then what encloses it."""
        return with_place(path, context, text, self._header_components, self._header_repeats)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed chunks into unit rows."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            self._embed(text, row)
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question into a unit vector."""
        row = np.zeros(self.dimension, np.float32)
        self._embed(text, row)
        return row

    def _embed(self, text: str, out: NDArray[np.float32]) -> None:
        """Write the unit vector of a text; leave zeros where no token is known."""
        ids, counts = self._tokenizer.count(text[: self._max_chars], self._max_tokens)
        if not ids:
            return
        tokens = np.asarray(ids)
        factors = np.asarray(counts, np.float32)
        try:
            if self._weights is not None:
                factors *= self._weights[tokens]
            rows = tokens if self._mapping is None else self._mapping[tokens]
            np.matmul(factors, self._embeddings[rows].astype(np.float32), out=out)
        except IndexError as error:
            raise ModelError(f"{self._folder}: the tokenizer has more tokens than the table has rows.") from error
        length = float(np.sqrt(out @ out))
        if length > 0.0:
            out /= length


def _read_config(folder: Path) -> dict[str, Any]:
    """Read `config.json`; a folder without one has the format's defaults."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ModelError(f"The model's {path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ModelError(f"The model's {path} is not JSON: {error}.") from error
    if not isinstance(config, dict) or not isinstance(config.get("max_length", 0), int | None):
        raise ModelError(f"The model's {path} must be an object whose max_length is a whole number or null.")
    return config


def _floats(tensor: NDArray[Any] | None) -> NDArray[np.float32] | None:
    return None if tensor is None else np.asarray(tensor, np.float32)


def _content_hash(folder: Path) -> str:
    """Hash of everything that decides the vectors: table and tokenizer."""
    digest = hashlib.sha256()
    for name in ("model.safetensors", "tokenizer.json"):
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:_HASH_DIGITS]
