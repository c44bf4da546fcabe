"""When and how long, as people say it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from builders import NOW
from relembra.domain.jobs import AT_ONCE
from relembra.interfaces.times import ago, day, due, span
from relembra.locale import Words

EN, PT = Words("en", "names"), Words("pt", "names")


@pytest.mark.parametrize(
    ("seconds", "en", "pt"),
    [
        (0.004, "< 0.1 s", "< 0,1 s"),
        (0.3, "0.3 s", "0,3 s"),
        (42, "42 s", "42 s"),
        (300, "5 min", "5 min"),
        (4 * 3_600, "4 h", "4 h"),
        (3 * 86_400, "3 days", "3 dias"),
    ],
)
def test_a_length_of_time_is_said_in_its_largest_unit(seconds: float, en: str, pt: str) -> None:
    assert (span(EN, timedelta(seconds=seconds)), span(PT, timedelta(seconds=seconds))) == (en, pt)


@pytest.mark.parametrize(
    ("later", "said"),
    [
        (timedelta(), "agora"),
        (timedelta(hours=4), "hoje às 16:00 (em 4 h)"),
        (timedelta(hours=15), "amanhã às 03:00 (em 15 h)"),
        (timedelta(days=9), "10 mar 2026 às 12:00"),
        (timedelta(hours=-5), "atrasado há 5 h"),
    ],
)
def test_when_something_is_due_is_said_as_people_say_it(later: timedelta, said: str) -> None:
    assert due(PT, NOW + later, NOW, zone=UTC) == said


def test_what_is_due_whatever_the_clock_says_is_due_now() -> None:
    assert due(EN, AT_ONCE, NOW) == "now"
    assert ago(EN, NOW - timedelta(days=3), NOW) == "3 days ago"


def test_the_day_and_the_hour_are_those_of_the_readers_zone() -> None:
    recife = ZoneInfo("America/Recife")
    late = datetime(2026, 3, 2, 1, 30, tzinfo=UTC)
    assert due(PT, late, NOW, zone=UTC) == "amanhã às 01:30 (em 14 h)"
    assert due(PT, late, NOW, zone=recife) == "hoje às 22:30 (em 14 h)"
    assert (day(EN, late.date()), day(PT, late.date())) == ("Mar 2, 2026", "2 mar 2026")
