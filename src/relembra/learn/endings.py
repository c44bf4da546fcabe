"""What a message ends, or puts in doubt, of what is held.

Much of what ends is told in words that are no item: "fui demitido", "we broke up". A judge says how likely such a
message replaces or ends each of the few held items it may mean; plain rules decide, and what is kept of the message are
the person's own words, so that whatever ended can say by what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from relembra.domain.audit import titled
from relembra.domain.candidate import Effect
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
    first_priority,
    is_single,
)
from relembra.domain.message import Message
from relembra.domain.policy import LearnPolicy
from relembra.domain.scope import Scope, may_hear, reaches
from relembra.domain.text import as_words, bare_words, fold, is_words
from relembra.learn import pattern
from relembra.learn.decisions import Clash, fields_touched, is_partner, medicine_in, names_value
from relembra.learn.values import words_in

PARTED = f"{FORMER}marital_status"
UNMARRIED, SINGLE, SPOUSE = pattern("unmarried"), pattern("single"), pattern("spouse")
RAN_OUT, SKIPPED, DIED, TRIP = pattern("ran_out"), pattern("skipped"), pattern("died"), pattern("trip")
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+")
CALLED_OFF = f"{FORMER}event"
LEFT_TO_THE_NIGHT = (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
MEASURED = (SupersessionRule.FIXED, SupersessionRule.KEEP_HISTORY)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message that may end something, and what it does to held items, by their ids."""

    message: Message
    effects: Mapping[str, Effect]
    judged_by: str
    language: str | None = None


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
        meant = meaning(old, taught, turn.message, held.values())
        is_told, is_meant = meant is Meaning.OVER, meant is not Meaning.NAMED
        if meant is None or (not is_told and effect.over < (policy.doubt_at_least if is_meant else unspoken_of)):
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


def meaning(
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
    mine, theirs = ({word[:5] for word in words_in(text) if len(word) > 3} for text in (old.content, message.text))
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


def is_alone(row: KnowledgeItem) -> bool:
    """Whether it says that somebody left their partner, or is with nobody."""
    said = fold(row.value or "") if row.attribute == "marital_status" else ""
    return row.attribute == PARTED or any(pattern.search(said) for pattern in (UNMARRIED, SINGLE))


def _is_over(partner: KnowledgeItem, row: KnowledgeItem) -> bool:
    """Whether a couple is none any more by what one of them says of themselves: who is divorced has no spouse, who is
    single no partner; of an "ex" it says nothing."""
    tie, said = fold(partner.value or ""), fold(row.value or "")
    if tie.startswith("ex") or not is_alone(row) or (row.attribute == PARTED and SINGLE.search(said)):
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
    said = words_in(message.text)
    words = next((row for row in taught if holds_words(row) or words_in(_quoted(row)) == said), None)
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
        priority=first_priority(KnowledgeType.MEMORY),
        held_from=min(message.sent_at, now),
        zone=message.zone,
        created_at=now,
        updated_at=now,
    )
    return inheriting(words, [clash.old for clash in met])


def holds_words(item: KnowledgeItem) -> bool:
    """Whether an item holds somebody's own words, kept because of what they may have ended."""
    return item.type is KnowledgeType.MEMORY and item.attribute is None and is_words(item.content)
