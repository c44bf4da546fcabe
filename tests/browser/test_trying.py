"""Trying the memory in a browser: what would be recalled and learnt, with nothing kept; and talking with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, asked, items_of, posted

ASKED = ("Onde eu moro?", "Porto")
SAID = ("Me mudei, agora moro em Lisboa. Gosto de azeitona.", "Mora no Porto", "Lisboa", "azeitona")


def everything(url: str, user: str) -> list[Any]:
    """What is kept of somebody, but for moments of use."""
    parts = ("messages", "notes", "conflicts", "consolidations")
    return [items_of(url, user, history=True), *(asked(url, part, user=user) for part in parts)]


def test_trying_shows_what_would_be_recalled_and_learnt_and_keeps_nothing(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    posted(house.url, "learn", user=user)  # so that nothing is left to be done by itself
    before = everything(house.url, user)
    here = visitor(house.url, user=user)
    page, t = here.page, here.t
    here.open("/talk/recall")
    question, answer = ASKED
    here.field("page.recall.question").fill(question)
    here.field("page.recall.budget").fill("300")
    here.press("page.recall.go")
    expect(page.locator("pre.handed")).to_contain_text(answer)
    expect(page.locator("#room")).to_contain_text("300")
    expect(page.locator("svg.room rect").nth(1)).to_be_attached()
    assert page.locator("table tbody tr").count() >= 1
    expect(page.locator(".hits .hit", has_text=answer).first.locator(".arms li").first).to_be_visible()
    expect(page.get_by_role("heading", name=t("page.recall.left", n="").split("(")[0])).to_be_visible()

    here.press("page.learn")
    text, old, new, thing = SAID
    here.field("page.learn.message").fill(text)
    here.press("page.learn.go")
    replaced = page.locator(".outcome.replace")
    expect(replaced.locator("del")).to_have_text(old)
    expect(replaced.locator("ins")).to_contain_text(new)
    expect(page.locator(".outcome.add", has_text=thing)).to_be_visible()
    assert everything(house.url, user) == before


def test_what_is_said_on_the_page_is_kept_and_learnt_from_when_asked_to(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    here = visitor(house.url, user=user)
    page = here.page
    here.open("/talk")
    here.says("page.talk.no_model")
    text, _, new, thing = SAID
    page.locator("#said").press_sequentially(text)
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("ok")
    here.send("#said")
    expect(page.locator(".bubble")).to_have_count(1)
    expect(page.locator(".bubble")).to_contain_text(text)
    expect(page.locator("pre.handed")).to_be_visible()
    here.press("page.talk.learn")
    here.says("page.talk.learnt")
    expect(page.locator(".outcome a", has_text=thing)).to_be_visible()
    assert any(new in item["content"] for item in items_of(house.url, user))
    page.get_by_text(here.t("page.talk.forget"), exact=True).click()
    page.locator("input[name=sure]").check()
    here.press("page.talk.forget.button")
    expect(page.locator(".bubble")).to_have_count(0)
    assert not any(thing in item["content"] for item in items_of(house.url, user))


def test_what_was_learnt_appears_beside_what_was_said(house: Running, person: Person, visitor: Visitor) -> None:
    here = visitor(house.url, user=person())
    text, _, new, thing = SAID
    here.open("/talk").locator("#said").fill(text)
    here.send("#said")
    said = here.page.locator(".spoken.mine", has_text=text)
    expect(said.locator(".taught a", has_text=thing)).to_be_visible()
    expect(said.locator(".taught a", has_text=new).first).to_be_visible()
    expect(here.page.locator("#talk[hx-trigger]")).to_have_count(0)  # it looks no more


def test_what_is_typed_while_a_message_is_on_its_way_is_not_lost(
    house: Running, person: Person, visitor: Visitor
) -> None:
    here = visitor(house.url, user=person())
    page = here.open("/talk")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route("**/talk", hold)
    box = page.locator("#said")
    box.fill("Thinking…")
    box.press("Enter")
    expect(page.locator(".bubble")).to_have_text(["Thinking…"])
    expect(box).to_have_value("")
    box.fill("And another thing")
    box.press("Enter")  # sent once the first has arrived
    box.press_sequentially("!")
    until(lambda: len(held) == 1, page)
    held[0].continue_()
    until(lambda: len(held) == 2, page)
    expect(box).to_have_value("")
    box.fill("Not yet to be sent")
    held[1].continue_()
    expect(page.locator(".spoken .bubble")).to_have_text(["Thinking…", "And another thing!"])
    expect(box).to_have_value("Not yet to be sent")
    page.unroute("**/talk")


def test_a_message_that_does_not_arrive_stays_in_its_field(house: Running, person: Person, visitor: Visitor) -> None:
    here = visitor(house.url, user=person())
    here.expects("ERR_FAILED")
    here.expects("htmx:")
    page = here.open("/talk")
    page.route("**/talk", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("#said").fill("Thinking…")
    page.locator("#said").press("Enter")
    expect(page.locator(".toast.kept")).to_be_visible()
    expect(page.locator("#said")).to_have_value("Thinking…")
    page.unroute("**/talk")
    page.locator("#said").press("Enter")
    expect(page.locator(".spoken .bubble")).to_have_text(["Thinking…"])


def until(holds: Callable[[], bool], page: Page) -> None:
    """Let the page go on until something holds."""
    for _ in range(600):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came")
