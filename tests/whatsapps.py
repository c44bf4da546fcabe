"""A stand-in for WhatsApp's Graph API: real HTTP on loopback that notes what it is asked and can fail; and what Meta
delivers, signed.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
from aiohttp import web

from houses import House, a_house
from loopbacks import listening

Payload = dict[str, Any]

NUMBER, SECRET, TOKEN, VERIFY = "106540352242922", "app-secret", "EAAG-very-secret", "verify-me"
WHERE = "/v1/webhooks/whatsapp/cloud"
ANA, BIA = "5511912345678", "5521987654321"
NAMES = {ANA: "Ana Souza", BIA: "Bia"}
SENT_AT = 1_772_366_340


def a_message(text: str, *, id: str = "wamid.1", sender: str = ANA, at: int | str = SENT_AT, **parts: Any) -> Payload:
    return {"from": sender, "id": id, "timestamp": str(at), "type": "text", "text": {"body": text}, **parts}


def a_delivery(*messages: Payload, number: str = NUMBER, **value: Any) -> Payload:
    """What Meta posts for messages; without any it tells how a message of ours fared."""
    senders = dict.fromkeys(one["from"] for one in messages)
    contacts = [{"profile": {"name": NAMES.get(one, one)}, "wa_id": one} for one in senders]
    held: Payload = {"contacts": contacts, "messages": list(messages)} if messages else {}
    metadata = {"display_phone_number": "15550783881", "phone_number_id": number}
    change = {"value": {"messaging_product": "whatsapp", "metadata": metadata, **held, **value}, "field": "messages"}
    return {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]}


class Graph:
    """The server. `script`: what it answers first, as status, body and headers."""

    def __init__(self) -> None:
        self.url = ""
        self.media = ""  # another address of recordings
        self.asked: list[tuple[str, str, Payload]] = []  # path, authorization, body
        self.script: list[tuple[int, Payload, dict[str, str]]] = []

    @property
    def texts(self) -> list[str]:
        """Everything that was asked to be sent, also what was refused."""
        return [body["text"]["body"] for _, _, body in self.asked]

    def fails(self, status: int, *, code: int = 0, **headers: str) -> None:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self.script.append((status, {"error": {"message": "as told", "code": code}}, sent))

    async def file(self, request: web.Request) -> web.Response:
        """What a recording is, and the recording."""
        assert request.headers["authorization"] == f"Bearer {TOKEN}"
        name = request.match_info["number"]
        if name == "sound":
            return web.Response(body=b"OggS sound")
        return web.json_response({"url": self.media or f"{self.url}/sound", "mime_type": "audio/ogg", "id": name})

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append((request.path, request.headers["authorization"], await request.json()))
        said: Payload = {"messaging_product": "whatsapp", "messages": [{"id": f"wamid.r{len(self.asked)}"}]}
        status, body, headers = self.script.pop(0) if self.script else (200, said, {})
        return web.json_response(body, status=status, headers=headers)


class Phone:
    """A server that takes WhatsApp messages, and Meta at both ends of it."""

    def __init__(self, house: House, client: httpx.AsyncClient, graph: Graph) -> None:
        self.house = house
        self.memory = house.memory
        self.client = client
        self.graph = graph

    async def delivers(self, body: object, *, secret: str = SECRET, content: bytes | None = None) -> httpx.Response:
        self.house.seconds.now += 60  # or wrong signatures would be slowed down
        sent = json.dumps(body).encode() if content is None else content
        digest = hmac.new(secret.encode(), sent, "sha256").hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={digest}", "Content-Type": "application/json"}
        return await self.client.post(WHERE, content=sent, headers=headers)

    async def says(self, text: str, **parts: Any) -> list[str]:
        """Somebody writes; what they are sent back."""
        return await self.hears([a_message(text, **parts)])

    async def hears(self, messages: Sequence[Payload]) -> list[str]:
        before = len(self.graph.asked)
        response = await self.delivers(a_delivery(*messages))
        assert response.status_code == 200, response.text
        await self.memory.settle()
        return self.graph.texts[before:]


@asynccontextmanager
async def a_phone(graph: Graph | None = None, **settings: Any) -> AsyncIterator[Phone]:
    served = graph or Graph()
    app = web.Application()
    app.router.add_post("/v25.0/{number}/messages", served.answer)
    app.router.add_get("/v25.0/{number}", served.file)
    async with listening(app) as address:
        served.url = f"http://{address}/v25.0"
        chosen: Payload = {
            "whatsapp_number": NUMBER, "whatsapp_token": TOKEN, "whatsapp_app_secret": SECRET,
            "whatsapp_verify_token": VERIFY, "whatsapp_url": served.url, **settings,
        }  # fmt: skip
        async with a_house(keys=False, **chosen) as house, house.client() as client:
            yield Phone(house, client, served)
