"""The one `HybridIndex` of a server, opened by the first call that needs it: the handshake waits for nothing."""

from __future__ import annotations

from pathlib import Path
from threading import Lock, Thread

from hybrid_index.errors import HybridIndexError
from hybrid_index.service import HybridIndex
from hybrid_index.service.requests import WatchRequest
from hybrid_index.settings import Settings


class LazyIndex:
    """Opens the workspace once, and indexes it in the background once a client is there."""

    def __init__(self, root: Path, settings: Settings, allow_any_root: bool) -> None:
        self._root = root
        self._settings = settings
        self._allow_any_root = allow_any_root
        self._lock = Lock()
        self._index: HybridIndex | None = None
        self._started = False
        self._closed = False

    def get(self) -> HybridIndex:
        """Return the opened workspace, with its first pass begun: no answer says that nobody is indexing.

        Raises:
            HybridIndexError: it cannot be opened, or the server is closing.
        """
        with self._lock:
            if self._closed:
                raise HybridIndexError("The server is shutting down.")
            if self._index is None:
                self._index = HybridIndex.open(self._root, self._settings, allow_any_root=self._allow_any_root)
                self._index.start_background_index()
            return self._index

    def start(self) -> None:
        """Begin indexing and watching in the background; later calls do nothing."""
        with self._lock:
            if self._started or self._closed:
                return
            self._started = True
        Thread(target=self._begin, name="hybrid-index-start", daemon=True).start()

    def close(self) -> None:
        """Stop background work and close the index; `get` fails from now on."""
        with self._lock:
            self._closed = True
            index, self._index = self._index, None
        if index is not None:
            index.close()

    def _begin(self) -> None:
        try:
            index = self.get()
            if self._settings.index.watch:
                index.watch(WatchRequest(enabled=True))
        except HybridIndexError:
            return  # every call that needs the index says the same to the client
