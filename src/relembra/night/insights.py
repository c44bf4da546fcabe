"""What recurs in days: a person's insights, found by counting, and the topics of what a space's notes tell.

All the person said anywhere counts, so that insights are private. An insight has a key that stays while its numbers
change: found again, the item is renewed in place and its trail keeps what it said before; no longer found, it is
archived. What the person confirmed, corrected, deleted or put away themselves is left as they left it.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from operator import mul

from relembra.domain import jobs
from relembra.domain.audit import Actor, ActorKind, Target, archived
from relembra.domain.candidate import Spent, Topic
from relembra.domain.insight import (
    FEELING,
    SENT,
    TAG,
    TOPIC_AREAS,
    Diary,
    Feature,
    Insight,
    InsightKind,
    Observation,
    found,
    is_new_enough,
    is_to_tell,
)
from relembra.domain.jobs import EVENT, INSIGHT, Job, Run, RunKind, at_hour, job_now, on_clock
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea, Source, first_priority
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.policy import ClusterPolicy
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.domain.searchable import note_text
from relembra.domain.text import is_blank, shortened
from relembra.errors import MindError
from relembra.learn.keeper import deciding
from relembra.learn.trail import Change
from relembra.locale import Words
from relembra.minds.port import Observer, Vector
from relembra.night.task import PAGE, ZONE, NightServices, Task, batches, closed, tallied, with_use, zone_of_job
from relembra.store import port

_FEATURE_AREAS = {
    **dict.fromkeys(("exercise", "alcohol", "much_coffee", "headache", "sleep", "energy", "eating"), LifeArea.HEALTH),
    **dict.fromkeys(("company", "argument"), LifeArea.RELATIONSHIPS),
    **dict.fromkeys(("overtime", "focus"), LifeArea.CAREER),
    **dict.fromkeys(("reading", "studying"), LifeArea.GROWTH),
    **dict.fromkeys(("screens", "outdoors", "music"), LifeArea.LEISURE),
    "overspending": LifeArea.FINANCE,
    "prayer": LifeArea.SPIRITUALITY,
}
_STRENGTHS = ((0.6, "weak"), (0.7, "moderate"), (1.0, "fair"))


def sentence(insight: Insight, language: str) -> str:
    """The insight with its counts."""
    counted = "recurring" if insight.kind is InsightKind.RECURRING else "days"
    numbers = {name: getattr(insight, name) for name in ("count", "of", "other_count", "other_of")}
    return f"{title(insight, language)} ({Words(language, 'insights')(f'counts.{counted}', **numbers)})"


def title(insight: Insight, language: str) -> str:
    """The insight alone."""
    words, feature = Words(language, "insights"), insight.features[-1]
    more, has = (_form(feature, insight.signs[-1], form, words) for form in ("more", "has"))
    if insight.kind is InsightKind.RECURRING:
        own = f"about.{feature.name}"
        about = words(own if words.has(own) else "about")
        text = words("title.recurring", has=has, about=about, topic=words.name("topic", feature.topic))
    else:
        thing = _form(insight.features[0], insight.signs[0], "thing", words)
        when = words(f"when.{insight.when.replace(':', '.')}", thing=thing)
        text = words("title.less", has=has, when=when) if insight.less else f"{more} {when}"
    return text[:1].upper() + text[1:]


def evidence(insight: Insight, language: str) -> str:
    """What speaks for it, in numbers and never in anyone's words, and how weak that is."""
    words = Words(language, "insights")
    span = (
        words("day", day=day.day, month=words(f"day.month.{day.month}"), year=day.year)
        for day in (insight.since, insight.until)
    )
    parts = [words("evidence.days", days=insight.days), " – ".join(span)]
    if insight.chance is not None:
        parts.append(words.decimal(f"p = {insight.chance:.2g}"))
    strength = next(name for most, name in _STRENGTHS if insight.confidence < most)
    parts.append(words(f"evidence.{strength}"))
    if insight.kind is InsightKind.TOGETHER:
        parts.append(words("evidence.together"))
    return "; ".join(parts)


def area_of(insight: Insight) -> LifeArea:
    """The area of life an insight belongs to: that of what it is about, last things first."""
    feature = insight.features[-1]
    areas = TOPIC_AREAS if feature.kind == FEELING else _FEATURE_AREAS
    return areas.get(feature.topic if feature.kind == FEELING else feature.name, LifeArea.MENTAL_HEALTH)


def _form(feature: Feature, sign: int, form: str, words: Words) -> str:
    """One side of a feature in words; form: more of it, having it, the thing itself."""
    if feature.kind == FEELING:
        feeling, thing = words.name("feeling", feature.name), words.name("thing", feature.name)
        return words(f"felt.{form}", feeling=feeling, thing=thing)
    return words(f"feature.{feature.name}.{'good' if sign > 0 else 'bad'}.{form}")


_KEY = "key:"
_MOST_HELD = 2_000
_TOLD_LANGUAGE = 200
WEIGHT = 0.8


class Insights(Task):
    """Finds, renews and puts away a person's insights, and says which items belong together."""

    kinds = (INSIGHT,)
    record = RunKind.INSIGHT
    actor = Actor.parse("program:insight")

    def __init__(self, services: NightServices, observer: Observer, *, announces: bool = False) -> None:
        super().__init__(services)
        self._observer = observer
        self._announces = announces  # to another program, each once
        self._rules = services.policy.insight

    async def _run(self, job: Job) -> None:
        run = await self._opened(job)
        if run is None:
            await self._finished(job, [])
            return
        said, noticed = await self._talk(run)
        run = replace(run, tally=replace(run.tally, messages=len(said)))
        moments = [on_clock(one.sent_at, one.zone) for one in said]
        insights = await asyncio.to_thread(found, Diary.of(moments, noticed), self._rules)
        language = self._most_used(self._language_of(one.text) for one in said[:_TOLD_LANGUAGE])
        run = await self._settled(run, insights, language, zone_of_job(job))
        await self._finished(job, [closed(await self._related(run), self._clock())])

    async def held(
        self, scope: Scope, *, asked_in: Place = DIRECT, without: frozenset[str] = frozenset()
    ) -> list[KnowledgeItem]:
        """The insights held now that may be heard in a place, the surest first, but for some."""
        wanted = port.ItemFilter(now=self._clock(), asked_in=asked_in, types=(KnowledgeType.INSIGHT,), without=without)
        rows = await self._items(scope, wanted, _MOST_HELD)
        return sorted(rows, key=lambda item: (-item.confidence, item.content, item.id))

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _talk(self, run: Run) -> tuple[list[Message], list[Observation]]:
        """What the person said themselves within the window, as far as it is bounded, and what it tells."""
        wanted = port.MessageFilter(roles=(Role.USER,), since=run.until - self._rules.window, until=run.until)
        page = partial(self._store.page, run.scope, wanted)
        rows = await port.all_rows(page, limit=PAGE, most=self._rules.most_messages)
        said = [one for one in rows if one.author == run.scope.user]
        wanted_items = port.ItemFilter(now=run.until, types=(KnowledgeType.EMOTION,), subject=SELF)
        emotions = await self._items(run.scope, wanted_items, self._rules.looked_at)
        return said, await self._observer.observe(said, emotions)

    async def _vectors(self, scope: Scope, ids: Sequence[str]) -> dict[str, Vector]:
        """The vectors of items' whole texts, those that are there; nothing is embedded."""
        got: dict[str, Vector] = {}
        for some in batches(ids, PAGE):
            rows = await self._store.vectors(scope, port.Kind.ITEM, self._embedder.name, [(id, 0) for id in some])
            got |= {id: vector for (id, _), vector in rows.items()}
        return got

    async def _known(self, scope: Scope) -> list[KnowledgeItem]:
        """Every insight of ours there ever was: what was deleted tells what to leave alone."""
        wanted = port.ItemFilter(
            now=self._clock(), types=(KnowledgeType.INSIGHT,), tags=(TAG,), history=True, archived=True, deleted=True
        )
        return [item for item in await self._items(scope, wanted, _MOST_HELD) if key_of(item) is not None]

    # ── keeping ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _settled(self, run: Run, insights: Sequence[Insight], language: str, zone: str) -> Run:
        """Bring what is held in line with what was found, as one change."""

        async def decide() -> Run:
            now = self._clock()
            rows: dict[str, list[KnowledgeItem]] = defaultdict(list)
            for item in await self._known(run.scope):
                # one that was kept in a space is counted no more
                rows[key_of(item) or "" if item.place.is_private else f"{item.place.space} {item.id}"].append(item)
            change = self._change(run.scope, "reinforce")
            worded: list[str] = []
            events: list[port.Op] = []
            kept = sum(_current(theirs) is not None for theirs in rows.values())
            for insight in insights:
                theirs = rows.get(insight.key, [])
                draft = self._draft(insight, run.scope, language, zone, now)
                before = _current(theirs) or await self._put_away(run.scope, theirs)
                if before is not None:
                    after = _renewed(before, draft, now)
                    if before.archived_at is not None and not is_new_enough(insight, self._rules):
                        continue
                    after, of_it = self._announced(after, before.version + 1)
                    if after is before:
                        continue
                    change.put(after, before, why=draft.evidence)
                elif theirs or kept >= self._rules.most or not is_new_enough(insight, self._rules):
                    continue
                else:
                    kept += 1
                    after, of_it = self._announced(draft, draft.version)
                    change.put(after, None, verb="learn", why=draft.evidence)
                events += of_it
                if before is None or after.content != before.content:
                    worded.append(after.id)
            still = {insight.key for insight in insights}
            for key, theirs in sorted(rows.items()):
                before = _current(theirs)
                if key not in still and before is not None and _is_ours(before):
                    change.put(
                        archived(before, now), before, verb="archive",
                        why="the days since no longer show it", brief=True,
                    )  # fmt: skip
            return await self._kept_change(run, change, [*self._index(run.scope, port.Kind.ITEM, worded), *events])

        return await deciding(decide)

    def _announced(self, item: KnowledgeItem, version: int) -> tuple[KnowledgeItem, list[port.Op]]:
        """The item marked as sent, with the job that sends it; as it is where it was sent before or is not to be."""
        if not self._announces or not is_to_tell(item, SENT, self._rules):
            return item, []
        job = job_now(EVENT, item.scope, {"item": item.id}, id=self._new_id(), now=self._clock())
        return replace(item, tags=(*item.tags, SENT), version=version), [port.Enqueue(job)]

    def _draft(self, insight: Insight, scope: Scope, language: str, zone: str, now: datetime) -> KnowledgeItem:
        return KnowledgeItem(
            id=self._new_id(),
            scope=scope,
            type=KnowledgeType.INSIGHT,
            area=area_of(insight),
            title=title(insight, language),
            content=sentence(insight, language),
            language=language,
            source=Source.AI_INFERENCE,
            message_ids=insight.message_ids[: self._rules.evidence],
            evidence=evidence(insight, language),
            confidence=insight.confidence,
            weight=WEIGHT,
            priority=first_priority(KnowledgeType.INSIGHT),
            tags=(TAG, insight.kind, f"{_KEY}{insight.key}"),
            observations=insight.support,
            held_from=_beginning(insight.since, zone, now),
            created_at=now,
            updated_at=now,
            zone=zone,
        )

    async def _put_away(self, scope: Scope, rows: Sequence[KnowledgeItem]) -> KnowledgeItem | None:
        """The row that was archived because it held no longer; what the person put away or deleted stays away."""
        if any(item.deleted_at is not None for item in rows):
            return None
        for item in rows:
            if item.archived_at is not None and item.superseded_at is None and _is_ours(item):
                trail = await self._store.trail(scope, Target.ITEM, item.id)
                last = next((entry for entry in reversed(trail) if entry.verb == "archive"), None)
                if last is None or last.actor.kind is not ActorKind.PERSON:
                    return item
        return None

    async def _kept_change(self, run: Run, change: Change, ops: Iterable[port.Op] = ()) -> Run:
        """An item that one change made and the next relates to others counts once."""
        if not change.ops:
            return run
        before = await self._store.changes(run.scope, run.changes)
        done = tallied([*before, *(op.entry for op in change.ops if isinstance(op, port.Record))])
        done = replace(done, messages=run.tally.messages)
        after = replace(run, changes=(*run.changes, change.id), tally=done)
        return await self._kept(after, [*change.ops, *ops])

    # ── belonging together ────────────────────────────────────────────────────────────────────────────────────────

    async def _related(self, run: Run) -> Run:
        """Let items name those they belong to: an insight and what was learnt where it shows, near ones of a note."""

        async def decide() -> Run:
            now = self._clock()
            newest = await self._items(run.scope, port.ItemFilter(now=now), self._rules.looked_at)
            rows = list({row.id: row for row in (*await self.held(run.scope), *newest)}.values())
            vectors = await self._vectors(run.scope, [one.id for one in rows if one.note_id is not None])
            links = _links(rows, vectors, self._rules.near_at_least)
            change = self._change(run.scope, "relate", why="they belong together")
            for row in rows:
                others = (id for id in links.get(row.id, ()) if id != row.id)
                most = max(self._rules.most_related, len(row.related))
                related = tuple(dict.fromkeys((*row.related, *others)))[:most]
                if related != row.related and not row.validated:  # what the person confirmed stays as it is
                    change.put(replace(row, related=related, version=row.version + 1), row, brief=True)
            return await self._kept_change(run, change)

        return await deciding(decide)


def key_of(item: KnowledgeItem) -> str | None:
    """What tells an insight from others of the same person and place; None for one that was not found by counting."""
    return next((tag.removeprefix(_KEY) for tag in item.tags if tag.startswith(_KEY)), None)


def _current(rows: Iterable[KnowledgeItem]) -> KnowledgeItem | None:
    """The row that stands, if one does; confirmed ones first."""
    standing = [row for row in rows if row.deleted_at is None and row.superseded_at is None and row.archived_at is None]
    return max(standing, key=lambda row: (row.validated, row.created_at, row.id), default=None)


def _is_ours(item: KnowledgeItem) -> bool:
    """Whether it is still what counting made of it, and not the person's word."""
    return item.source is Source.AI_INFERENCE and not item.validated


def _renewed(before: KnowledgeItem, draft: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """The item with the numbers of today; the same one where they are the same, or where the person spoke."""
    if not _is_ours(before):
        return before
    after = replace(
        before,
        title=draft.title,
        content=draft.content,
        language=draft.language,
        area=draft.area,
        evidence=draft.evidence,
        message_ids=draft.message_ids,
        confidence=draft.confidence,
        observations=draft.observations,
        archived_at=None,
    )
    if after == before:
        return before
    return replace(after, updated_at=now, reinforced_at=now, version=before.version + 1)


def _links(
    rows: Sequence[KnowledgeItem], vectors: Mapping[str, Vector], near_at_least: float
) -> dict[str, dict[str, None]]:
    """Whom each item belongs to, the nearest first. Only what may be heard in the same place names one another."""
    links: dict[str, dict[str, None]] = defaultdict(dict)
    by_message: dict[tuple[str | None, str], list[KnowledgeItem]] = defaultdict(list)
    by_note: dict[tuple[str | None, str], list[KnowledgeItem]] = defaultdict(list)
    for row in rows:
        if row.type is not KnowledgeType.INSIGHT:
            for id in row.message_ids:
                by_message[row.place.space, id].append(row)
            if row.note_id is not None and row.id in vectors:
                by_note[row.place.space, row.note_id].append(row)
    for row in rows:
        if row.type is KnowledgeType.INSIGHT:
            shown = Counter(other.id for id in row.message_ids for other in by_message[row.place.space, id])
            for other, _ in sorted(shown.items(), key=lambda pair: (-pair[1], pair[0])):
                links[row.id].setdefault(other)
                links[other].setdefault(row.id)
    for together in by_note.values():
        numbers = {row.id: struct.unpack(f"<{len(vectors[row.id]) // 4}f", vectors[row.id]) for row in together}
        pairs = [
            (sum(map(mul, numbers[one.id], numbers[two.id])), one.id, two.id)
            for at, one in enumerate(together)
            for two in together[at + 1 :]
            if len(numbers[one.id]) == len(numbers[two.id])
        ]
        for _, one_id, two_id in sorted((pair for pair in pairs if pair[0] >= near_at_least), reverse=True):
            links[one_id].setdefault(two_id)
            links[two_id].setdefault(one_id)
    return links


def _beginning(day: date, zone: str, now: datetime) -> datetime:
    """When a day began on a clock, never after now."""
    try:
        return min(at_hour(day, 0.0, zone), now.astimezone(UTC))
    except (OverflowError, ValueError):
        return datetime.combine(day, time(), UTC)


LONGEST_TITLE = 80
LONGEST_SUMMARY = 1_200
RUNS_LOOKED_AT = 50
WAITED_FOR = timedelta(days=7)
SPENT_UP = "what models may be asked in a night is spent; the notes were grouped without one"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a night has to tell of a space: the days, oldest first, who took part in them, and from when on the rest."""

    days: tuple[tuple[datetime, tuple[Note, ...]], ...]  # each with its beginning
    people: tuple[str, ...]
    until: datetime
    goes_on: bool  # there is talk that a later night has to tell


class Clustering(Task):
    """Writes a space's topic notes, and leaves the people who took part to be consolidated."""

    kinds = (jobs.CLUSTER,)
    record = jobs.RunKind.CLUSTERING
    actor = Actor(ActorKind.PROGRAM, "clustering")

    def __init__(self, services: NightServices) -> None:
        super().__init__(services)
        self._rules = services.policy.cluster

    async def run(self, job: jobs.Job) -> None:
        """Tell the days that are over and not told yet, each in a transaction of its own."""
        await deciding(partial(self._tell_days, job, list[Spent]()))

    async def _tell_days(self, job: jobs.Job, uses: list[Spent]) -> None:
        """`uses` gathers what models were asked until it is counted, for all this may have to be decided again."""
        run = await self._opened(job)
        if run is None:
            await self._finished(job, [self._tomorrow(job)])  # this night had its own; the rest is for the next
            return
        zone, error = zone_of_job(job), None
        plan = await self._plan(run, zone)
        stands = [min(start, plan.until) for start, _ in plan.days] + [plan.until]
        if plan.days:  # whatever ends this, the next one is to begin where it stood
            run = await self._kept(replace(run, until=stands[0]))
        for (_, notes), until in zip(plan.days, stands[1:], strict=True):
            run, why = await self._tell(job, run, notes, until, uses)
            error = error or why
        now = self._clock()
        ops = [closed(replace(run, until=plan.until), now, error)]
        for name in plan.people:
            consolidation = jobs.Job(
                id=self._new_id(), scope=Scope(job.scope.tenant, name), kind=jobs.CONSOLIDATE, key=jobs.CONSOLIDATE,
                payload={ZONE: zone}, due_at=now, created_at=now,
            )  # fmt: skip
            ops.append(port.Enqueue(consolidation))
        ops += await self._following(job, (jobs.GARDEN,))
        if plan.goes_on:
            ops.append(self._tomorrow(job))
        await self._finished(job, ops)
        log.info("job %s: %d days, %d topics", job.id, len(plan.days), run.tally.notes)

    async def _plan(self, run: jobs.Run, zone: str) -> Plan:
        store, scope = self._store, run.scope
        page = await store.page(scope, port.RunFilter(kinds=(jobs.RunKind.CLUSTERING,)), limit=RUNS_LOOKED_AT)
        last = next((one for one in page.rows if one.id != run.id and one.status in _SETTLED), None)
        wanted = port.NoteFilter(
            asked_in=Place(scope.space), kinds=(NoteKind.CONVERSATION,), since=None if last is None else last.until
        )
        notes = (await port.all_rows(partial(store.page, scope, wanted), limit=PAGE))[::-1]
        days: dict[date, list[Note]] = defaultdict(list)
        for note in notes:
            days[jobs.night_of(note.happened_at, zone, hour=0.0)].append(note)
        unready = {jobs.night_of(one.last_at, zone, hour=0.0) for one in await store.buffers(scope)}
        entries = await store.changes(scope, run.changes)  # where this goes on, some days are told already
        told = {id for entry in entries for id in (entry.after or {}).get("note_ids") or ()}
        return planned(
            {day: notes for day, notes in days.items() if told.isdisjoint(note.id for note in notes)},
            today=jobs.night_of(self._clock(), zone, hour=0.0),
            unready=unready,
            start_of=lambda day: jobs.at_hour(day, 0.0, zone),
            rules=self._rules,
        )

    async def _tell(
        self, job: jobs.Job, run: jobs.Run, day: Sequence[Note], until: datetime, uses: list[Spent]
    ) -> tuple[jobs.Run, str | None]:
        """Store a day's topics; the record as it then is, and why no model told them where one should have.

        `until`: from when on there is something left to tell.
        """
        scope, now = run.scope, self._clock()
        notes = [
            note for note in await self._store.get(scope, Note, [one.id for one in day]) if note.deleted_at is None
        ]
        proposed, teller, why = await self._topics(job, run, notes, uses)
        topics = sound(proposed, notes, most=self._most(notes))
        uses += self._night.spent()
        kept, ops = with_use(run, uses), self._counted(uses)
        if topics:
            change = self._change(scope, "cluster", why=f"told by {teller}")
            made = [cluster_note(topic, of_it, id=self._new_id(), now=now) for topic, of_it in topics]
            for note in made:
                change.put(note, None)
            sources = await self._unchanged(scope, [note for _, of_it in topics for note in of_it])
            ops += [*sources, *change.ops, *self._index(scope, port.Kind.NOTE, [note.id for note in made])]
            kept = replace(kept, changes=(*kept.changes, change.id))
        said = len({id for note in notes for id in note.message_ids})
        run = await self._kept(
            replace(kept, until=until, tally=kept.tally + jobs.Tally(notes=len(topics), messages=said)), ops
        )
        uses.clear()
        return run, why

    async def _topics(
        self, job: jobs.Job, run: jobs.Run, notes: Sequence[Note], uses: list[Spent]
    ) -> tuple[list[Topic], str, str | None]:
        """A day's topics, who told them, and why that was not the model."""
        most, language = self._most(notes), self._most_used(self._language_of(note_text(note)) for note in notes)
        if len(notes) < self._rules.least_notes:
            return [], self._offline.name, None
        why: str | None = None
        away = (await self._store.withheld(run.scope)).notes if self._reads_outside else frozenset[str]()
        is_private = any(note.id in away for note in notes)  # may not leave this machine, so they are put together here
        if self._night is not self._offline and not is_private:
            if await self._allowance():
                try:
                    return await self._night.topics(notes, language=language, most=most), self._night.name, None
                except MindError as exc:
                    if job.attempts < self._policy.tend.tries:
                        spent = [*uses, *self._night.spent()]
                        await self._kept(with_use(run, spent), self._counted(spent))
                        raise
                    log.warning("job %s: topics are told without a model: %s", job.id, exc)
                    why = f"{exc}; the notes were grouped without it"
            else:
                why = SPENT_UP
        return await self._offline.topics(notes, language=language, most=most), self._offline.name, why

    def _most(self, notes: Sequence[Note]) -> int:
        return min(self._rules.most, len(notes) // 2)

    async def _unchanged(self, scope: Scope, notes: Sequence[Note]) -> list[port.Op]:
        """Puts that leave notes as they are, and fail where one changed or went since it was read.

        Someone may be forgotten while a model thinks, and their words must not come back in a topic. How often a note
        was looked at does not count, so the rows are read again.
        """
        versions = {note.id: note.version for note in notes}
        now = {note.id: note for note in await self._store.get(scope, Note, list(versions))}
        return [port.Put(now.get(note.id, note), versions[note.id]) for note in notes]


_SETTLED = (jobs.RunStatus.COMPLETED, jobs.RunStatus.PARTIAL, jobs.RunStatus.ROLLED_BACK)


def planned(
    days: Mapping[date, list[Note]],
    *,
    today: date,
    unready: Collection[date],
    start_of: Callable[[date], datetime],
    rules: ClusterPolicy,
) -> Plan:
    """Which days to tell now: those over and noted to the end, of enough notes.

    Talk that still waits for its note is waited for, a week at most.
    """
    stop = min([today, *(day for day in unready if day >= today - WAITED_FOR)])
    due = sorted(day for day, notes in days.items() if day < stop and len(notes) >= rules.least_notes)
    chosen, left = due[: rules.days_a_night], due[rules.days_a_night :]
    end = left[0] if left else stop
    covered = sorted(day for day in days if day < end)
    return Plan(
        days=tuple((start_of(day), tuple(days[day][-rules.most_notes :])) for day in chosen),
        people=tuple(dict.fromkeys(name for day in covered for note in days[day] for name in note.participants)),
        until=start_of(end),
        goes_on=bool(unready) or any(end <= day for day in days),
    )


def sound(topics: Iterable[Topic], notes: Sequence[Note], *, most: int) -> list[tuple[Topic, list[Note]]]:
    """What of the proposed topics may be stored: with words, of at least two of these notes, and each note in one."""
    free = {note.id: note for note in notes}
    kept: list[tuple[Topic, list[Note]]] = []
    for topic in topics:
        named = [id for id in dict.fromkeys(topic.note_ids) if id in free]
        if len(named) < 2 or is_blank(topic.title) or is_blank(topic.summary) or len(kept) >= most:
            continue
        of_it = [free.pop(id) for id in named]
        kept.append((topic, sorted(of_it, key=lambda note: (note.happened_at, note.id))))
    return kept


def cluster_note(topic: Topic, notes: Sequence[Note], *, id: str, now: datetime) -> Note:
    """A topic as a note of the space its notes, oldest first, are of.

    It is of their channel, or of the space as a whole where they are of several; anyone in the space may hear it.
    """
    channels = {note.place.channel for note in notes}
    place = notes[-1].place if len(channels) == 1 else Place(notes[-1].place.space)
    return Note(
        id=id,
        scope=notes[0].scope,
        place=place,
        kind=NoteKind.TOPIC_CLUSTER,
        title=shortened(topic.title, LONGEST_TITLE),
        summary=shortened(topic.summary, LONGEST_SUMMARY),
        participants=tuple(dict.fromkeys(name for note in notes for name in note.participants)),
        note_ids=tuple(note.id for note in notes),
        happened_at=notes[-1].happened_at,
        created_at=now,
    )
