"""What the vector channel may be told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EmbeddingOptions:
    """Which model turns text into vectors."""

    enabled: bool = True
    provider: str = "static"  # "static" | "fastembed" | "hashing"
    model: str = ""  # "" = the bundled one; else a folder, or a name of fastembed's catalogue
    dtype: str = "int8"  # how vectors are stored: "int8" | "float32"
    threads: int = 0  # of an ONNX model; 0 = decide by the machine
    batch_size: int = 256  # texts per call of an ONNX model
    # Path components put before a chunk of the static model. Evidence: three are worth .03-.04 NDCG@10 (FINDINGS, and
    # docs/explanation/embedder.md); models that read sentences are given the path's last component only.
    header_components: int = 3
