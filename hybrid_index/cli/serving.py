"""`hybrid-index mcp`: the one command that starts another way in, and so the one import across to it."""

from __future__ import annotations

from typing import Annotated

import typer

from hybrid_index.cli.session import Invocation


def mcp(
    ctx: typer.Context,
    no_watch: Annotated[
        bool, typer.Option("--no-watch", help="Do not follow changes; check before each answer.")
    ] = False,
) -> int:
    """Serve the workspace to an MCP client over standard input and output."""
    from hybrid_index.mcp_server.server import run_stdio
    from hybrid_index.settings import Settings

    invocation: Invocation = ctx.obj
    root = invocation.workspace()
    overrides = dict(invocation.overrides) | ({"index.watch": "false"} if no_watch else {})
    run_stdio(root, Settings.load(root, overrides), allow_any_root=invocation.allow_any_root)
    return 0
