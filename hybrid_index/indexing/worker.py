"""The worker program: `python -m hybrid_index.indexing.worker`.

Frames (an 8-byte length and a pickle) come in on standard input and go out on a private copy of standard output; the
ordinary output is pointed at standard error first, so that nothing a library prints can break the stream. A closed
input ends the program: a worker never outlives its parent. Both ends are this package: only our own data is unpickled.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from typing import BinaryIO

HEADER = struct.Struct("<Q")


def write_frame(stream: BinaryIO, value: object) -> None:
    """Send one value."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(HEADER.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: BinaryIO) -> object | None:
    """Receive one value; None when the other end is gone."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (length,) = HEADER.unpack(header)
    data = stream.read(length)
    return None if len(data) < length else pickle.loads(data)


def main() -> None:
    """Answer batches until the parent goes."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = sys.stdin.buffer
    from hybrid_index.indexing.process import FileProcessor

    setup = read_frame(source)
    if setup is None:
        return
    root, content, embed = setup  # type: ignore[misc]
    processor = FileProcessor(root, content, embed=embed)
    while (tasks := read_frame(source)) is not None:
        try:
            write_frame(out, processor.run(tasks))  # type: ignore[arg-type]
        except Exception as error:  # the parent decides what a failure means
            write_frame(out, error)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
