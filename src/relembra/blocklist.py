"""Who is blocked and which spaces are switched off; and whose memories exist.

Some are named by the settings, which no verb changes. The others are kept in the store by tenant and looked up there
whenever something is saved or recalled, so that every program on the store goes by them at once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from relembra.domain.access import EVERY_SPACE, Block, BlockKind, SpaceState
from relembra.domain.scope import DEFAULT_TENANT, Place, person
from relembra.domain.text import checked_name, fold
from relembra.errors import ConflictError
from relembra.ingest.intake import REFUSALS, BlockSettings, Refusal, place_of
from relembra.recall.query import Listing, checked_limit, cursor_from
from relembra.services import Part, Services
from relembra.store.port import Cursor, Page

BEHIND_SPACES = "\x1f\U0010ffff"
"""Where people begin among the owners of a tenant, after what belongs to spaces."""
_NO_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)  # people are listed by name alone


class Blocklist(Part):
    """Whose words are kept and recalled, and where."""

    def __init__(self, services: Services, settings: BlockSettings) -> None:
        super().__init__(services)
        self._settings = settings

    async def block(self, person: str, *, tenant: str = DEFAULT_TENANT) -> Block:
        """Keep nothing of a person any more, as whoever's memory it is or as who speaks, and recall nothing for them.

        What they said that is not learnt from yet never is. What is known of them stays, and is back once they are
        unblocked; `forget` takes it away, and leaves them blocked.
        """
        return await self._block(BlockKind.PERSON, checked_name(person, "person"), tenant)

    async def unblock(self, person: str, *, tenant: str = DEFAULT_TENANT) -> bool:
        """Listen to a person again; whether they were blocked. A `ConflictError`: the settings block them."""
        return await self._unblock(BlockKind.PERSON, checked_name(person, "person"), tenant)

    async def switch_space(self, space: str, *, on: bool, tenant: str = DEFAULT_TENANT) -> SpaceState:
        """Keep and recall nothing in a space, or everything again. A `ConflictError`: the settings switch it off.

        What was said there that is not learnt from yet when it is switched off never is. What is switched on stays on
        where all other spaces are switched off.
        """
        name = checked_name(space, "space")
        if on:
            await self._unblock(BlockKind.SPACE, name, tenant)
            await self._block(BlockKind.LISTED, name, tenant)
            return SpaceState(name=name, on=True)
        block = await self._block(BlockKind.SPACE, name, tenant)
        return SpaceState(name=name, on=False, by_settings=block.by_settings)

    async def switch_spaces(self, *, on: bool, tenant: str = DEFAULT_TENANT) -> list[SpaceState]:
        """Listen in every space, or only in those that are switched on by name; how all then stand.

        What was said in others that is not learnt from yet when they are switched off never is. What is said in
        private is always listened to. A `ConflictError`: the settings name the only ones.
        """
        if on:
            await self._unblock(BlockKind.SPACES, EVERY_SPACE, tenant)
        else:
            await self._block(BlockKind.SPACES, EVERY_SPACE, tenant)
        return await self.spaces(tenant=tenant)

    async def blocks(self, *, tenant: str = DEFAULT_TENANT) -> list[Block]:
        """Everybody who is blocked and every space that is switched off: people first, each by name."""
        found = await self._store.blocks(checked_name(tenant, "tenant"))
        blocks = [block for block in found if block.kind != BlockKind.LISTED]
        kept = {(block.kind, block.key): block for block in blocks}
        for named in self._settings.blocks:
            held = kept.get((named.kind, named.key), named)
            kept[named.kind, named.key] = replace(held, by_settings=True)
        return [kept[name] for name in sorted(kept)]

    async def spaces(self, *, tenant: str = DEFAULT_TENANT) -> list[SpaceState]:
        """Every space anything was said in or that was switched on or off, by name."""
        found = [*self._settings.blocks, *await self._store.blocks(checked_name(tenant, "tenant"))]
        off, on = (
            {one.key: one.name for one in found if one.kind is kind} for kind in (BlockKind.SPACE, BlockKind.LISTED)
        )
        is_listed = any(one.kind is BlockKind.SPACES and not one.by_settings for one in found)
        names = await self._store.spaces(tenant)
        said = set(map(fold, names))
        names += [name for key, name in (on | off).items() if key not in said]
        states = []
        for name in names:
            is_fixed = self._settings.names(BlockKind.SPACE, name)
            is_off = is_fixed or fold(name) in off or (is_listed and fold(name) not in on)
            states.append(SpaceState(name=name, on=not is_off, by_settings=is_fixed))
        return sorted(states, key=lambda state: (fold(state.name), state.name))

    async def users(self, *, limit: int = 100, after: str | None = None, tenant: str = DEFAULT_TENANT) -> Listing[str]:
        """Everybody anything is kept of, by name; a page of them."""
        checked_limit(limit, self._policy.search.largest_page)
        cursor = cursor_from(after)
        behind = BEHIND_SPACES if cursor is None else max(cursor.id, BEHIND_SPACES)
        found = await self._store.owners(checked_name(tenant, "tenant"), after=behind, limit=limit + 1)
        names = tuple(scope.user for scope in found[:limit])
        return Listing(Page(names, Cursor(_NO_MOMENT, names[-1]) if len(found) > limit else None))

    async def refusal(
        self, *, user: str | None = None, space: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Refusal | None:
        """Why nothing would be kept or recalled of a person, in a space, or both; None: it would."""
        if user is not None:
            person(tenant, user)
        return await self.refused(checked_name(tenant, "tenant"), user, place_of(space, None))

    async def refused(
        self, tenant: str, user: str | None, place: Place, *, author: str | None = None, skip: bool = False
    ) -> Refusal | None:
        """Why a person is not listened to in a place: by the settings, or by one look into the store."""
        people = [name for name in (user, author) if name is not None]
        for name in people or ("",):
            if (refused := self._settings.refusal(name, place, skip=skip)) is not None:
                return refused
        blocked = await self._store.blocks(tenant, people=people, space=place.space)
        return REFUSALS[blocked[0].kind] if blocked else None

    async def unheard(self, tenant: str, names: list[str]) -> set[str]:
        """Those of the names, folded, who are blocked; impossible names are passed over."""
        possible = [name for name in dict.fromkeys(names) if name.isprintable()]
        by_settings = {fold(name) for name in possible if self._settings.names(BlockKind.PERSON, name)}
        return by_settings | {block.key for block in await self._store.blocks(tenant, people=possible)}

    async def _block(self, kind: BlockKind, name: str, tenant: str) -> Block:
        block = await self._store.block(
            checked_name(tenant, "tenant"), kind, name, since=self._now(), new_id=self._new_id
        )
        return replace(block, by_settings=self._settings.names(kind, name))

    async def _unblock(self, kind: BlockKind, name: str, tenant: str) -> bool:
        if (setting := self._settings.by(kind, name)) is not None:
            says = f"names {name!r}"
            if setting == "spaces_only":
                says = "names the only spaces" if kind is BlockKind.SPACES else f"leaves out {name!r}"
            raise ConflictError(f"the setting {setting} {says}: change it there, and start again", "settings")
        return await self._store.unblock(checked_name(tenant, "tenant"), kind, name)
