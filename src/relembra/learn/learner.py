"""Learning: what a reader proposed meets what is held, plain rules decide, and one transaction carries it all out."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from relembra.domain.audit import Actor, ActorKind
from relembra.domain.candidate import Candidate, Comparison, Digest, Talk
from relembra.domain.case import Case, Outcome, questioned, superseded
from relembra.domain.jobs import AT_ONCE, begin_job, index_job
from relembra.domain.knowledge import KnowledgeItem, Source, is_single
from relembra.domain.message import Message, Role
from relembra.domain.policy import Policy
from relembra.domain.scope import Place, Scope, may_hear
from relembra.domain.searchable import item_text
from relembra.domain.text import fold
from relembra.domain.time import Clock
from relembra.errors import MindError
from relembra.learn import WORDS, pattern
from relembra.learn.casework import Casework, is_lasting
from relembra.learn.decisions import Clash, Decision, Keep, Repeat, decide, fields_touched, said_before
from relembra.learn.drafts import item_of
from relembra.learn.endings import Endings, Learning, Turn, by_successor, clashes, in_own_words
from relembra.learn.keeper import deciding, filed
from relembra.learn.trail import Change
from relembra.learn.values import same
from relembra.minds.port import Embedder, Reader, Vector
from relembra.store import port

LONGEST_ANSWER = 160

Answers = list[tuple[Outcome, re.Pattern[str]]]


def _answers(kind: str) -> Answers:
    """The words that mean each outcome."""
    alone: str = WORDS["answers"]["alone"]
    rows: dict[str, list[str]] = WORDS["answers"][kind]
    return [(Outcome(name), re.compile("|".join(told).replace("{alone}", alone))) for name, told in rows.items()]


_PLAIN, _BARE = _answers("plain"), _answers("bare")
_WHICH = [*_BARE[:2], *_answers("which")]


def answer(text: str, *, asked: bool, which: tuple[str | None, str | None] | None = None) -> Outcome | None:
    """Which outcome a message gives the case that is open; None when it is no answer to it.

    `asked`: the words before it put the question, so that a bare yes or no is meant for it. `which`: it asked which of
    these is right, to which yes and no are no answers, but one of them is.
    """
    if len(text) > LONGEST_ANSWER or text.rstrip().endswith("?"):
        return None
    folded = " ".join(fold(text).replace("’", "'").strip(" .,!…").split())
    if asked and which is not None and (named := _named(folded, which)) is not None:
        return named
    bare = _BARE if which is None else _WHICH
    every = [*_PLAIN, *(bare if asked else ())]
    return next((outcome for outcome, words in every if words.search(folded)), None)


_BEGINS, _DENIES, _ORDINAL = pattern("answer_begins"), pattern("answer_denies"), pattern("ordinal")
_PUT = pattern("question_put")


def _named(folded: str, values: tuple[str | None, str | None]) -> Outcome | None:
    """The only side a short answer names, by a word the other one has not, unless to deny it."""
    words = _BEGINS.sub("", folded)
    if _DENIES.search(words):
        return None
    whole = [side for side, value in zip((Outcome.OLD, Outcome.NEW), values, strict=True) if same(None, words, value)]
    if len(whole) == 1:  # "A negative" for A-
        return whole[0]
    old, new = (_telling(value or "") for value in values)
    said = _telling(words)
    named = [side for side, own in ((Outcome.OLD, old - new), (Outcome.NEW, new - old)) if own & said]
    return named[0] if len(named) == 1 else None


def _telling(text: str) -> set[str]:
    """The words and numbers of a text, "3rd" as 3; not a letter alone, which may be an article."""
    words = re.findall(r"\w+[+-]?", _ORDINAL.sub("", fold(text)))
    return {word for word in words if len(word) > 1 or word.isdigit()}


def puts_the_question(text: str, values: tuple[str | None, ...]) -> bool:
    """Whether the assistant's words ask about a case: as we word it, or by naming what it is about and asking."""
    folded = fold(text)
    if "?" not in text:
        return False
    return bool(_PUT.search(folded)) or any(value and fold(value) in folded for value in values)


MOST_VALUES = 1_000
PAGE = 100
OFFLINE = "offline"
LEARN = "learn"
"""The verb of what the next night accounts for; what somebody adds is theirs, and no night's to take back."""

log = logging.getLogger(__name__)

Field = tuple[str, str]
"""A subject and an attribute."""


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

    def met(self, item: KnowledgeItem, clashes: Sequence[Clash]) -> None:
        """Tell of what an item ended or put in doubt besides what was decided when it was kept."""
        before = next((one for one in self.decisions if isinstance(one, Keep) and one.item.id == item.id), None)
        if before is not None:
            self.decisions.remove(before)
        earlier = () if before is None else before.clashes
        self.decisions.append(Keep(item, (*earlier, *clashes)))


@dataclass(slots=True)
class _Held:
    """What is held that new items may meet: rows by id, kept up to date as decisions fall, and what was expected."""

    rows: dict[str, KnowledgeItem] = field(default_factory=dict)
    stored: dict[str, KnowledgeItem] = field(default_factory=dict)  # as the store has them
    fields: dict[Field, frozenset[str]] = field(default_factory=dict)
    near: dict[str, list[str]] = field(default_factory=dict)  # new item → held ones nearest in meaning
    compared: dict[tuple[str, str], Comparison] = field(default_factory=dict)  # (new, held)
    taught: list[KnowledgeItem] = field(default_factory=list)  # what these messages taught before, whatever came of it
    ends: Mapping[str, Collection[str]] = field(default_factory=dict)  # new item → held ones said to be over by it

    def add(self, rows: Iterable[KnowledgeItem]) -> None:
        for row in rows:
            self.rows.setdefault(row.id, row)
            self.stored.setdefault(row.id, row)

    def facing(self, item: KnowledgeItem) -> list[KnowledgeItem]:
        """Those a new item has to be looked at against: of the fields it touches, the nearest, the newly learnt."""
        touched = {(item.subject, attribute) for attribute in fields_touched(item.attribute)}
        near = {*self.near.get(item.id, ()), *self.ends.get(item.id, ())}
        return [
            row
            for row in self.rows.values()
            if (row.subject, row.attribute) in touched
            or row.id in near
            or (row.id not in self.stored and row.subject == item.subject)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Takes proposals and leaves knowledge, cases and their records. It never overrules the person."""

    store: port.Store
    reader: Reader
    offline: Reader
    reads_outside: bool  # the reader is told nothing that is marked local-only
    embedder: Embedder
    casework: Casework
    endings: Endings
    policy: Policy
    clock: Clock
    new_id: Callable[[], str]
    told: Callable[[Scope, Learnt], None]

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
        said = {message.id: message for message in messages}
        items, changed, ends = self._items(scope, said, candidates, note_id)
        unheard = [message for message in messages if message.id not in read]
        answers, short = await self._answered(scope, unheard, items)
        items = [item for item in items if item.id not in short]
        turning = [id for id in turning if id not in answers]
        said_at = {item.id: said[item.message_ids[0]].sent_at for item in items}
        learnt = await self.take(
            scope, items, changed=changed, said_at=said_at, ends=ends, actor=_actor(reader), finish=finish,
            judge=judge, messages=messages, note_id=note_id, talk=talk, turning=turning,
        )  # fmt: skip
        learnt.unread = unread
        await self.casework.clear(scope, [item.id for item in learnt.ended])
        turned = (one for one in learnt.decisions if isinstance(one, Repeat) and one.item.held_from > one.old.held_from)
        await self.casework.only_planned(scope, [one.item.id for one in turned])
        self.told(scope, learnt)
        return learnt

    async def take(
        self,
        scope: Scope,
        items: Sequence[KnowledgeItem],
        *,
        changed: Mapping[str, bool],
        said_at: Mapping[str, datetime],
        ends: Mapping[str, Collection[str]] = {},
        actor: Actor,
        finish: Sequence[port.Op] = (),
        judge: Reader | None = None,
        messages: Sequence[Message] = (),
        note_id: str | None = None,
        talk: Talk | None = None,
        turning: Collection[str] = (),
        vectors: Sequence[Vector | None] | None = None,
        verb: str = LEARN,
        dry_run: bool = False,
    ) -> Learnt:
        """The same for items made already; `messages`: those they were made of; `ends`: what each is said to end.

        `vectors`: theirs, where they are made already; `verb`: what is recorded to have been done; `dry_run`: nothing
        is stored.
        """
        if vectors is None:
            try:
                vectors = await self.embedder.embed([item_text(item) for item in items]) if items else []
            except MindError as exc:
                log.warning("learning by words alone, for the embedder cannot answer: %s", type(exc).__name__)
                vectors = [None] * len(items)
        made, by = list(zip(items, vectors, strict=True)), judge or self.reader
        used: list[port.Op] = []  # what the model was asked, also for a decision that has to be taken again

        async def decided() -> Learnt:
            held = await self._held(scope, made, by, await self.taught(scope, messages), ends)
            turns: list[Turn] = []
            if talk is not None and turning:  # one who reads elsewhere is told nothing of what is held
                learning = Learning(items, [vector for _, vector in made], held.rows, held.taught)
                teller = self.offline if self.reads_outside else by
                turns = await self.endings.judged(scope, talk, turning, learning, teller)
                met = list({id for turn in turns for id in turn.effects})
                held.add(await self.store.get(scope, KnowledgeItem, met))
            learnt, ops = self._decided(scope, items, changed, said_at, held, turns, actor, by.name, verb)
            for turn in turns:
                ops += self._turn(scope, turn, held, learnt, actor, note_id)
            if dry_run:
                return learnt
            used.extend(port.CountUse.of(spent, self.clock()) for spent in self.reader.spent())
            # cases name items, so they come after all of them
            ops.sort(key=lambda op: isinstance(op, port.Put) and isinstance(op.row, Case))
            if note_id is not None:
                unnamed = tuple(row.id for row in held.taught if row.note_id is None)
                ops += [port.NameNote(unnamed, note_id)] if unnamed else []
                said = {message.id for message in messages}
                for row in held.taught:
                    is_new = row.message_ids[0] in said and row.source in (Source.CONVERSATION, Source.AI_INFERENCE)
                    (learnt.noted if is_new else learnt.counted).append(replace(row, note_id=row.note_id or note_id))
            vector_of = {(item.id, item.content): vector for item, vector in made}
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

    async def previewed(self, scope: Scope, talk: Talk, digest: Digest) -> list[Decision]:
        """What learning would decide, without storing anything."""
        said = {message.id: message for message in talk.messages}
        items, changed, ends = self._items(scope, said, digest.candidates, None)
        said_at = {item.id: said[item.message_ids[0]].sent_at for item in items}
        learnt = await self.take(
            scope, items, changed=changed, said_at=said_at, ends=ends, actor=_actor(self.reader.name), talk=talk,
            turning=digest.turning, dry_run=True,
        )  # fmt: skip
        return learnt.decisions

    def _items(
        self, scope: Scope, said: Mapping[str, Message], candidates: Sequence[Candidate], note_id: str | None
    ) -> tuple[list[KnowledgeItem], dict[str, bool], dict[str, Collection[str]]]:
        """The items proposed, whether each says that something changed, and which held ones each is said to end."""
        items: list[KnowledgeItem] = []
        changed: dict[str, bool] = {}
        ends: dict[str, Collection[str]] = {}
        now = self.clock()
        for candidate in candidates:
            message = said.get(candidate.message_id)
            if message is None:
                continue
            id = self.new_id()
            policy = self.policy.confidence
            item = item_of(candidate, message, id=id, scope=scope, note_id=note_id, policy=policy, now=now)
            items.append(item)
            changed[id] = candidate.changed
            ends[id] = candidate.ends
        return items, changed, ends

    async def _answered(
        self, scope: Scope, messages: Sequence[Message], items: Sequence[KnowledgeItem]
    ) -> tuple[set[str], set[str]]:
        """Settle the cases these messages answer: by saying a side again, or by a plain yes or no to the question.

        Told is which messages are such a yes or no, which ends nothing else, and which items only name the side that
        was chosen, as "the 3rd" does: they are that answer, and no news.
        """
        answers, short = set[str](), set[str]()
        page = await self.store.page(scope, port.CaseFilter(open_only=True), limit=50)
        asked = [(case.asked_at, case.id, case) for case in page.rows if case.asked_at is not None]
        spent: set[str] = set()  # one answer is for one question, the last put
        for asked_at, _, case in sorted(asked, key=lambda row: row[:2], reverse=True):
            conflict = await self.casework.case(scope, case.id)
            if not (conflict.old.is_current(self.clock()) and conflict.new.is_current(self.clock())):
                continue
            later = {
                message.id: message
                for message in messages
                if message.author == scope.user and message.sent_at >= asked_at and may_hear(case.place, message.place)
            }
            outcome = self._said_side(conflict.old, conflict.new, set(later), items)
            if outcome is None and later:
                values = (conflict.old.value, conflict.new.value)
                reply, asked_for = await self._reply(scope, case.place, asked_at, values)
                if reply is not None and reply in later and reply not in spent:
                    which = values if is_lasting(conflict.new.attribute) else None
                    outcome = answer(later[reply].text, asked=asked_for, which=which)
                    if outcome is not None or (asked_for and which is not None):
                        spent.add(reply)
                    if outcome is not None:
                        answers.add(reply)
                        mine = [item for item in items if reply in item.message_ids and _one_field(item, conflict.new)]
                        named = (item for item in mine if answer(item.value or "", asked=True, which=values) is outcome)
                        short.update(item.id for item in named)
            if outcome is not None:
                await self.casework.settle(scope, case.id, outcome, None)
        return answers, short

    async def _reply(
        self, scope: Scope, place: Place, asked_at: datetime, values: tuple[str | None, ...]
    ) -> tuple[str | None, bool]:
        """The message that may answer a question: the person's first after the assistant spoke; and whether it asked.

        A program loads a context, lets the assistant answer with it and then saves both, so the first words after
        the question was handed out are mostly those it was handed out for; where none follow, they are the answer.
        """
        soon = port.MessageFilter(since=asked_at, until=asked_at + self.policy.learn.answer_within)
        page = await self.store.page(scope, soon, limit=MOST_VALUES)
        said = [message for message in reversed(page.rows) if may_hear(place, message.place)]
        spoke = next((number for number, message in enumerate(said) if message.role is Role.ASSISTANT), -1)
        after = [*said[spoke + 1 :], *said[: spoke + 1]]
        reply = next((message.id for message in after if message.author == scope.user), None)
        return reply, spoke >= 0 and puts_the_question(said[spoke].text, values)

    def _said_side(
        self, old: KnowledgeItem, new: KnowledgeItem, messages: set[str], items: Sequence[KnowledgeItem]
    ) -> Outcome | None:
        for item in reversed(items):
            if messages.isdisjoint(item.message_ids) or item.attribute is None or item.speaker != new.speaker:
                continue
            for side, outcome in ((new, Outcome.NEW), (old, Outcome.OLD)):
                if _one_field(item, side) and same(item.attribute, item.value, side.value):
                    return outcome
        return None

    async def taught(self, scope: Scope, messages: Sequence[Message]) -> list[KnowledgeItem]:
        """Whatever was learnt from these messages before, or counted as said again; also what ended or was deleted."""
        ids, since = {message.id for message in messages}, min((row.saved_at for row in messages), default=None)
        wanted = port.ItemFilter(now=AT_ONCE, history=True, archived=True, deleted=True)
        found: list[KnowledgeItem] = []
        after: port.Cursor | None = None
        while since is not None:
            page = await self.store.page(scope, replace(wanted, order=port.ItemOrder.CHANGED), after=after, limit=PAGE)
            found += [row for row in page.rows if not ids.isdisjoint(row.message_ids)]
            after = page.next
            if after is None or after.at < since:
                break
        return found

    async def _held(
        self,
        scope: Scope,
        made: Sequence[tuple[KnowledgeItem, Vector | None]],
        judge: Reader,
        taught: Sequence[KnowledgeItem],
        ends: Mapping[str, Collection[str]],
    ) -> _Held:
        """Read what the new items may meet, and let a mind compare those that only lie near.

        `taught`: what their messages taught before; whoever says that again is compared with nothing.
        """
        held, policy, now = _Held(taught=list(taught), ends=ends), self.policy.learn, self.clock()
        over = list(dict.fromkeys(id for item, _ in made for id in ends.get(item.id, ())))
        held.add(await self.store.get(scope, KnowledgeItem, over) if over else ())
        for item, _ in made:
            for attribute in fields_touched(item.attribute):
                key = (item.subject, attribute)
                if key not in held.fields:
                    wanted = port.ItemFilter(now=AT_ONCE, subject=item.subject, attribute=attribute)
                    page = await self.store.page(scope, wanted, limit=MOST_VALUES)
                    held.fields[key] = frozenset(row.id for row in page.rows)
                    held.add(page.rows)
        looked: list[KnowledgeItem] = []
        sought: list[Vector] = []
        for item, vector in made:
            # of a field of which nothing is held yet, the same may be known in words nobody gave an attribute
            is_first = item.attribute is not None and not held.fields.get((item.subject, item.attribute))
            if (
                vector is not None
                and (is_first or not is_single(item.attribute))
                and said_before(item, taught, {}, policy) is None
            ):
                looked.append(item)
                sought.append(vector)
        if not looked:
            return held
        # one look for all; among the nearest four times as many as are compared, those that are held are taken
        name, limit = self.embedder.name, 4 * policy.compared
        found = await self.store.nearest(
            scope, port.Kind.ITEM, name, sought, limit=limit, at_least=policy.near_at_least
        )
        unread = list(dict.fromkeys(id for near in found for id, _ in near if id not in held.stored))
        rows = {row.id: row for row in await self.store.get(scope, KnowledgeItem, unread)} if unread else {}
        rows |= held.stored
        pairs: list[tuple[KnowledgeItem, KnowledgeItem]] = []
        for item, near in zip(looked, found, strict=True):
            mine = [rows[id] for id, _ in near if id in rows]
            mine = [row for row in mine if row.is_current(now) and row.subject == item.subject][: policy.compared]
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
                held.compared[new.id, old.id] = comparison
        return held

    def _decided(
        self,
        scope: Scope,
        items: Sequence[KnowledgeItem],
        changed: Mapping[str, bool],
        said_at: Mapping[str, datetime],
        held: _Held,
        turns: Iterable[Turn],
        actor: Actor,
        judged_by: str,
        verb: str,
    ) -> tuple[Learnt, list[port.Op]]:
        learnt, now = Learnt(), self.clock()
        judged = {turn.message.id: turn.effects for turn in turns}
        ops: list[port.Op] = []
        for item in items:
            compared = {old: comparison for (new, old), comparison in held.compared.items() if new == item.id}
            decision = decide(
                item,
                held.facing(item),
                changed=changed.get(item.id, False),
                said_at=said_at.get(item.id),
                compared=compared,
                taught=[held.rows.get(row.id, row) for row in held.taught],
                ends=dict.fromkeys(held.ends.get(item.id, ()), actor.name),
                judged=judged.get(item.message_ids[0], {}) if item.message_ids else {},
                judged_by=judged_by,
                policy=self.policy.learn,
                now=now,
            )
            learnt.decisions.append(decision)
            change = Change(scope, new_id=self.new_id, verb=verb, actor=actor, at=now)
            match decision:
                case Repeat(old, again, clashes):
                    if again is not old:
                        change.put(again, old, verb="reinforce")
                        held.rows[again.id] = again
                        learnt.repeated.append(again)
                    ops += self._end(change, again, clashes, held, learnt)
                case Keep(kept, clashes):
                    self._keep(change, kept, clashes, held, learnt)
                    ops += self._end(change, kept, clashes, held, learnt)
            ops += [*change.ops, *([port.Account(due=change.id)] if change.ops and verb == LEARN else [])]
        for decision in learnt.decisions:
            item = decision.item
            is_new = isinstance(decision, Keep) or not decision.old.is_planned(now)
            if is_new and is_single(item.attribute) and item.is_planned(now):
                ops.append(port.Enqueue(begin_job(item, id=self.new_id(), now=now)))
        return learnt, ops

    def _turn(
        self, scope: Scope, turn: Turn, held: _Held, learnt: Learnt, actor: Actor, note_id: str | None
    ) -> list[port.Op]:
        """End what a message surely ends and no rule did, by what it taught or by its own words; doubt the rest."""
        now = self.clock()
        kept = (one for one in learnt.decisions if isinstance(one, Keep) and turn.message.id in one.item.message_ids)
        met = {clash.old.id for one in kept for clash in one.clashes}  # what rules decided about already
        met |= {row.id for row in learnt.repeated if row.place != turn.message.place}  # which names no sources then
        found = [
            clash for clash in clashes(turn, held.rows, policy=self.policy.learn, now=now) if clash.old.id not in met
        ]
        rows = {row.id: row for row in held.taught} | held.rows
        taught = [row for row in rows.values() if turn.message.id in row.message_ids and row.is_current(now)]
        change = Change(scope, new_id=self.new_id, verb="learn", actor=actor, at=now)
        cases: list[port.Op] = []
        for item, some in by_successor(found, taught, turn.message):
            if item is None:
                item = in_own_words(turn, some, id=self.new_id(), scope=scope, note_id=note_id, now=now)
                self._keep(change, item, some, held, learnt)
            cases += self._end(change, item, some, held, learnt, in_doubt=True)
            learnt.met(item, some)
        return [*change.ops, *([port.Account(due=change.id)] if change.ops else []), *cases]

    def _keep(self, change: Change, item: KnowledgeItem, clashes: Sequence[Clash], held: _Held, learnt: Learnt) -> None:
        why = "; ".join(dict.fromkeys(clash.why for clash in clashes)) or None
        change.put(item, None, why=why)
        held.rows[item.id] = item
        learnt.added.append(item)

    def _end(
        self,
        change: Change,
        item: KnowledgeItem,
        clashes: Sequence[Clash],
        held: _Held,
        learnt: Learnt,
        *,
        in_doubt: bool = False,
    ) -> list[port.Op]:
        """End what the item replaces, as of when it was last said, and leave a case for every clash; `in_doubt`: what
        its words may have ended is marked."""
        now, winner = self.clock(), replace(item, held_from=item.reinforced_at or item.held_from)
        cases: list[port.Op] = []
        for clash in clashes:
            if clash.ended is None and in_doubt and not clash.old.needs_resolution:
                doubted = questioned(clash.old, now)
                change.put(doubted, clash.old, verb="doubt", why=clash.why)
                held.rows[doubted.id] = doubted
            if clash.ended:
                ended = superseded(clash.old, winner, now)
                change.put(ended, clash.old, verb="supersede", why=clash.why)
                held.rows[ended.id] = ended
                learnt.ended.append(ended)
            case = filed(
                item,
                clash.old,
                id=self.new_id(),
                why=clash.why,
                outcome={True: Outcome.NEW, False: Outcome.OLD, None: Outcome.OPEN}[clash.ended],
                actor=change.actor,
                change=change.id,
                now=now,
                judged_by=clash.judged_by,
                certainty=clash.certainty,
            )
            cases.append(port.Put(case, None))
            if case.outcome is Outcome.OPEN:
                learnt.opened.append(case)
        return cases


def _actor(reader: str | None) -> Actor:
    """Who is recorded as having learnt something: the rules shipped here, or the model that proposed it."""
    name = reader or OFFLINE
    return Actor(ActorKind.PROGRAM if name.startswith(OFFLINE) else ActorKind.MODEL, name)


def _one_field(item: KnowledgeItem, other: KnowledgeItem) -> bool:
    return (item.subject, item.attribute) == (other.subject, other.attribute)
