"""`hybrid-index mcp`: the one command that starts another way in, and so the one import across to it."""

from __future__ import annotations

import gc
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
    # The protocol's models are hundreds of objects that all stay: collecting in between is an eighth of its import.
    gc.disable()
    from hybrid_index.mcp_server.stdio import serve

    gc.enable()
    invocation: Invocation = ctx.obj
    overrides = dict(invocation.overrides) | ({"index.watch": "false"} if no_watch else {})
    serve(invocation.workspace(), overrides, allow_any_root=invocation.allow_any_root)
    return 0
