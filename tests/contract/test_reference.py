"""The generated pages say what the code does, and cover all of it."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hybrid_index.cli.commands import COMMANDS
from hybrid_index.settings import Settings

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference_generate", REFERENCE / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["settings.md", "commands.md", "tools.md", "tools.json"])
def test_a_generated_page_is_current(generator: ModuleType, name: str) -> None:
    written = (REFERENCE / name).read_text(encoding="utf-8")
    assert written == generator.pages()[name], "run `python docs/reference/generate.py` and review the difference"


def test_the_pages_name_every_setting_command_and_tool(generator: ModuleType) -> None:
    pages = generator.pages()
    assert all(f"| `{key.partition('.')[2]}` |" in pages["settings.md"] for key in Settings.keys())
    assert all(f"## {command.__name__}\n" in pages["commands.md"] for command in COMMANDS)
    assert all(f"## `{tool.name}`" in pages["tools.md"] for tool in generator.listed_tools())


def test_input_schemas_suit_the_strictest_clients() -> None:
    def nodes(node: Any) -> Any:
        if isinstance(node, dict):
            yield node
            for child in node.values():
                yield from nodes(child)
        elif isinstance(node, list):
            for child in node:
                yield from nodes(child)

    for tool in json.loads((REFERENCE / "tools.json").read_text(encoding="utf-8")):
        schema = tool["inputSchema"]
        assert schema["type"] == "object"
        assert "properties" in schema
        for node in nodes(schema):
            assert not {"anyOf", "oneOf", "allOf", "$ref", "$defs"} & set(node)
        assert tool["outputSchema"]["type"] == "object"
        assert not {"anyOf", "oneOf", "$ref"} & set(tool["outputSchema"])
