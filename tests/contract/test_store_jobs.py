"""What the queue promises: claimed once, leased, given back, finished with its effects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import ANA, ANA_ELSEWHERE, BIA, NOW, STRANGERS, a_job, an_id, an_item, ids_of, kept, minutes, puts
from relembra.domain.jobs import MOST_TOGETHER, Job, JobState, read_job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope
from relembra.errors import ConflictError
from relembra.store.port import Enqueue, Expect, FinishJob, Store

LEASE = minutes(5)


async def claim(store: Store, *kinds: str, at: float = 0, limit: int = 10, **how: Any) -> list[Job]:
    """Claim the given minutes after NOW."""
    return await store.claim(kinds or ("index",), now=NOW + minutes(at), lease=LEASE, limit=limit, **how)


async def held(store: Store) -> dict[str, Job]:
    return {job.id: job for job in await store.jobs()}


# ── claiming ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_due_job_is_taken_whole_for_the_length_of_the_lease_and_the_attempt_counted(store: Store) -> None:
    job = a_job(payload={"ids": [an_id(), an_id()], "n": 1, "ok": True, "deep": {"a": [None, 0.5]}}, key="night")
    await kept(store, job)
    assert await store.jobs() == [job]
    running = replace(job, state=JobState.RUNNING, attempts=1, lease_until=NOW + LEASE)
    assert await claim(store) == [running]
    assert await store.jobs() == [running]
    assert await claim(store, at=4) == []
    again = replace(running, attempts=2, lease_until=NOW + minutes(11))
    assert await claim(store, at=6) == [again]  # the lease ran out


async def test_each_due_job_of_the_asked_kinds_goes_to_one_claimer_the_oldest_due_first(store: Store) -> None:
    jobs = [a_job(due_at=NOW - minutes(ago), scope=BIA if ago == 3 else ANA) for ago in (1, 5, 3, 2, 4)]
    note, other, later = a_job(kind="note"), a_job(kind="other"), a_job(due_at=NOW + minutes(1))
    await kept(store, *jobs, note, other, later)
    oldest = sorted(jobs, key=lambda job: job.due_at)
    claims = [ids_of(await claim(store, "index", "note", limit=4)) for _ in range(3)]
    assert claims == [ids_of(oldest[:4]), ids_of([oldest[4], note]), []]
    assert await store.claim((), now=NOW, lease=LEASE, limit=10) == []
    assert ids_of(await claim(store, at=1)) == [later.id]


async def test_next_due_is_the_next_waiting_job_of_a_kind_or_the_end_of_its_next_lease(store: Store) -> None:
    assert await store.next_due() == {}
    job = a_job(due_at=NOW)
    await kept(store, job)
    assert await store.next_due() == {"index": NOW}
    await claim(store)
    assert await store.next_due() == {"index": NOW + LEASE}
    other, note = a_job(due_at=NOW + minutes(2)), a_job(kind="note", due_at=NOW + minutes(5))
    await kept(store, a_job(due_at=NOW + minutes(9)), other, note)
    assert await store.next_due() == {"index": NOW + minutes(2), "note": NOW + minutes(5)}
    await store.cancel(other.id)
    assert await store.next_due() == {"index": NOW + LEASE, "note": NOW + minutes(5)}


async def test_one_job_of_each_scope_is_taken_and_none_where_one_of_these_kinds_is_running(store: Store) -> None:
    mine = [a_job(due_at=NOW - minutes(ago)) for ago in (50, 90, *range(20, 40))]
    theirs = [a_job(scope=BIA, due_at=NOW - minutes(ago)) for ago in (7, 8)]
    elsewhere = a_job(scope=ANA_ELSEWHERE, due_at=NOW - minutes(1), kind="note")
    await kept(store, *mine, *theirs, elsewhere)
    assert ids_of(await claim(store, one_a_scope=True, limit=2)) == [mine[1].id, theirs[1].id]
    assert ids_of(await claim(store, "index", "note", one_a_scope=True)) == [elsewhere.id]
    waiting = a_job(scope=ANA_ELSEWHERE)
    await kept(store, waiting)
    assert await claim(store, "index", "note", one_a_scope=True) == []
    assert ids_of(await claim(store, "index", one_a_scope=True)) == [waiting.id]
    # One whose lease ran out keeps nobody waiting, and comes in its turn.
    assert await claim(store, at=4, one_a_scope=True) == []
    again = await claim(store, at=6, one_a_scope=True)
    assert [(job.id, job.attempts) for job in again[:2]] == [(mine[1].id, 2), (theirs[1].id, 2)]


async def test_jobs_of_some_scopes_only_are_taken_the_oldest_due_first(store: Store) -> None:
    mine, theirs, late = a_job(), a_job(scope=BIA), a_job(scope=ANA_ELSEWHERE, due_at=NOW + minutes(1))
    early = a_job(due_at=NOW - minutes(1))
    await kept(store, mine, theirs, late, early)
    assert await claim(store, scopes=(ANA_ELSEWHERE,)) == []
    assert ids_of(await claim(store, scopes=(ANA, ANA_ELSEWHERE))) == [early.id, mine.id]
    assert ids_of(await claim(store, scopes=(ANA,), at=6, limit=1)) == [early.id]  # its lease ran out
    more = a_job(scope=BIA)
    await kept(store, more)
    assert ids_of(await claim(store, scopes=(ANA, BIA), one_a_scope=True)) == [theirs.id]
    assert await claim(store, scopes=(ANA, BIA), one_a_scope=True) == []


@pytest.mark.parametrize("scopes", [(), (ANA, BIA)])
async def test_a_job_waits_for_those_of_its_scope_that_go_first(store: Store, scopes: tuple[Scope, ...]) -> None:
    first, mine, theirs = a_job(kind="first"), a_job(), a_job(scope=BIA)
    await kept(store, first, mine, theirs)
    assert ids_of(await claim(store, after=("first",), scopes=scopes)) == [theirs.id]
    await claim(store, "first")
    assert await claim(store, after=("first",), scopes=scopes) == []  # it is running
    await store.give_back({first.id: 1}, error="no model", due_at=NOW + minutes(3), is_counted=True)
    assert ids_of(await claim(store, after=("first",), scopes=scopes)) == [mine.id]  # not due: nobody waits for it


# ── giving back ───────────────────────────────────────────────────────────────────────────────────────────────────

LATER = NOW + minutes(90)
WAYS_BACK: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # how a claimed job is given back, and what it is like then
    "failed": (
        {"error": "late", "due_at": LATER, "is_counted": True},
        {"attempts": 1, "error": "late", "due_at": LATER},
    ),
    "uncounted": ({"error": "late", "due_at": LATER}, {"error": "late", "due_at": LATER}),
    "dead": (
        {"error": "late", "is_dead": True, "is_counted": True},
        {"attempts": 1, "error": "late", "state": JobState.DEAD},
    ),
    "handed back": ({}, {}),
    "postponed": ({"due_at": LATER}, {"due_at": LATER}),
}


async def test_a_claimed_job_is_given_back_as_it_was_but_for_what_is_said(store: Store) -> None:
    for way, (how, changes) in WAYS_BACK.items():
        job, other = a_job(due_at=NOW - minutes(9)), a_job()
        waiting, dead = a_job(due_at=NOW + minutes(99)), a_job(state=JobState.DEAD, attempts=3, error="broken")
        await kept(store, job, other, waiting, dead)
        assert ids_of(await claim(store, one_a_scope=True)) == [job.id]
        await store.give_back({job.id: 1, waiting.id: 0, dead.id: 3, an_id(): 1, "no id": 1}, **how)
        left = {job.id: replace(job, **changes), other.id: other, waiting.id: waiting, dead.id: dead}
        assert await held(store) == left, way
        # The next of the scope may be taken now.
        assert ids_of(await claim(store, one_a_scope=True)) == [job.id if way == "handed back" else other.id]
        if way == "dead":
            assert job.id not in ids_of(await claim(store, at=1_000))
        for id in left:
            await store.apply(ANA, [FinishJob(id)])


async def test_who_was_too_slow_gives_nothing_back_that_another_claimed_or_gave_back_since(store: Store) -> None:
    for late, _ in WAYS_BACK.values():
        for first in ("failed", "handed back", "postponed"):
            job = a_job()
            await kept(store, job)
            [slow] = await claim(store)
            [again] = await claim(store, at=6)
            await store.give_back({job.id: slow.attempts}, **late)
            assert await store.jobs() == [again]
            await store.give_back({job.id: again.attempts}, **WAYS_BACK[first][0])
            waiting = await store.jobs()
            await store.give_back({job.id: slow.attempts}, **late)
            assert await store.jobs() == waiting
            [third] = await claim(store, at=100)
            await store.give_back({job.id: slow.attempts}, **late)
            assert await store.jobs() == [third]
            await store.apply(ANA, [FinishJob(job.id)])


async def test_retrying_makes_dead_jobs_due_now_with_their_tries_counted_from_none(store: Store) -> None:
    dead = {"state": JobState.DEAD, "attempts": 1, "error": "broken"}
    job, other, waiting = a_job(**dead), a_job(**dead, kind="note", scope=BIA), a_job(due_at=NOW + minutes(9))
    await kept(store, job, other, waiting)
    later = NOW + minutes(3)
    retried: dict[str, Any] = {"state": JobState.WAITING, "attempts": 0, "due_at": later}
    assert await store.retry(now=later, kind="index") == 1
    assert await held(store) == {job.id: replace(job, **retried), other.id: other, waiting.id: waiting}
    assert [await store.retry(now=later) for _ in range(2)] == [1, 0]
    assert [(again.attempts, again.error) for again in await claim(store, "index", "note", at=3)] == [(1, "broken")] * 2


async def test_one_job_is_retried_by_its_id_also_before_its_time(store: Store) -> None:
    job, other = a_job(state=JobState.DEAD), a_job(state=JobState.DEAD)
    waiting, running = a_job(due_at=NOW + minutes(60)), a_job()
    await kept(store, job, other, waiting, running)
    [taken] = await claim(store)
    later = NOW + minutes(3)
    for id, kind, count in ((taken.id, None, 0), (job.id, "note", 0), (job.id, "index", 1), (waiting.id, None, 1)):
        assert await store.retry(now=later, id=id, kind=kind) == count
    assert await store.retry(now=later, id="no id") == 0
    assert await held(store) == {
        job.id: replace(job, state=JobState.WAITING, due_at=later),
        other.id: other,
        waiting.id: replace(waiting, due_at=later),
        taken.id: taken,
    }


# ── finishing ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_finished_job_goes_with_its_effects_once_and_is_its_persons_own(store: Store) -> None:
    job, item, late = a_job(), an_item(), an_item()
    await kept(store, job)
    await store.apply(ANA, [Expect(job=job.id)])
    for stranger in STRANGERS:
        for op in (FinishJob(job.id), Expect(job=job.id)):
            with pytest.raises(ConflictError):
                await store.apply(stranger, [op])
    await claim(store)
    await store.apply(ANA, [*puts(item), FinishJob(job.id)])
    assert await store.jobs() == []
    for op in (FinishJob(job.id), Expect(job=job.id)):
        with pytest.raises(ConflictError):
            await store.apply(ANA, [*puts(late), op])
    assert await store.get(ANA, KnowledgeItem, [item.id, late.id]) == [item]
    await store.apply(ANA, [*puts(late), FinishJob(job.id, may_be_gone=True)])
    assert await store.get(ANA, KnowledgeItem, [late.id]) == [late]
    await store.apply(ANA, [Enqueue(job), FinishJob(job.id)])
    assert await store.jobs() == []


async def test_jobs_of_a_kind_in_a_state_are_dropped_for_everybody_and_counted(store: Store) -> None:
    dead = [a_job(state=JobState.DEAD), a_job(scope=BIA, state=JobState.DEAD)]
    others = [a_job(), a_job(kind="note", state=JobState.DEAD)]
    await kept(store, *dead, *others)
    assert [await store.drop_jobs(kind="index", state=JobState.DEAD) for _ in range(2)] == [2, 0]
    assert set(ids_of(await store.jobs())) == set(ids_of(others))
    assert (await store.stats(BIA)).people == 0


async def test_a_job_that_waits_or_is_dead_is_cancelled_and_one_that_is_running_is_not(store: Store) -> None:
    waiting, dead, other = a_job(due_at=NOW + minutes(1)), a_job(state=JobState.DEAD), a_job(scope=BIA)
    await kept(store, waiting, dead, other)
    [running] = await claim(store)
    assert [await store.cancel(id) for id in (waiting.id, dead.id, waiting.id, "no id")] == [True, True, False, False]
    with pytest.raises(ConflictError):
        await store.cancel(running.id)
    assert await store.jobs() == [running]
    assert (await store.stats(ANA)).people == 0


async def test_hastening_makes_the_waiting_jobs_of_a_kind_due_now_of_all_or_one_scope(store: Store) -> None:
    later, theirs = (a_job(due_at=NOW + minutes(30), scope=scope) for scope in (ANA, BIA))
    overdue, taken = a_job(due_at=NOW - minutes(1)), a_job(due_at=NOW - minutes(2))
    others = [a_job(kind="note", due_at=NOW + minutes(9)), a_job(state=JobState.DEAD, due_at=NOW + minutes(9))]
    await kept(store, later, theirs, overdue, taken, *others)
    [running] = await claim(store, limit=1)
    assert await store.hasten("index", now=NOW - minutes(60), scope=BIA) == 1
    assert [await store.hasten("index", now=NOW) for _ in range(2)] == [1, 0]
    early = replace(theirs, due_at=NOW - minutes(60))
    assert await store.jobs() == [early, running, overdue, replace(later, due_at=NOW), *others]


# ── looking ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_jobs_are_listed_by_state_scope_tenant_and_kinds_oldest_due_first(store: Store) -> None:
    late, early = (a_job(due_at=NOW - minutes(ago)) for ago in (1, 2))
    note = a_job(kind="note", due_at=NOW - minutes(3))
    dead = a_job(state=JobState.DEAD, due_at=NOW - minutes(4))
    theirs, elsewhere = a_job(scope=BIA, due_at=NOW - minutes(5)), a_job(scope=ANA_ELSEWHERE, due_at=NOW)
    await kept(store, late, early, note, dead, theirs, elsewhere)
    looks: list[tuple[dict[str, Any], list[Job]]] = [
        ({}, [theirs, dead, note, early, late, elsewhere]),
        ({"limit": 2}, [theirs, dead]),
        ({"limit": 0}, []),
        ({"scope": ANA}, [dead, note, early, late]),
        ({"scope": ANA, "kinds": ["index"]}, [dead, early, late]),
        ({"kinds": ["note", "index"], "tenant": "default"}, [theirs, dead, note, early, late]),
        ({"scope": ANA, "kinds": ["index"], "state": JobState.WAITING, "limit": 1}, [early]),
        ({"state": JobState.DEAD}, [dead]),
        ({"tenant": "other"}, [elsewhere]),
        ({"kinds": ["other"]}, []),
    ]
    for asked, right in looks:
        assert await store.jobs(**asked) == right, asked
    assert await store.job(late.id) == late
    [running] = await claim(store, limit=1)
    assert await store.job(theirs.id) == running
    await store.apply(BIA, [FinishJob(theirs.id)])
    assert [await store.job(id) for id in (theirs.id, "no id")] == [None, None]


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_of_jobs_with_a_key_the_waiting_one_stays_due_at_the_earlier_moment(store: Store) -> None:
    for number, (first, second) in enumerate(((3, 9), (9, 3), (3, 3))):
        key = f"night {number}"
        job = a_job(key=key, due_at=NOW + minutes(first), payload={"zone": "+00:00"})
        other = a_job(key=key, due_at=NOW + minutes(second), payload={"zone": "+03:00"})
        await kept(store, job)
        await store.apply(BIA, [Enqueue(other)])  # whoever leaves it
        assert await store.job(job.id) == replace(job, due_at=NOW + minutes(3))
        assert await store.job(other.id) is None
    together = [a_job(key="at once"), a_job(key="at once")]
    await kept(store, *together)
    assert [await store.job(job.id) for job in together] == [together[0], None]
    with pytest.raises(ConflictError):  # what fails leaves it due as it was
        await store.apply(ANA, [Enqueue(a_job(key="at once", due_at=NOW - minutes(9))), FinishJob(an_id())])
    assert await store.job(together[0].id) == together[0]


async def test_another_scope_kind_or_key_none_at_all_and_one_not_waiting_keep_no_job_out(store: Store) -> None:
    running, dead = a_job(key="a", kind="taken"), a_job(key="b", state=JobState.DEAD)
    jobs = [
        a_job(key="night"), a_job(key="day"), a_job(key="night", kind="note"), a_job(key="night", scope=BIA),
        a_job(key="night", scope=ANA_ELSEWHERE), a_job(), a_job(),
    ]  # fmt: skip
    await kept(store, running, dead, *jobs)
    await claim(store, "taken")
    jobs += [a_job(key="a", kind="taken"), a_job(key="b")]
    await kept(store, *jobs[-2:])
    assert sorted(ids_of(await store.jobs(state=JobState.WAITING))) == sorted(ids_of(jobs))
    next_one = a_job(key="a", kind="other", due_at=NOW + minutes(9))
    await store.apply(ANA, [Enqueue(next_one), FinishJob(running.id)])
    assert await store.job(next_one.id) == next_one


async def test_a_job_given_back_may_wait_beside_another_of_its_key_and_the_earlier_counts(store: Store) -> None:
    job, other = a_job(key="night"), a_job(key="night", due_at=NOW + minutes(8))
    await kept(store, job)
    await claim(store)
    await kept(store, other)
    await store.give_back({job.id: 1}, error="busy", due_at=NOW + minutes(6), is_counted=True)
    for due, earliest in ((7, 6), (5, 5)):
        await kept(store, a_job(key="night", due_at=NOW + minutes(due)))
        waiting = [(row.id, row.due_at) for row in await store.jobs()]
        assert waiting == [(job.id, NOW + minutes(earliest)), (other.id, NOW + minutes(8))]


def reading(*messages: str, conversation: str = "direct") -> Job:
    return read_job(ANA, conversation, messages, id=an_id(), now=NOW)


async def test_untried_jobs_with_a_key_that_name_messages_become_one_up_to_so_many(store: Store) -> None:
    tried, job, other, elsewhere = reading("m0"), reading("m1"), reading("m2", "m3"), reading("m4", conversation="work")
    await kept(store, tried)
    await claim(store, "read")
    await store.give_back({tried.id: 1}, error="broken", due_at=NOW + minutes(1), is_counted=True)
    await kept(store, job)
    await kept(store, other, elsewhere)
    assert {id: row.payload["messages"] for id, row in (await held(store)).items()} == {
        tried.id: ["m0"],
        job.id: ["m1", "m2", "m3"],
        elsewhere.id: ["m4"],
    }
    many = [reading(f"n{number}", conversation="many") for number in range(MOST_TOGETHER + 1)]
    await kept(store, *many)
    rows = await held(store)
    assert len(rows[many[0].id].payload["messages"]) == MOST_TOGETHER
    assert rows[many[-1].id] == many[-1]
    assert len(rows) == 3 + 2
