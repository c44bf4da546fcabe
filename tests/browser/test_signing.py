"""Coming in by a browser: by a key or a link, what each right shows, and out again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Visitor, a_server
from relembra.domain.access import EVERY_TENANT
from relembra.interfaces.web.visits import PASS
from relembra.sync import Memory

ELSEWHERE = "http://elsewhere.test"
FORGED = '<form method="post"><input name="content" value="forged"><input name="form" value="guessed"></form>'
KNOWN = "Prefere o lugar na janela"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, str]]:
    """A server that asks everybody for a key, and a key that administers it."""
    folder = tmp_path_factory.mktemp("guarded")
    with ThreadPoolExecutor(1) as thread:  # where no loop runs
        secret = thread.submit(a_key, folder / "m.db").result()
    with a_server(folder, RELEMBRA_KEYS="always") as running:
        yield running, secret


def a_key(path: Path) -> str:
    with Memory.open(path) as memory:
        return memory.create_key("admin", right="admin", tenant=EVERY_TENANT).secret


def test_a_key_or_a_link_opens_the_page_and_its_right_says_what_it_shows(
    guarded: tuple[Running, str], visitor: Visitor
) -> None:
    (server, admin), user = guarded, "bia"
    key, known = {"Authorization": f"Bearer {admin}"}, {"user": user, "content": KNOWN}
    made = httpx.post(f"{server.url}/v1/knowledge", json=known, headers=key)
    assert made.status_code == 201, made.text
    here = visitor(server.url)
    page = here.page
    here.expects("401 (Unauthorized)")
    here.open(f"/item/{made.json()['id']}")
    expect(page).to_have_url(re.compile("/enter"))
    here.field("page.enter.key").fill("rlb_wrong")
    here.press("page.enter.button")
    here.says("page.enter.wrong_key")
    here.field("page.enter.key").fill(admin)
    here.press("page.enter.button")
    page.locator("#user").fill(user)
    here.press("page.whose.open")
    here.open(f"/item/{made.json()['id']}")
    expect(page.locator("h1")).to_have_text(KNOWN)
    carried = next(cookie for cookie in page.context.cookies() if cookie["name"] == PASS)
    assert carried["httpOnly"]
    assert carried["sameSite"] in ("Lax", "Strict")
    assert page.evaluate("document.cookie") == ""

    here.open("/settings/keys")
    page.locator("#link-user").fill(user)
    page.locator("#link-right").select_option("read")
    here.press("page.settings.link.make")
    link = here.field("page.settings.link.secret").input_value()
    here.press("page.leave", within=page.locator("header"))
    here.says("page.done.left")
    here.open("/")
    expect(page).to_have_url(re.compile("/enter"))

    guest = visitor(server.url)
    guest.page.goto(link)
    guest.press("page.enter.link.button")
    guest.page.get_by_role("link", name=KNOWN).click()
    expect(guest.page.locator("h1")).to_have_text(KNOWN)
    expect(guest.button("page.item.delete")).to_have_count(0)
    expect(guest.page.locator("main form[method=post]")).to_have_count(0)
    guest.page.keyboard.press("n")
    guest.page.keyboard.press("?")
    expect(guest.page.locator("#shortcuts")).to_be_visible()
    expect(guest.page.locator("#shortcuts kbd", has_text=re.compile("^n$"))).to_have_count(0)
    guest.expects("403 (Forbidden)")
    guest.open("/add")
    guest.says("page.forbidden")
    again = visitor(server.url)
    again.expects("401 (Unauthorized)")
    again.page.goto(link)
    again.press("page.enter.link.button")
    again.says("page.enter.wrong_link")


def test_a_pass_that_ended_leads_to_sign_in_and_loses_nothing_typed(
    guarded: tuple[Running, str], visitor: Visitor
) -> None:
    server, admin = guarded
    here = visitor(server.url, user="ends")
    page = here.page
    here.open("/add")
    here.field("page.enter.key").fill(admin)
    here.press("page.enter.button")
    here.field("page.add.content").fill("Leaves the tea to steep")
    page.context.clear_cookies(name=PASS)
    page.locator("main form button.main").click()
    toast = page.locator(".toast.kept")
    expect(toast).to_contain_text(here.t("page.out"))
    with page.context.expect_page() as opened:
        toast.get_by_role("link").click()
    aside = opened.value
    aside.get_by_label(here.t("page.enter.key"), exact=True).fill(admin)
    aside.get_by_role("button", name=here.t("page.enter.button"), exact=True).click()
    aside.locator("nav.places").wait_for()
    aside.close()
    expect(here.field("page.add.content")).to_have_value("Leaves the tea to steep")
    here.press("page.add.button")
    expect(page.locator("h1")).to_have_text("Leaves the tea to steep")
    here.open("/")
    page.context.clear_cookies(name=PASS)
    page.locator("#q").fill("tea")
    expect(page).to_have_url(re.compile(r"/enter\?next=.*tea"))
    expect(here.field("page.enter.key")).to_be_visible()


def test_a_form_that_another_site_sends_does_nothing(guarded: tuple[Running, str], visitor: Visitor) -> None:
    server, admin = guarded
    here = visitor(server.url)
    page = here.page
    here.open("/enter")
    here.field("page.enter.key").fill(admin)
    here.press("page.enter.button")
    page.locator("#user").fill("forged")
    here.press("page.whose.open")
    here.press("page.whose.new.open", user="forged")
    page.route(f"{ELSEWHERE}/", lambda route: route.fulfill(content_type="text/html", body=FORGED))
    here.expects(ELSEWHERE)
    page.goto(f"{ELSEWHERE}/")
    page.evaluate(f"document.forms[0].action = '{server.url}/add'; document.forms[0].submit()")
    expect(page).to_have_url(f"{server.url}/")  # it came without the cookie, and was led to sign in, and on
    here.says("page.welcome.hello")
