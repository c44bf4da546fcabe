"""The record of one piece of night work: what it covered, what it changed, what it took, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from enum import StrEnum

from relembra.domain.scope import Scope


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
