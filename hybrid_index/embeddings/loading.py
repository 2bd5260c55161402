"""Chooses the model that the options name."""

from __future__ import annotations

from pathlib import Path

from hybrid_index.embeddings.hashing import HashingEmbedder
from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.embeddings.protocol import Embedder
from hybrid_index.embeddings.static import BUNDLED_MODEL, StaticEmbedder
from hybrid_index.errors import ModelError

PROVIDERS = ("static", "fastembed", "hashing")


def load_embedder(options: EmbeddingOptions) -> Embedder:
    """Open the embedding model that the options name.

    Raises:
        ModelError: the provider is unknown, or its model is missing or unusable; says what to do.
    """
    if options.provider == "static":
        folder = Path(options.model).expanduser() if options.model else BUNDLED_MODEL
        if not folder.is_dir():
            raise ModelError(
                f"There is no model folder {folder}. Set semantic.model to a folder in model2vec's format, or leave it "
                "empty for the bundled model."
            )
        return StaticEmbedder(folder, options.header_components, options.header_repeats)
    if options.provider == "hashing":
        return HashingEmbedder(options.header_components, options.header_repeats)
    if options.provider == "fastembed":
        from hybrid_index.embeddings.onnx import FastembedEmbedder

        return FastembedEmbedder(options)
    raise ModelError(f"Unknown embedding provider '{options.provider}': use one of {', '.join(PROVIDERS)}.")
