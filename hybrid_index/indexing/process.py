"""From a file on disk to the rows of its chunks: read, chunk, expand, embed. Runs in workers and in this process."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid_index.embeddings import Embedder, load_embedder
from hybrid_index.indexing.options import ContentOptions
from hybrid_index.indexing.plan import Task, extension_of
from hybrid_index.languages import parse_file
from hybrid_index.store import ChunkRows, FileRows, SkipRow, encode_vector, expand_text
from hybrid_index.types import Chunk, ParsedFile, SourceText
from hybrid_index.workspace import Workspace

# A file saved again within one clock tick keeps its time. Ticks are at most 10 ms on file systems that store fractions
# of a second, and up to two seconds (FAT) on those that do not.
RACY_NS = 100_000_000
RACY_WHOLE_SECONDS_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The content is what was indexed; only the times differ."""

    path: str
    size: int
    mtime_ns: int


Outcome = FileRows | SkipRow | Unchanged


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A file between parsing and embedding."""

    task: Task
    hash: bytes
    source: SourceText
    parsed: ParsedFile
    lines: list[str]
    mtime_ns: int
    is_generated: bool


class FileProcessor:
    """Turns tasks into outcomes. Pure but for reading the files and loading the model once."""

    def __init__(self, root: Path, content: ContentOptions, *, embed: bool, embedder: Embedder | None = None) -> None:
        self._workspace = Workspace(root, content.scope)
        self._content = content
        self._embed = embed
        self._embedder = embedder  # of this process; a worker loads its own

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Process a batch of files; vectors of all of them are made in one call."""
        outcomes: list[Outcome] = []
        parsed: list[_Parsed] = []
        for task in tasks:
            outcome = self._read(task)
            if isinstance(outcome, _Parsed):
                parsed.append(outcome)
            else:
                outcomes.append(outcome)
        vectors = self._vectors(parsed)
        outcomes.extend(self._rows(item, item_vectors) for item, item_vectors in zip(parsed, vectors, strict=True))
        return outcomes

    def _read(self, task: Task) -> _Parsed | SkipRow | Unchanged:
        record = task.record
        result = self._workspace.read(record)
        if result.source is None:
            skip = result.skip
            assert skip is not None
            return SkipRow(record.path, skip.reason, skip.detail, record.size, record.mtime_ns, task.features)
        if result.hash == task.known_hash:
            return Unchanged(record.path, record.size, record.mtime_ns)
        return _Parsed(
            task,
            result.hash,
            result.source,
            parse_file(result.source, self._content.chunking),
            result.source.text.split("\n"),
            _trusted_time(record.mtime_ns),
            result.is_generated,
        )

    def _vectors(self, files: Sequence[_Parsed]) -> list[list[bytes | None]]:
        texts: list[str] = []
        for item in files:
            if self._wants_vectors(item):
                embedder = self._model()
                texts.extend(
                    embedder.document_text(item.source.path, chunk.symbol or chunk.context, _text(item.lines, chunk))
                    for chunk in item.parsed.chunks
                )
        matrix = self._model().embed_documents(texts) if texts else None
        out: list[list[bytes | None]] = []
        row = 0
        for item in files:
            if matrix is None or not self._wants_vectors(item):
                out.append([None] * len(item.parsed.chunks))
                continue
            rows = matrix[row : row + len(item.parsed.chunks)]
            row += len(item.parsed.chunks)
            # A zero vector has no direction; such a chunk is left out of the channel.
            out.append([encode_vector(v, self._content.embedding.dtype) if v.any() else None for v in rows])
        return out

    def _wants_vectors(self, item: _Parsed) -> bool:
        return self._embed and self._content.in_vectors(extension_of(item.source.path))

    def _model(self) -> Embedder:
        if self._embedder is None:
            self._embedder = load_embedder(self._content.embedding)
        return self._embedder

    def _rows(self, item: _Parsed, vectors: Sequence[bytes | None]) -> FileRows:
        record, path = item.task.record, item.source.path
        stem = expand_text(posixpath.basename(path))
        directories = expand_text(posixpath.dirname(path))
        in_keywords = self._content.in_keywords(item.source.language)
        chunks = tuple(
            ChunkRows(
                chunk.start_line,
                chunk.end_line,
                chunk.kind,
                chunk.symbol,
                chunk.names,
                (
                    stem,
                    directories,
                    expand_text(chunk.names),
                    expand_text(chunk.context),
                    expand_text(chunk.docs),
                    expand_text(chunk.hints),
                    expand_text(_text(item.lines, chunk)),
                )
                if in_keywords
                else None,
                vector,
            )
            for chunk, vector in zip(item.parsed.chunks, vectors, strict=True)
        )
        return FileRows(
            path=path,
            size=record.size,
            mtime_ns=item.mtime_ns,
            hash=item.hash,
            language=item.source.language,
            extension=extension_of(path),
            lines=len(item.lines) - (item.lines[-1] == ""),
            is_test=record.is_test,
            is_generated=item.is_generated,
            features=item.task.features,
            model=self._model().model_id if self._wants_vectors(item) else None,
            chunks=chunks,
            symbols=item.parsed.symbols,
        )


def _text(lines: Sequence[str], chunk: Chunk) -> str:
    return "\n".join(lines[chunk.start_line - 1 : chunk.end_line])


def _trusted_time(mtime_ns: int) -> int:
    """The time to store: 0 when the file could still be saved again within the same clock tick."""
    age = time.time_ns() - mtime_ns
    tick = RACY_NS if mtime_ns % 1_000_000_000 else RACY_WHOLE_SECONDS_NS
    return mtime_ns if age > tick else 0
