from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path

import pytest

from acceptance.running import RELEMBRA, Cli, Ran, environment
from memories import a_memory, a_store
from relembra import Memory
from relembra.interfaces.cli.main import main
from relembra.minds import embedders
from relembra.minds.onnx import Model


@pytest.fixture
def process(tmp_path: Path) -> Cli:
    """Run the real program in a folder of its own."""

    def run(*words: str, typed: str = "", **env: str) -> Ran:
        ran = subprocess.run(
            [*RELEMBRA, *words], cwd=tmp_path, env=environment(tmp_path, **env), input=typed.encode(),
            capture_output=True, timeout=120,
        )  # fmt: skip
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    return run


LOADED = cache(Model)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network is loaded once for all that is run in this process."""
    monkeypatch.setattr(embedders, "Model", LOADED)


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Cli]:
    """Run it in this process, on a file of this test's own, as ana."""
    for name in [name for name in os.environ if name.startswith(("RELEMBRA_", "LC_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    time.tzset()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RELEMBRA_DB", "m.db")

    def run(*words: str) -> Ran:
        capsys.readouterr()
        code = main(words)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    yield run
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this process works, with no settings of anybody's."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with a_memory(await a_store("sqlite", tmp_path)) as made:
        yield made


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """What is started here ends at Ctrl-C, also where whatever started the tests ignores it, as nohup and `&` do."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
