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


@pytest.fixture(autouse=True)
def no_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RELEMBRA_DISCORD_TOKEN", "RELEMBRA_TELEGRAM_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@each(
    [
        (app, language, words)
        for app in ["discord", "telegram"]
        for language, words in [("en", "no token"), ("pt", "Não há token")]
    ]
)
def test_without_a_token_it_says_where_one_is_set(
    app: str, language: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([app, "--db", ":memory:", "--lang", language]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert f"RELEMBRA_{app.upper()}_TOKEN" in told


@pytest.mark.parametrize(
    ("app", "package", "extra"), [("discord", "discord", "discord"), ("telegram", "httpx", "http")]
)
def test_without_the_package_it_says_how_to_get_it(
    app: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert main([app, "--db", ":memory:", "--lang", "en"]) == 1
    assert f"relembra[{extra}]" in capsys.readouterr().err


def test_a_token_that_is_none_is_told_without_repeating_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RELEMBRA_TELEGRAM_TOKEN", "12:not a token")
    assert main(["telegram", "--db", ":memory:", "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "telegram_token" in told
    assert "not a token" not in told


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
