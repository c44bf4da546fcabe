"""Nothing leaves the machine by itself: no package it rests on asks for the network, and the server only listens."""

from __future__ import annotations

import platform
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from acceptance.running import environment
from acceptance.served import serving

CAN_CONFINE = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
pytestmark = pytest.mark.skipif(not CAN_CONFINE, reason="needs Linux's system call filter")

PATIENCE_SECONDS = 120.0
ENDED = -signal.SIGSYS
"""How the kernel ends a process that asks for the network, whichever language the call comes from."""

CONFINE = """
import ctypes, platform, struct

def confine(*, may_listen):
    "No thread of this process connects from now on; without `may_listen` none opens a network socket either."
    arch, socket, connect = {"x86_64": (0xC000003E, 41, 42), "aarch64": (0xC00000B7, 198, 203)}[platform.machine()]
    LOAD, IS, RETURN, END, ALLOW = 0x20, 0x15, 0x06, 0x80000000, 0x7FFF0000
    steps = [(LOAD, 0, 0, 4), (IS, 1, 0, arch), (RETURN, 0, 0, ALLOW)]  # another machine's calls have other numbers
    steps += [(LOAD, 0, 0, 0), (IS, 0, 1, connect), (RETURN, 0, 0, END)]
    if not may_listen:  # the first argument of a socket is its family: 2 and 10 are the two of the internet
        steps += [(IS, 0, 4, socket), (LOAD, 0, 0, 16), (IS, 1, 0, 2), (IS, 0, 1, 10), (RETURN, 0, 0, END)]
    steps += [(RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0, "no new privileges"
    assert libc.prctl(22, 2, struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)), 0, 0) == 0, "no filter"

"""
"""The beginning of a program for `python -c`."""

LIVE = """
import asyncio
confine(may_listen=False)
import relembra
import anthropic, openai, pydantic_ai.direct, pydantic_ai.models.openai, tokenizers  # the extra packages
import discord, mcp.server

async def main():
    async with relembra.Memory.open("m.db") as memory:
        await memory.save(said="My sister Ana lives in Porto and I am allergic to nuts.", user="ana")
        learnt = await memory.learn(user="ana")
        assert learnt.added, "nothing was learnt"
        assert (await memory.search("where does my sister live?", user="ana")), "nothing was found"
        assert (await memory.load(query="where does my sister live?", user="ana")).text

asyncio.run(main())
from relembra.minds.onnx import runtime
print(runtime().__name__)
"""

FRAMEWORKS = """
confine(may_listen=True)  # one of their packages binds a socket to see whether there is an IPv6
from relembra.interfaces.frameworks import langchain, langgraph, openai_agents
"""

SERVE = """
import sys
confine(may_listen=True)
from relembra.interfaces.cli.main import main
sys.argv = ["relembra", "--json", "serve", "--port", "0"]
main()
"""

ASK_IN_C = """
confine(may_listen=False)
ctypes.CDLL(None).socket(2, 1, 0)
"""

CALL_IN_C = """
confine(may_listen=True)
libc = ctypes.CDLL(None)
libc.connect(libc.socket(2, 1, 0), struct.pack("HHI8x", 2, 9, 0x0100007F), 16)
"""


def ran(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CONFINE + program], cwd=folder, env=environment(folder), capture_output=True, text=True,
        timeout=PATIENCE_SECONDS,
    )  # fmt: skip


@pytest.mark.parametrize("program", [ASK_IN_C, CALL_IN_C])
def test_a_call_from_c_would_be_seen(tmp_path: Path, program: str) -> None:
    assert ran(program, tmp_path).returncode == ENDED


def test_importing_saving_learning_and_searching_open_no_socket_and_leave_nothing_to_be_sent(tmp_path: Path) -> None:
    done = ran(LIVE, tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "onnxruntime"), done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.db"]  # no device id, no queue of events


def test_the_frameworks_connect_to_nothing_as_they_load(tmp_path: Path) -> None:
    done = ran(FRAMEWORKS, tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_server_only_listens(tmp_path: Path) -> None:
    with serving(tmp_path, sys.executable, "-c", CONFINE + SERVE) as running:
        asked = {"user": "ana", "text": "I live in Porto and I am allergic to nuts."}
        foreseen = httpx.post(f"{running.url}/v1/preview", json=asked, timeout=PATIENCE_SECONDS)
        assert foreseen.status_code == 200
        assert foreseen.json()["foreseen"]
        assert running.stop() == 0
    assert not (tmp_path / ".cache").exists()
