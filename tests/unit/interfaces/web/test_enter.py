"""Coming in and going out again, and what opens nothing; see also `browser/test_signing.py`."""

from __future__ import annotations

import base64
import hmac
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from houses import ELSEWHERE, House, a_house
from loops import each
from relembra.interfaces.web.visits import FORM, LOOKS, PASS
from web_pages import Reader, Seen, a_reader, seen

HOUSE: dict[str, object] = {}  # keys are asked for


@pytest.fixture
async def stranger(house: House) -> AsyncIterator[Reader]:
    async with house.client(peer=ELSEWHERE, **{"Accept-Language": "pt-BR"}) as client:
        yield Reader(client)


async def test_a_key_that_opens_nothing_says_so_and_guessing_is_slowed_down(house: House, stranger: Reader) -> None:
    for key in ("revoked", "expired"):
        answer = await stranger.post("/enter", key=house.secrets[key])
        assert answer.status_code == 401
        assert "Essa chave não funciona. Pode estar digitada errado, revogada ou vencida." in seen(answer).text
    assert PASS not in stranger.client.cookies
    answers = [(await stranger.post("/enter", key="rlb_aaaaaaaa_" + "a" * 43)).status_code for _ in range(62)]
    assert set(answers) == {401, 429}
    assert answers[-1] == 429


@each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"])
async def test_signing_in_leads_nowhere_else(there: str, house: House, stranger: Reader) -> None:
    answer = await stranger.post("/enter", key=house.secrets["ana-read"], next=there)
    assert answer.headers["location"] == "/"
    assert (await stranger.answer("/enter", next=there)).headers["location"] == "/"  # whoever is in already
    assert (await stranger.answer("/enter", next="/profile")).headers["location"] == "/profile"
    await stranger.done("/leave")


async def test_signing_out_ends_it_here_and_wherever_the_cookie_was_copied_to(house: House, stranger: Reader) -> None:
    await stranger.post("/enter", key=house.secrets["ana-write"])
    assert (await stranger.answer("/")).status_code == 200
    carried = stranger.client.cookies[PASS]
    assert "Você saiu." in (await stranger.done("/leave")).text
    assert (await stranger.answer("/")).status_code == 303
    assert await opens(house, carried) is False


async def test_a_copy_of_the_database_opens_nothing(tmp_path: Path) -> None:
    async with a_house(folder=tmp_path) as house:
        carried = await house.memory.page_pass(house.secrets["operator"])
        link = await house.memory.link_pass("a link", user="ana")
        assert carried is not None
        assert await opens(house, carried)
        await house.memory.backup(tmp_path / "copy.db")
        with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
            keys = copy.execute("SELECT prefix, digest FROM access_key").fetchall()
            assert copy.execute("SELECT * FROM access_session").fetchall() == []
        ends = int((house.clock() + timedelta(days=1)).timestamp())
        forged = [
            word
            for prefix, digest in keys
            for purpose in ("page", "link")
            for said in (f"{purpose}.{prefix}.{ends}", f"{purpose}.{prefix}")
            for word in (f"{said}.{signed(said, digest)}", f"{said}.{in_letters(digest)}")
        ]
        assert len(forged) == 8 * len(keys) > 0
        assert [word for word in forged if await opens(house, word)] == []
        assert [word for word in forged if await house.memory.page_pass(word) is not None] == []
        live = (tmp_path / "m.db").read_bytes() + (tmp_path / "m.db-wal").read_bytes()
        assert carried.encode() not in live
        assert link.encode() not in live


async def opens(house: House, carried: str) -> bool:
    """Whether a cookie opens the first page for a browser that has nothing else."""
    async with house.client(peer=ELSEWHERE) as client:
        client.cookies.set(PASS, carried)
        answer = await client.get("/")
        house.seconds.now += 60  # so that no wrong one is refused only for coming too soon
        return "/enter" not in answer.headers.get("location", "") and answer.status_code < 400


def signed(said: str, digest: bytes) -> str:
    """How passes were signed once, with what the database holds of a key."""
    return in_letters(hmac.digest(digest, f"relembra pass {said}".encode(), "sha256"))


def in_letters(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def test_the_page_that_was_asked_for_opens_once_somebody_is_chosen(house: House, stranger: Reader) -> None:
    item = await house.memory.add("Toca violão.", user="ana")
    there = f"/item/{item.id}?seen=1"
    asked = await stranger.answer(there)
    came = await stranger.post("/enter", key=house.secrets["admin"], next=seen_next(asked))
    choose = await stranger.answer(came.headers["location"])
    page = await stranger.get(choose.headers["location"])
    assert page.forms["/whose"]["next"] == there
    astray = await stranger.done("/whose", user="anna", next=there)
    assert astray.forms["/whose"]["next"] == there
    answer = await stranger.post("/whose", user="ana", next=there)
    assert answer.headers["location"] == there
    assert (await stranger.post("/whose", user="ana", next="//evil.example/")).headers["location"] == "/"


@each(["read", "write"])
async def test_only_an_administrator_is_told_who_there_is(key: str, house: House, stranger: Reader) -> None:
    await house.memory.add("Toca violão.", user="ana")
    await stranger.post("/enter", key=house.secrets[key])
    assert chosen_from(await stranger.get("/whose")) == []
    assert "Toca violão." in (await stranger.done("/whose", user="ana")).text
    assert "/whose" not in (await stranger.get("/")).links


def chosen_from(page: Seen) -> list[str]:
    return [given["value"] for tag, given in page.tags if tag == "button" and given.get("name") == "user"]


def seen_next(answer: httpx.Response) -> str:
    return httpx.URL(answer.headers["location"]).params["next"]


@each(["theme=x", "language=de&zone=Atlantis", f"user={'x' * 2000}", "user=%00", "%%%"])
async def test_a_cookie_nobody_of_ours_wrote_is_passed_over(looks: str) -> None:
    async with a_house(is_open=True, keys=False) as house, a_reader(house) as reader:
        reader.client.cookies.set(LOOKS, looks)
        assert (await reader.client.get("/", follow_redirects=True)).status_code == 200


async def test_a_form_through_a_proxy_that_changes_the_host_says_so(house: House, stranger: Reader) -> None:
    await stranger.get("/enter")
    sent = {"form": stranger.client.cookies[FORM], "key": house.secrets["ana-read"]}
    answer = await stranger.client.post("/enter", data=sent, headers={"Origin": "https://memoria.example"})
    assert answer.status_code == 403
    assert "Este formulário não veio de uma página deste servidor," in seen(answer).text
