"""Who calls: whose memory, with which right, from where, and how far what is shown may travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from relembra.domain.access import Right
from relembra.domain.scope import DEFAULT_TENANT, Whose


class Where(TypedDict):
    """A place, as verbs take it; both None in private."""

    space: str | None
    channel: str | None


class Asking(Whose, Where):
    """What every verb takes that shows something."""

    outside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One connection's: `local` where the model that reads the answers runs on a machine of ours."""

    user: str
    tenant: str = DEFAULT_TENANT
    right: Right = Right.WRITE
    local: bool = False
    space: str | None = None
    channel: str | None = None

    @property
    def whose(self) -> Whose:
        return {"user": self.user, "tenant": self.tenant}

    @property
    def where(self) -> Where:
        return {"space": self.space, "channel": self.channel}

    @property
    def outside(self) -> bool:
        return not self.local

    @property
    def asking(self) -> Asking:
        return {**self.where, **self.whose, "outside": self.outside}
