"""One item: what it says and where from, its versions, and each thing a person may do to it and take back."""

from __future__ import annotations

import pytest

from gardens import merged_into
from houses import House
from loops import each
from readers import UNSURE, judged
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import NotFoundError
from web_pages import Reader, Seen, a_reader, seen

OVER = f"acabou & <b> (ends Thursdays {UNSURE})"


async def learnt(house: House, content: str = "Mora em Olinda", **parts: object) -> KnowledgeItem:
    """Something a program made known, which the person has not confirmed."""
    house.clock.move(minutes=1)
    return await house.memory.add(content, user="ana", by="program:app", **parts)  # type: ignore[arg-type]


async def contents(house: House) -> list[str]:
    return [item.content for item in await house.memory.list(user="ana")]


async def undone(reader: Reader, page: Seen) -> Seen:
    """Press the button that takes back what was just done."""
    return await reader.done("/undo", **page.forms["/undo"])


async def test_what_is_in_doubt_stands_beside_the_newer_words_everywhere(house: House, reader: Reader) -> None:
    item = await learnt(house, "Volleyball on Thursdays", attribute="habit", value="volleyball on Thursdays")
    house.clock.move(days=1)
    await judged(house.memory, OVER)
    told = f"n 2 March said: “{OVER}”"
    page = await reader.get(f"/item/{item.id}")
    assert told in page.text
    assert "Which one is right?" in page.text
    assert f"/questions/{item.id}" in page.links
    for path in ("/", "/?q=volleyball", "/profile"):
        assert told in (await reader.get(path)).text, path
    assert OVER in (await reader.get(f"/questions/{item.id}")).text
    page = await reader.done(f"/item/{item.id}/confirm", version=str(item.version + 1))
    assert told not in page.text
    assert told not in (await reader.get("/")).text


async def test_a_correction_shows_the_old_beside_the_new_and_is_not_lost_where_it_came_late(house: House) -> None:
    item = await learnt(house)
    address = f"/item/{item.id}/correct"
    async with a_reader(house, language="pt") as reader:
        fields = (await reader.get(address)).forms[address]
        await house.memory.validate(item.id, user="ana")
        late = await reader.post(address, **{**fields, "content": "Mora no Recife"})
        assert late.status_code == 409
        assert "Mora no Recife" in late.text
        assert await contents(house) == ["Mora em Olinda"]
        fields = seen(late).forms[address]
        page = await reader.done(address, **{**fields, "content": "Mora no Recife", "why": "mudei"})
        assert "mudei" in page.text
        assert await contents(house) == ["Mora no Recife"]
        back = await undone(reader, page)
        assert await contents(house) == ["Mora em Olinda"]
        assert address in back.links


async def test_a_decision_about_an_item_that_was_merged_leads_to_what_it_was_merged_into(
    house: House, reader: Reader
) -> None:
    kept, shown = await learnt(house, "Sabe cantar"), await learnt(house, "Sabe cantar bem")
    forms = (await reader.get(f"/item/{shown.id}")).forms
    await merged_into(house.memory._store, kept.id, shown.id, clock=house.clock)
    house.clock.move(minutes=1)
    page = await reader.done(f"/item/{shown.id}/delete", **forms[f"/item/{shown.id}/delete"])
    assert f"/item/{kept.id}/restore" in page.forms
    assert await house.memory.list(user="ana", history=True) == []
    assert "corrected" not in (await reader.get(f"/item/{shown.id}")).text
    await undone(reader, page)
    assert await contents(house) == ["Sabe cantar"]
    form = forms[f"/item/{shown.id}/confirm"] | {"version": ""}
    first = await reader.post(f"/item/{shown.id}/confirm", **form)
    assert (await house.memory.get(kept.id, user="ana")).validated
    house.clock.move(minutes=1)
    again = await reader.post(f"/item/{shown.id}/confirm", **form)
    assert ["undo=" in answer.headers["location"] for answer in (first, again)] == [True, False]


@each([
    ("en", ("one report that quotes it", "2 reports that quote it", "(1 message)"), ("items 1", "notes 2")),
    ("pt", ("um relatório que o cita", "2 relatórios que o citam", "(1 mensagem)"), ("itens 1", "notas 2")),
])  # fmt: skip
async def test_forgetting_names_what_goes_asks_twice_and_leaves_a_receipt(
    language: str, told: tuple[str, str, str], receipt: tuple[str, str], house: House
) -> None:
    saved = await house.memory.save(user="ana", said="Moro em Olinda")
    item = await learnt(house, message_ids=[message.id for message in saved.messages])
    today = house.clock().date()
    week = await house.memory.report(user="ana", day=today, language=language)
    async with a_reader(house, language=language) as reader:
        first = await reader.get(f"/item/{item.id}/forget")
        month = await house.memory.report("monthly", user="ana", day=today, language=language)
        warning = await reader.get(f"/item/{item.id}/forget")
        assert told[0] in first.text
        assert told[1] in warning.text
        assert told[2] in warning.text
        for note in (week, month):
            assert note is not None
            assert f"/note/{note.id}" in warning.links
        assert (await reader.post(f"/item/{item.id}/forget")).status_code == 422
        assert await contents(house) == ["Mora em Olinda"]
        page = seen(await reader.post(f"/item/{item.id}/forget", sure="yes"))
        assert all(part in page.text for part in receipt)
        assert (await reader.answer(f"/item/{item.id}")).status_code == 404
    with pytest.raises(NotFoundError):
        await house.memory.get(item.id, user="ana")
    assert not await house.memory.notes(user="ana", kind=["weekly", "monthly"])
    await house.memory.forget(user="ana", all=True)
