"""Who is blocked and which spaces are switched off; and whose memories exist.

Some are named by the settings, which no verb changes. The others are kept in the store by tenant and looked up there
whenever something is saved or recalled, so that every program on the store goes by them at once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from relembra.domain.access import Door, DoorKind, SpaceState
from relembra.domain.scope import DEFAULT_TENANT, Place, person
from relembra.domain.text import checked_name, fold
from relembra.errors import ConflictError
from relembra.ingest.intake import REFUSALS, SETTINGS, Doors, Refusal, place_of
from relembra.recall.query import Listing, checked_limit, cursor_from
from relembra.services import Part, Services
from relembra.store.port import Cursor, Page

BEHIND_SPACES = "\x1f\U0010ffff"
"""Where people begin among the owners of a tenant, after what belongs to spaces."""
_NO_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)  # people are listed by name alone


class Blocklist(Part):
    """Whose words are kept and recalled, and where."""

    def __init__(self, services: Services, doors: Doors) -> None:
        super().__init__(services)
        self._doors = doors

    async def block(self, person: str, *, tenant: str = DEFAULT_TENANT) -> Door:
        """Keep nothing of a person any more, as whoever's memory it is or as who speaks, and recall nothing for them.

        What they said that is not learnt from yet never is. What is known of them stays, and is back once they are
        unblocked; `forget` takes it away, and leaves them blocked.
        """
        return await self._shut(DoorKind.PERSON, checked_name(person, "person"), tenant)

    async def unblock(self, person: str, *, tenant: str = DEFAULT_TENANT) -> bool:
        """Listen to a person again; whether they were blocked. A `ConflictError`: the settings block them."""
        return await self._open(DoorKind.PERSON, checked_name(person, "person"), tenant)

    async def switch_space(self, space: str, *, on: bool, tenant: str = DEFAULT_TENANT) -> SpaceState:
        """Keep and recall nothing in a space, or everything again. A `ConflictError`: the settings switch it off.

        What was said there that is not learnt from yet when it is switched off never is.
        """
        name = checked_name(space, "space")
        if on:
            await self._open(DoorKind.SPACE, name, tenant)
            return SpaceState(name=name, on=True)
        door = await self._shut(DoorKind.SPACE, name, tenant)
        return SpaceState(name=name, on=False, by_settings=door.by_settings)

    async def doors(self, *, tenant: str = DEFAULT_TENANT) -> list[Door]:
        """Everybody who is blocked and every space that is switched off: people first, each by name."""
        kept = {(door.kind, door.key): door for door in await self._store.doors(checked_name(tenant, "tenant"))}
        for named in self._doors.names:
            held = kept.get((named.kind, named.key), named)
            kept[named.kind, named.key] = replace(held, by_settings=True)
        return [kept[name] for name in sorted(kept)]

    async def spaces(self, *, tenant: str = DEFAULT_TENANT) -> list[SpaceState]:
        """Every space anything was said in or that is switched off, by name."""
        off = {door.key: door for door in await self.doors(tenant=tenant) if door.kind is DoorKind.SPACE}
        names = await self._store.spaces(tenant)
        said = set(map(fold, names))
        names += [door.name for door in off.values() if door.key not in said]
        states = [
            SpaceState(name=name, on=fold(name) not in off, by_settings=self._doors.closes(DoorKind.SPACE, name))
            for name in names
        ]
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
        """Why somebody is not listened to in a place: by the settings, or by one look into the store."""
        people = [name for name in (user, author) if name is not None]
        for name in people or ("",):
            if (refused := self._doors.refusal(name, place, skip=skip)) is not None:
                return refused
        shut = await self._store.closed(tenant, people=people, space=place.space)
        return REFUSALS[shut[0].kind] if shut else None

    async def unheard(self, tenant: str, names: list[str]) -> set[str]:
        """Those of the names, folded, who are blocked; names nobody can have are passed over."""
        possible = [name for name in dict.fromkeys(names) if name.isprintable()]
        by_settings = {fold(name) for name in possible if self._doors.closes(DoorKind.PERSON, name)}
        return by_settings | {door.key for door in await self._store.closed(tenant, people=possible)}

    async def _shut(self, kind: DoorKind, name: str, tenant: str) -> Door:
        door = await self._store.close_door(
            checked_name(tenant, "tenant"), kind, name, since=self._now(), new_id=self._new_id
        )
        return replace(door, by_settings=self._doors.closes(kind, name))

    async def _open(self, kind: DoorKind, name: str, tenant: str) -> bool:
        if self._doors.closes(kind, name):
            raise ConflictError(f"the setting {SETTINGS[kind]} names {name!r}: change it there, and start again")
        return await self._store.open_door(checked_name(tenant, "tenant"), kind, name)
