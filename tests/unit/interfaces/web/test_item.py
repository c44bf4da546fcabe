"""One item: what it says and where from, its line through time, and each thing a person may do to it and take back."""

from __future__ import annotations

import pytest

from gardens import merged_into
from houses import House
from readers import UNSURE, judged
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import NotFoundError
from web_pages import Reader, Seen, a_reader, seen

SCRIPT = '<script>alert("x")</script><img src=x onerror=alert(1)>'
UNKNOWN = "0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77"
OVER = f"acabou & <b> (ends Thursdays {UNSURE})"


async def learnt(house: House, content: str = "Mora em Olinda", **parts: object) -> KnowledgeItem:
    """Something a program made known, which the person has not confirmed."""
    house.clock.move(minutes=1)
    return await house.memory.add(content, user="ana", by="program:app", **parts)  # type: ignore[arg-type]


async def held(house: House, item: KnowledgeItem) -> KnowledgeItem:
    return await house.memory.get(item.id, user="ana")


async def undone(reader: Reader, page: Seen) -> Seen:
    """Press the button that takes back what was just done."""
    assert "/undo" in page.forms
    return await reader.done("/undo", **page.forms["/undo"])


# ── what it says ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            ("from a conversation", "Source", "residence : Olinda", "true since", "Original messages"),
        ),
        ("pt", ("de uma conversa", "Origem", "residência : Olinda", "válido desde", "Mensagens originais")),
    ],
)
async def test_an_item_is_told_with_the_very_words_it_came_from(
    house: House, language: str, told: tuple[str, ...]
) -> None:
    saved = await house.memory.save(user="ana", said="Agora moro em Olinda!", author="Ana Lima")
    item = await learnt(
        house,
        attribute="residence",
        value="Olinda",
        tags=["casa nova"],
        message_ids=[message.id for message in saved.messages],
    )
    async with a_reader(house, language=language) as reader:
        page = await reader.get(f"/item/{item.id}")
        text = page.text.replace("residence: ", "residence : ").replace("residência: ", "residência : ")
        for words in (*told, "Agora moro em Olinda!", "Ana Lima"):
            assert words in text, words
        assert "/?tag=casa+nova" in page.links


@pytest.mark.parametrize(
    ("language", "told", "asked"),
    [
        ("en", f"n 2 March said: “{OVER}”", "Which one is right?"),
        ("pt", f"m 2 de março disse: “{OVER}”", "Qual está certo?"),
    ],
)
async def test_what_is_in_doubt_stands_beside_the_newer_words_everywhere(
    house: House, language: str, told: str, asked: str
) -> None:
    item = await learnt(house, "Volleyball on Thursdays", attribute="habit", value="volleyball on Thursdays")
    house.clock.move(days=1)
    await judged(house.memory, OVER)
    async with a_reader(house, language=language) as reader:
        page = await reader.get(f"/item/{item.id}")
        assert told in page.text
        assert asked in page.text
        assert f"/questions/{item.id}" in page.links
        for path in ("/", "/?q=volleyball", "/profile"):
            assert told in (await reader.get(path)).text, path
        question = await reader.get(f"/questions/{item.id}")
        assert OVER in question.text
        page = await reader.done(f"/item/{item.id}/confirm", version=str(item.version + 1))
        assert told not in page.text
        assert told not in (await reader.get("/")).text


async def test_an_item_that_nobody_has_is_missed_kindly(house: House) -> None:
    other = await house.memory.add("Mora no Rio", user="bia")
    async with a_reader(house, language="pt") as reader:
        for id in (UNKNOWN, other.id, "x"):
            answer = await reader.answer(f"/item/{id}")
            assert answer.status_code == 404
            assert "Não encontrado" in answer.text
            assert "Mora no Rio" not in answer.text


@pytest.mark.parametrize(
    ("language", "through", "history"),
    [("en", "Versions", "See history"), ("pt", "Versões", "Ver histórico")],
)
async def test_its_line_through_time_begins_with_what_holds_now(
    house: House, language: str, through: str, history: str
) -> None:
    steps = [
        await learnt(house, f"Mora em {city}", attribute="residence", value=city) for city in ("Ur", "Oslo", "Lima")
    ]
    async with a_reader(house, language=language) as reader:
        last = await reader.get(f"/item/{steps[-1].id}")
        assert history in last.text
        for step in steps:
            page = await reader.get(f"/item/{step.id}")
            line = page.text[page.text.index(through) :]
            assert line.index("Lima") < line.index("Oslo") < line.index("Ur")
        first = await reader.get(f"/item/{steps[0].id}")
        assert f"/item/{steps[-1].id}" in first.links
        assert f"/item/{steps[0].id}/correct" not in first.links


async def test_every_change_is_told_with_who_made_it(house: House) -> None:
    item = await learnt(house)
    async with a_reader(house, language="pt") as reader:
        await reader.post(f"/item/{item.id}/confirm")
        page = await reader.get(f"/item/{item.id}")
        assert "confirmado por você" in page.text
        assert "guardado por programa app" in page.text
        assert "0,95" in page.text
        assert "1,00" in page.text


# ── what can be done ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("language", "old"), [("en", "Current version"), ("pt", "Versão atual")])
async def test_correcting_shows_the_old_beside_the_new(house: House, language: str, old: str) -> None:
    item = await learnt(house, "Mora em Olinda")
    async with a_reader(house, language=language) as reader:
        form = await reader.get(f"/item/{item.id}/correct")
        assert old in form.text
        fields = form.forms[f"/item/{item.id}/correct"]
        page = await reader.done(f"/item/{item.id}/correct", **{**fields, "content": "Mora no Recife", "why": "mudei"})
        answer = page.text
        assert "Mora no Recife" in answer
        assert [tag for tag, _ in page.tags if tag in ("del", "ins")][:2] == ["del", "ins"]
        assert [row.content for row in await house.memory.list(user="ana")] == ["Mora no Recife"]
        back = await undone(reader, page)
        assert [row.content for row in await house.memory.list(user="ana")] == ["Mora em Olinda"]
        assert f"/item/{item.id}/correct" in back.links


async def test_a_correction_of_something_that_changed_meanwhile_is_not_made_and_not_lost(house: House) -> None:
    item = await learnt(house)
    async with a_reader(house, language="pt") as reader:
        fields = (await reader.get(f"/item/{item.id}/correct")).forms[f"/item/{item.id}/correct"]
        await house.memory.validate(item.id, user="ana")
        answer = await reader.post(f"/item/{item.id}/correct", **{**fields, "content": "Mora no Recife"})
        page = seen(answer)
        assert answer.status_code == 409
        assert (
            "Isto mudou nesse meio-tempo, então nada foi feito. Aqui está a versão atual; decida de novo." in page.text
        )
        assert "Mora no Recife" in page.text
        assert [row.content for row in await house.memory.list(user="ana")] == ["Mora em Olinda"]
        await reader.done(
            f"/item/{item.id}/correct", **{**page.forms[f"/item/{item.id}/correct"], "content": "Mora lá"}
        )
        assert [row.content for row in await house.memory.list(user="ana")] == ["Mora lá"]


async def test_deleting_hides_it_and_it_can_be_brought_back_twice_over(house: House) -> None:
    item = await learnt(house)
    async with a_reader(house, language="pt") as reader:
        page = await reader.done(f"/item/{item.id}/delete", back=f"/item/{item.id}")
        assert ". Não é mais usado; você pode restaurar." in page.text
        assert await house.memory.list(user="ana") == []
        await undone(reader, page)
        assert len(await house.memory.list(user="ana")) == 1
        page = await reader.done(f"/item/{item.id}/delete", back=f"/item/{item.id}")
        await reader.done(f"/item/{item.id}/restore", **page.forms[f"/item/{item.id}/restore"])
        assert len(await house.memory.list(user="ana")) == 1


async def test_a_decision_about_an_item_that_was_merged_leads_to_what_it_was_merged_into(house: House) -> None:
    kept, shown = await learnt(house, "Sabe cantar"), await learnt(house, "Sabe cantar bem")
    async with a_reader(house) as reader:
        forms = (await reader.get(f"/item/{shown.id}")).forms
        await merged_into(house.memory._store, kept.id, shown.id, clock=house.clock)
        house.clock.move(minutes=1)
        page = await reader.done(f"/item/{shown.id}/delete", **forms[f"/item/{shown.id}/delete"])
        assert f"/item/{kept.id}/restore" in page.forms
        assert "deleted" in page.text
        assert await house.memory.list(user="ana", history=True) == []
        assert "corrected" not in (await reader.get(f"/item/{shown.id}")).text
        await undone(reader, page)
        assert [item.id for item in await house.memory.list(user="ana")] == [kept.id]
        form = forms[f"/item/{shown.id}/confirm"] | {"version": ""}
        first = await reader.post(f"/item/{shown.id}/confirm", **form)
        assert (await held(house, kept)).validated
        house.clock.move(minutes=1)
        again = await reader.post(f"/item/{shown.id}/confirm", **form)
        assert "undo=" in first.headers["location"]
        assert "undo=" not in again.headers["location"]


async def test_forgetting_warns_asks_twice_and_leaves_a_receipt(house: House) -> None:
    saved = await house.memory.save(user="ana", said="Moro em Olinda")
    item = await learnt(house, message_ids=[message.id for message in saved.messages])
    async with a_reader(house, language="pt") as reader:
        warning = await reader.get(f"/item/{item.id}/forget")
        assert "Isto será apagado definitivamente" in warning.text
        assert "); o assistente poderia aprender de novo com elas" in warning.text
        unsure = await reader.post(f"/item/{item.id}/forget")
        assert unsure.status_code == 422
        assert (await held(house, item)).content == "Mora em Olinda"
        receipt = await reader.done(f"/item/{item.id}/forget", sure="yes")
        assert "itens 1" in receipt.text
        assert "linhas do histórico 1" in receipt.text
        with pytest.raises(NotFoundError):
            await held(house, item)
        assert (await reader.answer(f"/item/{item.id}")).status_code == 404


@pytest.mark.parametrize(
    ("language", "reports", "stays"),
    [
        (
            "en",
            ("one report that quotes it; you can have it written again:", "2 reports that quote it"),
            "the messages it came from (1 message)",
        ),
        (
            "pt",
            ("um relatório que o cita; dá para gerar de novo:", "2 relatórios que o citam"),
            "as mensagens de onde veio (1 mensagem)",
        ),
    ],
)
async def test_the_reports_that_go_with_an_item_are_named_before(
    house: House, language: str, reports: tuple[str, str], stays: str
) -> None:
    saved = await house.memory.save(user="ana", said="Moro em Olinda")
    item = await learnt(house, message_ids=[message.id for message in saved.messages])
    today = house.clock().date()
    week = await house.memory.report(user="ana", day=today, language=language)
    assert week is not None
    async with a_reader(house, language=language) as reader:
        first = await reader.get(f"/item/{item.id}/forget")
        month = await house.memory.report("monthly", user="ana", day=today, language=language)
        assert month is not None
        warning = await reader.get(f"/item/{item.id}/forget")
        assert reports[0] in first.text
        assert reports[1] in warning.text
        assert stays in warning.text
        for note in (week, month):
            assert f"/note/{note.id}" in warning.links
            assert note.title in warning.text
        assert len(await house.memory.notes(user="ana", kind=["weekly", "monthly"])) == 2
        receipt = await reader.done(f"/item/{item.id}/forget", sure="yes")
        assert ("notes 2" if language == "en" else "notas 2") in receipt.text
        assert not await house.memory.notes(user="ana", kind=["weekly", "monthly"])


async def test_a_receipt_counts_numbers_only(house: House) -> None:
    async with a_reader(house) as reader:
        answer = await reader.answer("/item/forgotten", items=SCRIPT, audit="-1", cases="9" * 40, notes="2")
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert "notes 2" in seen(answer).text


@pytest.mark.parametrize("deed", ["confirm", "delete", "restore", "archive", "recover", "local"])
async def test_the_address_of_a_deed_loaded_again_shows_the_item(house: House, deed: str) -> None:
    item = await learnt(house)
    async with a_reader(house) as reader:
        answer = await reader.answer(f"/item/{item.id}/{deed}")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/item/{item.id}")
        assert await held(house, item) == item


async def test_an_undo_that_is_too_late_says_why(house: House) -> None:
    item = await learnt(house)
    async with a_reader(house, language="pt") as reader:
        page = await reader.done(f"/item/{item.id}/confirm", back=f"/item/{item.id}")
        await house.memory.delete(item.id, user="ana")
        answer = await reader.post("/undo", **page.forms["/undo"])
        assert answer.status_code == 409
        assert "Mudou de novo depois" in answer.text


# ── who sees what ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_remembered_never_becomes_a_part_of_the_page(house: House) -> None:
    saved = await house.memory.save(user="ana", said=SCRIPT, author="Ana <b>")
    old = await house.memory.add(SCRIPT, user="ana", attribute="residence", value=SCRIPT, title=SCRIPT)
    item = await house.memory.add(
        SCRIPT + "!",
        user="ana",
        attribute="residence",
        value=SCRIPT + "!",
        title=SCRIPT,
        subject="self",
        sub_area=SCRIPT,
        tags=[SCRIPT],
        evidence=SCRIPT,
        message_ids=[message.id for message in saved.messages],
    )
    await house.memory.delete(item.id, user="ana", why=SCRIPT)
    await house.memory.restore(item.id, user="ana")
    async with a_reader(house) as reader:
        for path in (f"/item/{item.id}", f"/item/{old.id}", f"/item/{item.id}/correct", f"/item/{item.id}/forget"):
            answer = await reader.answer(path)
            assert answer.status_code == 200
            for part in ("<script>alert", "<img src=x", "<b>"):
                assert part not in answer.text
