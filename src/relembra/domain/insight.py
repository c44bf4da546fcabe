"""What is noticed of a person's days, and what is said of them once it recurs.

Noticing is for a mind, counting for `domain.recurrence`, and wording what is found for whoever stores it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from relembra.domain.knowledge import LifeArea
from relembra.domain.policy import InsightPolicy

FEELING = "feeling"  # is there or not, and may be about a topic
ACTIVITY = "activity"  # was done or not
STATE = "state"  # well or badly: sleep, energy, mood
AREA_MOOD = "area-mood"  # how talk about an area of life sounded

MOOD = "mood"

TOPIC_AREAS = {
    **dict.fromkeys(
        ("deadlines", "meetings", "presentations", "interviews", "boss", "clients", "colleagues", "work", "project"),
        LifeArea.CAREER,
    ),
    **dict.fromkeys(("debts", "money"), LifeArea.FINANCE),
    **dict.fromkeys(("exams", "thesis", "studies"), LifeArea.GROWTH),
    **dict.fromkeys(
        ("mother", "father", "siblings", "children", "partner", "ex", "family", "friends"), LifeArea.RELATIONSHIPS
    ),
    **dict.fromkeys(("health", "doctor", "body", "sleep"), LifeArea.HEALTH),
}
"""The area of life a topic of talk belongs to, where it belongs to one."""


class InsightKind(StrEnum):
    RECURRING = "recurring"  # the same feeling about the same topic, again and again
    WEEKDAY = "weekday"
    PART_OF_DAY = "part_of_day"
    MONTH = "month"  # one month of one year
    SEASON = "season"  # the same three months of several years
    STREAK = "streak"  # days or weeks running
    TOGETHER = "together"  # two things on the same day, or one the day after the other


class Part(StrEnum):
    """A part of the day, on the person's own clock."""

    MORNING = "morning"  # 5–12
    AFTERNOON = "afternoon"  # 12–18
    EVENING = "evening"  # 18–22
    NIGHT = "night"  # 22–5


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """Something days may have: a feeling (about a topic or not), an activity, a state, the mood of an area."""

    kind: str
    name: str
    topic: str = ""

    @property
    def key(self) -> str:
        return ".".join(part for part in (self.kind, self.name, self.topic) if part)

    @property
    def is_two_sided(self) -> bool:
        """Whether it may be well or badly, rather than there or not."""
        return self.kind in (STATE, AREA_MOOD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing noticed of one day; polarity −1: not there, or bad where it may be well or badly."""

    day: date  # on the person's own clock
    hour: int | None = None  # where the telling tells the hour: a feeling is told when it is felt, a run afterwards
    feature: Feature
    polarity: int = 1
    message_id: str | None = None
    item_id: str | None = None

    @property
    def weekday(self) -> int:
        return self.day.weekday()


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """Something that recurs more than chance gives, or as often as was asked for, and what speaks for it."""

    kind: InsightKind
    features: tuple[Feature, ...]  # of two: on which days, then what those days have
    signs: tuple[int, ...]  # of each feature: 1, or −1 for its bad side
    when: str = ""  # weekday:0, weekend, part:night, month:2026-06, season:2, days, weeks; same_day, next_day
    less: bool = False  # of two: such days have it less often
    count: int  # how often it was so
    of: int  # of how many
    other_count: int = 0  # and otherwise
    other_of: int = 0
    days: int  # on which anything was said
    chance: float | None = None  # p: how often chance alone gives as much; None: it was counted, not put to chance
    rate: float | None = None  # q: p once it is known how many were looked at
    confidence: float = 0.0
    since: date
    until: date
    message_ids: tuple[str, ...] = ()  # the newest first
    item_ids: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What tells it from others, whatever its numbers are."""
        parts = [f"{one.key}{'+' if sign > 0 else '-'}" for one, sign in zip(self.features, self.signs, strict=True)]
        return "|".join([self.kind, *parts, *([self.when] if self.when else []), *(["less"] if self.less else [])])

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def other_share(self) -> float:
        return self.other_count / self.other_of if self.other_of else 0.0

    @property
    def support(self) -> int:
        """The days that speak for it."""
        return self.of - self.count if self.less else self.count


def part_of(hour: int) -> Part:
    if 5 <= hour < 12:
        return Part.MORNING
    if 12 <= hour < 18:
        return Part.AFTERNOON
    return Part.EVENING if 18 <= hour < 22 else Part.NIGHT


def confidence_of(support: int, rate: float | None, policy: InsightPolicy) -> float:
    """How sure an insight is, from `weakest` to below `strongest`: more with every day, less the likelier by chance.

    weakest + (strongest − weakest) · days / (days + halfway_days) · (1 − q / keep_level)
    """
    sure = 1.0 if rate is None else max(0.0, 1.0 - rate / policy.keep_level) if policy.keep_level else 0.0
    many = support / (support + policy.halfway_days)
    return round(policy.weakest + (policy.strongest - policy.weakest) * many * sure, 4)


def is_new_enough(insight: Insight, policy: InsightPolicy) -> bool:
    """Whether it may be told for the first time; what was told before stays up to `keep_level`."""
    return insight.rate is None or insight.rate <= policy.level
