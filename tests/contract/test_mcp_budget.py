"""No tool's whole result is larger than it was asked to be, and what is cut says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from hybrid_index.mcp_server.server import build_server
from hybrid_index.settings import Settings

CHARACTERS_PER_TOKEN = 4
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "order total", "top_n": 100}),
    ("search_text", {"pattern": "Total", "top_n": 500, "context_lines": 2}),
    ("find_file", {"pattern": "Order", "top_n": 500}),
    ("config_lookup", {"key": "Orders:Limit", "top_n": 500}),
    ("source_context", {"targets": [f"src/Order{number}.cs" for number in range(40)]}),
]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("large")
    (root / "src").mkdir()
    for number in range(60):
        body = "\n".join(f'    public string Total{line} => "a \\"quoted\\" total";' for line in range(30))
        (root / "src" / f"Order{number}.cs").write_text(
            f"namespace Shop;\n\npublic class Order{number}\n{{\n{body}\n}}\n", encoding="utf-8"
        )
        (root / "src" / f"settings{number}.json").write_text(
            '{"Orders": {"Limit": "a long enough value to count"}}\n', encoding="utf-8"
        )
    return root


def answers(root: Path, tokens: int, reply: str) -> list[CallToolResult]:
    async def session() -> list[CallToolResult]:
        server = build_server(root, Settings.model_validate({"index": {"watch": False}, "mcp": {"reply": reply}}))
        try:
            async with Client(server) as client:
                await client.call_tool("reindex", {})
                return [await client.call_tool(tool, {**given, "max_tokens": tokens}) for tool, given in CALLS]
        finally:
            await anyio.to_thread.run_sync(server.opened.close)

    return anyio.run(session)


@pytest.mark.parametrize("tokens", [500, 2_000, 5_000])
def test_a_typed_result_with_its_text_stays_within_max_tokens(large: Path, tokens: int) -> None:
    for (tool, _), result in zip(CALLS, answers(large, tokens, "structured"), strict=True):
        assert not result.is_error, result.content
        size = len(result.model_dump_json(by_alias=True, exclude_none=True))
        assert size <= tokens * CHARACTERS_PER_TOKEN, tool
        assert size >= tokens * CHARACTERS_PER_TOKEN / 4, f"{tool} leaves the budget unused"
        assert result.structured_content is not None
        if tokens < 5_000:
            assert result.structured_content["omitted"] or result.structured_content["next_cursor"], tool


@pytest.mark.parametrize("tokens", [500, 2_000])
def test_a_text_result_stays_within_max_tokens(large: Path, tokens: int) -> None:
    for (tool, _), result in zip(CALLS, answers(large, tokens, "text"), strict=True):
        assert not result.is_error, result.content
        text = "".join(part.text for part in result.content if part.type == "text")
        assert len(text) <= tokens * CHARACTERS_PER_TOKEN, tool


def test_the_typed_reply_is_not_repeated_in_its_text(large: Path) -> None:
    for (tool, _), result in zip(CALLS, answers(large, 2_000, "structured"), strict=True):
        text = "".join(part.text for part in result.content if part.type == "text")
        assert "quoted" not in text, tool
        assert "long enough value" not in text, tool
