"""`HybridIndex`: one workspace, opened."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from hybrid_index.errors import StorageError
from hybrid_index.indexing import Indexer, Progress
from hybrid_index.languages import supported_languages
from hybrid_index.retrieval import Searcher
from hybrid_index.service import answers, replies, requests
from hybrid_index.service.freshness import Freshness
from hybrid_index.service.place import index_folder
from hybrid_index.service.watching import Watcher
from hybrid_index.settings import Settings
from hybrid_index.store import Snapshot, Store
from hybrid_index.workspace import refuse_dangerous_root

__all__ = ["HybridIndex", "Progress"]


class HybridIndex:
    """A workspace with its index.

    Methods are safe to call from several threads. Reads never wait for a writer.
    """

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.settings = settings
        content, options = settings.content_options(), settings.indexing_options()
        self.retrieval = settings.retrieval_options()
        self.store = Store(index_folder(root, settings.index.dir))
        self.indexer = Indexer(root, self.store, content, options)
        self.workspace = self.indexer.workspace
        self.searcher = Searcher(self.retrieval)
        self.watcher = Watcher(self.workspace.root, options.debounce_ms, self._on_change)
        self.freshness = Freshness(root, self.store, self.indexer, options, lambda: self.watcher.ready)
        self._semantic = content.embedding.enabled

    @classmethod
    def open(cls, root: Path | str, settings: Settings | None = None, *, allow_any_root: bool = False) -> HybridIndex:
        """Open the workspace at `root` without indexing it; no model is loaded until one is needed.

        Raises:
            PathError: the folder is missing, or is `/`, a home directory or a drive root and `allow_any_root` is off.
            SettingsError: a setting cannot be used.
        """
        path = Path(root).expanduser()
        if not allow_any_root:
            refuse_dangerous_root(path)
        path = path.resolve()
        return cls(path, settings if settings is not None else Settings.load(path))

    # -- index --------------------------------------------------------------------------------------------------------

    def reindex(
        self,
        request: requests.ReindexRequest | None = None,
        *,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> replies.ReindexReply:
        """Bring the index up to date. Raises IndexLockedError when another process is writing, Cancelled on cancel."""
        started = time.monotonic()
        full = request.full if request is not None else False
        result = self.freshness.run_pass(full=full, progress=progress, cancel=cancel or self.freshness.cancel)
        with self.reading(check=False) as (snapshot, state):
            chunks = snapshot.size_counts()[1] if snapshot is not None else 0
            return answers.reindex_reply(result, chunks, state, started)

    def start_background_index(self, progress: Progress | None = None) -> None:
        """Index (first time or refresh) in a thread; searches meanwhile say `building`."""
        self.freshness.start_background(progress)

    def wait_until_idle(self, timeout: float | None = None) -> bool:
        """Wait for background indexing to finish; False when `timeout` seconds passed first."""
        return self.freshness.wait(timeout)

    def watch(self, request: requests.WatchRequest) -> replies.WatchReply:
        """Start or stop following changes in a background thread."""
        started = time.monotonic()
        if request.enabled:
            self.watcher.start()
        else:
            self.watcher.stop()
        self.freshness.unsettle()
        with self.reading(check=False) as (_, state):
            summary = f"following changes ({self.watcher.mode})" if request.enabled else "not following changes"
            return replies.WatchReply(
                summary=summary,
                index=state,
                elapsed_ms=answers.since(started),
                watching=request.enabled,
                mode=self.watcher.mode,
            )

    def _on_change(self) -> None:
        self.freshness.unsettle()
        self.freshness.start_background()

    # -- reading ------------------------------------------------------------------------------------------------------

    @contextmanager
    def reading(self, *, check: bool = True) -> Iterator[tuple[Snapshot | None, replies.IndexState]]:
        """Give one consistent state of the index with its description; no snapshot when there is no index yet."""
        if check:
            self.freshness.before_answer()
        if not self.store.exists():
            yield None, self.freshness.describe(None, self.vector_state(None))
            return
        try:
            manager = self.store.snapshot()
            snapshot = manager.__enter__()
        except StorageError:
            if self.freshness.describe(None, "off").status != "building":
                raise
            yield None, self.freshness.describe(None, self.vector_state(None))
            return
        try:
            yield snapshot, self.freshness.describe(snapshot, self.vector_state(snapshot))
        except BaseException as error:
            if not manager.__exit__(type(error), error, error.__traceback__):
                raise
        else:
            manager.__exit__(None, None, None)

    def vector_state(self, snapshot: Snapshot | None) -> str:
        """Say whether the vector channel takes part: "on", "off" or "unavailable(reason)"."""
        if not self._semantic:
            return "off"
        problem = self.vector_problem(snapshot)
        return f"unavailable({problem})" if problem else "on"

    def vector_problem(self, snapshot: Snapshot | None) -> str | None:
        """Say why the vector channel can't take part although it is wanted; None when it can."""
        if not self._semantic:
            return None
        if snapshot is None:
            return self.indexer.model_problem
        if self.indexer.embedder() is None:
            return self.indexer.model_problem
        if snapshot.vector_problem is not None:
            return snapshot.vector_problem
        return None if snapshot.vector_table() is not None else "the index holds no vectors yet"

    def search(self, request: requests.SearchRequest) -> replies.SearchReply:
        """Rank chunks for a question."""
        return answers.search(self, request)

    def explain_hit(self, request: requests.ExplainRequest) -> replies.ExplainReply:
        """Say why a chunk has its rank."""
        return answers.explain_hit(self, request)

    def search_text(self, request: requests.TextRequest) -> replies.TextReply:
        """Find an exact string or pattern in the live files."""
        return answers.search_text(self, request)

    def find_file(self, request: requests.FindFileRequest) -> replies.FindFileReply:
        """Find files by path."""
        return answers.find_file(self, request)

    def config_lookup(self, request: requests.ConfigRequest) -> replies.ConfigReply:
        """Find where a configuration key is set."""
        return answers.config_lookup(self, request)

    def source_context(self, request: requests.SourceRequest) -> replies.SourceReply:
        """Read spans of live files."""
        return answers.source_context(self, request)

    def index_status(self, request: requests.StatusRequest | None = None) -> replies.IndexStatusReply:
        """Describe the index and, for given paths, why each is or is not in it."""
        return answers.index_status(self, request or requests.StatusRequest())

    def server_capabilities(self) -> replies.CapabilitiesReply:
        """List tools, languages, limits and effective settings."""
        started = time.monotonic()
        with self.reading(check=False) as (snapshot, state):
            table = snapshot.vector_table() if snapshot is not None else None
            budget = self.retrieval.budget
            return replies.CapabilitiesReply(
                summary=f"hybrid-index {version('hybrid-index')} on {self.root}",
                index=state,
                elapsed_ms=answers.since(started),
                version=version("hybrid-index"),
                tools=list(answers.TOOLS),
                languages=list(supported_languages()),
                channels=["fts"] + (["vec"] if state.vector == "on" else []),
                model=table.model if table is not None else None,
                limits={
                    "max_tokens": budget.max_tokens,
                    "hard_max_tokens": budget.hard_max_tokens,
                    "top_n": budget.top_n,
                    "max_file_bytes": self.workspace.options.max_file_bytes,
                },
                settings=[
                    replies.SettingValue(key=row.key, value=row.value, source=row.source, description=row.description)
                    for row in self.settings.sources()
                ],
            )

    def close(self) -> None:
        """Stop background work and close the database."""
        self.watcher.stop()
        self.freshness.stop()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
