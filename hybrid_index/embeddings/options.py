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
    threads: int = 0  # 0 = decide by the machine
    batch_size: int = 256
