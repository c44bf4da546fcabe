"""The queue of work: what waits, what failed and why; trying it again, doing it now, taking it out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from rich.text import Text

from relembra.domain.jobs import AT_ONCE, BEGIN, FLUSH, INDEX, LEARNING, NIGHT_WORK, SUMMARISE, Job, JobState
from relembra.domain.scope import Scope
from relembra.domain.time import system_clock
from relembra.errors import InvalidInputError
from relembra.interfaces.cli.call import OTHER, Answer, Call, stopped, verb
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, working
from relembra.interfaces.cli.words import Words
from relembra.interfaces.failures import trouble
from relembra.interfaces.times import due
from relembra.memory import Memory
from relembra.night.task import WAIT

KINDS = (INDEX, FLUSH, *LEARNING, BEGIN, SUMMARISE, *NIGHT_WORK)
STYLES = {JobState.WAITING: "", JobState.RUNNING: "cyan", JobState.DEAD: "red"}
LOOKED_AT = 1_000
LOOK_EVERY_SECONDS = 0.5
PUT_OFF = WAIT + timedelta(seconds=2)
LONGEST_WAIT = timedelta(seconds=30)


async def jobs(call: Call, *, kind: Sequence[str] = (), state: str | None = None, limit: int = 100) -> Answer:
    """Everybody's, or with --user one person's."""
    if unknown := [one for one in kind if one not in KINDS]:
        raise InvalidInputError(
            f"there is no work called {unknown[0]!r}; choose one of {', '.join(KINDS)}", field="work"
        )
    user = call.user if call.names_a_person else None
    async with call.reading() as memory:
        found = await memory.jobs(user=user, state=state, kind=kind, limit=limit, tenant=call.tenant)

    def people(terminal: Terminal) -> None:
        if found:
            show_jobs(terminal, found, system_clock(), full=len(found) >= limit)
        else:
            key = "empty.jobs.filtered" if state or kind else "empty.jobs" if user is None else "empty.jobs.person"
            terminal.say(key, user=user)

    return Answer({"items": found}, people)


async def retry(call: Call, *, id: str | None = None) -> Answer:
    """One piece with its tries counted anew, or everything that was given up."""
    if id is not None:
        return await _one(call, id)
    async with call.existing() as memory:
        revived = await memory.retry()
        async with working(call.words("retry.working")):
            await memory.settle()
        jobs = (await memory.stats()).jobs
        left = len(await memory.failed_jobs()) if revived else 0

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if not revived:
            terminal.say("retry.nothing")
            return
        terminal.say("retry.done", "green", count=words.count("job", revived))
        if left:
            terminal.say("retry.left", "yellow", count=words.count("job", left))

    return Answer({"retried": revived, "jobs": dict(jobs)}, people)


async def run(call: Call, *, id: str | None = None) -> Answer:
    """One piece now, or everything that is due."""
    return await _all_due(call) if id is None else await _one(call, id)


async def _one(call: Call, id: str) -> Answer:
    """Do one piece of work, with whatever else is due."""
    try:
        async with call.existing() as memory:
            job = await memory.job(id)
            async with working(call.words("jobs.working"), lambda: _left(call.words, memory)):
                left = await memory.run_job(job.id)
    except asyncio.CancelledError:  # Ctrl-C; what was claimed goes back into the queue
        return stopped("jobs.stopped")
    failed = left is not None and left.error is not None

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if left is None:
            terminal.say("jobs.done.one", "green", work=work_of(words, job))
        elif failed:
            terminal.say("jobs.failed", "red", work=work_of(words, left))
            show_jobs(terminal, [left], system_clock())
        else:
            when = due(words, left.due_at, system_clock())
            terminal.say("jobs.put_off", "yellow", work=work_of(words, left), due=when)

    data = {"done": int(left is None), "left": [] if left is None else [left]}
    return Answer(data, people, OTHER if failed else 0)


async def _all_due(call: Call) -> Answer:
    try:
        async with call.existing() as memory:
            before = system_clock()
            async with working(call.words("jobs.working"), lambda: _left(call.words, memory)):
                claimed = await memory.settle()
                claimed += await waited_for(memory)
            left = await memory.jobs(limit=LOOKED_AT, tenant=call.tenant)
    except asyncio.CancelledError:
        return stopped("jobs.stopped")
    failed = [job for job in left if job.error is not None and _was_tried(job, before)] if claimed else []
    done = max(0, claimed - len(failed))
    waiting = [job for job in left if job.state is JobState.WAITING and job not in failed]
    put_off = [job for job in waiting if _is_put_off(job, system_clock())]

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if done:
            terminal.say("jobs.done", "green", count=words.count("job", done))
        elif not failed and not put_off:
            terminal.say("jobs.nothing")
        for job in put_off:
            terminal.say("jobs.put_off.busy", "yellow", work=work_of(words, job))
        if failed:
            terminal.say("jobs.failed.some", "red", count=words.count("job", len(failed)))
            show_jobs(terminal, failed, system_clock())
        if later := [job for job in waiting if job not in put_off]:
            upcoming = min(later, key=lambda job: job.due_at)
            when = due(words, upcoming.due_at, system_clock())
            terminal.say("jobs.next", DIM, work=work_of(words, upcoming), due=when)

    data = {"done": done, "left": [*failed, *put_off]}
    return Answer(data, people, OTHER if failed or put_off else 0)


async def waited_for(memory: Memory) -> int:
    """Do night work that another program's learning put off by seconds, once it may be; how many jobs were claimed."""
    claimed, end = 0, system_clock() + LONGEST_WAIT
    while system_clock() < end:
        queued = await memory.jobs(kind=NIGHT_WORK, limit=LOOKED_AT)
        if not any(_is_put_off(job, system_clock()) for job in queued):
            break
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        claimed += await memory.settle()
    return claimed


def _is_put_off(job: Job, now: datetime) -> bool:
    """Whether night work nothing is wrong with waits for some seconds only, as it does while others still learn."""
    soon = job.kind in NIGHT_WORK and job.state is JobState.WAITING and job.error is None
    return soon and AT_ONCE < job.due_at <= now + PUT_OFF


async def _left(words: Words, memory: Memory) -> str:
    """How much is left to do."""
    now = system_clock()
    queued = await memory.jobs(limit=LOOKED_AT)
    left = sum(job.state is JobState.RUNNING or _is_due(job, now) for job in queued)
    return words("jobs.working.left", count=words.count("job", left))


def work_of(words: Words, job: Job) -> str:
    """What the work is and whose: "consolidation (ana)"."""
    return f"{words.name('work', job.kind)} ({owner(words, job.scope)})"


def owner(words: Words, scope: Scope) -> str:
    """A person by their name, a space as one."""
    return clean(scope.user) if scope.space is None else words("jobs.space", space=clean(scope.space))


def _reason(words: Words, job: Job) -> str:
    """Why it failed so far, in the reader's language where the sentence has one."""
    return "" if job.error is None else trouble(words, job.error) or clean(job.error)


def _is_due(job: Job, now: datetime) -> bool:
    return job.state is JobState.WAITING and job.due_at <= now


def _was_tried(job: Job, since: datetime) -> bool:
    """Whether it failed just now: given up, or put off to a moment that was not there before."""
    return job.attempts > 0 and (job.state is JobState.DEAD or job.due_at > since)


def _due(words: Words, job: Job, now: datetime) -> str:
    return "" if job.state is not JobState.WAITING else due(words, job.due_at, now)


def _state(words: Words, job: Job) -> Text:
    return Text(words(f"job_state.{job.state}"), STYLES[job.state])


def show_jobs(terminal: Terminal, found: Sequence[Job], now: datetime, *, full: bool = False) -> None:
    words = terminal.words

    def tries(terminal: Terminal, job: Job) -> str:
        if terminal.roomy:
            return words.whole(job.attempts)
        return f"{words('head.tries')}: {words.whole(job.attempts)}" if job.attempts else ""

    terminal.rows(
        "work~ state due whose~/ tries>/ reason*/ id"
        if terminal.roomy
        else "work* state due~ whose/ tries/ reason/ id",
        found,
        work=lambda _, job: words.name("work", job.kind),
        state=lambda _, job: _state(words, job),
        due=lambda _, job: _due(words, job, now),
        whose=lambda _, job: owner(words, job.scope),
        tries=tries,
        reason=lambda _, job: _reason(words, job),
    )
    if full:
        terminal.hint("jobs.full")
    if any(job.state is JobState.DEAD for job in found):
        terminal.hint("jobs.dead.how", "yellow")
    elif any(_is_due(job, now) and job.due_at > AT_ONCE for job in found):
        terminal.hint("jobs.left")


def _cancelled(terminal: Terminal, gone: Job) -> None:
    terminal.say("jobs.cancelled", "green", work=work_of(terminal.words, gone))
    if gone.kind in NIGHT_WORK:
        terminal.say("jobs.cancelled.night", DIM)


def _panel(terminal: Terminal, job: Job) -> None:
    words = terminal.words
    rows = terminal.labels(
        [
            ("work", words.name("work", job.kind)),
            ("whose", owner(words, job.scope)),
            ("state", _state(words, job)),
            ("due", _due(words, job, system_clock())),
            ("tries", job.attempts),
            ("reason", _reason(words, job)),
            ("queued", job.created_at),
            ("leased", job.lease_until),
            ("id", Text(job.id, "cyan")),
        ]
    )
    terminal.panel(rows, words("jobs.title"))
    if job.state is JobState.DEAD:
        terminal.hint("jobs.dead.how", "yellow")


show = verb("job", _panel)
cancel = verb("cancel_job", _cancelled, opens="existing")
