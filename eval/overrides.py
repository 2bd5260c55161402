"""`--set key=value` texts: what they say, and which of them change what is stored rather than how it is asked."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from eval.errors import EvalError

Overrides = dict[str, Any]
"""Dotted setting key -> value."""

# Settings of these sections, and these keys, only change how an index is asked; any other one gets an index of its own.
_ASKING_SECTIONS = ("fusion", "ranking", "budget")
_ASKING_KEYS = ("fts.k", "fts.weights", "fts.enabled")


def parse_value(text: str) -> Any:
    """Read a value as TOML (`0.5`, `true`, `["a", "b"]`); anything that is not TOML is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def parse_overrides(texts: Sequence[str]) -> Overrides:
    """Read `section.key=value` texts; a later one wins.

    Raises:
        EvalError: a text has no `=` or no section.
    """
    out: Overrides = {}
    for text in texts:
        key, separator, value = text.partition("=")
        key = key.strip()
        if not separator or "." not in key:
            raise EvalError(f"{text!r} is not a setting; write section.key=value, for example fusion.alpha=0.5.")
        out[key] = parse_value(value.strip())
    return out


def split_list(text: str) -> list[str]:
    """Split at commas that stand outside brackets and quotes."""
    out, depth, quote, current = [], 0, "", ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[{":
            depth += 1
        elif character in "]}":
            depth -= 1
        elif character == "," and depth == 0:
            out.append(current)
            current = ""
            continue
        current += character
    return [part.strip() for part in [*out, current] if part.strip()]


def nested(overrides: Overrides) -> dict[str, Any]:
    """Dotted keys as the nested tables that the settings are built from."""
    out: dict[str, Any] = {}
    for key, value in overrides.items():
        *sections, name = key.split(".")
        table = out
        for section in sections:
            table = table.setdefault(section, {})
        table[name] = value
    return out


def index_key(overrides: Overrides) -> str:
    """A short name for the settings that decide what an index holds; "default" where none does."""
    stored = {
        key: value
        for key, value in sorted(overrides.items())
        if key.split(".")[0] not in _ASKING_SECTIONS and key not in _ASKING_KEYS
    }
    if not stored:
        return "default"
    return hashlib.blake2b(repr(stored).encode(), digest_size=5).hexdigest()


def describe(overrides: Mapping[str, Any]) -> str:
    """The settings in one line."""
    return ", ".join(f"{key}={value}" for key, value in overrides.items()) or "defaults"
