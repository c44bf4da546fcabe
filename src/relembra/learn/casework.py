"""Cases: putting the question, carrying out the person's answer, and taking a decision back."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from relembra.domain.audit import Actor, ActorKind, deleted, owner_only, validated
from relembra.domain.case import Case, Outcome, inheriting, may_ask, questioned, superseded
from relembra.domain.knowledge import SELF, Doubt, ItemState, KnowledgeItem, SupersessionRule, about, doubted
from relembra.domain.message import Message, Role
from relembra.domain.policy import Policy
from relembra.domain.scope import Place, Scope, may_hear
from relembra.domain.text import bare_words, fold, is_words, one, quoted, shortened
from relembra.domain.time import Clock, local
from relembra.errors import ConflictError, InvalidInputError, NotFoundError, StaleError
from relembra.learn import WORDS, pattern
from relembra.learn.keeper import deciding
from relembra.learn.trail import Change
from relembra.learn.values import same
from relembra.store.port import Account, CaseFilter, Cursor, ItemFilter, MessageFilter, Page, Put, Store

LONGEST_SIDE = 120


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask the person, and the case the answer settles."""

    case_id: str
    text: str

    def __str__(self) -> str:
        return self.text


def question(case: Case, old: KnowledgeItem, new: KnowledgeItem, language: str) -> Question:
    """Both sides, and whether something changed; of what cannot change, which is right."""
    questions: dict[str, dict[str, str]] = WORDS["question"]
    language = new.language if new.language == old.language and new.language in questions else language
    words = questions[language]
    said = words["said"].format(old=_side(old, language), new=_side(new, language))
    return Question(case.id, f"{said} {words['which' if is_lasting(new.attribute) else 'changed']}")


def is_lasting(attribute: str | None) -> bool:
    """Whether two values mean that one is wrong: what never changes, and a name, which is rather misspelt."""
    return attribute == "name" or about(attribute).rule is SupersessionRule.FIXED


def _side(item: KnowledgeItem, language: str) -> str:
    """The item as the person would hear it: in the second person where it is worded for that, else quoted."""
    content, words = shortened(item.content, LONGEST_SIDE).rstrip("."), WORDS["question"][language]
    if item.subject == SELF and item.language == language:
        verbs: dict[str, str] = {
            verb: second or verb for verb, _, second in (row.partition("=") for row in words["verbs"])
        }
        small = words["small"].replace(" ", "|")
        spoken = re.fullmatch(rf"({'|'.join(verbs)})((?: (?:{small}))*) (.+)", content, re.IGNORECASE)
        if spoken is not None:
            told = f"{verbs[spoken[1].lower()]}{spoken[2]} {quoted(spoken[3])}"
            return str(words["side"].format(told=told))
    return quoted(content)


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


MOST_CASES = 100
MOST_VALUES = 1_000
MOST_SHOWN = 1_000
RELEMBRA = Actor(ActorKind.PROGRAM, "relembra")
UNOPPOSED = "nothing stands against it any more"
ANSWERS = (Outcome.NEW, Outcome.OLD, Outcome.BOTH, Outcome.NEITHER)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A case with both its sides as they are now; a side that was forgotten would have taken the case along."""

    case: Case
    old: KnowledgeItem
    new: KnowledgeItem

    @property
    def id(self) -> str:
        return self.case.id


@dataclass(frozen=True, slots=True)
class Casework:
    """Reads and settles cases; a decision is one change with its record, and can be taken back."""

    store: Store
    policy: Policy
    clock: Clock
    new_id: Callable[[], str]

    async def page(
        self,
        scope: Scope,
        *,
        place: Place,
        open_only: bool,
        after: Cursor | None,
        limit: int,
        without: frozenset[str] = frozenset(),
    ) -> Page[Conflict]:
        """Cases with their sides, newest first; `without`: items whose cases are left out."""
        page = await self.store.page(scope, CaseFilter(asked_in=place, open_only=open_only), after=after, limit=limit)
        found = await self._with_sides(scope, _apart_from(page.rows, without))
        rows = [one for one in found if not open_only or one.case.outcome is Outcome.OPEN]
        return Page(tuple(rows), page.next)

    async def case(self, scope: Scope, id: str) -> Conflict:
        """One case, by its id or by the id of the item in question; `NotFoundError` otherwise."""
        found: Sequence[Case] = await self.store.get(scope, Case, [id])
        if not found:
            found = (await self.store.page(scope, CaseFilter(items=[id]), limit=1)).rows
        conflicts = await self._with_sides(scope, found)
        if not conflicts:
            raise NotFoundError("case", id)
        return conflicts[0]

    async def pending(
        self, scope: Scope, place: Place, now: datetime, language: str, *, without: frozenset[str] = frozenset()
    ) -> Question | None:
        """The question to put next in this place: the oldest open case that may be asked now."""
        learn = self.policy.learn
        page = await self.store.page(scope, CaseFilter(asked_in=place, open_only=True), limit=50)
        due = [
            case
            for case in reversed(_apart_from(page.rows, without))
            if may_ask(case, now, again_after=learn.ask_again_after, at_most=learn.ask_at_most, within=learn.ask_within)
        ]
        for conflict in await self._with_sides(scope, due) if due else ():
            if conflict.old.is_current(now) and conflict.new.is_current(now):
                return question(conflict.case, conflict.old, conflict.new, language)
        return None

    async def with_doubts(
        self,
        scope: Scope,
        items: Sequence[KnowledgeItem],
        place: Place,
        now: datetime,
        *,
        without: frozenset[str] = frozenset(),
    ) -> list[KnowledgeItem]:
        """The items as they are shown: those in question with the newest words that stand against them.

        Only words that may be heard in the place; `without`: items nothing is told of.
        """
        if not any(item.needs_resolution for item in items):
            return list(items)
        ids = {item.id for item in items if item.needs_resolution and item.is_current(now)}
        page = await self.store.page(scope, CaseFilter(asked_in=place, open_only=True, items=ids), limit=MOST_SHOWN)
        mine = [case for case in _apart_from(page.rows, without) if case.old_id in ids]
        rows = {
            row.id: row for row in await self.store.get(scope, KnowledgeItem, sorted({case.new_id for case in mine}))
        }
        against: dict[str, KnowledgeItem] = {}
        for case in mine:
            if case.new_id in rows and rows[case.new_id].is_current(now):
                against.setdefault(case.old_id, rows[case.new_id])
        return [doubted(item, _doubt(against[item.id], now)) if item.id in against else item for item in items]

    async def mark_asked(self, scope: Scope, id: str, at: datetime) -> None:
        """Remember that the question was handed out; a case settled meanwhile stays as it is."""
        found = await self.store.get(scope, Case, [id])
        if found and found[0].outcome is Outcome.OPEN:
            case = found[0]
            asked = replace(case, asked=case.asked + 1, asked_at=at, version=case.version + 1)
            with suppress(StaleError):
                await self.store.apply(scope, [Put(asked, case.version)])

    async def clear(self, scope: Scope, ids: Iterable[str]) -> None:
        """Close the open cases of items that are no longer current, and take the doubt off the sides that are left."""
        for id in dict.fromkeys(ids):
            page = await self.store.page(scope, CaseFilter(open_only=True, items=[id]), limit=MOST_CASES)
            for conflict in await self._with_sides(scope, page.rows):
                if conflict.case.outcome is not Outcome.OPEN:
                    await self._clear(scope, conflict)

    async def look_again(self, scope: Scope) -> None:
        """Close the open cases that what came since has settled: a side ended, or what was in doubt was said again."""
        after: Cursor | None = None
        while True:
            page = await self.store.page(scope, CaseFilter(open_only=True), after=after, limit=MOST_CASES)
            for conflict in await self._with_sides(scope, page.rows):
                if conflict.case.outcome is not Outcome.OPEN:
                    await self._clear(scope, conflict)
                elif _is_said_again(conflict):
                    await self._keep_old(scope, conflict)
            after = page.next
            if after is None:
                break
        await self.calm(scope)

    async def _keep_old(self, scope: Scope, conflict: Conflict) -> None:
        now, why = self.clock(), "said again since"
        change = Change(scope, new_id=self.new_id, verb="resolve", actor=RELEMBRA, at=now, why=why)
        if conflict.old.needs_resolution and not await self._is_doubted(scope, conflict.old, conflict.id):
            change.put(_calm(conflict.old, now), conflict.old)
        change.put(superseded(conflict.new, conflict.old, now), conflict.new)
        settled = replace(
            conflict.case,
            outcome=Outcome.OLD,
            settled_by=str(RELEMBRA),
            settled_at=now,
            change=change.id,
            version=conflict.case.version + 1,
        )
        with suppress(StaleError):  # somebody else is at it
            await self.store.apply(scope, [*change.ops, Account(due=change.id), Put(settled, conflict.case.version)])

    async def doubt_again(self, scope: Scope, ids: Collection[str]) -> None:
        """Once something was undone: what other words put in doubt is marked, and its cases are open, as before."""
        now = self.clock()
        page = await self.store.page(scope, CaseFilter(items=ids), limit=MOST_SHOWN)
        found = await self._with_sides(scope, [case for case in page.rows if case.old_id in ids])
        standing = [conflict for conflict in found if _is_doubt(conflict, now)]
        change = Change(scope, new_id=self.new_id, verb="doubt", actor=RELEMBRA, at=now)
        unmarked = {conflict.old.id: conflict.old for conflict in standing if not conflict.old.needs_resolution}
        for row in unmarked.values():
            change.put(questioned(row, now), row)
        closed = [conflict.case for conflict in standing if conflict.case.outcome is not Outcome.OPEN]
        unsettled = partial(replace, outcome=Outcome.OPEN, settled_by=None, settled_at=None, change=None)
        reopened = [Put(unsettled(case, version=case.version + 1), case.version) for case in closed]
        with suppress(StaleError):  # somebody else is at it
            await self.store.apply(scope, [*change.ops, *reopened])

    async def calm(self, scope: Scope) -> None:
        """Take the mark off items in question that no open case is about: what stood against them was forgotten."""
        now = self.clock()
        wanted = ItemFilter(now=now, only=ItemState.QUESTIONED)
        rows = (await self.store.page(scope, wanted, limit=MOST_SHOWN)).rows
        if not rows:
            return
        ids = [row.id for row in rows]
        cases = (await self.store.page(scope, CaseFilter(open_only=True, items=ids), limit=MOST_SHOWN)).rows
        open_for = {id for case in cases for id in (case.old_id, case.new_id)}
        change = Change(scope, new_id=self.new_id, verb="resolve", actor=RELEMBRA, at=now, why=UNOPPOSED)
        for row in rows:
            if row.id not in open_for:
                change.put(_calm(row, now), row)
        with suppress(StaleError):  # somebody else is at it
            await self.store.apply(scope, change.ops)

    async def _clear(self, scope: Scope, conflict: Conflict) -> None:
        now = self.clock()
        closed = replace(conflict.case, settled_at=now, version=conflict.case.version + 1)
        change = Change(scope, new_id=self.new_id, verb="resolve", actor=RELEMBRA, at=now)
        for side in (conflict.old, conflict.new):
            if side.needs_resolution and side.is_current(now) and not await self._is_doubted(scope, side, conflict.id):
                change.put(_calm(side, now), side, why=UNOPPOSED)
        with suppress(StaleError):  # somebody else is at it
            await self.store.apply(scope, [*change.ops, Put(closed, conflict.case.version)])

    async def _is_doubted(self, scope: Scope, item: KnowledgeItem, apart_from: str) -> bool:
        page = await self.store.page(scope, CaseFilter(open_only=True, items=[item.id]), limit=MOST_CASES)
        others = await self._with_sides(scope, page.rows)
        return any(one.id != apart_from and one.case.outcome is Outcome.OPEN for one in others)

    async def settle(self, scope: Scope, id: str, keep: str, by: str | None) -> Conflict:
        """Carry out the person's answer, also over an earlier decision; what they chose is confirmed by it."""
        owner_only(by, scope.user, "settle")
        outcome = one(Outcome, keep, "keep")
        if outcome not in ANSWERS:
            raise InvalidInputError(f"keep {keep!r} is no answer; say new, old, both or neither", field="keep")

        async def decide() -> Conflict:
            conflict = await self.case(scope, id)
            case, now = conflict.case, self.clock()
            _refuse_moved_on(conflict)
            old, new = self._answered(conflict, outcome, now, was=await self._before(scope, case))
            change = Change(
                scope,
                new_id=self.new_id,
                verb="resolve",
                actor=Actor.of(by, scope.user),
                at=now,
                why=f"keep {outcome}",
            )
            for after, before in ((old, conflict.old), (new, conflict.new)):
                if after != before:
                    change.put(after, before)
            settled = replace(
                case,
                outcome=outcome,
                settled_by=str(Actor.of(by, scope.user)),
                settled_at=now,
                change=change.id if change.ops else case.change,
                version=case.version + 1,
            )
            await self.store.apply(scope, [*change.ops, Put(settled, case.version)])
            return Conflict(settled, old, new)

        return await deciding(decide)

    async def answered(
        self, scope: Scope, messages: Sequence[Message], items: Sequence[KnowledgeItem]
    ) -> tuple[set[str], set[str]]:
        """Settle the cases these messages answer: by saying a side again, or by a plain yes or no to the question.

        Returns which messages are such a yes or no, which ends nothing else, and which items only name the side that
        was chosen, as "the 3rd" does: they are that answer, and no news.
        """
        answers, short = set[str](), set[str]()
        page = await self.store.page(scope, CaseFilter(open_only=True), limit=50)
        asked = [(case.asked_at, case.id, case) for case in page.rows if case.asked_at is not None]
        spent: set[str] = set()  # one answer is for one question, the last put
        for asked_at, _, case in sorted(asked, key=lambda row: row[:2], reverse=True):
            conflict = await self.case(scope, case.id)
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
                await self.settle(scope, case.id, outcome, None)
        return answers, short

    async def _reply(
        self, scope: Scope, place: Place, asked_at: datetime, values: tuple[str | None, ...]
    ) -> tuple[str | None, bool]:
        """The message that may answer a question: the person's first after the assistant spoke; and whether it asked.

        A program loads a context, lets the assistant answer with it and then saves both, so the first words after
        the question was handed out are mostly those it was handed out for; where none follow, they are the answer.
        """
        soon = MessageFilter(since=asked_at, until=asked_at + self.policy.learn.answer_within)
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

    async def undo(self, scope: Scope, id: str, by: str | None) -> Conflict:
        """Take a decision back: both sides are current again, and an answer of the person's may be given anew."""
        owner_only(by, scope.user, "take back what was decided about")
        return await self._undo(scope, id, Actor.of(by, scope.user))

    async def only_planned(self, scope: Scope, ids: Iterable[str]) -> None:
        """Take back what items ended by rule that turn out to be plans: what held before them holds until then."""
        for id in dict.fromkeys(ids):
            page = await self.store.page(scope, CaseFilter(items=[id]), limit=MOST_CASES)
            for conflict in await self._with_sides(scope, page.rows):
                by_rule = not (conflict.case.settled_by or "").startswith("person:")
                if by_rule and conflict.new.id == conflict.old.superseded_by == id:
                    await self._undo(scope, conflict.id, RELEMBRA)

    async def _undo(self, scope: Scope, id: str, actor: Actor) -> Conflict:
        async def decide() -> Conflict:
            conflict = await self.case(scope, id)
            case, now = conflict.case, self.clock()
            if case.outcome in (Outcome.OPEN, Outcome.UNDONE):
                raise ConflictError(f"case {case.id} has no decision to take back", "undecided")
            _refuse_moved_on(conflict)
            by_person = (case.settled_by or "").startswith("person:")
            change = Change(scope, new_id=self.new_id, verb="undo", actor=actor, at=now, undoes=case.change)
            recorded = await self._before(scope, case)
            sides = []
            for before in (conflict.old, conflict.new):
                was = recorded.get(before.id)
                in_question = before.needs_resolution if recorded else before is conflict.new
                in_question = in_question if was is None else bool(was["needs_resolution"])
                after = _revived(before, now, needs_resolution=by_person and in_question, was=was)
                sides.append(after)
                if after != before:
                    change.put(after, before)
            back = replace(
                case,
                outcome=Outcome.OPEN if by_person else Outcome.UNDONE,
                settled_by=None if by_person else str(actor),
                settled_at=None if by_person else now,
                change=None,
                version=case.version + 1,
            )
            await self.store.apply(scope, [*change.ops, Put(back, case.version)])
            return Conflict(back, sides[0], sides[1])

        return await deciding(decide)

    async def _before(self, scope: Scope, case: Case) -> dict[str, Mapping[str, Any] | None]:
        """Both sides as the decision in force found them, from the record."""
        entries = [] if case.change is None else await self.store.changes(scope, [case.change])
        return {entry.target_id: entry.before for entry in entries}

    def _answered(
        self, conflict: Conflict, outcome: Outcome, now: datetime, *, was: Mapping[str, Mapping[str, Any] | None]
    ) -> tuple[KnowledgeItem, KnowledgeItem]:
        """Both sides as the answer leaves them, whatever was answered before."""
        confidence = self.policy.confidence
        old = _revived(conflict.old, now, needs_resolution=False, was=was.get(conflict.old.id))
        new = _revived(conflict.new, now, needs_resolution=False, was=was.get(conflict.new.id))
        match outcome:
            case Outcome.NEW:
                new = _once(inheriting(validated(new, now, confidence), [old]), conflict.new)
                return _once(superseded(old, new, now), conflict.old), new
            case Outcome.OLD:
                old = _once(inheriting(validated(old, now, confidence), [new]), conflict.old)
                return old, _once(superseded(new, old, now), conflict.new)
            case Outcome.NEITHER:
                return _once(deleted(old, now), conflict.old), _once(deleted(new, now), conflict.new)
            case _:
                return old, new

    async def _with_sides(self, scope: Scope, cases: Sequence[Case]) -> list[Conflict]:
        ids = {id for case in cases for id in (case.old_id, case.new_id)}
        items = {item.id: item for item in await self.store.get(scope, KnowledgeItem, sorted(ids))}
        now = self.clock()
        return [
            _as_it_stands(Conflict(case, items[case.old_id], items[case.new_id]), now)
            for case in cases
            if case.old_id in items and case.new_id in items
        ]


def _calm(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    return replace(item, needs_resolution=False, updated_at=now, version=item.version + 1)


def _is_doubt(conflict: Conflict, now: datetime) -> bool:
    """Whether words stand against something held, and nobody has decided about the two but what came by itself."""
    both = conflict.old.is_current(now) and conflict.new.is_current(now)
    return both and is_words(conflict.new.content) and conflict.case.settled_by in (None, str(RELEMBRA))


def _is_said_again(conflict: Conflict) -> bool:
    """Whether what somebody's words put in doubt was said once more after them."""
    said_at = conflict.old.reinforced_at
    return is_words(conflict.new.content) and said_at is not None and said_at > conflict.new.held_from


def _doubt(newer: KnowledgeItem, now: datetime) -> Doubt:
    said_at = local(newer.held_from, newer.zone)
    of_this_year = said_at.year == local(now, newer.zone).year
    return Doubt(words=bare_words(newer.content), said_at=said_at, item_id=newer.id, of_this_year=of_this_year)


def _apart_from(cases: Sequence[Case], without: frozenset[str]) -> list[Case]:
    """The cases in which none of these items is a side."""
    return [case for case in cases if without.isdisjoint((case.old_id, case.new_id))]


def _as_it_stands(conflict: Conflict, now: datetime) -> Conflict:
    """An open case whose sides are no longer both current was settled by other means: a confirmation, a deletion."""
    old, new = conflict.old.is_current(now), conflict.new.is_current(now)
    if conflict.case.outcome is not Outcome.OPEN or (old and new):
        return conflict
    outcome = Outcome.NEW if new else Outcome.OLD if old else Outcome.NEITHER
    return Conflict(replace(conflict.case, outcome=outcome), conflict.old, conflict.new)


def _refuse_moved_on(conflict: Conflict) -> None:
    """Refuse where a side was replaced since by something outside the case."""
    sides = {conflict.old.id, conflict.new.id}
    for item in (conflict.old, conflict.new):
        if item.superseded_by is not None and item.superseded_by not in sides:
            raise ConflictError(
                f"item {item.id} was replaced since by {item.superseded_by}; settle that one instead", "settled"
            )


def _revived(
    item: KnowledgeItem, now: datetime, *, needs_resolution: bool, was: Mapping[str, Any] | None = None
) -> KnowledgeItem:
    """The item as current; one that is so already stays untouched.

    `was`: what the decision found, as recorded; how sure it was and until when it held are those again.
    """
    back = replace(
        item,
        superseded_by=None,
        superseded_at=None,
        deleted_at=None,
        held_until=None if item.superseded_at is not None else item.held_until,
        needs_resolution=needs_resolution,
    )
    if was is not None:
        until = None if was["superseded_at"] is not None else was["held_until"]
        back = replace(
            back,
            validated=was["validated"],
            confidence=was["confidence"],
            held_until=None if until is None else datetime.fromisoformat(until),
        )
    return item if back == item else replace(back, updated_at=now, version=item.version + 1)


def _once(after: KnowledgeItem, before: KnowledgeItem) -> KnowledgeItem:
    """Several steps of one change are one version."""
    return after if after is before else replace(after, version=before.version + 1)


def _one_field(item: KnowledgeItem, other: KnowledgeItem) -> bool:
    return (item.subject, item.attribute) == (other.subject, other.attribute)
