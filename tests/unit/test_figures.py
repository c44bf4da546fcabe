"""Verbs that look at a memory from above: what was decided, over_time, timeline."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from builders import ANA, NOW, a_conversation, a_note, an_item, days, kept, minutes
from loops import each
from memories import Clock
from relembra import InvalidInputError, KnowledgeType, Memory, Moment, Note, NoteKind
from relembra.domain.scope import Place, shelf_of
from relembra.views.timeline import MOST_STEPS

MONDAY = date(2026, 2, 23)  # of the week NOW lies in


async def test_what_was_decided_is_listed_found_and_counted(memory: Memory) -> None:
    await memory.add("Dorme cedo", user="ana", area="health")
    guess = await memory.add("Dorme mal", user="ana", source="ai_inference", by="model:test")
    near = await memory.add("Dorme só", user="ana", local_only=True)
    first = await memory.add("Dormia pouco", user="ana", attribute="residence", value="Recife")
    second = await memory.add("Dormia muito", user="ana", attribute="residence", value="Natal")
    for item in (first, second):
        await memory.delete(item.id, user="ana")
    right = {"unconfirmed": {guess.id}, "local": {near.id}, "deleted": {first.id, second.id}, "questioned": set()}
    for state, ids in right.items():
        assert {item.id for item in await memory.list(user="ana", only=state)} == ids, state
        assert {hit.item.id for hit in await memory.search("dorme", user="ana", limit=10, only=state)} == ids, state
        assert {hit.item.id for hit in (await memory.recall("dorme", user="ana", only=state)).items} == ids, state
        assert (await memory.count(user="ana", only=state)).total == len(ids), state
    assert (await memory.count(user="ana", only="confirmed", area="none")).total == 1
    assert (await memory.count(user="ana", only="confirmed", area=["none", "health"])).total == 2
    assert await memory.list(user="ana", only="local", outside=True) == []


async def test_what_came_and_went_is_told_in_its_week(memory: Memory, clock: Clock) -> None:
    clock.move(days=-14)
    old = await memory.add("Mora em Recife", user="ana", attribute="residence", value="Recife", source="conversation")
    wrong = await memory.add("Tem um gato", user="ana", area="leisure")
    away = await memory.add("Lê muito", user="ana", area="leisure")
    clock.move(days=7)
    await memory.add("Mora em Natal", user="ana", attribute="residence", value="Natal", source="conversation")
    await memory.delete(wrong.id, user="ana")
    clock.move(days=7)
    await memory.archive(away.id, user="ana")
    first, second, third = (await memory.over_time(user="ana", since=NOW - days(14))).steps
    assert (first.start, third.start) == (MONDAY - timedelta(weeks=2), MONDAY)
    assert (first.learnt, first.ended, first.deleted) == ({"leisure": 2, old.area: 1}, 0, 0)
    assert (sum(second.learnt.values()), second.ended, second.deleted, second.archived) == (1, 1, 1, 0)
    assert (third.learnt, third.archived, third.faded) == ({}, 1, 0)
    await memory.restore(wrong.id, user="ana")
    assert (await memory.over_time(user="ana")).steps[-2].deleted == 0


async def test_moods_are_told_in_the_words_of_reports_once_a_day(memory: Memory) -> None:
    def feeling(content: str, **parts: Any) -> Any:
        return an_item(type=KnowledgeType.EMOTION, content=content, **parts)

    await kept(
        memory._store,
        feeling("Está ansiosa com a prova", held_from=NOW - days(7), reinforced_at=NOW),
        feeling("Feels happy about the new job", held_from=NOW, reinforced_at=NOW + minutes(5), observations=2),
        feeling("Sente algo estranho", held_from=NOW, superseded_at=NOW),
        feeling("Rui está triste", subject="Rui", held_from=NOW),
        feeling("Está triste", speaker="rui", held_from=NOW),
        feeling("Estava triste", held_from=NOW, deleted_at=NOW),
    )
    before, now = (await memory.over_time(user="ana", since=NOW - days(7))).steps
    assert (before.moods, now.moods) == ({"hard": 1}, {"glad": 1, "hard": 1, "neither": 1})


@each(
    [
        ({"step": "year"}, "step"),
        ({"since": NOW + days(1)}, "until"),
        ({"since": NOW, "until": NOW}, "until"),
        ({"since": NOW - days(7 * MOST_STEPS)}, "step"),
        ({"since": NOW - days(MOST_STEPS), "step": "day"}, "step"),
        ({"since": datetime.min.replace(tzinfo=UTC), "step": "month"}, "step"),
        ({"until": datetime.max.replace(tzinfo=UTC)}, "since"),
        ({"since": "2026"}, "since"),
        ({"until": datetime(2026, 3, 1)}, "until"),  # without a clock
    ]
)
async def test_a_time_that_cannot_be_told_is_refused(asked: dict[str, Any], field: str, memory: Memory) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await memory.over_time(user="ana", **asked)
    assert caught.value.field == field


async def whole_line(memory: Memory, *, limit: int, **asked: Any) -> list[Moment]:
    told: list[Moment] = []
    after = None
    while True:
        page = await memory.timeline(user="ana", limit=limit, after=after, **asked)
        assert len(page) <= limit
        told += page
        after = page.next
        if after is None:
            return told


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
async def test_notes_and_events_are_one_line_newest_first(memory: Memory, limit: int) -> None:
    notes = [a_note(happened_at=NOW - days(at), kind=kind) for at, kind in ((1, NoteKind.CONVERSATION),
             (3, NoteKind.WEEKLY), (3, NoteKind.TOPIC_CLUSTER), (5, NoteKind.JOURNAL))]  # fmt: skip
    events = [an_item(attribute="event", held_from=NOW - days(at)) for at in (0, 3, 3, 9)]
    events.append(an_item(attribute="meeting", held_from=NOW + days(2), expires_at=NOW + days(3)))
    aside = [a_note(kind=kind) for kind in (NoteKind.SESSION, NoteKind.DOCUMENT)]
    await kept(memory._store, *notes, *events, an_item(), *aside)
    told = await whole_line(memory, limit=limit)
    rows = [(note.happened_at, note.id) for note in notes] + [(item.held_from, item.id) for item in events]
    assert [(moment.at, moment.id) for moment in told] == sorted(rows, reverse=True)
    assert {moment.note for moment in told if moment.item is None} == set(notes)
    assert [moment.item for moment in told if moment.note is None] == sorted(
        events, key=lambda item: (item.held_from, item.id), reverse=True
    )


async def test_a_space_tells_its_own_and_the_person_those_they_were_in(memory: Memory) -> None:
    shelf = shelf_of(ANA, Place("guild", "general"))

    def noted(*names: str) -> Note:
        return a_note(scope=shelf, place=Place("guild", "general"), participants=names)

    with_ana, without = noted("ana", "rui"), noted("rui")
    own = a_note(happened_at=NOW - days(1))
    event = an_item(attribute="event", place=Place("guild", "general"), held_from=NOW - days(2))
    await kept(memory._store, with_ana, without, own, event)
    await kept(memory._store, a_conversation(place=Place("guild", "general")))
    alone = [moment.id for moment in await memory.timeline(user="ana")]
    assert alone == [with_ana.id, own.id, event.id]
    there = {moment.id for moment in await memory.timeline(user="ana", space="guild")}
    assert there == {with_ana.id, without.id, event.id}
