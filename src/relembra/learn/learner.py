"""Learning: what a reader proposed meets what is held, plain rules decide, and one transaction carries it all out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count

from relembra.domain.audit import Actor, ActorKind
from relembra.domain.candidate import Candidate, Comparison, Digest, Talk
from relembra.domain.case import Case, Outcome, questioned, superseded
from relembra.domain.jobs import AT_ONCE, begin_job, index_job
from relembra.domain.knowledge import KnowledgeItem, Source, is_single
from relembra.domain.message import Message, Role
from relembra.domain.policy import Policy
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text
from relembra.domain.time import Clock, read_as_of
from relembra.errors import MindError
from relembra.learn.casework import Casework
from relembra.learn.decisions import Clash, Decision, Keep, Repeat, decide, fields_touched, is_partner, said_before
from relembra.learn.drafts import LONGEST_STATEMENT, by_topic, item_of, said_as, told_whole
from relembra.learn.endings import Turn, by_successor, clashes, in_own_words, is_alone, may_end, meaning
from relembra.learn.keeper import deciding
from relembra.learn.trail import Change
from relembra.learn.values import same, words_in
from relembra.minds.port import Embedder, Reader, Vector
from relembra.store import port

MOST_VALUES = 1_000
PAGE = 100
FIRST_PAGE = 12  # what was learnt a moment ago stands first, and mostly that is all there is to see
LOOKED_THROUGH = 3  # pages of what changed last, one after another
LOOKED_AT = 4  # times as many of the nearest as are judged, for not all of them are held
NEAR = 0.05  # cosine under which hardly anything is ended that a message does not name
OFFLINE = "offline"
LEARN = "learn"
"""The verb of what the next night accounts for; what somebody adds is theirs, and no night's to take back."""

log = logging.getLogger(__name__)

Field = tuple[str, str]
"""A subject and an attribute."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An item that may be learnt, and what the words it is from say besides."""

    item: KnowledgeItem
    changed: bool = False  # that something is different now
    said_at: datetime | None = None
    ends: Collection[str] = ()  # the held items that are over by it
    vector: Vector | None = None


@dataclass(slots=True)
class Learnt:
    """What came of one stretch of talk."""

    added: list[KnowledgeItem] = field(default_factory=list)
    repeated: list[KnowledgeItem] = field(default_factory=list)
    ended: list[KnowledgeItem] = field(default_factory=list)
    opened: list[Case] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    unread: int = 0  # messages that took too long to read
    noted: list[KnowledgeItem] = field(default_factory=list)  # what the messages of a note taught before it was written
    counted: list[KnowledgeItem] = field(default_factory=list)  # and what they said again
    waiting: int = 0  # pieces of work that could not be done yet
    why: str | None = None  # what the last of them said


@dataclass(slots=True)
class _Held:
    """What is held that proposals may meet, kept up to date as decisions fall; and what came of them so far."""

    proposals: Sequence[Proposal]
    taught: Sequence[KnowledgeItem]  # what these messages taught before, whatever came of it
    rows: dict[str, KnowledgeItem] = field(default_factory=dict)
    stored: dict[str, KnowledgeItem] = field(default_factory=dict)  # as the store has them
    fields: dict[Field, frozenset[str]] = field(default_factory=dict)
    near: dict[str, list[str]] = field(default_factory=dict)  # new item → held ones nearest in meaning
    akin: dict[str, dict[str, float]] = field(default_factory=dict)  # new item → held ones it may belong to
    compared: dict[str, dict[str, Comparison]] = field(default_factory=dict)  # new item → held one → how they compare
    learnt: Learnt = field(default_factory=Learnt)
    ops: list[port.Op] = field(default_factory=list)
    cases: list[port.Op] = field(default_factory=list)  # which name items, so they come after all of them

    def add(self, rows: Iterable[KnowledgeItem]) -> None:
        for row in rows:
            self.rows.setdefault(row.id, row)
            self.stored.setdefault(row.id, row)

    def touched_by(self, items: Iterable[KnowledgeItem]) -> list[KnowledgeItem]:
        """What is held of the fields these items are about."""
        fields = {(item.subject, attribute) for item in items for attribute in fields_touched(item.attribute)}
        return [row for row in self.rows.values() if (row.subject, row.attribute) in fields]

    def facing(self, new: Proposal) -> list[KnowledgeItem]:
        """Those a new item has to be looked at against: of the fields it touches, the nearest, the newly learnt."""
        chosen = {*self.near.get(new.item.id, ()), *new.ends, *(row.id for row in self.touched_by([new.item]))}
        return [
            row
            for row in self.rows.values()
            if row.id in chosen or (row.id not in self.stored and row.subject == new.item.subject)
        ]

    def keep(self, change: Change, item: KnowledgeItem, found: Sequence[Clash]) -> None:
        change.put(item, None, why="; ".join(dict.fromkeys(clash.why for clash in found)) or None)
        self.rows[item.id] = item
        self.learnt.added.append(item)

    def end(
        self,
        change: Change,
        item: KnowledgeItem,
        found: Sequence[Clash],
        *,
        said_at: datetime | None = None,
        in_doubt: bool = False,
    ) -> None:
        """End what the item replaces, as of when it was last said, and leave a case for every clash; `in_doubt`: what
        its words may have ended is marked."""
        winner = replace(item, held_from=item.reinforced_at or item.held_from)
        for clash in found:
            if clash.ended is None and in_doubt and not clash.old.needs_resolution:
                doubted = questioned(clash.old, change.at)
                change.put(doubted, clash.old, verb="doubt", why=clash.why)
                self.rows[doubted.id] = doubted
            if clash.ended:
                ended = superseded(clash.old, winner, change.at)
                change.put(ended, clash.old, verb="supersede", why=clash.why)
                self.rows[ended.id] = ended
                self.learnt.ended.append(ended)
            outcome = {True: Outcome.NEW, False: Outcome.OLD, None: Outcome.OPEN}[clash.ended]
            case = change.case(
                item, clash.old, clash.why, outcome, judged_by=clash.judged_by, certainty=clash.certainty,
                said_at=said_at,
            )  # fmt: skip
            self.cases.append(port.Put(case, None))
            if outcome is Outcome.OPEN:
                self.learnt.opened.append(case)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Takes proposals and leaves knowledge, cases and their records. It never overrules the person."""

    store: port.Store
    reader: Reader
    offline: Reader
    reads_outside: bool  # the reader is told nothing that is marked local-only
    embedder: Embedder
    casework: Casework
    policy: Policy
    clock: Clock
    new_id: Callable[[], str]
    told: Callable[[Scope, Learnt], None]
    topics: Callable[[str, str | None], Sequence[str]]  # that a text in a language tells of
    language: str  # where no words decide it

    def by_topic(self, item: KnowledgeItem) -> KnowledgeItem:
        """The item with its topics as tags, and what they tell of its area."""
        return by_topic(item, self.topics(item.content, item.language), self.language)

    async def said_in(self, item: KnowledgeItem) -> Candidate | None:
        """What the words of an item say as a whole, by the offline reader; None where it cannot tell."""
        if len(item.content) > LONGEST_STATEMENT:
            return None
        talk = said_as(item, language=self.language)
        try:
            return told_whole(talk, (await self.offline.digest(talk)).candidates)
        except MindError as exc:
            log.warning("something added is kept unread: %s", type(exc).__name__)
            return None

    async def learn(
        self,
        scope: Scope,
        messages: Sequence[Message],
        candidates: Sequence[Candidate],
        *,
        note_id: str | None,
        reader: str | None = None,
        unread: int = 0,
        judge: Reader | None = None,
        read: Collection[str] = (),
        talk: Talk | None = None,
        turning: Collection[str] = (),
        finish: Sequence[port.Op] = (),
    ) -> Learnt:
        """Decide about every candidate and store the outcome, all or none, together with `finish`.

        `reader`: the name of whoever proposed them, for the record; `judge`: who compares them with what is held. What
        messages taught before is not learnt from them again, and is named to be from the note as well. `read`: messages
        whose answers to questions were taken before. `unread`: how many took too long to read. `turning`: messages of
        the `talk` that may end something held.
        """
        proposals = await self._proposed(scope, messages, candidates, note_id)
        unheard = [message for message in messages if message.id not in read]
        answers, short = await self.casework.answered(scope, unheard, [one.item for one in proposals])
        learnt = await self.take(
            scope, [one for one in proposals if one.item.id not in short], actor=_actor(reader), finish=finish,
            judge=judge, messages=messages, note_id=note_id, talk=talk,
            turning=[id for id in turning if id not in answers],
        )  # fmt: skip
        learnt.unread = unread
        await self.casework.clear(scope, [item.id for item in learnt.ended])
        turned = (one for one in learnt.decisions if isinstance(one, Repeat) and one.item.held_from > one.old.held_from)
        await self.casework.only_planned(scope, [one.item.id for one in turned])
        self.told(scope, learnt)
        return learnt

    async def previewed(self, scope: Scope, talk: Talk, digest: Digest) -> list[Decision]:
        """What learning would decide, without storing anything."""
        proposals = await self._proposed(scope, talk.messages, digest.candidates, None)
        learnt = await self.take(
            scope, proposals, actor=_actor(self.reader.name), talk=talk, turning=digest.turning, dry_run=True
        )
        return learnt.decisions

    async def _proposed(
        self, scope: Scope, messages: Sequence[Message], candidates: Sequence[Candidate], note_id: str | None
    ) -> list[Proposal]:
        """The items proposed, with their vectors where the embedder can answer."""
        said, now, confidence = {message.id: message for message in messages}, self.clock(), self.policy.confidence
        found: list[Proposal] = []
        for one in candidates:
            if (message := said.get(one.message_id)) is not None:
                id = self.new_id()
                item = item_of(one, message, id=id, scope=scope, note_id=note_id, policy=confidence, now=now)
                found.append(Proposal(self.by_topic(item), one.changed, message.sent_at, one.ends))
        try:
            vectors = await self.embedder.embed([item_text(one.item) for one in found]) if found else []
        except MindError as exc:
            log.warning("learning by words alone, for the embedder cannot answer: %s", type(exc).__name__)
            return found
        return [replace(one, vector=vector) for one, vector in zip(found, vectors, strict=True)]

    async def take(
        self,
        scope: Scope,
        proposals: Sequence[Proposal],
        *,
        actor: Actor,
        finish: Sequence[port.Op] = (),
        judge: Reader | None = None,
        messages: Sequence[Message] = (),
        note_id: str | None = None,
        talk: Talk | None = None,
        turning: Collection[str] = (),
        verb: str = LEARN,
        dry_run: bool = False,
    ) -> Learnt:
        """The same for items made already; `messages`: those they were made of.

        `verb`: what is recorded to have been done; `dry_run`: nothing is stored.
        """
        by = judge or self.reader
        used: list[port.Op] = []  # what the model was asked, also for a decision that has to be taken again

        async def decided() -> Learnt:
            held, now = await self._held(scope, proposals, by, await self.taught(scope, messages)), self.clock()
            turns: list[Turn] = []
            for place, message in enumerate(() if talk is None else talk.messages):
                if talk is not None and message.id in turning and message.role is Role.USER and message.scope == scope:
                    rows = await self._meant(scope, message, talk, {one.id for one in talk.messages[:place]}, held)
                    teller = self.offline if self.reads_outside else by  # who reads elsewhere is told nothing held
                    effects = await teller.effects(talk, message, [row.content for row in rows]) if rows else []
                    done = {row.id: effect for row, effect in zip(rows, effects, strict=True)}
                    turns.append(Turn(message, done, teller.name, talk.language))
            met = list({id for turn in turns for id in turn.effects})
            held.add(await self.store.get(scope, KnowledgeItem, met) if met else ())
            learnt, judged = held.learnt, {turn.message.id: turn.effects for turn in turns}
            for one in proposals:
                facing = held.facing(one)
                as_of = await self._as_of(scope, one.said_at, facing, now)
                decision = decide(
                    one.item,
                    facing,
                    changed=one.changed,
                    said_at=one.said_at,
                    compared=held.compared.get(one.item.id, {}),
                    taught=[held.rows.get(row.id, row) for row in held.taught],
                    ends=dict.fromkeys(one.ends, actor.name),
                    judged=judged.get(one.item.message_ids[0], {}) if one.item.message_ids else {},
                    judged_by=by.name,
                    policy=self.policy.learn,
                    now=now,
                    as_of=as_of,
                )
                if isinstance(decision, Keep):
                    decision = replace(decision, item=self._related(one, decision, held))
                learnt.decisions.append(decision)
                item, change = decision.item, Change(scope, new_id=self.new_id, verb=verb, actor=actor, at=now)
                if isinstance(decision, Keep):
                    held.keep(change, item, decision.clashes)
                elif item is not decision.old:
                    change.put(item, decision.old, verb="reinforce")
                    held.rows[item.id] = item
                    learnt.repeated.append(item)
                held.end(change, item, decision.clashes, said_at=one.said_at)
                held.ops += [*change.ops, *([port.Account(due=change.id)] if change.ops and verb == LEARN else [])]
                is_new = isinstance(decision, Keep) or not decision.old.is_planned(as_of)
                if is_new and is_single(item.attribute) and item.is_planned(as_of):
                    held.ops.append(port.Enqueue(begin_job(item, id=self.new_id(), now=now)))
            for turn in turns:
                self._turn(scope, turn, held, actor, note_id)
            if dry_run:
                return learnt
            used.extend(port.CountUse.of(spent, self.clock()) for spent in self.reader.spent())
            ops = [*held.ops, *held.cases]
            if note_id is not None:
                unnamed = tuple(row.id for row in held.taught if row.note_id is None)
                ops += [port.NameNote(unnamed, note_id)] if unnamed else []
                said = {message.id for message in messages}
                for row in held.taught:
                    is_new = row.message_ids[0] in said and row.source in (Source.CONVERSATION, Source.AI_INFERENCE)
                    (learnt.noted if is_new else learnt.counted).append(replace(row, note_id=row.note_id or note_id))
            vector_of = {(one.item.id, one.item.content): one.vector for one in proposals}
            late: list[str] = []
            for item in learnt.added:
                if (vector := vector_of.get((item.id, item.content))) is not None:
                    ops.append(port.PutVectors(port.Kind.ITEM, item.id, self.embedder.name, (vector,)))
                else:
                    late.append(item.id)
            if late:
                ops.append(port.Enqueue(index_job(scope, port.Kind.ITEM, late, id=self.new_id(), now=self.clock())))
            if ops or finish or used:
                expected = [port.Expect(held=(*field, ids)) for field, ids in held.fields.items()]
                await self.store.apply(scope, [*expected, *ops, *used, *finish])
            return learnt

        return await deciding(decided)

    def _related(self, one: Proposal, decision: Keep, held: _Held) -> KnowledgeItem:
        """What is kept, naming what it belongs to: of what is held and what is learnt with it, the nearest."""
        item, rules = decision.item, self.policy.insight
        if item.related or one.vector is None:
            return item
        akin, kept = dict(held.akin.get(item.id, {})), {row.id for row in held.learnt.added}
        for other in held.proposals:
            if other.item.id in kept and other.vector is not None and _heard_alike(other.item, item):
                akin[other.item.id] = _cosine(other.vector, one.vector)
        over = {clash.old.id for clash in decision.clashes}
        near = sorted((-score, id) for id, score in akin.items() if score >= rules.near_at_least and id not in over)
        return replace(item, related=tuple(id for _, id in near[: rules.most_related]))

    async def taught(self, scope: Scope, messages: Sequence[Message]) -> list[KnowledgeItem]:
        """Whatever was learnt from these messages before, or counted as said again; also what ended or was deleted."""
        ids, since = {message.id for message in messages}, min((row.saved_at for row in messages), default=None)
        wanted = port.ItemFilter(now=AT_ONCE, history=True, archived=True, deleted=True, order=port.ItemOrder.CHANGED)
        found: list[KnowledgeItem] = []
        after: port.Cursor | None = None
        for number in count():
            if since is None:
                break
            if number == LOOKED_THROUGH:  # an import teaches much at one time: the store finds the few among it
                wanted = replace(wanted, message_ids=tuple(ids))
            page = await self.store.page(scope, wanted, after=after, limit=PAGE if number else FIRST_PAGE)
            found += [row for row in page.rows if not ids.isdisjoint(row.message_ids)]
            after = page.next
            if after is None or after.at < since:
                break
        return found

    async def _held(
        self, scope: Scope, proposals: Sequence[Proposal], judge: Reader, taught: Sequence[KnowledgeItem]
    ) -> _Held:
        """Read what the new items may meet, and let a mind compare those that only lie near.

        `taught`: what their messages taught before; whoever says that again is compared with nothing.
        """
        held, policy, now = _Held(proposals, taught), self.policy.learn, self.clock()
        moments = {one.item.id: read_as_of(one.said_at, now) for one in proposals}
        over = list(dict.fromkeys(id for one in proposals for id in one.ends))
        held.add(await self.store.get(scope, KnowledgeItem, over) if over else ())
        for one in proposals:
            for attribute in fields_touched(one.item.attribute):
                key = (one.item.subject, attribute)
                if key not in held.fields:
                    wanted = port.ItemFilter(now=AT_ONCE, subject=one.item.subject, attribute=attribute)
                    page = await self.store.page(scope, wanted, limit=MOST_VALUES)
                    held.fields[key] = frozenset(row.id for row in page.rows)
                    held.add(page.rows)
        looked = [
            (one.item, one.vector)
            for one in proposals
            if one.vector is not None and said_before(one.item, taught, {}, policy) is None
        ]
        if not looked:
            return held
        # one look for all; among the nearest four times as many as are compared, those that are held are taken
        name, limit = self.embedder.name, 4 * policy.compared
        found = await self.store.nearest(
            scope, port.Kind.ITEM, name, [vector for _, vector in looked], limit=limit, at_least=policy.near_at_least
        )
        unread = list(dict.fromkeys(id for near in found for id, _ in near if id not in held.stored))
        rows = {row.id: row for row in await self.store.get(scope, KnowledgeItem, unread)} if unread else {}
        rows |= held.stored
        pairs: list[tuple[KnowledgeItem, KnowledgeItem]] = []
        for (item, _), near in zip(looked, found, strict=True):
            mine = [rows[id] for id, _ in near if id in rows and rows[id].is_current(moments[item.id])]
            alike = {row.id for row in mine if _heard_alike(row, item)}
            held.akin[item.id] = {id: score for id, score in near if id in alike}
            # of a field of which nothing is held yet, the same may be known in words nobody gave an attribute
            if is_single(item.attribute) and held.fields.get((item.subject, item.attribute or "")):
                continue
            mine = [row for row in mine if row.subject == item.subject][: policy.compared]
            fit = [row for row in mine if row.attribute in (None, item.attribute) or item.attribute is None]
            held.add(fit)
            held.near[item.id] = [row.id for row in fit]
            if not is_single(item.attribute):
                pairs += [(item, row) for row in fit if not same(item.attribute, row.value, item.value)]
        away = (await self.store.withheld(scope)).items if pairs and self.reads_outside else frozenset()
        for reader, some in (
            (judge, [pair for pair in pairs if pair[1].id not in away]),
            (self.offline, [pair for pair in pairs if pair[1].id in away]),
        ):
            compared = await reader.compare([(old.content, new.content) for new, old in some]) if some else []
            for (new, old), comparison in zip(some, compared, strict=True):
                held.compared.setdefault(new.id, {})[old.id] = comparison
        return held

    async def _meant(
        self, scope: Scope, message: Message, talk: Talk, before: Set[str], held: _Held
    ) -> list[KnowledgeItem]:
        """The few items a message may mean: of whom and what it speaks first, up to half of them, then the nearest.

        `before`: the messages said before it. What it was weighed against earlier is left out: read again, it has no
        effect.
        """
        now, most = read_as_of(message.sent_at, self.clock()), self.policy.learn.judged
        said = set(words_in(message.text))
        near = await self._near(scope, message, talk, before, held)
        new = [one.item for one in held.proposals if message.id in one.item.message_ids]
        taught = [row for row in held.taught if message.id in row.message_ids]
        spoken_of = held.touched_by(new)
        touched = {row.id for row in spoken_of}
        called = await self.store.acquaintances(scope)
        named = {who for who, name in called if set(words_in(name)) <= said or set(words_in(who)) <= said}
        for subject in sorted(named)[:most]:  # people and pets
            spoken_of += (await self.store.page(scope, port.ItemFilter(now=now, subject=subject), limit=most)).rows
        if any(map(is_alone, new)):
            wanted = port.ItemFilter(now=now, attribute="relation")
            spoken_of += filter(is_partner, (await self.store.page(scope, wanted, limit=MOST_VALUES)).rows)
        rows = {row.id: row for row in (*near, *spoken_of)}
        weighed = port.CaseFilter(items=[row.id for row in taught])
        met = {case.old_id for case in (await self.store.page(scope, weighed, limit=MOST_VALUES)).rows}
        every = {**held.rows, **rows}.values()
        fit = [
            row
            for row in rows.values()
            if row.id not in met
            and may_end(row, message, now)
            and (row.id in touched or meaning(row, [*new, *taught], message, every) is not None)
        ]
        # those that held when the message was sent, or were told before it and begin to hold later
        late = await self._told_after(scope, message.sent_at, fit)
        fit = [row for row in fit if row not in late]
        about = {row.id for row in spoken_of}
        first = [row for row in fit if row.id in about][: most // 2]
        return [*first, *(row for row in fit if row not in first)][:most]

    async def _told_after(self, scope: Scope, moment: datetime, rows: Iterable[KnowledgeItem]) -> list[KnowledgeItem]:
        """Those that begin to hold after a moment and were told after it too, so that they were no plan then."""
        later = [row for row in rows if row.held_from > moment]
        sources = [id for row in later for id in row.message_ids[:1]]
        told_at = {one.id: one.sent_at for one in await self.store.get(scope, Message, sources)} if sources else {}
        return [row for row in later if told_at.get("".join(row.message_ids[:1]), row.created_at) > moment]

    async def _as_of(
        self, scope: Scope, said_at: datetime | None, facing: Sequence[KnowledgeItem], now: datetime
    ) -> datetime:
        """The moment by which a proposal meets what is held: that of its words, unless something was told since."""
        moment = read_as_of(said_at, now)
        return now if moment != now and await self._told_after(scope, moment, facing) else moment

    async def _near(
        self, scope: Scope, message: Message, talk: Talk, before: Set[str], held: _Held
    ) -> list[KnowledgeItem]:
        """Held items, and what is just being learnt from earlier messages, by how near they are to the words."""
        limit, name = LOOKED_AT * self.policy.learn.judged, self.embedder.name
        vector = talk.vectors.get(message.text) if talk.embedded_by == name else None
        try:
            vector = (await self.embedder.embed([message.text]))[0] if vector is None else vector
        except MindError as exc:
            log.warning("what a message ends is looked for without its vector: %s", type(exc).__name__)
            return []
        [found] = await self.store.nearest(scope, port.Kind.ITEM, name, [vector], limit=limit, at_least=NEAR)
        scores = dict(found)
        rows = {row.id: row for row in await self.store.get(scope, KnowledgeItem, list(scores))}
        for one in held.proposals:
            if one.vector is not None and before >= set(one.item.message_ids):
                rows[one.item.id], scores[one.item.id] = one.item, _cosine(one.vector, vector)
        return sorted(rows.values(), key=lambda row: (-scores[row.id], row.id))

    def _turn(self, scope: Scope, turn: Turn, held: _Held, actor: Actor, note_id: str | None) -> None:
        """End what a message surely ends and no rule did, by what it taught or by its own words; doubt the rest."""
        now, learnt, id = self.clock(), held.learnt, turn.message.id
        kept = (one for one in learnt.decisions if isinstance(one, Keep) and id in one.item.message_ids)
        met = {clash.old.id for one in kept for clash in one.clashes}  # what rules decided about already
        met |= {row.id for row in learnt.repeated if row.place != turn.message.place}  # which names no sources then
        as_of = read_as_of(turn.message.sent_at, now)
        found = clashes(turn, held.rows, policy=self.policy.learn, now=as_of)
        found = [clash for clash in found if clash.old.id not in met]
        rows = ({row.id: row for row in held.taught} | held.rows).values()
        taught = [row for row in rows if id in row.message_ids and row.is_current(as_of)]
        change = Change(scope, new_id=self.new_id, verb=LEARN, actor=actor, at=now)
        for item, some in by_successor(found, taught, turn.message):
            if item is None:
                item = in_own_words(turn, some, id=self.new_id(), scope=scope, note_id=note_id, now=now)
                held.keep(change, item, some)
            held.end(change, item, some, said_at=turn.message.sent_at, in_doubt=True)
            before = next((one for one in learnt.decisions if isinstance(one, Keep) and one.item.id == item.id), None)
            if before is not None:
                learnt.decisions.remove(before)
            learnt.decisions.append(Keep(item, (*(() if before is None else before.clashes), *some)))
        held.ops += [*change.ops, *([port.Account(due=change.id)] if change.ops else [])]


def _cosine(one: Vector, other: Vector) -> float:
    pairs = zip(memoryview(one).cast("f"), memoryview(other).cast("f"), strict=True)
    return sum(a * b for a, b in pairs)


def _heard_alike(one: KnowledgeItem, other: KnowledgeItem) -> bool:
    """Whether whoever may hear of one may hear of the other, so that it may be named there."""
    return one.place.space == other.place.space


def _actor(reader: str | None) -> Actor:
    """Who is recorded as having learnt something: the rules shipped here, or the model that proposed it."""
    name = reader or OFFLINE
    return Actor(ActorKind.PROGRAM if name.startswith(OFFLINE) else ActorKind.MODEL, name)
