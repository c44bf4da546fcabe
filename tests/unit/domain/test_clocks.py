"""Whose clock nights go by where only an offset was given."""

from __future__ import annotations

from datetime import UTC, datetime

from loops import each
from relembra.domain.jobs import clock_of


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]  # plain numbers


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
