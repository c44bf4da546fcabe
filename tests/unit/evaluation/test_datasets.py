"""Data sets in their published formats become the same few values."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bench
import pytest

from examples import DATA
from loops import each
from relembra.evaluation.datasets import DataError, Dataset, answering, half_of, load, moment

FOLDER = DATA / "evaluation"


def test_moments_are_read_as_each_set_writes_them() -> None:
    assert moment("2023/04/10 (Mon) 23:07") == datetime(2023, 4, 10, 23, 7, tzinfo=UTC)
    assert moment("2026-01-10T09:00:00-03:00") == datetime(2026, 1, 10, 12, tzinfo=UTC)
    assert moment("2026-01-10") == datetime(2026, 1, 10, tzinfo=UTC)
    for text in ("yesterday", "2023/13/40 (Mon) 23:07", ""):
        with pytest.raises(DataError, match="no date"):
            moment(text)


def test_longmemeval_packed_or_not(tmp_path: Path) -> None:
    found = load("longmemeval", FOLDER / "longmemeval.json")
    assert [turn.id for turn in found.turns] == ["s1:0", "s1:1", "s2:0", "s2:1", "s3:0", "s3:1"]  # shared ones once
    assert [turn.role for turn in found.turns[:2]] == ["user", "assistant"]
    assert (len(found.people), found.left_out) == (1, 1)
    changed, steady = found.questions
    assert (changed.newest, changed.older, changed.evidence) == (("s2:0",), ("s1:0",), ("s1:0", "s2:0"))
    assert (changed.sessions, changed.at) == (("s1", "s2"), datetime(2023, 5, 30, 10, tzinfo=UTC))
    assert (steady.newest, steady.older, steady.evidence) == ((), (), ("s3:0",))
    packed = tmp_path / "data.json.gz"
    packed.write_bytes(gzip.compress((FOLDER / "longmemeval.json").read_bytes()))
    assert load("longmemeval", packed) == found


def test_factconsolidation_by_row() -> None:
    found = load("factconsolidation", FOLDER / "consolidation.json")
    changed, steady = found.questions
    assert (changed.newest, changed.older, changed.type) == (("fact-2",), ("fact-0",), "changed")
    assert (steady.evidence, steady.newest, steady.type) == (("fact-1",), (), "unchanged")
    assert (found.left_out, found.turns[1].text) == (1, "Chanel was founded by Coco Chanel.")
    longer = load("factconsolidation-32k", FOLDER / "consolidation.json")
    assert [turn.text for turn in longer.turns] == ["A is B."]
    with pytest.raises(DataError, match="no row 'factconsolidation_sh_64k'"):
        load("factconsolidation-64k", FOLDER / "consolidation.json")
    facts = ["Lena lives in Oslo.", "The author of Ida is Oslo.", "Ida lives in Oslo."]
    assert answering("Where does Ida live, in which city?", ["Oslo"], facts) == ([2], [])
    assert answering("Who?", ["Rome"], facts) == ([], [])


def test_squad() -> None:
    found = load("faquad", FOLDER / "squad.json")
    assert [turn.conversation for turn in found.turns] == ["paragraph-0", "paragraph-1"]
    evidence = {question.id: question.evidence for question in found.questions}
    assert (evidence, found.left_out) == ({"a": ("paragraph-0",), "c": ("paragraph-1",)}, 1)


@each([("tuned", 5), ("chosen", 5), ("unseen", 10)])
def test_the_dialogues_of_the_repository_are_whole(name: str, dialogues: int) -> None:
    found = load("jsonl", Path(bench.__file__).parent / "dialogues" / f"{name}.jsonl")
    assert (len(found.people), len(found.questions), found.left_out) == (dialogues, 20 * dialogues, 0)
    speakers = {(turn.person, turn.author) for turn in found.turns}
    assert len(speakers) == 2 * dialogues
    assert all(question.answer for question in found.questions)


MESSAGE = {"message": {"id": "m", "at": "2026-01-01", "text": "Hello"}}
ASKS = {"question": {"text": "Who?", "evidence": ["m"]}}


def written(file: Path, lines: list[Any]) -> Path:
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


def test_our_own_lines(tmp_path: Path) -> None:
    found = load("jsonl", FOLDER / "lines.jsonl")
    assert (len(found.turns), found.turns[1].role) == (6, "assistant")
    home = found.questions[0]
    assert (home.newest, home.older, home.sessions) == (("m4",), ("m1",), ("marco",))
    undated = load("jsonl", written(tmp_path / "own.jsonl", [MESSAGE, ASKS])).questions[0]
    assert undated.at == datetime(2026, 1, 1, tzinfo=UTC)  # of the last message


@each(
    [
        ("own.jsonl", [MESSAGE, {"question": {"text": "?", "evidence": ["x"]}}], "'x', which no message is"),
        ("own.jsonl", [MESSAGE, MESSAGE, ASKS], "twice"),
        ("own.jsonl", [{"letter": {}}], "line 1 is neither"),
        ("own.jsonl", [{"message": {"id": "m", "at": "2026-01-01", "text": "Hello", "role": "god"}}, ASKS], "god"),
        ("own.jsonl", [{"message": {"id": "m", "at": "2026-01-01"}}, ASKS], "format of jsonl.*`text`"),
        ("own.jsonl", [MESSAGE], "no questions"),
        ("own.jsonl", [], "no messages"),
        ("gone.json", None, "no file"),
        ("data.csv", b"a,b", "should end in"),
        ("broken.json", b"{", "cannot be read"),
        ("broken.json.gz", b"\x1f\x8b\x00", "cannot be read"),
        ("binary.json", b"\xff\xfe", "cannot be read"),
        ("other.json", b'{"a": 1}', "not in the format of longmemeval"),
    ]
)
def test_a_file_that_cannot_be_used_is_refused_with_why(name: str, content: Any, said: str, tmp_path: Path) -> None:
    if isinstance(content, bytes):
        (tmp_path / name).write_bytes(content)
    elif content is not None:
        written(tmp_path / name, content)
    with pytest.raises(DataError, match=said):
        load("jsonl" if name.endswith("jsonl") else "longmemeval", tmp_path / name)


def test_halves_share_nothing_and_miss_nothing_and_the_fingerprint_is_of_the_turns_alone() -> None:
    first = [number for number in range(400) if half_of(f"question-{number}") == "first"]
    assert 150 < len(first) < 250
    found = load("jsonl", FOLDER / "lines.jsonl")
    halves = [set(found.chosen(half).questions) for half in ("first", "second")]
    assert halves[0] | halves[1] == set(found.questions)
    assert not halves[0] & halves[1]
    assert found.chosen("all", 2).questions == found.questions[:2]
    assert found.chosen("all", 1).fingerprint == found.fingerprint
    assert Dataset(found.name, found.turns[1:], found.questions).fingerprint != found.fingerprint
