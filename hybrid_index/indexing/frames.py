"""How this process and its workers speak: an 8-byte length and a pickle. Only our own data is unpickled."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

HEADER = struct.Struct("<Q")


def write_frame(stream: IO[bytes], value: object) -> None:
    """Send one value."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(HEADER.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """Receive one value; None when the other end is gone."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (length,) = HEADER.unpack(header)
    data = stream.read(length)
    return None if len(data) < length else pickle.loads(data)
