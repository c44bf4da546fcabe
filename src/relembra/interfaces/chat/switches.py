"""Whether anything is remembered in a group: switched by its admins, as the space it is."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import fold

if TYPE_CHECKING:
    from relembra.memory import Memory

__all__ = ["Switches"]


class Switches:
    """The switches of one app's groups. A group is on until it is switched off, here or by whoever runs this."""

    def __init__(
        self, memory: Memory, app: str, *, tenant: str = DEFAULT_TENANT, spaces_off: Collection[str] = ()
    ) -> None:
        self._memory = memory
        self._app = app
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
        return await self._memory.refusal(space=self.space(group), tenant=self._tenant) is None

    async def turn(self, group: int, *, on: bool) -> None:
        """Switch a group with all the spaces in it, such as channels few can see; it stays so after a restart."""
        whole = self.space(group)
        held = await self._memory.spaces(tenant=self._tenant)
        inside = [state.name for state in held if state.name.startswith(f"{whole}:") and not state.by_settings]
        for space in (whole, *inside):
            await self._memory.switch_space(space, on=on, tenant=self._tenant)
