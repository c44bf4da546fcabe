"""The client against the real server: the examples of its page."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from proxies import served
from relembra import Memory
from relembra.domain.access import Right
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
