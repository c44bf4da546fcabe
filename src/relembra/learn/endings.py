"""What a message ends, or puts in doubt, of what is held.

Much of what ends is told in words that are no item: "fui demitido", "we broke up". A judge says how likely such a
message replaces or ends each of the few held items it may mean; plain rules decide, and what is kept of the message are
the person's own words, so that whatever ended can say by what.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto

from relembra.domain.audit import titled
from relembra.domain.candidate import Effect, Talk
from relembra.domain.case import agree, inheriting
from relembra.domain.knowledge import (
    DATED,
    FORMER,
    SELF,
    KnowledgeItem,
    KnowledgeType,
    Source,
    SupersessionRule,
    about,
    is_single,
)
from relembra.domain.message import Message, Role
from relembra.domain.policy import LearnPolicy
from relembra.domain.scope import Scope, may_hear, reaches
from relembra.domain.text import as_words, bare_words, fold, is_words
from relembra.domain.time import Clock
from relembra.errors import MindError
from relembra.learn import pattern
from relembra.learn.decisions import Clash, fields_touched, is_partner, medicine_in, names_value
from relembra.minds.port import Embedder, Reader, Vector
from relembra.store.port import CaseFilter, ItemFilter, Kind, Store

MOST_CASES = 1_000
PARTED = f"{FORMER}marital_status"
UNMARRIED, SINGLE, SPOUSE = pattern("unmarried"), pattern("single"), pattern("spouse")
RAN_OUT, SKIPPED, DIED, TRIP = pattern("ran_out"), pattern("skipped"), pattern("died"), pattern("trip")
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+")
CALLED_OFF = f"{FORMER}event"
LOOKED_AT = 4  # times as many of the nearest as are judged, for not all of them are held
LEFT_TO_THE_NIGHT = (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
MEASURED = (SupersessionRule.FIXED, SupersessionRule.KEEP_HISTORY)
NEAR = 0.05  # cosine under which hardly anything is ended that a message does not name

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message that may end something, and what it does to held items, by their ids."""

    message: Message
    effects: Mapping[str, Effect]
    judged_by: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Learning:
    """What is being learnt from a stretch of talk while its turns are judged."""

    items: Sequence[KnowledgeItem] = ()
    vectors: Sequence[Vector | None] = ()
    held: Mapping[str, KnowledgeItem] = field(default_factory=dict)  # what they may meet
    taught: Sequence[KnowledgeItem] = ()  # what the messages taught when they were read before


@dataclass(frozen=True, slots=True)
class Endings:
    """Finds what a message may mean, and has it judged."""

    store: Store
    embedder: Embedder
    policy: LearnPolicy
    clock: Clock

    async def judged(
        self, scope: Scope, talk: Talk, turning: Collection[str], learning: Learning, judge: Reader
    ) -> list[Turn]:
        """What each turning message of a person does to the held items nearest to it; those it met before are left."""
        turns: list[Turn] = []
        for place, message in enumerate(talk.messages):
            if message.id not in turning or message.role is not Role.USER or message.scope != scope:
                continue
            before = {one.id for one in talk.messages[:place]}
            rows = await self._meant(scope, message, talk, before, learning)
            effects = await judge.effects(talk, message, [row.content for row in rows]) if rows else []
            done = {row.id: effect for row, effect in zip(rows, effects, strict=True)}
            turns.append(Turn(message, done, judge.name, talk.language))
        return turns

    async def _meant(
        self, scope: Scope, message: Message, talk: Talk, before: Set[str], learning: Learning
    ) -> list[KnowledgeItem]:
        """The few items a message may mean: of whom and what it speaks first, up to half of them, then the nearest."""
        now, most = self.clock(), self.policy.judged
        near = await self._near(scope, message, talk, before, learning)
        spoken_of = [*_touched(message, learning), *await self._named(scope, message)]
        if any(_is_alone(item) for item in learning.items if message.id in item.message_ids):
            wanted = ItemFilter(now=now, attribute="relation")
            spoken_of += filter(is_partner, (await self.store.page(scope, wanted, limit=MOST_CASES)).rows)
        rows = {row.id: row for row in (*near, *spoken_of)}
        # what this message was weighed against before, whatever came of it: it is read again without effect
        before_this = [row.id for row in learning.taught if message.id in row.message_ids]
        cases = (await self.store.page(scope, CaseFilter(items=before_this), limit=MOST_CASES)).rows
        met = {case.old_id for case in cases}
        fit = [row for row in rows.values() if row.id not in met and may_end(row, message, now)]
        own = [item for item in (*learning.items, *learning.taught) if message.id in item.message_ids]
        touched = {row.id for row in _touched(message, learning)}
        every = {**learning.held, **rows}.values()
        fit = [row for row in fit if row.id in touched or _meaning(row, own, message, every) is not None]
        # those that held when the message was sent, or were told before it and begin to hold later
        later = [row for row in fit if row.held_from > message.sent_at]
        sources = [id for row in later for id in row.message_ids[:1]]
        told_at = {one.id: one.sent_at for one in await self.store.get(scope, Message, sources)} if sources else {}
        late = [row for row in later if told_at.get("".join(row.message_ids[:1]), row.created_at) > message.sent_at]
        fit = [row for row in fit if row not in late]
        about = {row.id for row in spoken_of}
        first = [row for row in fit if row.id in about][: most // 2]
        return [*first, *(row for row in fit if row not in first)][:most]

    async def _near(
        self, scope: Scope, message: Message, talk: Talk, before: Set[str], learning: Learning
    ) -> list[KnowledgeItem]:
        """Held items, and what is just being learnt from earlier messages, by how near they are to the words."""
        limit, name = LOOKED_AT * self.policy.judged, self.embedder.name
        vector = talk.vectors.get(message.text) if talk.embedded_by == name else None
        try:
            vector = (await self.embedder.embed([message.text]))[0] if vector is None else vector
        except MindError as exc:
            log.warning("what a message ends is looked for without its vector: %s", type(exc).__name__)
            return []
        [found] = await self.store.nearest(scope, Kind.ITEM, name, [vector], limit=limit, at_least=NEAR)
        scores = dict(found)
        rows = {row.id: row for row in await self.store.get(scope, KnowledgeItem, list(scores))}
        for item, own in zip(learning.items, learning.vectors, strict=True):
            if own is not None and before >= set(item.message_ids):
                pairs = zip(memoryview(own).cast("f"), memoryview(vector).cast("f"), strict=True)
                rows[item.id], scores[item.id] = item, sum(a * b for a, b in pairs)
        return sorted(rows.values(), key=lambda row: (-scores[row.id], row.id))

    async def _named(self, scope: Scope, message: Message) -> list[KnowledgeItem]:
        """What is held of the people and pets a message names."""
        said = set(_words(message.text))
        names = await self.store.acquaintances(scope)
        subjects = {subject for subject, called in names if set(_words(called)) <= said or set(_words(subject)) <= said}
        rows: list[KnowledgeItem] = []
        for subject in sorted(subjects)[: self.policy.judged]:
            wanted = ItemFilter(now=self.clock(), subject=subject)
            rows += (await self.store.page(scope, wanted, limit=self.policy.judged)).rows
        return rows


def may_end(old: KnowledgeItem, message: Message, now: datetime) -> bool:
    """Whether a message may end an item, or put it in doubt: it is held, by the same mouth, heard in the same places,
    and nothing that surely happened.
    """
    mouth = old.speaker or old.scope.user
    return (
        old.is_current(now)
        and message.id not in old.message_ids
        and fold(mouth) == fold(message.author)
        and reaches(message.place, old.place)
        and may_hear(old.place, message.place)
        and (old.type is not KnowledgeType.MEMORY or old.attribute in DATED or old.is_planned(now))
    )


def speaks_of(old: KnowledgeItem, taught: Sequence[KnowledgeItem]) -> bool:
    """Whether a message that taught these may mean an item: it taught nothing but who somebody is, or something of the
    same field, or what happened to the same one. An age, a weight or a birthday is ended only by another.

    Who tells where they live now says nothing of what they eat, who eats no meat may still be a vegetarian, and who
    lost a job may still play volleyball.
    """
    told = [row for row in taught if row.attribute != "relation" or old.attribute == "relation"]
    same = [row for row in told if fold(row.subject) == fold(old.subject)]
    if any(agree(row, old) for row in same):
        return False
    if any(old.attribute is not None and old.attribute in fields_touched(row.attribute) for row in same):
        return True
    happened = any(row.type is KnowledgeType.MEMORY and not (row.attribute or "").startswith(FORMER) for row in same)
    return (not told or happened) and about(old.attribute).rule not in MEASURED


def clashes(turn: Turn, held: Mapping[str, KnowledgeItem], *, policy: LearnPolicy, now: datetime) -> list[Clash]:
    """What the judge is sure enough of: what a message ends, and what it only puts in doubt.

    Surer it must be of what the message names but does not speak of, and that is only put in doubt unless it is of no
    field one could speak of, as are a day that may be over anyway and a medicine of which only another dose is said.
    Feelings fade by themselves, and one day says nothing of a pattern over many.
    """
    found: list[Clash] = []
    taught = [row for row in held.values() if turn.message.id in row.message_ids]
    unspoken_of = (policy.doubt_at_least + policy.retire_at_least) / 2
    for id, effect in turn.effects.items():
        old = held.get(id)
        if old is None or not may_end(old, turn.message, now):
            continue
        meaning = _meaning(old, taught, turn.message, held.values())
        is_told, is_meant = meaning is Meaning.OVER, meaning is not Meaning.NAMED
        if meaning is None or (not is_told and effect.over < (policy.doubt_at_least if is_meant else unspoken_of)):
            continue
        how = "replaced" if effect.replaces > effect.ends else "ended"
        is_dose = old.attribute == "medication" and any(
            row.attribute == "medication" and not medicine_in(row.value) for row in taught
        )
        is_known_to_hold = (old.type is not KnowledgeType.MEMORY or old.is_planned(now)) and not is_dose
        enough = policy.doubt_at_least if is_told else policy.retire_at_least
        is_sure = (is_meant or old.attribute is None) and is_known_to_hold and effect.over >= enough
        why = f"{how} by what was said later" if is_sure else "perhaps over by what was said later"
        if is_sure and old.validated:
            why += ", but the person had confirmed it"
        ended = True if is_sure and not old.validated else None
        certainty = max(effect.over, policy.doubt_at_least) if is_told else effect.over
        found.append(Clash(old, why, ended, round(min(1.0, certainty), 3), turn.judged_by))
    return found


class Meaning(Enum):
    """How a message speaks of something held: it says that it is over, it is about it, or it only names it."""

    OVER = auto()
    ABOUT = auto()
    NAMED = auto()


def _meaning(
    old: KnowledgeItem, taught: Sequence[KnowledgeItem], message: Message, held: Iterable[KnowledgeItem]
) -> Meaning | None:
    """How a message that taught these speaks of an item; None where no judgement of the two would change anything."""
    if old.type in LEFT_TO_THE_NIGHT or _is_beside(old, taught) or _is_only_near(old, message):
        return None
    if _is_told_over(old, taught, message, held):
        return Meaning.OVER
    figures = set(re.findall(r"\d+", old.content))
    is_again = figures and figures <= set(re.findall(r"\d+", message.text))  # it rather says the same once more
    if speaks_of(old, taught) and not is_again:
        return Meaning.ABOUT
    mine, theirs = ({word[:5] for word in _words(text) if len(word) > 3} for text in (old.content, message.text))
    is_named = about(old.attribute).rule not in MEASURED and not mine.isdisjoint(
        theirs
    )  # in whatever form of its words
    return Meaning.NAMED if is_named else None


def _is_beside(old: KnowledgeItem, taught: Sequence[KnowledgeItem]) -> bool:
    """Whether a message names another medicine, or another value that was so before, which says nothing of this one."""
    if is_single(old.attribute) or old.attribute == "diet":
        former = [row.value for row in taught if row.attribute == f"{FORMER}{old.attribute}" and row.value]
        if former and not any(names_value(old, value) for value in former):
            return True
    said = (medicine_in(row.value) for row in taught if row.attribute == old.attribute == "medication")
    return any(named and named.isdisjoint(medicine_in(old.value)) for named in said)


def _is_only_near(old: KnowledgeItem, message: Message) -> bool:
    """Whether a medicine ran out or a habit was left out once, which is no end, or somebody else died."""
    said = fold(message.text).replace("’", "'")
    pattern = {"medication": RAN_OUT, "habit": SKIPPED, "schedule": SKIPPED}.get(old.attribute or "")
    if pattern is not None and pattern.search(said):
        return True
    is_anothers = fold(old.subject) != SELF and not re.search(rf"\b{re.escape(fold(old.subject))}\b", said)
    return is_anothers and DIED.search(said) is not None


def _is_told_over(
    old: KnowledgeItem, taught: Iterable[KnowledgeItem], message: Message, held: Iterable[KnowledgeItem]
) -> bool:
    """Whether somebody parted from whom it names as their partner, a trip was called off that may be this plan, or
    somebody died whom it is about."""
    own = [row for row in taught if fold(row.subject) == SELF]
    if is_partner(old) and any(_is_over(old, row) for row in own):
        return True
    if any(row.attribute == CALLED_OFF and TRIP.fullmatch(fold(row.value or "")) for row in own):
        plans = [row for row in held if row.is_planned(message.sent_at) and fold(row.subject) == SELF]
        return plans == [old]
    return fold(old.subject) != SELF and any(
        _tells_of_death(old.subject, part) for part in _SENTENCE.split(message.text)
    )


def _is_alone(row: KnowledgeItem) -> bool:
    """Whether it says that somebody left their partner, or is with nobody."""
    said = fold(row.value or "") if row.attribute == "marital_status" else ""
    return row.attribute == PARTED or any(pattern.search(said) for pattern in (UNMARRIED, SINGLE))


def _is_over(partner: KnowledgeItem, row: KnowledgeItem) -> bool:
    """Whether a couple is none any more by what one of them says of themselves: who is divorced has no spouse, who is
    single no partner; of an "ex" it says nothing."""
    tie, said = fold(partner.value or ""), fold(row.value or "")
    if tie.startswith("ex") or not _is_alone(row) or (row.attribute == PARTED and SINGLE.search(said)):
        return False
    return row.attribute == PARTED or SINGLE.search(said) is not None or SPOUSE.search(tie) is not None


def _tells_of_death(name: str, sentence: str) -> bool:
    """Whether a sentence says that somebody of this name died, and not their cat."""
    named, said = re.escape(fold(name)), fold(sentence).replace("’", "'")
    is_anothers = re.search(rf"\b{named}'s \w|\bd[aoe]s? (?:\w+ ){{0,2}}{named}\b", said)
    return is_anothers is None and re.search(rf"\b{named}\b", said) is not None and DIED.search(said) is not None


def successor(old: KnowledgeItem, taught: Iterable[KnowledgeItem]) -> KnowledgeItem | None:
    """What the same message taught that may stand in the place of what it ended: of the same subject and matter.

    That is first what a rule would hold against it, then what is of the same area of life, or happened in none.
    """
    own = [row for row in taught if fold(row.subject) == fold(old.subject) and not holds_words(row)]
    own = [row for row in own if row.local_only or not old.local_only]
    ruled = (row for row in own if old.attribute is not None and old.attribute in fields_touched(row.attribute))
    near = (row for row in own if (row.area is old.area if row.area else row.type is KnowledgeType.MEMORY))
    return next(ruled, None) or next(near, None)


def by_successor(
    found: Iterable[Clash], taught: Sequence[KnowledgeItem], message: Message
) -> list[tuple[KnowledgeItem | None, list[Clash]]]:
    """Clashes by what stands against them: what the message taught, its words; None where these are to be kept yet."""
    said = _words(message.text)
    words = next((row for row in taught if holds_words(row) or _words(_quoted(row)) == said), None)
    groups: dict[str, tuple[KnowledgeItem | None, list[Clash]]] = {}
    for clash in found:
        item = (successor(clash.old, taught) if clash.ended else None) or words
        groups.setdefault("" if item is None else item.id, (item, []))[1].append(clash)
    return list(groups.values())


def _quoted(item: KnowledgeItem) -> str:
    """What an item says, without quotation marks and whom it is about: `A mãe: “morreu ontem”`."""
    name, mark, words = item.content.partition(": “")
    return bare_words(f"“{words}" if mark and "“" not in name else item.content)


def in_own_words(
    turn: Turn, met: Sequence[Clash], *, id: str, scope: Scope, note_id: str | None, now: datetime
) -> KnowledgeItem:
    """An item that holds what the person said, word for word, in the place of what it ended or puts in doubt."""
    message = turn.message
    subjects, areas = {clash.old.subject for clash in met}, {clash.old.area for clash in met}
    subject = subjects.pop() if len(subjects) == 1 else SELF
    content = as_words(message.text)
    is_own = fold(message.author) == fold(scope.user) and subject == SELF
    words = KnowledgeItem(
        id=id,
        scope=scope,
        place=message.place,
        type=KnowledgeType.MEMORY,
        area=areas.pop() if len(areas) == 1 else None,
        subject=subject,
        speaker=None if is_own else message.author,
        title=titled(content),
        content=content,
        language=turn.language,
        source=Source.CONVERSATION,
        note_id=note_id,
        message_ids=(message.id,),
        confidence=max(clash.certainty for clash in met),
        weight=about(None).weight,
        held_from=min(message.sent_at, now),
        zone=message.zone,
        created_at=now,
        updated_at=now,
    )
    return inheriting(words, [clash.old for clash in met])


def holds_words(item: KnowledgeItem) -> bool:
    """Whether an item holds somebody's own words, kept because of what they may have ended."""
    return item.type is KnowledgeType.MEMORY and item.attribute is None and is_words(item.content)


def _touched(message: Message, learning: Learning) -> list[KnowledgeItem]:
    """What is held of the fields that a message's own new items touch."""
    own = [item for item in learning.items if message.id in item.message_ids]
    fields = {(item.subject, attribute) for item in own for attribute in fields_touched(item.attribute)}
    return [row for row in learning.held.values() if (row.subject, row.attribute) in fields]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))
