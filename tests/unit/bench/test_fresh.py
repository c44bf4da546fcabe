"""How labelled messages are counted: what was kept of each, what it ended, and how sure that was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from bench.hygiene import endings, figures
from bench.hygiene.fresh import Line, Reading, counted

from loops import each
from relembra.domain.candidate import Candidate
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.policy import LearnPolicy

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


POLICY = LearnPolicy(keep_at_least=0.8)


def a_line(*items: dict[str, Any], held: tuple[tuple[str, str], ...] = (), in_dialogue: bool = False) -> Line:
    return Line("x", "en", NOW, "…", (), items, held, False, in_dialogue)


def an_item(value: str, subject: str = "self", attribute: str = "residence", **more: Any) -> dict[str, Any]:
    return {"attribute": attribute, "subject": subject, "value": value, "status": "current", **more}


def kept(content: str, subject: str = "self", attribute: str | None = "residence", **more: Any) -> Candidate:
    return Candidate(
        content=content, message_id="m", type=KnowledgeType.FACT, subject=subject, attribute=attribute, **more
    )


def test_what_was_said_of_the_right_person_is_found() -> None:
    total = counted(a_line(an_item("Leeds"), an_item("a vet", "Clara", "occupation")), [kept("Lives in Leeds")])
    assert (total["wanted"], total["found"], total["right"], total["attribute"], total["status"]) == (2, 1, 1, 1, 1)


@each([(kept("Clara lives in Leeds", "Clara"), "wrong_person"), (kept("Lives in York"), "false")])
def test_what_is_wrong_is_told_apart(one: Candidate, what: str) -> None:
    total = counted(a_line(an_item("Leeds")), [one])
    assert (total[what], total["right"], total["found"]) == (1, 0, 0)


def test_what_may_be_kept_or_left_is_neither_wanted_nor_junk() -> None:
    line = a_line(an_item("Leeds", optional=True))
    assert counted(line, [])["wanted"] == 0
    total = counted(line, [kept("Lives in Leeds")])
    assert (total["right"], total["found"], total["empty_kept"]) == (1, 0, 0)


def measured(*readings: Reading) -> dict[str, Any]:
    return {row.what: row for row in figures.rows(readings, POLICY)}


def test_only_what_is_sure_enough_is_kept_and_the_curve_shows_the_rest() -> None:
    found = (kept("Lives in Leeds", confidence=0.9), kept("Lives in York", confidence=0.6))
    rows = measured(Reading(a_line(an_item("Leeds"), an_item("York")), found))
    assert rows["messages en, items found"].measured == "1 of 2"
    assert [rows[f"messages en, found from confidence {level}"].figure for level in ("0.60", "0.65", "0.95")] == [
        1,
        0.5,
        0,
    ]


def test_less_is_asked_of_what_people_say_of_themselves() -> None:
    among = replace(a_line(), before=(("Bia", "Any news?"),))
    mine, hers, event = kept("Lives in Leeds"), kept("Clara lives in Leeds", "Clara"), kept("“…”", attribute="event")
    assert [among.least(one, POLICY) for one in (mine, hers, event)] == [0.91, 0.95, 0.95]
    assert a_line().least(hers, POLICY) == 0.8


async def test_what_is_held_meets_the_message_as_the_memory_decides() -> None:
    """A new home ends the old one and leaves the rest; said more exactly, it stands."""
    held = (("Lives in Leeds", "replaces"), ("Likes tea", "nothing"), ("Lives in York", "details"))
    line = replace(a_line(held=held), text="I live in York, Fulford now.")
    total = await endings.counted([line])
    assert total == {"over": 1, "over retired": 1, "standing": 2, "standing stands": 2}


def test_confidence_is_held_against_how_often_it_is_right() -> None:
    """Of ten things said to be right in nine of ten cases five are: .4 too sure."""
    right, wrong = kept("Lives in Leeds", confidence=0.9), kept("Lives in York", confidence=0.9)
    readings = [Reading(a_line(an_item("Leeds")), (one,)) for one in (right, wrong) * 5]
    assert measured(*readings)["calibration error of confidence"].figure == pytest.approx(0.4)
    assert figures.calibration_error([(0.9, [True] * 9 + [False]), (0.5, [True, False])]) == pytest.approx(0)
    assert figures.calibration_error([]) == 0
