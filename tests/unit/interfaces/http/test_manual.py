"""The page at /docs: every route, without scripts, for phones and both languages."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser

import pytest

from houses import House, a_house
from loops import each
from relembra.interfaces.http.manual import language_of, page
from relembra.locale import ids


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house() as made:
        yield made


class Reading(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta",):
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name != "style"
            if name in ("href", "src"):
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


async def test_every_route_of_the_document_is_on_the_page(house: House) -> None:
    async with house.client() as client:
        text = (await client.get("/docs")).text
    for path, operations in house.app.openapi()["paths"].items():
        for method in operations:
            assert f"<b>{method.upper()}</b><code>{path}</code>" in text
    assert "moqueca" not in text
    assert "É alérgica a camarão." in text, "the examples of bodies are shown"


async def test_it_is_whole_has_no_script_and_loads_nothing_from_elsewhere(house: House) -> None:
    async with house.client() as client:
        answer = await client.get("/docs")
    reading = Reading()
    reading.feed(answer.text)
    assert reading.open == []
    assert {"script", "img", "link", "iframe", "form"}.isdisjoint(reading.tags)
    assert all(link.startswith(("#", "/")) for link in reading.links)
    assert {link[1:] for link in reading.links if link.startswith("#")} <= set(reading.ids)


async def test_the_browser_takes_its_own_style_and_nothing_else(house: House) -> None:
    async with house.client() as client:
        answer = await client.get("/docs")
    [style] = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = answer.headers["content-security-policy"]
    assert f"style-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


async def test_headings_are_in_the_readers_language(house: House) -> None:
    async with house.client() as client:
        portuguese = await client.get("/docs", headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8"})
        english = await client.get("/docs", headers={"Accept-Language": "de"})
    assert '<html lang="pt">' in portuguese.text
    assert "Parâmetros" in portuguese.text
    assert '<html lang="en">' in english.text
    assert portuguese.headers["vary"] == english.headers["vary"] == "Accept-Language"


async def test_every_heading_has_its_word(house: House) -> None:
    operations = [one for path in house.app.openapi()["paths"].values() for one in path.values()]
    assert {tag for one in operations for tag in one.get("tags", ())} == {
        id.removeprefix("group.") for id in ids("http") if id.startswith("group.")
    }


@each(
    [
        ("", "en"),
        ("pt", "pt"),
        ("en,pt", "en"),
        ("en;q=0.5,pt;q=0.9", "pt"),
        ("de,pt", "pt"),
        ("pt;q=x", "en"),
        ("pt;q=nan,en", "en"),
        ("*", "en"),
        (",;;,", "en"),
    ]
)
def test_which_language(accepted: str, language: str) -> None:
    assert language_of(accepted) == language


def test_words_of_the_document_are_not_taken_for_markup() -> None:
    evil = "<script>alert(1)</script>"
    said = {"summary": evil, "description": evil, "tags": [evil], "responses": {evil: {"description": evil}}}
    assert "<script" not in page({"info": {"version": evil}, "paths": {f"/{evil}": {"get": said}}}, "pt")
