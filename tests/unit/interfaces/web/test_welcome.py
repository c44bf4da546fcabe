"""The first visit: ways to begin, what programs are told to use a memory."""

from __future__ import annotations

import json
from typing import Any

from houses import a_house
from web_pages import a_reader, signed_in


async def test_an_empty_memory_says_how_to_connect_with_this_server_s_own_address() -> None:
    async with a_house(is_open=True, db="~/m.db") as house, a_reader(house) as reader:
        for path in ("/", "/welcome"):
            page = await reader.get(path)
            values = {given["id"]: given.get("value", "") for _, given in page.tags if "id" in given}
            assert values["connect-url"] == "http://localhost:8484/v1"
            assert values["connect-user"] == "X-Relembra-User: ana"
            assert "RELEMBRA_UPSTREAM" in page.text  # nobody answers behind the proxy yet
            started, served = snippets(page.text)
            assert started["args"][-5] == "mcp"
            assert started["args"][-2:] == ["--user", "ana"]
            assert started["args"][-3].endswith("/m.db")
            assert "~" not in started["args"][-3]
            assert served == {"url": "http://localhost:8484/mcp", "headers": {"X-Relembra-User": "ana"}}
            assert 'memory = BlockingClient("http://localhost:8484", user="ana")' in page.text
            assert {"/story", "/import"} <= set(page.forms)
            assert "/talk" in page.links
            assert any(given.get("name") == "file" for tag, given in page.tags if tag == "input")


def snippets(text: str) -> list[dict[str, Any]]:
    """The MCP servers a page shows, as a client reads them."""
    found = []
    start = text.find('{"mcpServers"')
    while start >= 0:
        value, length = json.JSONDecoder().raw_decode(text[start:])
        found.append(value["mcpServers"]["relembra"])
        start = text.find('{"mcpServers"', start + length)
    return found


async def test_where_keys_are_asked_for_that_is_said_and_paths_are_for_whoever_runs_it() -> None:
    async with a_house(db="/srv/secret-place/m.db") as house:
        bound = await signed_in(house, "ana-write")
        page = await bound.get("/welcome")
        assert "X-Relembra-Key: rlb_…" in str(page.tags)
        assert "secret-place" not in page.text
        assert [server["headers"] for server in snippets(page.text)] == [
            {"X-Relembra-User": "ana", "Authorization": "Bearer rlb_…"}
        ]
        reads = await signed_in(house, "ana-read")
        assert "mcpServers" not in (await reads.get("/welcome")).text
        operator = await signed_in(house, "operator", user="ana")
        assert "/srv/secret-place/m.db" in (await operator.get("/welcome")).text
    async with a_house(db="postgresql://ana:hush@host/m?password=hush") as house:
        text = (await (await signed_in(house, "operator", user="ana")).get("/welcome")).text
        assert "postgresql://host/m" in text
        assert "hush" not in text


async def test_whoever_looks_at_an_empty_memory_is_told_of_whom_something_is_remembered() -> None:
    async with a_house() as house:
        await house.memory.add("Lives in Bristol", user="nora")
        operator = await signed_in(house, "operator", user="ana")
        page = await operator.get("/")
        assert "the memory of ana" in page.text
        assert ("button", {"class": "chip", "name": "user", "value": "nora"}) in page.tags
        assert "Lives in Bristol" in (await operator.done("/whose", user="nora")).text
        bound = await signed_in(house, "ana-admin")
        assert "nora" not in (await bound.get("/")).text
