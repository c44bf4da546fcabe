"""Which messages lie behind a door, and what becomes of learning from them. One definition for every adapter."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from relembra.domain.doors import DoorKind
from relembra.domain.jobs import Job, JobState
from relembra.domain.message import Role
from relembra.domain.text import fold


def is_behind(kind: DoorKind, key: str, *, owner: str, author: str, role: Role, space: str | None) -> bool:
    """Whether a message is the person's (theirs, or said by them), or was said in the space; `key`: a folded name."""
    match kind:
        case DoorKind.PERSON:
            return fold(owner) == key or (role is Role.USER and fold(author) == key)
        case DoorKind.SPACE:
            return space is not None and fold(space) == key


def let_go(job: Job, behind: Collection[str], new_id: Callable[[], str]) -> Job | None:
    """Learning without the messages behind a door, under an id of its own, so that a worker at it finds its job gone.

    None: nothing is left to learn from.
    """
    left = [id for id in job.payload["messages"] if id not in behind]
    if not left:
        return None
    queued = replace(job, state=JobState.WAITING, lease_until=None) if job.state is JobState.RUNNING else job
    return replace(queued, id=new_id(), payload={**job.payload, "messages": left})
