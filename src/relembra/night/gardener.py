"""The gardener: merges what says the same, lets feelings fade, moves priorities, puts old notes away and shortens them.

What it would do can be looked at before (`plan`), and it does just that. Every step is one transaction with its record,
so that a run that was killed goes on with what is left.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from relembra.domain.audit import Actor, Target, archived, archived_note
from relembra.domain.jobs import BEGIN, GARDEN, READ, Job, Run, RunKind, Terms
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Section, Source, about, first_priority
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import DecayPolicy, GardenPolicy, Policy
from relembra.domain.scope import Scope
from relembra.domain.text import is_blank
from relembra.errors import MindError
from relembra.learn.keeper import Keeper, deciding, once_only
from relembra.learn.trail import Change
from relembra.night.duplicates import Merge, Merger, gathered
from relembra.night.task import PAGE, NightServices, Task, batches, closed, with_use
from relembra.store.port import FinishJob, ItemFilter, Kind, NoteFilter, Op, pages

WEEK = timedelta(weeks=1)


def faded(item: KnowledgeItem, now: datetime, policy: DecayPolicy) -> KnowledgeItem:
    """The item with the silent weeks taken from its weight, counted as taken; the item itself where there are none.

    It fades no further once it is light enough to be archived, so that one looked at rarely ends where one looked at
    every night does.
    """
    since, weeks, weight = item.silent_since, 0, item.weight
    while weight >= policy.archive_under and since + (weeks + 1) * WEEK <= now:
        weeks += 1
        weight = max(0.0, round(item.weight - policy.emotion_a_week * weeks, 6))
    if weight == item.weight:
        return item
    return replace(item, weight=weight, weighed_at=since + weeks * WEEK, updated_at=now, version=item.version + 1)


LEARNT = frozenset({Source.CONVERSATION, Source.AI_INFERENCE})
LASTING = frozenset({Section.BIO, Section.RELATIONSHIPS})


@dataclass(frozen=True, slots=True)
class Turn:
    """What becomes of a row by itself: the verb it is recorded with, and why, in words and in numbers."""

    verb: str  # fade, archive, raise, lower
    row: KnowledgeItem | Note
    why: str
    numbers: Mapping[str, float]


def turned(item: KnowledgeItem, now: datetime, policy: Policy, brought_back: datetime | None = None) -> Turn | None:
    """What time and use do to an item; nothing to one the person validated, or about which they are being asked.

    `brought_back`: when it was last taken out of the archive; it then stays for a week at least.
    """
    if item.validated or item.needs_resolution or not item.is_current(now):
        return None
    return (
        _weighed(item, now, policy.decay, brought_back)
        if item.type is KnowledgeType.EMOTION
        else _moved(item, now, policy.garden)
    )


def is_restless(item: KnowledgeItem, now: datetime, policy: GardenPolicy) -> bool:
    """Whether time alone may still change it."""
    if item.validated or not item.is_current(now):
        return False
    is_feeling = item.type is KnowledgeType.EMOTION
    return is_feeling or (item.source in LEARNT and item.priority > _least(item, policy))


def used_priority(item: KnowledgeItem, now: datetime, policy: GardenPolicy) -> int:
    """Its first, one more each time its uses double (1, 3, 7, 15), one less for each idle month since it was used or
    said; at most 10.

    What tells who someone is, or who belongs to them, never sinks below its first.
    """
    raised = min(policy.raised_at_most, (item.accesses + 1).bit_length() - 1)
    moved = first_priority(item.type) + raised - max(0, _idle(item, now) // policy.idle)
    return min(10, max(_least(item, policy), moved))


def _idle(item: KnowledgeItem, now: datetime) -> timedelta:
    return now - max(item.created_at, item.last_access or item.created_at, item.reinforced_at or item.created_at)


def _least(item: KnowledgeItem, policy: GardenPolicy) -> int:
    lasting = item.type is KnowledgeType.PERSON or about(item.attribute).section in LASTING
    return first_priority(item.type) - (0 if lasting else policy.lowered_at_most)


def _weighed(item: KnowledgeItem, now: datetime, policy: DecayPolicy, brought_back: datetime | None) -> Turn | None:
    weeks = max(0, (now - item.silent_since) // WEEK)
    lighter = faded(item, now, policy)
    numbers: dict[str, float] = {"weeks": weeks, "before": item.weight, "after": lighter.weight}
    kept_out = brought_back is not None and now - brought_back < WEEK
    if lighter.weight < policy.archive_under and weeks > 0 and not kept_out:
        away = replace(archived(lighter, now), version=item.version + 1)
        why = f"a feeling not said again for {_weeks(weeks)}, and now under {policy.archive_under:g}"
        return Turn("archive", away, why, numbers | {"under": policy.archive_under})
    if lighter is item:
        return None
    return Turn("fade", lighter, f"a feeling not said again for {_weeks(weeks)}", numbers)


def _moved(item: KnowledgeItem, now: datetime, policy: GardenPolicy) -> Turn | None:
    if item.source not in LEARNT:  # a priority a person or an import gave is theirs
        return None
    priority = used_priority(item, now, policy)
    if priority == item.priority:
        return None
    moved = replace(item, priority=priority, updated_at=now, version=item.version + 1)
    numbers = {"accesses": item.accesses, "before": item.priority, "after": priority}
    if priority > item.priority:
        return Turn("raise", moved, f"used {item.accesses} times", numbers)
    idle = max(0, _idle(item, now).days)
    return Turn("lower", moved, f"neither used nor said for {idle} days", numbers | {"days": idle})


def _weeks(number: int) -> str:
    return "1 week" if number == 1 else f"{number} weeks"


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_away(note: Note, now: datetime, policy: Policy, brought_back: datetime | None = None) -> Turn | None:
    """A note no one looked at for as long as its kind is kept at hand, archived; reports of months and such stay."""
    kept_for = {
        NoteKind.CONVERSATION: policy.layers.medium_for,
        NoteKind.TOPIC_CLUSTER: policy.garden.clusters_for,
        NoteKind.WEEKLY: policy.garden.clusters_for,
    }.get(note.kind)
    if kept_for is None or note.archived_at is not None or note.deleted_at is not None:
        return None
    last = max(note.happened_at, note.last_access or note.happened_at, brought_back or note.happened_at)
    if now - last < kept_for:
        return None
    days = (now - last).days
    return Turn("archive", archived_note(note, now), f"not looked at for {days} days", {"days": days})


def tokens_for(note: Note, now: datetime, policy: GardenPolicy) -> int | None:
    """In how many tokens a note's summary should be told by now; None: it may be as long as it is."""
    if note.kind is not NoteKind.CONVERSATION or note.deleted_at is not None:
        return None
    age = now - note.happened_at
    if age >= policy.condense_again_after:
        return min(policy.condensed_tokens, policy.condensed_again_tokens)
    return policy.condensed_tokens if age >= policy.condense_after else None


TOLD_AT_ONCE = 10  # notes told anew in one transaction
PUT_AWAY = (NoteKind.CONVERSATION, NoteKind.TOPIC_CLUSTER, NoteKind.WEEKLY)
TAKEN_BACK = frozenset({"undo", "rollback"})
BROUGHT_BACK = TAKEN_BACK | {"recover", "restore"}

log = logging.getLogger(__name__)


class ActionKind(StrEnum):
    MERGE = "merge"
    FADE = "fade"
    ARCHIVE = "archive"
    RAISE = "raise"
    LOWER = "lower"
    ARCHIVE_NOTE = "archive_note"
    CONDENSE = "condense"


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenAction:
    """One thing the gardener does, and why: in plain English, and as a rule and numbers for whoever words it."""

    kind: ActionKind
    ids: tuple[str, ...]  # of a merge the one that stays, then those that end
    shown: str  # the words of the row, or of the one that stays
    why: str
    rule: str = ""  # of a merge: words, value, part, implied, meaning
    numbers: Mapping[str, float] = field(default_factory=dict)
    before: str | None = None  # a weight, a priority, a summary, the words of those that end
    after: str | None = None  # None where it is not known before it is done


class Gardener(Task):
    """Tends one person's memory, or a space's notes."""

    kinds = (GARDEN,)
    record = RunKind.GARDENING
    actor = Actor.parse("program:gardener")

    def __init__(self, services: NightServices, merger: Merger) -> None:
        super().__init__(services)
        self._merger = merger

    async def plan(self, scope: Scope) -> list[GardenAction]:
        """What a run now would do, in its order; nothing is changed, and no text is told anew yet."""
        now = self._clock()
        last = await self._last(scope, self.record)
        merges = await self._merger.everywhere(scope, now=now, since=None if last is None else last.until)
        actions = [_merging(merge) for merge in merges]
        kept: dict[str, KnowledgeItem] = {}
        gone: set[str] = set()
        for merge in merges:
            after, ended = gathered(merge, now)
            kept[after.id] = after
            gone |= {row.id for row in ended}
        async for items in self._pages_of_items(scope, now):
            rows = [kept.get(item.id, item) for item in items if item.id not in gone]
            actions += [_turning(turn) for turn in await self._turns(scope, rows, now)]
        async for notes in self._notes(scope):
            actions += [_turning(turn) for turn in await self._turns(scope, notes, now)]
        long = await self._too_long(scope, now, most=self._policy.garden.condensed_at_once)
        return [*actions, *(_condensing(note, self._tokens.count(note.summary), limit) for note, limit in long)]

    async def _run(self, job: Job) -> None:
        """Do what `plan` says, as things stand when the run was opened."""
        run = await self._opened(job)
        if run is None:
            await self._finished(job, [])
            return
        run = await self._merge(run)
        run = await self._turn(run)
        run = await self._condense(run)
        again = await self._following(job, (GARDEN,)) if await self._is_restless(run) else []
        await self._finished(job, [closed(run, self._clock()), *again])

    async def _is_restless(self, run: Run) -> bool:
        """Whether time alone will change more."""
        async for items in self._pages_of_items(run.scope, run.until):
            if any(is_restless(item, run.until, self._policy.garden) for item in items):
                return True
        async for notes in self._notes(run.scope):
            if notes:
                return True
        least = min(self._policy.garden.condensed_tokens, self._policy.garden.condensed_again_tokens)
        async for notes in self._notes(run.scope, (NoteKind.CONVERSATION,), archived=True):
            if any(self._tokens.count(note.summary) > least for note in notes):
                return True
        return False

    # ── the three works ────────────────────────────────────────────────────────────────────────────────────────────

    async def _merge(self, run: Run) -> Run:
        merges = await self._merger.everywhere(run.scope, now=run.until, since=run.since)
        for some in batches(merges, self._policy.garden.batch):
            run = await self._step(run, partial(self._write_merges, run.scope, some))
        return run

    async def _write_merges(self, scope: Scope, merges: Sequence[Merge], change: Change) -> list[Op]:
        return self._merger.write(change, await self._merger.renewed(scope, merges), scope)

    async def _turn(self, run: Run) -> Run:
        """Do to items, and then to notes, what time and use do to them."""
        for kind, found in (
            (KnowledgeItem, self._pages_of_items(run.scope, run.until)), (Note, self._notes(run.scope)),
        ):  # fmt: skip
            async for rows in found:
                turns = await self._turns(run.scope, rows, run.until)
                for some in batches(turns, self._policy.garden.batch):
                    run = await self._step(run, partial(self._write_turns, run, kind, [turn.row.id for turn in some]))
        return run

    async def _write_turns(
        self, run: Run, kind: type[KnowledgeItem | Note], ids: Sequence[str], change: Change
    ) -> list[Op]:
        fresh = {row.id: row for row in await self._store.get(run.scope, kind, ids)}
        for turn in await self._turns(run.scope, list(fresh.values()), run.until):
            was = fresh[turn.row.id]
            change.put(turn.row, was, verb=turn.verb, why=turn.why, brief=True)
        return []

    async def _condense(self, run: Run) -> Run:
        """Tell old notes in fewer words; where the mind cannot answer they wait for the next visit."""
        entries = await self._store.changes(run.scope, run.changes)
        done = sum(entry.verb == "condense" for entry in entries)
        most = max(0, self._policy.garden.condensed_at_once - done)
        for some in batches(await self._too_long(run.scope, run.until, most=most), TOLD_AT_ONCE):
            if not await self._allowance():
                break
            try:
                told = {note.id: (note.summary, await self._told(note, limit)) for note, limit in some}
            except MindError as exc:
                log.warning("old notes stay as long as they are for now: %s", type(exc).__name__)
                return await self._count(run)
            run = await self._count(run)
            run = await self._step(run, partial(self._write_told, run.scope, told))
        return run

    async def _count(self, run: Run) -> Run:
        """Put on record what a mind was asked, whether it answered or not."""
        uses = self._night.spent()
        return await self._kept(with_use(run, uses), self._counted(uses)) if uses else run

    async def _write_told(self, scope: Scope, told: Mapping[str, tuple[str, str | None]], change: Change) -> list[Op]:
        written: list[str] = []
        for note in await self._store.get(scope, Note, list(told)):
            was, becomes = told[note.id]
            if becomes is not None and note.summary == was and note.deleted_at is None:
                after = replace(note, summary=becomes, version=note.version + 1)
                change.put(after, note, verb="condense", why="an old note", brief=True)
                written.append(note.id)
        return self._index(scope, Kind.NOTE, written)

    # ── deciding ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _turns(self, scope: Scope, rows: Sequence[KnowledgeItem | Note], now: datetime) -> list[Turn]:
        """What becomes of rows; whether one was taken out of the archive is only asked where it would go back."""
        turns = []
        for row in rows:
            decide = partial(put_away, row, now) if isinstance(row, Note) else partial(turned, row, now)
            turn = decide(self._policy)
            if turn is not None and turn.verb == "archive" and row.version > 1:
                target = Target.NOTE if isinstance(row, Note) else Target.ITEM
                trail = await self._store.trail(scope, target, row.id)
                back = max((entry.at for entry in trail if entry.verb in BROUGHT_BACK), default=None)
                turn = decide(self._policy, back)
            if turn is not None:
                turns.append(turn)
        return turns

    async def _too_long(self, scope: Scope, now: datetime, *, most: int) -> list[tuple[Note, int]]:
        """Notes told at greater length than their age allows, and in how many tokens they should be; newest first."""
        long: list[tuple[Note, int]] = []
        async for notes in self._notes(scope, (NoteKind.CONVERSATION,), archived=True):
            for note in notes:
                limit = tokens_for(note, now, self._policy.garden)
                if len(long) >= most or limit is None or self._tokens.count(note.summary) <= limit:
                    continue
                trail = [] if note.version == 1 else await self._store.trail(scope, Target.NOTE, note.id)
                verbs = [entry.verb for entry in trail]
                if "condense" not in verbs or TAKEN_BACK.isdisjoint(verbs[verbs.index("condense") :]):
                    long.append((note, limit))  # else someone took back that it was shortened, and wants it as it is
        return long

    async def _told(self, note: Note, limit: int) -> str | None:
        """The note's summary told in so many tokens; None where what comes back is no shorter or says nothing."""
        language = self._language_of(note.summary) or "en"
        private = self._reads_outside and note.id in (await self._store.withheld(note.scope)).notes
        teller = self._offline if private else self._night
        text = " ".join((await teller.retell([note.summary], language=language, tokens=limit)).split())
        return None if is_blank(text) or self._tokens.count(text) > limit else text

    # ── reading and writing ───────────────────────────────────────────────────────────────────────────────────────

    def _pages_of_items(self, scope: Scope, now: datetime) -> AsyncIterator[tuple[KnowledgeItem, ...]]:
        return pages(partial(self._store.page, scope, ItemFilter(now=now)), limit=PAGE)

    def _notes(
        self, scope: Scope, kinds: tuple[NoteKind, ...] = PUT_AWAY, *, archived: bool = False
    ) -> AsyncIterator[tuple[Note, ...]]:
        return pages(partial(self._store.page, scope, NoteFilter(kinds=kinds, archived=archived)), limit=PAGE)

    async def _step(self, run: Run, filled: Callable[[Change], Awaitable[list[Op]]]) -> Run:
        """Do one transaction's worth, with its entry in the record; decided anew when a row changed meanwhile."""

        async def decided() -> Run:
            change = self._change(run.scope, "garden")
            return await self._kept_change(run, change, await filled(change))

        return await deciding(decided)


def _merging(merge: Merge) -> GardenAction:
    return GardenAction(
        kind=ActionKind.MERGE,
        ids=merge.ids,
        shown=merge.keep.content,
        why=merge.why,
        rule=merge.whys[0].rule,
        numbers={"observations": sum(row.observations for row in (merge.keep, *merge.others))},
        before=" / ".join(other.content for other in merge.others),
        after=merge.keep.content,
    )


def _turning(turn: Turn) -> GardenAction:
    is_note, numbers = isinstance(turn.row, Note), turn.numbers
    return GardenAction(
        kind=ActionKind.ARCHIVE_NOTE if is_note else ActionKind(turn.verb),
        ids=(turn.row.id,),
        shown=turn.row.title if isinstance(turn.row, Note) else turn.row.content,
        why=turn.why,
        numbers=numbers,
        before=f"{numbers['before']:g}" if "before" in numbers else None,
        after=f"{numbers['after']:g}" if "after" in numbers else None,
    )


def _condensing(note: Note, size: int, limit: int) -> GardenAction:
    return GardenAction(
        kind=ActionKind.CONDENSE,
        ids=(note.id,),
        shown=note.title,
        why=f"told in {size} tokens, and old enough for {limit}",
        numbers={"tokens": size, "limit": limit},
        before=note.summary,
    )


class Beginner:
    """Lets planned values begin to hold."""

    kinds: tuple[str, ...] = (BEGIN,)
    terms = Terms(lease=timedelta(minutes=1), after=(READ,))  # which lets begin in time what was planned long ago

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            [item] = job.payload["items"]
            with once_only(job):
                await self._keeper.begin(job.scope, item, [FinishJob(job.id)], job.due_at)
