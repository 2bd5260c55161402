"""One pass: scan, plan, process, commit. The only writer of file rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from hybrid_index.embeddings import Embedder, load_embedder
from hybrid_index.errors import ModelError
from hybrid_index.indexing.options import ContentOptions, IndexingOptions
from hybrid_index.indexing.plan import Plan, make_plan
from hybrid_index.indexing.pool import process
from hybrid_index.indexing.process import Outcome, Unchanged
from hybrid_index.projects import is_project_file, load_projects
from hybrid_index.store import FileRows, KnownFile, SkipRow, Store, StoreWriter
from hybrid_index.types import FileRecord
from hybrid_index.workspace import ScanResult, Workspace, pair_of, read_git_state

Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total); stage is "scan", "index" or "finish"."""


@dataclass(frozen=True, slots=True)
class PassResult:
    """What one pass did."""

    added: int
    changed: int
    removed: int
    unchanged: int
    skipped: int
    chunks: int
    seconds: float
    rebuild_reason: str | None
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    skipped: int = 0
    chunks: int = 0
    structure_changed: bool = False


class Indexer:
    """Brings the store in step with the files of one workspace."""

    def __init__(self, root: Path, store: Store, content: ContentOptions, options: IndexingOptions) -> None:
        self._root = root
        self._store = store
        self._content = content
        self._options = options
        self.workspace = Workspace(root, content.scope)
        self._embedder: Embedder | None = None
        self.model_problem: str | None = None

    def embedder(self) -> Embedder | None:
        """Give the embedding model; None when it is turned off or can't be had (`model_problem` says why)."""
        if not self._content.embedding.enabled:
            return None
        if self._embedder is None and self.model_problem is None:
            try:
                self._embedder = load_embedder(self._content.embedding)
            except ModelError as error:
                self.model_problem = str(error)
        return self._embedder

    def check(self) -> tuple[Plan, ScanResult]:
        """Say what a pass would have to do, without writing anything."""
        scan = self.workspace.scan()
        known: dict[str, KnownFile] = {}
        skips: dict[str, SkipRow] = {}
        if self._store.exists():
            with self._store.snapshot() as snapshot:
                known, skips = snapshot.known_files(), snapshot.known_skips()
        return make_plan(scan.files, known, skips, self._content, self._model_id()), scan

    def _model_id(self) -> str | None:
        embedder = self.embedder()
        return embedder.model_id if embedder else None

    def run(
        self,
        *,
        full: bool = False,
        wait_s: float = 0.0,
        progress: Progress | None = None,
        cancel: Event | None = None,
    ) -> PassResult:
        """Bring the index up to date; with `full`, read every file again.

        Raises:
            IndexLockedError: another process is writing.
            Cancelled: `cancel` was set; what was committed stays.
            StorageError: the index can't be written.
        """
        started = time.monotonic()
        report = progress or (lambda stage, done, total: None)
        writer = self._store.writer(wait_s)
        try:
            report("scan", 0, 0)
            git = read_git_state(self._root)
            scan = self.workspace.scan()
            plan = self._prepare(writer, scan, full)
            tally = self._process(writer, plan, report, cancel)
            report("finish", len(plan.tasks), len(plan.tasks))
            self._finish(writer, scan, plan, tally, full, git.head)
            return PassResult(
                added=tally.added,
                changed=tally.changed,
                removed=len(plan.removed),
                unchanged=len(scan.files) - tally.added - tally.changed - tally.skipped,
                skipped=tally.skipped,
                chunks=tally.chunks,
                seconds=time.monotonic() - started,
                rebuild_reason=writer.rebuild_reason,
                warnings=scan.warnings,
            )
        finally:
            writer.close()

    # -- steps --------------------------------------------------------------------------------------------------------

    def _prepare(self, writer: StoreWriter, scan: ScanResult, full: bool) -> Plan:
        embedder = self.embedder()
        if writer.vector_problem is not None:
            embedder = None
        if embedder is not None:
            made_with = (embedder.model_id, embedder.dimension, self._content.embedding.dtype)
            if not writer.has_model(*made_with):  # otherwise nothing is written, and the index keeps its generation
                with writer.atomic():
                    writer.use_model(*made_with)
        self._embed = embedder is not None
        plan = make_plan(
            scan.files,
            writer.known_files(),
            writer.known_skips(),
            self._content,
            embedder.model_id if embedder is not None else None,
            read_all=full,
        )
        if not plan.empty:
            building = _now() if plan.lagging > self._options.inline_max_files else None
            with writer.atomic():
                writer.set_meta({"in_scope": str(len(scan.files)), "building": building})
        return plan

    def _process(self, writer: StoreWriter, plan: Plan, report: Progress, cancel: Event | None) -> _Tally:
        tally = _Tally(structure_changed=bool(plan.removed))
        if plan.removed:
            with writer.atomic():
                writer.remove_paths(plan.removed)
        pending: list[Outcome] = []
        done, total = 0, len(plan.tasks)
        report("index", 0, total)
        for outcomes in process(
            plan.tasks,
            self._root,
            self._content,
            embed=self._embed,
            workers=self._options.workers,
            cancel=cancel,
            embedder=self._embedder,
        ):
            pending.extend(outcomes)
            done += len(outcomes)
            report("index", done, total)
            if len(pending) >= self._options.batch_files:
                self._commit(writer, pending, tally)
                pending = []
        if pending:
            self._commit(writer, pending, tally)
        return tally

    def _commit(self, writer: StoreWriter, outcomes: Sequence[Outcome], tally: _Tally) -> None:
        with writer.atomic():
            for outcome in outcomes:
                if isinstance(outcome, FileRows):
                    existed = writer.replace_file(outcome)
                    tally.chunks += len(outcome.chunks)
                    tally.changed += existed
                    tally.added += not existed
                    tally.structure_changed |= not existed or is_project_file(outcome.path)
                elif isinstance(outcome, SkipRow):
                    writer.put_skip(outcome)
                    tally.skipped += 1
                    tally.structure_changed = True
                elif isinstance(outcome, Unchanged):
                    writer.touch(outcome.path, outcome.size, outcome.mtime_ns)

    def _finish(
        self, writer: StoreWriter, scan: ScanResult, plan: Plan, tally: _Tally, full: bool, head: str | None
    ) -> None:
        facts = {
            "building": None,
            "in_scope": str(len(scan.files)),
            "indexed_commit": head,
        }
        if plan.empty and all(writer.meta(key) == value for key, value in facts.items()):
            return
        changed_facts: list[tuple[str | None, str | None, str]] = []
        if tally.structure_changed or full:
            changed_facts = self._file_facts(scan.files, writer.known_files())
        with writer.atomic():
            writer.update_facts(changed_facts)
            writer.set_meta({**facts, "last_indexed": _now()})

    def _file_facts(
        self, files: Iterable[FileRecord], known: dict[str, KnownFile]
    ) -> list[tuple[str | None, str | None, str]]:
        """Find the files whose project or pair is not what is stored: (project, pair, path)."""
        projects = load_projects(self._root, [record.path for record in files]).assignments(known)
        present = known.keys()
        out: list[tuple[str | None, str | None, str]] = []
        for path, old in known.items():
            names = projects.get(path, ())
            project = names[0] if names else None
            pairs = pair_of(path, present)
            pair = pairs[0] if pairs else None
            if (old.project, old.pair) != (project, pair):
                out.append((project, pair, path))
        return out


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
