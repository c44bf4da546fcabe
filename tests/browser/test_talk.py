"""Talking with the memory in a browser: kept, learnt from, and nothing typed is lost on the way."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from acceptance.served import Running
from browser.browsing import Visitor, items_of

SAID = ("Me mudei, agora moro em Lisboa. Gosto de azeitona.", "Lisboa", "azeitona")


def test_what_is_said_on_the_page_is_kept_and_learnt_from_when_asked_to(house: Running, visitor: Visitor) -> None:
    user = "talks"
    here = visitor(house.url, user=user)
    page = here.open("/talk")
    here.says("page.talk.no_model")
    text, new, thing = SAID
    page.locator("#said").press_sequentially(text)
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("ok")
    here.send("#said")
    expect(page.locator(".bubble")).to_have_count(1)
    expect(page.locator(".bubble")).to_contain_text(text)
    expect(page.locator("pre.handed")).to_be_visible()
    taught = page.locator(".spoken.mine", has_text=text).locator(".taught a", has_text=thing)
    expect(taught).to_be_visible()  # it comes by itself
    expect(page.locator("#talk[hx-trigger]")).to_have_count(0)  # it looks no more
    here.press("page.talk.learn")
    here.says("page.talk.learnt")
    expect(page.locator(".outcome a", has_text=thing)).to_be_visible()
    assert any(new in item["content"] for item in items_of(house.url, user))
    page.get_by_text(here.t("page.talk.forget"), exact=True).click()
    page.locator("input[name=sure]").check()
    here.press("page.talk.forget.button")
    expect(page.locator(".bubble")).to_have_count(0)
    assert not any(thing in item["content"] for item in items_of(house.url, user))


def test_what_is_typed_while_a_message_is_on_its_way_is_not_lost(house: Running, visitor: Visitor) -> None:
    here = visitor(house.url, user="types ahead")
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


def test_a_message_that_does_not_arrive_stays_in_its_field(house: Running, visitor: Visitor) -> None:
    here = visitor(house.url, user="is cut off")
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
