"""MSBuild wildcards over workspace-relative paths: `**` spans folders, `*` and `?` stay inside a name.

Matching ignores case, as MSBuild's does for wildcards on every system.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

Matcher = Callable[[str], bool]

# Up to here a regular expression is used; beyond it a slower matcher whose time cannot explode on hostile patterns.
_MAX_STARS_FOR_REGEX = 3


def is_glob(pattern: str) -> bool:
    """Whether a path holds wildcards."""
    return "*" in pattern or "?" in pattern


def fixed_directory(pattern: str) -> str:
    """The folder before the first wildcard, in lower case; for a plain path, its folder."""
    if not is_glob(pattern):
        return pattern.rpartition("/")[0].lower()
    segments = pattern.split("/")
    first = next(index for index, segment in enumerate(segments) if is_glob(segment))
    return "/".join(segments[:first]).lower()


@lru_cache(maxsize=16384)
def compile_glob(pattern: str) -> Matcher:
    """Make a test for lower-case workspace-relative paths."""
    lowered = pattern.lower()
    if not is_glob(lowered):
        return lowered.__eq__
    base = fixed_directory(pattern)
    tail = lowered[len(base) + 1 :] if base else lowered
    matches_tail = _compile_tail(tail)
    if not base:
        return matches_tail
    prefix = base + "/"
    length = len(prefix)
    if tail in ("**", "**/*", "**/*.*"):
        return lambda path: path.startswith(prefix)
    return lambda path: path.startswith(prefix) and matches_tail(path[length:])


@lru_cache(maxsize=4096)
def _compile_tail(tail: str) -> Matcher:
    segments = _segments(tail)
    if segments == ("**",):
        return bool
    if len(segments) == 2 and segments[0] == "**" and _is_suffix(segments[1]):
        suffix = segments[1][1:]
        return lambda path: path.endswith(suffix)
    stars = max(segment.count("*") for segment in segments if segment != "**") if len(set(segments)) > 1 else 0
    if stars <= _MAX_STARS_FOR_REGEX and segments.count("**") <= _MAX_STARS_FOR_REGEX:
        expression = re.compile(_to_regex(segments))
        return lambda path: expression.fullmatch(path) is not None
    return lambda path: _matches_segments(tuple(path.split("/")), segments)


def _segments(tail: str) -> tuple[str, ...]:
    """Names of a pattern, with repeated `**` merged and `*.*` read as any name."""
    merged: list[str] = []
    for segment in tail.split("/"):
        name = "*" if segment == "*.*" else segment
        if name != "**" or not merged or merged[-1] != "**":
            merged.append(name)
    if len(merged) >= 2 and merged[-1] == "*" and merged[-2] == "**":
        merged.pop()
    return tuple(merged)


def _is_suffix(segment: str) -> bool:
    return segment.startswith("*") and not is_glob(segment[1:])


def _to_regex(segments: tuple[str, ...]) -> str:
    pieces: list[str] = []
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "**":
            pieces.append(".+" if last else "(?:[^/]+/)*")
        else:
            pieces.append(_name_regex(segment) + ("" if last else "/"))
    return "".join(pieces)


def _name_regex(segment: str) -> str:
    return "".join("[^/]*" if char == "*" else "[^/]" if char == "?" else re.escape(char) for char in segment)


def _matches_segments(names: tuple[str, ...], segments: tuple[str, ...]) -> bool:
    """Wildcard matching over folder names: going back to the latest `**` is enough, so time stays quadratic."""
    name = segment = 0
    retry_name, retry_segment = -1, -1
    while name < len(names):
        if segment < len(segments) and segments[segment] == "**":
            if segment == len(segments) - 1:
                return True
            retry_name, retry_segment = name, segment
            segment += 1
        elif segment < len(segments) and _matches_name(names[name], segments[segment]):
            name += 1
            segment += 1
        elif retry_segment >= 0:
            retry_name += 1
            name, segment = retry_name, retry_segment + 1
        else:
            return False
    return segment == len(segments)


def _matches_name(text: str, pattern: str) -> bool:
    """The same walk over the characters of one name."""
    at = place = 0
    retry_at, retry_place = -1, -1
    while at < len(text):
        if place < len(pattern) and pattern[place] == "*":
            retry_at, retry_place = at, place
            place += 1
        elif place < len(pattern) and pattern[place] in ("?", text[at]):
            at += 1
            place += 1
        elif retry_place >= 0:
            retry_at += 1
            at, place = retry_at, retry_place + 1
        else:
            return False
    return all(char == "*" for char in pattern[place:])
