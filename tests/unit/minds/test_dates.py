"""Dates in prose: the example sets, and the rules the sets rest on, one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from examples import Example, examples, score
from loops import each
from relembra.minds.offline.calendar import DateMention, Precision
from relembra.minds.offline.dates import find_dates

WEDNESDAY = datetime(2024, 5, 15, 10, 0, tzinfo=timezone(timedelta(hours=-3)))


def reading(example: Example) -> list[dict[str, object]]:
    said_at = datetime.fromisoformat(example["said_at"])
    return [
        {
            "begins": found.begins.isoformat(),
            "ends": found.ends.isoformat(),
            "precision": found.precision.value,
            "kind": found.kind.value,
            "approximate": found.approximate,
        }
        for found in find_dates(example["text"], said_at=said_at, language=example["language"])
    ]


def only(text: str, *, language: str = "en", said_at: datetime = WEDNESDAY) -> DateMention:
    (found,) = find_dates(text, said_at=said_at, language="pt" if language == "pt" else "en")
    return found


@each([(split, language) for split in ["tune", "test"] for language in ["pt", "en"]])
def test_examples_are_read_as_expected(split: str, language: str) -> None:
    assert score(examples("dates", language=language, split=split), reading) >= 0.95


@each(["pt", "en"])
def test_nothing_is_found_where_there_is_no_date(language: str) -> None:
    undated = [one for one in examples("dates", language=language) if not one["expected"]]
    assert len(undated) >= 40
    assert score(undated, reading) >= 0.97


def test_whoever_knows_better_than_the_verbs_tells_where_a_day_lies() -> None:
    assert [one.begins.day for one in find_dates("Monday", said_at=WEDNESDAY, language="en", tense="past")] == [13]
    assert [one.begins.day for one in find_dates("I called on Monday", said_at=WEDNESDAY, tense="future")] == [20]


def test_intervals_are_half_open_and_in_the_speakers_zone() -> None:
    zone = ZoneInfo("America/Sao_Paulo")
    late = datetime(2024, 5, 16, 1, 30, tzinfo=UTC)  # still the 15th in São Paulo
    (found,) = find_dates("hoje", said_at=late.astimezone(zone), language="pt")
    assert found.begins == datetime(2024, 5, 15, tzinfo=zone)
    assert found.ends == datetime(2024, 5, 16, tzinfo=zone)


def test_a_written_offset_is_kept_to() -> None:
    found = only("2024-06-01T12:00:00Z")
    assert found.begins == datetime(2024, 6, 1, 12, tzinfo=UTC)
    assert found.begins.utcoffset() == timedelta(hours=-3)


def test_the_span_names_the_mention_even_with_loose_accents() -> None:
    text = "até que enfim: depois de amanha\u0303 viajo"
    found = only(text, language="pt")
    assert text[found.start : found.end] == found.text == "depois de amanha\u0303"


def test_without_a_language_the_text_is_asked() -> None:
    (portuguese,) = find_dates("a reunião é amanhã às 15h", said_at=WEDNESDAY)
    (english,) = find_dates("the meeting is tomorrow at 3 pm", said_at=WEDNESDAY)
    assert portuguese.begins == english.begins
    (unclear,) = find_dates("12/10/2023", said_at=WEDNESDAY)
    assert unclear.precision is Precision.DAY


def test_a_moment_without_timezone_is_refused() -> None:
    with pytest.raises(ValueError, match="timezone"):
        find_dates("today", said_at=datetime(2024, 5, 15), language="en")
