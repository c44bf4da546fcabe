"""The pages of notes and reports."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import unquote

from builders import NOW, a_note, an_id, an_item, kept
from houses import House
from relembra.domain.message import Note, NoteKind
from relembra.interfaces.web.history import MOST_LEARNT, attachment
from web_pages import Reader, a_reader, seen

HOSTILE = "<script>alert(1)</script>"


async def the_note(house: House, kind: NoteKind) -> Note:
    return (await house.memory.notes(user="ana", kind=kind))[0]


async def test_a_note_tells_what_was_learnt_from_it_and_leads_to_the_list(house: House, reader: Reader) -> None:
    note, plain, report = a_note(title="O mar"), a_note(), a_note(kind=NoteKind.WEEKLY, title="Uma semana")
    many = MOST_LEARNT - 4
    held = [an_item(content=f"Nada {n}", note_id=note.id, created_at=NOW - timedelta(days=1)) for n in range(3)]
    old = [
        an_item(content=HOSTILE, note_id=note.id, created_at=NOW, superseded_by=an_id(), superseded_at=NOW)
        for _ in range(many)
    ]
    await kept(house.memory._store, note, plain, report, *old, *held, an_item(content="De outra", note_id=an_id()))
    answer = await reader.answer(f"/note/{note.id}")
    page = seen(answer)
    cards = [given for tag, given in page.tags if tag == "article" and "item" in given["class"]]
    assert {given["id"] for given in cards[:3]} == {f"i-{item.id}" for item in held}
    assert ["past" in given["class"] for given in cards] == [False] * 3 + [True] * many
    assert f"/?note={note.id}&state=past" in page.links
    assert HOSTILE not in answer.text
    assert "De outra" not in page.text
    assert "Nothing worth keeping." in (await reader.get(f"/note/{plain.id}")).text
    assert "learnt" not in (await reader.get(f"/note/{report.id}")).text


async def test_reports_and_appointments_are_written_read_and_kept_as_files(house: House) -> None:
    said = ("Moro no Recife. Peso 70 kg.", "Estou triste com o trabalho.", "Hoje peso 71 kg e estou feliz.")
    for day, text in zip((6, 5, 4), said, strict=True):
        await house.memory.save(user="ana", said=text, replied="Entendi.", at=NOW - timedelta(days=day))
    await house.memory.settle(flush=True)
    talk = await the_note(house, NoteKind.CONVERSATION)
    async with a_reader(house, language="pt") as reader:
        page = await reader.get(f"/note/{talk.id}")
        assert all(part in page.text for part in (talk.title, "Mensagens", "Entendi."))
        sent = await reader.answer(f"/note/{talk.id}/file")
        assert sent.headers["content-type"] == "text/markdown; charset=utf-8"
        assert sent.text.startswith("---\n")

        wanted = {"what": "report", "period": "weekly", "day": "2026-02-25"}
        page = await reader.done("/note/new", **wanted)
        week = await the_note(house, NoteKind.WEEKLY)
        assert week.title in page.text
        sent = await reader.answer(f"/note/{week.id}/file")
        assert 'filename="2026-W09.md"' in sent.headers["content-disposition"]
        assert 'kind: "weekly"' in sent.text
        assert week.title in (await reader.done("/note/new", **wanted)).text
        assert len(await house.memory.notes(user="ana", kind="weekly")) == 1

        nothing = await reader.done("/note/new", what="report", period="weekly", day="2024-01-10")
        assert "Nada foi dito ou aprendido nessa semana. Tente outro dia." in nothing.text
        assert ("2024-01-10", "day") in {(given.get("value"), given.get("name")) for _, given in nothing.tags}
        for fields in ({"what": "report", "day": "soon"}, {"what": "appointment", "at": "whenever"}):
            answer = await reader.post("/note/new", **fields)
            assert answer.status_code == 422
            assert list(fields.values())[1] in [given.get("value") for _, given in seen(answer).tags]
            assert ("p", "alert") in [(tag, given.get("role")) for tag, given in seen(answer).tags]
        page = await reader.done("/note/new", what="appointment", profession="cardiologista", at="2026-03-05T10:30")
        assert "cardiologista" in page.text
        assert (await the_note(house, NoteKind.APPOINTMENT)).title in page.text
    async with a_reader(house, user="nobody") as reader:
        for what in ("report", "appointment"):
            assert "nothing=1" in (await reader.post("/note/new", what=what)).headers["location"]


def test_a_name_is_safe_in_a_header_and_whole_in_new_browsers() -> None:
    header = attachment('ação "x"\r\n.md')
    assert not {"\r", "\n"} & set(header)
    assert header.count('"') == 2
    assert unquote(header.partition("UTF-8''")[2]) == 'ação "x"\r\n.md'
