"""What `hybrid-index mcp` runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hybrid_index.mcp_server.server import run_stdio
from hybrid_index.settings import Settings


def serve(root: Path, overrides: Mapping[str, str] | None = None, *, allow_any_root: bool = False) -> None:
    """Serve the workspace at `root` over stdin and stdout until stdin closes.

    Raises:
        SettingsError: a setting cannot be used; nothing has been served then.
    """
    run_stdio(root, Settings.load(root, overrides), allow_any_root)
