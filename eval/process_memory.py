"""Peak memory of a process with all its workers, by sampling; pages they share count once where the system tells."""

from __future__ import annotations

import threading
import time

import psutil

SAMPLE_SECONDS = 0.05  # a full index lasts seconds; finer sampling would itself take a share of a small machine


def measure_name() -> str:
    """What is summed: proportional set size on Linux (shared pages once), resident set size elsewhere."""
    return "pss" if hasattr(psutil.Process().memory_full_info(), "pss") else "rss"


def _bytes_of(process: psutil.Process, measure: str) -> int:
    try:
        if measure == "pss":
            return int(process.memory_full_info().pss)
        return int(process.memory_info().rss)
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return 0


def tree_bytes(pid: int, measure: str) -> int:
    """Memory of a process and its descendants now; 0 when it is gone."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    return sum(_bytes_of(member, measure) for member in family)


class PeakMemory:
    """Samples a process tree in a thread until `stop`."""

    def __init__(self, pid: int) -> None:
        self.measure = measure_name()
        self._pid = pid
        self._peak = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def _sample(self) -> None:
        while not self._done.is_set():
            started = time.perf_counter()
            self._peak = max(self._peak, tree_bytes(self._pid, self.measure))
            self._done.wait(max(SAMPLE_SECONDS, time.perf_counter() - started))

    def stop(self) -> int:
        """Stop sampling and return the largest sum seen, in bytes."""
        self._done.set()
        self._thread.join()
        self._peak = max(self._peak, tree_bytes(self._pid, self.measure))
        return self._peak
