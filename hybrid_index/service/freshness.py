"""What the index is worth at this moment: kept in step before an answer, and described truthfully in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from hybrid_index.errors import Cancelled, HybridIndexError, IndexLockedError
from hybrid_index.indexing import Indexer, IndexingOptions, PassResult, Progress
from hybrid_index.service.replies import IndexState
from hybrid_index.store import Snapshot, Store
from hybrid_index.workspace import is_dirty, read_git_state

GIT_FACTS_S = 1.0  # head and dirty are asked of git again after this long, or after any pass


class Freshness:
    """Runs passes, remembers what is known of the working tree, and builds the `index` part of every reply."""

    def __init__(
        self, root: Path, store: Store, indexer: Indexer, options: IndexingOptions, watched: Callable[[], bool]
    ) -> None:
        """`watched` says whether every change from now on is reported through `unsettle`."""
        self._root = root
        self._store = store
        self._indexer = indexer
        self._options = options
        self._pass_lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._thread_lock = threading.Lock()
        self.cancel = threading.Event()
        self._progress: tuple[int, int] | None = None
        self._lagging = 0
        self._reason: str | None = None
        self._git: tuple[float, str | None, bool | None] | None = None
        self._watched = watched
        self._settled = False  # nothing changed since the last pass or sweep, as far as events tell
        self._events = 0

    # -- passes -------------------------------------------------------------------------------------------------------

    def run_pass(
        self, *, full: bool = False, wait_s: float = 0.0, progress: Progress | None = None, cancel: threading.Event
    ) -> PassResult:
        """Run one pass in this thread."""

        def follow(stage: str, done: int, total: int) -> None:
            if stage == "index":
                self._progress = (done, total)
            if progress is not None:
                progress(stage, done, total)

        with self._pass_lock:
            try:
                self._settled = self._watched()
                result = self._indexer.run(full=full, wait_s=wait_s, progress=follow, cancel=cancel)
                self._lagging, self._reason = 0, None
                return result
            except BaseException:
                self._settled = False
                raise
            finally:
                self._progress = None
                self._git = None

    def start_background(self, progress: Progress | None = None) -> None:
        """Run a pass in a thread, unless one is running."""

        def work() -> None:
            try:
                self.run_pass(wait_s=60.0, progress=progress, cancel=self.cancel)
            except Cancelled:
                pass
            except HybridIndexError as error:
                self._reason = str(error)

        with self._thread_lock:  # a watcher, a server's start and `stop` come from different threads
            if self.cancel.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._progress = (0, 0)
            self._thread = threading.Thread(target=work, name="hybrid-index-pass", daemon=True)
            self._thread.start()

    def wait(self, timeout: float | None) -> bool:
        """Wait for the background pass; False when `timeout` seconds passed first."""
        with self._thread_lock:
            thread = self._thread
        if thread is None:
            return True
        thread.join(timeout)
        return not thread.is_alive()

    def stop(self) -> None:
        """Stop the background pass; what it committed stays."""
        self.cancel.set()
        self.wait(30.0)

    def unsettle(self) -> None:
        """Note that something changed in the workspace."""
        self._events += 1
        self._settled = False

    def before_answer(self) -> None:
        """Bring small changes into the index before an answer; larger ones are counted and named in it."""
        if self._progress is not None or (self._settled and self._watched()) or not self._store.exists():
            return
        watched, events = self._watched(), self._events
        plan, _ = self._indexer.check()
        self._lagging = plan.lagging
        self._reason = None
        if plan.empty:
            self._settled = watched and events == self._events  # a change while the sweep ran is an event
            return
        if plan.lagging > self._options.inline_max_files:
            self._reason = f"{plan.lagging:,} files changed since the last pass; run `hybrid-index index` or `reindex`"
            return
        try:
            self.run_pass(cancel=self.cancel)
        except IndexLockedError:
            self._reason = "another process is indexing"
        except HybridIndexError as error:
            self._reason = str(error)

    # -- description --------------------------------------------------------------------------------------------------

    def describe(self, snapshot: Snapshot | None, vector: str) -> IndexState:
        """Describe the index as it is in `snapshot`; None when there is no index."""
        head, dirty = self._git_facts()
        progress = self._progress
        if snapshot is None:
            building = progress is not None
            return IndexState(
                version="0",
                status="building" if building else "missing",
                reason=self._reason or ("the first index is being built" if building else "there is no index yet"),
                root=str(self._root),
                head=head,
                dirty=dirty,
                coverage=0.0,
                vector=vector,
            )
        meta = snapshot.meta()
        files, _, skipped = snapshot.size_counts()
        in_scope = max(int(meta.get("in_scope", "0")), files + skipped)
        coverage = 1.0 if in_scope == 0 else min(1.0, (files + skipped) / in_scope)
        status, reason, lagging = "fresh", self._reason, self._lagging
        if progress is not None:
            status, reason = "building", f"{progress[0]:,} of {progress[1]:,} changed files are done"
            lagging = max(0, progress[1] - progress[0])
        elif "building" in meta:
            status, reason = "partial", "an indexing run was interrupted or is going on in another process"
        elif reason is not None or lagging:
            status = "stale"
        return IndexState(
            version=meta.get("generation", "0"),
            status=status,
            reason=reason,
            root=str(self._root),
            indexed_commit=meta.get("indexed_commit"),
            head=head,
            dirty=dirty,
            lagging_files=lagging,
            coverage=round(coverage, 4),
            vector=vector,
        )

    def _git_facts(self) -> tuple[str | None, bool | None]:
        now = time.monotonic()
        if self._git is None or now - self._git[0] > GIT_FACTS_S:
            self._git = (now, read_git_state(self._root).head, is_dirty(self._root))
        return self._git[1], self._git[2]
