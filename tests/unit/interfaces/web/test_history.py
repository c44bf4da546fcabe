"""The history: the timeline, and the memory of one day."""

from __future__ import annotations

import re
from datetime import timedelta

from builders import NOW, a_note, kept
from houses import House
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import NoteKind
from relembra.domain.scope import Place
from relembra.interfaces.web.history import ITEMS, MOMENTS
from relembra.locale import Words
from web_pages import Reader, Seen, a_reader, seen

ADDRESSES = ("/history", "/history/day")
EN = Words("en", "web", "names")
HOUSE = {"is_open": True, "keys": False, "timezone": "America/Sao_Paulo"}


async def happened(house: House, content: str, *, days_ago: float, **parts: object) -> KnowledgeItem:
    """An event that was made known when it happened."""
    house.clock.now = NOW - timedelta(days=days_ago)
    item = await house.memory.add(content, user="ana", type="memory", **parts)  # type: ignore[arg-type]
    house.clock.now = NOW
    return item


async def test_a_life_is_told_by_days_and_as_it_was_on_a_day(house: House, reader: Reader) -> None:
    for days_ago, said, felt in (
        (150, "Moro em Curitiba.", "Está triste com o trabalho"),
        (90, "Minha irmã Clara mora em Recife e trabalha como enfermeira.", None),
        (40, "Mudei para Florianópolis.", "Está feliz com a casa nova"),
        (3, "Peso 66 quilos.", None),
    ):
        house.clock.now = NOW - timedelta(days=days_ago)
        await house.memory.save(user="ana", said=said, conversation=f"c{days_ago}")
        await house.memory.settle(flush=True)
        if felt is not None:
            await house.memory.add(felt, user="ana", type="emotion", area="mental_health")
    gone = await happened(house, "Corrida no parque", days_ago=60, area="health")
    await house.memory.delete(gone.id, user="ana")
    event = await happened(house, "Show da Marisa", days_ago=3.45, area="leisure")  # 01:12 UTC, the evening before here
    coming = await house.memory.add("Viagem", user="ana", type="memory", held_from=NOW + timedelta(days=2))
    shared = a_note(title="Obra", summary="Obra.", participants=("Ana", "Bia"), place=Place("obra", "geral"))
    await kept(house.memory._store, shared)

    page = await reader.get("/history")
    for told in ("February 2026", "Thursday, February 26, 2026", "22:12", EN("page.history.to_come")):
        assert told in page.text
    assert {f"/item/{event.id}", f"/item/{coming.id}"} <= set(page.links)
    assert page.text.index("Show da Marisa") < page.text.index("Minha irmã Clara")
    assert EN("page.note.empty") in (await reader.get("/history", kind=NoteKind.APPOINTMENT)).text
    talks = await reader.get("/history", kind=NoteKind.CONVERSATION)
    assert ("Peso 66 quilos" in talks.text, "Show da Marisa" in talks.text) == (True, False)

    then = await reader.get("/history/day", on="2025-12-31")
    for told in ("Mora em Curitiba", "replaced on Jan 20", "Mora em Florianópolis", "deleted on Mar 1", "Corrida no"):
        assert told in then.text
    assert "Corrida no parque" not in (await reader.get("/history/day", on="2025-10-03")).text
    assert "Mora em Curitiba" not in (await reader.get("/history/day")).text

    async with a_reader(house, user="bia", language="pt") as other:
        none = ("page.history.none", "page.memory.empty")
        for address, key in zip(ADDRESSES, none, strict=True):
            page = await other.get(address)
            assert Words("pt", "web", "names")(key) in page.text
            assert set(ADDRESSES) <= set(page.links)
            assert "Florianópolis" not in page.text


async def test_more_is_shown_page_by_page_without_gaps_or_doubles(house: House, reader: Reader) -> None:
    for number in range(MOMENTS + 5):
        await happened(house, f"Evento {number}", days_ago=number / 10)
    first = await reader.get("/history")
    [more] = {link for link in first.links if "after=" in link}
    rest = await reader.get(more)
    part = seen(await reader.client.get(more, headers={"HX-Request": "true"}))
    told = [re.findall(r"Evento \d+", page.text) for page in (first, rest)]
    assert told[0] + told[1] == [f"Evento {number}" for number in range(MOMENTS + 5)]
    assert rest.text.count("February 2026") > part.text.count("February 2026")  # headings that stand there already

    def listed(page: Seen) -> list[str]:
        return re.findall(r"Evento \d+", page.text.split(EN("page.history.known_then"))[1])

    day = await reader.get("/history/day")
    [more] = {link for link in day.links if "after=" in link}
    assert len(listed(day)) == ITEMS
    assert listed(day) + listed(await reader.get(more)) == [f"Evento {number}" for number in range(MOMENTS + 5)]
