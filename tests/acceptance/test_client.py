"""The client against the real server: every verb, and the examples of its page."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from proxies import served
from relembra import InvalidInputError, Memory, NotFoundError
from relembra.client import Client
from relembra.domain.access import Right
from relembra.errors import RefusedError, StaleError
from relembra.interfaces.http.app import create_app
from relembra.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "http.md"


@pytest.fixture
async def url(memory: Memory) -> AsyncIterator[str]:
    """The address of a server of this test's own."""
    app = create_app(memory, Settings(), is_open=False)
    async with served(app) as address:
        yield address
        app.state.stopping.set()


@pytest.fixture
async def key(memory: Memory) -> str:
    return (await memory.create_key("test", right=Right.WRITE)).secret


@pytest.fixture
async def client(url: str, key: str) -> AsyncIterator[Any]:
    async with Client(url, key=key, user="ana") as one:
        yield one


async def test_what_is_said_and_known_goes_there_and_back(client: Any, url: str, tmp_path: Path) -> None:
    saved = await client.save(said="Moro em Recife.", replied="Que bom!", conversation="c1")
    assert saved["new"] is True
    said = await client.messages(conversation="c1")
    assert {message["text"] for message in said["items"]} == {"Moro em Recife.", "Que bom!"}
    tea = await client.add("Takes her tea with oat milk", type="preference", area="health", tags=["tea"])
    assert (await client.get(tea["id"]))["content"] == "Takes her tea with oat milk"
    assert [item["id"] for item in (await client.list(type="preference", tags=["tea"]))["items"]] == [tea["id"]]
    assert [hit["item"]["id"] for hit in (await client.search("tea", type="preference"))["hits"]] == [tea["id"]]
    assert (await client.recall("tea", kinds="item", tags="tea"))["items"][0]["item"]["id"] == tea["id"]
    assert "oat milk" in (await client.load("How do I take my tea?", budget=800))["text"]
    assert (await client.validate(tea["id"], version=tea["version"]))["validated"] is True
    with pytest.raises(StaleError):
        await client.delete(tea["id"], version=tea["version"] + 7)
    right = await client.correct(tea["id"], "Takes her tea black", why="misheard")
    assert (await client.delete(right["id"], why="private"))["deleted_at"] is not None
    assert (await client.undo(right["id"]))["undone"]
    assert "Takes her tea black" in str(await client.profile(language="en"))
    assert (await client.notes())["next"] is None
    target = tmp_path / "ana.json"
    assert await client.export(target) == len(target.read_bytes()) > 0
    assert (await client.forget(item=right["id"]))["total"] > 0
    with pytest.raises(NotFoundError, match="no item"):
        await client.get(right["id"])
    with pytest.raises(InvalidInputError, match="colour"):
        await client.list(colour="blue")
    async with Client(url, user="ana") as nobody:
        with pytest.raises(RefusedError) as refused:
            await nobody.list()
    assert refused.value.status == 401


async def test_the_examples_of_the_page(
    url: str, key: str, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(examples) == 2
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        for example in examples:
            code = example.replace('"http://127.0.0.1:8484"', f'"{url}", key="{key}"').replace(
                "watch()", "watch(after=0)"
            )
            await asyncio.to_thread(exec, compile(code, str(PAGE), "exec"), {"__name__": "example"})
    assert "oat milk" in shown.getvalue()
    assert (tmp_path / "ana.json").exists()
