"""The MCP tools as a client sees them: names, schemas, answers, and errors that say what to change."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult, Tool

from hybrid_index.errors import Cancelled
from hybrid_index.mcp_server.server import build_server
from hybrid_index.service import HybridIndex
from hybrid_index.service.service import Progress
from hybrid_index.settings import Settings

T = TypeVar("T")

TOOLS = {
    "server_capabilities",
    "index_status",
    "reindex",
    "watch",
    "search",
    "explain_hit",
    "search_text",
    "find_file",
    "config_lookup",
    "source_context",
}
CHARACTERS_PER_TOKEN = 4
# DESIGN section 4: what the core list may cost an agent, on every turn.
MOST_TOKENS = 6_000


def talk(root: Path, conversation: Callable[[Client], Awaitable[T]], **mcp: Any) -> T:
    settings = Settings.model_validate({"index": {"watch": False}, "mcp": mcp})

    async def session() -> T:
        server = build_server(root, settings)
        try:
            async with Client(server) as client:
                return await conversation(client)
        finally:
            await anyio.to_thread.run_sync(server.opened.close)

    return anyio.run(session)


def list_tools(root: Path, **mcp: Any) -> list[Tool]:
    async def conversation(client: Client) -> list[Tool]:
        return (await client.list_tools()).tools

    return talk(root, conversation, **mcp)


def call(root: Path, tool: str, arguments: dict[str, Any], **mcp: Any) -> CallToolResult:
    async def conversation(client: Client) -> CallToolResult:
        await client.call_tool("reindex", {})
        return await client.call_tool(tool, arguments)

    return talk(root, conversation, **mcp)


def text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def test_the_core_list_holds_the_ten_tools_and_costs_less_than_its_budget(shop: Path) -> None:
    tools = list_tools(shop)
    assert {tool.name for tool in tools} == TOOLS
    wire = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    assert len(json.dumps(wire, separators=(",", ":"))) / CHARACTERS_PER_TOKEN < MOST_TOKENS


def test_every_argument_has_a_plain_type_and_unknown_ones_are_closed_out(shop: Path) -> None:
    for tool in list_tools(shop):
        assert tool.input_schema["additionalProperties"] is False
        for name, argument in tool.input_schema["properties"].items():
            assert "type" in argument, f"{tool.name}.{name}"
            assert "anyOf" not in argument, f"{tool.name}.{name}"


def test_only_reindex_and_watch_may_write(shop: Path) -> None:
    writing = {tool.name for tool in list_tools(shop) if not (tool.annotations and tool.annotations.read_only_hint)}
    assert writing == {"reindex", "watch"}


GOOD: list[tuple[str, dict[str, Any], str, Any]] = [
    ("search", {"query": "who hands the parcel to the carrier?"}, "hits", "src/OrderService.cs"),
    ("search_text", {"pattern": "shipped {0}"}, "matches", "src/OrderService.cs"),
    ("find_file", {"pattern": "appsettings"}, "files", "src/appsettings.json"),
    ("config_lookup", {"key": "Shipping:Carrier"}, "values", "src/appsettings.json"),
    ("source_context", {"targets": ["README.md:3-5"]}, "blocks", "README.md"),
    ("index_status", {"explain_paths": ["logo.png"]}, "explained", "logo.png"),
]


@pytest.mark.parametrize(("tool", "arguments", "field", "path"), GOOD, ids=[case[0] for case in GOOD])
def test_a_tool_answers_with_typed_fields_and_a_short_text(
    shop: Path, tool: str, arguments: dict[str, Any], field: str, path: str
) -> None:
    result = call(shop, tool, arguments)
    assert not result.is_error, text(result)
    assert result.structured_content is not None
    assert result.structured_content[field][0]["path"] == path
    assert result.structured_content["summary"] in text(result)
    assert path in text(result)


def test_explain_hit_adds_up_to_the_raw_score_of_a_hit(shop: Path) -> None:
    async def conversation(client: Client) -> CallToolResult:
        await client.call_tool("reindex", {})
        found = await client.call_tool("search", {"query": "return a parcel"})
        assert found.structured_content is not None
        chunk_id = found.structured_content["hits"][0]["chunk_id"]
        return await client.call_tool("explain_hit", {"chunk_id": chunk_id, "query": "return a parcel"})

    explained = talk(shop, conversation).structured_content
    assert explained is not None
    assert explained["rank"] == 1
    assert sum(part["value"] for part in explained["contributions"]) == pytest.approx(explained["raw_score"])


def test_server_capabilities_names_every_tool_and_setting(shop: Path) -> None:
    reply = call(shop, "server_capabilities", {}).structured_content
    assert reply is not None
    assert set(reply["tools"]) >= TOOLS
    assert {setting["key"] for setting in reply["settings"]} == set(Settings.keys())


def test_watch_can_be_switched_off(shop: Path) -> None:
    reply = call(shop, "watch", {"enabled": False}).structured_content
    assert reply is not None
    assert reply["watching"] is False


def test_reindex_reports_progress_until_everything_is_done(shop: Path) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, stage: str | None) -> None:
        seen.append((done, total, stage))

    async def conversation(client: Client) -> CallToolResult:
        return await client.call_tool("reindex", {"full": True}, progress_callback=note)

    reply = talk(shop, conversation).structured_content
    assert reply is not None
    assert reply["added"] + reply["changed"] + reply["unchanged"] == 3
    assert {stage for _, _, stage in seen} >= {"scan", "index", "finish"}


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("search", {"q": "parcel"}, "Did you mean query?"),
    ("search", {}, "query is required"),
    ("search", {"query": "parcel", "top_n": 1000}, "top_n must be less than or equal to 200"),
    ("search", {"query": "parcel", "tests": "no"}, "tests must be 'include', 'exclude' or 'only'"),
    ("explain_hit", {"chunk_id": "README.md:1-900", "query": "parcel"}, "README.md"),
    ("search_text", {"pattern": "(", "regex": True}, "not a regular expression"),
    ("find_file", {"name": "OrderService"}, "Did you mean pattern?"),
    ("config_lookup", {"setting": "x"}, "It takes: key"),
    ("source_context", {"targets": []}, "targets"),
    ("source_context", {"path": "README.md"}, "Did you mean targets?"),
    ("index_status", {"paths": ["README.md"]}, "Did you mean explain_paths?"),
    ("server_capabilities", {"verbose": True}, "It takes: no arguments"),
    ("reindex", {"force": True}, "It takes: full"),
    ("watch", {"enabled": "maybe"}, "enabled must be a valid boolean"),
    ("grep", {}, "There is no tool 'grep'"),
]


@pytest.mark.parametrize(("tool", "arguments", "message"), BAD, ids=[f"{case[0]}-{case[2][:20]}" for case in BAD])
def test_a_wrong_call_says_what_to_change(shop: Path, tool: str, arguments: dict[str, Any], message: str) -> None:
    result = call(shop, tool, arguments)
    assert result.is_error
    assert message in text(result)


def test_a_span_that_does_not_exist_is_named_beside_those_that_do(shop: Path) -> None:
    reply = call(shop, "source_context", {"targets": ["README.md:1", "gone.cs:1"]}).structured_content
    assert reply is not None
    assert [block["path"] for block in reply["blocks"]] == ["README.md"]
    assert [failure["target"] for failure in reply["failed"]] == ["gone.cs:1"]


def test_text_replies_carry_the_snippets_and_no_typed_copy(shop: Path) -> None:
    assert all(tool.output_schema is None for tool in list_tools(shop, reply="text"))
    result = call(shop, "search", {"query": "hand the parcel to the carrier"}, reply="text")
    assert result.structured_content is None
    assert "// hand the parcel to the carrier" in text(result)


def test_the_facts_of_a_typed_reply_are_not_sent_twice(shop: Path) -> None:
    result = call(shop, "search", {"query": "hand the parcel to the carrier"})
    assert "// hand the parcel" not in text(result)
    assert result.structured_content is not None
    assert any("// hand the parcel" in hit["snippet"] for hit in result.structured_content["hits"])


def test_a_root_that_is_no_workspace_is_an_error_of_the_call_and_not_of_the_handshake() -> None:
    async def conversation(client: Client) -> CallToolResult:
        return await client.call_tool("search", {"query": "anything"})

    result = talk(Path(Path.cwd().anchor), conversation)
    assert result.is_error
    assert "Name the folder of one project" in text(result)


def test_a_cancelled_reindex_stops_its_work(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = Event()

    def until_cancelled(self: HybridIndex, request: object, *, progress: Progress, cancel: Event) -> None:
        progress("index", 0, 1)
        if cancel.wait(60):
            stopped.set()
        raise Cancelled("stopped")

    monkeypatch.setattr(HybridIndex, "reindex", until_cancelled)

    async def conversation(client: Client) -> bool:
        with anyio.CancelScope() as scope:

            async def give_up(done: float, total: float | None, stage: str | None) -> None:
                scope.cancel()

            await client.call_tool("reindex", {}, progress_callback=give_up)
        await anyio.to_thread.run_sync(stopped.wait, 60)
        return (await client.call_tool("index_status", {})).is_error

    assert talk(shop, conversation) is False
    assert stopped.is_set()


def test_an_unforeseen_failure_says_nothing_of_its_inside(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(self: HybridIndex, request: object) -> None:
        raise RuntimeError("token=hunter2")

    monkeypatch.setattr(HybridIndex, "search", fail)
    result = call(shop, "search", {"query": "parcel"})
    assert result.is_error
    assert "hunter2" not in text(result)
