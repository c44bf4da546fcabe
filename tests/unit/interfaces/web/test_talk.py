"""Talking with the memory, with a model or without one; and trying out what it would recall and learn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from houses import House, a_house
from loops import each
from upstreams import fails, hangs_up, says, upstream
from web_pages import Reader, a_reader, seen


async def said(house: House) -> list[str]:
    return [message.text for message in reversed(await house.memory.messages(user="ana"))]


@each([
    (says("In Leeds."), ""),
    (fails(429), "está sobrecarregado"),
    (fails(401), "recusou a chave"),
    (fails(404), "O modelo não foi encontrado. Sua mensagem foi salva; quem administra pode corrigir isso."),
    (fails(504), "O modelo demorou demais. Sua mensagem foi salva; tente de novo em instantes."),
    (fails(500), "Não foi possível acessar o modelo. Sua mensagem foi salva; tente de novo em instantes."),
    (hangs_up, "Não foi possível acessar o modelo. Sua mensagem foi salva; tente de novo em instantes."),
])  # fmt: skip
async def test_a_model_is_asked_once_and_its_trouble_loses_nothing(first: object, words: str) -> None:
    async with (
        upstream(first, says("No Recife.")) as model,  # type: ignore[arg-type]
        a_house(is_open=True, keys=False, upstream=model.url) as house,
        a_reader(house, language="pt") as reader,
    ):
        once = (await reader.get("/talk")).forms["/talk"]["once"]
        typed = {"said": "Onde eu moro?", "once": once}
        if not words:
            await asyncio.gather(reader.post("/talk", **typed), reader.post("/talk", **typed))
            assert len(model.asked) == 1
            assert await said(house) == ["Onde eu moro?", "In Leeds."]
            return
        page = await reader.done("/talk", **typed)
        assert words in page.text
        assert "Pedir de novo" in page.text
        assert await said(house) == ["Onde eu moro?"]
        again = await reader.done("/talk", do="again")
        assert "No Recife." in again.text
        assert await said(house) == ["Onde eu moro?", "No Recife."]


async def test_a_command_is_carried_out_once_and_not_kept(house: House, reader: Reader) -> None:
    typed = {"said": "/remember I love jazz", "once": (await reader.get("/talk")).forms["/talk"]["once"]}
    first, second = await asyncio.gather(reader.post("/talk", **typed), reader.post("/talk", **typed))
    assert seen(first).text == seen(second).text
    assert "A command. It is not saved as part of the conversation." in seen(first).text
    assert len(await house.memory.list(user="ana")) == 1
    assert await said(house) == []


async def test_nothing_of_somebody_blocked_is_kept_and_what_they_typed_stays_before_them(
    house: House, reader: Reader
) -> None:
    await house.memory.block("ana")
    answer = await reader.post("/talk", said="I live in Leeds.")
    assert "because they are blocked. Your text is still in the box." in seen(answer).text
    assert "I live in Leeds." in answer.text
    assert await said(house) == []


@pytest.mark.parametrize("verb", ["list", "jobs"])
async def test_what_is_learnt_while_the_page_is_made_is_on_it_or_it_looks_again(
    house: House, reader: Reader, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = house.memory
    await reader.post("/talk", said="My blood type is O negative.")
    asked = getattr(memory, verb)

    async def and_then_learnt(**how: Any) -> Any:
        found = await asked(**how)
        await memory.settle()
        return found

    monkeypatch.setattr(memory, verb, and_then_learnt)
    page = await reader.get("/talk")
    looks_again = any("hx-trigger" in given for _, given in page.tags)
    assert looks_again or "Blood type" in page.text
    assert "Blood type" in (await reader.get("/talk")).text


async def test_a_trial_shows_what_would_be_recalled_and_learnt_and_keeps_nothing(house: House, reader: Reader) -> None:
    known = "I live in Leeds. My blood type is O negative. I love jazz."
    await house.memory.save(user="ana", said=known, conversation="c")
    await house.memory.learn(user="ana")
    await house.memory.add("Plays the cello on Sundays", user="ana")
    for number in range(12):
        await house.memory.add(f"Read the book number {number} about gardens", user="ana")

    async def state() -> list[tuple[str, int, int]]:
        items = await house.memory.list(user="ana", history=True, limit=100)
        return [(item.id, item.accesses, item.version) for item in items]

    before = await state()
    page = await reader.get("/talk/recall", q="Which city do I live in?", budget="400")
    for told in ("“Leeds”", "of 400 tokens used", "Results and why (", "meaning 0.", "Close, but left out ("):
        assert told in page.text
    [item] = await house.memory.list(user="ana", attribute="residence")
    assert f"/item/{item.id}" in page.links
    parts = [given for tag, given in page.tags if tag == "rect" and given.get("class", "").startswith("part-")]
    assert parts
    assert all(float(given["x"]) + float(given["width"]) <= 100.1 for given in parts)
    few = await reader.get("/talk/recall", q="cello", budget="40")
    many = await reader.get("/talk/recall", q="cello", budget="40", all="1")
    assert few.text.count("about gardens") < many.text.count("about gardens")

    typed = (
        "Good morning! We moved, so now I live in Bristol. My blood type is B positive. I love jazz. "
        "I have a cat called Pixel. Do you like rain?"
    )
    page = seen(await reader.post("/talk/learn", text=typed))
    for words in ("replaces", "known already", "new", typed):
        assert words in page.text
    assert "del" in [tag for tag, _ in page.tags]
    for text, why in (("Do you like rain?", "Nothing is learnt from a question"), ("Hello.", "nothing lasting in it")):
        assert why in seen(await reader.post("/talk/learn", text=text)).text
    await house.memory.settle(flush=True)
    assert await state() == before
    assert await said(house) == [known]


async def test_a_diary_entry_is_kept_once_and_is_no_part_of_the_talk(house: House, reader: Reader) -> None:
    page = await reader.get("/talk")
    assert "Write in the journal" in page.text
    typed = {"do": "journal", "said": "Long day.\nI moved to Leeds last week.", "once": page.forms["/talk"]["once"]}
    await asyncio.gather(reader.post("/talk", **typed), reader.post("/talk", **typed))
    [entry] = await house.memory.messages(user="ana")
    assert (entry.text, entry.is_journal) == (typed["said"], True)
    await house.memory.settle()
    assert "Leeds" in (await reader.get("/history?kind=journal")).text
    assert "Long day" not in (await reader.get("/talk")).text
    await house.memory.block("ana")
    refused = await reader.post("/talk", do="journal", said="Another day.", once="another")
    assert "Another day." in refused.text
