"""Verbs about what was understood: learn, notes, conflicts, resolve, reopen, and the compact memory."""

from __future__ import annotations

import asyncio
from datetime import date, datetime
from typing import Any

import pytest

from builders import an_id, days, minutes
from loops import each
from memories import Clock
from readers import NotationReader
from relembra import InvalidInputError, Memory, NotFoundError
from relembra.domain.candidate import Talk
from relembra.domain.case import Outcome
from relembra.learn.casework import Conflict


async def said(
    memory: Memory, *texts: str, user: str = "ana", space: str | None = None, channel: str | None = None
) -> None:
    for text in texts:
        await memory.save(user=user, said=text, space=space, channel=channel)
    await memory.settle(flush=True)


async def a_conflict(memory: Memory) -> Conflict:
    await said(memory, "[birthday=5 May] [birthday=6 May]")
    [conflict] = await memory.conflicts(user="ana", open_only=True)
    return conflict


async def test_learning_now_flushes_ones_own_buffers_and_leaves_the_others(listener: Memory) -> None:
    for user in ("ana", "bia"):
        await listener.save(user=user, said="[likes=tea]")
    await listener.save(user="ana", said="[likes=milk]", space="g1")
    learnt = await listener.learn(user="ana")
    assert [item.value for item in learnt.added] == ["tea"]
    assert await listener.list(user="bia") == []
    assert [item.value for item in (await listener.learn(user="ana", space="g1")).added] == ["milk"]
    assert (await listener.learn(user="ana")).added == []


async def test_an_answer_by_the_api_settles_it_by_case_or_item_and_with_or_without_the_name(listener: Memory) -> None:
    conflict = await a_conflict(listener)
    settled = await listener.resolve(conflict.id, keep="new", user="ana")
    assert (settled.case.outcome, settled.new.validated) == (Outcome.NEW, True)
    assert (await listener.resolve(conflict.id, keep="old")).case.outcome is Outcome.OLD
    assert (await listener.resolve(conflict.new.id, keep="both", user="ana")).case.outcome is Outcome.BOTH
    assert await listener.conflict(conflict.old.id, user="ana") == await listener.conflict(conflict.id, user="ana")
    assert await listener.conflicts(user="ana", open_only=True) == []
    assert (await listener.reopen(conflict.id)).case.outcome is Outcome.OPEN
    assert (await listener.load(user="ana", query="hello")).question is not None


async def test_anothers_case_answers_as_an_unknown_one(listener: Memory) -> None:
    conflict = await a_conflict(listener)
    for id in (conflict.id, an_id()):
        for who in ({"user": "bia"}, {"user": "ana", "tenant": "other"}):
            with pytest.raises(NotFoundError):
                await listener.conflict(id, **who)
            with pytest.raises(NotFoundError):
                await listener.resolve(id, keep="new", **who)
            with pytest.raises(NotFoundError):
                await listener.reopen(id, **who)
    with pytest.raises(NotFoundError):
        await listener.resolve(conflict.id, keep="new", tenant="other")
    with pytest.raises(InvalidInputError):
        await listener.resolve(conflict.id, keep="perhaps", user="ana")


async def test_pages_of_notes_hold_those_of_every_place_once_and_newest_first(listener: Memory, clock: Clock) -> None:
    for number in range(9):
        await said(listener, f"m{number}", space=(None, "g1", "g2")[number % 3])
        await said(listener, f"bia {number}", user="bia", space="g1")
        clock.move(hours=1)
    seen, after = [], None
    while True:
        page = await listener.notes(user="ana", limit=2, after=after)
        seen += [note.summary for note in page]
        after = page.next
        if after is None:
            break
    assert seen == [f"ana: m{number}" for number in range(8, -1, -1)]


async def test_a_channel_s_notes_are_those_of_that_channel(listener: Memory) -> None:
    await said(listener, "hello", space="g1", channel="garden")
    await said(listener, "supper?", space="g1", channel="kitchen")
    await said(listener, "to myself")

    async def told(**where: Any) -> list[str]:
        return sorted(note.summary for note in await listener.notes(user="ana", **where))

    assert await told(space="g1", channel="kitchen") == ["ana: supper?"]
    assert await told(space="g1", channel="attic") == []
    assert await told(space="g1") == ["ana: hello", "ana: supper?"]
    assert await told() == await told(channel="direct") == ["ana: hello", "ana: supper?", "ana: to myself"]


async def test_a_note_is_for_those_who_took_part(listener: Memory) -> None:
    await said(listener, "hello", space="g1")
    [note] = await listener.notes(user="ana")
    assert await listener.notes(user="bia", space="g1") == [note]
    with pytest.raises(NotFoundError):
        await listener.note(note.id, user="bia")
    assert await listener.note(note.id, user="bia", space="g1") == note
    for elsewhere in ("g2", None):
        with pytest.raises(NotFoundError):
            await listener.note(note.id, user="bia", space=elsewhere)
    with pytest.raises(InvalidInputError):
        await listener.note(note.id, user="ana", channel="general")
    with pytest.raises(NotFoundError):
        await listener.note(note.id, user="ana", tenant="other")


async def test_what_is_settled_is_not_asked_again(listener: Memory, clock: Clock) -> None:
    conflict = await a_conflict(listener)
    assert (await listener.load(user="ana", query="hello")).question is not None
    await listener.resolve(conflict.id, keep="old", user="ana")
    clock.move(days=2)
    await said(listener, "[birthday=5 May]")
    assert (await listener.load(user="ana", query="hello")).question is None
    assert [item.value for item in await listener.list(user="ana", attribute="birthday")] == ["5 May"]


@each(["2026-03-01", 3, "yesterday", datetime(2026, 3, 1)])
async def test_usage_since_anything_but_a_date_is_refused(since: Any, listener: Memory) -> None:
    with pytest.raises(InvalidInputError, match="since") as refused:
        await listener.usage(since=since)
    assert refused.value.field == "since"
    assert await listener.usage(since=date(2026, 3, 1)) == []


async def test_learning_that_was_interrupted_goes_on_at_once(listener: Memory, reader: NotationReader) -> None:
    begun = asyncio.Event()

    async def never(_: Talk) -> None:
        begun.set()
        await asyncio.Event().wait()

    reader.on_digest = never
    await listener.save(user="ana", said="[residence=Recife]")
    learning = asyncio.create_task(listener.learn(user="ana"))
    await begun.wait()
    learning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await learning
    reader.on_digest = None
    assert [item.value for item in (await listener.learn(user="ana")).added] == ["Recife"]


async def test_opening_a_report_tells_what_was_brought_into_its_week_since(listener: Memory, clock: Clock) -> None:
    then = clock.now - days(10)
    await listener.save(user="ana", said="[likes=tea]", at=then)
    await listener.settle(flush=True)
    written = await listener.report("weekly", user="ana", day=then.date())
    assert written is not None
    assert await listener.note(written.id, user="ana") == written
    clock.move(hours=1)
    await listener.save(user="ana", said="[likes=rowing]", at=then + minutes(90))
    await listener.settle(flush=True)
    assert await listener.note(written.id, user="ana", outside=True) == written  # a reader elsewhere changes nothing
    opened = await listener.note(written.id, user="ana")
    assert ("rowing" in written.summary, "rowing" in opened.summary, "tea" in opened.summary) == (False, True, True)
    assert await listener.note(written.id, user="ana") == opened
