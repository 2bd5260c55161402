"""`HybridIndex`: one workspace, opened.

Being written: the signatures below are the contract that the command line, the MCP server and eval build on.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hybrid_index.service import replies, requests

if TYPE_CHECKING:
    from hybrid_index.settings import Settings

Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total); stage is "scan", "index", "finish"."""


class HybridIndex:
    """A workspace with its index.

    Methods are safe to call from several threads. Reads never write and never wait for a writer.
    """

    def __init__(self, root: Path, settings: Settings) -> None:
        raise NotImplementedError

    @classmethod
    def open(cls, root: Path | str, settings: Settings | None = None, *, allow_any_root: bool = False) -> HybridIndex:
        """Open the workspace at `root` without indexing it; no model is loaded until one is needed.

        Raises:
            PathError: the folder is missing, or is `/`, a home directory or a drive root and `allow_any_root` is off.
            SettingsError: a setting cannot be used.
        """
        raise NotImplementedError

    def reindex(
        self,
        request: requests.ReindexRequest | None = None,
        *,
        progress: Progress | None = None,
        cancel: Event | None = None,
    ) -> replies.ReindexReply:
        """Bring the index up to date. Raises IndexLockedError when another process is writing, Cancelled on cancel."""
        raise NotImplementedError

    def start_background_index(self, progress: Progress | None = None) -> None:
        """Index (first time or refresh) in a thread; searches meanwhile say `building`."""
        raise NotImplementedError

    def wait_until_idle(self, timeout: float | None = None) -> bool:
        """Wait for background indexing to finish; False when `timeout` seconds passed first."""
        raise NotImplementedError

    def search(self, request: requests.SearchRequest) -> replies.SearchReply:
        """Rank chunks for a question."""
        raise NotImplementedError

    def explain_hit(self, request: requests.ExplainRequest) -> replies.ExplainReply:
        """Say why a chunk has its rank."""
        raise NotImplementedError

    def search_text(self, request: requests.TextRequest) -> replies.TextReply:
        """Find an exact string or pattern in the live files."""
        raise NotImplementedError

    def find_file(self, request: requests.FindFileRequest) -> replies.FindFileReply:
        """Find files by path."""
        raise NotImplementedError

    def config_lookup(self, request: requests.ConfigRequest) -> replies.ConfigReply:
        """Find where a configuration key is set."""
        raise NotImplementedError

    def source_context(self, request: requests.SourceRequest) -> replies.SourceReply:
        """Read spans of live files."""
        raise NotImplementedError

    def index_status(self, request: requests.StatusRequest | None = None) -> replies.IndexStatusReply:
        """Describe the index and, for given paths, why each is or is not in it."""
        raise NotImplementedError

    def server_capabilities(self) -> replies.CapabilitiesReply:
        """List tools, languages, limits and effective settings."""
        raise NotImplementedError

    def watch(self, request: requests.WatchRequest) -> replies.WatchReply:
        """Start or stop following changes in a background thread."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop background work and close the database."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
