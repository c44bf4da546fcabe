"""The queue of work: what waits, what failed and why; trying it again, doing it now, taking it out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from relembra.domain.jobs import AT_ONCE, BEGIN, FLUSH, INDEX, LEARNING, NIGHT_WORK, SUMMARISE, Job, JobState
from relembra.domain.moment import system_clock
from relembra.domain.scope import Scope
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels, tables, upkeep
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.times import due
from relembra.interfaces.troubles import trouble
from relembra.memory import Memory
from relembra.tend.night import WAIT

KINDS = (INDEX, FLUSH, *LEARNING, BEGIN, SUMMARISE, *NIGHT_WORK)
STYLES = {JobState.WAITING: "", JobState.RUNNING: "cyan", JobState.DEAD: "red"}
LOOKED_AT = 1_000
LOOK_EVERY_SECONDS = 0.5
PUT_OFF = WAIT + timedelta(seconds=2)
LONGEST_WAIT = timedelta(seconds=30)


async def jobs(call: Call) -> Answer:
    """Everybody's, or with --user one person's."""
    given, words = call.given, call.words
    state = None if given.maybe("state") is None else words.token("job_state", given.required("state"))
    kinds = [words.token("work", word) for word in given.many("kind")]
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise InvalidInputError(
            f"there is no work called {unknown[0]!r}; choose one of {', '.join(KINDS)}", field="work"
        )
    limit = given.whole("limit")
    limit = 100 if limit is None else limit
    user = call.user if call.names_somebody else None
    async with call.reading() as memory:
        found = await memory.jobs(user=user, state=state, kind=kinds, limit=limit, tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        if found:
            _table(terminal, found, system_clock(), full=len(found) >= limit)
        else:
            key = "empty.jobs.filtered" if state or kinds else "empty.jobs" if user is None else "empty.jobs.person"
            terminal.say(key, user=user)

    return Answer({"items": [shapes.job(one) for one in found]}, people)


async def show(call: Call) -> Answer:
    async with call.reading() as memory:
        found = await memory.job(call.given.required("id"))
    return Answer(shapes.job(found), lambda terminal: _panel(terminal, found, system_clock()))


async def retry(call: Call) -> Answer:
    """One piece with its tries counted anew, or everything that was given up."""
    return await upkeep.retry(call) if call.given.maybe("id") is None else await _done(call)


async def cancel(call: Call) -> Answer:
    async with call.existing() as memory:
        gone = await memory.cancel_job(call.given.required("id"))

    def people(terminal: Terminal) -> None:
        terminal.say("jobs.cancelled", "green", work=told(terminal.words, gone))
        if gone.kind in NIGHT_WORK:
            terminal.say("jobs.cancelled.night", DIM)

    return Answer(shapes.job(gone), people)


async def run(call: Call) -> Answer:
    """One piece now, or everything that is due."""
    return await _all_due(call) if call.given.maybe("id") is None else await _done(call)


async def _done(call: Call) -> Answer:
    """Do one piece of work, with whatever else is due."""
    from relembra.interfaces.cli.failures import INTERRUPTED, OTHER

    try:
        async with call.existing() as memory:
            job = await memory.job(call.given.required("id"))
            async with watched(memory, call.words):
                left = await memory.run_job(job.id)
    except asyncio.CancelledError:  # Ctrl-C; what was claimed goes back into the queue
        return Answer({"stopped": True}, lambda terminal: terminal.say("jobs.stopped"), INTERRUPTED)
    failed = left is not None and left.error is not None

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if left is None:
            terminal.say("jobs.done.one", "green", work=told(words, job))
        elif failed:
            terminal.say("jobs.failed", "red", work=told(words, left))
            _table(terminal, [left], system_clock())
        else:
            terminal.say("jobs.put_off", "yellow", work=told(words, left), due=due(words, left.due_at, system_clock()))

    data = {"done": int(left is None), "left": [] if left is None else [shapes.job(left)]}
    return Answer(data, people, OTHER if failed else 0)


async def _all_due(call: Call) -> Answer:
    from relembra.interfaces.cli.failures import INTERRUPTED, OTHER

    try:
        async with call.existing() as memory:
            before = system_clock()
            async with watched(memory, call.words):
                claimed = await memory.settle()
                claimed += await waited_for(memory)
            left = await memory.jobs(limit=LOOKED_AT, tenant=call.settings.tenant)
    except asyncio.CancelledError:
        return Answer({"stopped": True}, lambda terminal: terminal.say("jobs.stopped"), INTERRUPTED)
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
            terminal.say("jobs.put_off.busy", "yellow", work=told(words, job))
        if failed:
            terminal.say("jobs.failed.some", "red", count=words.count("job", len(failed)))
            _table(terminal, failed, system_clock())
        if later := [job for job in waiting if job not in put_off]:
            upcoming = min(later, key=lambda job: job.due_at)
            when = due(words, upcoming.due_at, system_clock())
            terminal.say("jobs.next", DIM, work=told(words, upcoming), due=when)

    data = {"done": done, "left": [shapes.job(job) for job in (*failed, *put_off)]}
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


@asynccontextmanager
async def watched(memory: Memory, words: Words) -> AsyncIterator[None]:
    """On a terminal, say how much is left while work is done; beside the answer, and gone at the end."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield
        return
    status = console.status(words("jobs.working"))

    async def looking() -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            status.start()
            now = system_clock()
            queued = await memory.jobs(limit=LOOKED_AT)
            left = sum(job.state is JobState.RUNNING or _is_due(job, now) for job in queued)
            status.update(words("jobs.working.left", count=words.count("job", left)))

    task = asyncio.create_task(looking())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        status.stop()


def told(words: Words, job: Job) -> str:
    """What the work is and whose: "consolidation (ana)"."""
    return f"{words.name('work', job.kind)} ({whose(words, job.scope)})"


def whose(words: Words, scope: Scope) -> str:
    """A person by their name, a space as one."""
    return clean(scope.user) if scope.space is None else words("jobs.space", space=clean(scope.space))


def why(words: Words, job: Job) -> str:
    """Why it failed so far, in the reader's language where the sentence has one."""
    return "" if job.error is None else trouble(words, job.error) or clean(job.error)


def _is_due(job: Job, now: datetime) -> bool:
    return job.state is JobState.WAITING and job.due_at <= now


def _was_tried(job: Job, since: datetime) -> bool:
    """Whether it failed just now: given up, or put off to a moment that was not there before."""
    return job.attempts > 0 and (job.state is JobState.DEAD or job.due_at > since)


def _due(words: Words, job: Job, now: datetime) -> str:
    return "" if job.state is not JobState.WAITING else due(words, job.due_at, now)


def _table(terminal: Terminal, found: Sequence[Job], now: datetime, *, full: bool = False) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.work"), ratio=1 if terminal.watched and not terminal.roomy else None)
    table.add_column(words("head.state"), no_wrap=True)
    table.add_column(words("head.due"), no_wrap=terminal.roomy)
    if terminal.roomy:
        table.add_column(words("head.whose"))
        table.add_column(words("head.tries"), justify="right")
        table.add_column(words("head.reason"), ratio=1 if terminal.watched else None, style=DIM)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for job in found:
        work = Text(words.name("work", job.kind))
        state = Text(words(f"job_state.{job.state}"), STYLES[job.state])
        aside: list[Text | str] = [whose(words, job.scope), words.whole(job.attempts), why(words, job)]
        if not terminal.roomy:
            work.append(f" · {aside[0]}", DIM)
            tries = f"{words('head.tries')}: {aside[1]}" if job.attempts else ""
            if beneath := joined([Text(tries), Text(str(aside[2]))]):
                work.append("\n").append(beneath.plain, DIM)
        table.add_row(work, state, _due(words, job, now), *(aside if terminal.roomy else []), short(job.id))
    terminal.show(table)
    if not terminal.watched:
        return
    if full:
        terminal.say("jobs.full", DIM)
    if any(job.state is JobState.DEAD for job in found):
        terminal.say("jobs.dead.how", "yellow")
    elif any(_is_due(job, now) and job.due_at > AT_ONCE for job in found):
        terminal.say("jobs.left", DIM)


def _panel(terminal: Terminal, job: Job, now: datetime) -> None:
    words = terminal.words
    told_of: panels.Rows = [
        ("work", words.name("work", job.kind)),
        ("whose", whose(words, job.scope)),
        ("state", Text(words(f"job_state.{job.state}"), STYLES[job.state])),
        ("due", _due(words, job, now)),
        ("tries", words.whole(job.attempts)),
        ("reason", why(words, job)),
        ("queued", terminal.moment(job.created_at)),
        ("leased", "" if job.lease_until is None else terminal.moment(job.lease_until)),
        ("id", Text(job.id, "cyan")),
    ]
    rows: panels.Rows = [(words(f"label.{name}"), value) for name, value in told_of if value]
    if terminal.watched:
        title = words("jobs.title")
        terminal.show(Panel(panels.pairs(rows), title=title, title_align="left", border_style=DIM, padding=(0, 1)))
    else:
        terminal.show(panels.pairs(rows))
    if job.state is JobState.DEAD and terminal.watched:
        terminal.say("jobs.dead.how", "yellow")
