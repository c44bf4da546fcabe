"""Assistants over HTTP: the SDK's own client against the application on a real server, with keys."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from proxies import served as serving
from relembra import Memory
from relembra.domain.access import Right
from relembra.interfaces.http.app import create_app
from relembra.settings import Settings

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "claude-ai", "version": "0.1.0"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def served(memory: Memory, *, is_open: bool = False, **settings: Any) -> AsyncIterator[str]:
    """The address of /mcp on a server of this test's own."""
    app = create_app(memory, Settings(user="ana", **settings), is_open=is_open)
    async with serving(app) as address:
        yield f"{address}/mcp"


@asynccontextmanager
async def connected(url: str, *, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        httpx2.AsyncClient(headers=named) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


async def a_key(memory: Memory, right: str = "write", *, user: str | None = None, tenant: str = "default") -> str:
    made = await memory.create_key("test", right=Right(right), user=user, tenant=tenant)
    return f"Bearer {made.secret}"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_keeps_and_finds_things(memory: Memory, mode: str) -> None:
    async with served(memory) as url, connected(url, mode=mode, Authorization=await a_key(memory)) as client:
        assert len((await client.list_tools()).tools) == 8
        await client.call_tool("add_knowledge", {"type": "preference", "content": "Loves sushi"})
        found = await client.call_tool("search_knowledge", {"query": "sushi"})
        profile = await client.read_resource("relembra://profile")
    assert found.structured_content["items"][0]["content"] == "Loves sushi"
    assert "Loves sushi" in str(profile)
    assert [item.content for item in await memory.list(user="ana")] == ["Loves sushi"]


async def test_a_key_bound_to_nobody_speaks_for_whom_it_names(memory: Memory) -> None:
    await memory.add("Loves tea", user="joão")
    async with served(memory) as url:
        key = await a_key(memory)
        async with httpx.AsyncClient(timeout=60, headers={**ACCEPT, "Authorization": key}) as http:
            named = await http.post(
                url, json=calling("search_knowledge", query="tea"), headers=[(b"X-Relembra-User", "joão".encode())]
            )
            nobody = await http.post(url, json=calling("search_knowledge", query="tea"))
    assert "Loves tea" in named.text
    assert nobody.status_code == 200
    assert "Loves tea" not in nobody.text


async def test_a_bound_key_speaks_for_its_person_and_for_nobody_else(memory: Memory) -> None:
    await memory.add("Loves sushi", user="bia")
    async with served(memory) as url:
        key = await a_key(memory, user="bia")
        async with connected(url, Authorization=key) as client:
            found = await client.call_tool("search_knowledge", {"query": "sushi"})
        refused = await posted(url, HELLO, Authorization=key, X_Relembra_User="ana")
    assert found.structured_content["count"] == 1
    assert refused.status_code == 403
    assert "cannot speak for another user" in refused.json()["detail"]


async def test_a_key_opens_its_tenant_with_its_right(memory: Memory) -> None:
    await memory.add("Loves sushi", user="ana")
    other, reading = await a_key(memory, tenant="other"), await a_key(memory, "read")
    async with served(memory, language="pt") as url:
        async with connected(url, Authorization=other) as client:
            found = await client.call_tool("search_knowledge", {"query": "sushi"})
            refused = await client.call_tool("forget", {"item": "x"})
        async with connected(url, Authorization=reading) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert (await client.call_tool("save", {"said": "x"})).is_error
    assert found.structured_content["count"] == 0
    assert "não há o item" in str(refused.content)  # in the language of the server
    assert names == ["search_knowledge", "analyze_context", "recall", "conflicts"]
    assert await memory.messages(user="ana") == []


async def test_every_request_stands_for_itself(memory: Memory) -> None:
    """No session is handed out, so none can be taken over; there is nothing to listen to and nothing to end."""
    async with served(memory) as url:
        key = await a_key(memory)
        hello = await posted(url, HELLO, Authorization=key)
        listing = await posted(url, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, Authorization=key)
        async with httpx.AsyncClient(timeout=60, headers={"Authorization": key, "Accept": "text/event-stream"}) as http:
            listened, ended = await http.get(url), await http.delete(url)
    assert hello.json()["result"]["protocolVersion"] == "2025-06-18"
    assert "mcp-session-id" not in hello.headers
    assert len(listing.json()["result"]["tools"]) == 8
    assert (listened.status_code, ended.status_code) == (405, 405)
    assert listened.headers["allow"] == "POST"


async def test_what_is_no_message_is_refused_and_a_name_of_its_own_is_answered_to(memory: Memory) -> None:
    large = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"a": "b" * 2_000_000}}).encode()
    key = await a_key(memory)
    async with (
        served(memory, hosts=["memory.example.org"]) as url,
        httpx.AsyncClient(timeout=60, headers=ACCEPT) as http,
    ):
        named = await posted(url, HELLO, Authorization=key, Host="memory.example.org")
        assert named.status_code == 200
        for body in (b"no json at all", b"[]", b'{"jsonrpc": "2.0"}', b"[" * 10_000, large):
            headers = {"Authorization": key, "Content-Type": "application/json"}
            refused = await http.post(url, content=body, headers=headers)
            assert refused.status_code == (413 if body is large else 400)


def calling(tool: str, **arguments: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


async def posted(url: str, message: dict[str, Any], **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with httpx.AsyncClient(timeout=60, headers=ACCEPT | named) as http:
        return await http.post(url, json=message)
