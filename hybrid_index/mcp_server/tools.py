"""The tools: flat arguments in, one call of the service, one reply out.

Docstrings here are what the model reads: when to use the tool, when not, and what comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Annotated, Any, Literal, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from hybrid_index import rendering
from hybrid_index.errors import HybridIndexError
from hybrid_index.mcp_server.arguments import build
from hybrid_index.mcp_server.opening import LazyIndex
from hybrid_index.service import HybridIndex, replies, requests
from hybrid_index.settings import Settings

P = TypeVar("P", bound=replies.Reply)

CHARS_PER_TOKEN = 4
_FRAME_CHARS = 220  # of a result around its two parts: keys, and the meta data that the protocol adds
_LEAST_TOKENS = 100  # what a request may ask for at least
# A tenth is ten lines of 80 characters in the default reply of 2,000 tokens: one for each hit.
_OUTLINE_SHARE = 10

Strings = list[str]
Inclusion = Literal["include", "exclude", "only"]
Paths = Annotated[Strings, Field(description="Globs a path must match, e.g. src/**/*.cs; a leading ! excludes.")]
Languages = Annotated[Strings, Field(description="e.g. csharp, razor, json.")]
Extensions = Annotated[Strings, Field(description="e.g. .cs.")]
Projects = Annotated[Strings, Field(description="Project names or folders.")]
TopN = Annotated[int, Field(description="Most results; 0 is the default.")]
MaxTokens = Annotated[int, Field(description="Largest reply in tokens; 0 is the default.")]
Cursor = Annotated[str, Field(description="next_cursor of the previous page.")]

_SENTINELS: dict[str, Any] = {
    "max_tokens": 0,
    "top_n": 0,
    "cursor": "",
    "alpha": -1.0,
    "beta": -1.0,
    "ranking": "default",
    "snippet_lines": -1,
}


class Tools:
    """The tool functions of one server."""

    def __init__(self, opened: LazyIndex, settings: Settings) -> None:
        self._opened = opened
        self._structured = settings.mcp.reply == "structured"
        self._budget = settings.budget
        self._running: set[Event] = set()

    def cancel_all(self) -> None:
        """Ask every running reindex to stop."""
        for cancel in tuple(self._running):
            cancel.set()

    async def search(
        self,
        query: str,
        top_n: TopN = 0,
        paths: Paths = [],  # noqa: B006  # never changed; the schema shows the default
        languages: Languages = [],  # noqa: B006
        extensions: Extensions = [],  # noqa: B006
        projects: Projects = [],  # noqa: B006
        tests: Inclusion = "include",
        generated: Inclusion = "include",
        ranking: Literal["default", "balanced", "docs_first", "code_first"] = "default",
        alpha: Annotated[float, Field(description="Weight of keywords; -1 is the default.")] = -1.0,
        beta: Annotated[float, Field(description="Weight of meaning (vectors); -1 is the default.")] = -1.0,
        snippet_lines: Annotated[int, Field(description="-1 is the default, 0 sends none.")] = -1,
        cursor: Cursor = "",
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Find the code, configuration or docs that answer a question or match words, ranked by keywords and meaning.

        Use it first, with a whole question or the names you know. Not for every occurrence of a string: use
        search_text. Each hit says how it was found (hit_kind) and quotes the live file.
        """
        request = _request(requests.SearchRequest, locals())
        return await self._answer(HybridIndex.search, request)

    async def explain_hit(
        self,
        chunk_id: Annotated[str, Field(description="path:start-end of a hit.")],
        query: str,
        paths: Paths = [],  # noqa: B006
        languages: Languages = [],  # noqa: B006
        alpha: float = -1.0,
        beta: float = -1.0,
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Say why a chunk has its rank for a query: both channels' scores and every named contribution.

        Only for judging or tuning the ranking; give the filters of the search.
        """
        request = _request(requests.ExplainRequest, locals())
        return await self._answer(HybridIndex.explain_hit, request)

    async def search_text(
        self,
        pattern: str,
        regex: bool = False,
        ignore_case: bool = False,
        whole_word: bool = False,
        context_lines: int = 0,
        top_n: TopN = 0,
        paths: Paths = [],  # noqa: B006
        languages: Languages = [],  # noqa: B006
        extensions: Extensions = [],  # noqa: B006
        projects: Projects = [],  # noqa: B006
        tests: Inclusion = "include",
        generated: Inclusion = "include",
        cursor: Cursor = "",
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Find every occurrence of an exact string or regular expression in the live files, with line and column.

        Use it for error messages, literals and complete lists. Not for questions: use search.
        """
        request = _request(requests.TextRequest, locals())
        return await self._answer(HybridIndex.search_text, request)

    async def find_file(
        self,
        pattern: Annotated[str, Field(description="File name, part of a path, or a glob.")],
        top_n: TopN = 0,
        languages: Languages = [],  # noqa: B006
        extensions: Extensions = [],  # noqa: B006
        projects: Projects = [],  # noqa: B006
        tests: Inclusion = "include",
        generated: Inclusion = "include",
        cursor: Cursor = "",
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Find files by name, path fragment or glob. Not for what is inside them: use search or search_text."""
        request = _request(requests.FindFileRequest, locals())
        return await self._answer(HybridIndex.find_file, request)

    async def config_lookup(
        self,
        key: Annotated[str, Field(description="e.g. ConnectionStrings:Default, TargetFramework.")],
        top_n: TopN = 0,
        paths: Paths = [],  # noqa: B006
        languages: Languages = [],  # noqa: B006
        projects: Projects = [],  # noqa: B006
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Find where a configuration key is set, with its value per file and layer, and where code reads it.

        Covers JSON, YAML, TOML, XML and MSBuild. Secret values are masked.
        """
        request = _request(requests.ConfigRequest, locals())
        return await self._answer(HybridIndex.config_lookup, request)

    async def source_context(
        self,
        targets: Annotated[Strings, Field(description="Up to 50 chunk ids, or path[:start[-end]].")],
        before: Annotated[int, Field(description="Lines added before each span.")] = 0,
        after: Annotated[int, Field(description="Lines added after each span.")] = 0,
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Read one or more spans of the live files. Use it to see more than a snippet; batch what you need."""
        request = _request(requests.SourceRequest, locals())
        return await self._answer(HybridIndex.source_context, request)

    async def index_status(
        self,
        explain_paths: Annotated[Strings, Field(description="Paths: why each is or is not indexed.")] = [],  # noqa: B006
        max_tokens: MaxTokens = 0,
    ) -> CallToolResult:
        """Describe the index: size, freshness, languages, and what was skipped and why.

        Use it when an answer looks incomplete. Every reply already says whether the index is fresh.
        """
        request = _request(requests.StatusRequest, locals())
        return await self._answer(HybridIndex.index_status, request)

    async def server_capabilities(self) -> CallToolResult:
        """List version, tools, languages, limits and effective settings. Rarely needed."""
        return await self._run(lambda: self._opened.get().server_capabilities())

    async def watch(
        self, enabled: Annotated[bool, Field(description="False stops following.")] = True
    ) -> CallToolResult:
        """Start or stop following file changes; a server follows them by default."""
        return await self._answer(HybridIndex.watch, requests.WatchRequest(enabled=enabled))

    async def reindex(
        self,
        ctx: Context[Any, Any],
        full: Annotated[bool, Field(description="Rebuild everything.")] = False,
    ) -> CallToolResult:
        """Bring the index up to date now and wait for it. Rarely needed: changes are followed by themselves."""
        cancel = Event()

        def progress(stage: str, done: int, total: int) -> None:
            anyio.from_thread.run(ctx.report_progress, float(done), float(total) if total else None, stage)

        def work() -> replies.ReindexReply:
            index = self._opened.get()
            return index.reindex(requests.ReindexRequest(full=full), progress=progress, cancel=cancel)

        self._running.add(cancel)
        try:
            return await self._run(work)
        finally:
            cancel.set()  # reached on cancellation as well: the thread stops at its next step
            self._running.discard(cancel)

    async def _answer(self, operation: Callable[[HybridIndex, Any], P], request: requests.Request) -> CallToolResult:
        limit = min(request.max_tokens or self._budget.max_tokens, self._budget.hard_max_tokens)
        # The outline repeats where things are, for people who watch; it is paid from the same budget.
        typed = max(_LEAST_TOKENS, limit - limit // _OUTLINE_SHARE) if self._structured else limit
        request = request.model_copy(update={"max_tokens": typed})
        return await self._run(lambda: operation(self._opened.get(), request), limit)

    async def _run(self, work: Callable[[], replies.Reply], limit: int | None = None) -> CallToolResult:
        try:
            reply = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except HybridIndexError as error:
            raise ToolError(str(error)) from error
        room = (limit or self._budget.max_tokens) * CHARS_PER_TOKEN
        if not self._structured:
            return _text(rendering.clip(rendering.full(reply), room))
        typed = reply.model_dump(mode="json")
        left = room - len(reply.model_dump_json()) - _FRAME_CHARS
        result = _text(rendering.outline(reply, left))
        return result.model_copy(update={"structured_content": typed})


def _text(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)])


def _request(request: type[requests.Request], given: dict[str, Any]) -> Any:
    return build(request, _SENTINELS, {name: value for name, value in given.items() if name in request.model_fields})
