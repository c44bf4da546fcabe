"""Taking a memory along, bringing one in, and erasing a person, as somebody with a browser does."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from urllib.parse import unquote

import httpx
import pytest

from houses import House, a_house
from relembra.interfaces.web.background import BackgroundJobs
from relembra.interfaces.web.visits import PASS
from web_pages import Reader, Seen, a_reader, seen, signed_in

LIKES = "Gosta de chá de hortelã <script>alert(1)</script>"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True) as house:
        await house.memory.add(LIKES, user="ana")
        await house.memory.save(user="ana", said="Moro em Lisboa.", conversation="c1")
        await house.memory.add("Toca viola.", user="bia")
        yield house


def jobs_of(house: House) -> BackgroundJobs:
    jobs: BackgroundJobs = house.app.state.background
    return jobs


async def done(house: House, answer: httpx.Response) -> str:
    """The address of a job, once it is over."""
    assert answer.status_code == 303, answer.text[:2000]
    address = answer.headers["location"]
    (job,) = [one for one in jobs_of(house)._jobs.values() if one.id == address.rpartition("/")[2]]
    assert job.task is not None
    await asyncio.wait({job.task})
    return str(address)


async def export_of(reader: Reader, format: str = "json") -> bytes:
    return (await reader.answer("/export/file", format=format)).content


async def taken_in(house: House, reader: Reader, content: bytes, **fields: str) -> Seen:
    answer = await reader.post("/import", files={"file": ("export.json", content)}, **fields)
    return await reader.get(await done(house, answer))


async def test_a_memory_is_downloaded_in_each_format_by_whom_it_belongs_to(house: House, reader: Reader) -> None:
    for format, ending, begins in (
        *(("json", ".json", b"{"), ("jsonl", ".jsonl", b"{"), ("markdown", ".md", b"#"), ("notes", ".zip", b"PK")),
        *(("vault", ".zip", b"PK"), ("mem0", ".json", b"{"), ("csv", ".csv", b"\xef\xbb\xbfid,")),
        ("", ".json", b"{"),
    ):
        answer = await reader.answer("/export/file", format=format)
        assert answer.status_code == 200
        assert answer.content.startswith(begins)
        said = answer.headers["content-disposition"]
        assert re.search(rf'attachment.*"relembra-ana-\d{{4}}-\d\d-\d\d{re.escape(ending)}"', said)
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await reader.answer("/export/file", format="pdf")).status_code == 422
    for key in ("ana-admin", "ana-read"):
        own = await signed_in(house, key)
        page = await own.get("/settings/data")
        assert "/export/file" in page.forms
        content = (await export_of(own)).decode()
        assert ("hortelã" in content, "Toca viola." in content) == (True, False)
    assert "/import" not in page.forms
    assert (await own.answer("/erase")).status_code == 403


async def test_a_key_of_one_person_brings_in_nothing_of_spaces(house: House, reader: Reader) -> None:
    await house.memory.save(user="ana", said="Oi!", space="xadrez", conversation="s")
    content = await export_of(reader, "json")
    await house.memory.forget(user="ana", all=True)
    await house.add_keys()
    own = await signed_in(house, "ana-write")
    page = await taken_in(house, own, content)
    assert "That didn't work" in page.text
    assert not await house.memory.messages(user="ana")


async def test_a_chat_is_taken_in_and_what_was_left_out_is_told(house: House, reader: Reader) -> None:
    lines = ("09:00 - Ana L.: Moro no Recife.", "09:01 - Rui: <Media omitted>", "09:02 - Rui: oi")
    chat = "\n".join(f"13/03/2023 {line}" for line in lines).encode()
    page = await taken_in(house, reader, chat)
    assert "It is not clear which of those who speak there is you: Ana L., Rui." in page.text
    page = await taken_in(house, reader, chat, me="Ana L.")
    assert "pictures, sounds and files" in page.text
    imported = [one for one in await house.memory.messages(user="ana") if one.is_imported]
    assert [one.author for one in imported] == ["Rui", "ana"]


async def test_a_large_file_is_never_refused_for_being_larger_than_other_forms(house: House) -> None:
    async with a_house(is_open=True, largest_body=20_000) as small, a_reader(small) as reader:
        page = await taken_in(small, reader, b" " * 400_000)
        assert (
            "That file is no export of Relembra or of another program, nor a document, that it can read." in page.text
        )
        other = await reader.post("/settings/blocked", what="block", name="x" * 30_000)
        assert other.status_code == 413


async def test_notes_of_groups_that_go_along_are_told_before(house: House, reader: Reader) -> None:
    for user in ("ana", "bia"):
        await house.memory.save(user=user, said="Domingo tem feira na praça.", space="bairro", channel="geral")
    await house.memory.settle(flush=True)
    assert "This includes 1 note from groups" in (await reader.get("/erase")).text
    for typed in ("", "Ana", "bia", "ana!"):
        answer = await reader.post("/erase", name=typed)
        assert answer.status_code == 422
        assert "Nothing was erased." in seen(answer).text
    assert await house.memory.list(user="ana")
    async with a_reader(house, user="carol") as carol:
        assert "note from groups" not in (await carol.get("/erase")).text


async def test_everything_goes_and_the_receipt_says_so(house: House, reader: Reader) -> None:
    address = await done(house, await reader.post("/import", files={"file": ("e.json", b"{}")}))
    sent = {"name": " ana ", "once": (await reader.get("/erase")).forms["/erase"]["once"]}
    answer, again = await asyncio.gather(reader.post("/erase", **sent), reader.post("/erase", **sent))
    page = seen(answer)
    receipts = [re.findall(r'href="(data:application/json[^"]+)"', one.text) for one in (answer, again)]
    assert receipts[0] == receipts[1] != []  # also for who pressed twice
    assert answer.status_code == 200
    assert "Everything has been erased" in page.text
    assert "hortelã" not in answer.text
    told = json.loads(unquote(receipts[0][0].partition(",")[2]))
    assert (told["user"], told["forgotten"]["items"], told["forgotten"]["messages"]) == ("ana", 1, 1)
    assert told["total"] == sum(told["forgotten"].values())
    assert "items 1" in page.text
    when = f"{house.clock():%b} {house.clock().day}, {house.clock().year}"
    assert re.search(when + r", \d\d:\d\d \(UTC", page.text)
    assert not await house.memory.list(user="ana", history=True)
    assert not await house.memory.messages(user="ana")
    assert await house.memory.list(user="bia")
    assert (await reader.answer(address)).status_code == 404


async def test_whoever_came_by_a_key_of_theirs_is_outside_afterwards(house: House) -> None:
    own = await signed_in(house, "ana-write")
    own.client.headers["Accept-Language"] = "pt"
    assert "Apagar todos os meus dados" in (await own.get("/erase")).text
    answer = await own.post("/erase", name="ana")
    page = seen(answer)
    assert "Tudo foi apagado" in page.text
    assert "Sua chave também foi apagada, então você saiu." in page.text
    assert "/settings" not in page.links
    assert PASS not in own.client.cookies
    assert (await own.answer("/")).headers["location"].startswith("/enter")
    assert await house.memory.key_of(house.secrets["ana-write"]) is None
