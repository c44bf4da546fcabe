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


async def test_every_part_of_a_job_is_kept(store: Store) -> None:
    job = a_job(payload={"ids": [an_id(), an_id()], "n": 1, "ok": True, "deep": {"a": [None, 0.5]}}, key="night")
    await kept(store, job)
    assert await store.jobs() == [job]


async def test_a_due_job_is_taken_for_the_length_of_the_lease_and_the_attempt_counted(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    running = replace(job, state=JobState.RUNNING, attempts=1, lease_until=NOW + LEASE)
    assert await claim(store) == [running]
    assert await store.jobs() == [running]


async def test_each_job_goes_to_one_claimer(store: Store) -> None:
    jobs = [a_job() for _ in range(5)]
    await kept(store, *jobs)
    first, second, third = await claim(store, limit=3), await claim(store, limit=3), await claim(store, limit=3)
    assert sorted(ids_of([*first, *second])) == sorted(ids_of(jobs))
    assert third == []


async def test_the_oldest_due_is_taken_first(store: Store) -> None:
    late, early, middle = (a_job(due_at=NOW - minutes(ago)) for ago in (1, 3, 2))
    await kept(store, late, early, middle)
    assert ids_of(await claim(store, limit=2)) == [early.id, middle.id]


async def test_a_job_not_yet_due_waits(store: Store) -> None:
    await kept(store, a_job(due_at=NOW + minutes(1)))
    assert await claim(store) == []
    assert len(await claim(store, at=1)) == 1


async def test_only_jobs_of_the_asked_kinds_are_taken(store: Store) -> None:
    index, note, other = a_job(kind="index"), a_job(kind="note"), a_job(kind="other")
    await kept(store, index, note, other)
    assert set(ids_of(await claim(store, "index", "note"))) == {index.id, note.id}
    assert await store.claim((), now=NOW, lease=LEASE, limit=10) == []


async def test_jobs_of_everybody_are_taken(store: Store) -> None:
    await kept(store, a_job(), a_job(scope=BIA))
    assert {job.scope for job in await claim(store)} == {ANA, BIA}


async def test_a_job_whose_lease_ran_out_is_due_again(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    assert await claim(store, at=4) == []
    [again] = await claim(store, at=6)
    assert again == replace(job, state=JobState.RUNNING, attempts=2, lease_until=NOW + minutes(11))


async def test_a_failed_job_is_given_back_with_its_reason_due_later(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    await store.give_back({job.id: 1}, error="no model", due_at=NOW + minutes(10), is_counted=True)
    assert await store.jobs() == [replace(job, attempts=1, error="no model", due_at=NOW + minutes(10))]
    assert await claim(store, at=9) == []
    [again] = await claim(store, at=10)
    assert again.attempts == 2


async def test_a_job_handed_back_is_due_as_before_and_the_try_is_not_counted(store: Store) -> None:
    job, other, waiting = a_job(), a_job(), a_job(due_at=NOW + minutes(5))
    await kept(store, job, other, waiting)
    await claim(store)
    await store.give_back({other.id: 1}, error="no model", due_at=NOW + minutes(1), is_counted=True)
    await store.give_back({job.id: 1, other.id: 1, waiting.id: 0, an_id(): 1, "no id": 1})
    held = {row.id: row for row in await store.jobs()}
    assert held == {
        job.id: job,
        other.id: replace(other, attempts=1, error="no model", due_at=NOW + minutes(1)),
        waiting.id: waiting,
    }
    [again] = await claim(store)
    assert (again.id, again.attempts) == (job.id, 1)


async def test_a_job_failed_for_good_is_dead(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    await store.give_back({job.id: 1}, error="broken", is_dead=True, is_counted=True)
    [dead] = await store.jobs(state=JobState.DEAD)
    assert (dead.id, dead.state, dead.error, dead.lease_until) == (job.id, JobState.DEAD, "broken", None)
    assert await claim(store, at=1_000) == []
    assert await store.next_due() is None


async def test_a_failure_that_is_not_counted_leaves_the_tries_as_they_were(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    await store.give_back({job.id: 1}, error="no model", due_at=NOW + minutes(10))
    assert await store.jobs() == [replace(job, error="no model", due_at=NOW + minutes(10))]


async def test_a_job_nobody_claimed_cannot_be_failed(store: Store) -> None:
    waiting, dead = a_job(), a_job(state=JobState.DEAD, attempts=3, error="broken")
    await kept(store, waiting, dead)
    await store.give_back({waiting.id: 0}, error="late", is_dead=True, is_counted=True)
    await store.give_back({dead.id: 3}, error="late", due_at=NOW, is_counted=True)
    assert {job.id: job for job in await store.jobs()} == {waiting.id: waiting, dead.id: dead}


async def give_back(store: Store, job: Job, how: str) -> None:
    """Give a job back the way of whoever claimed it."""
    match how:
        case "failed":
            await store.give_back({job.id: job.attempts}, error="late", due_at=NOW + minutes(90), is_counted=True)
        case "dead":
            await store.give_back({job.id: job.attempts}, error="late", is_dead=True, is_counted=True)
        case "handed back":
            await store.give_back({job.id: job.attempts})
        case _:
            await store.give_back({job.id: job.attempts}, due_at=NOW + minutes(90))


WAYS_BACK = ["failed", "dead", "handed back", "postponed"]


async def test_who_was_too_slow_gives_nothing_back_that_another_claimed_or_gave_back_since(store: Store) -> None:
    for late in WAYS_BACK:
        for first in ("failed", "handed back", "postponed"):
            job = a_job()
            await kept(store, job)
            [slow] = await claim(store)
            [held] = await claim(store, at=6)
            await give_back(store, slow, late)
            assert await store.jobs() == [held]
            assert await claim(store, at=7) == []
            await give_back(store, held, first)
            waiting = await store.jobs()
            await give_back(store, slow, late)
            assert await store.jobs() == waiting
            [third] = await claim(store, at=100)
            await give_back(store, slow, late)
            assert await store.jobs() == [third]
            await store.apply(ANA, [FinishJob(job.id)])


async def test_jobs_are_listed_by_state_oldest_due_first(store: Store) -> None:
    jobs = [a_job(due_at=NOW - minutes(ago)) for ago in (1, 3, 2)]
    late = a_job(due_at=NOW + minutes(5), scope=BIA)
    await kept(store, *jobs, late)
    assert ids_of(await store.jobs()) == [jobs[1].id, jobs[2].id, jobs[0].id, late.id]
    assert len(await store.jobs(limit=2)) == 2
    [taken] = await claim(store, limit=1)
    assert ids_of(await store.jobs(state=JobState.RUNNING)) == [taken.id]
    assert ids_of(await store.jobs(state=JobState.WAITING)) == [jobs[2].id, jobs[0].id, late.id]


async def test_next_due_is_the_next_waiting_job_or_the_end_of_the_next_lease(store: Store) -> None:
    assert await store.next_due() is None
    await kept(store, a_job(due_at=NOW))
    assert await store.next_due() == NOW
    await claim(store)
    assert await store.next_due() == NOW + LEASE
    await kept(store, a_job(due_at=NOW + minutes(2)))
    assert await store.next_due() == NOW + minutes(2)
    await kept(store, a_job(due_at=NOW + minutes(9)))
    assert await store.next_due() == NOW + minutes(2)


async def test_a_finished_job_goes_with_its_effects(store: Store) -> None:
    job, item = a_job(), an_item()
    await kept(store, job)
    await claim(store)
    await store.apply(ANA, [*puts(item), FinishJob(job.id)])
    assert await store.jobs() == []
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]


async def test_a_write_that_expects_a_job_is_refused_once_the_job_is_gone(store: Store) -> None:
    job, item = a_job(), an_item()
    await kept(store, job)
    await store.apply(ANA, [Expect(job=job.id)])
    with pytest.raises(ConflictError):
        await store.apply(BIA, [Expect(job=job.id)])
    await store.apply(ANA, [FinishJob(job.id)])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [*puts(item), Expect(job=job.id)])
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []


async def test_a_job_that_is_gone_already_is_a_conflict_and_has_no_effects(store: Store) -> None:
    job, item = a_job(), an_item()
    await kept(store, job)
    await store.apply(ANA, [FinishJob(job.id)])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [*puts(item), FinishJob(job.id)])
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_another_persons_job_cannot_be_finished(store: Store, stranger: Scope) -> None:
    job = a_job()
    await kept(store, job)
    with pytest.raises(ConflictError):
        await store.apply(stranger, [FinishJob(job.id)])
    assert await store.jobs() == [job]


async def test_a_job_left_and_finished_together_leaves_nothing(store: Store) -> None:
    job = a_job()
    await store.apply(ANA, [Enqueue(job), FinishJob(job.id)])
    assert await store.jobs() == []


async def test_jobs_of_a_kind_in_a_state_are_dropped_for_everybody_and_counted(store: Store) -> None:
    dead = [a_job(state=JobState.DEAD), a_job(scope=BIA, state=JobState.DEAD)]
    others = [a_job(), a_job(kind="note", state=JobState.DEAD)]
    await kept(store, *dead, *others)
    assert await store.drop_jobs(kind="index", state=JobState.DEAD) == 2
    assert set(ids_of(await store.jobs())) == set(ids_of(others))
    assert await store.drop_jobs(kind="index", state=JobState.DEAD) == 0
    assert (await store.stats(BIA)).people == 0


async def test_hastening_makes_the_waiting_jobs_of_a_kind_due_now(store: Store) -> None:
    later, theirs = (a_job(due_at=NOW + minutes(30), scope=scope) for scope in (ANA, BIA))
    overdue = a_job(due_at=NOW - minutes(1))
    others = [a_job(kind="note", due_at=NOW + minutes(9)), a_job(state=JobState.DEAD, due_at=NOW + minutes(9))]
    await kept(store, later, theirs, overdue, *others)
    assert await store.hasten("index", now=NOW) == 2
    assert await store.hasten("index", now=NOW) == 0
    hastened = [replace(job, due_at=NOW) for job in (later, theirs)]
    assert await store.jobs() == [overdue, *sorted(hastened, key=lambda job: job.id), *others]


async def test_hastening_may_be_for_one_scope_only(store: Store) -> None:
    mine, theirs = (a_job(due_at=NOW + minutes(30), scope=scope) for scope in (ANA, BIA))
    await kept(store, mine, theirs)
    assert await store.hasten("index", now=NOW, scope=BIA) == 1
    assert await store.jobs() == [replace(theirs, due_at=NOW), mine]


async def test_a_job_under_way_is_not_hastened(store: Store) -> None:
    await kept(store, a_job())
    running = await claim(store)
    assert await store.hasten("index", now=NOW - minutes(5)) == 0
    assert await store.jobs() == running


async def test_retrying_makes_dead_jobs_due_now_with_their_tries_counted_from_none(store: Store) -> None:
    job, other, waiting = a_job(), a_job(kind="note", scope=BIA), a_job(due_at=NOW + minutes(9))
    await kept(store, job, other, waiting)
    await claim(store, "index", "note")
    for id in (job.id, other.id):
        await store.give_back({id: 1}, error="broken", is_dead=True, is_counted=True)
    later = NOW + minutes(3)
    assert await store.retry(now=later, kind="index") == 1
    assert (await store.jobs())[:2] == [
        replace(other, state=JobState.DEAD, attempts=1, error="broken"),
        replace(job, due_at=later, error="broken"),
    ]
    assert await store.retry(now=later) == 1
    assert await store.retry(now=later) == 0
    assert [(again.attempts, again.error) for again in await claim(store, "index", "note", at=3)] == [(1, "broken")] * 2


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("first", "second"), [(3, 9), (9, 3), (3, 3)])
async def test_of_jobs_with_a_key_the_waiting_one_stays_due_at_the_earlier_moment(
    store: Store, first: int, second: int
) -> None:
    job = a_job(key="night", due_at=NOW + minutes(first), payload={"zone": "+00:00"})
    other = a_job(key="night", due_at=NOW + minutes(second), payload={"zone": "+03:00"})
    await kept(store, job)
    await kept(store, other)
    assert await store.jobs() == [replace(job, due_at=NOW + minutes(3))]
    assert await store.job(other.id) is None


async def test_two_jobs_with_a_key_left_together_are_one(store: Store) -> None:
    job, other = a_job(key="night"), a_job(key="night")
    await kept(store, job, other)
    assert await store.jobs() == [job]


async def test_jobs_of_another_scope_kind_or_key_and_without_a_key_wait_beside(store: Store) -> None:
    jobs = [
        a_job(key="night"),
        a_job(key="day"),
        a_job(key="night", kind="note"),
        a_job(key="night", scope=BIA),
        a_job(key="night", scope=ANA_ELSEWHERE),
        a_job(),
        a_job(),
    ]
    await kept(store, *jobs)
    assert sorted(ids_of(await store.jobs())) == sorted(ids_of(jobs))


async def test_a_space_leaves_a_job_with_a_key_for_somebody_once(store: Store) -> None:
    job, again = a_job(key="night"), a_job(key="night")
    await store.apply(BIA, [Enqueue(job)])
    await store.apply(BIA, [Enqueue(again)])
    assert await store.jobs() == [job]


async def test_a_job_that_is_running_or_dead_does_not_keep_its_key_from_others(store: Store) -> None:
    running, dead = a_job(key="a"), a_job(key="b", state=JobState.DEAD)
    await kept(store, running, dead)
    await claim(store)
    others = [a_job(key="a"), a_job(key="b")]
    await kept(store, *others)
    assert ids_of(await store.jobs(state=JobState.WAITING)) == ids_of(others)


async def test_a_job_given_back_may_wait_beside_another_of_its_key_and_the_earlier_counts(store: Store) -> None:
    job, other = a_job(key="night"), a_job(key="night", due_at=NOW + minutes(8))
    await kept(store, job)
    await claim(store)
    await kept(store, other)
    await store.give_back({job.id: 1}, error="busy", due_at=NOW + minutes(6), is_counted=True)
    await kept(store, a_job(key="night", due_at=NOW + minutes(7)))
    assert [(row.id, row.due_at) for row in await store.jobs()] == [
        (job.id, NOW + minutes(6)),
        (other.id, NOW + minutes(8)),
    ]
    await kept(store, a_job(key="night", due_at=NOW + minutes(5)))
    assert [(row.id, row.due_at) for row in await store.jobs()] == [
        (job.id, NOW + minutes(5)),
        (other.id, NOW + minutes(8)),
    ]


async def test_a_finished_job_with_a_key_may_leave_the_next_in_the_same_breath(store: Store) -> None:
    job, next_one = a_job(key="night"), a_job(key="night", due_at=NOW + minutes(9))
    await kept(store, job)
    await claim(store)
    await store.apply(ANA, [Enqueue(next_one), FinishJob(job.id)])
    assert await store.jobs() == [next_one]


async def test_what_fails_leaves_a_waiting_job_due_as_it_was(store: Store) -> None:
    job = a_job(key="night", due_at=NOW + minutes(9))
    await kept(store, job)
    with pytest.raises(ConflictError):
        await store.apply(ANA, [Enqueue(a_job(key="night", due_at=NOW)), FinishJob(an_id())])
    assert await store.jobs() == [job]


# ── one of a scope ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_one_job_of_each_scope_is_taken_oldest_due_first(store: Store) -> None:
    mine = [a_job(due_at=NOW - minutes(ago)) for ago in (5, 9)]
    theirs = [a_job(scope=BIA, due_at=NOW - minutes(ago)) for ago in (7, 8)]
    elsewhere = a_job(scope=ANA_ELSEWHERE, due_at=NOW - minutes(1))
    await kept(store, *mine, *theirs, elsewhere)
    assert ids_of(await claim(store, one_a_scope=True, limit=2)) == [mine[1].id, theirs[1].id]
    assert ids_of(await claim(store, one_a_scope=True)) == [elsewhere.id]


async def test_none_is_taken_of_a_scope_in_which_one_of_these_kinds_is_running(store: Store) -> None:
    running, waiting, theirs = a_job(kind="note"), a_job(), a_job(scope=BIA)
    await kept(store, running, waiting, theirs)
    await claim(store, "note")
    assert ids_of(await claim(store, "index", "note", one_a_scope=True)) == [theirs.id]
    assert ids_of(await claim(store, "index", one_a_scope=True)) == [waiting.id]


@pytest.mark.parametrize("ending", ["finished", "failed", "dead", "handed back", "postponed"])
async def test_once_it_is_done_or_given_back_the_next_of_the_scope_is_taken(store: Store, ending: str) -> None:
    job, other = a_job(due_at=NOW - minutes(9)), a_job()
    await kept(store, job, other)
    assert ids_of(await claim(store, one_a_scope=True)) == [job.id]
    match ending:
        case "finished":
            await store.apply(ANA, [FinishJob(job.id)])
        case "failed":
            await store.give_back({job.id: 1}, error="busy", due_at=NOW + minutes(1), is_counted=True)
        case "dead":
            await store.give_back({job.id: 1}, error="busy", is_dead=True, is_counted=True)
        case "handed back":
            await store.give_back({job.id: 1})
        case _:
            await store.give_back({job.id: 1}, due_at=NOW + minutes(1))
    assert ids_of(await claim(store, one_a_scope=True)) == [job.id if ending == "handed back" else other.id]


async def test_a_job_whose_lease_ran_out_keeps_nobody_waiting_and_comes_in_its_turn(store: Store) -> None:
    job, other = a_job(due_at=NOW - minutes(9)), a_job(due_at=NOW - minutes(1))
    await kept(store, job)
    await claim(store)
    await kept(store, other)
    assert await claim(store, at=4, one_a_scope=True) == []
    [again] = await claim(store, at=6, one_a_scope=True)
    assert (again.id, again.attempts) == (job.id, 2)
    assert await claim(store, at=6, one_a_scope=True) == []


async def test_many_jobs_of_one_scope_do_not_keep_others_from_their_turn(store: Store) -> None:
    await kept(store, *(a_job(due_at=NOW - minutes(60)) for _ in range(20)))
    theirs = a_job(scope=BIA, due_at=NOW - minutes(1))
    await kept(store, theirs)
    assert [job.scope for job in await claim(store, one_a_scope=True, limit=2)] == [ANA, BIA]


# ── postponing, looking, cancelling ───────────────────────────────────────────────────────────────────────────────


async def test_a_postponed_job_is_due_later_and_the_try_is_not_counted(store: Store) -> None:
    job, waiting, dead = a_job(key="night"), a_job(due_at=NOW + minutes(1)), a_job(state=JobState.DEAD)
    await kept(store, job, waiting, dead)
    await claim(store)
    for id, claimed in ((job.id, 1), (waiting.id, 0), (dead.id, 0), (an_id(), 1), ("no id", 1)):
        await store.give_back({id: claimed}, due_at=NOW + minutes(20))
    held = {row.id: row for row in await store.jobs()}
    assert held == {job.id: replace(job, due_at=NOW + minutes(20)), waiting.id: waiting, dead.id: dead}
    assert ids_of(await claim(store, at=19)) == [waiting.id]
    [again] = await claim(store, at=20)
    assert (again.id, again.attempts) == (job.id, 1)


async def test_jobs_of_one_scope_of_some_kinds_in_a_state_are_listed_oldest_due_first(store: Store) -> None:
    late, early = (a_job(due_at=NOW - minutes(ago)) for ago in (1, 2))
    note = a_job(kind="note", due_at=NOW - minutes(3))
    dead = a_job(state=JobState.DEAD, due_at=NOW - minutes(4))
    theirs = a_job(scope=BIA, due_at=NOW - minutes(5))
    await kept(store, late, early, note, dead, theirs)
    assert ids_of(await store.jobs(scope=ANA)) == ids_of([dead, note, early, late])
    assert ids_of(await store.jobs(scope=ANA, kinds=["index"])) == ids_of([dead, early, late])
    assert ids_of(await store.jobs(kinds=["note", "index"])) == ids_of([theirs, dead, note, early, late])
    assert ids_of(await store.jobs(scope=ANA, kinds=["index"], state=JobState.WAITING, limit=1)) == [early.id]
    assert ids_of(await store.jobs(state=JobState.WAITING, kinds=["index"])) == ids_of([theirs, early, late])
    assert await store.jobs(scope=ANA_ELSEWHERE) == await store.jobs(kinds=["other"]) == []
    assert await store.jobs(limit=0) == []


async def test_a_job_is_told_by_its_id_until_it_is_done(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    assert await store.job(job.id) == job
    [running] = await claim(store)
    assert await store.job(job.id) == running
    await store.apply(ANA, [FinishJob(job.id)])
    assert await store.job(job.id) is None
    assert await store.job("no id") is None


async def test_a_job_that_waits_or_is_dead_is_cancelled(store: Store) -> None:
    waiting, dead, other = a_job(), a_job(state=JobState.DEAD), a_job(scope=BIA)
    await kept(store, waiting, dead, other)
    assert await store.cancel(waiting.id)
    assert await store.cancel(dead.id)
    assert await store.jobs() == [other]
    assert not await store.cancel(waiting.id)
    assert not await store.cancel("no id")
    assert (await store.stats(ANA)).people == 0


async def test_a_job_that_is_running_cannot_be_cancelled(store: Store) -> None:
    await kept(store, a_job())
    [running] = await claim(store)
    with pytest.raises(ConflictError):
        await store.cancel(running.id)
    assert await store.jobs() == [running]


async def test_a_job_is_found_by_a_piece_of_its_id_whoever_it_is_of(store: Store) -> None:
    jobs = [a_job(), a_job(scope=BIA), a_job(state=JobState.DEAD)]
    await kept(store, jobs[0], jobs[2])
    await kept(store, jobs[1])
    for job in jobs:
        assert await store.ids_like(None, Job, job.id) == await store.ids_like(None, Job, job.id[-12:]) == [job.id]
        assert job.id in await store.ids_like(None, Job, job.id[:4], limit=10)
    everything = sorted(job.id for job in jobs)
    assert await store.ids_like(None, Job, "", limit=10) == everything
    assert await store.ids_like(None, Job, "") == everything[:2]
    assert (
        await store.ids_like(None, Job, "no id")
        == await store.ids_like(None, Job, "%")
        == await store.ids_like(None, Job, jobs[0].id[2:8])
        == []
    )


async def test_one_job_is_retried_by_its_id_also_before_its_time(store: Store) -> None:
    job, other = a_job(state=JobState.DEAD), a_job(state=JobState.DEAD)
    waiting, running = a_job(due_at=NOW + minutes(60)), a_job()
    await kept(store, job, other, waiting, running)
    [taken] = await claim(store)
    later = NOW + minutes(3)
    assert await store.retry(now=later, id="no id") == await store.retry(now=later, id=taken.id) == 0
    assert await store.retry(now=later, id=job.id, kind="note") == 0
    assert await store.retry(now=later, id=job.id, kind="index") == 1
    assert await store.retry(now=later, id=waiting.id) == 1
    held = {row.id: row for row in await store.jobs()}
    assert held == {
        job.id: replace(job, state=JobState.WAITING, due_at=later),
        other.id: other,
        waiting.id: replace(waiting, due_at=later),
        taken.id: taken,
    }


async def test_jobs_of_a_tenant_are_everybodys_there(store: Store) -> None:
    theirs = [a_job(scope=Scope("a", user), due_at=NOW) for user in ("ana", "bia")]
    other = a_job(scope=Scope("b", "ana"), due_at=NOW)
    for job in (*theirs, other):
        await store.apply(job.scope, [Enqueue(job)])
    assert {job.id for job in await store.jobs(tenant="a")} == {job.id for job in theirs}
    assert [job.id for job in await store.jobs(tenant="b", limit=1)] == [other.id]


def reading(*messages: str, conversation: str = "direct") -> Job:
    return read_job(ANA, conversation, messages, id=an_id(), now=NOW)


async def test_jobs_with_a_key_that_name_messages_become_one_that_names_all_of_them_in_order(store: Store) -> None:
    job, other, elsewhere = reading("m1"), reading("m2", "m3"), reading("m4", conversation="work")
    await kept(store, job)
    await kept(store, other, elsewhere)
    assert await store.job(job.id) == replace(job, payload={"messages": ["m1", "m2", "m3"]})
    assert await store.job(other.id) is None
    assert await store.job(elsewhere.id) == elsewhere


async def test_a_job_that_names_many_messages_takes_no_more(store: Store) -> None:
    jobs = [reading(f"m{number}") for number in range(MOST_TOGETHER + 1)]
    await kept(store, *jobs)
    held = {job.id: job for job in await store.jobs()}
    assert list(held) == [jobs[0].id, jobs[-1].id]
    assert len(held[jobs[0].id].payload["messages"]) == MOST_TOGETHER
    assert held[jobs[-1].id] == jobs[-1]


async def test_a_job_that_was_tried_is_joined_by_no_other_messages(store: Store) -> None:
    tried, other = reading("m1"), reading("m2")
    await kept(store, tried)
    await claim(store, "read")
    await store.give_back({tried.id: 1}, error="broken", due_at=NOW + minutes(1), is_counted=True)
    await kept(store, other)
    assert {job.id: job.payload for job in await store.jobs()} == {tried.id: tried.payload, other.id: other.payload}


# ── whose, and in which order ─────────────────────────────────────────────────────────────────────────────────────


async def test_jobs_of_some_scopes_only_are_taken_the_oldest_due_first(store: Store) -> None:
    mine, theirs, late = a_job(), a_job(scope=BIA), a_job(scope=ANA_ELSEWHERE, due_at=NOW + minutes(1))
    early = a_job(due_at=NOW - minutes(1))
    await kept(store, mine, theirs, late, early)
    assert await claim(store, scopes=(ANA_ELSEWHERE,)) == []
    assert ids_of(await claim(store, scopes=(ANA, ANA_ELSEWHERE))) == [early.id, mine.id]
    assert ids_of(await claim(store, scopes=(ANA,), at=6, limit=1)) == [early.id]  # its lease ran out
    assert ids_of(await claim(store)) == [theirs.id]


async def test_of_some_scopes_too_at_most_one_job_of_each_is_taken(store: Store) -> None:
    first, second, theirs = a_job(due_at=NOW - minutes(2)), a_job(), a_job(scope=BIA)
    await kept(store, first, second, theirs)
    assert ids_of(await claim(store, scopes=(ANA, BIA), one_a_scope=True)) == [first.id, theirs.id]
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
