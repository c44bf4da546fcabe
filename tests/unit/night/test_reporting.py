"""Automatic notes: which time they cover, that there is one of each, and what they leave out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, a_conversation, a_job, a_message, a_note, an_item, days, ids_of, kept, minutes
from gardens import night_services
from loops import each
from memories import Clock, a_memory, a_store
from relembra.domain.jobs import WEEKLY, Job, Run, RunKind, RunStatus
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.policy import LIFE, ReportPolicy
from relembra.domain.scope import Place, Scope, may_hear, new_id
from relembra.errors import InvalidInputError
from relembra.night.reports import Reporter
from relembra.store.port import ForgetItem, NoteFilter, Op, Put, Store

ZONE = "America/Sao_Paulo"
MONDAY_NIGHT = datetime(2026, 3, 9, 6, 30, tzinfo=UTC)  # 03:30 there


def at(day: int, hour: float = 15, month: int = 3) -> datetime:
    return datetime(2026, month, day, int(hour), int(hour % 1 * 60), tzinfo=UTC)


def learnt(content: str, day: int, **changes: Any) -> KnowledgeItem:
    moment = at(day)
    return an_item(
        **{"content": content, "created_at": moment, "held_from": moment, "zone": "-03:00", "language": "en"} | changes
    )


def said(text: str, day: int, **changes: Any) -> Message:
    return a_message(**{"text": text, "sent_at": at(day), "saved_at": at(day), "zone": "-03:00"} | changes)


@pytest.fixture
def clock() -> Clock:
    return Clock(MONDAY_NIGHT)


@pytest.fixture
def reporter(store: Store, clock: Clock) -> Reporter:
    return a_reporter(store, clock)


def a_reporter(store: Store, clock: Clock, **policy: Any) -> Reporter:
    return Reporter(night_services(store, clock, policy=replace(LIFE, report=ReportPolicy(**policy)), new_id=new_id))


def a_report_job(kind: str = WEEKLY, **changes: Any) -> Job:
    return a_job(**{"kind": kind, "key": kind, "payload": {"zone": ZONE}, "due_at": MONDAY_NIGHT} | changes)


async def worked(store: Store, reporter: Reporter, job: Job) -> Run:
    """The record of a job that was queued and done."""
    await kept(store, job)
    await reporter.run(job)
    assert await store.job(job.id) is None
    run = await store.find(job.scope, Run, job.id)
    assert run is not None
    return run


async def reports(store: Store, kind: NoteKind = NoteKind.WEEKLY, scope: Scope = ANA) -> list[Note]:
    return list((await store.page(scope, NoteFilter(kinds=(kind,)))).rows)


async def one_report(store: Store, kind: NoteKind = NoteKind.WEEKLY) -> Note:
    (note,) = await reports(store, kind)
    return note


async def test_a_week_becomes_one_private_note_of_what_was_said_in_it(store: Store, reporter: Reporter) -> None:
    inside = a_note(title="A morning", happened_at=at(3), conversation=None)
    message = said("I moved in", 3)
    item = learnt("Works with glass", 3, message_ids=(message.id,))
    early = a_note(title="Too early", happened_at=at(2, 2))  # still Sunday there
    late = a_note(title="Too late", happened_at=at(9, 3.5))  # already Monday there
    await kept(store, a_conversation(), message, inside, early, late, item)
    run = await worked(store, reporter, a_report_job())
    note = await one_report(store)
    assert note.title == "The week of March 2–8, 2026"
    assert "“A morning”" in note.summary
    assert "“Works with glass” [Mar 3]" in note.summary
    assert "Too early" not in note.summary
    assert "Too late" not in note.summary
    assert note.place.is_private
    assert (note.participants, note.note_ids, note.message_ids) == (("ana",), (inside.id,), (message.id,))
    assert note.happened_at == datetime(2026, 3, 9, 2, 59, 59, 999999, tzinfo=UTC)
    assert (run.kind, run.status, run.tally.notes, run.night) == (
        RunKind.REPORT, RunStatus.COMPLETED, 1, date(2026, 3, 9)
    )  # fmt: skip


async def test_a_week_is_never_told_twice(store: Store, reporter: Reporter, clock: Clock) -> None:
    await kept(store, a_note(happened_at=at(3)))
    await worked(store, reporter, a_report_job())
    second = a_report_job()
    await kept(store, second)
    await reporter.run(second)  # the same night
    clock.move(days=1)
    third = await worked(store, reporter, a_report_job())  # another night of the same week
    note = await one_report(store)
    assert (note.version, third.status, third.tally.notes) == (1, RunStatus.COMPLETED, 0)


async def test_a_late_job_catches_up_with_the_weeks_that_ended_meanwhile(store: Store, clock: Clock) -> None:
    clock.now = MONDAY_NIGHT + days(16)
    await kept(store, a_note(happened_at=at(3)), a_note(happened_at=at(19)))
    run = await worked(store, a_reporter(store, clock), a_report_job())
    assert run.tally.notes == 2
    assert [note.title for note in await reports(store)] == [
        "The week of March 16–22, 2026",
        "The week of March 2–8, 2026",
    ]


async def test_one_asked_for_early_is_written_again_once_the_week_is_over(
    store: Store, reporter: Reporter, clock: Clock
) -> None:
    await kept(store, a_note(title="On Tuesday", happened_at=at(3)))
    clock.now = at(4)
    early = await reporter.report(ANA, NoteKind.WEEKLY, day=date(2026, 3, 4), zone=ZONE)
    assert early is not None
    assert "So far, up to Mar 4, 2026." in early.summary
    assert early.happened_at == at(4)
    await kept(store, a_note(title="On Friday", happened_at=at(6)))
    clock.now = MONDAY_NIGHT
    await worked(store, reporter, a_report_job())
    note = await one_report(store)
    assert (note.id, note.version) == (early.id, 2)
    assert "On Friday" in note.summary
    assert "So far" not in note.summary


async def test_one_the_person_deleted_is_not_brought_back_by_night(
    store: Store, reporter: Reporter, clock: Clock
) -> None:
    await kept(store, a_note(happened_at=at(3)))
    clock.now = at(4)
    made = await reporter.report(ANA, NoteKind.WEEKLY, day=date(2026, 3, 4), zone=ZONE)
    assert made is not None
    await store.apply(ANA, [Put(replace(made, deleted_at=at(5), version=2), 1)])
    clock.now = MONDAY_NIGHT
    await worked(store, reporter, a_report_job())
    assert await reports(store) == []
    asked = await reporter.report(ANA, NoteKind.WEEKLY, zone=ZONE)
    assert asked is not None
    assert [note.version for note in await reports(store)] == [3]


async def test_what_was_deleted_or_hidden_is_not_told(store: Store, reporter: Reporter) -> None:
    hidden = a_conversation(id="gone", deleted_at=at(7))
    await kept(
        store,
        learnt("Keeps bees", 3),
        learnt("A secret", 3, deleted_at=at(4)),
        hidden,
        a_note(title="A secret talk", conversation="gone", happened_at=at(3)),
        a_note(title="Deleted", happened_at=at(3), deleted_at=at(4)),
    )
    await worked(store, reporter, a_report_job())
    note = await one_report(store)
    assert "Keeps bees" in note.summary
    assert "ecret" not in note.summary
    assert "Deleted" not in note.summary


async def test_a_report_is_not_heard_in_a_space_though_it_tells_of_one(store: Store, reporter: Reporter) -> None:
    await kept(store, learnt("Plays the cello", 3, place=Place("band", "general")))
    await worked(store, reporter, a_report_job())
    note = await one_report(store)
    assert "Plays the cello" in note.summary
    assert not may_hear(note.place, Place("band", "general"))
    heard = await store.page(ANA, NoteFilter(asked_in=Place("band", "general"), kinds=(NoteKind.WEEKLY,)))
    assert heard.rows == ()


async def test_forgetting_an_item_takes_the_report_that_quotes_it(store: Store, reporter: Reporter) -> None:
    item = learnt("Sold the <old> boat_house", 3)
    await kept(store, item, learnt("Keeps bees", 3))
    await worked(store, reporter, a_report_job())
    other = await reporter.report(ANA, NoteKind.MONTHLY, day=date(2026, 2, 1), zone=ZONE)
    assert other is None
    await store.forget(ANA, ForgetItem(item.id))
    assert await reports(store) == []
    again = await reporter.report(ANA, NoteKind.WEEKLY, zone=ZONE)
    assert again is not None
    assert "boat" not in again.summary
    assert "Keeps bees" in again.summary
    assert (await store.verify()).problems == ()


async def test_something_deleted_while_it_is_written_is_not_in_it(store: Store, clock: Clock) -> None:
    secret, plain = learnt("A secret", 3), learnt("Keeps bees", 3)
    await kept(store, secret, plain)
    deleting = Meddling(store, [Put(replace(secret, deleted_at=at(8), version=2), 1)])
    await worked(store, a_reporter(deleting, clock), a_report_job())  # type: ignore[arg-type]
    note = await one_report(store)
    assert "secret" not in note.summary
    assert "Keeps bees" in note.summary


class Meddling:
    """A store in which somebody does something just before a note is written, once."""

    def __init__(self, store: Store, ops: list[Op]) -> None:
        self._store = store
        self._ops = ops

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, scope: Scope, ops: list[Op]) -> object:
        if self._ops and any(isinstance(op, Put) for op in ops):
            first, self._ops = self._ops, []
            await self._store.apply(scope, first)
        return await self._store.apply(scope, ops)


async def test_no_more_is_read_than_the_policy_allows(store: Store, clock: Clock) -> None:
    messages = [said(f"message {number}", 3, sent_at=at(3) + minutes(number)) for number in range(30)]
    items = [learnt(f"Likes song number {number}", 3) for number in range(30)]
    await kept(store, a_conversation(), *messages, *items)
    await worked(store, a_reporter(store, clock, most_messages=10, most_items=20, lines=5), a_report_job())
    summary = (await one_report(store)).summary
    assert "at least 10 messages" in summary
    assert summary.count("Likes song") == 5
    assert "and 15 more" in summary


TUESDAY_NIGHT = datetime(2026, 3, 17, 6, tzinfo=UTC)


def an_appointment(value: str = "appointment with the cardiologist", day: int = 19, **changes: Any) -> KnowledgeItem:
    ordinary: dict[str, Any] = {
        "attribute": "meeting", "type": KnowledgeType.MEMORY, "area": LifeArea.CAREER, "value": value,
        "held_from": at(day, 18), "expires_at": at(day, 19),
    }  # fmt: skip
    return learnt(f"Has {value}", 10, **ordinary | changes)


async def test_an_appointment_of_the_next_days_is_due_once(store: Store, reporter: Reporter, clock: Clock) -> None:
    clock.now = TUESDAY_NIGHT
    soon, far = an_appointment(), an_appointment("appointment with the dentist", day=29)
    headache = said("I've had a headache for three days", 12)
    await kept(store, a_conversation(), headache, soon, far, an_appointment("dinner with the team", day=18))
    draft = await reporter.due_appointments(ANA, clock(), ZONE)
    (note,) = draft.notes
    assert note.title == "For the appointment with the cardiologist on Mar 19, 2026"
    assert "when: Thu, Mar 19, 2026, 15:00" in note.summary
    assert "**headache**" in note.summary
    assert headache.id in note.message_ids
    assert await reports(store, NoteKind.APPOINTMENT) == []  # nothing is stored by asking
    await store.apply(ANA, draft.ops)
    clock.move(days=1)
    again = await reporter.due_appointments(ANA, clock(), ZONE)
    assert (again.notes, again.ops, again.changes) == ((), (), ())


async def test_an_appointment_note_is_written_again_when_there_is_more_to_tell(
    store: Store, reporter: Reporter, clock: Clock
) -> None:
    clock.now = TUESDAY_NIGHT
    await kept(store, a_conversation(), an_appointment())
    await store.apply(ANA, (await reporter.due_appointments(ANA, clock(), ZONE)).ops)
    await kept(store, said("I feel dizzy when I stand up", 17, sent_at=at(17, 20)))
    clock.move(days=1)
    draft = await reporter.due_appointments(ANA, clock(), ZONE)
    await store.apply(ANA, draft.ops)
    (note,) = await reports(store, NoteKind.APPOINTMENT)
    assert note.version == 2
    assert "dizzy" in note.summary
    entries = await store.changes(ANA, draft.changes)
    assert ids_of([note]) == [entry.target_id for entry in entries]


@each([(kind, day) for kind in ["weekly", "monthly"] for day in [date.min, date.max]])
async def test_a_day_nobody_lives_in_is_refused(kind: str, day: date, tmp_path: Path) -> None:
    async with a_memory(await a_store("memory", tmp_path)) as memory:
        with pytest.raises(InvalidInputError) as refused:
            await memory.report(kind, user="ana", day=day)
    assert refused.value.field == "day"
