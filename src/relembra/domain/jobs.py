"""Work to be done later, kept beside the rows that cause it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope
from relembra.domain.time import local


class RunKind(StrEnum):
    CONSOLIDATION = "consolidation"
    CLUSTERING = "clustering"
    GARDENING = "gardening"
    INSIGHT = "insight"
    REPORT = "report"


class RunStatus(StrEnum):
    RUNNING = "running"
    COMPLETED = "completed"
    PARTIAL = "partial"  # some of it could not be done; `error` says what and why
    FAILED = "failed"  # nothing could be done
    ROLLED_BACK = "rolled_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How much a run did."""

    messages: int = 0  # of the person, that it covers
    created: int = 0  # items
    updated: int = 0  # items said again or otherwise changed
    superseded: int = 0
    merged: int = 0
    faded: int = 0  # items that lost weight
    archived: int = 0  # items and notes put away
    inferences: int = 0  # of the created ones, those concluded and not said
    notes: int = 0  # notes written

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{part.name: getattr(self, part.name) + getattr(other, part.name) for part in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One night's work of one kind for one person or space. It holds ids and counts; words only in `raw`."""

    id: str
    scope: Scope
    kind: RunKind
    night: date | None  # the day, on the person's own clock, it was the work of; None: it was asked for by hand
    since: datetime | None  # what it covers begins where the last one ended; None: at the beginning
    until: datetime
    status: RunStatus = RunStatus.RUNNING
    tally: Tally = field(default_factory=Tally)
    changes: tuple[str, ...] = ()  # recorded in the audit trail, in the order they were made
    memory_before: int | None = None  # versions of the compact memory
    memory_after: int | None = None
    memory_updates: tuple[str, ...] = ()  # the parts of the compact memory that changed
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    raw: str | None = None  # what a model answered, as it came; lost once anything of the person is forgotten
    error: str | None = None
    started_at: datetime
    finished_at: datetime | None = None
    version: int = 1

    @property
    def duration(self) -> timedelta | None:
        return None if self.finished_at is None else self.finished_at - self.started_at


_DAY = timedelta(days=1)


def at_hour(day: date, hour: float, zone: str) -> datetime:
    """The moment, in UTC, at which that hour strikes there that day.

    An hour the clock leaps over strikes when it would have without the leap; one that comes twice, the first time.
    """
    wall = datetime.combine(day, time()) + timedelta(hours=hour)
    return wall.replace(tzinfo=on_clock(datetime.combine(day, time(12), UTC), zone).tzinfo).astimezone(UTC)


def next_night(after: datetime, zone: str, *, hour: float) -> datetime:
    """The first moment after the given one at which that hour strikes there."""
    day = on_clock(after, zone).date() - _DAY
    while (due := at_hour(day, hour, zone)) <= after:
        day += _DAY
    return due


def night_of(moment: datetime, zone: str, *, hour: float) -> date:
    """The day whose night hour was the last to strike there."""
    day = on_clock(moment, zone).date()
    return day if at_hour(day, hour, zone) <= moment else day - _DAY


def week_over(moment: datetime, zone: str, *, hour: float) -> datetime:
    """The night hour of the Monday after the week a moment lies in, there."""
    day = on_clock(moment, zone).date()
    return at_hour(day + timedelta(days=7 - day.weekday()), hour, zone)


def month_over(moment: datetime, zone: str, *, hour: float) -> datetime:
    """The night hour of the first day after the month a moment lies in, there."""
    day = on_clock(moment, zone).date()
    return at_hour((day.replace(day=28) + timedelta(days=4)).replace(day=1), hour, zone)


def clock_of(zone: str, moment: datetime, home: str) -> str:
    """The clock nights go by: home's, where only an offset was given and home's clock showed the same at that moment.

    An offset does not tell when its clock changes; a person away from home keeps the one given.
    """
    if not home or zone[:1] not in ("+", "-"):
        return zone
    try:
        return home if on_clock(moment, home).utcoffset() == on_clock(moment, zone).utcoffset() else zone
    except OverflowError:  # at the ends of the calendar
        return zone


def on_clock(moment: datetime, zone: str) -> datetime:
    """The moment on a clock; an unknown one is read as UTC."""
    try:
        return local(moment, zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return moment.astimezone(UTC)


AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""Due whatever the clock says, also when it goes back."""

INDEX = "index"
"""The kind of job that gives rows what they are found by; its payload names their kind and ids."""


FLUSH = "flush"
"""The kind that closes a channel's buffer once it is quiet and writes its note; the job has the buffer's id."""
READ = "read"
"""The kind that learns at once from what was said in a direct talk; its payload names the messages."""
LEARN = "learn"
"""The kind that learns from one person's messages of a note; its payload names both.

Where it says `read`, the messages were left to jobs of kind `READ` when they were saved.
"""
LEARNING = (READ, LEARN)
BEGIN = "begin"
"""The kind that lets a planned value end the one that held until then; its payload names the item."""
EVENT = "event"
"""The kind that tells another program of an insight that was found; its payload names the item."""
IMPORT = "import"
"""The kind that stands for an import under way, until whose end nothing is learnt: what was said first goes first."""
SUMMARISE = "summarise"
"""The kind that renews the working summary of the session going on in a conversation."""
REPLY = "reply"
"""The kind that answers a message from another program there; its payload names the program, the account and either."""

CONSOLIDATE = "consolidate"
"""The kinds of night work of one person or, for clusters, one space; their payload names the zone of the clock."""
CLUSTER = "cluster"
GARDEN = "garden"
INSIGHT = "insight"
WEEKLY = "weekly"
MONTHLY = "monthly"
NIGHT_WORK = (CONSOLIDATE, CLUSTER, GARDEN, INSIGHT, WEEKLY, MONTHLY)

MOST_TOGETHER = 32  # messages that are read in one job


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work: ids, never text, so that forgetting has less to chase. A finished job is gone."""

    id: str
    scope: Scope
    kind: str
    payload: Mapping[str, Any]
    due_at: datetime
    created_at: datetime
    state: JobState = JobState.WAITING
    attempts: int = 0
    lease_until: datetime | None = None
    error: str | None = None
    key: str | None = None  # of jobs of one scope and kind with the same key, one at most waits


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How jobs of some kinds are taken and given up."""

    lease: timedelta  # a claim older than this is taken for dead
    claim_limit: int = 8
    one_a_scope: bool = False  # never two of one person's or space's at the same time
    after: tuple[str, ...] = ()  # kinds of the same person or space that go first
    at_once: int = 1  # claims at the same time, in one process
    turns: int = 1  # claims one after another, before other kinds of the lane have their turn
    tries: int = 3
    waits_for_minds: bool = True  # a model out of reach is waited for, however many tries that takes
    lane: str = "day"  # what is in different lanes does not wait for one another


def job_now(kind: str, scope: Scope, payload: Mapping[str, Any], *, id: str, now: datetime) -> Job:
    """Work due at once."""
    return Job(id=id, scope=scope, kind=kind, payload=payload, due_at=AT_ONCE, created_at=now)


def night_job(kind: str, scope: Scope, zone: str, *, hour: float, id: str, now: datetime) -> Job:
    """Work of the coming night on that clock, left once however often it is asked for."""
    due = next_night(now, zone, hour=hour)
    return Job(id=id, scope=scope, kind=kind, key=kind, payload={"zone": zone}, due_at=due, created_at=now)


def read_job(scope: Scope, conversation: str, messages: Sequence[str], *, id: str, now: datetime) -> Job:
    """Work to learn at once from what was said; what is said in a conversation before it is begun joins it."""
    return replace(job_now(READ, scope, {"messages": list(messages)}, id=id, now=now), key=conversation)


def joined(waiting: Job, new: Job) -> Job | None:
    """A job that waits, with another of its key taken in; None: the other is to be queued beside it.

    One that names messages takes in those of the other, unless it was tried already; once they are many, it gives up
    its key and takes no more.
    """
    both = replace(waiting, due_at=min(waiting.due_at, new.due_at))
    if "messages" not in new.payload:
        return both
    if waiting.attempts:
        return None
    messages = [*waiting.payload["messages"], *new.payload["messages"]]
    key = waiting.key if len(messages) < MOST_TOGETHER else None
    return replace(both, payload={**waiting.payload, "messages": messages}, key=key)


def begin_job(item: KnowledgeItem, *, id: str, now: datetime) -> Job:
    """Work for the moment a planned value begins to hold."""
    job = job_now(BEGIN, item.scope, {"items": [item.id]}, id=id, now=now)
    return replace(job, due_at=item.held_from)


def index_job(scope: Scope, kind: str, ids: Sequence[str], *, id: str, now: datetime) -> Job:
    """Work to give rows what they are found by."""
    return job_now(INDEX, scope, {"kind": kind, "ids": list(ids)}, id=id, now=now)
