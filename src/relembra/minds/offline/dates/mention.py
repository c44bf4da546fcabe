"""What a date in prose amounts to: the values the finder returns, and the half-read ones it works with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from relembra.minds.languages import Language

Tense = Literal["past", "future"]


class Precision(StrEnum):
    """How exactly something was dated, finest first. A semester counts as quarters."""

    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"


class Kind(StrEnum):
    """A moment happens once; a duration says how long; a recurring mention holds its occurrence now or next."""

    MOMENT = "moment"
    DURATION = "duration"
    RECURRING = "recurring"


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """`text[start:end]` of a message names the interval from `begins` up to, not including, `ends`."""

    start: int
    end: int
    text: str
    begins: datetime
    ends: datetime
    precision: Precision
    kind: Kind = Kind.MOMENT
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """An interval on the speaker's wall clock, before it is given a timezone."""

    begins: datetime
    ends: datetime
    precision: Precision
    kind: Kind = Kind.MOMENT
    approximate: bool = False
    floating: bool = False  # the year (or week) was chosen, not said: another occurrence may be meant
    weekday: bool = False  # named only by its weekday
    zoned: bool = False  # begins and ends carry a timezone already


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A stretch of some day, counted from its midnight."""

    begins: timedelta
    ends: timedelta
    precision: Precision
    alone: bool = True  # False: too weak to date anything without a day beside it ("de manhã")
    loose: bool = False  # said without morning or afternoon: "at 8" may be 20:00
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """From where a mention is read: the speaker's clock, and the tense around it."""

    now: datetime  # wall clock, without timezone
    language: Language
    raw: str = ""  # the text with its capitals, index for index
    tense: Tense | None = None
    nearest: bool = False  # a further occurrence may begin today: used when the other end of a range is known

    @property
    def today(self) -> datetime:
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def past(self) -> bool:
        return self.tense == "past"
