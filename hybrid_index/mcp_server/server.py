"""The MCP server: which tools there are, how they are described on the wire, and how a session begins and ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError

from hybrid_index.mcp_server.arguments import invalid, unknown
from hybrid_index.mcp_server.greeting import INSTRUCTIONS, NAME, TITLE
from hybrid_index.mcp_server.opening import LazyIndex
from hybrid_index.mcp_server.schemas import input_schema, output_schema
from hybrid_index.mcp_server.tools import Tools
from hybrid_index.service import replies
from hybrid_index.settings import Settings

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_WRITES_INDEX = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@dataclass(frozen=True, slots=True)
class _Offer:
    """One tool: its name, what it answers, whether it only reads, and the smallest set that holds it."""

    name: str
    reply: type[replies.Reply]
    writes_index: bool = False
    tool_set: Literal["core", "full"] = "core"


_OFFERS = (
    _Offer("search", replies.SearchReply),
    _Offer("search_text", replies.TextReply),
    _Offer("find_file", replies.FindFileReply),
    _Offer("config_lookup", replies.ConfigReply),
    _Offer("source_context", replies.SourceReply),
    _Offer("explain_hit", replies.ExplainReply),
    _Offer("index_status", replies.IndexStatusReply),
    _Offer("server_capabilities", replies.CapabilitiesReply),
    _Offer("reindex", replies.ReindexReply, writes_index=True),
    _Offer("watch", replies.WatchReply, writes_index=True),
)


class HybridServer(MCPServer[Any]):
    """An MCP server whose errors tell the model what to change."""

    def __init__(self, opened: LazyIndex, settings: Settings) -> None:
        self.opened = opened
        self.functions = Tools(opened, settings)
        self._offered = {
            offer.name: _tool(offer, getattr(self.functions, offer.name), settings)
            for offer in _OFFERS
            if settings.mcp.tools == "full" or offer.tool_set == "core"
        }
        super().__init__(
            NAME,
            title=TITLE,
            version=version("hybrid-index"),
            instructions=INSTRUCTIONS,
            tools=list(self._offered.values()),
            log_level="WARNING",
            middleware=[_starts(opened)],
        )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; unknown names and arguments are errors that name the right ones."""
        tool = self._offered.get(name)
        if tool is None:
            raise ToolError(f"There is no tool {name!r}. Tools: {', '.join(self._offered)}.")
        problem = unknown(name, arguments, list(tool.parameters["properties"]))
        if problem:
            raise ToolError(problem)
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(invalid(cause)) from cause
            raise ToolError(str(cause or error)) from error


def build_server(root: Path, settings: Settings, allow_any_root: bool = False) -> HybridServer:
    """Build the server of one workspace without opening it; the first request starts indexing in the background."""
    return HybridServer(LazyIndex(root, settings, allow_any_root), settings)


def _tool(offer: _Offer, function: Callable[..., Any], settings: Settings) -> Tool:
    description = " ".join((function.__doc__ or "").split())
    annotations = _WRITES_INDEX if offer.writes_index else _READS
    tool = Tool.from_function(
        function, offer.name, description=description, annotations=annotations, structured_output=False
    )
    tool.parameters = input_schema(tool.parameters)
    if settings.mcp.reply == "structured":
        tool.fn_metadata.output_schema = output_schema(offer.reply)
    return tool


def _starts(opened: LazyIndex) -> ServerMiddleware[Any]:
    """Begin background indexing once the first request, the handshake, has been answered."""

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        opened.start()
        return result

    return middleware
