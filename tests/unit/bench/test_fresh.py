"""How the fresh test counts what was kept of a message."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from bench.hygiene.fresh import Line, counted, lines

from relembra.domain.candidate import Candidate
from relembra.domain.knowledge import KnowledgeType

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def a_line(*items: dict[str, Any]) -> Line:
    return Line("x", "en", NOW, "…", (), items, (), False, False)


def an_item(value: str, subject: str = "self", attribute: str = "residence", **more: Any) -> dict[str, Any]:
    return {"attribute": attribute, "subject": subject, "value": value, "status": "current", **more}


def kept(content: str, subject: str = "self", attribute: str | None = "residence", **more: Any) -> Candidate:
    return Candidate(
        content=content, message_id="m", type=KnowledgeType.FACT, subject=subject, attribute=attribute, **more
    )


def test_what_was_said_of_the_right_person_is_found() -> None:
    total = counted(a_line(an_item("Leeds"), an_item("a vet", "Clara", "occupation")), [kept("Lives in Leeds")])
    assert (total["wanted"], total["found"], total["right"], total["attribute"], total["status"]) == (2, 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("one", "what"),
    [(kept("Clara lives in Leeds", "Clara"), "wrong_person"), (kept("Lives in York"), "false")],
)
def test_what_is_wrong_is_told_apart(one: Candidate, what: str) -> None:
    total = counted(a_line(an_item("Leeds")), [one])
    assert (total[what], total["right"], total["found"]) == (1, 0, 0)


def test_a_tie_and_a_name_are_one_person() -> None:
    line = a_line(an_item("a vet", "Clara", "occupation"), an_item("sister", "Clara", "relation"))
    total = counted(line, [kept("Their sister is a vet", "sister", "occupation")])
    assert total["right"] == 1


def test_what_may_be_kept_or_left_is_neither_wanted_nor_junk() -> None:
    line = a_line(an_item("Leeds", optional=True))
    assert counted(line, [])["wanted"] == 0
    total = counted(line, [kept("Lives in Leeds")])
    assert (total["right"], total["found"], total["empty_kept"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("one", "status"),
    [
        (kept("Used to live in Leeds", attribute="former_residence"), "former"),
        (kept("Lives in Leeds", held_from=NOW + timedelta(days=3)), "planned"),
    ],
)
def test_a_status_is_read_off_what_is_kept(one: Candidate, status: str) -> None:
    assert counted(a_line(an_item("Leeds", status=status)), [one])["status"] == 1
    assert counted(a_line(an_item("Leeds")), [one])["status"] == 0


def test_the_fresh_test_has_what_it_says() -> None:
    every = list(lines())
    assert sum(not line.in_dialogue for line in every) == 600
    assert {line.language for line in every} == {"pt", "en"}
    assert all(item["value"] for line in every for item in line.items)
