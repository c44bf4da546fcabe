"""When night work is due: on each person's own clock, through changes of that clock too."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfoNotFoundError

from relembra.domain.moment import local

_DAY = timedelta(days=1)


def at_hour(day: date, hour: float, zone: str) -> datetime:
    """The moment, in UTC, at which that hour strikes there that day.

    An hour the clock leaps over strikes when it would have without the leap; one that comes twice, the first time.
    """
    wall = datetime.combine(day, time()) + timedelta(hours=hour)
    return wall.replace(tzinfo=on_clock(datetime.combine(day, time(12), UTC), zone).tzinfo).astimezone(UTC)


def next_night(after: datetime, zone: str, *, hour: float) -> datetime:
    """The first moment after the given one at which that hour strikes there."""
    day = on_clock(after, zone).date() - _DAY
    while (due := at_hour(day, hour, zone)) <= after:
        day += _DAY
    return due


def night_of(moment: datetime, zone: str, *, hour: float) -> date:
    """The day whose night hour was the last to strike there."""
    day = on_clock(moment, zone).date()
    return day if at_hour(day, hour, zone) <= moment else day - _DAY


def week_over(moment: datetime, zone: str, *, hour: float) -> datetime:
    """The night hour of the Monday after the week a moment lies in, there."""
    day = on_clock(moment, zone).date()
    return at_hour(day + timedelta(days=7 - day.weekday()), hour, zone)


def month_over(moment: datetime, zone: str, *, hour: float) -> datetime:
    """The night hour of the first day after the month a moment lies in, there."""
    day = on_clock(moment, zone).date()
    return at_hour((day.replace(day=28) + timedelta(days=4)).replace(day=1), hour, zone)


def clock_of(zone: str, moment: datetime, home: str) -> str:
    """The clock nights go by: home's, where only an offset was given and home's clock showed the same at that moment.

    An offset does not tell when its clock changes; somebody away from home keeps the one given.
    """
    if not home or zone[:1] not in ("+", "-"):
        return zone
    try:
        return home if on_clock(moment, home).utcoffset() == on_clock(moment, zone).utcoffset() else zone
    except OverflowError:  # at the ends of the calendar
        return zone


def on_clock(moment: datetime, zone: str) -> datetime:
    """The moment on a clock; one nobody knows is read as UTC."""
    try:
        return local(moment, zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return moment.astimezone(UTC)
