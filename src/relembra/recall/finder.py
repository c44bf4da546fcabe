"""Finding: a question goes down the store's arms, the ranking orders what they bring, and the best rows are fetched."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.policy import Policy, RankingPolicy
from relembra.domain.scope import Scope, shelf_of
from relembra.domain.searchable import Inquiry, Period, passage
from relembra.domain.text import fold
from relembra.errors import MindError
from relembra.minds.port import Analyzer, Embedder, Vector
from relembra.recall.query import Miss, Missed, Recall, barred
from relembra.recall.ranking import (
    NOTE_PRIORITY,
    Focus,
    Hit,
    MessageHit,
    NoteHit,
    Ranked,
    Rule,
    current_first,
    focus_of,
    newest_values,
    rank,
)
from relembra.recall.talk import (
    AFTER,
    CANDIDATES,
    FRESH_AMONG,
    NEIGHBOURS_OF,
    Talked,
    Told,
    cosines,
    excerpt,
    fresher_first,
    in_order,
    ranked_talk,
    reread,
    with_neighbours,
)
from relembra.store.port import KIND_OF, Candidate, ItemFilter, Kind, MessageFilter, NoteFilter, Query, Store, Words

log = logging.getLogger(__name__)

RELATION = "relation"  # the attribute of people and animals, whose subject is who they are,
TIED = (RELATION, "possession")  # and those by which it is told what they are
PLANNED = {"meeting", "event"}  # asked for where an event of a calendar may answer
SPARE = 4  # items fetched beyond those wanted, since some may be outdone by others
STRONGEST = 8  # of all, put away or not: what is brought back from the archive has to be among them
LONGEST_ASKED = 400  # characters of a question that is embedded as it stands; of a longer one, what it comes down to

Ahead = dict[tuple[Scope, Kind], Words]
AnyFilter = TypeVar("AnyFilter", NoteFilter, MessageFilter)

Filter = ItemFilter | NoteFilter | MessageFilter


@dataclass(slots=True)
class Asking:
    """A question on its way: its words at once, its vector when it is there."""

    inquiry: Inquiry
    about: str | None  # its topic
    words: Query  # its words alone
    vector: asyncio.Future[list[Vector] | None]
    ahead: asyncio.Future[Ahead]  # what the keyword arms say


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What may come back, and how much of each; `notes`: whose notes, and which."""

    items: ItemFilter
    most_items: int
    messages: MessageFilter | None = None
    channel: MessageFilter | None = None  # what anybody said there
    most_messages: int = 0
    notes: Sequence[tuple[Scope, NoteFilter]] = ()
    most_notes: int = 0
    apart_from: Collection[str] = ()  # ids that are shown already
    least: float = 0.0
    trace: bool = False


class Finder:
    """Asks the store with a text. Without an embedder that answers, words alone are searched."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        analyzer: Analyzer,
        policy: Policy,
        mend: Callable[[str], str] | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._analyzer = analyzer
        self._policy = policy
        self._mend = mend
        self._has_mended = False  # the first one loads tables
        self._topics: dict[str, Vector] = {}  # as they are said in a few words

    async def vectors(self, texts: Sequence[str]) -> list[Vector] | None:
        """The texts' vectors, or None when the embedder cannot answer now."""
        try:
            return await self._embedder.embed(texts)
        except MindError as exc:
            log.warning("words alone, for the embedder cannot answer: %s", exc)
            return None

    async def items(
        self, scope: Scope, inquiry: Inquiry, wanted: ItemFilter, *, limit: int, apart_from: Collection[str] = ()
    ) -> list[Hit]:
        """The items that answer best, weak ones too, but for some."""
        asked = Wanted(items=wanted, most_items=limit, apart_from=apart_from)
        return list((await self.brought(scope, inquiry, asked)).items)

    async def brought(self, scope: Scope, inquiry: Inquiry, wanted: Wanted) -> Recall:
        """What answers a question, of every kind asked for. Notes come first, for they lead to messages and items."""
        asking = await self._asking(scope, inquiry, wanted)
        try:
            notes = await self._notes(asking, wanted)
            least = self._policy.ranking.least_similarity  # enough to look at what was said and learnt there
            leading = [hit for hit in notes[0] if hit.why.similarity > least][: self._policy.context.recalled_notes]
            items = await self._items(scope, asking, wanted, leading)
            talked = await self._talk(scope, asking, wanted, leading)
        finally:
            asking.vector.cancel()
            asking.ahead.cancel()
        return Recall(
            query=inquiry.text,
            inquiry=inquiry,
            items=tuple(items[0]),
            notes=tuple(notes[0]),
            messages=tuple(talked[0]),
            conversations=tuple(talked[2]),
            missed=(*items[1], *notes[1], *talked[1]),
        )

    # ── items ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _items(
        self, scope: Scope, asking: Asking, wanted: Wanted, notes: Sequence[NoteHit]
    ) -> tuple[list[Hit], list[Missed]]:
        if wanted.most_items <= 0:
            return [], []
        policy = self._policy.ranking
        limit = max(policy.candidates, wanted.most_items + len(wanted.apart_from))
        chosen, inquiry = wanted.items, asking.inquiry
        if inquiry.types or inquiry.period:
            limit = max(limit, policy.focused_candidates)
        led = await self._led(scope, inquiry, chosen, notes)
        near_topic = await self._near_topic(scope, asking, chosen)
        of_kind = await self._of_kind(scope, inquiry, chosen)
        led += [id for id in (*of_kind, *near_topic) if id not in led]
        found = [await self._with_archive(asking, scope, chosen, limit, led)]
        if wanted.trace:
            everything = ItemFilter(
                now=chosen.now, asked_in=chosen.asked_in, history=True, deleted=True, without=chosen.without
            )
            found.append(await self._candidates(asking, scope, everything, limit, led))
        leading = {hit.note.id for hit in notes}
        pool = [one for one in _each_once(found) if one.id not in wanted.apart_from]
        ranked = partial(
            rank,
            terms=asking.words.terms,
            now=wanted.items.now,
            least=0.0 if wanted.trace else wanted.least,
            focused={one.id: focus_of(one, inquiry, leading, of_kind) for one in pool},
            near_topic=near_topic,
            time_alone=inquiry.time_alone,
            named=bool(inquiry.names),
        )
        # The best that may be shown, and why the others may not; what may not takes no other's place.
        most = len(pool) if wanted.trace else wanted.most_items + SPARE
        rows: dict[str, KnowledgeItem] = {}
        missed: list[Missed] = []
        while True:
            kept: list[Ranked] = []
            out = set[str]()
            best = ranked(pool, policy=policy, limit=most)
            unseen = [one.id for one in best if one.id not in rows]
            rows |= {item.id: item for item in await self._store.get(scope, KnowledgeItem, unseen)} if unseen else {}
            for one in best:
                if (item := rows.get(one.id)) is None:
                    out.add(one.id)  # forgotten meanwhile
                    continue
                miss, rule = _judged(item, wanted.items, one.why.similarity, policy)
                if miss is None and one.why.similarity <= wanted.least:
                    miss = Miss.WEAK
                if miss is None:
                    kept.append(replace(one, why=replace(one.why, rule=rule)))
                else:
                    out.add(one.id)
                    missed.append(Missed(item, miss, one.score, one.why))
            if not out:
                break
            pool = [candidate for candidate in pool if candidate.id not in out]
        if wanted.trace:
            taken = {one.id for one in kept}
            further = ranked(pool, policy=replace(policy, candidates=most), limit=most)
            beyond = {one.id: one for one in further if one.id not in taken}
            for item in await self._store.get(scope, KnowledgeItem, list(beyond)):
                one = beyond[item.id]
                miss = _judged(item, wanted.items, one.why.similarity, policy)[0]
                missed.append(Missed(item, miss or Miss.OUTRANKED, one.score, one.why))
        hits = current_first([Hit(rows[one.id], one.score, one.why) for one in kept], wanted.items.now)
        if not wanted.items.history and wanted.items.true_at is None:
            fresh = newest_values(hits, wanted.items.now)
            held = {hit.item.id for hit in fresh}
            missed += [Missed(hit.item, Miss.OUTDONE, hit.score, hit.why) for hit in hits if hit.item.id not in held]
            hits = fresh
        missed += [Missed(hit.item, Miss.OUTRANKED, hit.score, hit.why) for hit in hits[wanted.most_items :]]
        return hits[: wanted.most_items], missed if wanted.trace else []

    async def _with_archive(
        self, asking: Asking, scope: Scope, which: ItemFilter | NoteFilter, limit: int, led: Sequence[str] = ()
    ) -> list[Candidate]:
        """What is found with what was put away, which leaves the others their places: so many more are looked for, and
        where these are not enough, the others are looked for by themselves."""
        found = await self._candidates(asking, scope, replace(which, archived=True), limit + STRONGEST, led)
        if sum(one.archived for one in found) > STRONGEST:
            current = await self._candidates(asking, scope, replace(which, archived=False), limit, led)
            found = _each_once([found, current])
        return found

    async def _near_topic(self, scope: Scope, asking: Asking, which: ItemFilter) -> dict[str, float]:
        """Items near to the topic of a question in meaning, with their cosines; they need not be near to its words."""
        if asking.about is None or not asking.inquiry.types:
            return {}
        vectors = await asyncio.shield(asking.vector)
        vector = vectors[1] if vectors and len(vectors) > 1 else self._topics.get(asking.about)
        if vector is None:
            return {}
        self._topics[asking.about] = vector
        query = Query(terms=(), vector=vector, model=self._embedder.name, limit=self._policy.ranking.candidates)
        near = await self._store.search(scope, query, which)
        return {one.id: one.cosine for one in near if one.cosine is not None}

    async def _led(self, scope: Scope, inquiry: Inquiry, chosen: ItemFilter, notes: Sequence[NoteHit]) -> list[str]:
        """Items to look at whether the arms find them or not: of people the question names, of notes that answer."""
        looks = [replace(chosen, subject=name) for name in inquiry.names if chosen.subject is None]
        if inquiry.time_alone and inquiry.period is not None and chosen.period is None:
            looks.append(replace(chosen, period=(inquiry.period.start, inquiry.period.end)))
        if notes and not chosen.note_ids:
            looks.append(replace(chosen, note_ids=tuple(hit.note.id for hit in notes)))
        pages = [await self._store.page(scope, look, limit=self._policy.ranking.led) for look in looks]
        return list(dict.fromkeys(item.id for page in pages for item in page.rows))

    async def _of_kind(self, scope: Scope, inquiry: Inquiry, chosen: ItemFilter) -> list[str]:
        """Items of the kind of things that is asked for, whatever their words: of whom the question names, else of the
        asker, but whoever it is in a relation that is asked for.
        """
        whose = (chosen.subject,) if chosen.subject is not None else inquiry.names or (SELF,)
        looks = [
            replace(chosen, attribute=name, subject=subject)
            for name in inquiry.attributes
            if chosen.attribute in (None, name)
            for subject in (whose if name != RELATION else (chosen.subject,))
        ]
        pages = [await self._store.page(scope, look, limit=self._policy.ranking.led) for look in looks]
        ties = set(inquiry.ties)
        return [
            item.id
            for page in pages
            for item in page.rows
            if not ties or item.attribute not in TIED or ties & set(fold(item.value or "").split())
        ]

    # ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _notes(self, asking: Asking, wanted: Wanted) -> tuple[list[NoteHit], list[Missed]]:
        if wanted.most_notes <= 0:
            return [], []
        policy = self._policy.ranking
        found: list[tuple[Note, Ranked]] = []
        for scope, which in wanted.notes:
            period = asking.inquiry.period
            candidates = await self._with_archive(asking, scope, which, policy.candidates)
            if period is not None and asking.inquiry.time_alone:
                more = await self._with_archive(asking, scope, _within(which, period), policy.candidates)
                candidates = _each_once([candidates, more])
            planned = set[str]()
            if period is not None and PLANNED & set(asking.inquiry.attributes):
                events = replace(_within(which, period), kinds=(NoteKind.EVENT,))
                more = await self._candidates(asking, scope, events, policy.candidates)
                candidates, planned = _each_once([candidates, more]), {one.id for one in more}
            rows = {note.id: note for note in await self._store.get(scope, Note, [one.id for one in candidates])}
            candidates = [one for one in candidates if one.id in rows]  # one may be forgotten by now
            focused = {
                one.id: (Focus.TIME, Focus.KIND) if one.id in planned else (Focus.TIME,)
                for one in candidates
                if period is not None and period.start <= one.moment < period.end and not rows[one.id].is_undated
            }
            ranked = rank(
                [one._replace(priority=NOTE_PRIORITY) for one in candidates],
                asking.words.terms,
                now=wanted.items.now,
                policy=replace(policy, candidates=len(candidates)),
                limit=len(candidates),
                focused=focused,
                time_alone=asking.inquiry.time_alone,
            )
            found += [(rows[one.id], one) for one in ranked]
        found.sort(key=lambda pair: (-pair[1].score, pair[1].id))
        hits: list[NoteHit] = []
        missed: list[Missed] = []
        for note, one in found:
            as_of = wanted.items.as_of
            put_away = note.archived_at is not None and (as_of is None or note.archived_at <= as_of)
            rule = Rule.ARCHIVE if put_away else Rule.SAID
            if put_away and one.why.similarity < policy.recover_at_least:
                missed.append(Missed(note, Miss.ARCHIVED, one.score, one.why))
            elif one.why.similarity <= wanted.least:
                missed.append(Missed(note, Miss.WEAK, one.score, one.why))
            elif len(hits) >= wanted.most_notes:
                missed.append(Missed(note, Miss.OUTRANKED, one.score, one.why))
            else:
                hits.append(NoteHit(note, one.score, replace(one.why, rule=rule)))
        return hits, missed if wanted.trace else []

    # ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _talk(
        self, scope: Scope, asking: Asking, wanted: Wanted, notes: Sequence[NoteHit]
    ) -> tuple[list[MessageHit], list[Missed], list[str]]:
        """Older messages: what was said has no weight, priority or use of its own."""
        which = wanted.messages
        if wanted.most_messages <= 0 or which is None:
            return [], [], []
        limit = max(CANDIDATES, wanted.most_messages)
        period = asking.inquiry.period
        named = period if period is not None and period.precise else None
        led = tuple(id for hit in notes for id in hit.note.message_ids)[:limit]
        asked = [(scope, which)]
        if wanted.channel is not None:
            asked.append((shelf_of(scope, wanted.channel.asked_in), wanted.channel))
        pool: dict[str, Candidate] = {}
        for whose, every in asked:
            for look in [every] if named is None else [every, _within(every, named)]:
                found = await self._candidates(asking, whose, look, limit, led)
                pool |= {candidate.id: candidate for candidate in found}
        talked = ranked_talk(
            list(pool.values()),
            asking.inquiry,
            asker=scope.user,
            now=wanted.items.now,
            half_life_days=self._policy.ranking.recency_half_life_days,
        )
        talked = await self._with_neighbours(scope, asking, talked, wanted)
        weak = all(one.why.similarity <= wanted.least for one in talked.messages)
        talked, rows = (talked, {}) if weak and not wanted.trace else await self._read_again(scope, asking, talked)
        others = [one for one in talked.messages if one.id not in wanted.apart_from]
        strong = [one for one in others if one.why.similarity + one.why.around > wanted.least]
        best = strong[: wanted.most_messages]
        unread = [one.id for one in (talked.messages if wanted.trace else best) if one.id not in rows]
        owners = {one.id: one.candidate.owner for one in talked.messages}
        rows |= await self._said(scope, {id: owners[id] for id in unread})
        best = [one for one in best if one.id in rows]
        hits = []
        for place, one in enumerate(best):
            shares = dict(zip(one.candidate.terms, one.candidate.shares, strict=True))
            words = excerpt(rows[one.id].text, shares, rank=place, part=one.candidate.part)
            hits.append(MessageHit(rows[one.id], one.score, replace(one.why, rule=Rule.SAID), words))
        missed = []
        shown = {one.id for one in best}
        for one in talked.messages if wanted.trace else ():
            if one.id in rows and one.id not in shown:
                is_weak = one.why.similarity + one.why.around <= wanted.least
                miss = Miss.SHOWN if one.id in wanted.apart_from else Miss.WEAK if is_weak else Miss.OUTRANKED
                missed.append(Missed(rows[one.id], miss, one.score, one.why))
        return hits, missed, talked.conversations

    async def _with_neighbours(self, scope: Scope, asking: Asking, talked: Talked, wanted: Wanted) -> Talked:
        """The same, with what stands beside the best hits."""
        best = {
            one.id: one.candidate.owner
            for one in talked.messages[:NEIGHBOURS_OF]
            if one.why.similarity > self._policy.ranking.least_similarity and one.candidate.role is Role.USER
        }
        which, there = wanted.messages, wanted.channel
        if not best or which is None:
            return talked
        around = await self._store.beside(scope, list(best), before=1, after=AFTER, wanted=which)
        if there is not None:
            around |= await self._store.beside(
                shelf_of(scope, there.asked_in), list(best), before=1, after=AFTER, wanted=there
            )
        hits = (await self._said(scope, {id: best[id] for id in around})).values()
        return with_neighbours(
            talked,
            [(hit, around[hit.id]) for hit in hits],
            asking.inquiry,
            now=wanted.items.now,
            within=self._policy.context.session_idle,
            half_life_days=self._policy.ranking.recency_half_life_days,
        )

    async def _read_again(self, scope: Scope, asking: Asking, talked: Talked) -> tuple[Talked, dict[str, Message]]:
        """The same after a second look at the best, with the newer of two messages about one matter first; those."""
        first = talked.messages[:FRESH_AMONG]
        if len(first) < 2:
            return talked, {}
        parts = {one.id: one.candidate.part for one in first}
        owners = {one.id: one.candidate.owner for one in first}
        rows = await self._said(scope, owners)
        vectors: dict[str, Vector] = {}
        for whose, ids in _by_owner(scope, owners).items():
            asked = [(id, parts[id]) for id in ids]
            found = await self._store.vectors(whose, Kind.MESSAGE, self._embedder.name, asked)
            vectors |= {id: vector for (id, _), vector in found.items()}
        near = cosines(vectors)
        told = {id: Told(row.text, passage(row.text, parts[id])) for id, row in rows.items()}
        again = reread(talked.messages, told)
        by_relevance = in_order(again)  # a conversation answers as well, whether its words still hold or not
        return replace(by_relevance, messages=fresher_first(again, told, near, asking.inquiry)), rows

    async def _said(self, scope: Scope, owners: Mapping[str, str | None]) -> dict[str, Message]:
        """Messages by id, each read in the memory of whom it is in."""
        found = [await self._store.get(whose, Message, ids) for whose, ids in _by_owner(scope, owners).items()]
        return {message.id: message for messages in found for message in messages}

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _asking(self, scope: Scope, inquiry: Inquiry, wanted: Wanted) -> Asking:
        """The question with its embedding and the keyword arms under way."""
        text = inquiry.voiced or inquiry.text if len(inquiry.text) <= LONGEST_ASKED else inquiry.core
        if self._mend is not None:
            text = self._mend(text) if self._has_mended else await asyncio.to_thread(self._mend, text)
            self._has_mended = True
        about = inquiry.about
        texts = [text] if about is None or about in self._topics else [text, about]
        vector = asyncio.ensure_future(self.vectors(texts))
        weights = inquiry.weights or dict.fromkeys(self._analyzer.terms(inquiry.text), 1.0)
        words = Query(terms=tuple(weights), weights=tuple(weights.values()), vector=None, model=None, limit=0)
        places = [(scope, Kind.ITEM)] if wanted.most_items > 0 else []
        places += [(scope, Kind.MESSAGE)] if wanted.most_messages > 0 else []
        places += [(shelf, Kind.NOTE) for shelf, _ in wanted.notes] if wanted.most_notes > 0 else []

        async def run_ahead() -> Ahead:
            """One after another, for threads that compute side by side hold one another up."""
            return {(shelf, kind): await self._store.words(shelf, kind, words) for shelf, kind in places}

        return Asking(inquiry, about, words, vector, asyncio.ensure_future(run_ahead()))

    async def _candidates(
        self, asking: Asking, scope: Scope, which: Filter, limit: int, led: Sequence[str] = ()
    ) -> list[Candidate]:
        """What both arms find; `led`: rows something else leads to, wanted whether an arm finds them or not."""
        words = (await asyncio.shield(asking.ahead)).get((scope, KIND_OF[type(which)]))
        vectors = await asyncio.shield(asking.vector)
        found = replace(asking.words, limit=limit, words=words, also=tuple(led))
        if vectors:
            found = replace(found, vector=vectors[0], model=self._embedder.name)
        return await self._store.search(scope, found, which)


def _by_owner(scope: Scope, owners: Mapping[str, str | None]) -> dict[Scope, list[str]]:
    """The messages of each, by whose memory they are in; of `scope` where it is not told."""
    found: dict[Scope, list[str]] = {}
    for id, owner in owners.items():
        found.setdefault(Scope(scope.tenant, owner or scope.user), []).append(id)
    return found


def _each_once(found: Iterable[Sequence[Candidate]]) -> list[Candidate]:
    """The candidates of several looks; of those one look found by keyword and another did not, the better told."""
    pool: dict[str, Candidate] = {}
    for candidates in found:
        for candidate in candidates:
            held = pool.setdefault(candidate.id, candidate)
            if held.bm25 is None and candidate.bm25 is not None:
                pool[candidate.id] = candidate
    return list(pool.values())


def _judged(
    item: KnowledgeItem, wanted: ItemFilter, similarity: float, policy: RankingPolicy
) -> tuple[Miss | None, Rule]:
    """What keeps an item out, and else the rule that lets it through; a strong match brings an archived one back."""
    miss = barred(item, wanted)
    if miss is Miss.ARCHIVED and similarity >= policy.recover_at_least:
        return None, Rule.ARCHIVE
    if wanted.true_at is not None:
        return miss, Rule.TRUE_AT
    if wanted.as_of is not None:
        return miss, Rule.AS_OF
    return miss, Rule.CURRENT if item.is_current(wanted.now) else Rule.HISTORY


def _within(which: AnyFilter, period: Period) -> AnyFilter:
    """The filter narrowed to a time."""
    since = period.start if which.since is None else max(which.since, period.start)
    until = period.end if which.until is None else min(which.until, period.end)
    return replace(which, since=since, until=until)
