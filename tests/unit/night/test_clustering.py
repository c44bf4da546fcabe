"""Topics of a space's days: each day once, of its own notes, whatever a model answers and whenever it breaks off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import settings as running
from hypothesis import strategies as st

from builders import ANA, BIA, Words, a_job, a_message, a_note, an_id, buffering, days, kept, minutes
from gardens import always, night_services
from hashing import HashingEmbedder
from memories import Clock, InMemoryStore
from readers import QuietNight
from relembra.domain.candidate import Spent, Topic
from relembra.domain.jobs import CLUSTER, Job, Run, RunKind, RunStatus
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import GROUP, Policy
from relembra.domain.scope import Place, may_hear, shelf_of
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import NightReader
from relembra.night.insights import Clustering, sound
from relembra.night.task import NightWork
from relembra.night.worker import Worker
from relembra.store.port import EndBuffer, Enqueue, ForgetPerson, NoteFilter, Put, RunFilter, Store

THERE = Place("g1", "games")
ELSEWHERE = Place("g1", "pets")
SHELF = shelf_of(ANA, THERE)
NIGHT = datetime(2026, 3, 10, 3, tzinfo=UTC)
YESTERDAY = datetime(2026, 3, 9, 12, tzinfo=UTC)
MATTERS = {
    "rowing": "rowing river boat oar paddle",
    "cake": "cake oven sugar flour icing",
    "linux": "linux kernel fedora laptop update",
    "vet": "dog vet drops puppy bento",
}


def told(matter: str, at: datetime = YESTERDAY, **changes: Any) -> Note:
    """The note of a talk over one matter."""
    ordinary: dict[str, Any] = {
        "scope": SHELF, "place": THERE, "title": f"Talk of {matter}", "summary": f"{MATTERS[matter].capitalize()}.",
        "participants": ("ana", "bia"), "message_ids": (an_id(),), "happened_at": at, "created_at": at,
    }  # fmt: skip
    return a_note(**ordinary | changes)


def a_day(at: datetime = YESTERDAY) -> list[Note]:
    """Six talks over three matters."""
    return [told(matter, at + minutes(30 * n)) for n, matter in enumerate(["rowing", "cake", "linux"] * 2)]


class Thinking(QuietNight):
    """A night's reader that answers by script; each answer is used once, and the last one for ever."""

    name = "openai:x/night@1.1.1"

    def __init__(self, *answers: Callable[[Sequence[Note]], Awaitable[list[Topic]]] | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[list[str], str, int]] = []
        self._unpaid = 0

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        self.asked.append(([note.id for note in notes], language, most))
        self._unpaid += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return await answer(notes)

    def spent(self) -> list[Spent]:
        calls, self._unpaid = self._unpaid, 0
        return [Spent(task="topics", model="openai:x", calls=calls, input_tokens=7, output_tokens=3)] if calls else []


async def by_title(notes: Sequence[Note]) -> list[Topic]:
    """Notes of one title together."""
    titles = dict.fromkeys(note.title for note in notes)
    return [
        Topic(title=f"All {title}", summary="Told.", note_ids=tuple(note.id for note in notes if note.title == title))
        for title in titles
    ]


@dataclass
class World:
    """A store with a worker that does nothing but tell topics."""

    store: Store
    clock: Clock
    worker: Worker
    night: NightReader

    async def works(self, zone: str = "+00:00", at: datetime = NIGHT) -> Job:
        """A night passes."""
        job = a_job(kind=CLUSTER, key=CLUSTER, scope=SHELF, payload={"zone": zone}, due_at=at, created_at=at)
        await self.store.apply(SHELF, [Enqueue(job)])
        self.clock.now = max(self.clock.now, at)
        await self.worker.run_due()
        return job

    async def topics(self) -> list[Note]:
        wanted = NoteFilter(asked_in=Place("g1"), kinds=(NoteKind.TOPIC_CLUSTER,))
        return list((await self.store.page(SHELF, wanted, limit=500)).rows)[::-1]

    async def runs(self) -> list[Run]:
        return list((await self.store.page(SHELF, RunFilter(kinds=(RunKind.CLUSTERING,)))).rows)[::-1]

    async def left(self, *kinds: str) -> list[Job]:
        return await self.store.jobs(kinds=kinds)


def a_world(
    store: Store,
    *,
    night: NightReader | None = None,
    policy: Policy = GROUP,
    allowance: Callable[[], Awaitable[bool]] | None = None,
) -> World:
    clock = Clock(NIGHT)
    numbers = count(1)
    offline = OfflineNight(HashingEmbedder(), OfflineTokens(), policy=policy.cluster)
    services = night_services(
        store, clock, night=night or offline, offline=offline, policy=policy, allowance=allowance or always,
        new_id=lambda: an_id(next(numbers)),
    )  # fmt: skip

    async def nothing() -> None:
        pass

    work = NightWork(store, [Clustering(services)], policy=policy, clock=clock)
    return World(store, clock, Worker(store, [work], chore=nothing, clock=clock), night or offline)


async def test_a_day_is_told_by_topic_with_its_sources_and_everybody_who_took_part(store: Store) -> None:
    world = a_world(store)
    notes = a_day()
    notes[4] = replace(notes[4], place=ELSEWHERE, participants=("caio", "ana"))  # cake, in another channel
    await kept(store, *notes)
    await world.works()
    topics = await world.topics()
    assert sorted(topic.note_ids for topic in topics) == sorted((notes[n].id, notes[n + 3].id) for n in range(3))
    for topic in topics:
        of_it = [note for note in notes if note.id in topic.note_ids]
        assert topic.kind is NoteKind.TOPIC_CLUSTER
        assert topic.scope == SHELF
        assert set(topic.participants) == {name for note in of_it for name in note.participants}
        assert topic.happened_at == max(note.happened_at for note in of_it)
        assert may_hear(topic.place, THERE)
        assert may_hear(topic.place, ELSEWHERE)
        assert not may_hear(topic.place, Place("g2", "games"))
        assert topic.conversation is None
        assert topic.message_ids == ()
    by_matter = {topic.title: topic for topic in topics}
    assert by_matter["Talk of rowing"].place == THERE
    assert by_matter["Talk of cake"].place == Place("g1")  # of the space as a whole
    assert by_matter["Talk of cake"].participants == ("ana", "bia", "caio")


async def test_no_day_is_told_twice(store: Store) -> None:
    world = a_world(store)
    await kept(store, *a_day(), *a_day(YESTERDAY - days(1)))
    await world.works()
    first = await world.topics()
    assert len(first) == 6
    await world.works(at=NIGHT + minutes(60))  # the same night
    [again] = await world.left(CLUSTER)
    assert again.due_at == NIGHT + days(1)
    await world.works(at=NIGHT + days(1))
    assert (await world.topics(), [run.tally.notes for run in await world.runs()]) == (first, [6, 0])
    await kept(store, *a_day(NIGHT + days(1) + minutes(300)))
    await world.works(at=NIGHT + days(2))
    assert len(await world.topics()) == 9


async def test_the_day_going_on_and_talk_not_noted_yet_wait_for_the_next_night(store: Store) -> None:
    world = a_world(store)
    message = a_message(place=THERE, sent_at=YESTERDAY, saved_at=YESTERDAY)
    await store.apply(ANA, [buffering(message, now=YESTERDAY)])
    waiting = [*a_day(), *a_day(NIGHT - minutes(170))]
    await kept(store, *a_day(YESTERDAY - days(1)), *waiting)
    await world.works()
    assert {id for topic in await world.topics() for id in topic.note_ids}.isdisjoint(note.id for note in waiting)
    assert len(await world.topics()) == 3
    [again] = await world.left(CLUSTER)
    assert (again.due_at, again.key, again.payload) == (NIGHT + days(1), CLUSTER, {"zone": "+00:00"})
    [run] = await world.runs()
    assert run.until == datetime(2026, 3, 9, tzinfo=UTC)
    [buffer] = await store.buffers(SHELF)
    await store.apply(SHELF, [EndBuffer(buffer.id, drop=True)])
    world.clock.now = NIGHT + days(1)
    await world.worker.run_due()
    assert {id for topic in await world.topics() for id in topic.note_ids} >= {note.id for note in waiting}


async def test_a_day_whose_notes_go_nowhere_together_is_not_asked_about_again(store: Store) -> None:
    async def none(notes: Sequence[Note]) -> list[Topic]:
        return []

    night = Thinking(none)
    world = a_world(store, night=night)
    await kept(store, *a_day())
    await world.works()
    await world.works(at=NIGHT + days(1))
    assert (len(night.asked), [run.status for run in await world.runs()]) == (1, [RunStatus.COMPLETED] * 2)


async def test_more_days_than_a_night_bears_are_told_over_several(store: Store) -> None:
    world = a_world(store, policy=replace(GROUP, cluster=replace(GROUP.cluster, days_a_night=2)))
    await kept(store, *(note for n in range(5) for note in a_day(YESTERDAY - days(n))))
    await world.works()
    assert len(await world.topics()) == 6
    for night in range(1, 4):
        world.clock.now = NIGHT + days(night)
        await world.worker.run_due()
    topics = await world.topics()
    assert (len(topics), len({topic.happened_at.date() for topic in topics})) == (15, 5)
    assert await world.left(CLUSTER) == []


async def test_what_somebody_took_back_is_not_told_again(store: Store) -> None:
    world = a_world(store)
    await kept(store, *a_day())
    await world.works()
    [run] = await world.runs()
    gone = [Put(replace(one, deleted_at=NIGHT, version=2), 1) for one in await world.topics()]
    back = Put(replace(run, status=RunStatus.ROLLED_BACK, version=run.version + 1), run.version)
    await store.apply(SHELF, [*gone, back])
    await kept(store, told("rowing", YESTERDAY + minutes(300), created_at=NIGHT + minutes(5)))  # the day is looked at
    await world.works(at=NIGHT + days(1))
    assert await world.topics() == []


async def test_once_the_nights_budget_is_spent_no_model_is_asked(store: Store) -> None:
    async def spent_up() -> bool:
        return False

    night = Thinking(by_title)
    world = a_world(store, night=night, allowance=spent_up)
    await kept(store, *a_day())
    await world.works()
    assert (night.asked, len(await world.topics())) == ([], 3)
    [run] = await world.runs()
    assert run.status is RunStatus.PARTIAL
    assert run.error is not None
    assert "is spent" in run.error


async def test_nobody_comes_back_in_a_topic_who_was_forgotten_while_it_was_told(store: Store) -> None:
    said = a_message(scope=BIA, author="bia", place=THERE, sent_at=YESTERDAY)
    hers = told("rowing", participants=("bia",), message_ids=(said.id,), summary="Bia rowed away from home.")

    async def forgetful(notes: Sequence[Note]) -> list[Topic]:
        if any(note.id == hers.id for note in notes):
            await store.forget(BIA, ForgetPerson())
        return [
            Topic(title="All", summary=" ".join(note.summary for note in notes), note_ids=tuple(n.id for n in notes))
        ]

    night = Thinking(forgetful)
    world = a_world(store, night=night)
    others = [replace(note, participants=("ana",)) for note in a_day()]
    await kept(store, said, hers, *others)
    await world.works()
    [topic] = await world.topics()
    assert hers.id not in topic.note_ids
    assert "away from home" not in topic.summary
    [run] = await world.runs()
    assert (run.status, run.model_calls, len(night.asked)) == (RunStatus.COMPLETED, 2, 2)


SOME_NOTES = st.lists(
    st.tuples(
        st.sampled_from(sorted(MATTERS)),
        st.integers(0, 3 * 24 * 60 - 1),
        st.sets(st.sampled_from(["ana", "bia", "caio", "dora"]), min_size=1),
        st.sampled_from([THERE, ELSEWHERE]),
    ),
    max_size=30,
)


@running(max_examples=40)
@given(SOME_NOTES, st.sampled_from(["+00:00", "-03:00", "America/Recife", "Nowhere/Land"]))
async def test_every_topic_is_of_one_days_own_notes_and_people(
    given_notes: list[tuple[str, int, set[str], Place]], zone: str
) -> None:
    world = a_world(InMemoryStore(Words()))
    first = datetime(2026, 3, 7, tzinfo=UTC)
    notes = [
        told(matter, first + minutes(minute), participants=tuple(sorted(people)), place=place)
        for matter, minute, people, place in given_notes
    ]
    await kept(world.store, *notes)
    await world.works(zone=zone, at=datetime(2026, 3, 11, 6, tzinfo=UTC))
    by_id = {note.id: note for note in notes}
    topics = await world.topics()
    sources = [id for topic in topics for id in topic.note_ids]
    assert len(sources) == len(set(sources))
    assert set(sources) <= set(by_id)
    for topic in topics:
        of_it = [by_id[id] for id in topic.note_ids]
        assert set(topic.participants) == {name for note in of_it for name in note.participants}
        assert len(topic.participants) == len(set(topic.participants))
        assert max(note.happened_at for note in of_it) - min(note.happened_at for note in of_it) <= timedelta(hours=24)
        assert len(of_it) > 1
    [run] = await world.runs()
    assert run.tally.notes == len(topics)


@given(
    st.lists(st.tuples(st.text(max_size=4), st.lists(st.integers(0, 9), max_size=12)), max_size=12), st.integers(0, 8)
)
def test_whatever_is_proposed_only_sound_topics_are_kept(proposed: list[tuple[str, list[int]]], most: int) -> None:
    notes = [told("rowing") for _ in range(6)]
    known = [note.id for note in notes] + [an_id() for _ in range(4)]
    topics = [Topic(title=title, summary=title, note_ids=tuple(known[n] for n in of_it)) for title, of_it in proposed]
    found = sound(topics, notes, most=most)
    used = [note.id for _, of_it in found for note in of_it]
    assert len(used) == len(set(used))
    assert len(found) <= most
    assert all(len(of_it) > 1 and topic.title.strip() for topic, of_it in found)
