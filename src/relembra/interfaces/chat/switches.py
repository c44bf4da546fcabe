"""Whether anything is remembered in a group: switched by its admins, and kept where links are."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import fold

if TYPE_CHECKING:
    from relembra.memory import Memory

__all__ = ["Switches"]

OFF = "relembra:off"
"""Whose a group that is switched off is, as a link; no person of an app can have a name with a colon."""


class Switches:
    """The switches of one app's groups. A group is on until it is switched off."""

    def __init__(
        self, memory: Memory, app: str, *, tenant: str = DEFAULT_TENANT, spaces_off: Collection[str] = ()
    ) -> None:
        self._memory = memory
        self._app = app
        self._channel = f"{app}-switch"
        self._tenant = tenant
        self._spaces_off = frozenset(map(fold, spaces_off))

    def space(self, group: int) -> str:
        """The space that a group is."""
        return f"{self._app}:{group}"

    def is_off_by_settings(self, group: int) -> bool:
        """Whether the setting `spaces_off` names the group, which no switch in the app changes."""
        return fold(self.space(group)) in self._spaces_off

    async def is_on(self, group: int) -> bool:
        if self.is_off_by_settings(group):
            return False
        return await self._memory.linked(self._channel, str(group), tenant=self._tenant) is None

    async def turn(self, group: int, *, on: bool) -> None:
        """Switch a group; it stays so after a restart."""
        if on:
            await self._memory.unlink(self._channel, str(group), tenant=self._tenant)
        else:
            await self._memory.link(self._channel, str(group), user=OFF, tenant=self._tenant)
