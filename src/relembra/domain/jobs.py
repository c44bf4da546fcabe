"""Work to be done later, kept beside the rows that cause it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.nights import next_night
from relembra.domain.scope import Scope

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
SUMMARISE = "summarise"
"""The kind that renews the working summary of the session going on in a conversation."""

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
