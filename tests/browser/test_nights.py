"""Notes, reports and nights in a browser: read, made now, downloaded; what a night changed, and taken back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, asked, items_of, today

NEWS = "Eu me mudei para Lisboa semana passada e adoro azeitona."
LEARNT = "Lisboa"


def test_notes_are_read_made_now_and_downloaded(house: Running, person: Person, visitor: Visitor) -> None:
    here = visitor(house.url, user=person())
    page, t = here.page, here.t
    here.open("/history")
    expect(page.locator("main article.card").first).to_be_visible()
    page.get_by_role("link", name=t("page.note.kind.weekly"), exact=True).click()
    here.settle()
    expect(page).to_have_url(re.compile("kind=weekly"))
    cards = page.locator("main article.card")
    weekly = cards.filter(has=page.get_by_text(t("page.note.one.weekly"), exact=True))
    expect(weekly).not_to_have_count(0)
    expect(cards).to_have_count(weekly.count())
    here.press("page.note.new")
    here.field("page.note.new.monthly").check()
    here.field("page.note.new.day").fill(today().isoformat())
    here.press("page.note.new.button")
    here.says("page.done.note_written")
    title = page.locator("h1").inner_text()
    expect(page.locator(".prose h2").first).to_be_visible()
    with page.expect_download() as loading:
        page.locator("a[download]").click()
    name, text = loading.value.suggested_filename, Path(loading.value.path()).read_bytes()
    assert name.endswith((".md", ".zip"))
    assert name.endswith(".zip") or title in text.decode()
    here.open("/note/new")
    here.field("page.note.new.with").fill(t("page.note.professions").split(", ")[0])
    here.press("page.note.new.button", within=page.locator("form", has=page.locator("#profession")))
    expect(page).to_have_url(re.compile("/note/[0-9a-f-]{36}"))
    with page.expect_download() as loading:
        page.locator("a[download]").click()
    assert page.locator("h1").inner_text() in Path(loading.value.path()).read_text("utf-8")


def test_a_night_is_done_now_read_as_a_difference_and_rolled_back(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    here = visitor(house.url, user=user)
    page = here.page
    here.open("/talk")
    page.locator("#said").fill(NEWS)
    here.send("#said")
    here.open("/settings/nights")
    here.press("page.nights.now.night")
    made = page.locator("section.changes.created")
    expect(made).to_contain_text(LEARNT)
    expect(page.locator("section.changes").first.locator("h2 .number")).not_to_have_text("0")
    here.press("page.nights.back")
    expect(page.locator("ul.happens li").first).to_be_visible()
    here.press("page.nights.back.button")
    here.says("page.nights.taken")
    assert not any(LEARNT in item["content"] for item in items_of(house.url, user))
    assert asked(house.url, "consolidations", user=user)["items"][0]["status"] == "rolled_back"

    here.open("/settings/nights")
    here.press("page.nights.cleanup")
    expect(page.locator("section.changes, .empty").first).to_be_visible()
    here.press("page.nights.queue")
    expect(page.locator(".job-card, .empty").first).to_be_visible()
