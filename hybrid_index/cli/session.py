"""What the commands share: finding and opening the workspace, indexing with progress, showing a reply."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid_index.errors import IndexLockedError, SettingsError

if TYPE_CHECKING:
    from hybrid_index.service import HybridIndex
    from hybrid_index.service.replies import ReindexReply, Reply
    from hybrid_index.settings import Settings

_WORKSPACE_MARKS = (".hybrid-index", ".git")


@dataclass(frozen=True, slots=True)
class Invocation:
    """The options that stand before the command."""

    root: Path | None = None
    overrides: Mapping[str, str] = field(default_factory=dict)
    allow_any_root: bool = False

    def workspace(self) -> Path:
        """Return the folder to work on."""
        return self.root if self.root is not None else find_workspace(Path.cwd())

    def settings(self) -> Settings:
        """Load the settings of the workspace."""
        from hybrid_index.settings import Settings

        return Settings.load(self.workspace(), self.overrides)

    @contextmanager
    def opened(self) -> Iterator[HybridIndex]:
        """Open the workspace, whatever the state of its index."""
        from hybrid_index.service import HybridIndex

        with HybridIndex.open(self.workspace(), self.settings(), allow_any_root=self.allow_any_root) as index:
            yield index

    @contextmanager
    def indexed(self) -> Iterator[HybridIndex]:
        """Open the workspace and make sure that it has a whole index, unless another process is making it."""
        with self.opened() as index:
            state = index.index_status().index
            if state.status == "missing":
                say(f"No index yet: indexing {state.root} first.")
                reindex(index)
            elif state.status == "partial":
                try:
                    reindex(index)
                    say("The last indexing run had not finished; it has now.")
                except IndexLockedError:
                    say("Another process is indexing: answering from what is done so far.")
            yield index


def find_workspace(start: Path) -> Path:
    """Return the nearest folder upward that has an index or a repository, or else `start`."""
    for folder in (start, *start.parents):
        if any((folder / mark).exists() for mark in _WORKSPACE_MARKS):
            return folder
    return start


def parse_assignments(assignments: Sequence[str]) -> dict[str, str]:
    """Turn `key=value` texts into a table.

    Raises:
        SettingsError: a text without `=`.
    """
    table: dict[str, str] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise SettingsError(f"--set {assignment} has no value. Write --set section.key=value.")
        table[key.strip()] = value
    return table


def reindex(index: HybridIndex, full: bool = False) -> ReindexReply:
    """Index with a progress bar on terminals; the first Ctrl-C stops after the current batch.

    Raises:
        Cancelled: Ctrl-C was pressed.
        IndexLockedError: another process is indexing.
    """
    from hybrid_index.cli.terminal import progress_bar
    from hybrid_index.service.requests import ReindexRequest

    with _cancel_on_interrupt() as cancel, progress_bar() as progress:
        return index.reindex(ReindexRequest(full=full), progress=progress, cancel=cancel)


@contextmanager
def _cancel_on_interrupt() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into a request to stop, so that what is done so far is kept; a second one interrupts."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(number: int, frame: object) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def show(reply: Reply, as_json: bool) -> None:
    """Print a reply: as JSON, styled on a terminal, or plain when piped."""
    if as_json:
        write(f"{reply.model_dump_json(indent=2)}\n")
        return
    if sys.stdout.isatty():
        from hybrid_index.cli.terminal import show_styled

        show_styled(reply)
        return
    from hybrid_index import rendering

    write(f"{rendering.full(reply)}\n")


def write(text: str) -> None:
    """Print a part of the answer at once; a reader that has gone away, as `head` does, is no error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(message: str) -> None:
    """Tell a person what goes on, apart from the answer."""
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
