"""One writer, readers that go on, and a damaged database that is built anew."""

from pathlib import Path

import pytest

from hybrid_index.errors import IndexLockedError
from hybrid_index.store import Store


def test_a_second_writer_is_refused_while_readers_go_on(tmp_path: Path) -> None:
    first, second = Store(tmp_path / "index"), Store(tmp_path / "index")
    writer = first.writer()
    try:
        with pytest.raises(IndexLockedError, match="Another process is indexing"):
            second.writer()
        with second.snapshot() as snapshot:
            assert snapshot.counts().files == 0
    finally:
        writer.close()
        first.close()
    second.writer().close()
    second.close()


def test_a_damaged_database_is_built_anew_and_the_reason_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "index")
    store.writer().close()
    store.close()
    store.database.write_bytes(b"no database" * 1000)
    writer = store.writer()
    try:
        assert "damaged" in (writer.rebuild_reason or "")
        with store.snapshot() as snapshot:
            assert snapshot.counts().files == 0
    finally:
        writer.close()
        store.close()
