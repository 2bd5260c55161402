"""Files whose language only their first line tells."""

from pathlib import Path

from hybrid_index.service import HybridIndex
from hybrid_index.settings import Settings


def test_a_script_without_an_extension_is_indexed_once_and_then_unchanged(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("#!/bin/sh\necho ready\n", encoding="utf-8")
    with HybridIndex.open(tmp_path, Settings()) as index:
        index.reindex()
        again = index.reindex()
        assert (again.added, again.changed, again.unchanged) == (0, 0, 1)
        status = index.index_status()
        assert status.languages == {"bash": 1}
        assert status.index.status == "fresh"
