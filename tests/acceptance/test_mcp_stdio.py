"""`relembra mcp` as a process: asked by the SDK's client, by a desktop client's recorded lines, and badly."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import INVALID_PARAMS, METHOD_NOT_FOUND

from acceptance.running import RELEMBRA, Cli, environment
from relembra import Memory
from relembra.interfaces.mcp.server import MEMORY, PROFILE
from relembra.interfaces.mcp.tools import NOTES, RIGHTS

RECORDED = Path(__file__).parents[1] / "data" / "mcp"
PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")
SECONDS = 60
READ = ["search_knowledge", "analyze_context", "recall", "conflicts"]


def test_every_tool_and_resource_is_on_the_page() -> None:
    for name in (*RIGHTS, PROFILE, MEMORY, NOTES, NOTES + "/{id}"):
        assert f"`{name}`" in PAGE


# ── the SDK's own client ──────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def connected(folder: Path, *words: str) -> AsyncIterator[Client]:
    """The SDK's client on a process it started as the page says."""
    page_says = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    entry = json.loads(page_says[0])["mcpServers"]["relembra"]
    assert entry["command"] == "relembra"
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "relembra", *entry["args"], *words], env=environment(folder), cwd=folder
    )
    with (folder / "errors.txt").open("a") as errors:
        async with Client(stdio_client(started, errlog=errors), read_timeout_seconds=SECONDS) as client:
            yield client


async def test_two_clients_share_one_file_each_with_its_own_right_place_and_language(tmp_path: Path) -> None:
    async with Memory.open(tmp_path / "m.db", background=False) as memory:
        hers = await memory.add("Loves sushi", user="bia")
        await memory.add("Earns little", user="ana")
        await memory.add("Takes sertraline", user="ana", space="acme", channel="general", local_only=True)
        await memory.add("Leads the team", user="ana", space="acme", channel="general")
    apart = ("--lang", "pt", "--read-only", "--local", "--space", "acme", "--channel", "general")
    async with connected(tmp_path) as client, connected(tmp_path, *apart) as other:
        assert client.server_info is not None
        assert client.server_info.name == "relembra"
        assert len((await client.list_tools()).tools) == 8
        kept = await client.call_tool(
            "add_knowledge", {"type": "preference", "content": "Prefere café sem açúcar", "area": "health"}
        )
        await client.call_tool("save", {"said": "Moro em Recife.", "replied": "Que bom!", "conversation": "casa"})
        for shown in (
            await client.call_tool("search_knowledge", {"query": "o que ela bebe? café"}),
            await client.read_resource("relembra://profile"),
        ):
            assert "Prefere café sem açúcar" in str(shown)
            assert "sertraline" not in str(shown)
        assert "Moro em Recife." in str(await client.call_tool("recall", {"query": "Recife"}))
        assert hers.id not in str(await client.call_tool("search_knowledge", {"query": "sushi", "limit": 10}))
        assert (await client.call_tool("forget", {"item": hers.id})).is_error

        tools = (await other.list_tools()).tools
        assert ([tool.name for tool in tools], tools[0].title) == (READ, "Consultar o que se sabe")
        refused = await other.call_tool("save", {"said": "x"})
        assert refused.is_error
        assert "só pode ler" in str(refused.content)
        profile = str(await other.read_resource("relembra://profile"))
        assert "Leads the team" in profile
        assert "sertraline" in profile  # where the model is said to run here
        assert "Earns little" not in profile

        gone = await client.call_tool("forget", {"item": kept.structured_content["kept"]["id"]})
        assert gone.structured_content["forgotten"]["items"] == 1
    async with Memory.open(tmp_path / "m.db") as memory:
        assert [message.text for message in await memory.messages(user="ana")] == ["Que bom!", "Moro em Recife."]
        assert "Prefere café sem açúcar" not in [item.content for item in await memory.list(user="ana")]
        assert not (await memory.verify()).problems
    assert (tmp_path / "errors.txt").read_text() == ""


# ── line by line ──────────────────────────────────────────────────────────────────────────────────────────────────


class Raw:
    """A process and the lines it says, asked by hand."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._answers: dict[Any, dict[str, Any]] = {}

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0"} | message).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, id: int | str, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a request; every line before it has to be of the protocol too."""
        self.say({"id": id, "method": method, "params": params})
        assert self.process.stdout is not None
        while id not in self._answers:
            line = self.process.stdout.readline()
            assert line, "it ended without an answer"
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            self._answers[message.get("id")] = message
        return self._answers.pop(id)

    def hello(self) -> None:
        who = {"name": "test", "version": "1"}
        answered = self.ask("hello", "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=who)
        assert answered["result"]["protocolVersion"] == "2025-06-18"
        self.say({"method": "notifications/initialized"})

    def call(self, id: int, tool: str, **arguments: Any) -> dict[str, Any]:
        answered: dict[str, Any] = self.ask(id, "tools/call", name=tool, arguments=arguments)["result"]
        return answered

    def ended(self) -> tuple[int, bytes]:
        """How it ended, and what it said beside the protocol."""
        assert self.process.stderr is not None
        code = self.process.wait(SECONDS)
        return code, self.process.stderr.read()


@contextmanager
def started(folder: Path, *words: str) -> Iterator[Raw]:
    process = subprocess.Popen(
        [*RELEMBRA, "mcp", "--db", "m.db", "--user", "ana", *words], cwd=folder, env=environment(folder),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    watchdog = threading.Timer(SECONDS, process.kill)
    watchdog.start()
    try:
        yield Raw(process)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait(SECONDS)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                if pipe is not None:
                    pipe.close()


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18"])
async def test_a_desktop_clients_recorded_start_is_answered_line_by_line(tmp_path: Path, version: str) -> None:
    """Its input ends with the last line: what was asked before is answered all the same."""
    async with Memory.open(tmp_path / "m.db", background=False) as memory:
        await memory.add("Loves coffee", user="ana")
    recorded = (RECORDED / f"desktop-{version}.jsonl").read_bytes()
    with started(tmp_path) as raw:
        out, err = raw.process.communicate(recorded, timeout=SECONDS)
    answers = {message["id"]: message for message in map(json.loads, out.splitlines())}
    asked = {line["id"]: line["method"] for line in map(json.loads, recorded.splitlines()) if "id" in line}
    assert (raw.process.returncode, err) == (0, b"")
    assert answers.keys() == asked.keys()
    by_method = {asked[id]: answer for id, answer in answers.items()}
    hello = by_method["initialize"]["result"]
    assert (hello["protocolVersion"], hello["serverInfo"]["name"]) == (version, "relembra")
    assert hello["capabilities"].keys() == {"tools", "resources"}
    tools = by_method["tools/list"]["result"]["tools"]
    assert [tool["name"] for tool in tools][:4] == READ
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)
    uris = [resource["uri"] for resource in by_method["resources/list"]["result"]["resources"]]
    assert uris == ["relembra://profile", "relembra://memory", "relembra://notes"]
    [template] = by_method["resources/templates/list"]["result"]["resourceTemplates"]
    assert template["uriTemplate"] == "relembra://notes/{id}"
    assert by_method["ping"]["result"] == {}
    found = by_method["tools/call"]["result"]
    assert found["isError"] is False
    assert "Loves coffee" in found["content"][0]["text"]
    assert "Loves coffee" in by_method["resources/read"]["result"]["contents"][0]["text"]
    for method in ("prompts/list", "prompts/get", "logging/setLevel", "resources/subscribe", "desktop/unheardOf"):
        assert by_method[method]["error"]["code"] == METHOD_NOT_FOUND


# ── badly ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_nonsense_is_passed_over_and_killed_it_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    with started(tmp_path) as raw:
        assert raw.ask(1, "ping")["result"] == {}
        assert raw.ask(2, "tools/list")["error"]["code"] == INVALID_PARAMS  # before the greeting
        raw.say(b"hello?", b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"jsonrpc": "1.0", "id": 1}', b"[" * 50_000)
        raw.say(b'{"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": "' + b"x" * 5_000_000 + b'"}')
        raw.hello()
        assert raw.ask(3, "tools/call", name="save", arguments=[1])["error"]["code"] == INVALID_PARAMS
        assert raw.ask(4, "tools/call")["error"]["code"] == INVALID_PARAMS
        deep = raw.call(5, "save", said={"a": {"b": [1]}})
        assert deep["isError"] is True
        assert "said of save must be a text" in deep["content"][0]["text"]
        assert raw.call(6, "save", said=" \u200b ")["isError"] is True
        raw.say(
            {"id": 7, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": "x"}}},
            {"method": "notifications/cancelled", "params": {"requestId": 7}},
        )
        assert raw.ask(8, "ping")["result"] == {}
        ids = [raw.call(turn, "save", said=f"turn {turn}")["structuredContent"]["messages"][0] for turn in range(9, 12)]
        raw.process.kill()
        assert raw.ended()[1] == b""
    async with Memory.open(tmp_path / "m.db", background=False) as memory:
        assert {message.id for message in await memory.messages(user="ana")} == set(ids)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, "deaf"])
def test_told_to_stop_or_not_listened_to_it_closes_the_memory_and_ends(tmp_path: Path, way: Any) -> None:
    with started(tmp_path) as raw:
        raw.hello()
        raw.call(1, "save", said="Moro em Recife.")
        if way == "deaf":
            assert raw.process.stdout is not None
            raw.process.stdout.close()
            raw.say({"id": 2, "method": "tools/list", "params": {}})
        else:
            raw.process.send_signal(way)
        code, err = raw.ended()
    assert code == (0 if way == "deaf" else 130)
    assert b"Traceback" not in err
    assert not (tmp_path / "m.db-wal").exists()  # the last to close a file leaves no log beside it


def test_what_cannot_be_served_is_told_on_standard_error(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("no.db").write_bytes(os.urandom(8_192))
    for words, code, said in (
        (("--db", "no.db"), 5, "no.db"),
        (("--db", "m.db", "--json"), 2, "--json"),  # its answers are the protocol's alone
    ):
        ran = cli("mcp", *words)
        assert (ran.code, ran.out) == (code, "")
        assert said in ran.err
    monkeypatch.setitem(sys.modules, "mcp", None)
    for name in [name for name in sys.modules if name.startswith("relembra.interfaces.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    ran = cli("mcp")
    assert (ran.code, ran.out) == (1, "")
    assert "relembra[server]" in ran.err
