"""Days and hours in one manner: as the engine writes them in reports, by the reader's own clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from relembra.interfaces.web.templates import Clockface
from relembra.locale import Words

NOW = datetime(2026, 11, 16, 7, 10, tzinfo=UTC)


def clock(language: str, *, hours: float = 0) -> Clockface:
    return Clockface(Words(language, "web", "names"), timezone(timedelta(hours=hours)), NOW)


@pytest.mark.parametrize(("language", "said"), [("en", ("Mar 3", "Mar 3, 2025")), ("pt", ("3 mar", "3 mar 2025"))])
def test_a_day_tells_its_year_unless_it_is_this_one(language: str, said: tuple[str, str]) -> None:
    assert (clock(language).day(date(2026, 3, 3)), clock(language).day(date(2025, 3, 3))) == said


@pytest.mark.parametrize(
    ("language", "hours", "said"),
    [
        ("en", 0, "Nov 16, 2026, 07:10 (UTC)"),
        ("pt", -3, "16 nov 2026, 04:10 (UTC−03:00)"),
        ("en", 5.5, "Nov 16, 2026, 12:40 (UTC+05:30)"),
        ("pt", -8, "15 nov 2026, 23:10 (UTC−08:00)"),
    ],
)
def test_a_moment_to_keep_tells_its_year_and_its_clock(language: str, hours: float, said: str) -> None:
    assert clock(language, hours=hours).exact(NOW) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "October 26 – November 1, 2026"), ("pt", "26 de outubro a 1 de novembro de 2026")],
)
def test_days_running_are_said_as_the_title_of_their_report(language: str, said: str) -> None:
    assert clock(language).days(date(2026, 10, 26), date(2026, 11, 1)) == said


@pytest.mark.parametrize(("language", "said"), [("en", "tomorrow at 03:10"), ("pt", "amanhã às 03:10")])
def test_what_is_due_soon_is_said_in_words(language: str, said: str) -> None:
    assert clock(language).due(datetime(2026, 11, 17, 3, 10, tzinfo=UTC)).startswith(said)
