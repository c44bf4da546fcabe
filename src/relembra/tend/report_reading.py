"""Reading what automatic notes are made of: one period or appointment at a time, by pages and never beyond a cap."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TypeVar

from relembra.domain.attributes import ENDS_A_GOAL
from relembra.domain.audit import Target
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.nights import at_hour
from relembra.domain.policy import ReportPolicy
from relembra.domain.scope import Scope
from relembra.domain.text import fold
from relembra.learn.trail import merge_of
from relembra.store.port import Cursor, ItemFilter, MessageFilter, NoteFilter, Page, Store
from relembra.views.calendar import day_of
from relembra.views.held import is_claim
from relembra.views.reports.appointment import MEASURED, Visit
from relembra.views.reports.complaints import heard
from relembra.views.reports.material import DATED, Feeling, Material, Pair, coming_of, is_goal, planned_for
from relembra.views.reports.periods import Period
from relembra.views.reports.professions import Profession, is_appointment, visited

__all__ = ["Reading", "unknown_language"]

PAGE = 200
MOST_OF_AN_ATTRIBUTE = 200

_TELLING = (NoteKind.CONVERSATION, NoteKind.TOPIC_CLUSTER, NoteKind.DOCUMENT)
_HEALTH = ("medication", "former_medication", "allergy", "intolerance", "condition", "diet", "bedtime", "wake_time")
_DAY = timedelta(days=1)
_SOON = timedelta(days=7)  # so near an appointment, how far back is read does not move with each night

T = TypeVar("T")


def unknown_language(_: str) -> str | None:
    """No text tells its language."""
    return None


class Reading:
    """Reads for one note at a time; of the person's own shelf only, so that forgetting finds all it tells."""

    def __init__(
        self,
        store: Store,
        policy: ReportPolicy,
        *,
        language: str,
        language_of: Callable[[str], str | None] = unknown_language,
    ) -> None:
        self._store = store
        self._policy = policy
        self._language = language
        self._language_of = language_of

    async def zone(self, scope: Scope) -> str:
        """The clock the person last spoke by."""
        page = await self._store.page_messages(scope, MessageFilter(roles=(Role.USER,)), limit=1)
        return page.rows[0].zone if page.rows else "+00:00"

    async def period(self, scope: Scope, period: Period, now: datetime, *, language: str | None = None) -> Material:
        """All a weekly or monthly report is made of."""
        start, end = period.start, period.end
        notes = await self._notes(scope, start, end)
        everything = await self._learnt(scope, notes, start, end, now)
        changed = await self._changed(scope, everything, start, end)
        told = {item.id for pair in changed for item in pair}
        items = [item for item in everything if item.id in told or not _ended_before(item, end)]
        messages, more = await self._messages(scope, start, end)
        then = min(now, end)
        first = period.day(now) if now < end else period.last + _DAY
        goals = ItemFilter(now=now, types=(KnowledgeType.GOAL,))
        again = await self._items(scope, replace(goals, period=(start, end)))
        return Material(
            period=period,
            language=language or await self.spoken(scope, items, now),
            now=now,
            notes=tuple(notes),
            items=tuple(items),
            said_on=_said_on(items, messages),
            changed=tuple(changed),
            questions=tuple(await self._questions(scope)),
            feelings=tuple(await self._feelings(scope, start, end, now, period.zone)),
            goals_again=tuple(
                item for item in again if item.created_at < start and _is_within(item.reinforced_at, start, end)
            ),
            goals_open=sum(map(is_goal, await self._items(scope, goals, most=MOST_OF_AN_ATTRIBUTE))),
            ties=await self._ties(scope, items, now),
            coming=coming_of(
                await self._of_attributes(scope, DATED, ItemFilter(now=then)),
                await self._of_attributes(scope, ("birthday",), ItemFilter(now=then)),
                first=first,
                last=first + self._policy.coming,
            ),
            messages=len(messages),
            conversations=len({message.conversation for message in messages}),
            more=more,
        )

    async def fresh(self, scope: Scope, period: Period, known: Collection[str]) -> list[Note]:
        """Notes of talk in a period that are none of those known: of talk that was brought in since."""
        return [note for note in await self._notes(scope, period.start, period.end) if note.id not in known]

    async def _learnt(
        self, scope: Scope, notes: Sequence[Note], start: datetime, end: datetime, now: datetime
    ) -> list[KnowledgeItem]:
        """What was learnt from the talk of a period, whenever that was read, and what came about in it otherwise."""
        told = tuple(note.id for note in notes)
        noted = await self._items(scope, ItemFilter(now=now, note_ids=told, history=True)) if told else []
        made = await self._items(scope, ItemFilter(now=now, since=start, until=end, history=True))
        others = {item.note_id for item in made if item.note_id is not None} - set(told)
        of_other_times = {
            note.id
            for note in await self._store.notes(scope, sorted(others))
            if not _is_within(note.happened_at, start, end)
        }
        made = [item for item in made if item.note_id not in of_other_times]
        return list({item.id: item for item in (*made, *noted)}.values())

    async def appointments(self, scope: Scope, now: datetime, zone: str, *, ahead: timedelta) -> list[KnowledgeItem]:
        """The person's appointments about their health from today on, the soonest first."""
        today = day_of(now, zone).date()
        planned = await self._of_attributes(scope, ("meeting", "event"), ItemFilter(now=now))
        found = [
            (day, item.held_from, item.id, item)
            for item in planned
            if is_appointment(item) and (day := planned_for(item)) is not None and today <= day <= today + ahead
        ]
        return [item for *_, item in sorted(found, key=lambda one: one[:3])]

    async def visit(
        self,
        scope: Scope,
        profession: Profession,
        now: datetime,
        zone: str,
        *,
        item: KnowledgeItem | None = None,
        at: datetime | None = None,
        called: str | None = None,
        language: str | None = None,
    ) -> Visit:
        """All a note for an appointment is made of, since the last one of that kind."""
        if at is None and item is not None:
            day = planned_for(item)
            at = item.held_from if day is None or day_of(item.held_from, zone).date() == day else at_hour(day, 0, zone)
        soon = at is not None and at - now <= _SOON
        since = (at if at is not None and soon else now) - self._policy.looks_back
        last = await self._last(scope, profession, now)
        messages, _ = await self._messages(scope, since, now)
        told = [day for one in messages if (day := visited(one.text, day_of(one.sent_at, one.zone).date(), profession))]
        days = [day_of(last.held_from, zone).date()] if last is not None else []
        before = max([*days, *told], default=None)
        if before is not None:
            since = at_hour(before, 0, zone)
            messages, _ = await self._messages(scope, since, now)
        by_area = ItemFilter(now=now, areas=(LifeArea.HEALTH, LifeArea.MENTAL_HEALTH), since=since, history=True)
        items = {one.id: one for one in await self._items(scope, by_area)}
        ever = ItemFilter(now=now, subject=SELF, history=True)
        items |= {one.id: one for one in await self._of_attributes(scope, (*_HEALTH, *MEASURED), ever)}
        ended = [one for one in items.values() if one.superseded_at is not None]
        for one in ended:
            if merge_of(one, await self._store.trail(scope, Target.ITEM, one.id)):  # it says nothing the other does not
                del items[one.id]
        known = sorted(items.values(), key=lambda one: (one.created_at, one.id))
        return Visit(
            profession=profession,
            language=language or await self.spoken(scope, known, now),
            zone=zone,
            now=now,
            called=called,
            at=at,
            is_whole_day=at is None or day_of(at, zone).strftime("%H:%M") == "00:00",
            item=item,
            last=before,
            since=since,
            items=tuple(known),
            feelings=tuple(await self._feelings(scope, since, now, now, zone)),
            heard=await asyncio.to_thread(heard, messages, profession),
        )

    async def weights(self, scope: Scope, now: datetime) -> list[KnowledgeItem]:
        """What the person weighed, as far as it is known, the newest first."""
        wanted = ItemFilter(now=now, subject=SELF, history=True)
        return [item for item in await self._of_attributes(scope, ("weight",), wanted) if not is_claim(item)]

    # ── the parts ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _notes(self, scope: Scope, start: datetime, end: datetime) -> list[Note]:
        wanted = NoteFilter(kinds=_TELLING, since=start, until=end, archived=True)
        notes, _ = await _paged(
            lambda after, limit: self._store.page_notes(scope, wanted, after=after, limit=limit),
            self._policy.most_items,
        )
        named = {note.conversation for note in notes if note.conversation is not None}
        hidden = await self._store.hidden_conversations(scope, sorted(named))
        return [note for note in notes if note.conversation not in hidden]

    async def _items(self, scope: Scope, wanted: ItemFilter, *, most: int | None = None) -> list[KnowledgeItem]:
        rows, _ = await _paged(
            lambda after, limit: self._store.page_items(scope, wanted, after=after, limit=limit),
            most or self._policy.most_items,
        )
        return rows

    async def _of_attributes(self, scope: Scope, attributes: Iterable[str], wanted: ItemFilter) -> list[KnowledgeItem]:
        found: list[KnowledgeItem] = []
        for attribute in attributes:
            found += await self._items(scope, replace(wanted, attribute=attribute), most=MOST_OF_AN_ATTRIBUTE)
        return found

    async def _messages(self, scope: Scope, start: datetime, end: datetime) -> tuple[list[Message], bool]:
        wanted = MessageFilter(roles=(Role.USER,), since=start, until=end)
        return await _paged(
            lambda after, limit: self._store.page_messages(scope, wanted, after=after, limit=limit),
            self._policy.most_messages,
        )

    async def _changed(
        self, scope: Scope, items: Sequence[KnowledgeItem], start: datetime, end: datetime
    ) -> list[Pair]:
        """What ended in the time because one of the items took its place; merging two into one is no change."""
        pairs: list[Pair] = []
        for new in sorted(items, key=lambda item: (item.created_at, item.id)):
            if new.attribute is None or new.attribute in ENDS_A_GOAL or new.type is KnowledgeType.EMOTION:
                continue
            for old in await self._store.predecessors(scope, new.id):
                ended = old.superseded_by == new.id and old.deleted_at is None
                if not ended or not _is_within(old.superseded_at, start, end) or fold(old.content) == fold(new.content):
                    continue
                if merge_of(old, await self._store.trail(scope, Target.ITEM, old.id)) is None:
                    pairs.append((old, new))
        return pairs

    async def _questions(self, scope: Scope) -> list[Pair]:
        page = await self._store.page_cases(scope, open_only=True, limit=self._policy.lines)
        sides = [id for case in page.rows for id in (case.old_id, case.new_id)]
        held = {item.id: item for item in await self._store.items(scope, sides) if item.deleted_at is None}
        return [
            (held[case.old_id], held[case.new_id])
            for case in page.rows
            if case.old_id in held and case.new_id in held
        ]  # fmt: skip

    async def _feelings(self, scope: Scope, start: datetime, end: datetime, now: datetime, zone: str) -> list[Feeling]:
        """The owner's feelings with each day they were told, as far as the trail tells when they were said again."""
        wanted = ItemFilter(now=now, types=(KnowledgeType.EMOTION,), subject=SELF, period=(start, end), history=True)
        found: list[Feeling] = []
        for item in await self._items(scope, wanted, most=MOST_OF_AN_ATTRIBUTE):
            if is_claim(item):
                continue
            moments = {item.held_from, item.reinforced_at}
            if item.observations > 2:
                for entry in await self._store.trail(scope, Target.ITEM, item.id):
                    told = (entry.after or {}).get("reinforced_at")
                    moments.add(datetime.fromisoformat(told) if isinstance(told, str) else None)
            days = {day_of(one, zone).date() for one in moments if one is not None and start <= one < end}
            found += [Feeling(day, item) for day in days]
        return sorted(found, key=lambda one: (one.day, one.item.created_at, one.item.id))

    async def _ties(self, scope: Scope, items: Iterable[KnowledgeItem], now: datetime) -> dict[str, str]:
        """What the people named are to the owner, by folded name."""
        ties: dict[str, str] = {}
        names = Counter(item.subject for item in items if item.subject != SELF)
        for name, _ in names.most_common(self._policy.lines):
            wanted = ItemFilter(now=now, subject=name, attribute="relation")
            page = await self._store.page_items(scope, wanted, limit=1)
            if page.rows and page.rows[0].value:
                ties[fold(name)] = page.rows[0].value
        for item in items:
            called, relation = item.person.get("name"), item.person.get("relation")
            if called and relation:
                ties.setdefault(fold(called), relation)
        return ties

    async def _last(self, scope: Scope, profession: Profession, now: datetime) -> KnowledgeItem | None:
        """The last appointment of that kind that is over; one that was moved never took place."""
        planned = await self._of_attributes(scope, ("meeting", "event"), ItemFilter(now=now, history=True))
        over = [
            item
            for item in planned
            if is_appointment(item, profession)
            and item.superseded_at is None
            and (item.expires_at or item.held_from) <= now
        ]
        return max(over, key=lambda item: (item.held_from, item.id), default=None)

    async def spoken(self, scope: Scope, items: Sequence[KnowledgeItem], now: datetime) -> str:
        """The language most of it was said in, else most of what is known, else of what they last said, else the usual
        one."""
        tongues = Counter(item.language for item in items if item.language in ("pt", "en"))
        if not tongues:
            page = await self._store.page_items(scope, ItemFilter(now=now), limit=PAGE)
            tongues = Counter(item.language for item in page.rows if item.language in ("pt", "en"))
        if not tongues:
            said = await self._store.page_messages(scope, MessageFilter(roles=(Role.USER,)), limit=PAGE)
            heard_in = (self._language_of(one.text) for one in said.rows if one.author == scope.user)
            tongues = Counter(tongue for tongue in heard_in if tongue in ("pt", "en"))
        return max(("pt", "en"), key=lambda tongue: tongues[tongue]) if tongues else self._language


def _said_on(items: Iterable[KnowledgeItem], messages: Iterable[Message]) -> dict[str, date]:
    """The day of the first of the messages each item was learnt from, on the clock it was said by."""
    days = {one.id: day_of(one.sent_at, one.zone).date() for one in messages}
    found = {item.id: [days[id] for id in item.message_ids if id in days] for item in items}
    return {id: min(told) for id, told in found.items() if told}


def _is_within(moment: datetime | None, start: datetime, end: datetime) -> bool:
    return moment is not None and start <= moment < end


def _ended_before(item: KnowledgeItem, end: datetime) -> bool:
    """Whether it was over again before the time was, so that it is no news."""
    return item.superseded_at is not None and item.superseded_at < end


async def _paged(page: Callable[[Cursor | None, int], Awaitable[Page[T]]], most: int) -> tuple[list[T], bool]:
    """The newest rows up to a number, and whether there are more."""
    rows: list[T] = []
    after: Cursor | None = None
    while len(rows) < most:
        found = await page(after, min(PAGE, most - len(rows)))
        rows += found.rows
        if found.next is None:
            return rows, False
        after = found.next
    return rows, True
