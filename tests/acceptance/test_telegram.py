"""`relembra telegram` whole, against a Bot API on loopback."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from aiohttp import web

from loopbacks import in_a_thread
from relembra.interfaces.cli.main import main
from relembra.sync import Memory as SyncMemory
from telegrams import BOB, BOB_NAME, TOKEN, Telegram, a_message, serving


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


@asynccontextmanager
async def staged(awaited: int) -> AsyncIterator[Stage]:
    stage = Stage(awaited)
    async with serving(stage):
        yield stage


@contextmanager
def playing(monkeypatch: pytest.MonkeyPatch, *, awaited: int = 0) -> Iterator[Stage]:
    """The stage in a thread of its own, in the place of Telegram."""
    with in_a_thread(staged(awaited)) as stage:
        monkeypatch.setattr("relembra.interfaces.chat.telegram.URL", stage.url)
        yield stage


@pytest.fixture
def db(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RELEMBRA_TELEGRAM_TOKEN", TOKEN)
    return str(folder / "m.db")


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
    with SyncMemory.open(db, background=False) as memory:
        assert [one.text for one in memory.messages(user=BOB_NAME)] == ["I keep bees in the garden."]


def test_another_program_that_listens_and_a_token_telegram_does_not_know_are_told(
    db: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    busy = {"ok": False, "error_code": 409, "parameters": {"retry_after": 0}}
    with playing(monkeypatch) as stage:
        stage.script["getUpdates"] = [(409, busy)] * 10
        assert main(["telegram", "--db", db, "--lang", "pt"]) == 4
        assert "Outro programa" in capsys.readouterr().err
        monkeypatch.setenv("RELEMBRA_TELEGRAM_TOKEN", "999:another")
        assert main(["telegram", "--db", db, "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "telegram_token" in told
    assert "999:another" not in told
