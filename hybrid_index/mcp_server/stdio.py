"""What `hybrid-index mcp` runs: the handshake at once, everything else behind it.

Importing the protocol takes most of a second on a slow core; the service with its database, grammars and numbers takes
another half. So this module imports the protocol only: it answers the handshake, and prepares the tools meanwhile.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, InputRequiredResult
from mcp_types import Tool as ListedTool

from hybrid_index.errors import HybridIndexError
from hybrid_index.mcp_server.greeting import INSTRUCTIONS, NAME, TITLE

if TYPE_CHECKING:
    from hybrid_index.mcp_server.server import HybridServer

_CLOSE_S = 5.0  # a commit in progress takes well under a second; the store survives a kill
_USAGE_ERROR = 2


def serve(root: Path, overrides: Mapping[str, str] | None = None, *, allow_any_root: bool = False) -> None:
    """Serve the workspace at `root` over stdin and stdout until stdin closes.

    While serving, file descriptor 1 points at stderr, so that nothing printed by a library or a child breaks the
    protocol. Ends the process where a call still runs in a thread: the client is gone, and nobody waits for it. A
    setting that cannot be used ends it with the reason on stderr and exit code 2.
    """
    server = StdioServer(root, overrides or {}, allow_any_root)
    try:
        anyio.run(server.run_stdio_async)
    finally:
        closing = threading.Thread(target=server.close, name="hybrid-index-close", daemon=True)
        closing.start()
        closing.join(timeout=_CLOSE_S)
        if closing.is_alive() or _busy_threads():
            os._exit(0)


class StdioServer(MCPServer[Any]):
    """Greets the client, and passes everything else on to the server that it prepares in a thread."""

    def __init__(self, root: Path, overrides: Mapping[str, str], allow_any_root: bool) -> None:
        self._workspace = (root, dict(overrides), allow_any_root)
        self._prepared: Future[HybridServer] = Future()
        self._started = False
        super().__init__(
            NAME,
            title=TITLE,
            version=version("hybrid-index"),
            instructions=INSTRUCTIONS,
            log_level="WARNING",
            lifespan=_printing_to_stderr,
            middleware=[self._after_the_first_answer],
        )

    async def list_tools(self) -> list[ListedTool]:
        """List the tools that the settings ask for."""
        return await (await self._ready()).list_tools()

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool."""
        return await (await self._ready()).call_tool(name, arguments, context)

    def close(self) -> None:
        """Stop what runs and close the index, once what is being prepared is there to be closed."""
        if self._started:
            server = self._prepared.result()
            server.functions.cancel_all()
            server.opened.close()

    async def _after_the_first_answer(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method in ("initialize", "server/discover", "ping"):
            result = await call_next(ctx)
            self._prepare()
            return result
        self._prepare()
        return await call_next(ctx)

    def _prepare(self) -> None:
        if not self._started:
            self._started = True
            threading.Thread(target=self._build, name="hybrid-index-prepare", daemon=True).start()

    def _build(self) -> None:
        try:
            from hybrid_index.mcp_server.server import build_server
            from hybrid_index.settings import Settings

            root, overrides, allow_any_root = self._workspace
            server = build_server(root, Settings.load(root, overrides), allow_any_root)
            self._prepared.set_result(server)
            server.opened.start()
        except HybridIndexError as error:
            sys.stderr.write(f"hybrid-index: {error}\n")
            sys.stderr.flush()
            os._exit(_USAGE_ERROR)  # the thread that waits for stdin cannot be interrupted in any other way
        except BaseException as error:
            self._prepared.set_exception(error)
            raise

    async def _ready(self) -> HybridServer:
        if not self._prepared.done():
            await anyio.to_thread.run_sync(self._prepared.result, abandon_on_cancel=True)
        return self._prepared.result()


@asynccontextmanager
async def _printing_to_stderr(server: MCPServer[Any]) -> AsyncIterator[None]:
    """Let `print` write to stderr while and after serving.

    The transport has pointed descriptor 1 at stderr by now and points it back when it ends; what a library printed
    would still lie in the buffer of `sys.stdout` then, and would end up in the client's stream.
    """
    sys.stdout.flush()
    sys.stdout = sys.stderr
    yield


def _busy_threads() -> bool:
    this = threading.current_thread()
    return any(thread is not this and thread.is_alive() and not thread.daemon for thread in threading.enumerate())
