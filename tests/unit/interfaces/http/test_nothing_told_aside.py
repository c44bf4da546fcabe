"""What is said in confidence stays out of logs, numbers and representations: keys, tokens, questions, memories."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Iterator
from typing import Any

import httpx
import jwt
import pytest
import uvicorn

from houses import ELSEWHERE, House, a_house
from relembra.interfaces.http.server import PATIENT, protocol_with
from relembra.settings import Settings, UpstreamSettings

JWT_SECRET = "a secret of more than thirty-two bytes, as it has to be"
UPSTREAM_KEY = "sk-the-key-of-the-model-behind"
WEBHOOK_SECRET = "whsec-what-webhooks-are-signed-with"
PRIVATE = ("jabuticaba", "pitanga", "graviola", "umbu")
"""Words of what is remembered, asked, in addresses and in mistakes."""


class Kept(logging.Handler):
    """Everything any logger says, at every level, as it would be written."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.getMessage()} {record.__dict__}")
        if record.exc_info and record.exc_info[0]:
            self.lines.append("".join(traceback.format_exception_only(record.exc_info[1])))


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, root = Kept(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    loggers = {name: logging.getLogger(name).level for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "httpx")}
    for name in loggers:
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield handler
    root.removeHandler(handler)
    root.setLevel(before)
    for name, level in loggers.items():
        logging.getLogger(name).setLevel(level)


async def broken() -> None:
    raise RuntimeError(" ".join(["said:", PRIVATE[3]]))


async def asked(client: httpx.AsyncClient, house: House, token: str) -> None:
    """Requests of every kind: good, wrong, refused, and one that is a mistake of ours."""
    keys = [{"Authorization": f"Bearer {word}"} for word in (house.secrets["admin"], token, house.secrets["revoked"])]
    for headers in (*keys, {}, {"Authorization": f"Bearer {house.secrets['admin']}x"}, {"Authorization": "Basic YTpi"}):
        await client.post("/v1/knowledge", json={"user": "ana", "content": f"gosta de {PRIVATE[0]}"}, headers=headers)
        await client.post("/v1/messages", json={"user": "ana", "said": f"gosto de {PRIVATE[0]}"}, headers=headers)
        await client.post("/v1/context", json={"user": "ana", "query": f"e {PRIVATE[1]}?"}, headers=headers)
        await client.get("/v1/knowledge", params={"user": "ana", "subject": PRIVATE[2]}, headers=headers)
        await client.get(f"/v1/knowledge/{PRIVATE[2]}", params={"user": "ana"}, headers=headers)
        await client.post("/v1/knowledge", json={"user": "ana", PRIVATE[1]: 1}, headers=headers)
        await client.post(
            "/v1/chat/completions",
            json={"user": "ana", "messages": [{"role": "user", "content": PRIVATE[1]}]},
            headers=headers,
        )
        await client.post("/v1/webhooks/n8n", json={"text": PRIVATE[1]}, headers=headers)
        await client.get("/v1/broken", headers=headers)
        await client.get(f"/{PRIVATE[2]}?{house.secrets['admin']}", headers=headers)
    made = await client.post("/v1/keys", json={"name": "new"}, headers=keys[0])
    house.secrets["made"] = made.json()["secret"]
    await house.memory.settle()


def secret(house: House, token: str) -> list[str]:
    return [*house.secrets.values(), token, JWT_SECRET, UPSTREAM_KEY, WEBHOOK_SECRET, *PRIVATE]


SETTINGS: dict[str, Any] = {
    "jwt_secret": JWT_SECRET,
    "upstream": "http://127.0.0.1:9/v1",
    "upstream_api_key": UPSTREAM_KEY,
    "webhook_secret": WEBHOOK_SECRET,
}


def a_token() -> str:
    claims = {"sub": "ana", "scope": "admin", "exp": time.time() + 3_600}
    return jwt.encode(claims, JWT_SECRET, "HS256")


async def test_no_log_or_number_holds_a_secret_or_what_anybody_said(kept: Kept) -> None:
    """Over a real socket, with whatever uvicorn says at its most talkative."""
    token = a_token()
    async with a_house(**SETTINGS) as house:
        house.app.add_api_route("/v1/broken", broken)
        config = uvicorn.Config(
            house.app, port=0, lifespan="off", log_config=None, access_log=False, http=protocol_with(PATIENT), ws="none"
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve())
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            await asked(client, house, token)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /{PRIVATE[0]} NONSENSE {house.secrets['admin']}\r\n\r\n".encode())
        assert b"400" in await reader.read(100)
        writer.close()
        server.should_exit = True
        await serving
        ours = [line for line in kept.lines if not line.startswith(("httpx", "httpcore"))]
        told = "\n".join(ours)
        assert [word for word in secret(house, token) if word in told] == []
        async with house.client("operator") as client:
            numbers = (await client.get("/metrics")).text
        assert [word for word in (*secret(house, token), "ana", ELSEWHERE) if word in numbers] == []
    assert any(line.startswith("uvicorn") for line in ours), "or nothing was looked at"
    assert "/v1/broken failed: RuntimeError" in told, "what goes wrong is logged all the same"
    assert 'relembra_requests_total{method="GET",route="/v1/broken",status="500"}' in numbers
    assert 'relembra_rows{kind="item"}' in numbers


async def test_nothing_shows_its_secrets_when_it_is_shown() -> None:
    settings = Settings(
        **SETTINGS,
        llm_api_key="sk-llm",
        embedder_api_key="sk-embedder",
        transcriber_api_key="sk-transcriber",
        discord_token="discord-token",
        telegram_token="telegram-token",
        whatsapp_token="sk-whatsapp",
        whatsapp_app_secret="sk-app",
        whatsapp_verify_token="sk-verify",
        smtp_password="sk-smtp",
        webhooks={"n8n": "whsec-n8n"},
        upstreams={"ollama": UpstreamSettings(url="http://127.0.0.1:1/v1", api_key="sk-ollama")},
    )
    token = a_token()
    async with a_house(**SETTINGS) as house:
        gate = house.app.state.gate
        made = await house.memory.create_key("x")
        callers = [
            await gate.admit(httpx.Headers({"authorization": f"Bearer {word}"}), None)
            for word in (house.secrets["admin"], token)
        ]
        shown = "".join(map(repr, [settings, gate, gate.tokens, *callers, made, house.app.state.upstreams]))
        words = [*secret(house, token), made.secret, "sk-", "whsec-n8n", "discord-token", "telegram-token"]
        assert [word for word in words if word in shown] == []
