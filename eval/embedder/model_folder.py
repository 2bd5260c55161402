"""Reads and writes the token table of a model folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hybrid_index.embeddings.weights import open_tensors

Floats = NDArray[np.float32]


def read_table(folder: Path) -> Floats:
    """Token vectors as float32, their weights multiplied in."""
    tensors = open_tensors(folder / "model.safetensors")
    table = tensors["embeddings"].astype(np.float32)
    if "weights" in tensors:
        table *= tensors["weights"].astype(np.float32)[:, None]
    return np.ascontiguousarray(table)


def quantise_rows(table: Floats) -> tuple[NDArray[np.int8], Floats]:
    """int8 rows that use the whole range, and the weight by which each must be multiplied."""
    peaks = np.abs(table).max(axis=1)
    scale = np.where(peaks > 0, peaks / 127.0, 1.0).astype(np.float32)
    return np.rint(table / scale[:, None]).astype(np.int8), scale


def write_model(table: Floats, template: Path, folder: Path) -> None:
    """Write a model folder with the tokenizer of `template`; the same table gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, weights = quantise_rows(table)
    header = {
        "weights": {"dtype": "F32", "shape": [len(weights)], "data_offsets": [0, weights.nbytes]},
        "embeddings": {
            "dtype": "I8",
            "shape": list(rows.shape),
            "data_offsets": [weights.nbytes, weights.nbytes + rows.nbytes],
        },
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # readers map the tensors, which wants them aligned
    raw = len(text).to_bytes(8, "little") + text + weights.astype("<f4").tobytes() + rows.tobytes()
    (folder / "model.safetensors").write_bytes(raw)
    for name in ("tokenizer.json", "modules.json"):
        shutil.copyfile(template / name, folder / name)
    config = json.loads((template / "config.json").read_text(encoding="utf-8"))
    config["tokenizer_name"] = folder.name
    config["hidden_dim"] = int(table.shape[1])
    (folder / "config.json").write_text(json.dumps(config, indent=4), encoding="utf-8")
