"""How labelled messages are counted: what was kept of each, what it ended, and how sure that was."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bench import hygiene
from bench.hygiene import endings, figures
from bench.hygiene.fresh import Line, Reading, counted, lines, talk_of

from loops import each
from relembra.domain.candidate import Candidate
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.policy import LearnPolicy

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


POLICY = LearnPolicy(keep_at_least=0.8)
DEVELOPMENT = Path(__file__).parents[3] / "training" / "reader" / "messages" / "en07.jsonl"


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


def test_a_tie_and_a_name_are_one_person() -> None:
    line = a_line(an_item("a vet", "Clara", "occupation"), an_item("sister", "Clara", "relation"))
    total = counted(line, [kept("Their sister is a vet", "sister", "occupation")])
    assert total["right"] == 1


def test_what_may_be_kept_or_left_is_neither_wanted_nor_junk() -> None:
    line = a_line(an_item("Leeds", optional=True))
    assert counted(line, [])["wanted"] == 0
    total = counted(line, [kept("Lives in Leeds")])
    assert (total["right"], total["found"], total["empty_kept"]) == (1, 0, 0)


@each(
    [
        (kept("Used to live in Leeds", attribute="former_residence"), "former"),
        (kept("Lives in Leeds", held_from=NOW + timedelta(days=3)), "planned"),
        (kept("Wants to live in Leeds", attribute="goal"), "planned"),
        (kept("Is not from Leeds", attribute=None, value="not from Leeds", evidence="not from Leeds"), "denied"),
    ]
)
def test_a_status_is_read_off_what_is_kept(one: Candidate, status: str) -> None:
    assert counted(a_line(an_item("Leeds", status=status)), [one])["status"] == 1
    assert counted(a_line(an_item("Leeds")), [one])["status"] == 0


@each(["current", "former", "planned", "denied"])
def test_words_kept_as_said_claim_no_status(status: str) -> None:
    assert counted(a_line(an_item("Leeds", status=status)), [kept("“no Leeds for me”", attribute=None)])["status"] == 1


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


def test_a_folder_without_dialogues_has_no_rows_of_them() -> None:
    line, apart = a_line(an_item("Leeds")), a_line(an_item("Leeds"), in_dialogue=True)
    assert not [what for what in measured(Reading(line, ())) if "dialogues" in what]
    rows = measured(Reading(line, ()), Reading(apart, (kept("Lives in York"),)))
    assert (rows["dialogues, false of kept"].figure, rows["messages en, junk of kept"].figure) == (1, 0)


def test_what_became_of_what_was_held_is_told_by_what_should_have() -> None:
    total = Counter({"over": 4, "over retired": 1, "over doubted": 2, "standing": 5, "standing retired": 1})
    rows = {row.what: row.figure for row in figures.ended(total)}
    assert rows == {
        "retired or doubted of what a message ends": 0.75,
        "retired of what a message ends": 0.25,
        "wrongly retired of what a message leaves": 0.2,
        "wrongly retired or doubted of what a message leaves": 0.2,
    }


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


def test_a_message_is_the_last_of_its_talk_and_its_writer_the_one_listened_to() -> None:
    line = Line("x", "en", NOW, "me too", (("assistant", "hi"), ("Tom", "I swim")), (), (), False, True)
    talk = talk_of(line)
    assert [message.author for message in talk.messages][1:] == ["Tom", talk.speaker]
    assert talk.messages[-1].text == "me too"


def test_any_folder_of_labelled_messages_can_be_read(tmp_path: Path) -> None:
    chosen = DEVELOPMENT.read_text(encoding="utf-8").splitlines()[:12]
    (tmp_path / "some.jsonl").write_text("\n".join(chosen), encoding="utf-8")
    rows = {row.what: row for row in hygiene.rows(data=tmp_path, quick=True)}
    assert all(row.figure is not None for row in rows.values())
    assert not rows["messages en, items found"].measured.startswith("0 of")
    assert not [what for what in rows if what.startswith(("stories", "echo", "speed"))]


def test_a_folder_without_messages_measures_nothing_and_says_so(tmp_path: Path) -> None:
    assert [row.holds for row in hygiene.rows(data=tmp_path, quick=True)] == [False]


def test_the_fresh_test_has_what_it_says() -> None:
    every = list(lines())
    assert sum(not line.in_dialogue for line in every) == 600
    assert {line.language for line in every} == {"pt", "en"}
    assert all(item["value"] for line in every for item in line.items)
