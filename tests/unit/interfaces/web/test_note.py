"""The pages of notes and reports, in both languages."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from urllib.parse import unquote

import pytest

from builders import NOW, a_note, an_id, an_item, kept
from houses import House
from relembra.domain.message import Note, NoteKind
from relembra.interfaces.web.history import MOMENTS
from relembra.interfaces.web.note import MOST_LEARNT, attachment, packed
from web_pages import a_reader, seen

HOSTILE = "<script>alert(1)</script>"


async def a_week_of_talk(house: House) -> None:
    said = ("Moro no Recife. Peso 70 kg.", "Estou triste com o trabalho.", "Hoje peso 71 kg e estou feliz.")
    for day, text in zip((6, 5, 4), said, strict=True):
        await house.memory.save(user="ana", said=text, replied="Entendi.", at=NOW - timedelta(days=day))
    await house.memory.settle(flush=True)


async def the_note(house: House, kind: NoteKind = NoteKind.CONVERSATION) -> Note:
    return (await house.memory.notes(user="ana", kind=kind))[0]


async def test_notes_are_listed_by_kind_and_page_by_page(house: House) -> None:
    notes = [a_note(title=f"Conversa {n:03d}", happened_at=NOW - timedelta(hours=n)) for n in range(MOMENTS + 3)]
    cluster = a_note(kind=NoteKind.TOPIC_CLUSTER, title="O assunto", happened_at=NOW)
    session = a_note(kind=NoteKind.SESSION, title="Ainda falando", happened_at=NOW)
    await kept(house.memory._store, *notes, cluster, session)
    async with a_reader(house) as reader:
        first = await reader.get("/history", kind="conversation")
        assert "Conversa 000" in first.text
        assert "O assunto" not in first.text
        more = next(link for link in first.links if "after=" in link)
        second = await reader.get(more)
        assert f"Conversa {MOMENTS + 2:03d}" in second.text
        assert "Conversa 000" not in second.text
        assert not any("after=" in link for link in second.links)
        everything = await reader.get("/history")
        assert "O assunto" in everything.text
        assert "Ainda falando" not in everything.text
        assert "Ainda falando" in (await reader.get("/history", kind="session")).text
        assert "O assunto" in (await reader.get("/history", kind="nonsense")).text


@pytest.mark.parametrize(("language", "said"), [("en", "Messages"), ("pt", "Mensagens")])
async def test_a_note_is_read_with_the_messages_it_is_made_of(house: House, language: str, said: str) -> None:
    await a_week_of_talk(house)
    note = await the_note(house)
    async with a_reader(house, language=language) as reader:
        page = await reader.get(f"/note/{note.id}")
    assert note.title in page.text
    assert said in page.text
    assert "Entendi." in page.text
    assert f"/note/{note.id}/file" in page.links


@pytest.mark.parametrize(("language", "learnt"), [("en", "What was learnt"), ("pt", "O que foi aprendido")])
async def test_a_note_tells_what_was_learnt_from_it_and_leads_to_the_list(
    house: House, language: str, learnt: str
) -> None:
    note = a_note(title="Conversa sobre o mar")
    held = an_item(content="Nada todo domingo", note_id=note.id)
    old = an_item(content=HOSTILE, note_id=note.id, created_at=NOW, superseded_by=held.id, superseded_at=NOW)
    await kept(house.memory._store, note, old, held, an_item(content="De outra nota", note_id=an_id()))
    async with a_reader(house, language=language) as reader:
        answer = await reader.answer(f"/note/{note.id}")
    page = seen(answer)
    assert learnt in page.text
    cards = [given for tag, given in page.tags if tag == "article" and "item" in given["class"]]
    assert [(given["id"], "past" in given["class"]) for given in cards] == [
        (f"i-{held.id}", False),
        (f"i-{old.id}", True),
    ]
    assert {f"/item/{held.id}", f"/item/{old.id}", f"/?note={note.id}&state=past"} <= set(page.links)
    assert HOSTILE not in answer.text
    assert "De outra nota" not in page.text


async def test_of_many_things_learnt_those_held_come_first_and_the_rest_is_in_the_list(house: House) -> None:
    note = a_note()
    old = [
        an_item(note_id=note.id, created_at=NOW, superseded_by=an_id(), superseded_at=NOW) for _ in range(MOST_LEARNT)
    ]
    held = [an_item(note_id=note.id, created_at=NOW - timedelta(days=1)) for _ in range(3)]
    await kept(house.memory._store, note, *old, *held)
    async with a_reader(house) as reader:
        page = await reader.get(f"/note/{note.id}")
    ids = [given["id"] for tag, given in page.tags if tag == "article" and "item" in given["class"]]
    assert len(ids) == MOST_LEARNT
    assert set(ids[:3]) == {f"i-{item.id}" for item in held}
    assert f"{MOST_LEARNT + 3} items" in page.text


async def test_a_note_that_taught_nothing_says_so_and_a_report_does_not(house: House) -> None:
    plain, report = a_note(), a_note(kind=NoteKind.WEEKLY, title="Uma semana")
    await kept(house.memory._store, plain, report)
    async with a_reader(house) as reader:
        assert "Nothing worth keeping." in (await reader.get(f"/note/{plain.id}")).text
        assert "learnt" not in (await reader.get(f"/note/{report.id}")).text


async def test_a_report_is_written_read_with_its_pictures_and_kept_as_files(house: House) -> None:
    await a_week_of_talk(house)
    async with a_reader(house, language="pt") as reader:
        form = (await reader.get("/note/new")).forms["/note/new"]
        assert form["form"]
        made = await reader.post("/note/new", what="report", period="weekly", day="2026-02-25")
        page = await reader.get(made.headers["location"].partition("?")[0])
        note = await the_note(house, NoteKind.WEEKLY)
        assert note.title in page.text
        assert "done=note_written" in made.headers["location"]
        pictures = [given for tag, given in page.tags if tag == "img" and "/picture/" in given["src"]]
        assert pictures
        assert all(given["alt"] and int(given["width"]) and int(given["height"]) for given in pictures)
        drawn = await reader.answer(pictures[0]["src"])
        assert drawn.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in drawn.headers["content-security-policy"]
        sent = await reader.answer(f"/note/{note.id}/file")
        assert sent.headers["content-type"] == "application/zip"
        assert 'filename="2026-W09.zip"' in sent.headers["content-disposition"]
        names = zipfile.ZipFile(io.BytesIO(sent.content)).namelist()
        assert "2026-W09.md" in names
        assert len(names) == 1 + len(pictures)
        again = await reader.done("/note/new", what="report", period="weekly", day="2026-02-25")
        assert note.title in again.text
    assert len(await house.memory.notes(user="ana", kind="weekly")) == 1


async def test_a_file_that_is_not_the_notes_is_not_there(house: House) -> None:
    await a_week_of_talk(house)
    note = await the_note(house)
    async with a_reader(house) as reader:
        for name in ("..%2fetc", "x.svg", f"{note.id}.md"):
            assert (await reader.answer(f"/note/{note.id}/picture/{name}")).status_code == 404
        sent = await reader.answer(f"/note/{note.id}/file")
        assert sent.headers["content-type"] == "text/markdown; charset=utf-8"
        assert sent.text.startswith("---\n")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Nothing was said or learnt in that week. Try another day."),
        ("pt", "Nada foi dito ou aprendido nessa semana. Tente outro dia."),
    ],
)
async def test_where_nothing_happened_it_says_so_kindly_and_keeps_what_was_typed(
    house: House, language: str, said: str
) -> None:
    await a_week_of_talk(house)
    async with a_reader(house, language=language) as reader:
        page = await reader.done("/note/new", what="report", period="weekly", day="2024-01-10")
        assert said in page.text
        assert ("2024-01-10", "day") in {(given.get("value"), given.get("name")) for _, given in page.tags}
        month = await reader.done("/note/new", what="report", period="monthly", day="2024-01-10")
        assert said not in month.text
    async with a_reader(house, language=language, user="nobody") as reader:
        for what in ("report", "appointment"):
            answer = await reader.post("/note/new", what=what)
            assert "nothing=1" in answer.headers["location"]


async def test_what_cannot_be_read_is_said_beside_what_was_typed(house: House) -> None:
    await a_week_of_talk(house)
    async with a_reader(house) as reader:
        for fields in ({"what": "report", "day": "soon"}, {"what": "appointment", "at": "whenever"}):
            answer = await reader.post("/note/new", **fields)
            assert answer.status_code == 422
            typed = [given.get("value") for tag, given in seen(answer).tags if tag == "input"]
            assert list(fields.values())[1] in typed
            assert ("p", "alert") in [(tag, given.get("role")) for tag, given in seen(answer).tags]


async def test_an_appointment_is_prepared_for_whom_and_when(house: House) -> None:
    await a_week_of_talk(house)
    async with a_reader(house, language="pt") as reader:
        page = await reader.done("/note/new", what="appointment", profession="cardiologista", at="2026-03-05T10:30")
    assert "cardiologista" in page.text
    assert (await the_note(house, NoteKind.APPOINTMENT)).title in page.text


def test_a_name_is_safe_in_a_header_and_whole_in_new_browsers() -> None:
    header = attachment('ação "x"\r\n.md')
    assert "\r" not in header
    assert "\n" not in header
    assert header.count('"') == 2
    assert unquote(header.partition("UTF-8''")[2]) == 'ação "x"\r\n.md'


def test_one_file_is_sent_as_it_is_and_several_in_one() -> None:
    assert packed({"a.md": b"x"}) == ("a.md", b"x", "text/markdown")
    name, body, media_type = packed({"a.md": b"x", "a-moods.svg": b"<svg/>"})
    assert (name, media_type) == ("a.zip", "application/zip")
    assert zipfile.ZipFile(io.BytesIO(body)).read("a-moods.svg") == b"<svg/>"
