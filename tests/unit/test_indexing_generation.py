from pathlib import Path

from hybrid_index import HybridIndex, Settings
from hybrid_index.service.requests import ReindexRequest


def _open(root: Path) -> HybridIndex:
    overrides = {"semantic.provider": "hashing", "index.dir": str(root.parent / "index")}
    return HybridIndex.open(root, Settings.load(root, overrides))


def test_a_pass_that_finds_no_change_writes_nothing(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    (root / "a.md").write_text("# Orders\n\nHow orders are shipped.\n", encoding="utf-8")
    with _open(root) as index:
        index.reindex()
        index.reindex()  # settles times that were too fresh to be trusted
        before = index.index_status().index.version
        index.reindex()
        assert index.index_status().index.version == before
        index.reindex(ReindexRequest(full=True))
        assert index.index_status().index.version != before
