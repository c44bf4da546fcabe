"""Work to be done later, kept beside the rows that cause it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from relembra.domain.scope import Scope

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
"""Due whatever the clock says, also when it goes back."""

INDEX = "index"
"""The kind of job that gives rows what they are found by; its payload names their kind and ids."""


FLUSH = "flush"
"""The kind that closes a channel's buffer once it is quiet and writes its note; the job has the buffer's id."""
LEARN = "learn"
"""The kind that learns from one person's messages of a note; its payload names both."""
SUMMARISE = "summarise"
"""The kind that renews the working summary of the session going on in a conversation."""


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


def job_now(kind: str, scope: Scope, payload: Mapping[str, Any], *, id: str, now: datetime) -> Job:
    """Work due at once."""
    return Job(id=id, scope=scope, kind=kind, payload=payload, due_at=AT_ONCE, created_at=now)


def index_job(scope: Scope, kind: str, ids: Sequence[str], *, id: str, now: datetime) -> Job:
    """Work to give rows what they are found by."""
    return job_now(INDEX, scope, {"kind": kind, "ids": list(ids)}, id=id, now=now)
