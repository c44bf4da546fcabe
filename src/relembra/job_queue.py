"""The queue of background work: what waits, what failed, and how to try it again."""

from __future__ import annotations

from collections.abc import Iterable

from relembra.domain.jobs import FLUSH, Job, JobState
from relembra.domain.scope import DEFAULT_TENANT, person
from relembra.domain.text import one, several
from relembra.errors import ConflictError, NotFoundError
from relembra.night.worker import Worker
from relembra.recall.query import checked_limit
from relembra.services import Part, Services, whole_id

LOOKED_AT_JOBS = 1_000


class JobQueue(Part):
    """Jobs that are not done yet."""

    def __init__(self, services: Services, worker: Worker) -> None:
        super().__init__(services)
        self._worker = worker

    async def retry(self) -> int:
        """Retry jobs that were given up; how many there were."""
        revived = await self._store.retry(now=self._now())
        self._worker.wake()
        return revived

    async def failed_jobs(self, *, within: str | None = None) -> list[Job]:
        """Work that was tried and is not done, among the thousand pieces due first; the `error` of each says why.

        Everybody's, or one tenant's.
        """
        jobs = await self._store.jobs(tenant=within, limit=LOOKED_AT_JOBS)
        return [job for job in jobs if job.error is not None and job.state is not JobState.RUNNING]

    async def jobs(
        self,
        *,
        user: str | None = None,
        state: str | None = None,
        kind: str | Iterable[str] | None = None,
        limit: int = 100,
        within: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> list[Job]:
        """Work that waits, is under way or was given up, the next due first; everybody's or one person's.

        `within`: of everybody's only one tenant's.
        """
        checked_limit(limit, self._policy.search.largest_page)
        wanted = None if state is None else one(JobState, state, "state")
        kinds = (kind,) if isinstance(kind, str) else several(kind or (), "kind")
        scope = None if user is None else person(tenant, user)
        return await self._store.jobs(state=wanted, scope=scope, tenant=within, kinds=kinds, limit=limit)

    async def job(self, id: str) -> Job:
        """One job that is not done yet, by its id or at least four characters of its beginning or end."""
        found = await self._store.job(id) or await self._store.job(await whole_id(id, self._store.job_ids, "jobs"))
        if found is None:
            raise NotFoundError("job", id)
        return found

    async def retry_job(self, id: str) -> Job:
        """Let a job that was given up, or still waits for its time, be tried now."""
        job = await self.job(id)
        await self._store.retry(now=self._now(), id=job.id)
        self._worker.wake()
        return await self._store.job(job.id) or job

    async def cancel_job(self, id: str) -> Job:
        """Take a job that waits or was given up out of the queue; one under way is a `ConflictError`."""
        job = await self.job(id)
        if job.kind == FLUSH:
            raise ConflictError("what was said would never be noted; to have it forgotten, forget the conversation")
        if not await self._store.cancel(job.id):
            raise NotFoundError("job", id)
        return job

    async def run_job(self, id: str) -> Job | None:
        """Do a job now, and whatever else of the same person is due; the job where it is not done, with its error."""
        job = await self.retry_job(id)
        await self._worker.run_due_of(job.scope)
        return await self._store.job(job.id)
