"""`relembra discord` whole: the real library logs in over HTTP and listens on a web socket, both on loopback."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import yarl
from aiohttp import WSMsgType, web

from discords import ANA_NAME, APPLICATION, BOT, DIRECT, GUILD, US, Payload, a_guild, a_message, snowflake
from loopbacks import in_a_thread, listening
from relembra.interfaces.cli.main import main
from relembra.sync import Memory as SyncMemory

TOKEN = "scripted-token"
HELLO, IDENTIFY, HEARTBEAT, ACKNOWLEDGED = 10, 2, 1, 11
NO_INTENT = 4014
SAID_MS = 1_772_366_340_000


class Stage:
    """A Discord of a few lines: what it was told, what it sends once somebody identifies, and when it ends."""

    def __init__(self, *events: tuple[str, Payload], then: Sequence[Payload] = (), refuses: int | None = None) -> None:
        self.events = events
        self.then = list(then)  # messages that are written when the one before is answered; after the last comes Ctrl-C
        self.refuses = refuses  # the code it closes the socket with
        self.identified: Payload = {}
        self.sent: list[Payload] = []
        self._socket: web.WebSocketResponse | None = None

    async def http(self, request: web.Request) -> web.Response:
        path = request.path.removeprefix("/api/v10")
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return as_json({"message": "401: Unauthorized", "code": 0}, status=401)
        if path == "/users/@me":
            return as_json(US)
        if path == "/oauth2/applications/@me":
            return as_json(an_application())
        if path.endswith("/typing"):
            return web.Response(status=204)
        if path.endswith("/messages"):
            self.sent.append(await request.json())
            if self.then and self._socket is not None:
                await self._socket.send_json({"op": 0, "t": "MESSAGE_CREATE", "s": 99, "d": self.then.pop(0)})
            else:
                os.kill(os.getpid(), signal.SIGINT)
            return as_json(a_message("", id=9_000 + len(self.sent), author=US, guild=None))
        return as_json([])

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = self._socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 45_000}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            told = message.json()
            if told["op"] == HEARTBEAT:
                await socket.send_json({"op": ACKNOWLEDGED})
            if told["op"] == IDENTIFY:
                self.identified = told["d"]
                if self.refuses is not None:
                    await socket.close(code=self.refuses)
                    break
                for number, (name, payload) in enumerate(self.events, start=1):
                    await socket.send_json({"op": 0, "t": name, "s": number, "d": payload})
        return socket


def as_json(value: object, status: int = 200) -> web.Response:
    return web.Response(body=json.dumps(value).encode(), status=status, headers={"Content-Type": "application/json"})


def an_application() -> Payload:
    about = {"name": "Relembra", "description": "", "icon": None, "verify_key": "", "flags": 0, "summary": ""}
    owner = {"id": "1", "username": "ana", "discriminator": "0", "avatar": None}
    return {"id": str(APPLICATION), "bot_public": True, "bot_require_code_grant": False, "owner": owner, **about}


@contextmanager
def playing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The stage on loopback, in a thread of its own, in the place of Discord."""
    app = web.Application()
    app.router.add_get("/gateway", stage.socket)
    app.router.add_route("*", "/api/v10/{path:.*}", stage.http)
    with in_a_thread(listening(app)) as address:
        monkeypatch.setattr("discord.http.Route.BASE", f"http://{address}/api/v10")
        monkeypatch.setattr("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", yarl.URL(f"ws://{address}/gateway"))
        yield


def ready() -> tuple[str, Payload]:
    guilds = [{"id": str(GUILD), "unavailable": True}]
    session = {"v": 10, "session_id": "s1", "resume_gateway_url": "ws://127.0.0.1:9/gateway"}
    return "READY", {**session, "user": US, "guilds": guilds, "application": {"id": str(APPLICATION), "flags": 0}}


@pytest.fixture
def db(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RELEMBRA_DISCORD_TOKEN", TOKEN)
    return str(folder / "m.db")


def test_it_logs_in_listens_answers_and_ends_at_ctrl_c(
    db: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = a_message("I keep bees in the garden.", id=snowflake(SAID_MS, 1), guild=None, channel=DIRECT)
    asked = a_message(
        f"<@{BOT}> what do I keep in the garden?", id=snowflake(SAID_MS, 2), guild=None, channel=DIRECT, mentions=[US]
    )
    stage = Stage(ready(), ("GUILD_CREATE", a_guild()), ("MESSAGE_CREATE", said), then=[asked])
    with playing(stage, monkeypatch):
        assert main(["discord", "--db", db, "--lang", "en"]) == 0
    shown = capsys.readouterr()
    assert "Stopped; everything is kept." in shown.out
    assert TOKEN not in shown.out + shown.err
    assert "bees" in stage.sent[-1]["content"]
    assert stage.identified["intents"] == 1 << 0 | 1 << 9 | 1 << 12 | 1 << 15
    with SyncMemory.open(db, background=False) as memory:
        kept = sorted(one.text for one in memory.messages(user=ANA_NAME))
    assert kept == ["I keep bees in the garden.", "what do I keep in the garden?"]


def test_without_the_intent_it_says_where_to_switch_it_on(
    db: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with playing(Stage(refuses=NO_INTENT), monkeypatch):
        assert main(["discord", "--db", db, "--lang", "en"]) == 2
    assert "switch on “Message Content Intent”" in capsys.readouterr().err


def test_a_token_discord_does_not_know_and_a_discord_out_of_reach_are_told(
    db: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RELEMBRA_DISCORD_TOKEN", "another-token")
    with playing(Stage(), monkeypatch):
        assert main(["discord", "--db", db, "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "discord_token" in told
    assert "another-token" not in told
    monkeypatch.setattr("discord.http.Route.BASE", "http://127.0.0.1:9/api/v10")
    assert main(["discord", "--db", db, "--lang", "pt"]) == 1
    assert "fora de alcance" in capsys.readouterr().err
