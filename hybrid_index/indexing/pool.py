"""Worker processes that process batches of files, and the same thing without processes for small jobs.

Own processes rather than `multiprocessing`: they do not run the caller's main module again, never inherit its standard
input, can't write to its standard output, and end when it does.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

from hybrid_index.embeddings import Embedder
from hybrid_index.errors import Cancelled, StorageError
from hybrid_index.indexing.frames import read_frame, write_frame
from hybrid_index.indexing.options import ContentOptions
from hybrid_index.indexing.plan import Task
from hybrid_index.indexing.process import FileProcessor, Outcome

BATCH_BYTES = 400_000  # of source a batch: some 0.2 s of work, so that progress and cancelling feel prompt
BATCH_FILES = 64
MAX_WORKERS = 8
SMALL_JOB_BYTES = 3_000_000  # below this, starting workers (about 0.5 s each) costs more than it saves


def batches(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    """Cut tasks into batches of bounded size, in order."""
    batch: list[Task] = []
    size = 0
    for task in tasks:
        if batch and (len(batch) >= BATCH_FILES or size + task.record.size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(task)
        size += task.record.size
    if batch:
        yield batch


def worker_count(wanted: int, tasks: Sequence[Task]) -> int:
    """How many processes a job deserves; 0 means this one."""
    if wanted == 1 or sum(task.record.size for task in tasks) < SMALL_JOB_BYTES:
        return 0
    return min(wanted or os.cpu_count() or 1, MAX_WORKERS)


def process(
    tasks: Sequence[Task],
    root: Path,
    content: ContentOptions,
    *,
    embed: bool,
    workers: int,
    cancel: Event | None,
    embedder: Embedder | None = None,
) -> Iterator[list[Outcome]]:
    """Yield the outcomes of batches as they are done, in any order; `embedder` spares small jobs the loading.

    Raises:
        Cancelled: `cancel` was set.
    """
    count = worker_count(workers, tasks)
    if count == 0:
        processor = FileProcessor(root, content, embed=embed, embedder=embedder)
        for batch in batches(tasks):
            _check(cancel)
            yield processor.run(batch)
        return
    yield from _process_in_workers(list(batches(tasks)), root, content, embed, count, cancel)


def _check(cancel: Event | None) -> None:
    if cancel is not None and cancel.is_set():
        raise Cancelled("Indexing was cancelled. What was committed stays; the next run goes on from there.")


def _process_in_workers(
    work: list[list[Task]], root: Path, content: ContentOptions, embed: bool, count: int, cancel: Event | None
) -> Iterator[list[Outcome]]:
    todo: queue.SimpleQueue[list[Task] | None] = queue.SimpleQueue()
    for batch in work:
        todo.put(batch)
    done: queue.Queue[list[Outcome] | BaseException] = queue.Queue(maxsize=count * 2)
    stop = Event()
    workers = [_start() for _ in range(min(count, len(work)))]
    threads = [
        threading.Thread(target=_drive, args=(worker, (root, content, embed), todo, done, stop), daemon=True)
        for worker in workers
    ]
    for _ in threads:
        todo.put(None)
    for thread in threads:
        thread.start()
    try:
        for _ in work:
            result = _next(done, cancel)
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        stop.set()
        _end(workers, threads, done)


def _end(
    workers: list[subprocess.Popen[bytes]],
    threads: list[threading.Thread],
    done: queue.Queue[list[Outcome] | BaseException],
) -> None:
    for worker in workers:
        worker.kill()
    while any(thread.is_alive() for thread in threads):
        try:
            done.get(timeout=0.05)  # a thread may be waiting for room in the queue
        except queue.Empty:
            continue
    for worker in workers:
        worker.wait()
        for stream in (worker.stdin, worker.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass  # it was killed with data in flight


def _next(done: queue.Queue[list[Outcome] | BaseException], cancel: Event | None) -> list[Outcome] | BaseException:
    while True:
        _check(cancel)
        try:
            return done.get(timeout=0.1)
        except queue.Empty:
            continue


def _start() -> subprocess.Popen[bytes]:
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.Popen(
        [sys.executable, "-m", "hybrid_index.indexing.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        creationflags=flags,
        # One thread each: the processes are the parallelism.
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
    )


def _drive(
    worker: subprocess.Popen[bytes],
    setup: tuple[Path, ContentOptions, bool],
    todo: queue.SimpleQueue[list[Task] | None],
    done: queue.Queue[list[Outcome] | BaseException],
    stop: Event,
) -> None:
    assert worker.stdin is not None and worker.stdout is not None
    try:
        write_frame(worker.stdin, setup)
        while not stop.is_set() and (batch := todo.get()) is not None:
            write_frame(worker.stdin, batch)
            result = read_frame(worker.stdout)
            if result is None:
                raise StorageError(f"An indexing worker ended unexpectedly (exit status {worker.wait()}).")
            done.put(result)
    except (OSError, ValueError, StorageError) as error:
        if not stop.is_set():
            done.put(error)
