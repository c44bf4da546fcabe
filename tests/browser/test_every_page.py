"""Every page there is, on a desk and on the smallest phone: axe finds nothing grave, nothing scrolls sideways, a finger
hits what it aims at, words stay whole, and the browser's console has nothing to say. And on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]  # it has no stubs
import pytest
from playwright.sync_api import Page, expect

from acceptance.served import Running
from browser.browsing import DESK, Person, Visitor, places_of
from relembra.interfaces.web.visits import PAGES

SMALLEST = {"width": 320, "height": 640}
PHONE = {"viewport": SMALLEST, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
LEFT_OUT = ("/progress/", "/export/file", "/note/{id}/file", "/whose", "/welcome/lights")
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


@pytest.mark.parametrize(("language", "how"), [("pt", {"viewport": DESK}), ("en", PHONE)], ids=["desk", "phone"])
def test_every_page_can_be_read_by_everybody(
    house: Running, person: Person, visitor: Visitor, language: str, how: dict[str, Any]
) -> None:
    user = person()
    here = visitor(house.url, language=language, user=user, reduced_motion="reduce", **how)
    here.page.add_init_script(VIOLATED)
    here.expects("404 (Not Found)")
    found, left = {}, routes()
    for place in places_of(house.url, user):
        path = place.partition("?")[0]
        left -= {route for route in left if re.fullmatch(re.sub(r"{\w+}", "[^/]+", route), path)}
        here.open(place)
        if troubles := here.page.evaluate(TROUBLES) + violations(here.page):
            found[re.sub(r"[0-9a-f-]{36}", "…", place)] = troubles
    assert found == {}
    assert left == set()
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


def test_going_from_page_to_page_gives_the_browser_nothing_to_complain_of(
    house: Running, visitor: Visitor, person: Person
) -> None:
    here = visitor(house.url, user=person())
    here.page.add_init_script(VIOLATED)
    here.open("/")
    for place in ("questions", "profile", "history", "talk", "settings", ""):
        here.page.locator(f"nav.places a[href='/{place}']").first.click()
        current = here.page.locator("nav.places a[aria-current=page]").first
        expect(current).to_contain_text(here.t(f"page.{place or 'memory'}"))
        here.settle()


def test_paper_is_dark_on_light_and_holds_nothing_to_press(house: Running, person: Person, visitor: Visitor) -> None:
    user = person()
    seen = visitor(house.url, user=user, color_scheme="dark")
    page = seen.page
    seen.open("/")
    page.get_by_role("button", name=seen.t("page.theme.turn")).click()
    page.wait_for_selector("html[data-theme=dark]")
    ink, paper = page.evaluate(BRIGHTNESS, "body")
    assert ink > paper
    for place in places_of(house.url, user)[:8]:
        seen.open(place)
        page.emulate_media(media="print")
        ink, paper = page.evaluate(BRIGHTNESS, "body")
        assert ink < 80 < 200 < paper, place
        assert page.locator("nav, button, .button, input, .side").filter(visible=True).count() == 0, place
        assert page.locator("h1").first.is_visible()
        page.emulate_media(media="screen")
