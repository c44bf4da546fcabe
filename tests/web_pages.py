"""Somebody with a browser, for tests: keeps cookies, fills in forms, and reads pages as a person would."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import httpx

from houses import ELSEWHERE, LOOPBACK, House
from relembra.interfaces.web.visits import FORM, LOOKS

VOID = frozenset({"input", "meta", "link", "br", "hr", "img", "use"})


@dataclass
class Seen(HTMLParser):
    """What a page shows: its text, its links, its forms with their fields."""

    text: str = ""
    links: list[str] = field(default_factory=list)
    forms: dict[str, dict[str, str]] = field(default_factory=dict)  # by where they are sent
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._form: dict[str, str] | None = None
        self._depth: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        if tag not in VOID:
            self._depth.append(tag)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "form":
            self._form = self.forms.setdefault(given.get("action", ""), {})
        if tag in ("input", "textarea", "select", "button") and self._form is not None and "name" in given:
            is_chosen = given.get("type") not in ("checkbox", "radio") or "checked" in given
            if is_chosen:
                self._form[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if self._depth and self._depth[-1] == tag:
            self._depth.pop()

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "title"} & set(self._depth):
            self.text += " " + data


def seen(answer: httpx.Response) -> Seen:
    page = Seen()
    page.feed(answer.text)
    page.text = re.sub(r"\s+", " ", page.text).strip()
    return page


@dataclass
class Reader:
    """Somebody looking at the pages of a house."""

    client: httpx.AsyncClient

    async def get(self, path: str, **query: str) -> Seen:
        """A page that is there."""
        answer = await self.answer(path, **query)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:2000])
        return seen(answer)

    async def answer(self, path: str, **query: str) -> httpx.Response:
        return await self.client.get(path, params=query or None)

    async def post(self, path: str, files: Any = None, **fields: str | list[str]) -> httpx.Response:
        """Send a form as one of the pages would; where it leads to is not followed."""
        if FORM not in self.client.cookies:
            await self.client.get("/enter")
        sent = {"form": self.client.cookies[FORM], **fields}
        return await self.client.post(path, data=sent, files=files)

    async def done(self, path: str, **fields: str | list[str]) -> Seen:
        """Send a form, and the page it leads to."""
        answer = await self.post(path, **fields)
        assert answer.status_code == 303, (path, answer.status_code, answer.text[:2000])
        return seen(await self.client.get(answer.headers["location"]))


async def signed_in(house: House, key: str, *, user: str = "") -> Reader:
    """Whoever came from elsewhere with a key, looking at a person's memory where the key is nobody's."""
    reader = Reader(house.client(peer=ELSEWHERE))
    await reader.post("/enter", key=house.secrets[key])
    if user:
        await reader.post("/whose", user=user, sure="yes")
    return reader


@asynccontextmanager
async def a_reader(house: House, *, language: str = "en", user: str = "ana") -> AsyncIterator[Reader]:
    """Whoever sits at the machine of a house that is open, looking at a person's memory."""
    async with house.client(peer=LOOPBACK, **{"Accept-Language": language}) as client:
        client.cookies.set(LOOKS, f"user={user}")
        yield Reader(client)
