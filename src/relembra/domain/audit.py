"""The trail every change leaves: who, what, before, after, why; and what a reversal needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from relembra.domain.scope import Scope
from relembra.errors import InvalidInputError


class ActorKind(StrEnum):
    PERSON = "person"
    PROGRAM = "program"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who made a change."""

    kind: ActorKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    def is_owner(self, user: str) -> bool:
        """Whether this is the person whose memory it is; another person's word is a claim."""
        return self.kind is ActorKind.PERSON and self.name == user

    @classmethod
    def of(cls, by: str | None, user: str) -> Actor:
        """Who `by` names; without it, the person whose memory it is."""
        return cls(ActorKind.PERSON, user) if by is None else cls.parse(by)

    @classmethod
    def parse(cls, text: str) -> Actor:
        """From "person:ana", "program:gardener" or "model:openai:gpt-5"."""
        kind, _, name = text.partition(":")
        if kind not in set(ActorKind) or not name:
            raise InvalidInputError(
                f"{text!r} does not say who: use person:NAME, program:NAME or model:NAME", field="by"
            )
        return cls(ActorKind(kind), name)


def owner_only(by: str | None, user: str, verb: str) -> None:
    """Refuse anybody who would speak for the person."""
    if not Actor.of(by, user).is_owner(user):
        raise InvalidInputError(f"only {user} can {verb} what is known of {user}, not {by}", field="by")


class Target(StrEnum):
    ITEM = "item"
    CONVERSATION = "conversation"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row's change within a change. Entries of one verb share a `change` and are undone together."""

    id: str
    change: str
    scope: Scope
    at: datetime
    actor: Actor
    verb: str
    target: Target
    target_id: str
    before: Mapping[str, Any] | None  # None: it did not exist
    after: Mapping[str, Any] | None
    why: str | None = None
    undoes: str | None = None  # the change this one reversed
