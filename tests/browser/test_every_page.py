"""Every page there is, visited once on a desk and once on the smallest phone, and on paper.

On the phone axe finds nothing grave, nothing scrolls sideways, a finger hits what it aims at, words stay whole. On the
desk everything that people and models write holds markup: nothing of it runs, loads or becomes a part of the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]  # it has no stubs
from playwright.sync_api import Page, expect

from acceptance.served import Running
from browser.browsing import Visitor, Watched, brought, items_of, lived_by, places_of, posted, told
from relembra.interfaces.web.visits import PAGES

SMALLEST = {"width": 320, "height": 640}
PHONE = {"viewport": SMALLEST, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
LEFT_OUT = ("/progress/", "/export/file", "/note/{id}/file", "/whose")
"""Shown while something is under way, files, and parts of pages; each has a test of its own."""
OTHERS = ("/docs", "/openapi.json", "/healthz", "/v1/knowledge?user=x", "/static/icons.svg", "/favicon.ico")
VIOLATED = "document.addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RUN = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
TROUBLES = """() => {
  for (const part of document.querySelectorAll("main details")) part.open = true;
  const found = [], page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push(`${page.scrollWidth} px wide`);
  for (const one of document.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=hidden])")) {
    const look = getComputedStyle(one), whole = one.closest("label") ?? one;
    const isCard = getComputedStyle(one, "::after").position === "absolute";  // all of its card is to be tapped
    const isText = look.display === "inline" && one.parentElement.matches("p, span, dd, li, td, th");
    const isUnseen = look.opacity === "0" || one.closest("svg, .skip, .unseen, .choose form");
    const height = Math.max(one.getBoundingClientRect().height, whole.getBoundingClientRect().height);
    if (innerWidth < 400 && height && height < 39.5 && !isCard && !isText && !isUnseen)
      found.push(`${Math.round(height)} px high: ${one.className} ${one.textContent.trim().slice(0, 30)}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("script, style, template, pre, code, svg, .path, .unseen")) continue;
    for (const word of text.data.matchAll(/\\p{L}{4,20}/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
      if (boxes.some((box) => Math.abs(box.top - boxes[0].top) > 6)) found.push(`broken: ${word[0]}`);
    }
  }
  return [...new Set(found)].slice(0, 5);
}"""
BRIGHTNESS = """(selector) => {
  const look = getComputedStyle(document.querySelector(selector));
  const of = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return (r + g + b) / 3; };
  return [of(look.color), of(look.backgroundColor)];
}"""


def routes() -> set[str]:
    """The pages a visitor may come to by a link."""
    found = {page.path for page in PAGES if page.method == "GET"}
    return {path for path in found if not path.startswith(LEFT_OUT)}


def visited(here: Watched, user: str, *checks: Callable[[Page], list[Any]]) -> dict[str, list[Any]]:
    """What is wrong with each page by some checks; every route is visited."""
    here.page.add_init_script(VIOLATED)
    here.expects("404 (Not Found)")
    found, left = {}, routes()
    for place in places_of(here.url, user):
        path = place.partition("?")[0]
        left -= {route for route in left if re.fullmatch(re.sub(r"{\w+}", "[^/]+", route), path)}
        here.open(place)
        if troubles := [one for check in checks for one in check(here.page)]:
            found[re.sub(r"[0-9a-f-]{36}", "…", place)] = troubles
    assert left == set()
    return found


def test_every_page_can_be_read_by_everybody(house: Running, reader: str, visitor: Visitor) -> None:
    here = visitor(house.url, language="en", user=reader, reduced_motion="reduce", **PHONE)
    assert visited(here, reader, lambda page: page.evaluate(TROUBLES), violations) == {}
    for address in OTHERS:
        answer = here.page.goto(house.url + address)
        assert answer is not None
        assert answer.status == 200, address


def violations(page: Page) -> list[str]:
    """What axe calls serious or critical."""
    page.evaluate(AXE)
    return [
        f"{one['impact']} {one['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
        for one in page.evaluate(RUN)
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def test_pages_lead_on_without_complaint_and_paper_is_dark_on_light_with_nothing_to_press(
    house: Running, reader: str, visitor: Visitor
) -> None:
    here = visitor(house.url, user=reader, color_scheme="dark")
    page = here.page
    page.add_init_script(VIOLATED)
    here.open("/")
    for place in ("questions", "profile", "history", "talk", "settings", ""):
        page.locator(f"nav.places a[href='/{place}']").first.click()
        current = page.locator("nav.places a[aria-current=page]").first
        expect(current).to_contain_text(here.t(f"page.{place or 'memory'}"))
        here.settle()
    page.get_by_role("button", name=here.t("page.theme.turn")).click()
    page.wait_for_selector("html[data-theme=dark]")
    ink, paper = page.evaluate(BRIGHTNESS, "body")
    assert ink > paper
    for place in places_of(house.url, reader)[:8:2]:
        here.open(place)
        page.emulate_media(media="print")
        ink, paper = page.evaluate(BRIGHTNESS, "body")
        assert ink < 80 < 200 < paper, place
        assert page.locator("nav, button, .button, input, .side").filter(visible=True).count() == 0, place
        assert page.locator("h1").first.is_visible()
        page.emulate_media(media="screen")


SCRIPT = "<script>window.hit=1</script>"
IMAGE = "<img src=x onerror=window.hit=1>"
DRAWING = "\"'><svg onload=window.hit=1>"
LINK = "[x](javascript:window.hit=1) <javascript:window.hit=1> ![x](https://elsewhere.test/x.png) {{7*7}}"
ALL = " ".join((SCRIPT, IMAGE, DRAWING, LINK))
NAME = '"><img src=x onerror=hit=1>'
RAN = """() => [
    ...(window.hit ? ["it ran"] : []),
    ...[...document.querySelectorAll('[onerror], [onload], img[src="x"], a[href^="javascript:"], main script')]
        .map(one => one.outerHTML.slice(0, 80)),
]"""
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
    """Addresses with markup in them: see the unit tests of every page."""
    url, user = house.url, f"eve{NAME}"
    brought(url, user, spoilt(lived_by(user, story)))
    parts = {"attribute": "residence", "value": IMAGE, "tags": [NAME], "subject": NAME, "evidence": ALL}
    told(url, user, {"content": ALL, "title": SCRIPT, "area": "health", **parts})
    place = {"conversation": f"c{NAME}", "space": f"guild{NAME}", "channel": f"general{NAME}"}
    posted(url, "messages", user=user, said=f"I live in Porto {ALL}", **place)
    posted(url, "messages", user=user, said=f"I am called {ALL} and I love {ALL}", conversation=f"d{NAME}")
    posted(url, "learn", user=user)
    posted(url, "keys", name=ALL[:150])
    posted(url, "links", user=user, channel="telegram", id=NAME)
    posted(url, "block", person=NAME)
    posted(url, "consolidate", user=user)
    here = visitor(url, user=user)
    assert visited(here, user, lambda page: page.evaluate(RAN)) == {}
    item = next(item["id"] for item in items_of(url, user) if item["content"] == ALL)
    here.open(f"/item/{item}")
    expect(here.page.locator("h1")).to_have_text(ALL)
    typed_markup(here, item)


def typed_markup(here: Watched, item: str) -> None:
    """What was typed, wrongly or rightly, is shown again as text."""

    def nothing_ran() -> None:
        assert here.page.evaluate(RAN) == [], here.page.url

    here.expects("422 (Unprocessable")
    here.open("/add")
    here.field("page.add.content").fill(DRAWING + SCRIPT)
    here.page.locator("details summary", has_text=here.t("page.add.more")).click()
    here.field("page.add.subject").fill("x" * 600 + DRAWING)
    here.press("page.add.button")
    nothing_ran()
    expect(here.field("page.add.content")).to_have_value(DRAWING + SCRIPT)
    here.open("/talk/learn")
    here.field("page.learn.message").fill(f"I live in {ALL}")
    here.press("page.learn.go")
    nothing_ran()
    here.open("/?q=")
    here.page.locator("#q").press_sequentially(DRAWING)
    expect(here.page).to_have_url(re.compile("onload"))
    here.settle()
    nothing_ran()
    here.open(f"/item/{item}/correct")
    here.field("page.item.correct.new").fill(ALL + " again")
    here.field("page.item.correct.why").fill(ALL)
    here.press("page.item.correct.button")
    expect(here.page.locator("h1")).to_have_text(ALL + " again")
    here.page.locator("details.trail summary").click()
    expect(here.page.locator("details.trail")).to_contain_text(SCRIPT)
    nothing_ran()
    here.press("page.item.delete")
    here.press("page.undo")
    nothing_ran()
