"""The night hour on everybody's own clock: each night once, also where the clock is put forward or back."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.domain.jobs import at_hour, clock_of, month_over, next_night, night_of, week_over
from relembra.domain.time import local

ZONES = (
    "Europe/Lisbon",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "America/Havana",  # its clock leaps over midnight
    "Africa/Casablanca",  # goes back for a month
    "Australia/Lord_Howe",  # moves by half an hour
    "Antarctica/Troll",  # moves by two hours
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Chatham",
    "UTC",
    "+05:30",
    "-12:00",
    "+14:00",
    "Nowhere/AtAll",
)
HOURS = (0.0, 0.25, 2.0, 2.5, 3.0, 3.0 + 10 / 60, 12.0, 23.5)
moments = st.datetimes(datetime(2024, 1, 1), datetime(2029, 12, 31)).map(lambda moment: moment.replace(tzinfo=UTC))
zones = st.sampled_from(ZONES)
hours = st.sampled_from(HOURS)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]  # plain numbers


@each(
    [
        ("Europe/Lisbon", date(2026, 1, 10), utc(2026, 1, 10, 3)),
        ("Europe/Lisbon", date(2026, 7, 10), utc(2026, 7, 10, 2)),
        ("Europe/Lisbon", date(2026, 3, 29), utc(2026, 3, 29, 2)),  # forward at 01:00
        ("Europe/Lisbon", date(2026, 10, 25), utc(2026, 10, 25, 3)),  # back at 02:00
        ("America/New_York", date(2026, 3, 7), utc(2026, 3, 7, 8)),
        ("America/New_York", date(2026, 3, 8), utc(2026, 3, 8, 7)),  # from 02:00 to 03:00: three comes at once
        ("America/New_York", date(2026, 11, 1), utc(2026, 11, 1, 8)),
        ("America/Sao_Paulo", date(2026, 12, 25), utc(2026, 12, 25, 6)),
        ("Australia/Lord_Howe", date(2026, 4, 5), utc(2026, 4, 4, 16, 30)),  # back by half an hour at 02:00
        ("Australia/Lord_Howe", date(2026, 10, 4), utc(2026, 10, 3, 16)),
        ("Antarctica/Troll", date(2026, 10, 25), utc(2026, 10, 25, 3)),
        ("+05:30", date(2026, 3, 8), utc(2026, 3, 7, 21, 30)),
        ("-03:00", date(2026, 3, 8), utc(2026, 3, 8, 6)),
        ("Nowhere/AtAll", date(2026, 3, 8), utc(2026, 3, 8, 3)),
        ("", date(2026, 3, 8), utc(2026, 3, 8, 3)),
        ("../etc/passwd", date(2026, 3, 8), utc(2026, 3, 8, 3)),
    ]
)
def test_three_strikes_when_the_clock_there_says_so(zone: str, day: date, strikes: datetime) -> None:
    assert (at_hour(day, 3.0, zone), night_of(strikes, zone, hour=3.0)) == (strikes, day)
    assert night_of(strikes - timedelta(microseconds=1), zone, hour=3.0) == day - timedelta(days=1)
    assert next_night(strikes - timedelta(microseconds=1), zone, hour=3.0) == strikes
    assert next_night(strikes, zone, hour=3.0) > strikes


def test_an_hour_the_clock_leaps_over_strikes_when_it_would_have_without_the_leap() -> None:
    """In Berlin 02:00 was followed by 03:00 at 01:00 UTC, at Troll 01:00 by 03:00."""
    assert at_hour(date(2026, 3, 29), 2.5, "Europe/Berlin") == utc(2026, 3, 29, 1, 30)
    assert at_hour(date(2026, 3, 29), 2.5, "Antarctica/Troll") == utc(2026, 3, 29, 2, 30)
    assert next_night(utc(2026, 3, 29, 1, 29), "Europe/Berlin", hour=2.5) == utc(2026, 3, 29, 1, 30)
    assert next_night(utc(2026, 3, 29, 1, 30), "Europe/Berlin", hour=2.5) == utc(2026, 3, 30, 0, 30)


@given(moments, zones, hours)
def test_the_next_night_is_later_and_the_first_of_its_day(moment: datetime, zone: str, hour: float) -> None:
    due = next_night(moment, zone, hour=hour)
    assert moment < due <= moment + timedelta(hours=26)
    assert night_of(due, zone, hour=hour) == night_of(moment, zone, hour=hour) + timedelta(days=1)
    assert night_of(due - timedelta(microseconds=1), zone, hour=hour) == night_of(moment, zone, hour=hour)


@given(moments, st.sampled_from(ZONES[:-1]))
def test_a_week_is_told_on_the_monday_after_it_and_no_later_one(moment: datetime, zone: str) -> None:
    due = local(week_over(moment, zone, hour=3.5), zone)
    said = local(moment, zone).date()
    assert due.weekday() == 0
    assert timedelta(days=1) <= due.date() - said <= timedelta(days=7)


@given(moments, st.sampled_from(ZONES[:-1]))
def test_a_month_is_told_on_the_first_after_it_and_no_later_one(moment: datetime, zone: str) -> None:
    due = local(month_over(moment, zone, hour=3.0 + 40 / 60), zone)
    said = local(moment, zone).date()
    assert timedelta(days=1) <= due.date() - said <= timedelta(days=31)
    assert due.day == 1


@each(
    [
        ("-04:00", utc(2026, 10, 31, 20), "America/New_York", "America/New_York"),
        ("-05:00", utc(2026, 11, 2, 20), "America/New_York", "America/New_York"),
        ("-04:00", utc(2026, 11, 2, 20), "America/New_York", "-04:00"),  # no longer home's
        ("+00:00", utc(2026, 3, 28, 20), "Europe/Lisbon", "Europe/Lisbon"),
        ("+00:00", utc(2026, 3, 29, 20), "Europe/Lisbon", "+00:00"),
        ("+09:00", utc(2026, 3, 28, 20), "Europe/Lisbon", "+09:00"),  # somebody travels
        ("Asia/Tokyo", utc(2026, 3, 28, 20), "Europe/Lisbon", "Asia/Tokyo"),
        ("Europe/London", utc(2026, 3, 28, 20), "Europe/Lisbon", "Europe/London"),
        ("+00:00", utc(2026, 3, 28, 20), "", "+00:00"),
        ("-05:00", utc(1, 1, 1), "America/New_York", "-05:00"),  # the first day there is
        ("+00:00", utc(9999, 12, 31, 23, 59), "Asia/Tokyo", "+00:00"),
    ]
)
def test_an_offset_is_read_as_the_clock_at_home_where_that_shows_the_same(
    zone: str, moment: datetime, home: str, clock: str
) -> None:
    assert clock_of(zone, moment, home) == clock
