"""What a new item does to what is held: plain rules over values, in the order a person would read them.

Nothing is stored here and no mind is asked; comparisons a mind made come in as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from relembra.domain.audit import titled
from relembra.domain.candidate import Comparison, Effect
from relembra.domain.case import Ask, BothStand, Wins, inheriting, judge, prevails, superseded
from relembra.domain.knowledge import (
    DATED,
    ENDS_A_GOAL,
    FORMER,
    OPPOSITES,
    KnowledgeItem,
    KnowledgeType,
    Source,
    is_single,
)
from relembra.domain.policy import LearnPolicy
from relembra.domain.scope import Place, may_hear, reaches
from relembra.domain.text import fold, is_words
from relembra.learn import pattern
from relembra.learn.values import at_odds, denies, names, overlap, same, turned_round, words_of

ONE_DAY = timedelta(days=1)
ROUNDING = 1e-9  # 0.9 − 0.7 is a little less than 0.2
GOAL_OVERLAP = 0.5  # of the words of the shorter one
DOSED = frozenset({"medication", "debt"})
ROUTINES = frozenset({"habit", "schedule"})  # the one with a day or an hour
STANDS = 0.5  # what a judge finds so likely untouched is asked about, however plainly another value was said
PLAINLY_SAID = 0.97  # confidence
_PARTNER, _DOSE, _CLAUSE = pattern("partner"), pattern("dose"), pattern("clause")
SAID_OVER = "said to be over"
EXACTLY = "said more exactly"
MOST_SOURCES = 50  # messages an item names as its sources; a thing said daily keeps its first and its latest


@dataclass(frozen=True, slots=True)
class Clash:
    """A contradiction: whom the new item meets, why they cannot both be current, how sure that is, and who won.

    `ended` is True when the old one lost, False when the new one did, None when only the person can tell.
    """

    old: KnowledgeItem
    why: str
    ended: bool | None
    certainty: float = 1.0
    judged_by: str = "rule"


@dataclass(frozen=True, slots=True)
class Repeat:
    """It was known already: the held item, said once more, or itself where the very same words taught it before.

    What is over by it is what only these words say to be.
    """

    old: KnowledgeItem
    item: KnowledgeItem
    clashes: tuple[Clash, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """It is new: the item as it is to be stored, and what it clashes with."""

    item: KnowledgeItem
    clashes: tuple[Clash, ...] = ()


Decision = Repeat | Keep


def heard_in(decision: Decision, place: Place) -> Decision:
    """The decision without the clashes that may not be heard of in a place, as if they were not there."""
    heard = tuple(clash for clash in decision.clashes if may_hear(clash.old.place, place))
    if heard == decision.clashes or isinstance(decision, Repeat):
        return replace(decision, clashes=heard)
    asks = any(clash.ended is None for clash in heard)
    return replace(decision, clashes=heard, item=replace(decision.item, needs_resolution=asks))


def fields_touched(attribute: str | None) -> tuple[str, ...]:
    """The attributes whose held values a new item of this one has to be looked at against."""
    if attribute is None:
        return ()
    touched = [attribute]
    if attribute in OPPOSITES:
        touched.append(OPPOSITES[attribute])
    if attribute.startswith(FORMER):
        ended = attribute.removeprefix(FORMER)
        touched += [ended, *(ROUTINES - {ended} if ended in ROUTINES else ())]
        if attribute == "former_likes":
            touched.append("dislikes")
    if attribute in ENDS_A_GOAL:
        touched.append("goal")
    return tuple(touched)


def decide(
    new: KnowledgeItem,
    held: Iterable[KnowledgeItem],
    *,
    changed: bool,
    said_at: datetime | None = None,
    compared: Mapping[str, Comparison],
    taught: Iterable[KnowledgeItem] = (),
    ends: Mapping[str, str] = {},
    judged: Mapping[str, Effect] = {},
    judged_by: str,
    policy: LearnPolicy,
    now: datetime,
    as_of: datetime | None = None,
) -> Decision:
    """What becomes of a new item; `compared`: how it stands to held items a mind was asked about, by their ids.

    `taught`: what its message taught when it was read before. The same again says nothing new, also where that ended
    since or was deleted; a sentence that was kept whole then gives way to what is read in it now. `ends`: held items
    that are over by what was said, by their ids, and the reader that says so; it is a proposal like any other.
    `judged`: what a judge finds that the same words do to held items; what it thinks still holds, no rule ends unasked,
    and surer it must be of that where it was said plainly. `as_of`: the moment by which something is held or only
    planned, where that is not now: what was said long ago meets what held then.
    """
    as_of = as_of or now
    before = [row for row in taught if _is_of_one_message(row, new)]
    current = [row for row in held if row.id != new.id and row.is_current(as_of) and _one_subject(row, new)]
    over = [row for row in current if row.id in ends and _may_be_over(row, new, said_at, as_of)]

    def declared(winner: KnowledgeItem) -> list[Clash]:
        found = (replace(_over(old, new, SAID_OVER), judged_by=ends[old.id]) for old in over if old.id != winner.id)
        return [clash for clash in found if reaches(winner.place, clash.old.place)]

    new = _in_full(new, current)
    again = said_before(new, before, compared, policy)
    if again is not None:
        # it is a plan where the day it begins is read in the same words only now
        is_plan = new.is_planned(as_of) and not again.is_planned(as_of)
        is_later = is_plan and not again.validated and again.is_current(as_of)
        later = replace(again, held_from=new.held_from, updated_at=now, version=again.version + 1)
        read_now = later if is_later else again
        return _repeat(again, read_now, declared(read_now) if again.is_current(as_of) else ())
    heard = (row for row in current if reaches(row.place, new.place) and not _came_true(row, new, as_of))
    known = next((row for row in heard if _is_same(row, new, compared, policy)), None)
    if known is not None:
        read_before = bool(new.message_ids) and set(new.message_ids) <= set(known.message_ids)
        known_now = known if read_before else observed(known, new, now)
        return _repeat(known, known_now, declared(known_now))
    clashes = [
        clash
        for old in current
        if reaches(new.place, old.place)
        and (clash := _clash(old, new, changed, said_at, compared.get(old.id), judged_by, policy, as_of)) is not None
        and (clash.ended is not False or reaches(old.place, new.place))  # nor does what is private end what is shared
    ]
    is_plain = changed or new.confidence >= PLAINLY_SAID or (new.attribute or "").startswith(FORMER)
    is_any = (new.attribute or "").startswith(FORMER) and not new.value  # "fui demitido", wherever that was
    standing = {
        id
        for id, effect in judged.items()
        if not is_any and (effect.nothing >= STANDS or (effect.over < policy.doubt_at_least and not is_plain))
    }
    clashes = [
        replace(clash, ended=None, why=f"{clash.why}, but it may still hold")
        if clash.ended and clash.old.id in standing and EXACTLY not in clash.why
        else clash
        for clash in clashes
    ]
    whole = [Clash(row, EXACTLY, True) for row in before if _tells_better(row, new, as_of)]
    for clash in (*declared(new), *whole):
        if all(clash.old.id != other.old.id for other in clashes):
            clashes.append(clash)
    winner = next((clash.old for clash in clashes if clash.ended is False), None)
    if winner is not None:  # it is history at once, so there is nothing left to ask about it
        past = replace(superseded(new, winner, now), version=new.version)
        return Keep(past, tuple(clash for clash in clashes if clash.ended is not None))
    new = inheriting(new, (clash.old for clash in clashes if clash.ended))
    asks = any(clash.ended is None for clash in clashes)
    return Keep(replace(new, needs_resolution=True) if asks else new, tuple(clashes))


def _repeat(old: KnowledgeItem, item: KnowledgeItem, clashes: Iterable[Clash]) -> Repeat:
    """What is known already asks nothing, and takes the place of nothing that is kept from other machines."""
    return Repeat(old, item, tuple(one for one in clashes if one.ended and (item.local_only or not one.old.local_only)))


def _may_be_over(old: KnowledgeItem, new: KnowledgeItem, said_at: datetime | None, now: datetime) -> bool:
    """Whether words can end it: a plan at any time, what holds if they came later and tell of no time to come.

    What happened stays true whatever is said later.
    """
    if old.is_planned(now):
        return True
    is_to_come = max(new.held_from, new.held_until or now) > now + ONE_DAY
    return old.type is not KnowledgeType.MEMORY and not is_to_come and (said_at or new.held_from) >= old.held_from


def said_before(
    new: KnowledgeItem, taught: Iterable[KnowledgeItem], compared: Mapping[str, Comparison], policy: LearnPolicy
) -> KnowledgeItem | None:
    """What the same message taught before, where this says the same."""
    return next((row for row in taught if _is_of_one_message(row, new) and _is_same(row, new, compared, policy)), None)


def observed(old: KnowledgeItem, new: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """A held item that was said once more: counted, reinforced, its sources added; a person's word outdoes a guess."""
    here = old.place == new.place  # what was told elsewhere is not shown wherever this may be heard
    sources = tuple(dict.fromkeys((*old.message_ids, *(new.message_ids if here else ()))))
    if len(sources) > MOST_SOURCES:
        sources = (*sources[: MOST_SOURCES // 2], *sources[-MOST_SOURCES // 2 :])
    said_now = old.source is Source.AI_INFERENCE and new.source is Source.CONVERSATION
    return replace(
        old,
        message_ids=sources,
        tags=tuple(dict.fromkeys((*old.tags, *(new.tags if here else ())))),
        related=tuple(dict.fromkeys((*old.related, *(new.related if here else ())))),
        observations=old.observations + 1,
        reinforced_at=max(old.reinforced_at or old.held_from, new.held_from),
        person={**new.person, **old.person} if here else old.person,
        source=new.source if said_now else old.source,
        confidence=max(old.confidence, new.confidence) if said_now else old.confidence,
        attribute=old.attribute or new.attribute,  # what was entered as plain words is now known for what it is
        value=old.value or (new.value if old.attribute in (None, new.attribute) else None),
        local_only=old.local_only or new.local_only,
        updated_at=now,
        version=old.version + 1,
    )


def _is_of_one_message(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    return bool(new.message_ids) and set(new.message_ids) <= set(old.message_ids) and _one_subject(old, new)


def _one_subject(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether both are about one person by one mouth: another's claim neither repeats nor ends what somebody said."""
    mouths = {item.speaker or item.scope.user for item in (old, new)}
    return fold(old.subject) == fold(new.subject) and len(mouths) == 1


def _is_same(old: KnowledgeItem, new: KnowledgeItem, compared: Mapping[str, Comparison], policy: LearnPolicy) -> bool:
    """Whether both say one thing: by their words, their values, or a mind that compared them."""
    known, said, values, comparison = old.content, new.content, (old.value, new.value), compared.get(old.id)
    is_one_field, has_none = old.attribute == new.attribute, None in (old.attribute, new.attribute)
    if fold(known) == fold(said) and (is_one_field or has_none):
        sounds_same = True
    elif has_none or (is_one_field and not is_single(old.attribute)):
        sounds_same = (not has_none and same(old.attribute, *values) and not _adds(known, said)) or (
            comparison is not None
            and comparison.same >= policy.same_at_least
            and _numbers(known) == _numbers(said)
            # allergic to pollen as well
            and not (is_one_field and all(values) and words_of(old.value or "").isdisjoint(words_of(new.value or "")))
            and not words_of(known) < words_of(said)
            and not _adds(known, said)
        )
    else:
        sounds_same = is_one_field and (same(old.attribute, *values) or _is_part(new.value, old.value))
    return (
        sounds_same
        and _same_moment(old, new)
        and not at_odds(known, said)  # seldom asked, for it takes longer
        and not turned_round(*values)
        and not _differ_in_name(old, new)
        and not _says_more(old, new)
    )


def _says_more(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether the person typed what is known and something more, which is not to be lost."""
    return new.validated and words_of(old.content) < words_of(new.content)


def _differ_in_name(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether two people go by one word, as a girlfriend and the one before her do: each is named, and not alike."""
    mine, theirs = (item.person.get("name") for item in (old, new))
    return mine is not None and theirs is not None and not names("name", mine, theirs)


def _adds(known: str, said: str) -> bool:
    """Whether a sentence names something else besides what is known: "Adora café e odeia chá" after "Adora café"."""
    parts, held = _CLAUSE.split(fold(said)), words_of(known)
    return len(parts) > 1 and any(held.isdisjoint(words_of(part)) for part in parts if part.strip())


def _tells_better(old: KnowledgeItem, new: KnowledgeItem, now: datetime) -> bool:
    """Whether what is read in a message now is what was kept of it whole, without knowing what it is about, or in its
    own words for part of the value.
    """
    if new.attribute is None or not old.is_current(now) or old.validated:
        return False
    if is_words(old.content):  # without an attribute, they stand for what they ended, or may have
        return old.attribute == new.attribute and words_of(old.value or "") <= words_of(new.value or "")
    is_whole = old.attribute is None and fold(old.content) != fold(new.content)
    return is_whole and overlap(old.content, new.content) >= GOAL_OVERLAP


def _came_true(old: KnowledgeItem, new: KnowledgeItem, now: datetime) -> bool:
    """Whether a value that was only planned is said to hold by now."""
    return is_single(old.attribute) and old.is_planned(now) and not new.is_planned(now)


def _same_moment(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Events are told apart by their day: two trips to one city are two, unless neither says when."""
    if new.type is not KnowledgeType.MEMORY or new.attribute in ENDS_A_GOAL:
        return True
    return abs(old.held_from - new.held_from) <= ONE_DAY or old.attribute != new.attribute


def _numbers(content: str) -> set[str]:
    return {word for word in fold(content).replace(",", " ").split() if any(map(str.isdigit, word))}


def _clash(
    old: KnowledgeItem,
    new: KnowledgeItem,
    changed: bool,
    said_at: datetime | None,
    comparison: Comparison | None,
    judged_by: str,
    policy: LearnPolicy,
    now: datetime,
) -> Clash | None:
    is_of_it = _says_more(old, new) and old.attribute == new.attribute and old.attribute is not None
    if (
        is_of_it
        and _same_moment(old, new)
        and not _differ_in_name(old, new)
        and same(old.attribute, old.value, new.value)
    ):
        return Clash(old, f"{old.attribute} {EXACTLY}", True)
    ruled = _by_rule(old, new, changed, said_at, now)
    if ruled is not None:
        return ruled
    if comparison is None or comparison.contradicts < policy.contradiction_at_least:
        return None
    if old.attribute is not None and new.attribute is not None:
        return None  # two things about one person, or two values where several may be true, stand side by side
    if new.type is KnowledgeType.MEMORY or old.type is KnowledgeType.MEMORY:
        return None  # what happened stays true whatever is said later
    why = comparison.why or "they disagree and no rule covers it"
    if not (old.validated or new.validated) and abs(new.confidence - old.confidence) >= policy.surer_by - ROUNDING:
        ended = prevails(old, new)
        return Clash(old, f"{why}; {ended.why}", ended.winner is new, comparison.contradicts, judged_by)
    return Clash(old, why, None, comparison.contradicts, judged_by)


def _by_rule(
    old: KnowledgeItem, new: KnowledgeItem, changed: bool, said_at: datetime | None, now: datetime
) -> Clash | None:
    """The attribute's own rule, an opposite taste, an ending, a goal that is over; None where no rule speaks."""
    if old.attribute is None or new.attribute is None:
        return None
    if OPPOSITES.get(old.attribute) == new.attribute:
        return _opposed(old, new) if same(None, old.value, new.value) else None
    if new.attribute.startswith(FORMER):
        is_of_it = old.attribute != new.attribute and old.attribute in fields_touched(new.attribute)
        return _ended(old, new, now) if is_of_it and old.attribute != "dislikes" else None
    if new.attribute in ENDS_A_GOAL:
        return _reached(old, new) if old.attribute == "goal" else None
    if old.attribute != new.attribute:
        return None
    if not is_single(old.attribute):
        return _restated(old, new, changed)
    if same(old.attribute, old.value, new.value):
        if _differ_in_name(old, new):
            return _over(old, new, f"{old.attribute} changed") if changed else None
        return Clash(old, f"a plan for the {old.attribute} came true", True) if _came_true(old, new, now) else None
    if new.value is None and not changed:
        return None  # it says something about the value held, and not another one
    if not old.validated and _is_part(old.value, new.value):
        return Clash(old, f"{old.attribute} {EXACTLY}", True)
    if old.attribute == "relation" and not changed and not (is_partner(old) and is_partner(new)):
        return Clash(old, "relation has two values and no rule covers it", None)  # or another of that name
    match judge(old, new, changed=changed, said_at=said_at, now=now):
        case Wins(winner, _, why):
            return Clash(old, why, winner is new)
        case Ask(why):
            return Clash(old, why, None)
        case BothStand():
            return None


def _restated(old: KnowledgeItem, new: KnowledgeItem, changed: bool) -> Clash | None:
    """The same thing with another figure or day: a dose is the newest one said, a date moves when the words say so."""
    if new.attribute not in DATED | DOSED or old.value is None or new.value is None:
        return None
    if not _plain(old.value) & _plain(new.value):
        return None
    mine, theirs = _figures(old.value), _figures(new.value)
    other_figure = bool(mine and theirs) and mine != theirs
    moved = changed and new.attribute in DATED and (other_figure or old.held_from.date() != new.held_from.date())
    dosed = new.attribute in DOSED and other_figure and (changed or new.held_from >= old.held_from)
    return _over(old, new, f"{new.attribute} changed") if moved or dosed else None


def medicine_in(value: str | None) -> frozenset[str]:
    """The words of a value that are no dose; none where a dose is said without its medicine."""
    return frozenset(_DOSE.sub(" ", fold(value or "")).split())


def _in_full(new: KnowledgeItem, held: Iterable[KnowledgeItem]) -> KnowledgeItem:
    """A dose said without its medicine ("aumentou para 75"), told of the medicine where only one is held."""
    said = _DOSE.fullmatch((new.value or "").strip()) if new.attribute == "medication" else None
    rows = [row for row in held if row.attribute == new.attribute and row.value is not None]
    doses = [list(_DOSE.finditer(text)) for row in rows for text in (row.content, row.value or "")]
    if said is None or len(rows) != 1 or any(len(found) != 1 for found in doses):
        return new

    def raised(text: str) -> str:
        return _DOSE.sub(lambda held: f"{said[1]} {said[2] or held[2] or ''}".strip(), text)

    content = raised(rows[0].content)
    return replace(new, content=content, title=titled(content), value=raised(rows[0].value or ""))


def _figures(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def _plain(text: str) -> frozenset[str]:
    """The words of a value that are no figures or units."""
    return frozenset(word for word in words_of(text) if len(word) > 3 and not any(map(str.isdigit, word)))


def _is_part(value: str | None, whole: str | None) -> bool:
    """Whether one value is the other said less exactly: "Recife" and "Boa Viagem, Recife"."""
    if value is None or whole is None or denies(value) or denies(whole):
        return False
    mine, theirs = words_of(value), words_of(whole)
    return bool(mine) and mine < theirs and not any(map(str.isdigit, "".join(mine)))


def _opposed(old: KnowledgeItem, new: KnowledgeItem) -> Clash | None:
    if new.held_from < old.held_from:
        return None
    verdict = prevails(old, new)
    if verdict.winner is old:
        return Clash(old, f"an opposite taste, but the earlier one is {verdict.why}", None)
    return Clash(old, "the taste turned", True)


def _ended(old: KnowledgeItem, new: KnowledgeItem, now: datetime) -> Clash | None:
    """Something is over; told of a time before the held value began, it was another time, and it may be yet to come.
    What is only planned may be called off at any time."""
    over = new.held_until or new.held_from
    if (over < old.held_from and not old.is_planned(now)) or over > now + ONE_DAY or _differ_in_name(old, new):
        return None
    if new.value is None and _is_of_one_message(old, new):  # "we got divorced" also says what they are now
        return None
    is_meant = is_single(old.attribute) if new.value is None else names_value(old, new.value) or is_partner(old)
    if not is_meant:
        return None
    return _over(old, new, f"{old.attribute} is over")


def names_value(old: KnowledgeItem, value: str) -> bool:
    """Whether what was said names the value held, in whatever form of its words."""
    return names(old.attribute, old.value, value) or (old.value is not None and overlap(old.value, value) == 1.0)


def is_partner(old: KnowledgeItem) -> bool:
    """Whether it says that somebody is the speaker's partner, whatever the word: a break-up ends it under any."""
    return old.attribute == "relation" and _PARTNER.search(fold(old.value or "")) is not None


def _reached(old: KnowledgeItem, new: KnowledgeItem) -> Clash | None:
    """A goal is over when what was reached or dropped names it."""
    if old.value is None or new.value is None or overlap(old.value, new.value) < GOAL_OVERLAP:
        return None
    return _over(old, new, "goal completed" if new.attribute == "achieved" else "goal dropped")


def _over(old: KnowledgeItem, new: KnowledgeItem, why: str) -> Clash:
    """The old one ends, unless it rests on more than the news: the person's word, or words at all."""
    if old.validated and not new.validated:
        return Clash(old, f"{why}, but the person had confirmed it", None)
    if new.source is Source.AI_INFERENCE and old.source is not Source.AI_INFERENCE:
        return Clash(old, f"{why}, but only by inference", None)
    return Clash(old, why, True)
