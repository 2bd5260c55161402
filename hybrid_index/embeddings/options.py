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
    # The last components of the path stand before each chunk, several times over, so that a file's name weighs
    # something beside fifty lines. Evidence, NDCG@10 on 13 repositories held out from training: no path .336, three
    # components once .343, twice .359, three times .371, four times .378, six .368, twelve .364; two or four
    # components instead of three move it by less than .003 (docs/explanation/embedder.md).
    header_components: int = 3
    header_repeats: int = 4
