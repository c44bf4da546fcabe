"""Who is who: an account in a chat app and the person it is, the same one after a new name and in other apps."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from relembra.domain.access import account_id, account_name
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_name
from relembra.errors import InvalidInputError

if TYPE_CHECKING:
    from relembra.memory import Memory

__all__ = ["People"]


class People:
    """The people behind one app's accounts. An account is linked to a person when it first speaks."""

    def __init__(self, memory: Memory, app: str, *, tenant: str = DEFAULT_TENANT) -> None:
        self._memory = memory
        self._app = app
        self._tenant = tenant
        self._one_at_a_time = asyncio.Lock()

    async def known(self, id: int) -> str | None:
        """Whose an account is; None for one that never spoke."""
        return await self._memory.linked(self._app, str(id), tenant=self._tenant)

    async def called(self, handle: str) -> str | None:
        """Whoever speaks in this app by that handle; None where nobody does."""
        name = account_name(self._app, handle)
        links = await self._memory.links(user=name, tenant=self._tenant) if handle else []
        return name if any(link.channel == self._app for link in links) else None

    async def user_of(self, id: int, handle: str | None, *, keep: bool = True) -> str:
        """Whose an account is. One seen for the first time is called by its app and handle, "discord:bia", never by a
        plain name: whoever chooses a handle must not come by the memory of somebody who has that name elsewhere.

        Without `keep` nothing is written down of one that was not seen before.
        """
        known = await self.known(id)
        if known is not None:
            return known
        if not keep:
            return account_name(self._app, str(id))
        async with self._one_at_a_time:
            known = await self.known(id)
            if known is not None:
                return known
            name = account_name(self._app, str(id))
            if handle and handle.strip() and not account_id(handle).isdecimal():  # which could be somebody's id
                called = account_name(self._app, handle)
                name = called if await self._is_free(called) else name
            await self._memory.link(self._app, str(id), user=name, tenant=self._tenant)
            return name

    async def _is_free(self, name: str) -> bool:
        """Whether nobody has that name: a handle may have been another's before."""
        try:
            checked_name(name, "user")
        except InvalidInputError:
            return False
        if await self._memory.links(user=name, tenant=self._tenant):
            return False
        if any(key.user == name for key in await self._memory.keys(tenant=self._tenant)):
            return False
        held = await self._memory.stats(user=name, tenant=self._tenant)
        return not (held.conversations or held.messages or held.notes or sum(held.items.values()))
