"""Automatic notes: which time they cover, that there is one of each, and what they leave out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, a_case, a_conversation, a_job, a_message, a_note, an_id, an_item, days, ids_of, kept, minutes
from gardens import night_services
from loops import each
from memories import Clock, a_memory, a_store
from relembra.domain.audit import Actor, Target
from relembra.domain.jobs import MONTHLY, WEEKLY, Job, Run, RunKind, RunStatus
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.policy import LIFE, ReportPolicy
from relembra.domain.scope import Place, Scope, may_hear, new_id
from relembra.errors import InvalidInputError
from relembra.learn.trail import Change
from relembra.night.reports import Reporter
from relembra.store.port import ForgetItem, NoteFilter, Op, Put, RunFilter, Store

ZONE = "America/Sao_Paulo"
MONDAY_NIGHT = datetime(2026, 3, 9, 6, 30, tzinfo=UTC)  # 03:30 there
WEEK_NAME = "2026-W10"


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


async def test_one_asked_for_again_takes_the_place_of_the_last(store: Store, reporter: Reporter) -> None:
    await kept(store, a_note(title="A morning", happened_at=at(3)))
    first = await reporter.report(ANA, NoteKind.WEEKLY, zone=ZONE)
    await kept(store, a_note(title="An evening", happened_at=at(3, 22)))
    second = await reporter.report(ANA, NoteKind.WEEKLY, zone=ZONE, by="program:app")
    assert first is not None
    assert second is not None
    assert (second.id, second.version) == (first.id, 2)
    assert "An evening" in second.summary
    runs = (await store.page(ANA, RunFilter(kinds=(RunKind.REPORT,)))).rows
    assert [(run.night, run.status, run.tally.notes) for run in runs] == [(None, RunStatus.COMPLETED, 1)] * 2
    trail = await store.trail(ANA, Target.NOTE, first.id)
    assert [str(entry.actor) for entry in trail] == ["person:ana", "program:app"]
    assert await reporter.report(ANA, NoteKind.WEEKLY, day=date(2025, 1, 1), zone=ZONE) is None


async def brought_in_later(store: Store, clock: Clock) -> None:
    """Talk of Thursday of the week told, imported and read two weeks afterwards."""
    clock.move(days=14)
    message = said("Adopted a dog called Rex", 5, saved_at=clock.now)
    note = a_note(title="Rex came home", happened_at=at(5), created_at=clock.now, message_ids=(message.id,))
    item = learnt("Has a dog called Rex", 5, created_at=clock.now, note_id=note.id, message_ids=(message.id,))
    await kept(store, a_conversation(), message, note, item)


async def test_what_was_brought_in_belongs_to_the_week_it_was_said_in(
    store: Store, reporter: Reporter, clock: Clock
) -> None:
    await brought_in_later(store, clock)
    await kept(store, learnt("Works with glass", 23, created_at=clock.now))
    this_week = await reporter.report(ANA, NoteKind.WEEKLY, day=clock.now.date(), zone=ZONE)
    that_week = await reporter.report(ANA, NoteKind.WEEKLY, day=date(2026, 3, 5), zone=ZONE)
    assert this_week is not None
    assert "Rex" not in this_week.summary
    assert that_week is not None
    assert "Has a dog called Rex" in that_week.summary


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


async def test_a_week_and_a_month_that_end_in_one_night_are_both_told(store: Store, clock: Clock) -> None:
    clock.now = datetime(2026, 6, 1, 6, 40, tzinfo=UTC)  # a Monday
    reporter = a_reporter(store, clock)
    await kept(store, a_note(title="In May", happened_at=at(27, month=5)))
    weekly = await worked(store, reporter, a_report_job(due_at=clock.now))
    monthly = await worked(store, reporter, a_report_job(MONTHLY, due_at=clock.now))
    assert (weekly.tally.notes, monthly.tally.notes) == (1, 1)
    assert (await one_report(store, NoteKind.MONTHLY)).title == "May 2026"
    again = a_report_job(MONTHLY, due_at=clock.now)
    await kept(store, again)
    await reporter.run(again)
    assert (await one_report(store, NoteKind.MONTHLY)).version == 1


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Cheguei em Lisboa e gostei muito da cidade", "A semana de 2 a 8 de março de 2026"),
        ("I have arrived in Lisbon and like the city a lot", "The week of March 2–8, 2026"),
    ],
)
async def test_where_nothing_was_learnt_it_is_in_the_language_of_what_was_said(
    store: Store, reporter: Reporter, text: str, title: str
) -> None:
    await kept(store, a_conversation(), said(text, 3))
    await worked(store, reporter, a_report_job())
    assert (await one_report(store)).title == title


async def superseding(store: Store, old: KnowledgeItem, new: KnowledgeItem, verb: str) -> None:
    """Put the new item in the place of the old one, the way the trail tells it."""
    change = Change(ANA, new_id=an_id, verb="learn", actor=Actor.parse("program:reader"), at=new.created_at)
    ended = replace(old, superseded_by=new.id, superseded_at=new.created_at, version=old.version + 1)
    change.put(new, None)
    change.put(ended, old, verb=verb)
    await store.apply(ANA, change.ops)


async def test_what_was_replaced_is_told_with_what_took_its_place(store: Store, reporter: Reporter) -> None:
    old = learnt("Lives in Recife", 1, attribute="residence", value="Recife")
    new = learnt("Lives in Olinda", 5, attribute="residence", value="Olinda")
    await kept(store, old)
    await superseding(store, old, new, "supersede")
    await worked(store, reporter, a_report_job())
    assert "- “Lives in Recife” → “Lives in Olinda” [Mar 5]" in (await one_report(store)).summary


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


async def test_open_questions_feelings_goals_people_and_dates_are_told(store: Store, reporter: Reporter) -> None:
    one, other = learnt("Was born in 1990", 1), learnt("Was born in 1991", 1)
    tie = {"type": KnowledgeType.PERSON, "subject": "Clara", "attribute": "relation", "value": "sister"}
    feeling = learnt(
        "Is anxious about the move", 1, type=KnowledgeType.EMOTION, attribute="emotion",
        value="anxious about the move", observations=2, reinforced_at=at(4), area=LifeArea.MENTAL_HEALTH,
    )  # fmt: skip
    goal = learnt("Wants a kiln", 1, type=KnowledgeType.GOAL, attribute="goal", reinforced_at=at(5))
    await kept(
        store, one, other, feeling, goal,
        a_case(old_id=one.id, new_id=other.id),
        learnt("Clara is the sister", 1, **tie),
        learnt("Clara paints", 3, subject="Clara"),
        learnt("Meeting with the bank", 3, attribute="meeting", held_from=at(12), expires_at=at(13)),
        learnt("Meeting far away", 3, attribute="meeting", held_from=at(29), expires_at=at(30)),
        learnt("Clara was born on 15 March", 1, subject="Clara", attribute="birthday", value="--03-15"),
    )  # fmt: skip
    await worked(store, reporter, a_report_job())
    summary = (await one_report(store)).summary
    assert "“Was born in 1990” [Mar 1, 2026] or “Was born in 1991” [Mar 1, 2026]?" in summary
    assert "- Wed, Mar 4: “anxious about the move”" in summary
    assert "- mentioned again: “Wants a kiln”" in summary
    assert "Still open: 1." in summary
    assert "- “Clara” (“sister”)" in summary
    assert "- Thu, Mar 12: “Meeting with the bank”" in summary
    assert "- Sun, Mar 15: birthday of “Clara”" in summary
    assert summary.count("Meeting far away") == 1  # learnt, but too far to be coming up


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


async def test_what_is_asked_by_hand_is_for_the_appointment_known(
    store: Store, reporter: Reporter, clock: Clock
) -> None:
    clock.now = TUESDAY_NIGHT
    await kept(
        store,
        a_conversation(),
        an_appointment(),
        an_appointment(day=2, created_at=at(1)),
        learnt("Takes losartan 50mg", 1, attribute="medication", value="losartan 50mg", area=LifeArea.HEALTH),
        said("I have a headache", 1),
        said("I feel dizzy", 12),
        said("I need to ask the doctor whether I can run", 12),
    )
    note = await reporter.appointment(ANA, "doctor", zone=ZONE)
    assert note.title == "For the appointment with the doctor on Mar 19, 2026"
    assert "the one before: Mar 2, 2026" in note.summary
    assert "losartan 50mg" in note.summary
    assert "ask the doctor whether I can run" in note.summary
    assert "dizzy" in note.summary
    assert "headache" not in note.summary  # told before the last one
    again = await reporter.appointment(ANA, zone=ZONE)
    assert (again.id, again.version) == (note.id, 2)


async def test_a_note_can_be_made_without_any_appointment_known(store: Store, reporter: Reporter) -> None:
    note = await reporter.appointment(ANA, "homeopath", at=at(20), zone=ZONE, language="en")
    assert note.title == "For the appointment with the homeopath on Mar 20, 2026"
    assert "Nothing about health was said" in note.summary
    other = await reporter.appointment(ANA, zone=ZONE, language="pt")
    assert other.title == "Para a consulta com médico"
    assert other.id != note.id


@each([(kind, day) for kind in ["weekly", "monthly"] for day in [date.min, date.max]])
async def test_a_day_nobody_lives_in_is_refused(kind: str, day: date, tmp_path: Path) -> None:
    async with a_memory(await a_store("memory", tmp_path)) as memory:
        with pytest.raises(InvalidInputError) as refused:
            await memory.report(kind, user="ana", day=day)
    assert refused.value.field == "day"
