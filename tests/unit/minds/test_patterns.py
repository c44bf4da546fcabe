"""No pattern that reads what people say can be made to work for ever: each is given its worst."""

from __future__ import annotations

import re
import signal
import time
from types import FrameType

import pytest

from builders import NOW
from hostile import hostile_texts, patterns_of, quoting_texts
from relembra.domain.text import collapsed
from relembra.minds.languages import LANGUAGES
from relembra.minds.offline.date_grammar import grammar_of
from relembra.minds.offline.diary import lexicon_of, noticed
from relembra.minds.reader.facts import claims_nothing, gives_orders, read, without_quotations
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import LONGEST_READ
from relembra.minds.reader.wording import vocabulary
from relembra.views.appointment import lexicon as health_words

READING = (
    "relembra.minds",
    "relembra.views",
    "relembra.learn",
    "relembra.recall",
    "relembra.ingest",
    "relembra.domain",
)
FIRST = 250  # characters; then twice and four times as many
GIVEN_UP_SECONDS = 1.0
SLOW_SECONDS = 0.25  # a quick machine takes a tenth of it for the slowest pattern there is
STEEPEST = 45.0  # four times the text, so many times the work: a square is 16, a cube 64
TRIES = 4


class OutOfPatienceError(Exception):
    """A search was broken off."""


def _broken_off(_: int, __: FrameType | None) -> None:
    raise OutOfPatienceError


def seconds(pattern: re.Pattern[str], text: str, *, quick: float, tries: int) -> float:
    """The shortest of some tries, or the first that is quick: others work on this machine too."""
    best = GIVEN_UP_SECONDS
    for _ in range(tries):
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, GIVEN_UP_SECONDS)
        try:
            pattern.search(text)
        except OutOfPatienceError:
            continue
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        best = min(best, time.process_time() - begun)
        if best < quick:
            break
    return best


def steep(pattern: re.Pattern[str], *, tries: int = TRIES) -> str | None:
    """The text that makes a pattern slow, and by more than its length squared."""
    for before, part in hostile_texts(pattern):
        texts = [collapsed(before + part * (size // len(part) + 1)) + "\x01" for size in (FIRST, 2 * FIRST, 4 * FIRST)]
        first = seconds(pattern, texts[0], quick=0.002, tries=tries)
        if first < 0.002 and (first < 0.0005 or seconds(pattern, texts[1], quick=0.01, tries=tries) < 0.01):
            continue
        given_up = first >= GIVEN_UP_SECONDS  # and a longer text would be so as well
        last = first if given_up else seconds(pattern, texts[2], quick=SLOW_SECONDS, tries=tries)
        if last >= SLOW_SECONDS and (last >= GIVEN_UP_SECONDS or last / first > STEEPEST):
            return f"{before!r} and then {part!r}: {first:.4f} s, with four times as many {last:.4f} s"
    return None


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a search cannot be broken off here")
def test_no_pattern_takes_more_than_the_square_of_a_texts_length() -> None:
    earlier = signal.signal(signal.SIGVTALRM, _broken_off)
    try:
        found = patterns_of(
            *READING,
            health=health_words(),
            **{f"{language} diary": lexicon_of(language) for language in LANGUAGES},
            **{f"{language} dates": grammar_of(language) for language in LANGUAGES},
            **{f"{language} wording": vocabulary(language) for language in LANGUAGES},
        )
        slow = {where: told for where, pattern in found.items() if (told := steep(pattern))}
    finally:
        signal.signal(signal.SIGVTALRM, earlier)
    assert len(found) > 300  # the walk finds what there is
    assert slow == {}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a search cannot be broken off here")
@pytest.mark.parametrize("bad", [r"(?:a|ab?)+$", r"(?:\w+ )*(?:\w+ )*(?:\w+ )*!", r"x(?:no dia |no |dia )*\d"])
def test_a_bad_pattern_would_be_seen(bad: str) -> None:
    earlier = signal.signal(signal.SIGVTALRM, _broken_off)
    try:
        assert steep(re.compile(bad), tries=1) is not None
    finally:
        signal.signal(signal.SIGVTALRM, earlier)


def test_what_quotes_at_length_is_read_in_no_time() -> None:
    networks = shipped_networks()
    networks.load()
    for place, text in enumerate(quoting_texts(LONGEST_READ - 100)):
        begun = time.process_time()
        own = without_quotations(collapsed(text))
        gives_orders(own), claims_nothing(own)
        noticed(text, 0)
        if place % 5 == 0:  # what is left of the others is alike
            read(networks, own, (), said_at=NOW, language=LANGUAGES[place % 2], least=0.8)
        assert time.process_time() - begun < 2 * GIVEN_UP_SECONDS, text[:60]
