"""The moment between the first writer's file and its tables."""

from pathlib import Path

import apsw
import pytest

from hybrid_index.errors import StorageError
from hybrid_index.store import Store


def test_an_index_whose_tables_are_not_there_yet_does_not_exist_yet(tmp_path: Path) -> None:
    store = Store(tmp_path / "index")
    store.database.parent.mkdir()
    half_made = apsw.Connection(str(store.database))
    half_made.execute("PRAGMA journal_mode = WAL; CREATE TABLE first (x)")
    try:
        assert not store.exists()
        with pytest.raises(StorageError, match="only being created"), store.snapshot():
            pass
    finally:
        half_made.close()
        store.close()


def test_an_index_that_was_built_exists_and_a_damaged_one_too(tmp_path: Path) -> None:
    store = Store(tmp_path / "index")
    assert not store.exists()
    store.writer().close()
    assert store.exists()
    store.close()
    store.database.write_bytes(b"no database" * 1000)
    assert Store(tmp_path / "index").exists()
