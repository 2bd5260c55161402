"""Why a path is not in the index: every path that is left out has one recorded reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from hybrid_index.workspace.options import NEVER_SOURCE_SEGMENTS

TOP_PREFIXES = 5


class SkipReason(StrEnum):
    """Reasons for leaving a path out. The set is closed and stable: clients branch on it."""

    IGNORED_BY_RULE = "ignored_by_rule"  # .gitignore, git's excludes, or a further ignore file
    EXCLUDED_BY_SETTING = "excluded_by_setting"  # a folder name, folder or extension that the settings leave out
    TOO_LARGE = "too_large"
    BINARY = "binary"
    MINIFIED = "minified"
    SECRET = "secret"  # a file that exists to hold credentials
    UNREADABLE = "unreadable"  # no permission, vanished, or not decodable
    OUTSIDE_ROOT = "outside_root"  # a link that leads out of the workspace
    LINK = "link"  # a link inside the workspace: its target is indexed under its own path
    NOT_REGULAR = "not_regular"  # a pipe, socket or device
    SUBMODULE = "submodule"  # not checked out, or not followed
    BAD_NAME = "bad_name"  # a name that is not valid UTF-8 or holds control characters


@dataclass(frozen=True, slots=True)
class Skip:
    """A path that is left out. A folder ends in `/` and stands for everything below it."""

    path: str
    reason: SkipReason
    detail: str = ""


def left_out_by_name(name: str) -> str:
    """The detail of the skip of a folder that is never entered."""
    return f"folders named {name} are left out" + ("" if name in NEVER_SOURCE_SEGMENTS else " (exclude_segments)")


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """How many recorded paths one reason left out, and the folders that hold most of them."""

    reason: SkipReason
    count: int
    top_prefixes: tuple[tuple[str, int], ...]


def summarise(skips: Iterable[Skip]) -> tuple[LedgerEntry, ...]:
    """Count skips by reason, the most frequent first, with up to five prefixes each.

    A prefix is a skipped folder itself, or the first two folders of a skipped file.
    """
    counts: Counter[SkipReason] = Counter()
    prefixes: dict[SkipReason, Counter[str]] = {}
    for skip in skips:
        counts[skip.reason] += 1
        prefixes.setdefault(skip.reason, Counter())[_prefix(skip.path)] += 1
    return tuple(
        LedgerEntry(reason, count, tuple(_ordered(prefixes[reason])[:TOP_PREFIXES]))
        for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def _ordered(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _prefix(path: str) -> str:
    if path.endswith("/"):
        return path
    folders = path.split("/")[:-1]
    return "/".join(folders[:2]) + "/" if folders else path
