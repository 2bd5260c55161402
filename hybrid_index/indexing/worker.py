"""The worker program: `python -m hybrid_index.indexing.worker`.

Frames (an 8-byte length and a pickle) come in on standard input and go out on a private copy of standard output; the
ordinary output is pointed at standard error first, so that nothing a library prints can break the stream. A closed
input ends the program: a worker never outlives its parent. Both ends are this package: only our own data is unpickled.
"""

from __future__ import annotations

import os
import sys

from hybrid_index.indexing.frames import read_frame, write_frame
from hybrid_index.indexing.process import FileProcessor


def main() -> None:
    """Answer batches until the parent goes."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = sys.stdin.buffer
    setup = read_frame(source)
    if setup is None:
        return
    root, content, embed = setup
    processor = FileProcessor(root, content, embed=embed)
    while (tasks := read_frame(source)) is not None:
        try:
            write_frame(out, processor.run(tasks))
        except Exception as error:  # the parent decides what a failure means
            write_frame(out, error)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
