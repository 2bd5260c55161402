"""What a pass has to do: the difference between the files on disk and the rows in the index."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hybrid_index.indexing.options import ContentOptions
from hybrid_index.store import KnownFile, SkipRow
from hybrid_index.types import FileRecord


@dataclass(frozen=True, slots=True)
class Task:
    """One file to read; `known_hash` is set where equal content means that nothing has to be done."""

    record: FileRecord
    features: str
    known_hash: bytes | None
    # The size is as indexed, and the time was too fresh to be stored: most likely nothing changed.
    only_time_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of one pass."""

    tasks: tuple[Task, ...]
    removed: tuple[str, ...]
    unchanged: int
    added: int

    @property
    def lagging(self) -> int:
        """How many paths the index does not yet reflect, as far as sizes and times can tell."""
        return sum(1 for task in self.tasks if not task.only_time_unknown) + len(self.removed)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to read or remove."""
        return not self.tasks and not self.removed


def extension_of(path: str) -> str:
    """The extension in lower case with its dot; "" for none."""
    return posixpath.splitext(path)[1].lower()


def make_plan(
    files: Iterable[FileRecord],
    known: Mapping[str, KnownFile],
    skips: Mapping[str, SkipRow],
    content: ContentOptions,
    model: str | None,
    *,
    read_all: bool = False,
) -> Plan:
    """Compare a scan with the index.

    `model` is the embedding model to use; None accepts whatever vectors there are. With `read_all` every file is a
    task, and each keeps its rows until new ones replace them.
    """
    tasks: list[Task] = []
    seen: set[str] = set()
    unchanged = added = 0
    features_of: dict[str, str] = {}
    for record in files:
        seen.add(record.path)
        features = features_of.get(record.language)
        if features is None:
            features = features_of[record.language] = content.features(record.language)
        old = known.get(record.path)
        if old is None:
            skip = skips.get(record.path)
            if (
                not read_all
                and skip
                and (skip.size, skip.mtime_ns, skip.features) == (record.size, record.mtime_ns, features)
            ):
                unchanged += 1
                continue
            added += 1
            tasks.append(Task(record, features, None))
            continue
        wanted = model if model and content.in_vectors(extension_of(record.path)) else None
        made_alike = not read_all and old.features == features and (wanted is None or old.model == wanted)
        # A name that says nothing leaves it to the content (a script's first line), which the size and time stand for.
        same_language = record.language in (old.language, "text")
        made_alike = made_alike and same_language and bool(old.is_test) == record.is_test
        if made_alike and (old.size, old.mtime_ns) == (record.size, record.mtime_ns):
            unchanged += 1
        else:
            unsure = made_alike and old.mtime_ns == 0 and old.size == record.size
            tasks.append(Task(record, features, old.hash if made_alike else None, unsure))
    removed = tuple(path for path in (*known, *skips) if path not in seen)
    return Plan(tuple(tasks), removed, unchanged, added)
