"""The commands that open chat apps: what is missing is said, and they end when they are told to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest

from loops import each
from relembra.interfaces.cli.access import until_stopped
from relembra.interfaces.cli.main import main


@each([
    ("discord", {}, None, 2, ("Não há token", "RELEMBRA_DISCORD_TOKEN")),
    ("telegram", {}, None, 2, ("Não há token", "RELEMBRA_TELEGRAM_TOKEN")),
    ("telegram", {"RELEMBRA_TELEGRAM_TOKEN": "12:not a token"}, None, 2, ("telegram_token",)),
    ("discord", {}, "discord", 1, ("relembra[discord]",)), ("telegram", {}, "httpx", 1, ("relembra[http]",)),
])  # fmt: skip
def test_what_is_missing_is_said_and_no_token_repeated(
    app: str, env: dict[str, str], without: str | None, code: int, told: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with monkeypatch.context() as patched:
        for name in ("RELEMBRA_DISCORD_TOKEN", "RELEMBRA_TELEGRAM_TOKEN"):
            patched.setenv(name, env.get(name, ""))
        if without is not None:
            patched.setitem(sys.modules, without, None)
        assert main([app, "--db", ":memory:", "--lang", "pt"]) == code
    said = capsys.readouterr().err
    assert [part for part in told if part not in said] == []
    assert "not a token" not in said


@each([signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_it_cleanly(number: signal.Signals) -> None:
    ended = []

    async def listening() -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("closed")

    async def failing() -> None:
        raise OSError("gone")

    await until_stopped(listening())
    assert ended == ["closed"]
    with pytest.raises(OSError, match="gone"):
        await until_stopped(failing())
