"""`relembra mcp` as a process: asked by the SDK's client, by a desktop client's recorded lines, and badly."""

from __future__ import annotations

import json
import os
import re
import shlex
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
from relembra.interfaces.mcp.answers import NOTES
from relembra.interfaces.mcp.resources import MEMORY, PROFILE, TEMPLATE
from relembra.interfaces.mcp.server import TAKES
from relembra.interfaces.mcp.tools import TOOLS

RECORDED = Path(__file__).parents[1] / "data" / "mcp"
SECONDS = 60
READ = ["search_knowledge", "analyze_context", "recall", "conflicts"]


@asynccontextmanager
async def connected(folder: Path, *words: str, mode: str = "auto", **env: str) -> AsyncIterator[Client]:
    """The SDK's client on a process it started."""
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "relembra", "mcp", "--db", "m.db", "--user", "ana", *words],
        env=environment(folder, **env),
        cwd=folder,
    )
    with (folder / "errors.txt").open("a") as errors:
        async with Client(stdio_client(started, errlog=errors), mode=mode, read_timeout_seconds=SECONDS) as client:
            yield client


class Raw:
    """A process and the lines it says, asked by hand."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._answers: dict[Any, dict[str, Any]] = {}

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, id: int | str, method: str, **params: Any) -> dict[str, Any]:
        self.say({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return self.answer(id)

    def answer(self, id: int | str) -> dict[str, Any]:
        """The answer to a request; every line before it has to be of the protocol too."""
        assert self.process.stdout is not None
        while id not in self._answers:
            line = self.process.stdout.readline()
            assert line, "it ended without an answer"
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            self._answers[message.get("id")] = message
        return self._answers.pop(id)

    def hello(self, version: str = "2025-06-18") -> None:
        who = {"name": "test", "version": "1"}
        answered = self.ask("hello", "initialize", protocolVersion=version, capabilities={}, clientInfo=who)
        assert answered["result"]["protocolVersion"] == version
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, id: int, tool: str, **arguments: Any) -> dict[str, Any]:
        answered: dict[str, Any] = self.ask(id, "tools/call", name=tool, arguments=arguments)["result"]
        return answered

    def ended(self) -> tuple[int, bytes]:
        """How it ended, and what it said beside the protocol."""
        assert self.process.stderr is not None
        code = self.process.wait(SECONDS)
        return code, self.process.stderr.read()

    def leave(self) -> tuple[int, bytes]:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.ended()


@contextmanager
def started(folder: Path, *words: str) -> Iterator[Raw]:
    process = subprocess.Popen(
        [*RELEMBRA, "mcp", "--db", "m.db", "--user", "ana", *words],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
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


# ── the SDK's own client ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdks_client_keeps_finds_and_forgets(tmp_path: Path, mode: str) -> None:
    async with connected(tmp_path, mode=mode) as client:
        assert client.server_info is not None
        assert client.server_info.name == "relembra"
        assert len((await client.list_tools()).tools) == 8
        kept = await client.call_tool(
            "add_knowledge", {"type": "preference", "content": "Prefere café sem açúcar", "area": "health"}
        )
        found = await client.call_tool("search_knowledge", {"query": "o que ela bebe? café"})
        await client.call_tool("save", {"said": "Moro em Recife.", "replied": "Que bom!", "conversation": "casa"})
        recalled = await client.call_tool("recall", {"query": "Recife"})
        profile = await client.read_resource("relembra://profile")
        prompt = await client.get_prompt("what_do_you_know", {"topic": "café"})
        gone = await client.call_tool("forget", {"item": kept.structured_content["kept"]["id"]})
    assert found.structured_content["items"][0]["content"] == "Prefere café sem açúcar"
    assert "Moro em Recife." in [message["text"] for message in recalled.structured_content["messages"]]
    assert "Prefere café sem açúcar" in str(profile)
    assert "Prefere café sem açúcar" in str(prompt)
    assert gone.structured_content["forgotten"]["items"] == 1
    async with Memory.open(tmp_path / "m.db") as memory:
        assert [message.text for message in await memory.messages(user="ana")] == ["Que bom!", "Moro em Recife."]
        assert "Prefere café sem açúcar" not in [item.content for item in await memory.list(user="ana")]
    assert (tmp_path / "errors.txt").read_text() == ""


async def test_the_language_and_the_right_are_chosen_at_the_start(tmp_path: Path) -> None:
    async with connected(tmp_path, "--lang", "pt", "--read-only") as client:
        tools = (await client.list_tools()).tools
        refused = await client.call_tool("save", {"said": "x"})
    assert [tool.name for tool in tools] == READ
    assert tools[0].title == "Consultar o que se sabe"
    assert refused.is_error
    assert "só pode ler" in str(refused.content)


async def test_a_person_sees_their_own_memory_and_in_a_space_what_may_be_heard_there(tmp_path: Path) -> None:
    async with Memory.open(tmp_path / "m.db", background=False) as memory:
        hers = await memory.add("Loves sushi", user="bia")
        await memory.add("Earns little", user="ana")
        await memory.add("Leads the team", user="ana", space="acme", channel="general")
    async with connected(tmp_path) as client:
        found = await client.call_tool("search_knowledge", {"query": "sushi", "limit": 10})
        refused = await client.call_tool("forget", {"item": hers.id})
    assert hers.id not in str(found)
    assert refused.is_error
    async with connected(tmp_path, "--space", "acme", "--channel", "general") as client:
        profile = str(await client.read_resource("relembra://profile"))
    assert "Leads the team" in profile
    assert "Earns little" not in profile


async def test_what_is_marked_local_only_needs_a_model_said_to_be_local(tmp_path: Path) -> None:
    async with Memory.open(tmp_path / "m.db", background=False) as memory:
        await memory.add("Takes sertraline", user="ana", local_only=True)
    async with connected(tmp_path) as client:
        assert "sertraline" not in str(await client.call_tool("recall", {"query": "medicine"}))
    async with connected(tmp_path, "--local") as client:
        assert "sertraline" in str(await client.call_tool("recall", {"query": "medicine"}))


async def test_two_processes_share_one_file(tmp_path: Path) -> None:
    async with connected(tmp_path) as one, connected(tmp_path) as other:
        for turn in range(5):
            for name, client in (("one", one), ("other", other)):
                said = await client.call_tool("save", {"said": f"{name} {turn}", "conversation": name})
                assert not said.is_error
        await one.call_tool("add_knowledge", {"type": "fact", "content": "Owns a red bicycle"})
        found = await other.call_tool("search_knowledge", {"query": "red bicycle"})
    assert found.structured_content["items"][0]["content"] == "Owns a red bicycle"
    async with Memory.open(tmp_path / "m.db") as memory:
        assert len(await memory.messages(user="ana")) == 10
        assert not (await memory.verify()).problems


# ── the page of the manual ────────────────────────────────────────────────────────────────────────────────────────

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


async def test_a_client_set_up_as_the_page_says_reaches_the_memory(tmp_path: Path) -> None:
    entry = json.loads(blocks("json")[0])["mcpServers"]["relembra"]
    assert entry["command"] == "relembra"
    words = StdioServerParameters(
        command=sys.executable, args=["-m", "relembra", *entry["args"]], env=environment(tmp_path), cwd=tmp_path
    )
    async with Client(words, read_timeout_seconds=SECONDS) as client:
        assert not (await client.call_tool("save", {"said": "Olá"})).is_error
    async with Memory.open(tmp_path / "m.db") as memory:
        assert [message.text for message in await memory.messages(user="ana")] == ["Olá"]


def test_the_lines_of_the_page_start_and_end_with_their_client(process: Cli) -> None:
    lines = [shlex.split(line, comments=True)[1:] for block in blocks("sh") for line in block.splitlines()]
    assert len(lines) > 3
    for words in lines:
        ran = process(*words)
        assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_every_tool_resource_and_prompt_is_on_the_page() -> None:
    for name in (*TOOLS, *TAKES, PROFILE, MEMORY, NOTES, TEMPLATE):
        assert f"`{name}`" in PAGE


# ── a desktop client's lines ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18"])
def test_a_desktop_clients_recorded_start_is_answered_line_by_line(process: Cli, tmp_path: Path, version: str) -> None:
    process("--db", "m.db", "--user", "ana", "add", "Loves coffee")
    recorded = (RECORDED / f"desktop-{version}.jsonl").read_bytes()
    with started(tmp_path) as raw:
        out, err = raw.process.communicate(recorded, timeout=SECONDS)
    answers = {message["id"]: message for message in map(json.loads, out.splitlines())}
    asked = {line["id"]: line["method"] for line in map(json.loads, recorded.splitlines()) if "id" in line}
    assert raw.process.returncode == 0
    assert err == b""
    assert answers.keys() == asked.keys()
    by_method = {asked[id]: answer for id, answer in answers.items()}

    hello = by_method["initialize"]["result"]
    assert hello["protocolVersion"] == version
    assert hello["serverInfo"]["name"] == "relembra"
    assert hello["capabilities"].keys() == {"tools", "resources", "prompts"}
    tools = by_method["tools/list"]["result"]["tools"]
    assert [tool["name"] for tool in tools][:4] == READ
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)
    assert [prompt["name"] for prompt in by_method["prompts/list"]["result"]["prompts"]] == [
        "what_do_you_know",
        "catch_up",
    ]
    uris = [resource["uri"] for resource in by_method["resources/list"]["result"]["resources"]]
    assert uris == ["relembra://profile", "relembra://memory", "relembra://notes"]
    [template] = by_method["resources/templates/list"]["result"]["resourceTemplates"]
    assert template["uriTemplate"] == "relembra://notes/{id}"
    assert by_method["ping"]["result"] == {}
    found = by_method["tools/call"]["result"]
    assert found["isError"] is False
    assert "Loves coffee" in found["content"][0]["text"]
    assert "Loves coffee" in by_method["prompts/get"]["result"]["messages"][0]["content"]["text"]
    assert "Loves coffee" in by_method["resources/read"]["result"]["contents"][0]["text"]
    for method in ("logging/setLevel", "resources/subscribe", "desktop/unheardOf"):
        assert by_method[method]["error"]["code"] == METHOD_NOT_FOUND


# ── badly ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_client_that_talks_nonsense_is_answered_once_it_makes_sense(tmp_path: Path) -> None:
    with started(tmp_path) as raw:
        raw.say(b"hello?", b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"jsonrpc": "1.0", "id": 1}', b"[" * 50_000)
        raw.say(b'{"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": "' + b"x" * 5_000_000 + b'"}')
        raw.hello()
        wrong = raw.ask(3, "tools/call", name="save", arguments=[1])
        assert wrong["error"]["code"] == INVALID_PARAMS
        nothing = raw.ask(4, "tools/call")
        assert nothing["error"]["code"] == INVALID_PARAMS
        deep = raw.ask(5, "tools/call", name="save", arguments={"said": {"a": {"b": [1]}}})["result"]
        assert deep["isError"] is True
        assert "said of save must be a text" in deep["content"][0]["text"]
        blank = raw.call(6, "save", said=" \u200b ")
        assert blank["isError"] is True
        assert raw.call(7, "save", said="Now I make sense.")["isError"] is False
        assert raw.leave() == (0, b"")


def test_nothing_is_answered_before_the_greeting_but_a_ping(tmp_path: Path) -> None:
    with started(tmp_path) as raw:
        assert raw.ask(1, "ping")["result"] == {}
        assert raw.ask(2, "tools/list")["error"]["code"] == INVALID_PARAMS
        assert raw.leave() == (0, b"")


def test_what_was_asked_before_the_client_left_is_still_answered(tmp_path: Path) -> None:
    lines = [
        {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {
                "jsonrpc": "2.0",
                "id": turn,
                "method": "tools/call",
                "params": {"name": "save", "arguments": {"said": f"turn {turn}"}},
            }
            for turn in range(1, 21)
        ),
    ]
    with started(tmp_path) as raw:
        out, _ = raw.process.communicate("".join(json.dumps(line) + "\n" for line in lines).encode(), timeout=SECONDS)
    answers = {message["id"]: message for message in map(json.loads, out.splitlines())}
    assert set(answers) == set(range(21))
    assert all(answers[turn]["result"]["isError"] is False for turn in range(1, 21))


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_told_to_stop_it_closes_the_memory_and_ends(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path) as raw:
        raw.hello()
        raw.call(1, "save", said="Moro em Recife.")
        raw.process.send_signal(number)
        code, err = raw.ended()
    assert code == 130
    assert b"Traceback" not in err
    assert not (tmp_path / "m.db-wal").exists()  # the last to close a file leaves no log beside it


def test_killed_it_loses_nothing_it_had_acknowledged(tmp_path: Path, process: Cli) -> None:
    with started(tmp_path) as raw:
        raw.hello()
        ids = [raw.call(turn, "save", said=f"turn {turn}")["structuredContent"]["messages"][0] for turn in range(5)]
        raw.process.kill()
        raw.process.wait(SECONDS)
    said = process("--db", "m.db", "--user", "ana", "messages", "--json").data["items"]
    assert {message["id"] for message in said} == set(ids)


def test_a_client_that_stops_listening_ends_it(tmp_path: Path) -> None:
    with started(tmp_path) as raw:
        raw.hello()
        assert raw.process.stdout is not None
        raw.process.stdout.close()
        raw.say({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
        code, err = raw.ended()
    assert code == 0
    assert b"Traceback" not in err


def test_a_call_that_was_cancelled_is_not_answered(tmp_path: Path) -> None:
    with started(tmp_path) as raw:
        raw.hello()
        raw.say(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "recall", "arguments": {"query": "x"}},
            },
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        )
        assert raw.ask(2, "ping")["result"] == {}
        assert raw.leave() == (0, b"")


def test_a_file_that_is_no_store_is_told_on_standard_error(tmp_path: Path, process: Cli) -> None:
    (tmp_path / "m.db").write_bytes(os.urandom(8_192))
    ran = process("mcp", "--db", "m.db", "--user", "ana")
    assert ran.code == 5
    assert ran.out == ""
    assert "m.db" in ran.err


def test_its_answers_are_the_protocols_alone(process: Cli) -> None:
    ran = process("mcp", "--db", "m.db", "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert "--json" in ran.err


def test_without_its_package_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; from relembra.interfaces.cli.main import main; sys.exit(main(['mcp']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert ran.returncode == 1
    assert ran.stdout == b""
    assert b"relembra[server]" in ran.stderr
