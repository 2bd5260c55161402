"""The product under judgement, reached by its public names: one opened workspace that answers questions."""

from __future__ import annotations

import difflib
import hashlib
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from eval.errors import EvalError
from eval.hits import Answer, RankedHit, read_lines, span_text
from eval.overrides import Overrides, index_key, nested, split_list
from hybrid_index.service import HybridIndex
from hybrid_index.service.replies import ExplainReply, Hit, IndexStatusReply, ReindexReply
from hybrid_index.service.requests import ExplainRequest, SearchRequest, WatchRequest
from hybrid_index.settings import Settings

DEPTH = 40  # hits kept per question; ten are scored for NDCG and hit rates, evidence reads on until its budget is full


def index_folder(index_root: Path, root: Path, overrides: Overrides) -> Path:
    """The folder of the index of a tree under these settings: another tree or other stored rows have another one."""
    place = hashlib.blake2b(str(root.resolve()).encode(), digest_size=5).hexdigest()
    return index_root / f"{root.name}-{place}-{index_key(overrides)}"


def settings_for(index_dir: Path, overrides: Overrides) -> Settings:
    """The product's defaults with these settings on top and the index in a folder of its own.

    Files and environment variables of the user are not read: the judge judges what is shipped.

    Raises:
        EvalError: a key is unknown or a value cannot be used.
    """
    known = Settings.keys()
    defaults = Settings()
    values: Overrides = {"index.dir": str(index_dir)}
    for key, value in overrides.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            raise EvalError(f"--set {key}: there is no such setting." + (f" Did you mean {near[0]}?" if near else ""))
        is_list = isinstance(defaults.value(key), tuple)
        values[key] = split_list(value) if is_list and isinstance(value, str) else value
    try:
        return Settings.model_validate(nested(values))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in error.errors(include_url=False))
        raise EvalError(f"--set cannot be used: {'; '.join(problems)}.") from error


class Product:
    """One workspace, opened with given settings."""

    def __init__(self, root: Path, index_dir: Path, overrides: Overrides) -> None:
        index_dir.mkdir(parents=True, exist_ok=True)
        self.root = root
        self.index = HybridIndex.open(root, settings_for(index_dir, overrides), allow_any_root=True)
        self._lines: dict[str, list[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.index.close()

    def refresh(self) -> ReindexReply:
        """Bring the index in step with the tree."""
        self._lines.clear()
        return self.index.reindex()

    def follow(self) -> None:
        """Follow changes, as the product's server does, so that a question does not pay for a sweep of the tree."""
        self.index.watch(WatchRequest(enabled=True))

    def status(self) -> IndexStatusReply:
        """Size and state of the index."""
        return self.index.index_status()

    def ask(self, query: str, depth: int = DEPTH) -> Answer:
        """Ask with the product's defaults and page on until `depth` hits are there or the ranking ends."""
        started = time.perf_counter()
        reply = self.index.search(SearchRequest(query=query))
        latency = (time.perf_counter() - started) * 1000
        hits = list(reply.hits)
        first_page = len(hits)
        while reply.next_cursor and reply.hits and len(hits) < depth:
            reply = self.index.search(SearchRequest(query=query, cursor=reply.next_cursor))
            hits += reply.hits
        return Answer(tuple(self._ranked(hit) for hit in hits[:depth]), latency, first_page)

    def explain(self, query: str, chunk_id: str) -> ExplainReply:
        """Why a chunk has its rank for a question."""
        return self.index.explain_hit(ExplainRequest(query=query, chunk_id=chunk_id))

    def _ranked(self, hit: Hit) -> RankedHit:
        if hit.path not in self._lines:
            self._lines[hit.path] = read_lines(self.root / hit.path)
        text = span_text(self._lines[hit.path], hit.start_line, hit.end_line)
        return RankedHit(hit.path, hit.start_line, hit.end_line, text, hit.chunk_id)
