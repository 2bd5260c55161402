"""The server as clients start it: a process that speaks MCP over its standard streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

PROGRAM = "import sys; from hybrid_index.cli.app import main; sys.exit(main())"
# A guard against a server that hangs, not a measurement: the machine may be busy.
MOST_SECONDS = 120
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "my shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "Parcel.cs").write_text(
        "namespace Shop;\n\npublic class Parcel\n{\n    public void HandOver() { }\n}\n", encoding="utf-8"
    )
    (root / "src" / "appsettings.json").write_text('{"Shipping": {"Carrier": "dhl"}}\n', encoding="utf-8")
    return root


def environment(root: Path) -> dict[str, str]:
    nowhere = root.parent / "user.toml"
    nowhere.write_text("", encoding="utf-8")
    return os.environ | {"HYBRID_INDEX_CONFIG": str(nowhere), "PYTHONPATH": os.pathsep.join(sys.path)}


def arguments(root: Path) -> list[str]:
    return ["-c", PROGRAM, "--root", str(root), "mcp"]


def test_a_client_over_stdio_calls_every_tool_well_and_badly(workspace: Path) -> None:
    good: dict[str, dict[str, Any]] = {
        "reindex": {},
        "search": {"query": "hand over a parcel"},
        "search_text": {"pattern": "HandOver"},
        "find_file": {"pattern": "Parcel"},
        "config_lookup": {"key": "Shipping:Carrier"},
        "source_context": {"targets": ["src/Parcel.cs:3-5"]},
        "index_status": {},
        "server_capabilities": {},
        "watch": {"enabled": False},
    }

    async def session() -> tuple[set[str], dict[str, CallToolResult], dict[str, CallToolResult]]:
        server = StdioServerParameters(
            command=sys.executable, args=arguments(workspace), env=environment(workspace), cwd=str(workspace)
        )
        with anyio.fail_after(MOST_SECONDS):
            async with Client(server) as client:
                names = {tool.name for tool in (await client.list_tools()).tools}
                answers = {name: await client.call_tool(name, given) for name, given in good.items()}
                found = answers["search"].structured_content
                assert found is not None
                explained = {"chunk_id": found["hits"][0]["chunk_id"], "query": "hand over a parcel"}
                answers["explain_hit"] = await client.call_tool("explain_hit", explained)
                errors = {name: await client.call_tool(name, {"no_such_argument": 1}) for name in names}
                return names, answers, errors

    names, answers, errors = anyio.run(session)
    assert set(answers) == names
    for name, answer in answers.items():
        assert not answer.is_error, f"{name}: {answer.content}"
        assert answer.structured_content is not None
    for name, error in errors.items():
        assert error.is_error, name
        assert "no_such_argument" in str(error.content)


def test_the_server_ends_when_stdin_closes_and_writes_only_protocol_to_stdout(workspace: Path) -> None:
    ended = subprocess.run(
        [sys.executable, *arguments(workspace)],
        input=json.dumps(HELLO) + "\n" + json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n",
        capture_output=True,
        encoding="utf-8",
        env=environment(workspace),
        timeout=MOST_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    messages = [json.loads(line) for line in ended.stdout.splitlines()]
    assert messages[0]["id"] == 1
    assert messages[0]["result"]["serverInfo"]["name"] == "hybrid-index"
    assert all(message["jsonrpc"] == "2.0" for message in messages)


def test_what_a_library_prints_goes_to_stderr_even_from_a_buffer(workspace: Path) -> None:
    program = (
        "import sys, os, hybrid_index.service.service as s; index_status = s.HybridIndex.index_status;"
        "s.HybridIndex.index_status = lambda *a: (print('from a buffer'), os.write(1, b'from a descriptor\\n'),"
        " index_status(*a))[2]; from hybrid_index.cli.app import main; sys.exit(main())"
    )

    messages = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "index_status", "arguments": {}}},
    ]
    with subprocess.Popen(
        [sys.executable, "-c", program, "--root", str(workspace), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(workspace) | {"PYTHONUNBUFFERED": ""},
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline())]
        while answers[-1].get("id") != 2:
            answers.append(json.loads(server.stdout.readline()))
        rest, said = server.communicate(timeout=MOST_SECONDS)
    assert answers[-1]["result"]["structuredContent"]["summary"]
    assert [line for line in rest.splitlines() if not line.startswith("{")] == []
    assert "from a buffer" in said
    assert "from a descriptor" in said


def test_a_setting_that_cannot_be_used_ends_the_server_with_the_reason(workspace: Path) -> None:
    ended = subprocess.run(
        [sys.executable, *arguments(workspace)],
        input=json.dumps(HELLO) + "\n",
        capture_output=True,
        encoding="utf-8",
        env=environment(workspace) | {"HYBRID_INDEX_FUSION__ALPHA": "much"},
        timeout=MOST_SECONDS,
        check=False,
    )
    assert ended.returncode == 2
    assert "fusion.alpha" in ended.stderr
    assert "HYBRID_INDEX_FUSION__ALPHA" in ended.stderr
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in ended.stdout.splitlines())


def test_the_first_index_is_built_in_the_background_without_being_asked(workspace: Path) -> None:
    async def session() -> str:
        server = StdioServerParameters(command=sys.executable, args=arguments(workspace), env=environment(workspace))
        with anyio.fail_after(MOST_SECONDS):
            async with Client(server) as client:
                while True:
                    reply = (await client.call_tool("index_status", {})).structured_content
                    assert reply is not None
                    if reply["index"]["status"] == "fresh":
                        return str(reply["files"])
                    # never "missing": from the first answer on, somebody is indexing
                    assert reply["index"]["status"] in {"building", "partial"}

    assert anyio.run(session) == "2"
    assert (workspace / ".hybrid-index").is_dir()


def test_the_handshake_needs_the_protocol_only() -> None:
    program = (
        "import sys, hybrid_index.mcp_server.stdio;"
        "print(','.join({'hybrid_index.service', 'hybrid_index.settings', 'numpy', 'apsw'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=MOST_SECONDS, check=True
    )
    assert done.stdout.strip() == ""
