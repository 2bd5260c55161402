"""`Store`: the index of one workspace on disk; hands out the writer and read snapshots."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw
from filelock import FileLock, Timeout

from hybrid_index.errors import IndexCorruptError, IndexFormatError, IndexLockedError, StorageError
from hybrid_index.store.connection import load_vector_extension, open_reader
from hybrid_index.store.reader import Snapshot
from hybrid_index.store.versions import FORMAT_VERSION
from hybrid_index.store.writer import StoreWriter

DATABASE_NAME = "index.db"
LOCK_NAME = "write.lock"

_CACHE_TAG = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This folder holds the search index of Hybrid Index. It can be deleted and is then rebuilt.\n"
)
_IGNORE = "*\n!settings.toml\n"


@dataclass(slots=True)
class _Reader:
    connection: apsw.Connection
    vector_problem: str | None
    file_key: tuple[int, int]


class _BeingCreated(StorageError):
    """The file is there and its tables are not."""


class Store:
    """One index folder. Cheap to make: nothing is opened or created until something is read or written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / DATABASE_NAME
        self._local = threading.local()
        self._open: list[apsw.Connection] = []
        self._guard = threading.Lock()

    def exists(self) -> bool:
        """Whether an index has been built here; not yet while its first writer is still creating the tables."""
        if not self.database.is_file():
            return False
        try:
            self._reader()
        except _BeingCreated:
            return False
        except StorageError:
            return self.database.is_file()  # it is there, and whoever reads it is told what is wrong
        return True

    # -- reading ------------------------------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Reads of one moment, for this thread.

        Raises:
            StorageError: there is no index, or it cannot be opened.
            IndexFormatError: another version wrote it.
            IndexCorruptError: it is damaged.
        """
        reader = self._reader()
        nested = not reader.connection.get_autocommit()
        try:
            if not nested:
                reader.connection.execute("BEGIN")
            yield Snapshot(reader.connection, reader.vector_problem)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise IndexCorruptError(
                f"The index {self.database} is damaged ({error}). Run `hybrid-index index --full` to rebuild it."
            ) from error
        except apsw.Error as error:
            raise StorageError(f"The index {self.database} can't be read: {error}.") from error
        finally:
            if not nested and not reader.connection.get_autocommit():
                reader.connection.execute("ROLLBACK")

    def _reader(self) -> _Reader:
        try:
            stat = self.database.stat()
        except OSError as error:
            raise StorageError(f"There is no index at {self.folder} yet. Run `hybrid-index index`.") from error
        key = (stat.st_dev, stat.st_ino)
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is not None and reader.file_key == key:
            return reader
        if reader is not None:  # another database was put in its place: answer from that one
            self._forget(reader.connection)
        connection = open_reader(self.database)
        try:
            version = int(connection.pragma("user_version"))
        except apsw.Error as error:
            connection.close()
            raise IndexCorruptError(
                f"The index {self.database} is damaged ({error}). Run `hybrid-index index --full` to rebuild it."
            ) from error
        if version != FORMAT_VERSION:
            connection.close()
            if version == 0:
                raise _BeingCreated(f"The index at {self.folder} is only being created. Try again in a moment.")
            raise IndexFormatError(
                f"The index {self.database} has format {version}; this program reads format {FORMAT_VERSION}. "
                "Run `hybrid-index index` to bring it up to date."
            )
        problem = load_vector_extension(connection)
        reader = _Reader(connection, problem, key)
        self._local.reader = reader
        with self._guard:
            self._open.append(connection)
        return reader

    def _forget(self, connection: apsw.Connection) -> None:
        with self._guard:
            if connection in self._open:
                self._open.remove(connection)
        connection.close()

    # -- writing ------------------------------------------------------------------------------------------------------

    def writer(self, wait_s: float = 0.0) -> StoreWriter:
        """Take the lock and open the one writer; its `close()` lets the lock go.

        A damaged database is set aside and built anew; the writer's `rebuild_reason` says so.

        Raises:
            IndexLockedError: another process is writing and did not finish within `wait_s` seconds.
            StorageError: the folder cannot be written.
        """
        try:
            self._prepare_folder()
            lock = FileLock(self.folder / LOCK_NAME, thread_local=False)
            lock.acquire(timeout=wait_s)
        except Timeout as error:
            raise IndexLockedError(
                f"Another process is indexing this workspace ({self.folder / LOCK_NAME} is held). "
                "Reads still work; try again when it is done."
            ) from error
        except OSError as error:
            raise StorageError(f"The index folder {self.folder} can't be written: {error}.") from error
        try:
            return StoreWriter(self.database, lock)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            try:
                self.discard()
                writer = StoreWriter(self.database, lock)
            except BaseException:
                lock.release()
                raise
            writer.rebuild_reason = f"the database was damaged ({error})"
            return writer
        except BaseException:
            lock.release()
            raise

    def discard(self) -> None:
        """Delete the database files. Only for the holder of the lock."""
        for suffix in ("", "-wal", "-shm"):
            (self.folder / (DATABASE_NAME + suffix)).unlink(missing_ok=True)

    def _prepare_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _CACHE_TAG), (".gitignore", _IGNORE)):
            if not (self.folder / name).exists():
                (self.folder / name).write_text(text, encoding="utf-8")

    def bytes_on_disk(self) -> tuple[int, int]:
        """Sizes of the database and of its write-ahead log."""
        return _size(self.database), _size(self.folder / (DATABASE_NAME + "-wal"))

    def close(self) -> None:
        """Close every connection this object opened."""
        with self._guard:
            connections, self._open = self._open, []
        for connection in connections:
            connection.close(True)
        self._local = threading.local()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
