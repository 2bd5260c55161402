"""Where the index of a workspace lies."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import platformdirs

FOLDER_NAME = ".hybrid-index"


def index_folder(root: Path, override: str) -> Path:
    """Choose the index folder: the override, the workspace's own, or the user's cache where that can't be written.

    An override names a parent folder for the indexes of many workspaces; each gets a folder of its own in it.
    """
    if override:
        return Path(override).expanduser().absolute() / _name_for(root)
    own = root / FOLDER_NAME
    if own.is_dir():
        return own if os.access(own, os.W_OK) else _in_cache(root)
    return own if os.access(root, os.W_OK) else _in_cache(root)


def _in_cache(root: Path) -> Path:
    return Path(platformdirs.user_cache_dir("hybrid-index")) / _name_for(root)


def _name_for(root: Path) -> str:
    digest = hashlib.blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    return f"{root.name or 'root'}-{digest}"
