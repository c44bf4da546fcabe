"""What tests of the pages do in a browser: open them, press what a catalogue says, wait for what is shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from acceptance.running import RELEMBRA
from acceptance.served import PATIENCE_SECONDS, Running, serving
from relembra.locale import Words

PATIENCE_MS = 30_000
DESK = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
LOCALES = {"en": "en-US", "pt": "pt-BR"}
ZONE = "America/Recife"
STAND_IN = "whoever-lives-the-story"

expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Watched:
    """A page, and whatever went wrong in it."""

    page: Page
    url: str
    t: Words
    has_script: bool = True
    troubles: list[str] = field(default_factory=list)
    allowed: tuple[str, ...] = ()  # complaints of the browser that a test expects

    def expects(self, said: str) -> None:
        """The browser may complain of something, such as "409 (Conflict)"."""
        self.allowed += (said,)

    def open(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def button(self, key: str, within: Locator | None = None, **parts: object) -> Locator:
        """The first button or link that says something of the catalogue; of the page itself, where no part is named."""
        name = self.t(key, **parts)
        place = within or self.page.locator("main")
        pressed, led = (place.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
        return pressed.or_(led).first

    def field(self, key: str) -> Locator:
        """The field with a label of the catalogue."""
        return self.page.get_by_label(self.t(key), exact=True)

    def press(self, key: str, within: Locator | None = None, **parts: object) -> None:
        """Click what says something of the catalogue, and wait for the page it leads to."""
        self.button(key, within, **parts).click()
        self.settle()

    def send(self, selector: str) -> None:
        """Press Enter in a field, and wait for the page it leads to."""
        self.page.locator(selector).press("Enter")
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_load_state("load")
        if self.has_script:
            self.page.locator("html.script").wait_for()
            expect(self.page.locator(".htmx-request")).to_have_count(0)

    def says(self, key: str, **parts: object) -> None:
        """Wait until the page shows something of the catalogue."""
        self.shows(self.t(key, **parts))

    def shows(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    def hides(self, text: str) -> None:
        assert text not in self.page.inner_text("main")


Visitor = Callable[..., Watched]
Person = Callable[[], str]


@contextmanager
def a_server(folder: Path, *options: str, **env: str) -> Iterator[Running]:
    """`relembra serve` on a memory in a folder."""
    command = [*RELEMBRA, "serve", "--port", "0", "--json", *options]
    with serving(folder, *command, RELEMBRA_DB=str(folder / "m.db"), **env) as running:
        yield running


def lived_by(name: str, export: bytes) -> bytes:
    """The export of a story as somebody's words; whose it was stays, so that its rows become new ones."""
    document = json.loads(export.replace(STAND_IN.encode(), json.dumps(name)[1:-1].encode()))
    return json.dumps(document | {"user": STAND_IN}).encode()


def brought(url: str, user: str, export: bytes) -> None:
    answer = httpx.post(
        f"{url}/v1/import",
        params={"user": user},
        content=export,
        headers={"Content-Type": "application/json"},
        timeout=PATIENCE_SECONDS,
    )
    assert answer.status_code == 200, answer.text


def asked(url: str, path: str, **query: Any) -> Any:
    """What the API answers, to look behind the pages."""
    answer = httpx.get(f"{url}/v1/{path}", params=query, timeout=PATIENCE_SECONDS)
    assert answer.status_code == 200, answer.text
    return answer.json()


def items_of(url: str, user: str, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = asked(url, "knowledge", user=user, limit=100, **query)["items"]
    return found


def told(url: str, user: str, *drafts: dict[str, Any]) -> list[str]:
    """Make things known; the ids of their items."""
    answer = httpx.post(
        f"{url}/v1/knowledge/many", json={"user": user, "drafts": list(drafts)}, timeout=PATIENCE_SECONDS
    )
    assert answer.status_code < 300, answer.text
    return [item["id"] for item in answer.json()["items"]]


def posted(url: str, path: str, **body: Any) -> None:
    answer = httpx.post(f"{url}/v1/{path}", json=body, timeout=PATIENCE_SECONDS)
    assert answer.status_code < 300, (path, answer.text)


def places_of(url: str, user: str) -> list[str]:
    """The address of every page there is to look at, of somebody who lived through the story."""
    items = items_of(url, user, history=True)
    replaced = next(item for item in items if item["superseded_at"])
    item, night = items[0]["id"], asked(url, "consolidations", user=user)["items"][0]["id"]
    note, weekly = (asked(url, "notes", user=user, kind=kind)["items"][0]["id"] for kind in ("conversation", "weekly"))
    question = asked(url, "conflicts", user=user)["items"][0]["id"]
    return [
        *("/", "/?view=list&state=past", "/?q=casa&type=fact", "/?q=zzzz", "/?state=deleted", "/add", "/welcome"),
        *(f"/item/{item}", f"/item/{replaced['id']}", f"/item/{item}/correct", f"/item/{item}/forget", "/item/none"),
        *("/questions", "/questions?see=decided", f"/questions/{question}"),
        *("/profile", "/profile?see=people", "/profile?see=habits"),
        *("/history", "/history?kind=weekly", "/history/day", "/history/figures"),
        *(f"/note/{weekly}", f"/note/{note}", "/note/new"),
        *("/settings/nights", f"/settings/nights/{night}", f"/settings/nights/{night}/rollback"),
        *("/settings/nights/cleanup?plan=1", "/talk", "/talk/recall", "/talk/recall?q=Ana", "/talk/learn"),
        *("/settings", "/settings/models", "/settings/keys", "/settings/blocked"),
        *("/settings/accounts", "/settings/data", "/erase", "/enter"),
    ]
