"""A stand-in for a mail server: real SMTP on loopback that notes what it is given and can refuse; and e-mails that
come in, signed.
"""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx

from houses import House, a_house
from relembra.interfaces.http.webhooks import SIGNATURE, Sent, signed

WHERE, SECRET, PASSWORD = "/v1/webhooks/email/inbound", "what mail is signed with", "smtp-very-secret"
OWN = "memoria@relembra.example"


@dataclass
class Smtp:
    """The server. `refuses`: what it answers to a command instead, each once."""

    port: int = 0
    taken: list[tuple[list[str], EmailMessage]] = field(default_factory=list)  # to whom, and what
    signed_in: list[tuple[str, bool]] = field(default_factory=list)  # what was given, and whether it was encrypted
    refuses: dict[str, list[str]] = field(default_factory=dict)
    context: ssl.SSLContext | None = None  # what STARTTLS is offered with

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        receivers: list[str] = []
        writer.write(b"220 ready\r\n")
        while line := (await reader.readline()).decode().strip():
            word = line.split(":")[0].split(" ")[0].upper()
            if self.refuses.get(word):
                writer.write(self.refuses[word].pop(0).encode() + b"\r\n")
                continue
            match word:
                case "EHLO":
                    is_open = self.context is not None and writer.get_extra_info("sslcontext") is None
                    writer.write(b"250-here\r\n" + (b"250-STARTTLS\r\n" if is_open else b"") + b"250 AUTH PLAIN\r\n")
                case "STARTTLS" if self.context is not None:
                    writer.write(b"220 go on\r\n")
                    await writer.start_tls(self.context)
                case "AUTH":
                    given = base64.b64decode(line.split()[2]).decode().strip("\0")
                    self.signed_in.append((given, writer.get_extra_info("sslcontext") is not None))
                    writer.write(b"235 welcome\r\n")
                case "RCPT":
                    receivers.append(line.partition("<")[2].partition(">")[0])
                    writer.write(b"250 yes\r\n")
                case "DATA":
                    writer.write(b"354 go on\r\n")
                    content = (await reader.readuntil(b"\r\n.\r\n"))[:-3]
                    message = message_from_bytes(content.replace(b"\r\n..", b"\r\n."), policy=policy.default)
                    assert isinstance(message, EmailMessage)
                    self.taken.append((receivers, message))
                    writer.write(b"250 taken\r\n")
                case "QUIT":
                    writer.write(b"221 bye\r\n")
                    break
                case _:
                    writer.write(b"250 yes\r\n")
        writer.close()

    @property
    def texts(self) -> list[str]:
        return [str(message.get_content()).strip() for _, message in self.taken]


class Mailbox:
    """A server that takes e-mail, and whoever writes to it."""

    def __init__(self, house: House, client: httpx.AsyncClient, smtp: Smtp) -> None:
        self.house = house
        self.memory = house.memory
        self.client = client
        self.smtp = smtp

    async def delivers(self, content: bytes, kind: str = "application/json", *, secret: str = SECRET) -> httpx.Response:
        self.house.seconds.now += 60  # or wrong signatures would be slowed down
        headers = {SIGNATURE: signed(secret, Sent(WHERE, content), self.house.clock()), "Content-Type": kind}
        return await self.client.post(WHERE, content=content, headers=headers)

    async def gets(self, text: str, *, id: str = "<m1@example.org>", **parts: Any) -> list[str]:
        """Somebody writes; what they are sent back."""
        body = {"from": "Ana Souza <Ana@example.org>", "subject": "Viagem", "text": text, "message_id": id} | parts
        return await self._sent_back(json.dumps(body).encode(), "application/json")

    async def gets_raw(self, content: bytes) -> list[str]:
        return await self._sent_back(content, "message/rfc822")

    async def _sent_back(self, content: bytes, kind: str) -> list[str]:
        before = len(self.smtp.taken)
        response = await self.delivers(content, kind)
        assert response.status_code == 200, response.text
        await self.memory.settle()
        return self.smtp.texts[before:]


@asynccontextmanager
async def a_mailbox(smtp: Smtp | None = None, *, folder: Path | None = None, **settings: Any) -> AsyncIterator[Mailbox]:
    served = smtp or Smtp()
    async with await asyncio.start_server(served.talk, "127.0.0.1", 0) as server:
        served.port = server.sockets[0].getsockname()[1]
        chosen = {
            "webhooks": {"email": SECRET}, "smtp_from": f"Relembra <{OWN}>", "smtp_host": "localhost",
            "smtp_port": served.port, "smtp_tls": "none", **settings,
        }  # fmt: skip
        async with a_house(keys=False, folder=folder, **chosen) as house, house.client() as client:
            yield Mailbox(house, client, served)
