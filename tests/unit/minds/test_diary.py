"""What messages tell of a day, in both languages: who did it, whether it was so, and which day it was."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime

from builders import NOW, a_message, an_item, ids_of
from examples import DATA
from loops import each
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Message
from relembra.minds.offline.diary import OfflineObserver, noticed

WEDNESDAY = 2
SAID = tomllib.loads((DATA / "diary.toml").read_text(encoding="utf-8"))


@each([(key, text) for key, texts in SAID["told"].items() for text in texts])
def test_what_is_told(key: str, text: str) -> None:
    found = {f"{one.feature.key}{'+' if one.polarity > 0 else '-'}" for one in noticed(text, WEDNESDAY)}
    assert key in found
    assert key[:-1] + ("-" if key[-1] == "+" else "+") not in found


@each(SAID["silent"])
def test_what_tells_nothing_of_ones_own_day(text: str) -> None:
    assert noticed(text, WEDNESDAY) == []


@each([
        ("Ontem corri 5 km", 1), ("No sábado corri 10 km", 4), ("anteontem fui correr", 2), ("corri hoje", 0),
        ("Yesterday I ran 5k.", 1), ("On Saturday I went hiking", 4), ("I went running", 0),
    ])  # fmt: skip
def test_the_day_that_is_meant(text: str, days_ago: int) -> None:
    assert [(one.feature.name, one.days_ago) for one in noticed(text, WEDNESDAY)] == [("exercise", days_ago)]


@each(["Ontem à noite dormi mal", "Yesterday night I slept badly"])
def test_last_night_belongs_to_this_morning(text: str) -> None:
    assert [(one.feature.name, one.days_ago) for one in noticed(text, WEDNESDAY)] == [("sleep", 0)]


def test_a_million_characters_are_read_in_part() -> None:
    assert noticed("Dormi mal. " + "não " * 250_000, WEDNESDAY) == noticed("Dormi mal.", WEDNESDAY)


def spoken(text: str, hour: int = 22) -> Message:
    return a_message(text=text, sent_at=datetime(2026, 3, 2, hour, 30, tzinfo=UTC), zone="-03:00")


async def test_a_day_is_the_speakers_own() -> None:
    [late] = await OfflineObserver().observe([spoken("estou ansiosa", hour=2)])
    assert (late.day.isoformat(), late.day.weekday()) == ("2026-03-01", 6)
    [elsewhere] = await OfflineObserver().observe([a_message(text="estou ansiosa", zone="Moon/Tranquility")])
    assert elsewhere.day == NOW.date()


async def test_a_feeling_that_was_learnt_counts_on_the_days_it_was_said() -> None:
    said = [spoken("that again…"), spoken("I'm anxious about deadlines")]
    item = an_item(
        type=KnowledgeType.EMOTION, value="anxious about deadlines", message_ids=(said[0].id, said[1].id, "gone")
    )
    found = await OfflineObserver().observe(said, [item, an_item(value="anxious about deadlines")])
    assert [(one.feature.key, one.message_id) for one in found] == [
        ("feeling.anxious.deadlines", said[1].id),
        ("feeling.anxious.deadlines", said[0].id),
    ]


async def test_what_others_feel_or_say_one_feels_is_no_feeling_of_ones_own() -> None:
    said = [spoken("that again…"), spoken("de novo isso")]
    theirs = an_item(
        type=KnowledgeType.EMOTION, subject="sister", value="sad about the divorce", message_ids=tuple(ids_of(said))
    )
    claimed = an_item(
        type=KnowledgeType.EMOTION, speaker="Bia", value="triste com o divórcio", message_ids=tuple(ids_of(said))
    )
    assert await OfflineObserver().observe(said, [theirs, claimed]) == []
    own = replace(claimed, speaker=None)
    assert len(await OfflineObserver().observe(said, [theirs, own])) == 2
