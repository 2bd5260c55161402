import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hybrid_index import HybridIndex, SearchRequest, Settings
from hybrid_index.errors import Cancelled
from hybrid_index.service.requests import ReindexRequest

FILES = 30


def _workspace(folder: Path) -> Path:
    root = folder / "work"
    root.mkdir()
    for number in range(FILES):
        (root / f"note{number}.md").write_text(f"# Note {number}\n\nHow parcel {number} ships.\n", encoding="utf-8")
    return root


def _open(root: Path, **settings: str) -> HybridIndex:
    overrides = {"semantic.provider": "hashing", "index.dir": str(root.parent / "index")}
    return HybridIndex.open(root, Settings.load(root, {**overrides, **settings}))


def test_a_full_pass_that_is_cancelled_leaves_every_file_searchable(tmp_path):
    root = _workspace(tmp_path)
    cancel = threading.Event()
    with _open(root) as index:
        index.reindex()
        with pytest.raises(Cancelled):
            cancel.set()
            index.reindex(ReindexRequest(full=True), cancel=cancel)
        assert index.index_status().files == FILES
        assert index.search(SearchRequest(query="parcel ships")).hits


def test_a_full_pass_ends_in_the_same_rows_and_forgets_what_is_gone(tmp_path):
    root = _workspace(tmp_path)
    with _open(root) as index:
        index.reindex()
        (root / "note0.md").unlink()
        reply = index.reindex(ReindexRequest(full=True))
        assert (reply.changed, reply.removed) == (FILES - 1, 1)
        assert index.index_status().files == FILES - 1


def test_a_killed_run_keeps_what_it_committed_and_the_next_one_goes_on(tmp_path):
    root = _workspace(tmp_path)
    program = (
        "import os, sys\n"
        "from hybrid_index import HybridIndex, Settings\n"
        "root, place = sys.argv[1:]\n"
        "over = {'semantic.provider': 'hashing', 'index.dir': place, 'index.batch_files': '1'}\n"
        "import hybrid_index.indexing.pool as pool\n"
        "pool.BATCH_FILES = 5\n"
        "def die(stage, done, total):\n"
        "    if done >= 15: os._exit(9)\n"
        "HybridIndex.open(root, Settings.load(root, over)).reindex(progress=die)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(root), str(tmp_path / "index")], stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 9
    with _open(root) as index:
        status = index.index_status()
        assert 0 < status.files < FILES
        assert status.index.status != "fresh"
        assert index.reindex().added == FILES - status.files
        assert index.index_status().files == FILES
