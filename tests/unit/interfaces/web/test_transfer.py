"""Taking a memory along, bringing one in, and erasing a person, as somebody with a browser does."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from houses import ELSEWHERE, House, a_house
from relembra.interfaces.http.callers import THIS_MACHINE
from relembra.interfaces.http.handlers import alone
from relembra.interfaces.web.background import BackgroundJobs, Owner
from relembra.interfaces.web.visits import PASS
from relembra.locale import Words
from relembra.transfer.parts import Part
from web_pages import Reader, Seen, a_reader, seen

LIKES = "Gosta de chá de hortelã <script>alert(1)</script>"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True) as house:
        await house.memory.add(LIKES, user="ana")
        await house.memory.save(user="ana", said="Moro em Lisboa.", conversation="c1")
        await house.memory.add("Toca viola.", user="bia")
        yield house


@pytest.fixture
async def reader(house: House) -> AsyncIterator[Reader]:
    async with a_reader(house) as reader:
        yield reader


async def signed_in(house: House, key: str, *, user: str = "") -> Reader:
    reader = Reader(house.client(peer=ELSEWHERE))
    await reader.post("/enter", key=house.secrets[key])
    if user:
        await reader.post("/whose", user=user, sure="yes")
    return reader


def errands_of(house: House) -> BackgroundJobs:
    jobs: BackgroundJobs = house.app.state.background
    return jobs


async def done(house: House, answer: httpx.Response) -> str:
    """The address of an job, once it is over."""
    assert answer.status_code == 303, answer.text[:2000]
    address = answer.headers["location"]
    (job,) = [one for one in errands_of(house)._jobs.values() if one.id == address.rpartition("/")[2]]
    assert job.task is not None
    await asyncio.wait({job.task})
    return str(address)


async def export_of(house: House, reader: Reader, **fields: str) -> httpx.Response:
    address = await done(house, await reader.post("/export", **fields))
    page = await reader.get(address)
    assert f"{address}/file" in page.links
    return await reader.answer(f"{address}/file")


async def taken_in(house: House, reader: Reader, content: bytes, **fields: str) -> Seen:
    answer = await reader.post("/import", files={"file": ("export.json", content)}, **fields)
    return await reader.get(await done(house, answer))


# ── taking along ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("format", "ending", "begins"),
    [("json", ".json", b"{"), ("jsonl", ".jsonl", b"{"), ("markdown", ".md", b"#"), ("notes", ".zip", b"PK")],
)
async def test_a_memory_is_written_down_and_downloaded(
    house: House, reader: Reader, format: str, ending: str, begins: bytes
) -> None:
    for answer in (await export_of(house, reader, format=format), await reader.answer("/export/file", format=format)):
        assert answer.status_code == 200
        assert answer.content.startswith(begins)
        said = answer.headers["content-disposition"]
        assert said.startswith("attachment")
        assert re.search(rf'"relembra-ana-\d{{4}}-\d\d-\d\d{re.escape(ending)}"', said)
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_everybodys_is_for_whoever_administers(house: House, reader: Reader) -> None:
    assert "Toca viola." in (await export_of(house, reader, format="everybody")).text
    own = await signed_in(house, "ana-admin")
    assert "everybody" not in (await own.get("/export")).text
    answer = await export_of(house, own, format="everybody")
    assert "hortelã" in answer.text
    assert "Toca viola." not in answer.text
    assert (await reader.post("/export", format="pdf")).status_code == 422


async def test_whoever_only_reads_takes_their_own_along(house: House) -> None:
    reading = await signed_in(house, "ana-read")
    page = await reading.get("/export")
    assert "/export/file" in page.forms
    assert "/export" not in page.forms
    assert "hortelã" in (await reading.answer("/export/file", format="json")).text
    assert (await reading.answer("/import")).status_code == 403
    assert (await reading.answer("/erase")).status_code == 403


async def test_an_errand_is_nobody_elses(house: House, reader: Reader) -> None:
    address = await done(house, await reader.post("/export", format="json"))
    for key, user in (("bia", ""), ("other", "ana")):
        other = await signed_in(house, key, user=user)
        for path in (address, f"{address}/file"):
            answer = await other.answer(path)
            assert answer.status_code == 404
            assert "hortelã" not in answer.text
    assert "No longer available" in seen(await reader.answer("/progress/0199f7a2")).text


async def test_work_under_way_is_shown_with_and_without_a_script(house: House, reader: Reader) -> None:
    go_on = asyncio.Event()
    started = errands_of(house).start(
        "export", owner=Owner("this machine", "default", "ana"), work=lambda job: _counting(job.progress, go_on)
    )
    while not started.total:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    page = await reader.get(f"/progress/{started.id}")
    assert "40 of 100 · 40%" in page.text
    assert ("meta", "refresh") in [(tag, given.get("http-equiv")) for tag, given in page.tags]
    assert [given["hx-trigger"] for _, given in page.tags if given.get("id") == "job"] == ["every 1s"]
    again = await reader.post("/export", format="json")
    assert again.headers["location"] == f"/progress/{started.id}"
    go_on.set()


async def _counting(progress: object, go_on: asyncio.Event) -> None:
    assert callable(progress)
    progress(40, 100)
    await go_on.wait()


# ── bringing in ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("format", ["json", "jsonl"])
async def test_an_export_comes_back_in_and_a_second_time_adds_nothing(
    house: House, reader: Reader, format: str
) -> None:
    content = (await export_of(house, reader, format=format)).content
    await house.memory.forget(user="ana", all=True)
    page = await taken_in(house, reader, content)
    assert "Import finished" in page.text
    assert [item.content for item in await house.memory.list(user="ana")] == [LIKES]
    again = await taken_in(house, reader, content)
    assert "Nothing new in this file" in again.text
    assert "there already" in again.text


async def test_looking_first_keeps_nothing_and_then_it_comes_in(house: House) -> None:
    async with a_reader(house, language="pt") as reader:
        content = (await export_of(house, reader, format="json")).content
        await house.memory.forget(user="ana", all=True)
        answer = await reader.post("/import", files={"file": ("e.json", content)}, look="yes")
        address = await done(house, answer)
        page = await reader.get(address)
        assert "Isto seria importado" in page.text
        assert "Nada foi salvo ainda." in page.text
        assert not await house.memory.list(user="ana")
        sent = page.forms["/import"]
        page = await reader.get(await done(house, await reader.post("/import", again=sent["again"], into=sent["into"])))
        assert "Importação concluída" in page.text
        assert len(await house.memory.list(user="ana")) == 1
        gone = await reader.post("/import", again="0199f7a2")
        assert gone.status_code == 422
        assert "O arquivo não está mais disponível. Escolha de novo." in seen(gone).text


async def test_everybody_comes_in_under_their_own_name_where_asked(house: House, reader: Reader) -> None:
    content = (await export_of(house, reader, format="everybody")).content
    for user in ("ana", "bia"):
        await house.memory.forget(user=user, all=True)
    await taken_in(house, reader, content, into="everybody")
    assert [len(await house.memory.list(user=user)) for user in ("ana", "bia")] == [1, 1]


async def test_a_key_of_one_person_brings_in_nothing_of_spaces(house: House, reader: Reader) -> None:
    await house.memory.save(user="ana", said="Oi!", space="xadrez", conversation="s")
    content = (await export_of(house, reader, format="json")).content
    await house.memory.forget(user="ana", all=True)
    await house.add_keys()
    own = await signed_in(house, "ana-write")
    page = await taken_in(house, own, content)
    assert "That didn't work" in page.text
    assert not await house.memory.messages(user="ana")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "That file is no export of Relembra."),
        (b"{}", "That file is no export of Relembra."),
        (b"no json at all", "That file is no export of Relembra."),
        (b'{"format": "another"}', "That file is no export of Relembra."),
        (b"\xff\xfe", "That file is not text in UTF-8"),
        ('{"format": "relembra"}'.encode("utf-16"), "That file is not text in UTF-8"),
        (b'{"format": "relembra", "version": 1, "it', "That export was cut off"),
        (b'{"format": "relembra", "version": 99}', "written by a newer Relembra"),
        (b'{"format": "relembra", "version": 0}', "That file cannot be imported."),
    ],
)
async def test_what_is_no_export_is_refused_in_words(house: House, reader: Reader, content: bytes, why: str) -> None:
    page = await taken_in(house, reader, content)
    assert "That didn't work" in page.text
    assert why in page.text


async def test_an_import_by_the_api_is_waited_for(house: House, reader: Reader) -> None:
    with alone(house.app.state.importing, THIS_MACHINE):
        answer = await reader.post("/import", files={"file": ("export.json", b"{}")})
        assert answer.status_code == 409
    assert await done(house, await reader.post("/import", files={"file": ("export.json", b"{}")}))


def facts(path: Path) -> bytes:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)")
    db.execute("CREATE TABLE facts (id INTEGER PRIMARY KEY, user_id INTEGER, fact TEXT)")
    db.execute("INSERT INTO users VALUES (1, 'ana')")
    db.execute("INSERT INTO facts VALUES (1, 1, 'Collects stamps')")
    db.commit()
    db.close()
    return path.read_bytes()


async def test_an_older_programs_facts_come_in_for_whoever_administers(
    house: House, reader: Reader, tmp_path: Path
) -> None:
    content = facts(tmp_path / "facts.db")
    own = await signed_in(house, "ana-write")
    refused = await own.post("/import", files={"file": ("facts.db", content)})
    assert refused.status_code == 403
    assert "This file is from an older program; only an administrator can import it." in seen(refused).text
    page = await taken_in(house, reader, content)
    assert "Import finished" in page.text
    assert "Collects stamps" in [item.content for item in await house.memory.list(user="ana")]
    async with a_reader(house, user="dora") as dora:
        page = await taken_in(house, dora, content)
        assert "This file has nothing about dora. It is about ana." in page.text


async def test_a_large_file_is_never_refused_for_being_larger_than_other_forms(house: House) -> None:
    async with a_house(is_open=True, largest_body=20_000) as small, a_reader(small) as reader:
        page = await taken_in(small, reader, b" " * 400_000)
        assert "That file is no export of Relembra." in page.text
        other = await reader.post("/settings/blocked", what="block", name="x" * 30_000)
        assert other.status_code == 413


# ── erasing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "said"), [("en", "This includes 1 note from groups"), ("pt", "Isto inclui 1 nota de grupos")]
)
async def test_notes_of_groups_that_go_along_are_told_before(house: House, language: str, said: str) -> None:
    for user in ("ana", "bia"):
        await house.memory.save(user=user, said="Domingo tem feira na praça.", space="bairro", channel="geral")
    await house.memory.settle(flush=True)
    async with a_reader(house, language=language) as reader:
        assert said in (await reader.get("/erase")).text
    async with a_reader(house, language=language, user="carol") as reader:
        assert said not in (await reader.get("/erase")).text


@pytest.mark.parametrize("typed", ["", "Ana", "bia", "ana!"])
async def test_nothing_is_erased_before_the_name_is_typed(house: House, reader: Reader, typed: str) -> None:
    answer = await reader.post("/erase", name=typed)
    assert answer.status_code == 422
    assert "Nothing was erased." in seen(answer).text
    assert await house.memory.list(user="ana")


async def test_everything_goes_and_the_receipt_says_so(house: House, reader: Reader) -> None:
    address = await done(house, await reader.post("/export", format="json"))
    folder = next(iter(errands_of(house)._jobs.values())).folder
    answer = await reader.post("/erase", name=" ana ")
    page = seen(answer)
    assert answer.status_code == 200
    assert "Everything has been erased" in page.text
    assert "hortelã" not in answer.text
    whole = next(link for link in page.links if link.startswith("data:application/json"))
    told = json.loads(unquote(whole.partition(",")[2]))
    assert (told["user"], told["forgotten"]["items"], told["forgotten"]["messages"]) == ("ana", 1, 1)
    assert told["total"] == sum(told["forgotten"].values())
    assert "items 1" in page.text
    text = unquote(next(link for link in page.links if link.startswith("data:text/markdown")))
    assert "# Erasure receipt" in text
    when = f"{house.clock():%b} {house.clock().day}, {house.clock().year}"
    assert re.search(when + r", \d\d:\d\d \(UTC", text)
    assert re.search(when + r", \d\d:\d\d \(UTC", page.text)
    assert not await house.memory.list(user="ana", history=True)
    assert not await house.memory.messages(user="ana")
    assert await house.memory.list(user="bia")
    assert (await reader.answer(address)).status_code == 404
    assert not folder.exists()


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


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_part_of_an_export_has_a_name(language: str) -> None:
    words = Words(language, "web", "names")
    assert [part for part in Part if not words.has(f"part.{part.many}")] == []
