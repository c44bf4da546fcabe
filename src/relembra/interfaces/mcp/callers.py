"""Who calls: whose memory, with which right, from where, and how far what is shown may travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relembra.domain.access import Right
from relembra.domain.scope import DEFAULT_TENANT


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
    def whose(self) -> dict[str, Any]:
        return {"user": self.user, "tenant": self.tenant}

    @property
    def where(self) -> dict[str, Any]:
        return {"space": self.space, "channel": self.channel}

    @property
    def outside(self) -> bool:
        return not self.local

    @property
    def asking(self) -> dict[str, Any]:
        return {**self.where, **self.whose, "outside": self.outside}
