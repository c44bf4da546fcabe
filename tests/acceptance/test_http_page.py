"""The command lines of the pages about the server, run as they stand against a server of this process."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from houses import a_house
from proxies import served

DOCS = Path(__file__).parents[2] / "docs"
THERE = "http://127.0.0.1:8484"
EXPECTED = "# →"
DONE = "--- done"


def blocks(page: str) -> list[str]:
    found = re.findall(r"^```sh\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [block for block in found if "curl" in block]


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
@pytest.mark.parametrize("page", ["http.md", "operations.md"])
async def test_the_command_lines_of_the_page_do_what_it_says(tmp_path: Path, page: str) -> None:
    steps = re.split(rf"^{EXPECTED} (.*)$", "".join(blocks(page)), flags=re.MULTILINE)
    lines, expected = steps[::2], steps[1::2]
    async with a_house(is_open=True, to_be_served=True, folder=tmp_path) as house, served(house.app) as url:
        script = f"\necho '{DONE}'\n".join(lines).replace(THERE, url)
        shell = await asyncio.create_subprocess_exec(
            "bash", "-euo", "pipefail", "-c", script,
            cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await shell.communicate()
    assert shell.returncode == 0, err.decode()
    shown = out.decode().split(DONE)
    assert len(shown) == len(lines)
    for said, words in zip(shown, expected, strict=False):
        assert words in said
