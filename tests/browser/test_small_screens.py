"""On the smallest phone: nothing scrolls sideways, a finger hits what it aims at, words stay whole. And on paper."""

from __future__ import annotations

import re

import pytest

from acceptance.served import Running
from browser.browsing import Person, Visitor, places_of

SMALLEST = {"width": 320, "height": 640}
TROUBLES = """() => {
  for (const part of document.querySelectorAll("main details")) part.open = true;
  const found = [], page = document.documentElement;
  if (page.scrollWidth > 320) found.push(`${page.scrollWidth} px wide`);
  for (const one of document.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=hidden])")) {
    const look = getComputedStyle(one), whole = one.closest("label") ?? one;
    const isCard = getComputedStyle(one, "::after").position === "absolute";  // all of its card is to be tapped
    const isText = look.display === "inline" && one.parentElement.matches("p, span, dd, li, td, th");
    const isUnseen = look.opacity === "0" || one.closest("svg, .skip, .unseen, .choose form");
    const height = Math.max(one.getBoundingClientRect().height, whole.getBoundingClientRect().height);
    if (height && height < 39.5 && !isCard && !isText && !isUnseen)
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


@pytest.mark.parametrize("language", ["pt", "en"])
def test_every_page_fits_the_smallest_phone_and_a_finger(
    house: Running, person: Person, visitor: Visitor, language: str
) -> None:
    user = person(language)
    seen = visitor(house.url, language=language, user=user, viewport=SMALLEST, has_touch=True, is_mobile=True)
    seen.expects("404 (Not Found)")
    found = {}
    for place in places_of(house.url, user):
        seen.open(place)
        if troubles := seen.page.evaluate(TROUBLES):
            found[re.sub(r"[0-9a-f-]{36}", "…", place)] = troubles
    assert found == {}


def test_paper_is_dark_on_light_and_holds_nothing_to_press(house: Running, person: Person, visitor: Visitor) -> None:
    user = person("en")
    seen = visitor(house.url, language="en", user=user, color_scheme="dark")
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
