"""Where settings come from: each layer is a flat table of raw values that remembers where each was written."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from pydantic_settings import BaseSettings, EnvSettingsSource, TomlConfigSettingsSource

from hybrid_index.errors import SettingsError

ENVIRONMENT_PREFIX = "HYBRID_INDEX_"
CONFIG_VARIABLE = "HYBRID_INDEX_CONFIG"
# Variables of the same prefix that are not settings.
_OTHER_VARIABLES = {CONFIG_VARIABLE.lower()}
_MAX_SETTINGS_BYTES = 256_000  # a hand-written file has a few kB; this bounds what a hostile repository makes us read


@dataclass(frozen=True, slots=True)
class Layer:
    """Raw values by `section.key`, and the words that name each one's origin in an error."""

    name: str
    values: Mapping[str, Any]
    origins: Mapping[str, str]


def user_settings_path() -> Path:
    """Return the place of the user's file: `HYBRID_INDEX_CONFIG`, or the platform's configuration folder."""
    named = os.environ.get(CONFIG_VARIABLE)
    return (
        Path(named) if named else Path(platformdirs.user_config_dir("hybrid-index", appauthor=False)) / "settings.toml"
    )


def workspace_settings_path(root: Path) -> Path:
    """Return the place of a workspace's own file."""
    return root / ".hybrid-index" / "settings.toml"


def user_file(settings: type[BaseSettings]) -> Layer | None:
    """Read the user's file; a file that `HYBRID_INDEX_CONFIG` names must exist."""
    path = user_settings_path()
    if not path.is_file():
        if os.environ.get(CONFIG_VARIABLE):
            raise SettingsError(f"{CONFIG_VARIABLE} names {path}, which is not a file. Correct or unset it.")
        return None
    return _file(settings, "user file", path)


def workspace_file(settings: type[BaseSettings], root: Path) -> Layer | None:
    """Read the workspace's own file, unless it is a link to somewhere else."""
    path = workspace_settings_path(root)
    if not path.is_file():
        return None
    if not path.resolve().is_relative_to(root.resolve()):
        raise SettingsError(f"{path} is a link that leaves the workspace. Replace it by a file.")
    return _file(settings, "workspace file", path)


def environment(settings: type[BaseSettings]) -> Layer | None:
    """Read `HYBRID_INDEX_<SECTION>__<KEY>`; a variable with the prefix that names no setting is an error."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for variable, value in EnvSettingsSource(settings, env_prefix=ENVIRONMENT_PREFIX).env_vars.items():
        if not variable.lower().startswith(ENVIRONMENT_PREFIX.lower()) or variable.lower() in _OTHER_VARIABLES:
            continue
        key = variable.lower().removeprefix(ENVIRONMENT_PREFIX.lower()).replace("__", ".", 1)
        values[key] = value or ""
        origins[key] = f"environment variable {variable.upper()}"
    return Layer("environment", values, origins) if values else None


def overrides(given: Mapping[str, Any] | None) -> Layer | None:
    """Turn `section.key` pairs of the command line or of a caller into a layer."""
    if not given:
        return None
    return Layer("command line", dict(given), {key: f"--set {key}" for key in given})


def parse_list(key: str, origin: str, text: str) -> list[Any]:
    """Read a list written as text: a JSON array, or items separated by commas.

    Raises:
        SettingsError: the text starts like a JSON array and is none.
    """
    if not text.lstrip().startswith("["):
        return [item.strip() for item in text.split(",")] if text.strip() else []
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise SettingsError(f"{key} ({origin}) is not a valid JSON array: {error}.") from error
    return list(parsed)


def _file(settings: type[BaseSettings], name: str, path: Path) -> Layer:
    try:
        if path.stat().st_size > _MAX_SETTINGS_BYTES:
            raise SettingsError(f"{path} is larger than {_MAX_SETTINGS_BYTES} bytes; settings files are small.")
        tables = TomlConfigSettingsSource(settings, toml_file=path).toml_data
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}. Correct the file.") from error
    except (OSError, RecursionError) as error:
        raise SettingsError(f"{path} cannot be read: {error}.") from error
    values: dict[str, Any] = {}
    for section, table in tables.items():
        if isinstance(table, dict):
            values.update({f"{section}.{key}": value for key, value in table.items()})
        else:
            values[section] = table
    return Layer(name, values, {key: str(path) for key in values})
