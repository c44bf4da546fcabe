from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, a_note, an_item, days
from loops import each
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import LIFE
from relembra.night.gardener import WEEK, faded, is_restless, put_away, tokens_for, turned, used_priority

GARDEN = LIFE.garden


def a_feeling(**changes: Any) -> KnowledgeItem:
    return an_item(**{"type": KnowledgeType.EMOTION, "content": "Anda ansiosa com os prazos", "weight": 0.8} | changes)


def tended(item: KnowledgeItem, *visits: datetime) -> KnowledgeItem:
    """What a gardener who comes at these moments leaves."""
    for now in visits:
        turn = turned(item, now, LIFE)
        if turn is not None:
            assert isinstance(turn.row, KnowledgeItem)
            item = turn.row
    return item


def test_it_is_put_away_once_it_weighs_less_than_three_tenths() -> None:
    assert tended(a_feeling(weight=0.5), NOW + days(14)).archived_at is None
    turn = turned(a_feeling(weight=0.5), NOW + days(21), LIFE)
    assert turn is not None
    assert isinstance(turn.row, KnowledgeItem)
    assert (turn.verb, turn.row.weight, turn.row.archived_at) == ("archive", 0.2, NOW + days(21))
    assert (turn.row.version, turn.numbers) == (2, {"weeks": 3, "before": 0.5, "after": 0.2, "under": 0.3})


moments = st.timedeltas(timedelta(), timedelta(days=200)).map(lambda time: NOW + time)
feelings = st.builds(
    a_feeling,
    weight=st.integers(0, 100).map(lambda number: number / 100),
    reinforced_at=st.none() | st.timedeltas(timedelta(days=-9), timedelta(days=9)).map(lambda time: NOW + time),
)


@given(feelings, moments)
def test_a_second_look_in_the_same_moment_changes_nothing(item: KnowledgeItem, now: datetime) -> None:
    once = tended(item, now)
    assert turned(once, now, LIFE) is None
    assert faded(once, now, LIFE.decay) is once or once.archived_at is not None


@each([{"validated": True}, {"needs_resolution": True}, {"deleted_at": NOW}])
def test_what_was_confirmed_is_in_question_or_gone_is_untouched(changes: dict[str, Any]) -> None:
    assert turned(a_feeling(**changes), NOW + days(900), LIFE) is None
    assert turned(an_item(accesses=40, last_access=NOW, **changes), NOW, LIFE) is None
    assert is_restless(a_feeling(validated=True), NOW, GARDEN) is False


def test_what_was_taken_out_of_the_archive_stays_for_a_week() -> None:
    item, now = a_feeling(weight=0.2), NOW + days(30)
    assert turned(item, now, LIFE, now - days(6)) is None
    again = turned(item, now, LIFE, now - WEEK)
    assert again is not None
    assert again.verb == "archive"


@each(
    [
        (0, 0, 6),
        (1, 0, 7),
        (2, 0, 7),
        (3, 29, 8),
        (15, 0, 10),
        (400, 0, 10),
        (3, 30, 7),
        (3, 300, 4),
        (0, 30, 5),
        (0, 999, 4),
    ]
)
def test_use_raises_a_priority_and_idle_months_lower_it(accesses: int, idle: int, priority: int) -> None:
    item = an_item(accesses=accesses, last_access=NOW if accesses else None)
    assert used_priority(item, NOW + days(idle), GARDEN) == priority
    happened = replace(item, type=KnowledgeType.MEMORY)
    assert used_priority(happened, NOW + days(idle), GARDEN) == min(10, priority + 2)


def test_who_somebody_is_never_sinks_below_the_usual() -> None:
    later = NOW + days(999)
    assert used_priority(an_item(attribute="residence", value="Recife"), later, GARDEN) == 6
    assert used_priority(an_item(type=KnowledgeType.PERSON, attribute="relation"), later, GARDEN) == 6
    assert used_priority(an_item(attribute="likes", value="chá"), later, GARDEN) == 4


@each([Source.USER_INPUT, Source.IMPORT])
def test_a_priority_somebody_gave_is_theirs(source: Source) -> None:
    assert turned(an_item(source=source, priority=8), NOW + days(999), LIFE) is None


used = st.builds(
    an_item, accesses=st.integers(0, 99), last_access=st.none() | moments, priority=st.integers(1, 10),
    attribute=st.sampled_from((None, "residence", "likes")),
)  # fmt: skip


@given(used, moments)
def test_a_priority_is_moved_once_and_stays_in_bounds(item: KnowledgeItem, now: datetime) -> None:
    once = tended(item, now)
    assert 4 <= once.priority <= 10
    assert turned(once, now, LIFE) is None
    turn = turned(item, now, LIFE)
    if turn is not None:
        assert (turn.verb == "raise") == (once.priority > item.priority)


@each(
    [
        (NoteKind.CONVERSATION, 13.9, False),
        (NoteKind.CONVERSATION, 14, True),
        (NoteKind.TOPIC_CLUSTER, 364, False),
        (NoteKind.TOPIC_CLUSTER, 365, True),
        (NoteKind.WEEKLY, 365, True),
        (NoteKind.MONTHLY, 9999, False),
        (NoteKind.APPOINTMENT, 9999, False),
        (NoteKind.DOCUMENT, 9999, False),
        (NoteKind.SESSION, 9999, False),
    ]
)
def test_a_note_is_put_away_when_its_time_is_over(kind: NoteKind, age: float, goes: bool) -> None:
    turn = put_away(a_note(kind=kind), NOW + days(age), LIFE)
    assert (turn is not None) == goes


def test_looking_at_a_note_or_taking_it_out_keeps_it_at_hand() -> None:
    now = NOW + days(20)
    assert put_away(a_note(last_access=NOW + days(10)), now, LIFE) is None
    assert put_away(a_note(), now, LIFE, NOW + days(10)) is None
    turn = put_away(a_note(last_access=NOW + days(6)), now, LIFE)
    assert turn is not None
    assert isinstance(turn.row, Note)
    assert (turn.row.archived_at, turn.numbers) == (now, {"days": 14})
    assert put_away(turn.row, now, LIFE) is None


def test_an_old_note_is_told_in_fewer_words_and_an_older_one_in_fewer_still() -> None:
    ages = {age: tokens_for(a_note(), NOW + days(age), GARDEN) for age in (29, 30, 89, 90)}
    assert ages == {29: None, 30: 80, 89: 80, 90: 40}
    assert tokens_for(a_note(kind=NoteKind.MONTHLY), NOW + days(999), GARDEN) is None
