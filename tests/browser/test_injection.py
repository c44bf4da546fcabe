"""Whatever text a memory holds, pages show it as text: nothing of it runs, loads or becomes a part of the page."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Visitor, Watched, asked, brought, items_of, lived_by, places_of, posted, told

SCRIPT = "<script>window.hit=1</script>"
IMAGE = "<img src=x onerror=window.hit=1>"
DRAWING = "\"'><svg onload=window.hit=1>"
LINK = "[x](javascript:window.hit=1) <javascript:window.hit=1> ![x](https://elsewhere.test/x.png) {{7*7}}"
HOSTILE = (SCRIPT, IMAGE, DRAWING, LINK)
ALL = " ".join(HOSTILE)
NAME = '"><img src=x onerror=hit=1>'
WATCH = "document.addEventListener('securitypolicyviolation', event => console.error('policy: ' + event.blockedURI))"
FOUND = """() => [
    window.hit,
    document.querySelectorAll('[onerror], [onload], img[src="x"], a[href^="javascript:"], main script').length,
]"""
ASKED = ["q", "done", "undo", "back", "next", "area", "type", "since", "tag", "subject", "after", "on", "from", "see"]
PATHS = ["/", "/add", "/talk/recall", "/history", "/history/day", "/questions", "/profile", "/enter", "/talk"]
LEADS = """() => [...document.querySelectorAll('[href], [action]')]
    .map(one => one.getAttribute('href') || one.getAttribute('action')).filter(to => /^\\s*javascript:/i.test(to))"""
TOLD = frozenset({"content", "title", "value", "evidence", "text", "summary", "why", "sub_area", "raw", "error"})
NAMED = frozenset({"author", "speaker", "participants", "tags", "subject"})


def spoilt(export: bytes) -> bytes:
    """An export with markup in everything people and models write, and in every name."""

    def turned(name: str, part: Any) -> Any:
        match part:
            case dict():
                return {key: turned(key, inner) for key, inner in part.items()}
            case list():
                return [turned(name, inner) for inner in part]
            case str() if name in TOLD:
                return f"{part} {ALL}"
            case str() if name in NAMED and part not in ("self",):
                return f"{part}{NAME}"
        return part

    document = json.loads(export)
    return json.dumps({key: turned(key, part) if key != "trail" else part for key, part in document.items()}).encode()


def test_markup_in_every_field_is_shown_as_text(house: Running, story: bytes, visitor: Visitor) -> None:
    user = f"eve{NAME}"
    brought(house.url, user, spoilt(lived_by(user, story)))
    _filled(house.url, user)
    here = visitor(house.url, user=user)
    here.page.add_init_script(WATCH)
    here.expects("404 (Not Found)")
    places = places_of(house.url, user)
    notes = [note["id"] for note in asked(house.url, "notes", user=user, limit=100)["items"][:3]]
    item = next(item["id"] for item in items_of(house.url, user) if item["content"] == ALL)
    for place in [*places, *(f"/note/{id}" for id in notes), f"/item/{item}"]:
        _harmless(here, place)
    here.open(f"/item/{item}")
    expect(here.page.locator("h1")).to_have_text(ALL)
    _asked_with_markup(here)
    _typed_markup(here, item)


def _filled(url: str, user: str) -> None:
    """What no export brings: items with every field, a space, keys, accounts, blocked people, and a night of them."""
    told(
        url, user,
        {"content": ALL, "title": SCRIPT, "attribute": "residence", "value": IMAGE, "tags": [NAME], "subject": NAME,
         "evidence": ALL, "area": "health"},
    )  # fmt: skip
    for path, body in (
        (
            "messages",
            {
                "said": f"I live in Porto {ALL}",
                "conversation": f"c{NAME}",
                "space": f"guild{NAME}",
                "channel": f"general{NAME}",
            },
        ),
        ("messages", {"said": f"I am called {ALL} and I love {ALL}", "conversation": f"d{NAME}"}),
        ("learn", {}),
        ("keys", {"name": ALL[:150]}),
        ("links", {"channel": "telegram", "id": NAME}),
        ("block", {"person": NAME}),
        ("consolidate", {}),
    ):
        whose = {"user": user} if path not in ("keys", "block") else {}
        posted(url, path, **whose, **body)


def _harmless(here: Watched, place: str) -> None:
    here.open(place)
    _nothing_ran(here, place)


def _nothing_ran(here: Watched, place: str) -> None:
    assert here.page.evaluate(FOUND) == [None, 0], place


def _asked_with_markup(here: Watched) -> None:
    """Addresses that somebody could be sent."""
    for value in (DRAWING + SCRIPT, "javascript:window.hit=1"):
        query = "&".join(f"{name}={quote(value)}" for name in ASKED)
        for path in PATHS:
            _harmless(here, f"{path}?{query}")
            assert here.page.evaluate(LEADS) == [], path


def _typed_markup(here: Watched, item: str) -> None:
    """What was typed wrongly is shown again, as text."""
    here.expects("422 (Unprocessable")
    here.open("/add")
    here.field("page.add.content").fill(DRAWING + SCRIPT)
    here.page.locator("details summary", has_text=here.t("page.add.more")).click()
    here.field("page.add.subject").fill("x" * 600 + DRAWING)
    here.press("page.add.button")
    _nothing_ran(here, "/add")
    expect(here.field("page.add.content")).to_have_value(DRAWING + SCRIPT)
    here.open("/talk/learn")
    here.field("page.learn.message").fill(f"I live in {ALL}")
    here.press("page.learn.go")
    _nothing_ran(here, "/talk/recall")
    here.open("/?q=")
    here.page.locator("#q").press_sequentially(DRAWING)
    expect(here.page).to_have_url(re.compile("onload"))
    here.settle()
    _nothing_ran(here, "/?q")
    here.open(f"/item/{item}/correct")
    here.field("page.item.correct.new").fill(ALL + " again")
    here.field("page.item.correct.why").fill(ALL)
    here.press("page.item.correct.button")
    expect(here.page.locator("h1")).to_have_text(ALL + " again")
    here.page.locator("details.trail summary").click()
    expect(here.page.locator("details.trail")).to_contain_text(SCRIPT)
    _nothing_ran(here, "/item")
    here.press("page.item.delete")
    here.press("page.undo")
    _nothing_ran(here, "/undo")
