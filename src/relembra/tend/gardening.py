"""The gardener: merges what says the same, lets feelings fade, moves priorities, puts old notes away and shortens them.

What it would do can be looked at before (`plan`), and it does just that. Every step is one transaction with its record,
and a run that was killed is taken up where it stood: it looks at the memory as that run found it.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TypeVar

from relembra.domain.audit import Actor, AuditEntry, Target
from relembra.domain.jobs import GARDEN, Job, index_job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note, NoteKind
from relembra.domain.moment import Clock
from relembra.domain.policy import Policy
from relembra.domain.run import Run, RunKind
from relembra.domain.scope import Scope
from relembra.domain.text import is_blank
from relembra.errors import MindError
from relembra.learn.keeper import deciding
from relembra.learn.trail import Change, snapshot
from relembra.minds.port import NightReader, Tokens
from relembra.store.port import CountUse, Cursor, Enqueue, ItemFilter, Kind, NoteFilter, Op, Record, Store
from relembra.tend.fading import Turn, is_restless, put_away, retold, tokens_for, turned
from relembra.tend.following import following
from relembra.tend.merging import Merge, Merger, gathered
from relembra.tend.night import finished, repeated
from relembra.tend.records import Books, tallied, with_use, zone_of_job

GARDENER = Actor.parse("program:gardener")
PAGE = 500
TOLD_AT_ONCE = 10  # notes told anew in one transaction
PUT_AWAY = (NoteKind.CONVERSATION, NoteKind.TOPIC_CLUSTER, NoteKind.WEEKLY)
TAKEN_BACK = frozenset({"undo", "rollback"})
BROUGHT_BACK = TAKEN_BACK | {"recover", "restore"}

log = logging.getLogger(__name__)

T = TypeVar("T")


class DeedKind(StrEnum):
    MERGE = "merge"
    FADE = "fade"
    ARCHIVE = "archive"
    RAISE = "raise"
    LOWER = "lower"
    ARCHIVE_NOTE = "archive_note"
    CONDENSE = "condense"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing the gardener does, and why: in plain English, and as a rule and numbers for whoever words it."""

    kind: DeedKind
    ids: tuple[str, ...]  # of a merge the one that stays, then those that end
    shown: str  # the words of the row, or of the one that stays
    why: str
    rule: str = ""  # of a merge: words, value, part, implied, meaning
    numbers: Mapping[str, float] = field(default_factory=dict)
    before: str | None = None  # a weight, a priority, a summary, the words of those that end
    after: str | None = None  # None where it is not known before it is done


@dataclass(frozen=True, slots=True)
class _Told:
    """A note, and its summary in fewer words where a mind found them."""

    note: Note
    text: str | None


@dataclass(slots=True)
class _Season:
    """What one look through a memory found, and whether time alone will change more."""

    restless: bool = False


class Gardener:
    """Tends one person's memory, or a space's notes."""

    kinds: tuple[str, ...] = (GARDEN,)

    def __init__(
        self,
        store: Store,
        *,
        merger: Merger,
        night: NightReader,
        allowance: Callable[[], Awaitable[bool]],
        offline: NightReader | None = None,
        reads_outside: bool = False,
        tokens: Tokens,
        language_of: Callable[[str], str | None],
        books: Books,
        policy: Policy,
        clock: Clock,
        new_id: Callable[[], str],
    ) -> None:
        self._store = store
        self._merger = merger
        self._night = night
        self._offline = offline or night
        self._reads_outside = reads_outside  # the night's reader is told nothing that is marked local-only
        self._allowance = allowance  # False: no model may be asked any more tonight
        self._tokens = tokens
        self._language_of = language_of
        self._books = books
        self._policy = policy
        self._clock = clock
        self._new_id = new_id

    async def plan(self, scope: Scope) -> list[Deed]:
        """What a run now would do, in its order; nothing is changed, and no text is told anew yet."""
        now = self._clock()
        merges = (await self._merger.everywhere(scope, now=now)).merges
        deeds = [_merging(merge) for merge in merges]
        kept: dict[str, KnowledgeItem] = {}
        gone: set[str] = set()
        for merge in merges:
            after, ended = gathered(merge, now)
            kept[after.id] = after
            gone |= {row.id for row in ended}
        season = _Season()
        async for items in self._items(scope, now):
            rows = [kept.get(item.id, item) for item in items if item.id not in gone]
            deeds += [_turning(turn) for turn in await self._turns(scope, rows, now, season)]
        async for notes in self._notes(scope, PUT_AWAY):
            deeds += [_turning(turn) for turn in await self._put_away(scope, notes, now, season)]
        long = await self._too_long(scope, now, season, most=self._policy.garden.condensed_at_once)
        return [*deeds, *(_condensing(note, self._tokens.count(note.summary), limit) for note, limit in long)]

    async def run(self, job: Job) -> None:
        """Do what `plan` says, as things stand when the run was opened."""
        await repeated(self._store, job, self._run)  # forgetting moves the record on, and what was read before is old

    async def _run(self, job: Job) -> None:
        run = await self._books.opened(job, RunKind.GARDENING)
        if run is None:
            await finished(self._store, job, [])
            return
        season = _Season()
        run = await self._merge(run)
        run = await self._turn(run, season)
        run = await self._archive(run, season)
        run = await self._condense(run, season)
        again = await self._again(job) if season.restless else []
        await finished(self._store, job, [*self._books.closed(run), *again])

    # ── the four works ────────────────────────────────────────────────────────────────────────────────────────────

    async def _merge(self, run: Run) -> Run:
        found = await self._as_found(run)
        merges = (await self._merger.everywhere(run.scope, now=run.until, found=found)).merges
        for some in _stretches(merges, self._policy.garden.batch):
            run = await self._step(run, partial(self._write_merges, run.scope, some))
        return run

    async def _write_merges(self, scope: Scope, merges: Sequence[Merge], change: Change) -> list[Op]:
        return self._merger.write(change, await self._merger.renewed(scope, merges), scope)

    async def _turn(self, run: Run, season: _Season) -> Run:
        async for items in self._items(run.scope, run.until):
            turns = await self._turns(run.scope, items, run.until, season)
            for some in _stretches(turns, self._policy.garden.batch):
                run = await self._step(run, partial(self._write_turns, run, season, [turn.row.id for turn in some]))
        return run

    async def _write_turns(self, run: Run, season: _Season, ids: Sequence[str], change: Change) -> list[Op]:
        fresh = await self._store.items(run.scope, ids)
        turns = await self._turns(run.scope, fresh, run.until, season)
        self._put(change, turns, {row.id: row for row in fresh})
        return []

    async def _archive(self, run: Run, season: _Season) -> Run:
        async for notes in self._notes(run.scope, PUT_AWAY):
            turns = await self._put_away(run.scope, notes, run.until, season)
            for some in _stretches(turns, self._policy.garden.batch):
                run = await self._step(run, partial(self._write_away, run, season, [turn.row.id for turn in some]))
        return run

    async def _write_away(self, run: Run, season: _Season, ids: Sequence[str], change: Change) -> list[Op]:
        fresh = await self._store.notes(run.scope, ids)
        turns = await self._put_away(run.scope, fresh, run.until, season)
        self._put(change, turns, {row.id: row for row in fresh})
        return []

    async def _condense(self, run: Run, season: _Season) -> Run:
        """Tell old notes in fewer words; where the mind cannot answer they wait for the next visit."""
        entries = await self._store.changes(run.scope, run.changes)
        done = sum(entry.verb == "condense" for entry in entries)
        most = max(0, self._policy.garden.condensed_at_once - done)
        long = await self._too_long(run.scope, run.until, season, most=most)
        for some in _stretches(long, TOLD_AT_ONCE):
            if not await self._allowance():
                season.restless = True
                break
            try:
                told = [_Told(note, await self._told(note, limit)) for note, limit in some]
            except MindError as exc:
                log.warning("old notes stay as long as they are for now: %s", type(exc).__name__)
                season.restless = True
                run = await self._count(run)
                break
            run = await self._count(run)
            run = await self._step(run, partial(self._write_told, run.scope, told))
            sizes = [self._tokens.count(one.text or one.note.summary) for one in told]
            season.restless = season.restless or max(sizes) > self._least_told
        return run

    async def _count(self, run: Run) -> Run:
        """Put on record what a mind was asked, whether it answered or not."""
        uses = self._night.spent()
        if not uses:
            return run
        after = with_use(run, uses)
        counted = [CountUse.of(one, self._clock()) for one in uses]
        await self._store.apply(run.scope, [*counted, self._books.kept(after)])
        return replace(after, version=after.version + 1)

    async def _write_told(self, scope: Scope, told: Sequence[_Told], change: Change) -> list[Op]:
        texts = {one.note.id: (one.note.summary, one.text) for one in told if one.text is not None}
        written: list[str] = []
        for note in await self._store.notes(scope, list(texts)):
            was, becomes = texts[note.id]
            if note.summary == was and note.deleted_at is None:
                after = retold(note, becomes)
                change.put(after, note, entry_id=self._new_id(), verb="condense", why="an old note", brief=True)
                written.append(note.id)
        if not written:
            return []
        return [Enqueue(index_job(scope, Kind.NOTE, written, id=self._new_id(), now=self._clock()))]

    # ── deciding ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _turns(self, scope: Scope, items: Sequence[KnowledgeItem], now: datetime, season: _Season) -> list[Turn]:
        turns = []
        for item in items:
            turn = turned(item, now, self._policy)
            if turn is not None and turn.verb == "archive" and item.version > 1:
                turn = turned(item, now, self._policy, await self._brought_back(scope, Target.ITEM, item.id))
            row = item if turn is None else turn.row
            assert isinstance(row, KnowledgeItem)
            season.restless = season.restless or is_restless(row, now, self._policy.garden)
            turns += [] if turn is None else [turn]
        return turns

    async def _put_away(self, scope: Scope, notes: Sequence[Note], now: datetime, season: _Season) -> list[Turn]:
        turns = []
        for note in notes:
            turn = put_away(note, now, self._policy)
            if turn is not None and note.version > 1:
                turn = put_away(note, now, self._policy, await self._brought_back(scope, Target.NOTE, note.id))
            season.restless = season.restless or turn is None
            turns += [] if turn is None else [turn]
        return turns

    async def _brought_back(self, scope: Scope, target: Target, id: str) -> datetime | None:
        """When a row was last taken out of the archive, or what was done to it taken back."""
        trail = await self._store.trail(scope, target, id)
        return max((entry.at for entry in trail if entry.verb in BROUGHT_BACK), default=None)

    async def _too_long(self, scope: Scope, now: datetime, season: _Season, *, most: int) -> list[tuple[Note, int]]:
        """Notes told at greater length than their age allows, and in how many tokens they should be; newest first."""
        long: list[tuple[Note, int]] = []
        async for notes in self._notes(scope, (NoteKind.CONVERSATION,), archived=True):
            for note in notes:
                size = self._tokens.count(note.summary)
                limit = tokens_for(note, now, self._policy.garden)
                due = limit is not None and size > limit and len(long) < most
                if limit is not None and due and (note.version == 1 or not await self._was_lengthened(scope, note.id)):
                    long.append((note, limit))
                else:
                    season.restless = season.restless or size > self._least_told
        return long

    async def _was_lengthened(self, scope: Scope, id: str) -> bool:
        """Whether somebody took back that a note was shortened: they want it as it is."""
        verbs = [entry.verb for entry in await self._store.trail(scope, Target.NOTE, id)]
        return "condense" in verbs and not TAKEN_BACK.isdisjoint(verbs[verbs.index("condense") :])

    @property
    def _least_told(self) -> int:
        """The length, in tokens, below which no note is told any shorter, however old."""
        return min(self._policy.garden.condensed_tokens, self._policy.garden.condensed_again_tokens)

    async def _told(self, note: Note, limit: int) -> str | None:
        """The note's summary told in so many tokens; None where what comes back is no shorter or says nothing."""
        language = self._language_of(note.summary) or "en"
        private = self._reads_outside and note.id in (await self._store.withheld(note.scope)).notes
        teller = self._offline if private else self._night
        text = " ".join((await teller.retell([note.summary], language=language, tokens=limit)).split())
        return None if is_blank(text) or self._tokens.count(text) > limit else text

    async def _as_found(self, run: Run) -> dict[str, KnowledgeItem]:
        """The items this run has merged already, as it found them; one that was changed since is taken as it is."""
        entries: dict[str, list[AuditEntry]] = defaultdict(list)
        for entry in await self._store.changes(run.scope, run.changes):
            if entry.target is Target.ITEM:
                entries[entry.target_id].append(entry)
        merged = {id: made for id, made in entries.items() if any(entry.verb == "merge" for entry in made)}
        rows = await self._store.items(run.scope, list(merged)) if merged else []
        return {row.id: _as_before(merged[row.id], row) for row in rows if _is_untouched(merged[row.id][-1], row)}

    # ── reading and writing ───────────────────────────────────────────────────────────────────────────────────────

    async def _items(self, scope: Scope, now: datetime) -> AsyncIterator[tuple[KnowledgeItem, ...]]:
        after: Cursor | None = None
        while True:
            page = await self._store.page_items(scope, ItemFilter(now=now), after=after, limit=PAGE)
            yield page.rows
            after = page.next
            if after is None:
                return

    async def _notes(
        self, scope: Scope, kinds: tuple[NoteKind, ...], *, archived: bool = False
    ) -> AsyncIterator[tuple[Note, ...]]:
        after: Cursor | None = None
        wanted = NoteFilter(kinds=kinds, archived=archived)
        while True:
            page = await self._store.page_notes(scope, wanted, after=after, limit=PAGE)
            yield page.rows
            after = page.next
            if after is None:
                return

    def _put(self, change: Change, turns: Sequence[Turn], before: Mapping[str, KnowledgeItem | Note]) -> None:
        for turn in turns:
            was = before[turn.row.id]
            change.put(turn.row, was, entry_id=self._new_id(), verb=turn.verb, why=turn.why, brief=True)

    async def _step(self, run: Run, filled: Callable[[Change], Awaitable[list[Op]]]) -> Run:
        """Do one transaction's worth, with its entry in the record; decided anew when a row changed meanwhile."""

        async def decided() -> Run:
            change = Change(run.scope, id=self._new_id(), verb="garden", actor=GARDENER, at=self._clock())
            beside = await filled(change)
            if not change.ops:
                return run
            entries = [op.entry for op in change.ops if isinstance(op, Record)]
            after = replace(run, tally=run.tally + tallied(entries), changes=(*run.changes, change.id))
            await self._store.apply(run.scope, [*change.ops, *beside, self._books.kept(after)])
            return replace(after, version=after.version + 1)

        return await deciding(decided)

    async def _again(self, job: Job) -> list[Op]:
        """The next visit, in its own time."""
        return await following(
            self._store,
            job.scope,
            (GARDEN,),
            zone=zone_of_job(job),
            night_hour=self._policy.tend.night_hour,
            now=self._clock(),
            new_id=self._new_id,
            every=self._policy.garden.every,
        )


def _stretches(rows: Sequence[T], size: int) -> list[Sequence[T]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def _is_untouched(entry: AuditEntry, row: KnowledgeItem) -> bool:
    """Whether a row still is at the version an entry left it at."""
    return (entry.after or {}).get("version") == row.version


def _as_before(entries: Sequence[AuditEntry], row: KnowledgeItem) -> KnowledgeItem:
    """The row before the first of these changes, each of which tells what it changed."""
    import msgspec  # not at import time: it would double the package's start

    parts = snapshot(row)
    for entry in reversed(entries):
        parts |= entry.before or {}
    return msgspec.convert(parts, KnowledgeItem)


def _merging(merge: Merge) -> Deed:
    return Deed(
        kind=DeedKind.MERGE,
        ids=merge.ids,
        shown=merge.keep.content,
        why="; ".join(dict.fromkeys(why.text for why in merge.whys)),
        rule=merge.whys[0].rule,
        numbers={"observations": sum(row.observations for row in (merge.keep, *merge.others))},
        before=" / ".join(other.content for other in merge.others),
        after=merge.keep.content,
    )


def _turning(turn: Turn) -> Deed:
    is_note = isinstance(turn.row, Note)
    numbers = turn.numbers
    return Deed(
        kind=DeedKind.ARCHIVE_NOTE if is_note else DeedKind(turn.verb),
        ids=(turn.row.id,),
        shown=turn.row.title if isinstance(turn.row, Note) else turn.row.content,
        why=turn.why,
        numbers=numbers,
        before=f"{numbers['before']:g}" if "before" in numbers else None,
        after=f"{numbers['after']:g}" if "after" in numbers else None,
    )


def _condensing(note: Note, size: int, limit: int) -> Deed:
    return Deed(
        kind=DeedKind.CONDENSE,
        ids=(note.id,),
        shown=note.title,
        why=f"told in {size} tokens, and old enough for {limit}",
        numbers={"tokens": size, "limit": limit},
        before=note.summary,
    )
