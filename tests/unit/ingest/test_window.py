"""The conversation at hand: where it begins, and what of it is told briefly."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, a_message, minutes
from relembra.domain.message import Message
from relembra.ingest.intake import compressed, session
from relembra.minds.offline.wordpiece import OfflineTokens

HOUR = timedelta(hours=1)
TOKENS = OfflineTokens()


def at(*ago: float) -> list[Message]:
    """Messages sent so many minutes ago, as a store gives them."""
    return [a_message(sent_at=NOW - minutes(number)) for number in ago]


def test_a_session_goes_back_to_the_first_idle_hour() -> None:
    rows = at(5, 50, 110, 171, 180)
    assert session(rows, NOW, HOUR) == rows[2::-1]


def test_an_idle_hour_until_now_ends_it() -> None:
    assert (session(at(61, 62), NOW, HOUR), len(session(at(60, 62), NOW, HOUR))) == ([], 2)
    assert session([], NOW, HOUR) == []


def test_a_message_from_the_future_belongs_to_it() -> None:
    assert len(session(at(-5, 10), NOW, HOUR)) == 2


def test_the_oldest_are_told_briefly_once_there_is_too_much() -> None:
    rows = [a_message(text=f"{number} " + "words " * 50) for number in range(6)]
    cost = TOKENS.count(rows[0].text)
    assert compressed(rows, TOKENS, 6 * cost) == ([], rows)
    assert compressed(rows, TOKENS, 6 * cost - 1) == (rows[:1], rows[1:])
    assert compressed(rows, TOKENS, 2 * cost) == (rows[:4], rows[4:])


def test_the_last_message_is_always_shown() -> None:
    rows = [a_message(text="words " * 500) for _ in range(2)]
    assert (compressed(rows, TOKENS, 1), compressed([], TOKENS, 1)) == ((rows[:1], rows[1:]), ([], []))


@given(st.lists(st.text(max_size=200), max_size=8), st.integers(0, 300))
def test_nothing_is_lost_and_only_the_last_one_may_be_too_long(texts: list[str], most: int) -> None:
    rows = [a_message(text=text) for text in texts]
    told, shown = compressed(rows, TOKENS, most)
    assert told + shown == rows
    assert len(shown) <= 1 or sum(TOKENS.count(message.text) for message in shown) <= most
    if told:
        assert sum(TOKENS.count(message.text) for message in [told[-1], *shown]) > most
