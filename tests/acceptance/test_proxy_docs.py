"""The example of the proxy's page, run as it stands but for the address."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
from pathlib import Path

from memories import a_memory, a_store
from proxies import proxied
from upstreams import says

PAGE = (Path(__file__).parents[2] / "docs" / "integrations.md").read_text("utf-8")


async def test_the_example_of_the_page_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    [block] = re.findall(r"^```py\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    expected = re.findall(r"# → (.*)$", block, re.MULTILINE)
    shown = io.StringIO()
    async with a_memory(await a_store("sqlite", tmp_path)) as memory:
        await memory.add("Ana lives in Lisbon.", user="ana")
        async with proxied(memory, says("You live ", "in Lisbon.")) as chat:
            program = block.replace("http://127.0.0.1:8484", chat.url)

            def run() -> None:
                names: dict[str, object] = {}
                with contextlib.redirect_stdout(shown):
                    exec(compile(program, "docs/integrations.md", "exec"), names)
                names["client"].close()  # type: ignore[attr-defined]  # OpenAI's

            await asyncio.to_thread(run)
            assert shown.getvalue().splitlines() == [*expected, "You live in Lisbon."]
            assert "Ana lives in Lisbon." in chat.model.asked[0].instructions
