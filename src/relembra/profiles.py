"""Who a person is: the compact memory, the profile, traits and people, each kept until something it tells changes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from relembra.blocklist import Blocklist
from relembra.domain.jobs import RunKind, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.scope import DEFAULT_TENANT, DIRECT, Place, Scope, person, shelf_of
from relembra.domain.text import checked_language
from relembra.errors import StaleError, StoreReadOnlyError
from relembra.ingest.intake import place_of
from relembra.night.consolidation import Rewritten
from relembra.recall.query import checked_limit
from relembra.recall.rendering import MemoryLine, ProfileLine
from relembra.services import Part, Services
from relembra.store.port import NOTHING, Expect, Put, RunFilter, Stamp, View, Withheld, cache_key
from relembra.views.memory import FACTS, LISTS, UserMemory, changed_parts, compact, from_body, minified, to_body
from relembra.views.profile import Person, Profile, Trait, cognitive_profile, people, profile
from relembra.views.timeline import next_turn
from relembra.visibility import Visibility

USER_MEMORY = "user_memory"
MOST_KEPT_READY = 32
RUNS_LOOKED_AT = 20  # nights, for the last that was finished
NIGHTS_DONE = (RunStatus.COMPLETED, RunStatus.PARTIAL)
MOST_PROFILE_LINES = 60  # a person
VIEW_BYTES, ITEM_BYTES = 8_000, 800
"""What a kept view takes, about: by itself, and for each item it was made of."""
QUARTER = timedelta(minutes=15)
"""Days begin at such a moment by every clock there is, so that what tells ages and birthdays holds until the next."""

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Made(Generic[T]):
    """A view as it was made: it holds while what it was made of is the same, from one moment until another."""

    view: T
    since: datetime
    until: datetime
    size: int = VIEW_BYTES
    shelves: tuple[Scope, ...] = ()  # of spaces whose notes it names
    seen: tuple[int | str, ...] = ()  # what these notes were made of


class Profiles(Part):
    """Views of what is known of a person."""

    def __init__(self, services: Services, visibility: Visibility, blocklist: Blocklist) -> None:
        super().__init__(services)
        self._visibility = visibility
        self._blocklist = blocklist
        self._shown: dict[tuple[Scope, str], None] = {}  # compact memories shown lately, by language; oldest first

    async def profile(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        language: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Profile:
        """Who the person is, in six sections, each line with where it is from."""
        asked = checked_language(language)
        scope, place = person(tenant, user), place_of(space, channel)
        told = await self._sections(scope, place, asked, outside)
        name, _ = await self._visibility.name_of(scope, place, outside)
        return replace(told, name=name, made_at=self._now())

    async def cognitive(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> list[Trait]:
        """How the person is: preferences, habits and patterns with their confidence and how often they showed."""
        scope, place = person(tenant, user), place_of(space, channel)
        made = partial(_of_items, cognitive_profile, user)
        traits = await self._viewed(scope, place, outside, _Made[tuple[Trait, ...]], made, "traits")
        return list(traits)

    async def people(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> list[Person]:
        """The people and pets in the person's life, the closest first, with what is known of each."""
        scope, place = person(tenant, user), place_of(space, channel)
        made = partial(_of_items, people, user)
        known = await self._viewed(scope, place, outside, _Made[tuple[Person, ...]], made, "people")
        return list(known)

    async def minified(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        limit: int = 100,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> list[dict[str, Any]]:
        """What is known in its shortest form: i, t, c, w, d."""
        checked_limit(limit, self._policy.search.largest_page)
        scope, now = person(tenant, user), self._now()
        away = await self._visibility.withheld(scope, outside)
        items = await self._visibility.current(scope, place_of(space, channel), now, away)
        return [dict(row) for row in minified(items, now=now, speaker=user)][:limit]

    async def me(
        self, *, user: str, language: str | None = None, outside: bool = False, tenant: str = DEFAULT_TENANT
    ) -> UserMemory:
        """The compact memory of the person, for every prompt: at most 800 tokens, its version grows as it changes.

        The one for `outside`, where anything is left out of it, is not stored.
        """
        scope, asked = person(tenant, user), checked_language(language)
        [stamp] = await self._store.stamps([scope])
        away = await self._visibility.withheld(scope, outside, stamp)
        runs = (await self._store.page(scope, RunFilter(kinds=(RunKind.CONSOLIDATION,)), limit=RUNS_LOOKED_AT)).rows
        night = next((run.finished_at for run in runs if run.status in NIGHTS_DONE), None)
        made = await self._kept_compact(scope, asked, away, stamp.known)
        made = replace(made, made_at=self._now(), last_consolidated_at=night)
        if away:
            return made
        held = await self._store.find(scope, View, USER_MEMORY)
        made, before = _after(made, held)
        if before is not None and replace(made, made_at=before.made_at, version=before.version) == before:
            return replace(before, tokens=made.tokens, last_consolidated_at=night)
        if stamp.said:  # nothing is kept of a forgotten person
            try:
                await self._store.apply(scope, [Expect(stamp=stamp), _put(made, scope, held)])
            except (StaleError, StoreReadOnlyError) as exc:
                log.debug("a compact memory was not kept: %s", type(exc).__name__)  # it can always be made again
        return made

    async def rewrite(self, scope: Scope) -> Rewritten:
        """The compact memory as the night rewrites it: at its next version, whether it changed or not."""
        held = await self._store.find(scope, View, USER_MEMORY)
        made, before = _after((await self._compacted(scope, None))[0], held)
        version = None if held is None else held.version
        return Rewritten((_put(made, scope, held),), version, made.version, changed_parts(before, made))

    async def memory_lines(self, scope: Scope, language: str, told: Stamp, away: Withheld) -> tuple[MemoryLine, ...]:
        """The compact memory for a context; for a while from now on it is kept ready behind what is learnt."""
        if not away:
            self._shown.pop((scope, language), None)
            self._shown[scope, language] = None
            while len(self._shown) > MOST_KEPT_READY:
                del self._shown[next(iter(self._shown))]
        name, is_stated = await self._visibility.name_of(scope, DIRECT, bool(away))
        memory = await self._kept_compact(scope, language, away, told.known, name)
        facts = [("name", name if is_stated else None), *((field, getattr(memory, field)) for field in FACTS)]
        lists = [(field, line) for field in LISTS for line in getattr(memory, field)]
        return tuple(MemoryLine(field, str(text)) for field, text in (*facts, *lists) if text is not None)

    async def keep_ready(self) -> None:
        """Make the compact memories of those who were asked for lately anew, where something was learnt since."""
        for scope, language in list(self._shown):
            name, _ = await self._visibility.name_of(scope, DIRECT, False)
            await self._kept_compact(scope, language, NOTHING, (await self._store.stamps([scope]))[0].known, name)

    def forget(self, scope: Scope | None = None) -> None:
        """Keep the compact memory of a person, or of everyone, ready no more."""
        self._shown = {key: None for key in self._shown if scope not in (None, key[0])}

    async def _kept_compact(
        self, scope: Scope, language: str | None, away: Withheld, known: int, name: str | None = None
    ) -> UserMemory:
        """The compact memory, made anew once anything known changes, or the name an app shows where that is given."""
        now = self._now()

        async def make() -> _Made[UserMemory]:
            made, until = await self._compacted(scope, language, away)
            return _Made(made, now, until)

        key = cache_key("compact", language, bool(away), name is None)
        kept = await self._cached(
            scope, key, (known, name), _Made[UserMemory], make, holds=partial(_is_now, now), size=_size_of
        )
        return kept.view

    async def _compacted(
        self, scope: Scope, language: str | None, away: Withheld = NOTHING
    ) -> tuple[UserMemory, datetime]:
        """The compact memory made anew; and until when it holds by itself."""
        now = self._now()
        items = await self._visibility.telling(scope, now, away)
        made = compact(
            items,
            people(items, now=now, speaker=scope.user),
            name=(await self._visibility.name_of(scope, DIRECT, bool(away)))[0],
            now=now,
            language=self._visibility.language_for(items, language),
            tokens=self._tokens,
            budget_tokens=self._policy.context.user_memory_tokens,
            speaker=scope.user,
        )
        next_quarter = now + QUARTER - (now - datetime.min.replace(tzinfo=UTC)) % QUARTER
        return made, min(next_quarter, next_turn(items, now))

    async def profile_lines(self, scope: Scope, place: Place, language: str, outside: bool) -> tuple[ProfileLine, ...]:
        """Somebody's profile for a context, as it may be heard in a place."""
        made = await self._sections(scope, place, language, outside)
        sure_from = self._policy.confidence.medium
        lines = (
            ProfileLine(
                scope.user, section, told.text, told.note_title, told.date,
                told.confidence < sure_from or told.needs_resolution,
            )
            for section, rows in made.sections.items()
            for line in rows
            for told in (line, *line.about)
        )  # fmt: skip
        return tuple(islice(lines, MOST_PROFILE_LINES))

    async def _sections(self, scope: Scope, place: Place, language: str | None, outside: bool) -> Profile:
        def made(items: Sequence[KnowledgeItem], notes: Sequence[Note], now: datetime) -> Profile:
            spoken = self._visibility.language_for(items, language)
            return profile(items, notes, name=scope.user, now=now, language=spoken, speaker=scope.user)

        return await self._viewed(scope, place, outside, _Made[Profile], made, "sections", language, noted=True)

    async def _viewed(
        self,
        scope: Scope,
        place: Place,
        outside: bool,
        kind: type[_Made[T]],
        made: Callable[[Sequence[KnowledgeItem], Sequence[Note], datetime], T],
        *key: str | None,
        noted: bool = False,
    ) -> T:
        """A view of what is held of a person and may be heard in a place, made anew once any of that changes.

        `noted`: with the notes the items were learnt in.
        """
        now = self._now()
        if await self._blocklist.refused(scope.tenant, scope.user, place) is not None:
            return made((), (), now)

        async def make() -> _Made[T]:
            items = await self._visibility.current(scope, place, now, await self._visibility.withheld(scope, outside))
            places = {item.place: None for item in items if noted and item.note_id is not None}
            shelves = tuple(dict.fromkeys(shelf_of(scope, one) for one in places if not one.is_private))
            seen = await self._seen(shelves, outside)
            notes = await self._visibility.notes_of(scope, items, outside) if noted else []
            size = VIEW_BYTES + ITEM_BYTES * len(items)
            return _Made(made(items, notes, now), now, next_turn(items, now), size, shelves, seen)

        async def holds(kept: _Made[T]) -> bool:
            return await _is_now(now, kept) and kept.seen == await self._seen(kept.shelves, outside)

        name = cache_key("view", *key, place.space, outside)
        [stamp] = await self._store.stamps([scope])
        kept = await self._cached(scope, name, stamp.known, kind, make, holds=holds, size=_size_of)
        return kept.view

    async def _seen(self, shelves: Sequence[Scope], outside: bool) -> tuple[int | str, ...]:
        """How far what is known in some spaces has come, and what their notes keep from outside."""
        stamps = await self._store.stamps(shelves) if shelves else ()
        away = [(await self._visibility.withheld(shelf, outside)).notes for shelf in shelves] if outside else []
        return (*(stamp.known for stamp in stamps), *(cache_key("away", *sorted(notes)) for notes in away))


async def _is_now(now: datetime, kept: _Made[Any]) -> bool:
    return kept.since <= now < kept.until


def _size_of(kept: _Made[Any]) -> int:
    return kept.size


def _of_items(
    make: Callable[..., T], speaker: str, items: Sequence[KnowledgeItem], _: Sequence[Note], now: datetime
) -> T:
    """A view that is made of items alone."""
    return make(items, now=now, speaker=speaker)


def _after(made: UserMemory, held: View | None) -> tuple[UserMemory, UserMemory | None]:
    """The compact memory at the version after the held one; and that one."""
    before = None if held is None or held.body is None else from_body(held.body)
    return replace(made, version=1 if held is None else held.version + 1), before


def _put(memory: UserMemory, scope: Scope, held: View | None) -> Put:
    body = to_body(memory)
    view = View(scope=scope, name=USER_MEMORY, version=memory.version, made_at=memory.made_at, body=body)
    return Put(view, None if held is None else held.version)
