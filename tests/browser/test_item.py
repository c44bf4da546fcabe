"""One item in a browser: where it comes from, and everything a person may do to it. And adding one."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, Watched, items_of, told

RIGHT = "Aniversário: 4 de maio <mesmo>"
WRONG = "Aniversário: 3 de maio"
MOVED = ("Mora no Porto", "Mora no Recife")
NEW = "Coleciona selos da Islândia"


def id_of(url: str, user: str, content: str) -> str:
    return str(next(item["id"] for item in items_of(url, user, history=True) if item["content"] == content))


def test_an_item_shows_where_it_is_from_and_what_it_replaced_the_current_one_first(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    now, before = MOVED
    here = visitor(house.url, user=user)
    page = here.open(f"/item/{id_of(house.url, user, now)}")
    expect(page.locator("h1")).to_have_text(now)
    expect(page.locator("blockquote.said").first).to_contain_text(user.split("-")[0])
    here.press("page.item.history")
    steps = page.locator("#history > ol.line > li")
    expect(steps.nth(0)).to_contain_text(now)
    expect(steps.nth(0)).to_contain_text(here.t("page.item.line.now"))
    expect(steps.nth(1)).to_contain_text(before)
    expect(steps.nth(1)).to_have_class("over")
    note = page.locator("a[href^='/note/']").first
    expect(note).to_be_visible()
    page.get_by_role("link", name=before).click()
    expect(page.locator("h1")).to_have_text(before)
    here.press("page.item.see_current")
    expect(page.locator("h1")).to_have_text(now)
    note.click()
    expect(page).to_have_url(re.compile("/note/"))


def test_an_item_is_confirmed_corrected_deleted_kept_local_and_forgotten(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    id = id_of(house.url, user, WRONG)
    here = visitor(house.url, user=user)
    page = here.page
    here.open(f"/item/{id}")
    if here.button("page.item.confirm").count():
        here.press("page.item.confirm")
        here.says("page.done.confirmed")
    expect(page.locator("header .badge.good")).to_have_text(here.t("page.validated"))

    here.press("page.item.correct")
    expect(page.locator(".old")).to_contain_text(WRONG)
    here.field("page.item.correct.new").fill(RIGHT)
    here.press("page.item.correct.button")
    here.says("page.done.corrected")
    expect(page.locator("h1")).to_have_text(RIGHT)
    expect(page.locator("#history > ol.line")).to_contain_text(WRONG)

    address = page.url.split("?")[0]
    here.press("page.item.delete")
    here.says("page.done.deleted")
    _holds(here, user, RIGHT, holds=False)
    here.press("page.undo")
    here.says("page.done.undone")
    _holds(here, user, RIGHT, holds=True)
    page.goto(address)
    here.press("page.item.local")
    here.says("page.done.kept_local")
    expect(here.button("page.item.let_out")).to_be_visible()

    _changed_meanwhile(here, user)
    here.press("page.item.forget")
    here.says("page.item.forget.goes")
    here.field("page.item.forget.sure").check()
    here.press("page.item.forget")
    here.says("page.item.forgotten.text")
    expect(page.locator(".receipt dd").first).not_to_have_text("0")
    here.expects("404 (Not Found)")
    page.goto(address)
    here.says("page.item.missing")


def _holds(here: Watched, user: str, content: str, *, holds: bool) -> None:
    assert any(item["content"] == content for item in items_of(here.url, user)) is holds


def _changed_meanwhile(here: Watched, user: str) -> None:
    """What somebody else changed is not overwritten, and nothing typed is lost."""
    id = here.page.url.split("?")[0].rpartition("/")[2]
    here.press("page.item.correct")
    changed = httpx.post(f"{here.url}/v1/knowledge/{id}/keep_local", json={"user": user, "local": False})
    assert changed.status_code == 200
    here.field("page.item.correct.new").fill("abc def")
    here.expects("409 (Conflict)")
    here.press("page.item.correct.button")
    here.says("page.item.stale")
    expect(here.field("page.item.correct.new")).to_have_value("abc def")
    here.press("page.back")


def test_something_new_is_added_and_what_is_known_already_is_shown_while_typing(
    house: Running, visitor: Visitor
) -> None:
    user = "adds"
    told(house.url, user, {"content": NEW})
    here = visitor(house.url, user=user)
    page, t = here.page, here.t
    here.open("/")
    page.keyboard.press("n")
    box = here.field("page.add.content")
    expect(box).to_be_focused()
    box.press_sequentially(NEW, delay=5)
    expect(page.locator("#near a")).to_have_text(NEW)
    box.fill(NEW + " & <Faroe>")
    page.locator(".area-card.leisure").click()
    here.field("page.add.type").select_option("preference")
    page.get_by_text(t("page.add.more")).click()
    here.field("page.add.tags").fill("selos, stamps")
    here.press("page.add.button")
    here.says("page.done.added")
    expect(page.locator("h1")).to_have_text(NEW + " & <Faroe>")
    kept = next(item for item in items_of(house.url, user) if "Faroe" in item["content"])
    assert (kept["area"], kept["type"], kept["tags"]) == ("leisure", "preference", ["selos", "stamps"])
    here.press("page.undo")
    here.says("page.done.undone")
    assert len(items_of(house.url, user)) == 1
