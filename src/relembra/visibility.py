"""What is held of a person, as it may be shown to the caller in a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from relembra.blocklist import Blocklist
from relembra.domain.jobs import clock_of
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import LONGEST_TITLE, Conversation, Note, Role
from relembra.domain.scope import Place, Scope, person, shelf_of
from relembra.domain.text import checked_language, shortened, visible_line
from relembra.errors import NotFoundError
from relembra.recall.ranking import Hit
from relembra.services import MANY, Part, Services
from relembra.store.port import (
    NOTHING,
    ConversationFilter,
    ItemFilter,
    MessageFilter,
    NoteFilter,
    Stamp,
    Withheld,
    cache_key,
)
from relembra.views.memory import PORTRAYED
from relembra.views.timeline import GOES_BY, called

MOST_ITEMS = 5_000
MOST_OF_A_KIND = 100
MOST_NAMES = 10  # a person is looked for by, the newest


class Visibility(Part):
    """What is held of a person, without what the caller may not see."""

    def __init__(self, services: Services, blocklist: Blocklist) -> None:
        super().__init__(services)
        self._blocklist = blocklist

    async def withheld(self, scope: Scope, outside: bool, stamp: Stamp | None = None) -> Withheld:
        """What stays on this machine of a person or space when the caller is outside; worked out once a change.

        Of a space it is worked out each time, for it follows from what its people marked.
        """
        if not outside:
            return NOTHING
        if scope.space is not None:
            return await self._store.withheld(scope)
        known = (stamp or (await self._store.stamps([scope]))[0]).known
        return await self._cached(scope, cache_key("withheld"), known, Withheld, partial(self._store.withheld, scope))

    async def current(self, scope: Scope, place: Place, now: datetime, away: Withheld = NOTHING) -> list[KnowledgeItem]:
        """Everything held of a person that may be heard in a place, the newest first, up to some thousand; in a larger
        memory also who the person is, however old that is."""
        if await self._blocklist.refused(scope.tenant, scope.user, place) is not None:
            return []
        return await self._newest(scope, ItemFilter(now=now, asked_in=place, without=away.items), away, MOST_ITEMS)

    async def telling(self, scope: Scope, now: datetime, away: Withheld = NOTHING) -> list[KnowledgeItem]:
        """What a compact memory is made of: the newest, and in a large memory who the person is, however old.

        A bounded read, so that rewriting it takes no longer the more is known.
        """
        return await self._newest(scope, ItemFilter(now=now, without=away.items), away, MANY)

    async def _newest(self, scope: Scope, wanted: ItemFilter, away: Withheld, most: int) -> list[KnowledgeItem]:
        rows, more = await self._all_items(scope, wanted, most)
        if more:
            own = [replace(wanted, subject=SELF, attribute=name) for name in PORTRAYED]
            older = [
                await self._store.page(scope, narrowed, limit=MOST_OF_A_KIND)
                for narrowed in [*own, replace(wanted, attribute="relation")]
            ]
            rows = list({item.id: item for item in (*rows, *(item for page in older for item in page.rows))}.values())
        return await self.as_shown(scope, rows, wanted.asked_in, away)

    async def as_shown(
        self, scope: Scope, items: Sequence[KnowledgeItem], place: Place, away: Withheld = NOTHING
    ) -> list[KnowledgeItem]:
        """Items as they are shown in a place: those in doubt with the newer words, and none with what stays here."""
        shown = [away.out_of(item) for item in items] if away else items
        return await self._casework.with_doubts(scope, shown, place, self._now(), without=away.items)

    async def shown_hits(self, scope: Scope, hits: Sequence[Hit], wanted: ItemFilter, away: Withheld) -> list[Hit]:
        """The hits with their items as they are shown; of another moment, without what was said since."""
        items = [hit.item for hit in hits]
        if wanted.as_of is not None or wanted.true_at is not None:
            shown = [away.out_of(item) for item in items]
        else:
            shown = await self.as_shown(scope, items, wanted.asked_in, away)
        return [replace(hit, item=item) for hit, item in zip(hits, shown, strict=True)]

    async def notes_of(self, scope: Scope, items: Sequence[KnowledgeItem], outside: bool = False) -> list[Note]:
        """The notes items were learnt from, the spaces' ones too."""
        wanted: dict[Scope, list[str]] = {}
        for item in items:
            if item.note_id is not None:
                wanted.setdefault(shelf_of(scope, item.place), []).append(item.note_id)
        found: list[Note] = []
        for shelf, ids in wanted.items():
            away = (await self.withheld(shelf, outside)).notes
            found += await self._store.get(shelf, Note, [id for id in dict.fromkeys(ids) if id not in away])
        return found

    async def hidden_notes(self, scope: Scope, notes: Sequence[Note]) -> set[str]:
        """The notes among these that tell of conversations the person has hidden."""
        own = {note.id: note.conversation for note in notes if note.scope == scope and note.conversation is not None}
        talks = await self._store.get(scope, Conversation, sorted(set(own.values()))) if own else []
        gone = {talk.id for talk in talks if talk.deleted_at is not None}
        return {id for id, conversation in own.items() if conversation in gone}

    async def shelves(self, scope: Scope, wanted: NoteFilter, outside: bool) -> list[tuple[Scope, NoteFilter]]:
        """Where a person's notes lie: the shelf of a space, or in private their own and those of talks they were in."""
        found = [(shelf_of(scope, wanted.asked_in), wanted)]
        if wanted.asked_in.is_private:
            page = await self._store.page(scope, ConversationFilter(), limit=MANY)
            for name in dict.fromkeys(row.place.space for row in page.rows if row.place.space is not None):
                there = Place(name, "general")
                found.append((shelf_of(scope, there), replace(wanted, asked_in=there, participant=scope.user)))
        return [(shelf, replace(one, without=(await self.withheld(shelf, outside)).notes)) for shelf, one in found]

    async def name_of(self, scope: Scope, place: Place, outside: bool) -> tuple[str, bool]:
        """What to call a person in a place: as they said there, else as an app shows them there, else by their id.

        And whether it is their own word.
        """
        [stamp] = await self._store.stamps([scope])
        key = cache_key("called", place.space, outside)
        make = partial(self._called, scope, place, outside, stamp)
        return await self._cached(scope, key, (stamp.known, stamp.said), tuple[str, bool], make)

    async def _called(self, scope: Scope, place: Place, outside: bool, stamp: Stamp) -> tuple[str, bool]:
        now, away = self._now(), await self.withheld(scope, outside, stamp)
        stated: list[KnowledgeItem] = []
        for attribute in GOES_BY:
            wanted = ItemFilter(now=now, asked_in=place, subject=SELF, attribute=attribute, without=away.items)
            stated += (await self._store.page(scope, wanted, limit=MOST_NAMES)).rows
        name = own = called(stated, now)
        if name is None:
            spoken = MessageFilter(asked_in=place, roles=(Role.USER,), without=away.messages)
            said = (await self._store.page(scope, spoken, limit=MOST_NAMES)).rows
            name = next((one.author_name for one in said if one.author == scope.user), scope.user)
        return shortened(visible_line(name), LONGEST_TITLE), own is not None

    def language_for(self, items: Sequence[KnowledgeItem], language: str | None) -> str:
        """The language asked for, else the one most is known in."""
        if (asked := checked_language(language)) is not None:
            return asked
        tongues = [item.language for item in items if item.language is not None]
        return max(("pt", "en"), key=tongues.count) if tongues else self._language

    async def zone_of(self, scope: Scope) -> str:
        """The clock a person last spoke by."""
        page = await self._store.page(scope, MessageFilter(), limit=1)
        return clock_of(page.rows[0].zone, page.rows[0].sent_at, self._home) if page.rows else self._home or "+00:00"

    async def known_person(self, tenant: str, user: str) -> Scope:
        """The scope of a person of whom anything is kept: work for a mistyped name would be about nobody."""
        scope = person(tenant, user)
        [stamp] = await self._store.stamps([scope])
        if not stamp.said and not stamp.known:
            raise NotFoundError("person", user)
        return scope
