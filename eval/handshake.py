"""Time for an MCP client to start the server, initialise and list its tools, over stdio, on an index that exists."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path

from mcp import Client, StdioServerParameters

from eval.errors import EvalError
from eval.overrides import Overrides


def server_command() -> str:
    """The product's command beside this Python. Raises EvalError where it is not installed."""
    name = "hybrid-index.exe" if os.name == "nt" else "hybrid-index"
    command = Path(sys.executable).with_name(name)
    if not command.is_file():
        raise EvalError(f"{command} is missing; install the package into this Python to measure the handshake.")
    return str(command)


def environment_of(index_dir: Path, overrides: Overrides) -> dict[str, str]:
    """The environment that gives a server the index and settings of the measurement."""
    settings = {**overrides, "index.dir": str(index_dir)}
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
    return dict(os.environ) | {f"HYBRID_INDEX_{key.upper().replace('.', '__')}": text for key, text in texts.items()}


async def _handshake(root: Path, environment: dict[str, str]) -> float:
    parameters = StdioServerParameters(command=server_command(), args=["--root", str(root), "mcp"], env=environment)
    started = time.perf_counter()
    async with Client(parameters) as client:
        tools = await client.list_tools()
        seconds = time.perf_counter() - started
    if not tools.tools:
        raise EvalError("The server listed no tools.")
    return seconds


def handshake_seconds(root: Path, index_dir: Path, overrides: Overrides) -> float:
    """Seconds from starting the process to the list of tools."""
    return asyncio.run(_handshake(root, environment_of(index_dir, overrides)))
