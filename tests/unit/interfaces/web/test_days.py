"""Days as addresses name them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from relembra.interfaces.web.days import NoDayError, Period, end_of, last_month, next_month, read_day, start_of

SAO_PAULO = ZoneInfo("America/Sao_Paulo")


def test_a_day_is_read_as_a_date_field_sends_it() -> None:
    assert read_day("2026-03-01") == date(2026, 3, 1)
    assert read_day("") is None


@pytest.mark.parametrize("text", ["tomorrow", "2026-02-30", "0001-01-01", "9999-12-31", "<script>"])
def test_anything_else_is_no_day(text: str) -> None:
    with pytest.raises(NoDayError):
        read_day(text)


def test_a_day_begins_and_ends_on_the_readers_clock() -> None:
    day = date(2026, 3, 1)
    assert start_of(day, SAO_PAULO) == datetime(2026, 3, 1, 3, tzinfo=UTC)
    assert end_of(day, SAO_PAULO) == datetime(2026, 3, 2, 3, tzinfo=UTC)
    short = date(2026, 3, 29)  # an hour is leapt over
    berlin = ZoneInfo("Europe/Berlin")
    assert (end_of(short, berlin) - start_of(short, berlin)).total_seconds() == 23 * 3600


def test_a_period_has_bounds_or_none() -> None:
    period = Period.read("2026-02-01", "2026-02-28")
    assert period.since(UTC) == datetime(2026, 2, 1, tzinfo=UTC)
    assert period.until(UTC) == datetime(2026, 3, 1, tzinfo=UTC)
    assert period.month == date(2026, 2, 1)
    assert period.query == {"from": "2026-02-01", "to": "2026-02-28"}
    assert (Period().since(UTC), Period().until(UTC), Period().month) == (None, None, None)
    assert Period.read("2026-02-01", "2026-02-27").month is None
    assert Period.of_year(date(2024, 2, 29)) == Period(date(2024, 1, 1), date(2024, 12, 31))


def test_a_period_does_not_end_before_it_begins() -> None:
    with pytest.raises(NoDayError):
        Period.read("2026-03-02", "2026-03-01")


def test_months_follow_each_other() -> None:
    assert next_month(date(2026, 1, 31)) == date(2026, 2, 1)
    assert next_month(date(2026, 12, 5)) == date(2027, 1, 1)
    assert last_month(date(2026, 1, 31)) == date(2025, 12, 1)
