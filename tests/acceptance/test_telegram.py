"""`relembra telegram` whole, against a Bot API on loopback."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from relembra import Memory
from relembra.interfaces.cli.main import main
from telegrams import BOB, TOKEN, Telegram, a_message, serving


class Stage(Telegram):
    """Presses Ctrl-C once it was written to as often as was awaited."""

    def __init__(self, awaited: int) -> None:
        super().__init__()
        self.awaited = awaited
        self.holds = True

    async def answer(self, request: web.Request) -> web.Response:
        answered = await super().answer(request)
        if request.match_info["method"] == "sendMessage" and len(self.sent) == self.awaited:
            os.kill(os.getpid(), signal.SIGINT)
        return answered


@contextmanager
def playing(monkeypatch: pytest.MonkeyPatch, *, awaited: int = 0) -> Iterator[Stage]:
    """The stage in a thread of its own, in the place of Telegram."""
    made: list[Stage] = []
    loops: list[asyncio.AbstractEventLoop] = []
    ready, over = threading.Event(), list[asyncio.Event]()

    async def play() -> None:
        stage = Stage(awaited)
        over.append(asyncio.Event())
        async with serving(stage):
            made.append(stage)
            loops.append(asyncio.get_running_loop())
            ready.set()
            await over[0].wait()

    thread = threading.Thread(target=lambda: asyncio.run(play()), name="stage")
    thread.start()
    assert ready.wait(30)
    monkeypatch.setattr("relembra.interfaces.chat.telegram_api.URL", made[0].url)
    try:
        yield made[0]
    finally:
        loops[0].call_soon_threadsafe(over[0].set)
        thread.join(30)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RELEMBRA_TELEGRAM_TOKEN", TOKEN)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "m.db")


def test_it_listens_answers_and_ends_at_ctrl_c(
    db: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with playing(monkeypatch, awaited=1) as stage:
        stage.write(a_message("I keep bees in the garden.", id=5, sender=BOB))
        assert main(["telegram", "--db", db, "--lang", "en"]) == 0
        assert [given["text"] for given in stage.sent] == ["Kept."]
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["Listening on Telegram. Ctrl-C ends it.", "Stopped; everything is kept."]
    assert TOKEN not in shown.out + shown.err

    async def kept() -> list[str]:
        async with Memory.open(db, background=False) as memory:
            return [one.text for one in await memory.messages(user="Bob")]

    assert asyncio.run(kept()) == ["I keep bees in the garden."]


@pytest.mark.parametrize(("language", "words"), [("en", "Another program"), ("pt", "Outro programa")])
def test_another_program_that_listens_is_told_of(
    db: str, language: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    busy = {"ok": False, "error_code": 409, "parameters": {"retry_after": 0}}
    with playing(monkeypatch) as stage:
        stage.script["getUpdates"] = [(409, busy)] * 10
        assert main(["telegram", "--db", db, "--lang", language]) == 4
    assert words in capsys.readouterr().err


def test_a_token_telegram_does_not_know_is_said_to_be_one(
    db: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RELEMBRA_TELEGRAM_TOKEN", "999:another")
    with playing(monkeypatch):
        assert main(["telegram", "--db", db, "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "telegram_token" in told
    assert "999:another" not in told
