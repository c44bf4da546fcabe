"""What came of listening: notes, what was learnt, contradictions, and the views and tools that show it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from relembra.domain.candidate import Talk
from relembra.domain.case import Outcome
from relembra.domain.choices import checked_language, one, several
from relembra.domain.jobs import FLUSH, LEARNING, Job
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Note, NoteKind
from relembra.domain.moment import Clock, in_utc
from relembra.domain.policy import Policy
from relembra.domain.scope import DEFAULT_TENANT, DIRECT, Place, Scope, may_hear, person, shelf_of
from relembra.domain.text import checked_text
from relembra.errors import InvalidInputError, NotFoundError, StaleError, StoreReadOnlyError
from relembra.learn.casework import Casework, Conflict
from relembra.learn.decisions import Clash, Decision, Keep, Repeat, heard_in
from relembra.learn.learner import Learner, Learnt
from relembra.listen.duties import Listening
from relembra.listen.filters import Refusal
from relembra.listen.intake import exchange, place_of
from relembra.minds.port import Tokens
from relembra.recall.asked import Listing, checked_limit, cursor_from
from relembra.store.port import (
    NOTHING,
    Cache,
    Cursor,
    ExpectStamp,
    ItemFilter,
    NoteFilter,
    Page,
    PutView,
    Stamp,
    Store,
    Use,
    View,
    Withheld,
    cache_key,
)
from relembra.tend.consolidation import Portrait

if TYPE_CHECKING:
    from relembra.tend.reporting import Reporter
    from relembra.tend.worker import Worker
    from relembra.views.cognitive import Trait
    from relembra.views.people import Person
    from relembra.views.profile import Profile
    from relembra.views.user_memory import UserMemory

MOST_ITEMS = 5_000
PAGE = 1_000
MOST_JOBS = 1_000
MOST_OF_A_KIND = 100
USER_MEMORY = "user_memory"
ENDED = {Outcome.NEW: True, Outcome.OLD: False}
"""Whether the older side of a case has ended; else only the person can tell, or both stand."""
VIEW_BYTES, ITEM_BYTES = 8_000, 800
"""What a kept view takes, about: by itself, and for each item it was made of."""
QUARTER = timedelta(minutes=15)
"""Days begin at such a moment by every clock there is, so that what tells ages and birthdays holds until the next."""

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would become of one thing a text says: `verdict` is add, repeat, replace, history or ask."""

    item: KnowledgeItem
    verdict: str
    against: tuple[KnowledgeItem, ...]  # what it repeats, replaces or contradicts
    why: str

    @classmethod
    def of(cls, decision: Decision) -> Foreseen:
        if isinstance(decision, Repeat) and not decision.clashes:
            return cls(decision.item, "repeat", (decision.old,), "known already")
        clashes = decision.clashes
        why = "; ".join(dict.fromkeys(clash.why for clash in clashes))
        against = tuple(clash.old for clash in clashes)
        if decision.item.superseded_at is not None:
            return cls(decision.item, "history", against, why)
        if any(clash.ended is None for clash in clashes):
            return cls(decision.item, "ask", against, why)
        return cls(decision.item, "replace" if clashes else "add", against, why or "new")

    def heard_in(self, place: Place) -> Foreseen:
        """The same without what may not be heard in a place, as if it were not there."""
        against = tuple(item for item in self.against if may_hear(item.place, place))
        if against == self.against:
            return self
        if not against:
            return replace(self, verdict="add", against=(), why="new", item=replace(self.item, needs_resolution=False))
        return replace(self, against=against)


class Forecast(list[Foreseen]):
    """What would be learnt from a text; `unread`: it took too long to read, so nothing can be said of it."""

    def __init__(self, foreseen: Iterable[Foreseen] = (), *, unread: bool = False) -> None:
        super().__init__(foreseen)
        self.unread = unread


@dataclass(frozen=True, slots=True)
class _Made:
    """A view as it was made: it holds while what it was made of is the same, from one moment until another."""

    view: Any
    shelves: tuple[Scope, ...]  # of spaces whose notes it names
    seen: tuple[object, ...]  # the stamps of all it was made of
    since: datetime
    until: datetime


class Understanding:
    """The verbs of `Memory` about what was understood; it has what `Memory` has."""

    _store: Store
    _cache: Cache
    _policy: Policy
    _tokens: Tokens
    _worker: Worker
    _casework: Casework
    _learner: Learner
    _listening: Listening
    _reporter: Reporter
    _language: str
    _clock: Clock
    _new_id: Callable[[], str]
    _told_to: list[list[tuple[Scope, Learnt]]]  # whoever waits to hear what is learnt

    if TYPE_CHECKING:

        async def _refusal(
            self, tenant: str, user: str | None, place: Place, *, author: str | None = None, skip: bool = False
        ) -> Refusal | None: ...
        async def _name_of(self, scope: Scope, place: Place, outside: bool) -> tuple[str, bool]: ...

    # ── learning ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def learn(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Learnt:
        """Flush this person's open buffers now (or a space's), learn from them, and say what came of it.

        What was learnt from them before, as it was said, is told as well. Others' work is left to others.
        """
        scope, place = person(tenant, user), place_of(space, channel)
        shelf, told = shelf_of(scope, place), list[tuple[Scope, Learnt]]()
        await self._store.hasten(FLUSH, now=self._now(), scope=shelf)
        for kind in LEARNING:
            await self._store.hasten(kind, now=self._now(), scope=scope)
        self._told_to.append(told)
        try:
            await self._worker.run_due_of(*dict.fromkeys((scope, shelf)), by_night=False)
        finally:
            self._told_to = [other for other in self._told_to if other is not told]
        notes = {item.id: item.note_id for _, learnt in told for item in learnt.noted}
        total = Learnt()
        for learnt in [*[learnt for whose, learnt in told if whose == scope], await self._learnt_before(scope, told)]:
            total.unread += learnt.unread
            heard = [item for item in learnt.added if may_hear(item.place, place)]
            total.added += [replace(item, note_id=notes.get(item.id, item.note_id)) for item in heard]
            total.repeated += [item for item in learnt.repeated if may_hear(item.place, place)]
            total.ended += [item for item in learnt.ended if may_hear(item.place, place)]
            total.opened += [case for case in learnt.opened if may_hear(case.place, place)]
            total.decisions += [heard_in(one, place) for one in learnt.decisions if may_hear(one.item.place, place)]
        left = await self._left_undone(scope, shelf)
        total.waiting, total.why = len(left), next((job.error for job in reversed(left) if job.error), None)
        return total

    async def _learnt_before(self, scope: Scope, told: Sequence[tuple[Scope, Learnt]]) -> Learnt:
        """What was decided, as it was said, about what notes tell of that were written just now."""
        heard = [learnt for whose, learnt in told if whose == scope]
        just_now = {item.id for learnt in heard for item in (*learnt.added, *learnt.repeated)}
        total = Learnt(repeated=[item for learnt in heard for item in learnt.counted if item.id not in just_now])
        total.decisions += [Repeat(item, item) for item in total.repeated]
        noted = [item.id for learnt in heard for item in learnt.noted if item.id not in just_now]
        for item in await self._store.items(scope, noted):
            if item.deleted_at is not None:
                continue
            page = await self._store.page_cases(scope, items=[item.id], limit=MOST_OF_A_KIND)
            mine = [case for case in page.rows if case.new_id == item.id]
            sides = {row.id: row for row in await self._store.items(scope, [case.old_id for case in mine])}
            clashes = tuple(
                Clash(sides[case.old_id], case.why, ENDED.get(case.outcome), case.certainty, case.judged_by)
                for case in mine
                if case.old_id in sides
            )
            total.added.append(item)
            total.decisions.append(Keep(item, clashes))
            total.ended += [clash.old for clash in clashes if clash.ended]
            total.opened += [case for case in mine if case.outcome is Outcome.OPEN]
        return total

    async def _left_undone(self, scope: Scope, shelf: Scope) -> list[Job]:
        """Work on what a person said that was tried and did not succeed yet."""
        jobs = [
            job
            for whose in dict.fromkeys((scope, shelf))
            for job in await self._store.jobs(scope=whose, kinds=(FLUSH, *LEARNING), limit=MOST_JOBS)
        ]
        return [job for job in jobs if job.attempts]

    async def preview(
        self,
        text: str,
        *,
        user: str,
        at: datetime | None = None,
        author: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Forecast:
        """What would be learnt if this were said now, without storing anything."""
        scope, place = person(tenant, user), place_of(space, channel)
        turn = exchange(
            scope, said=checked_text(text), replied=None, at=at, now=self._clock(), place=place, conversation=None,
            external_id=None, author=author, metadata=None, new_id=self._new_id,
        )  # fmt: skip
        readable = self._listening.readable(turn.messages)
        if not readable or await self._refusal(tenant, user, place, author=author) is not None:
            return Forecast()
        talk: Talk = await self._listening.talk(scope, readable)
        await self._listening.check_allowance(scope)
        try:
            digest = await self._listening.reader.digest(talk)
            decisions = await self._learner.previewed(scope, talk, digest)
        finally:
            await self._listening.count_use(scope)
        foreseen = (Foreseen.of(decision).heard_in(place) for decision in decisions)
        return Forecast(foreseen, unread=bool(digest.unread))

    async def usage(
        self, *, user: str | None = None, since: date | None = None, tenant: str = DEFAULT_TENANT
    ) -> list[Use]:
        """What language models were asked, by day, task and model; of one person or of everybody."""
        if since is not None and (not isinstance(since, date) or isinstance(since, datetime)):
            raise InvalidInputError(f"since must be a date, not {since!r}", field="since")
        return await self._store.usage(None if user is None else person(tenant, user), since=since)

    # ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def notes(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        kind: str | Iterable[str] | None = None,
        conversation: str | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Note]:
        """What happened, newest first: of a space or channel, or in private one's own and those one took part in."""
        scope, place = person(tenant, user), place_of(space, channel)
        checked_limit(limit, self._policy.search.largest_page)
        names = (kind,) if isinstance(kind, str) else several(kind or (), "kind")
        kinds = tuple(one(NoteKind, name, "kind") for name in names) or (NoteKind.CONVERSATION,)
        wanted = NoteFilter(asked_in=place, kinds=kinds, conversation=conversation)
        if space is not None:
            shelf = shelf_of(scope, place)
            wanted = replace(
                wanted, said_there=channel is not None, without=(await self._withheld(shelf, outside)).notes
            )
            return Listing(await self._store.page_notes(shelf, wanted, after=cursor_from(after), limit=limit))
        shelves = [(scope, wanted)]
        for name in await self._spaces_of(scope):
            shelf = shelf_of(scope, Place(name, "general"))
            shelves.append((shelf, replace(wanted, asked_in=Place(name, "general"), participant=user)))
        pages: list[Page[Note]] = []
        for shelf, narrowed in shelves:
            narrowed = replace(narrowed, without=(await self._withheld(shelf, outside)).notes)
            pages.append(await self._store.page_notes(shelf, narrowed, after=cursor_from(after), limit=limit))
        return Listing(await self._shown(scope, _merged(pages, limit)))

    async def _shown(self, scope: Scope, page: Page[Note]) -> Page[Note]:
        """The page without notes of conversations the person has hidden."""
        told = {note.conversation for note in page.rows if note.conversation and note.scope == scope}
        hidden = await self._store.hidden_conversations(scope, sorted(told)) if told else set()
        rows = tuple(note for note in page.rows if note.scope != scope or note.conversation not in hidden)
        return Page(rows, page.next)

    async def note(
        self,
        id: str,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Note:
        """One note that `notes` lists there: any of a space's, or in private one's own and those one took part in."""
        scope, place = person(tenant, user), place_of(space, channel)
        if space is not None:
            shelves = [shelf_of(scope, place)]
        else:
            spaces = await self._spaces_of(scope)
            shelves = [scope, *(shelf_of(scope, Place(name, "general")) for name in spaces)]
        for shelf in shelves:
            found = await self._store.notes(shelf, [id])
            if found and (space is not None or shelf == scope or user in found[0].participants):
                if id in (await self._withheld(shelf, outside)).notes:
                    break
                return found[0] if outside else await self._reporter.refreshed(shelf, found[0])
        raise NotFoundError("note", id)

    # ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────

    async def conflicts(
        self,
        *,
        user: str,
        open_only: bool = False,
        space: str | None = None,
        channel: str | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Conflict]:
        """The case file, newest first: both sides, who or what judged, why, and how it ended."""
        checked_limit(limit, self._policy.search.largest_page)
        scope, place = person(tenant, user), place_of(space, channel)
        away = await self._withheld(scope, outside)
        page = await self._casework.page(
            scope, place=place, open_only=open_only, after=cursor_from(after), limit=limit, without=away.items
        )
        told = (replace(one, old=away.out_of(one.old), new=away.out_of(one.new)) for one in page.rows)
        return Listing(replace(page, rows=tuple(told)))

    async def conflict(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> Conflict:
        """One case, by its id or the id of an item in it."""
        return await self._casework.case(person(tenant, user), id)

    async def resolve(
        self, id: str, *, keep: str, user: str | None = None, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conflict:
        """The person's answer to a case: keep "new", "old", "both" or "neither"; may be given again to change it."""
        scope = await self._case_scope(id, user, tenant)
        return await self._casework.settle(scope, id, keep, by)

    async def reopen(
        self, id: str, *, user: str | None = None, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conflict:
        """Take a case's decision back, whoever took it: both sides are current again."""
        scope = await self._case_scope(id, user, tenant)
        return await self._casework.undo(scope, id, by)

    async def _case_scope(self, id: str, user: str | None, tenant: str) -> Scope:
        if user is not None:
            return person(tenant, user)
        scope = await self._store.case_scope(tenant, id)
        if scope is None:
            raise NotFoundError("case", id)
        return scope

    # ── views ─────────────────────────────────────────────────────────────────────────────────────────────────────

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
        from relembra.views.profile import profile

        asked = checked_language(language)

        def made(items: Sequence[KnowledgeItem], notes: Sequence[Note], now: datetime) -> Profile:
            return profile(items, notes, name=user, now=now, language=self._spoken_of(items, asked), speaker=user)

        scope, place = person(tenant, user), place_of(space, channel)
        told = await self._viewed(scope, place, outside, made, "sections", asked, noted=True)
        name, _ = await self._name_of(scope, place, outside)
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
        from relembra.views.cognitive import cognitive_profile

        def made(items: Sequence[KnowledgeItem], _: Sequence[Note], now: datetime) -> tuple[Trait, ...]:
            return cognitive_profile(items, now=now, speaker=user)

        scope, place = person(tenant, user), place_of(space, channel)
        return list(await self._viewed(scope, place, outside, made, "traits"))

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
        from relembra.views.people import people

        def made(items: Sequence[KnowledgeItem], _: Sequence[Note], now: datetime) -> tuple[Person, ...]:
            return people(items, now=now, speaker=user)

        scope, place = person(tenant, user), place_of(space, channel)
        return list(await self._viewed(scope, place, outside, made, "people"))

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
        from relembra.views.minified import minified

        checked_limit(limit, self._policy.search.largest_page)
        scope, now = person(tenant, user), self._now()
        items = await self._current(scope, place_of(space, channel), now, await self._withheld(scope, outside))
        return [dict(row) for row in minified(items, now=now, speaker=user)][:limit]

    async def me(
        self, *, user: str, language: str | None = None, outside: bool = False, tenant: str = DEFAULT_TENANT
    ) -> UserMemory:
        """The compact memory of the person, for every prompt: at most 800 tokens, its version grows as it changes.

        The one for `outside`, where anything is left out of it, is not stored.
        """
        from relembra.views.user_memory import from_body

        scope, now, asked = person(tenant, user), self._now(), checked_language(language)
        [stamp] = await self._store.stamps([scope])
        held = await self._store.view(scope, USER_MEMORY)
        away = await self._withheld(scope, outside, stamp)
        key, seen = cache_key("portrait", asked, bool(away)), (stamp.known, held and held.version)
        kept: _Made | None = await self._cache.get(scope, key)
        if kept is not None and kept.seen == seen and kept.since <= now < kept.until:
            told: UserMemory = kept.view
            return replace(told, made_at=now) if away else told
        made, until = await self._compacted(scope, asked, held, away)
        if away:
            await self._keep(scope, key, _Made(made, (), seen, now, until), 0)
            return made
        if held is not None and held.body is not None:
            before = from_body(held.body)
            if replace(made, made_at=before.made_at, version=before.version) == before:
                told = replace(before, tokens=made.tokens)
                await self._keep(scope, key, _Made(told, (), seen, now, until), 0)
                return told
        if stamp.said == 0:
            return made  # of nobody, or somebody forgotten, nothing is kept
        put = PutView(_view_of(made, scope), None if held is None else held.version)
        try:
            await self._store.apply(scope, [ExpectStamp(stamp), put])
        except (StaleError, StoreReadOnlyError) as exc:
            log.debug("a compact memory was not kept: %s", type(exc).__name__)  # it can always be made again
        else:
            await self._keep(scope, key, _Made(made, (), (stamp.known, made.version), now, until), 0)
        return made

    async def _compacted(
        self, scope: Scope, language: str | None, held: View | None, away: Withheld = NOTHING
    ) -> tuple[UserMemory, datetime]:
        """The compact memory made anew, at the version after the held one; and until when it holds by itself."""
        from relembra.views.compact import compact
        from relembra.views.held import next_turn
        from relembra.views.people import people

        now = self._now()
        items = await self._telling(scope, now, away)
        made = compact(
            items,
            (),  # what is known, not what was said: an item that was deleted or forgotten must not live on in a title
            people(items, now=now, speaker=scope.user),
            name=(await self._name_of(scope, DIRECT, bool(away)))[0],
            now=now,
            language=self._spoken_of(items, language),
            tokens=self._tokens,
            budget_tokens=self._policy.context.user_memory_tokens,
            version=1 if held is None else held.version + 1,
            speaker=scope.user,
        )
        return made, min(_next_quarter(now), next_turn(items, now))

    async def _portrait(self, scope: Scope) -> Portrait:
        """The compact memory as the night rewrites it: at its next version, whether it changed or not."""
        from relembra.views.user_memory import changed_parts, from_body

        held = await self._store.view(scope, USER_MEMORY)
        made, _ = await self._compacted(scope, None, held)
        before = from_body(held.body) if held is not None and held.body is not None else None
        put = PutView(_view_of(made, scope), None if held is None else held.version)
        return Portrait((put,), None if held is None else held.version, made.version, changed_parts(before, made))

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _withheld(self, scope: Scope, outside: bool, stamp: Stamp | None = None) -> Withheld:
        """What stays on this machine of a person or space when somebody outside asks; worked out once a change.

        Of a space it is worked out each time, for it follows from what its people marked.
        """
        if not outside:
            return NOTHING
        if scope.space is not None:
            return await self._store.withheld(scope)
        known = (stamp or (await self._store.stamps([scope]))[0]).known
        key = cache_key("withheld")
        kept = await self._cache.get(scope, key)
        if kept is not None and kept[0] == known:
            held: Withheld = kept[1]
            return held
        found = await self._store.withheld(scope)
        await self._cache.put(scope, key, (known, found), self._policy.context.session_idle)
        return found

    async def _viewed(
        self,
        scope: Scope,
        place: Place,
        outside: bool,
        made: Callable[[Sequence[KnowledgeItem], Sequence[Note], datetime], T],
        *key: str | None,
        noted: bool = False,
    ) -> T:
        """A view of what is held of a person and may be heard in a place, made anew once any of that changes.

        `noted`: with the notes the items were learnt in.
        """
        from relembra.views.held import next_turn

        now = self._now()
        if await self._refusal(scope.tenant, scope.user, place) is not None:
            return made((), (), now)
        name = cache_key("view", *key, place.space, outside)
        kept: _Made | None = await self._cache.get(scope, name)
        if kept is not None and kept.since <= now < kept.until:
            is_same = kept.seen == await self._seen(scope, kept.shelves, outside)
            view: T = kept.view
            if is_same:
                return view
        [stamp] = await self._store.stamps([scope])
        items = await self._current(scope, place, now, await self._withheld(scope, outside))
        places = {item.place: None for item in items if noted and item.note_id is not None}
        shelves = tuple(dict.fromkeys(shelf_of(scope, one) for one in places if not one.is_private))
        _, *others = await self._seen(scope, shelves, outside)
        notes = await self._notes_of(scope, items, outside) if noted else []
        view = made(items, notes, now)
        kept = _Made(view, shelves, (stamp.known, *others), now, next_turn(items, now))
        await self._keep(scope, name, kept, len(items))
        return view

    async def _seen(self, scope: Scope, shelves: Sequence[Scope], outside: bool) -> tuple[object, ...]:
        """How far everything known of a person and some spaces has come, and what their notes keep from outside."""
        stamps = await self._store.stamps([scope, *shelves])
        away = [(await self._withheld(shelf, outside)).notes for shelf in shelves] if outside else []
        return (*(stamp.known for stamp in stamps), *away)

    async def _keep(self, scope: Scope, key: str, made: _Made, items: int) -> None:
        """Keep a view of so many items for a while, unless something changed meanwhile: it may be forgotten now."""
        [stamp] = await self._store.stamps([scope])
        if stamp.known == made.seen[0]:
            idle, size = self._policy.context.session_idle, VIEW_BYTES + ITEM_BYTES * items
            await self._cache.put(scope, key, made, idle, size=size)

    async def _current(
        self, scope: Scope, place: Place, now: datetime, away: Withheld = NOTHING
    ) -> list[KnowledgeItem]:
        """Everything held of a person that may be heard in a place, the newest first, up to some thousand; in a larger
        memory also what tells who somebody is, however old."""
        if await self._refusal(scope.tenant, scope.user, place) is not None:
            return []
        rows: list[KnowledgeItem] = []
        after: Cursor | None = None
        wanted = ItemFilter(now=now, asked_in=place, without=away.items)
        while len(rows) < MOST_ITEMS:
            page = await self._store.page_items(scope, wanted, after=after, limit=PAGE)
            rows += page.rows
            after = page.next
            if after is None:
                break
        else:
            rows = await self._with_portrayed(scope, wanted, rows)
        return await self._as_shown(scope, rows, place, away)

    async def _telling(self, scope: Scope, now: datetime, away: Withheld = NOTHING) -> list[KnowledgeItem]:
        """What a compact memory is made of: the newest, and in a large memory what tells who somebody is, however old.

        A bounded read, so that rewriting it takes no longer the more is known.
        """
        wanted = ItemFilter(now=now, without=away.items)
        page = await self._store.page_items(scope, wanted, limit=PAGE)
        rows = list(page.rows)
        if page.next is not None:
            rows = await self._with_portrayed(scope, wanted, rows)
        return await self._as_shown(scope, rows, DIRECT, away)

    async def _as_shown(
        self, scope: Scope, items: Sequence[KnowledgeItem], place: Place, away: Withheld = NOTHING
    ) -> list[KnowledgeItem]:
        """Items as they are shown in a place: those in doubt with the newer words, and none with what stays here."""
        shown = [away.out_of(item) for item in items] if away else items
        return await self._casework.with_doubts(scope, shown, place, self._now(), without=away.items)

    async def _with_portrayed(
        self, scope: Scope, wanted: ItemFilter, newest: Sequence[KnowledgeItem]
    ) -> list[KnowledgeItem]:
        """The newest items, and after them the older ones that tell who somebody is, some of each kind."""
        from relembra.views.compact import PORTRAYED

        rows = {item.id: item for item in newest}
        own = [replace(wanted, subject=SELF, attribute=name) for name in PORTRAYED]
        for narrowed in [*own, replace(wanted, attribute="relation")]:
            found = await self._store.page_items(scope, narrowed, limit=MOST_OF_A_KIND)
            rows |= {item.id: item for item in found.rows}
        return list(rows.values())

    async def _notes_of(self, scope: Scope, items: Sequence[KnowledgeItem], outside: bool = False) -> list[Note]:
        """The notes items were learnt from, the spaces' ones too."""
        wanted: dict[Scope, list[str]] = {}
        for item in items:
            if item.note_id is not None:
                wanted.setdefault(shelf_of(scope, item.place), []).append(item.note_id)
        found: list[Note] = []
        for shelf, ids in wanted.items():
            away = (await self._withheld(shelf, outside)).notes
            found += await self._store.notes(shelf, [id for id in dict.fromkeys(ids) if id not in away])
        return found

    async def _spaces_of(self, scope: Scope) -> list[str]:
        """The spaces a person talked in."""
        page = await self._store.page_conversations(scope, limit=PAGE)
        return list(dict.fromkeys(row.place.space for row in page.rows if row.place.space is not None))

    def _spoken_of(self, items: Sequence[KnowledgeItem], language: str | None) -> str:
        """The language asked for, else the one most is known in."""
        if (asked := checked_language(language)) is not None:
            return asked
        tongues = [item.language for item in items if item.language is not None]
        return max(("pt", "en"), key=tongues.count) if tongues else self._language

    def _now(self) -> datetime:
        return in_utc(self._clock(), "clock")


def _next_quarter(now: datetime) -> datetime:
    start = datetime.min.replace(tzinfo=UTC)
    return now + QUARTER - (now - start) % QUARTER


def _view_of(memory: UserMemory, scope: Scope) -> View:
    from relembra.views.user_memory import to_body

    return View(scope=scope, name=USER_MEMORY, version=memory.version, made_at=memory.made_at, body=to_body(memory))


def _merged(pages: Sequence[Page[Note]], limit: int) -> Page[Note]:
    """Several pages as one, newest first."""
    rows = sorted(
        (note for page in pages for note in page.rows), key=lambda note: (note.happened_at, note.id), reverse=True
    )
    taken = tuple(rows[:limit])
    more = len(rows) > limit or any(page.next is not None for page in pages)
    return Page(taken, Cursor(taken[-1].happened_at, taken[-1].id) if more and taken else None)
