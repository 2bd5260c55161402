"""Following changes: events are hints that a pass is due; content hashes decide what changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from watchfiles import Change, watch

from hybrid_index.workspace.options import NEVER_SOURCE_SEGMENTS

# Only what a scan never enters: `bin` or `packages` may hold tracked source, and an event too many costs one sweep.
_NOISE = frozenset(NEVER_SOURCE_SEGMENTS) - {".git"}
_WAKE_MS = 1_000  # how often the thread wakes without events; the first time tells that the watches stand


class Watcher:
    """A thread that calls back after changes settle."""

    def __init__(self, root: Path, debounce_ms: int, changed: Callable[[], None]) -> None:
        self._root = root
        self._debounce_ms = debounce_ms
        self._changed = changed
        self._stop = threading.Event()
        self._guard = threading.Lock()  # a server may close while it is still opening
        self._thread: threading.Thread | None = None
        self.mode = "off"  # "native", "polling" or "off"
        self.problem: str | None = None
        self._ready = False

    @property
    def running(self) -> bool:
        """Whether changes are being followed."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def ready(self) -> bool:
        """Whether every change from now on causes an event: the thread runs and its watches are in place."""
        return self._ready and self.running

    def start(self) -> None:
        """Begin to follow changes."""
        with self._guard:
            if self.running:
                return
            self._stop.clear()
            self._ready = False
            self.mode = "native"
            self._thread = threading.Thread(target=self._run, name="hybrid-index-watch", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop following; returns when the thread has ended."""
        with self._guard:
            self._stop.set()
            if self._thread is not None:
                self._thread.join(5.0)
            self.mode = "off"

    def _run(self) -> None:
        try:
            self._follow(polling=False)
        except OSError as error:  # too many watches, or a file system without events
            self.problem = f"watching falls back to polling: {error}"
            self.mode = "polling"
            try:
                self._follow(polling=True)
            except OSError as polling_error:
                self.problem = f"watching stopped: {polling_error}"
                self.mode = "off"

    def _follow(self, *, polling: bool) -> None:
        for changes in watch(
            self._root,
            watch_filter=self._relevant,
            debounce=max(self._debounce_ms, 10),
            step=10,
            stop_event=self._stop,
            raise_interrupt=False,
            force_polling=polling or None,
            rust_timeout=_WAKE_MS,
            yield_on_timeout=True,
        ):
            self._ready = True
            if changes:
                self._changed()

    def _relevant(self, change: Change, path: str) -> bool:
        """Leave out what can't concern the index: the index itself, build output, git's traffic but for its head."""
        try:
            parts = Path(path).relative_to(self._root).parts
        except ValueError:
            return True
        if ".git" in parts:
            return parts[-1] in ("HEAD", "index", "packed-refs") or "refs" in parts
        return not _NOISE.intersection(parts[:-1]) and parts[-1] not in _NOISE
