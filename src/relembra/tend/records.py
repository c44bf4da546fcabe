"""Keeping the books of night work: a record is opened before anything is done and closed with the last of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.candidate import Spent
from relembra.domain.jobs import Job
from relembra.domain.knowledge import Source
from relembra.domain.moment import Clock
from relembra.domain.nights import night_of
from relembra.domain.run import Run, RunKind, RunStatus, Tally
from relembra.errors import ConflictError, StaleError
from relembra.store.port import ExpectJob, Op, PutRun, Store

BY_HAND = "by_hand"
ZONE = "zone"
LONGEST_RAW = 200_000


class Books:
    """Opens and closes records. A record has its job's id, so that whoever takes the job up again finds it."""

    def __init__(self, store: Store, *, night_hour: float, clock: Clock) -> None:
        self._store = store
        self._night_hour = night_hour
        self._clock = clock

    async def opened(self, job: Job, kind: RunKind) -> Run | None:
        """The record of a job, stored as running; None when another job did this night's work, or it was taken back.

        None as well where the job went meanwhile, with somebody forgotten: no record of them may come after.
        """
        held = await self._store.run(job.scope, job.id)
        if held is not None:
            if held.status is RunStatus.RUNNING:
                return held
            if held.status is RunStatus.ROLLED_BACK:
                return None
            again = replace(
                held,
                status=RunStatus.RUNNING,
                error=None,
                finished_at=None,
                until=self._clock(),
                version=held.version + 1,
            )
            await self._store.apply(job.scope, [PutRun(again, held.version)])
            return again
        now = self._clock()
        by_hand = bool(job.payload.get(BY_HAND))
        night = None if by_hand else night_of(now, zone_of_job(job), hour=self._night_hour)
        last = await self._store.page_runs(job.scope, (kind,), limit=1)
        since = min(last.rows[0].until, now) if last.rows else None
        run = Run(id=job.id, scope=job.scope, kind=kind, night=night, since=since, until=now, started_at=now)
        try:
            await self._store.apply(job.scope, [PutRun(run, None), ExpectJob(job.id)])
        except StaleError:
            return await self._store.run(job.scope, job.id)  # another worker opened it in this moment
        except ConflictError:
            return None
        return run

    def closed(self, run: Run, *, error: str | None = None) -> list[Op]:
        """What ends a record: completed, or with an error partial where something was done and failed where nothing."""
        status = RunStatus.COMPLETED
        if error is not None:
            status = RunStatus.PARTIAL if run.tally != Tally() else RunStatus.FAILED
        return [self.kept(replace(run, status=status, error=error, finished_at=self._clock()))]

    def kept(self, run: Run) -> Op:
        """The record as it stands, at its next version."""
        return PutRun(replace(run, version=run.version + 1), run.version)


def zone_of_job(job: Job) -> str:
    return str(job.payload.get(ZONE) or "+00:00")


def with_use(run: Run, uses: Iterable[Spent], raw: str | None = None) -> Run:
    """The record with what models were asked added, and what they answered."""
    spent = list(uses)
    told = run.raw if raw is None else "\n".join(part for part in (run.raw, raw) if part)[-LONGEST_RAW:]
    return replace(
        run,
        model_calls=run.model_calls + sum(one.calls for one in spent),
        input_tokens=run.input_tokens + sum(one.input_tokens for one in spent),
        output_tokens=run.output_tokens + sum(one.output_tokens for one in spent),
        raw=told,
    )


def tallied(entries: Sequence[AuditEntry]) -> Tally:
    """What audit entries say was done to items; an item that came and changed in them counts once, as created."""
    created = {entry.target_id for entry in entries if entry.target is Target.ITEM and entry.before is None}
    ended = {entry.target_id for entry in entries if entry.verb == "supersede"} - created
    merged = {entry.target_id for entry in entries if entry.verb == "merge" and _was_ended(entry)}
    faded = {entry.target_id for entry in entries if entry.verb == "fade"} - created
    away = {entry.target_id for entry in entries if entry.verb == "archive"}
    others = {entry.target_id for entry in entries if entry.target is Target.ITEM}
    return Tally(
        created=len(created),
        updated=len(others - created - ended - merged - faded - away),
        superseded=len(ended - merged),
        merged=len(merged),
        faded=len(faded - away),
        archived=len(away),
        inferences=len({entry.target_id for entry in entries if entry.before is None and _is_inferred(entry.after)}),
        notes=len({entry.target_id for entry in entries if entry.target is Target.NOTE and entry.before is None}),
    )


def _was_ended(entry: AuditEntry) -> bool:
    return bool(entry.after and entry.after.get("superseded_at"))


def _is_inferred(after: Any) -> bool:
    return bool(after) and after.get("source") == Source.AI_INFERENCE
