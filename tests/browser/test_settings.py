"""Settings in a browser: how one reads, spaces switched; a memory taken along, brought in and erased."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, asked, items_of

FAR = "Pacific/Auckland"


def test_how_one_reads_and_who_is_listened_to_are_set_on_the_page(house: Running, visitor: Visitor) -> None:
    here = visitor(house.url, user="sets")
    page = here.page
    here.open("/settings")
    page.locator("#zone").select_option(FAR)
    page.locator("label.look-of", has=page.locator("input[value=dark]")).click()
    page.locator("#language").select_option("en")
    here.press("page.save")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#zone")).to_have_value(FAR)
    page.locator("#language").select_option("pt")
    page.locator("form[action='/looks']", has=page.locator("#zone")).get_by_role("button").click()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("pt"))

    here.open("/settings/blocked")
    here.field("page.settings.blocked.space").fill("xadrez")
    here.press("page.settings.blocked.off")
    here.says("page.done.space_off")
    switch = page.get_by_role("switch", name="xadrez")
    expect(switch).to_have_attribute("aria-checked", "false")
    switch.click()
    here.says("page.done.space_on")


def test_a_memory_is_taken_along_brought_in_and_erased_with_a_receipt(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    here = visitor(house.url, user=user)
    page = here.page
    held = len(items_of(house.url, user, history=True))
    here.open("/settings/data")
    with page.expect_download() as loading:
        here.button("page.export.download").click()
    export = Path(loading.value.path()).read_bytes()
    assert len(json.loads(export)["items"]) >= held

    here.open("/erase")
    expect(page.locator(".tallies")).to_contain_text(re.compile(r"[1-9]"))
    page.locator("#name").fill("somebody else")
    here.expects("422 (Unprocessable")
    here.press("page.erase.button")
    here.says("page.erase.name.wrong", user=user)
    assert len(items_of(house.url, user, history=True)) == held
    page.locator("#name").fill(user)
    here.press("page.erase.button")
    here.says("page.erase.done")
    expect(page.locator("dl.tally dd.sum")).not_to_have_text("0")
    with page.expect_download() as loading:
        page.locator("a[download$='.json']").click()
    assert json.loads(Path(loading.value.path()).read_bytes())
    assert items_of(house.url, user, history=True, deleted=True) == []
    assert asked(house.url, "messages", user=user)["items"] == []

    here.press("page.erase.start")
    here.open("/settings/data")
    page.locator("#file").set_input_files({"name": "m.json", "mimeType": "application/json", "buffer": export})
    here.press("page.import.button")
    here.says("page.import.came")
    assert len(items_of(house.url, user, history=True)) == held
    here.open("/settings/data")
    page.locator("#file").set_input_files({"name": "m.json", "mimeType": "application/json", "buffer": b"{broken"})
    here.press("page.import.button")
    expect(page.locator(".trouble, .wrong")).to_be_visible()
