"""Work to be done later, kept beside the rows that cause it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from relembra.domain.scope import Scope

INDEX = "index"
"""The kind of job that gives rows what they are found by; its payload names their kind and ids."""


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
