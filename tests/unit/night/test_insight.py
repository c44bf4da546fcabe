"""Insights of whole diaries, in Portuguese and English: found, renewed, put away, and never against their person."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, BIA, NOW, a_conversation, a_message, an_id, an_item, days, ids_of, kept
from gardens import night_services
from hashing import HashingEmbedder
from memories import Clock
from relembra.domain.audit import Target, deleted, validated
from relembra.domain.insight import TAG
from relembra.domain.jobs import INDEX, INSIGHT, Run, RunKind, RunStatus, job_now
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Message, Role
from relembra.domain.policy import LIFE, InsightPolicy
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.minds.offline.diary import OfflineObserver
from relembra.night.insights import Insights, key_of
from relembra.night.task import BY_HAND
from relembra.store.port import Enqueue, HideMessages, ItemFilter, Put, Store

DIARIES = Path(__file__).parents[2] / "data" / "diaries.jsonl"
ZONE = "-03:00"
TEAM, CLUB = Place("team", "general"), Place("club", "general")
EMBEDDER = HashingEmbedder(64)

SLEEPS = "together|activity.exercise+|state.sleep+|same_day"
DREADS = "recurring|feeling.anxious.deadlines+"
THURSDAYS = "weekday|feeling.anxious+|weekday:3"
WORDED = {
    "pt": {
        SLEEPS: "Dorme melhor nos dias em que se exercita (13 de 14 dias, contra 2 de 16)",
        DREADS: "Sente ansiedade com prazos (em 5 dias diferentes)",
        THURSDAYS: "Sente ansiedade mais vezes às quintas-feiras (4 de 4 dias, contra 1 de 26)",
    },
    "en": {
        SLEEPS: "Sleeps better on days with exercise (13 of 14 days, against 2 of 16)",
        DREADS: "Feels anxious about deadlines (on 5 different days)",
        THURSDAYS: "Feels anxious more often on Thursdays (4 of 4 days, against 1 of 26)",
    },
}


def a_diary(language: str, *, scope: Scope = ANA, place: Place = DIRECT, shift: int = 0) -> list[Message]:
    """The thirty entries of a diary, one an evening."""
    rows = [json.loads(line) for line in DIARIES.read_text("utf-8").splitlines()]
    return [
        said(row["text"], date.fromisoformat(row["day"]) + days(shift), scope=scope, place=place)
        for row in rows
        if row["diary"] == language
    ]


def said(text: str, day: date, hour: int = 20, **changes: Any) -> Message:
    """Something said on a day, on the speaker's own clock."""
    at = datetime.combine(day, time(hour), timezone(timedelta(hours=-3))).astimezone(UTC)
    scope = changes.get("scope", ANA)
    ordinary = {"sent_at": at, "saved_at": at, "zone": ZONE, "scope": scope, "author": scope.user}
    return a_message(text=text, **ordinary | changes)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def finder(store: Any, clock: Clock, policy: InsightPolicy = LIFE.insight) -> Insights:
    services = night_services(store, clock, embedder=EMBEDDER, policy=replace(LIFE, insight=policy))
    return Insights(services, OfflineObserver())


async def looked(
    store: Any, clock: Clock, policy: InsightPolicy = LIFE.insight, *, scope: Scope = ANA, zone: str = "+00:00"
) -> Run:
    """The record of the work done at once, as somebody asks for it."""
    job = job_now(INSIGHT, scope, {BY_HAND: True, "zone": zone}, id=an_id(), now=clock())
    await store.apply(scope, [Enqueue(job)])
    await finder(store, clock, policy).run(job)
    run: Run | None = await store.find(scope, Run, job.id)
    assert run is not None
    return run


async def everything(store: Store, scope: Scope = ANA) -> dict[str, KnowledgeItem]:
    """The newest insight of each key, whatever became of it."""
    wanted = ItemFilter(now=NOW, types=(KnowledgeType.INSIGHT,), tags=(TAG,), history=True, archived=True, deleted=True)
    page = await store.page(scope, wanted, limit=500)
    return {key_of(item) or "": item for item in reversed(page.rows)}


async def contents(store: Store, clock: Clock, asked_in: Place = DIRECT) -> dict[str, str]:
    return {key_of(item) or "": item.content for item in await finder(store, clock).held(ANA, asked_in=asked_in)}


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_a_diary_of_thirty_days(store: Store, clock: Clock, language: str) -> None:
    diary = a_diary(language)
    await kept(store, *diary)
    run = await looked(store, clock, zone=ZONE)
    assert await contents(store, clock) == WORDED[language]
    found = await everything(store)
    sleeps = found[SLEEPS]
    assert (sleeps.type, sleeps.source, sleeps.area) == (KnowledgeType.INSIGHT, Source.AI_INFERENCE, LifeArea.HEALTH)
    assert (sleeps.language, sleeps.place, sleeps.observations) == (language, DIRECT, 13)
    assert sleeps.tags[:2] == (TAG, "together")
    assert 0.5 <= found[DREADS].confidence < sleeps.confidence < 0.85
    assert set(sleeps.message_ids) <= {one.id for one in diary}
    assert len(sleeps.message_ids) == 13
    assert found[DREADS].area is LifeArea.CAREER
    assert found[DREADS].held_from == datetime(2026, 1, 8, 3, tzinfo=UTC)
    assert {"pt": "indício", "en": "evidence"}[language] in (sleeps.evidence or "")
    assert (run.kind, run.status, run.night) == (RunKind.INSIGHT, RunStatus.COMPLETED, None)
    assert (run.tally.messages, run.tally.created, run.tally.inferences) == (30, 3, 3)
    jobs = [job for job in await store.jobs() if job.kind == INDEX]
    assert sorted(id for job in jobs for id in job.payload["ids"]) == sorted(item.id for item in found.values())


async def test_new_days_renew_an_insight_in_its_place_and_the_trail_keeps_the_old_words(
    store: Store, clock: Clock
) -> None:
    await kept(store, *a_diary("pt"))
    await looked(store, clock)
    before = (await everything(store))[DREADS]
    await kept(store, said("Ansiosa com o prazo da declaração.", date(2026, 2, 20)))
    run = await looked(store, clock)
    after = (await everything(store))[DREADS]
    assert (after.id, after.version, after.created_at) == (before.id, before.version + 1, before.created_at)
    assert after.content == "Sente ansiedade com prazos (em 6 dias diferentes)"
    assert after.confidence > before.confidence
    trail = await store.trail(ANA, Target.ITEM, before.id)
    assert [(entry.verb, (entry.before or {}).get("content")) for entry in trail] == [
        ("learn", None),
        ("reinforce", before.content),
    ]
    assert run.tally.updated >= 1
    assert run.tally.created == 0


async def test_what_no_longer_shows_is_archived_and_comes_back_when_it_does(store: Store, clock: Clock) -> None:
    await kept(store, *a_diary("pt"))
    await looked(store, clock)
    clock.move(days=300)
    run = await looked(store, clock)
    assert run.tally.archived == 3
    gone = (await everything(store))[DREADS]
    assert gone.archived_at == clock()
    assert (await store.trail(ANA, Target.ITEM, gone.id))[-1].why == "the days since no longer show it"
    assert await contents(store, clock) == {}
    await kept(store, *a_diary("pt", shift=329))
    clock.move(days=60)
    await looked(store, clock)
    assert ((await everything(store))[DREADS].id, await contents(store, clock)) == (gone.id, WORDED["pt"])


async def test_what_the_person_confirmed_or_deleted_stays_so(store: Store, clock: Clock) -> None:
    await kept(store, *a_diary("pt"))
    await looked(store, clock)
    found = await everything(store)
    sure = validated(found[DREADS], clock(), LIFE.confidence)
    gone = deleted(found[SLEEPS], clock())
    await store.apply(ANA, [Put(sure, found[DREADS].version), Put(gone, found[SLEEPS].version)])
    await kept(store, said("Ansiosa com o prazo da declaração. Corri e dormi bem.", date(2026, 2, 20)))
    for later in (7, 7, 300):
        await looked(store, clock)
        after = await everything(store)
        assert (after[DREADS], after[SLEEPS]) == (sure, gone)
        clock.move(days=later)


async def test_what_was_said_anywhere_counts_and_is_heard_in_private_only(store: Store, clock: Clock) -> None:
    told = [
        said("I'm anxious about the deadline.", date(2026, 2, day), place=place)
        for day, place in ((2, TEAM), (3, CLUB), (4, DIRECT))
    ]
    await kept(store, *told)
    await looked(store, clock)
    assert await contents(store, clock) == {DREADS: "Feels anxious about deadlines (on 3 different days)"}
    assert await contents(store, clock, TEAM) == await contents(store, clock, CLUB) == {}


async def test_only_the_persons_own_words_count(store: Store, clock: Clock) -> None:
    text, three = "Estou ansiosa com o prazo.", (2, 3, 4)
    await kept(
        store,
        a_conversation(),
        a_conversation(id="hidden"),
        *(said(text, date(2026, 2, day), author="bruno") for day in three),
        *(said(text, date(2026, 2, day), role=Role.ASSISTANT) for day in three),
        *(said(text, date(2026, 2, day), conversation="hidden") for day in three),
        *(said(text, date(2026, 2, day), scope=BIA) for day in three),
        said(text, date(2026, 2, 2)),
    )
    await store.apply(ANA, [HideMessages("hidden", NOW)])
    await looked(store, clock)
    assert await everything(store) == {}
    await looked(store, clock, scope=BIA)
    assert set(await everything(store, BIA)) == {DREADS}


async def test_limits_hold(store: Store, clock: Clock) -> None:
    await kept(store, *(said("Estou ansiosa com o prazo.", date(2026, 2, day)) for day in range(1, 11)))
    few = replace(LIFE.insight, most_messages=4)
    run = await looked(store, clock, few)
    assert (run.tally.messages, (await everything(store))[DREADS].observations) == (4, 4)
    short = replace(LIFE.insight, window=timedelta(days=20), evidence=2)
    run = await looked(store, clock, short)
    assert run.tally.messages == 2


async def test_so_much_is_kept_and_nobody_quoted(store: Store, clock: Clock) -> None:
    diary = a_diary("pt")
    await kept(store, *diary)
    await looked(store, clock, replace(LIFE.insight, most=1, evidence=4))
    [one] = (await everything(store)).values()
    assert len(one.message_ids) == 4
    assert not any(said.text[:20] in (one.evidence or "") for said in diary)


@pytest.mark.parametrize(
    ("text", "value", "own"),
    [
        ("My sister is sad about the divorce.", "sad about the divorce", "I'm sad about the divorce."),
        ("Meu filho está ansioso com a escola.", "ansioso com a escola", "Estou ansioso com a escola."),
        ("O Tom está com raiva do trabalho.", "com raiva do trabalho", "Estou com raiva do trabalho."),
    ],
)
async def test_what_others_feel_is_no_insight_about_the_person(
    store: Store, clock: Clock, text: str, value: str, own: str
) -> None:
    told = [said(text, date(2026, 2, day)) for day in (9, 10, 11, 12)]
    theirs = an_item(type=KnowledgeType.EMOTION, subject="other", value=value, message_ids=tuple(ids_of(told)))
    await kept(store, *told, theirs)
    await looked(store, clock)
    assert await contents(store, clock) == {}
    await kept(store, *(said(own, date(2026, 2, day)) for day in (9, 10, 11, 12)))
    await looked(store, clock)
    assert len(await contents(store, clock)) == 1


async def test_an_insight_and_what_was_learnt_where_it_shows_name_each_other(store: Store, clock: Clock) -> None:
    diary = a_diary("en")
    dread = [one for one in diary if "deadline" in one.text]
    learnt = an_item(type=KnowledgeType.EMOTION, value="anxious about deadlines", message_ids=tuple(ids_of(dread)))
    sure = an_item(message_ids=(dread[0].id,), validated=True)
    elsewhere = an_item(message_ids=(dread[0].id,), place=TEAM)
    stranger = an_item(message_ids=("another",))
    await kept(store, *diary, learnt, sure, elsewhere, stranger)
    run = await looked(store, clock)
    found = await everything(store)
    named = {
        item.id: item.related
        for item in await store.get(ANA, KnowledgeItem, ids_of([learnt, sure, elsewhere, stranger]))
    }
    assert set(found[DREADS].related) == {learnt.id, sure.id}
    assert found[DREADS].related[0] == learnt.id  # learnt from more of them
    assert found[DREADS].id in named[learnt.id]
    assert named[sure.id] == named[elsewhere.id] == named[stranger.id] == ()
    trail = await store.trail(ANA, Target.ITEM, learnt.id)
    assert [(entry.verb, entry.change in run.changes) for entry in trail] == [("relate", True)]
    assert (run.tally.created, run.tally.updated) == (3, 1)  # an insight that was related at once counts as created
