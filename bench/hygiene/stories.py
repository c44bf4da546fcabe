"""Stories: what a memory holds, has ended and asks after a person talked to it for months."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime

from bench.hygiene.labels import Label, Story
from bench.hygiene.learning import Clock, finished, held, learning, lived, shown, standing
from bench.hygiene.matching import Ties, assigned, fits, holds_words, same_subject, ties_of
from bench.hygiene.shares import Goal, count_row, share_row
from bench.table import Row
from relembra.domain.attributes import ENDS_A_GOAL, FORMER
from relembra.domain.case import Outcome
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.text import fold

MISSED_GOAL = 0.10
WRONG_GOAL = 0.01
DUPLICATES_GOAL = 0.03

Sides = tuple[KnowledgeItem, KnowledgeItem]
"""Both sides of an open case, the older first."""


@dataclass(frozen=True, slots=True)
class End:
    """A story's memory when it is over."""

    story: Story
    items: Sequence[KnowledgeItem]  # superseded ones too
    cases: Sequence[Sides]
    now: datetime


@dataclass(kw_only=True)
class StoryTally:
    """What was counted over stories; adds up."""

    wanted: int = 0  # items that must be current, without the optional ones
    found: int = 0
    to_end: int = 0  # items that must have ended, of those learnt
    never_learnt: int = 0  # the rest of them
    missed: int = 0  # still current
    to_stay: int = 0  # items learnt that should be current, and whatever was ended without need
    wrong: int = 0  # ended without need
    current: int = 0
    duplicates: int = 0
    junk: int = 0
    to_ask: int = 0
    asked: int = 0
    unexpected: int = 0  # open cases nobody expected
    remarks: list[str] = field(default_factory=list)

    def __add__(self, other: StoryTally) -> StoryTally:
        return StoryTally(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})


async def learnt(stories: Sequence[Story], told: Callable[[int], None] = lambda _: None) -> list[End]:
    """Live each story in its own person's memory; `told` hears how many are over."""
    clock = Clock()
    ends = []
    async with learning(clock) as memory:
        for number, story in enumerate(stories, start=1):
            await lived(memory, clock, story)
            items = await held(memory, story.owner, story.id)
            conflicts = await memory.conflicts(user=story.owner, tenant=story.id)
            sides = [(one.old, one.new) for one in conflicts if one.case.outcome is Outcome.OPEN]
            ends.append(End(story, items, sides, clock.now))
            told(number)
        await finished(memory)
    return ends


def counted(end: End) -> StoryTally:
    """Hold the end of a story against its labels."""
    story, items = end.story, end.items
    ties, stand = ties_of(items), standing(items)
    met = assigned(story.current, stand, ties)
    tally = StoryTally()
    _count_current(tally, story, stand, met)
    _count_ends(tally, end, ties)
    _count_wrong_ends(tally, story, items, ties)
    _count_leftovers(tally, story, stand, met, ties)
    _count_asked(tally, end, ties)
    tally.remarks = [f"{story.id} {remark}" for remark in tally.remarks]
    return tally


def rows(name: str, tally: StoryTally) -> Iterator[Row]:
    yield share_row(f"{name}, current items found", tally.found, tally.wanted)
    yield share_row(f"{name}, missed retirements", tally.missed, tally.to_end, Goal.most(MISSED_GOAL))
    yield share_row(f"{name}, to be retired but never learnt", tally.never_learnt, tally.to_end + tally.never_learnt)
    yield share_row(f"{name}, wrong retirements", tally.wrong, tally.to_stay, Goal.most(WRONG_GOAL))
    yield share_row(f"{name}, duplicates left", tally.duplicates, tally.current, Goal.most(DUPLICATES_GOAL))
    yield share_row(f"{name}, junk of all current", tally.junk, tally.current)
    yield share_row(f"{name}, asked what only the person knows", tally.asked, tally.to_ask)
    yield count_row(
        f"{name}, asked though nobody expected it", tally.unexpected, tally.unexpected + tally.asked, goal=None
    )


def _count_current(tally: StoryTally, story: Story, stand: Sequence[KnowledgeItem], met: dict[int, int]) -> None:
    tally.current = len(stand)
    for number, label in enumerate(story.current):
        if not label.optional:
            tally.wanted += 1
            tally.found += number in met
            if number not in met:
                tally.remarks.append(f"MISSED {label}")


def _count_ends(tally: StoryTally, end: End, ties: Ties) -> None:
    for label in end.story.retired:
        meant = [item for item in end.items if _is_it(label, item, end.story, ties)]
        still = [item for item in meant if item.is_current(end.now)]
        tally.to_end += bool(meant)
        tally.never_learnt += not meant
        tally.missed += bool(still)
        tally.remarks += [f"STILL CURRENT {shown(item)}" for item in still]


def _is_it(label: Label, item: KnowledgeItem, story: Story, ties: Ties) -> bool:
    """Whether an item is what a label says must end, and not what tells of the end or another thing still so.

    "Lived in Curitiba" and "moved away from Curitiba" hold the words of the residence that ended; the attribute tells
    them apart. One under an attribute nobody expected is it when it fits nothing else.
    """
    if not fits(label, item, ties):
        return False
    rivals = [other for other in story.current if fits(other, item, ties)]
    if item.attribute == label.attribute:
        return not any(other.attribute == item.attribute for other in rivals)
    return not rivals and not _tells_of_the_past(item)


def _tells_of_the_past(item: KnowledgeItem) -> bool:
    attribute = item.attribute or ""
    return attribute.startswith(FORMER) or attribute in ENDS_A_GOAL or attribute == "event"


def _count_wrong_ends(tally: StoryTally, story: Story, items: Sequence[KnowledgeItem], ties: Ties) -> None:
    stand = standing(items)
    by_id = {item.id: item for item in items}
    tally.to_stay = sum(any(fits(label, item, ties) for item in items) for label in story.current)
    for item in items:
        if item.superseded_at is None or item.deleted_at is not None:
            continue
        if any(_is_it(label, item, story, ties) for label in story.retired) or _made_exact(item, by_id):
            continue
        meant = [label for label in story.current if fits(label, item, ties)]
        if any(fits(label, other, ties) for label in meant for other in stand):
            continue  # the same thing stands, in better words
        if not meant and any(fits(label, item, ties) for label in story.retired):
            continue
        tally.wrong += 1
        tally.to_stay += not meant
        successor = by_id.get(item.superseded_by or "")
        tally.remarks.append(f"ENDED WITHOUT NEED {shown(item)} by {shown(successor) if successor else None}")


def _made_exact(item: KnowledgeItem, by_id: dict[str, KnowledgeItem]) -> bool:
    """Whether something later in its line says all that its value says: "Recife" ended by "Boa Viagem, Recife"."""
    words = fold(item.value or item.content).split()
    line = [item]
    while (successor := by_id.get(line[-1].superseded_by or "")) is not None and successor not in line:
        line.append(successor)
    return any(
        later.subject == item.subject
        and later.attribute == item.attribute
        and all(word in fold(f"{later.value or ''} {later.content}") for word in words)
        for later in line[1:]
    )


def _count_leftovers(
    tally: StoryTally, story: Story, stand: Sequence[KnowledgeItem], met: dict[int, int], ties: Ties
) -> None:
    """What stands beside the items expected: the same again, or junk. What was to be ended or asked is neither."""
    for number, item in enumerate(stand):
        if number in met.values():
            continue
        twins = [
            stand[met[place]] for place, label in enumerate(story.current) if place in met and fits(label, item, ties)
        ]
        if any(_same_again(item, twin) for twin in twins):
            tally.duplicates += 1
            tally.remarks.append(f"AGAIN {shown(item)}")
        elif not any(fits(label, item, ties) for label in (*story.current, *story.retired, *story.asked)):
            tally.junk += 1
            tally.remarks.append(f"JUNK {shown(item)}")


def _same_again(item: KnowledgeItem, twin: KnowledgeItem) -> bool:
    """Whether two items that fit one label are one thing said twice, and not a residence and the move to it."""
    if None in (item.attribute, twin.attribute) or item.attribute == twin.attribute:
        return True
    return bool(item.value) and fold(item.value or "") == fold(twin.value or "")


def _count_asked(tally: StoryTally, end: End, ties: Ties) -> None:
    tally.to_ask = len(end.story.asked)
    expected = set()
    for label in end.story.asked:
        hits = [
            number
            for number, sides in enumerate(end.cases)
            if any(same_subject(label, side, ties) for side in sides) and holds_words(label, *sides)
        ]
        tally.asked += bool(hits)
        expected.update(hits)
        if not hits:
            tally.remarks.append(f"NOT ASKED {label}")
    for number, (old, new) in enumerate(end.cases):
        if number not in expected:
            tally.unexpected += 1
            tally.remarks.append(f"ASKED {shown(old)} or {shown(new)}")
