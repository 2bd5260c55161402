"""Reads the tensors of a `.safetensors` file as memory maps.

The operating system then shares one copy between the service and its workers, and pages in only rows that are used.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hybrid_index.errors import ModelError

# The format caps its JSON header at 100 MB; a larger length means the file is something else.
_MAX_HEADER_BYTES = 100_000_000

_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}


def open_tensors(path: Path) -> dict[str, NDArray[np.generic]]:
    """Map every tensor of the file, read-only.

    Raises:
        ModelError: the file is missing, damaged, or holds a number format that numpy has no type for.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= min(_MAX_HEADER_BYTES, size - 8):
                raise ModelError(f"{path} is not a safetensors file: its header has an impossible length.")
            header = json.loads(file.read(length))
        return {
            name: _map_tensor(path, size, 8 + length, name, entry)
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except OSError as error:
        raise ModelError(f"The model weights {path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is not a usable safetensors file: {error}.") from error


def _map_tensor(path: Path, size: int, base: int, name: str, entry: dict[str, object]) -> NDArray[np.generic]:
    """Map one tensor after checking that its place lies within the file."""
    dtype = _DTYPES.get(str(entry["dtype"]))
    if dtype is None:
        raise ModelError(
            f"{path}: tensor {name} has the number format {entry['dtype']}; convert it to one of {', '.join(_DTYPES)}."
        )
    shape = tuple(int(n) for n in entry["shape"])  # type: ignore[attr-defined]
    start, end = (int(n) for n in entry["data_offsets"])  # type: ignore[attr-defined]
    expected = math.prod(shape) * np.dtype(dtype).itemsize
    if start < 0 or end - start != expected or base + end > size or any(n < 0 for n in shape):
        raise ModelError(f"{path} is damaged: tensor {name} does not fit the file. Fetch or copy the model again.")
    if expected == 0:
        return np.zeros(shape, dtype)
    return np.memmap(path, dtype, "r", base + start, shape)
