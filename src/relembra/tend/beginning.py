"""Plans whose time has come: the value that was planned holds now, and ends the one before."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from relembra.domain.jobs import BEGIN, Job, Terms
from relembra.errors import ConflictError, StaleError
from relembra.learn.keeper import Keeper
from relembra.store.port import FinishJob

log = logging.getLogger(__name__)


class Beginner:
    """Lets planned values begin to hold."""

    kinds: tuple[str, ...] = (BEGIN,)
    terms = Terms(lease=timedelta(minutes=1))

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            [item] = job.payload["items"]
            try:
                await self._keeper.begin(job.scope, item, [FinishJob(job.id)])
            except StaleError:
                raise
            except ConflictError:
                log.info("job %s was finished by another worker", job.id)
