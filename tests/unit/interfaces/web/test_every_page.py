"""Every page there is, tried by everybody who may not: a page that is added is tried by itself."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest

from houses import ELSEWHERE, House, a_house
from relembra.domain.access import Right
from relembra.interfaces.web.pages import OPEN, first_word
from relembra.interfaces.web.visits import FORM, LOOKS, PAGES, PASS, Page
from web_pages import seen

HIDDEN = "mel de jataí e figos de setembro"
UNKNOWN = "0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77"
GUARDED = [page for page in PAGES if first_word(page.path) not in OPEN]
LEADING_ON = ("/enter",)
"""Read by a signed-in user, they lead to another page."""
NOT_WHOLE = ("/export/file",)
POSTS = [page for page in PAGES if page.method == "POST"]
ASKED = ("q", "done", "undo", "back", "next", "area", "type", "since", "tag", "subject", "after", "on", "from", "see")
MARKUP = ("\"'><svg onload=window.hit=1><script>window.hit=1</script>", "javascript:window.hit=1")


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house() as house:
        saved = await house.memory.save(user="bia", said=HIDDEN, conversation="c1")
        for tenant, user in (("default", "ana"), ("other", "bia")):
            await house.memory.add("Prefere chá de hortelã", user=user, tenant=tenant)
        await house.memory.add(HIDDEN, user="bia", message_ids=[message.id for message in saved.messages])
        yield house


async def ids_of(house: House) -> list[str]:
    items = await house.memory.list(user="bia")
    notes = await house.memory.notes(user="bia")
    return [*(item.id for item in items), *(note.id for note in notes), UNKNOWN]


async def signed_in(house: House, key: str, *, user: str = "") -> httpx.AsyncClient:
    """A browser with the pass of a key."""
    client = house.client(peer=ELSEWHERE)
    carried = await house.memory.page_pass(house.secrets[key])
    assert carried is not None
    client.cookies.set(PASS, carried)
    if user:
        client.cookies.set(LOOKS, f"user={user}")
    return client


def address(page: Page, id: str) -> str:
    return re.sub(r"{\w+(:\w+)?}", id, page.path)


async def sent(client: httpx.AsyncClient, page: Page, id: str, **fields: str) -> httpx.Response:
    path = address(page, id)
    if page.method == "GET":
        return await client.get(path)
    if FORM not in client.cookies:
        await client.get("/enter")
    return await client.post(path, data={"form": client.cookies[FORM], "user": "bia", "id": id, **fields})


async def is_untouched(house: House) -> bool:
    known = [item.content for item in await house.memory.list(user="bia")]
    said = [message.text for message in await house.memory.messages(user="bia")]
    return (known, said) == ([HIDDEN], [HIDDEN])


def test_every_page_that_is_open_is_so_on_purpose() -> None:
    assert {first_word(page.path) for page in PAGES if page.right is None} == OPEN - {"static", "favicon.ico"}
    assert {page.path for page in POSTS if page.right is Right.READ} == {"/whose", "/talk/learn"}


async def test_whoever_did_not_sign_in_is_sent_to_sign_in(house: House) -> None:
    first = (await ids_of(house))[0]
    revoked = await house.memory.page_pass(house.secrets["ana-admin"])
    key = await house.memory.key_of(house.secrets["ana-admin"])
    assert key is not None
    await house.memory.revoke_key(key.id)  # which takes its passes along
    forged = f"page.aaaaaaaa.9999999999.{'a' * 43}"
    for carried in (None, "nonsense", forged, house.secrets["admin"], revoked):
        async with house.client(peer=ELSEWHERE) as client:
            for page in GUARDED:
                house.seconds.now += 60
                if carried is not None:
                    client.cookies.set(PASS, carried)
                answer = await sent(client, page, first)
                assert answer.status_code == 303, (carried, page.path, answer.status_code)
                assert answer.headers["location"].startswith("/enter"), page.path
                assert HIDDEN not in answer.text, page.path
        assert await is_untouched(house), carried


@pytest.mark.parametrize("key", ["ana-admin", "other"])
async def test_another_person_or_tenant_sees_and_changes_nothing(house: House, key: str) -> None:
    async with await signed_in(house, key, user="bia") as client:
        for id in await ids_of(house):
            for page in GUARDED:
                answer = await sent(client, page, id)
                assert answer.status_code < 500, (page.path, answer.text)
                assert not answer.headers.get("location", "").startswith("/enter"), page.path
                assert HIDDEN not in answer.text, page.path
            assert await is_untouched(house), id


async def test_a_lesser_right_is_refused_and_nothing_changes(house: House) -> None:
    first = (await ids_of(house))[0]
    for lesser in Right:
        async with await signed_in(house, lesser, user="bia") as client:
            for page in GUARDED:
                if page.right is not None and not lesser.allows(page.right):
                    answer = await sent(client, page, first)
                    assert answer.status_code == 403, (lesser, page.path, answer.status_code)
        assert await is_untouched(house), lesser


async def test_a_form_that_no_page_of_ours_made_does_nothing(house: House) -> None:
    first = (await ids_of(house))[0]
    async with await signed_in(house, "admin", user="bia") as client:
        await client.get("/enter")
        token = client.cookies[FORM]
        for page in POSTS:
            for fields, headers in (
                ({}, {}),
                ({"form": ""}, {}),
                ({"form": "x" * 24}, {}),
                ({"form": token}, {"Origin": "https://evil.example"}),
                ({"form": token}, {"Origin": "null"}),
                ({"form": token}, {"Origin": "http://["}),
                ({"form": token}, {"Sec-Fetch-Site": "cross-site"}),
                ({"form": token}, {"Sec-Fetch-Site": "same-site"}),
            ):
                answer = await client.post(address(page, first), data={**fields, "user": "bia"}, headers=headers)
                assert answer.status_code in (403, 422), (page.path, fields, headers, answer.status_code)
                assert await is_untouched(house), page.path


async def test_a_pass_opens_pages_and_no_api(house: House) -> None:
    async with await signed_in(house, "admin", user="bia") as client:
        assert HIDDEN in (await client.get("/")).text
        assert (await client.get("/v1/knowledge", params={"user": "bia"})).status_code == 401
        assert (await client.get("/metrics")).status_code == 401


async def test_whoever_may_only_read_is_offered_nothing_that_writes(house: House) -> None:
    harmless = {"/looks", "/leave", "/whose", "/undo", "/talk/learn", "/"}
    item = (await ids_of(house))[0]
    async with await signed_in(house, "read", user="bia") as client:
        readable = [page for page in PAGES if page.method == "GET" and page.right is Right.READ]
        for page in readable:
            answer = await client.get(address(page, item), follow_redirects=True)
            told = seen(answer)
            posted = {
                given.get("action", "") for tag, given in told.tags if tag == "form" and given.get("method") == "post"
            }
            assert posted <= harmless, page.path
            assert not {"/add", "/note/new", "/erase"} & set(told.links), page.path
            assert not [given for _, given in told.tags if "formaction" in given], page.path


async def test_every_page_for_reading_is_there_and_sends_nothing_elsewhere(house: House) -> None:
    """Without ids: the others have tests of their own."""
    async with await signed_in(house, "operator", user="bia") as client:
        for page in PAGES:
            if page.method == "GET" and "{" not in page.path and page.path not in LEADING_ON:
                answer = await client.get(page.path, follow_redirects=True)
                assert answer.status_code == 200, (page.path, answer.text[:500])
                policy = answer.headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["cache-control"] == "no-store"
                told = seen(answer)
                assert [tag for tag, _ in told.tags].count("h1") == (page.path not in NOT_WHOLE), page.path
                astray = [there for there in told.links if not there.startswith(("/", "#", "?"))]
                assert astray == [], page.path
                assert [given for _, given in told.tags if "style" in given] == [], page.path
                assert [given for tag, given in told.tags if tag == "script" and "src" not in given] == []


async def test_markup_in_an_address_that_somebody_was_sent_becomes_no_part_of_a_page(house: House) -> None:
    item = (await ids_of(house))[0]
    async with await signed_in(house, "operator", user="bia") as client:
        for page in PAGES:
            if page.method == "GET":
                for value in MARKUP:
                    answer = await client.get(address(page, item), params=dict.fromkeys(ASKED, value))
                    assert answer.status_code < 500, page.path
                    assert not re.match(r"\s*javascript:", answer.headers.get("location", "")), page.path
                    for tag, given in seen(answer).tags:
                        assert not {"onload", "onerror"} & set(given), page.path
                        assert tag != "script" or "src" in given, page.path
                        leads = (given.get(name, "") for name in ("href", "action", "formaction", "src"))
                        assert not any(re.match(r"\s*javascript:", to, re.IGNORECASE) for to in leads), page.path


async def test_an_address_nobody_serves_is_told_to_browsers_as_a_page(house: House) -> None:
    async with house.client("admin", peer=ELSEWHERE) as client:
        page = await client.get("/nothing/here", headers={"Accept": "text/html,*/*", "Accept-Language": "pt"})
        answer = await client.get("/nothing/here")
    assert (page.status_code, answer.status_code) == (404, 404)
    assert "Não há página" in seen(page).text
    assert answer.headers["content-type"] == "application/problem+json"


async def test_more_than_is_taken_and_mistakes_of_ours_are_told_as_pages(house: House) -> None:
    async with await signed_in(house, "admin", user="bia") as client:
        await client.get("/enter")
        sent = {"form": client.cookies[FORM], "content": "x" * 2_000_000}
        large = await client.post("/add", data=sent)
        house.app.state.background = None
        broken = await client.get(f"/progress/{UNKNOWN}")
    assert (large.status_code, broken.status_code) == (413, 500)
    assert "That is too large. Nothing was changed." in seen(large).text
    assert "Something went wrong on our side. Nothing was lost; the server log has the details." in seen(broken).text
    assert await is_untouched(house)
