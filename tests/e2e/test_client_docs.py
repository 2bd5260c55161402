"""The how-to pages for MCP clients name commands and settings that exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from hybrid_index.settings import Settings

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = ("claude-code", "cursor", "vs-code", "codex", "connect-an-mcp-client")


def blocks(page: str, language: str) -> list[str]:
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def entries(page: str) -> list[dict[str, list[str] | str]]:
    parsed = [json.loads(block) for block in blocks(page, "json")] + [
        tomllib.loads(block) for block in blocks(page, "toml")
    ]
    tables = [part.get("mcpServers") or part.get("servers") or part.get("mcp_servers") for part in parsed]
    return [table["hybrid-index"] for table in tables if table]


@pytest.mark.parametrize("page", PAGES)
def test_every_client_entry_starts_the_server(page: str) -> None:
    found = entries(page)
    assert found
    for entry in found:
        assert entry["command"] == "hybrid-index"
        assert entry["args"][-1] == "mcp"


@pytest.mark.parametrize("page", PAGES)
def test_links_between_the_pages_lead_somewhere(page: str) -> None:
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([a-z-]+\.md)\)", text):
        assert (HOW_TO / target).is_file(), target


def test_the_settings_that_a_client_page_names_exist() -> None:
    text = (HOW_TO / "connect-an-mcp-client.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([a-z_.]+)`", text, flags=re.MULTILINE))
    assert len(named) == 4
    assert named <= set(Settings.keys())
