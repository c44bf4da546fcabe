"""LongMemEval: questions with the sessions of talk that surround their evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from relembra.evaluation.datasets.reading import moment
from relembra.evaluation.datasets.values import Dataset, Question, Turn, in_order

NAME = "longmemeval"
EVERYBODY = "asker"
UNANSWERABLE = "_abs"
CHANGED = "knowledge-update"

Session = tuple[str, datetime, list[Mapping[str, Any]]]


def read(data: Iterable[Mapping[str, Any]], *, pool: str = "all") -> Dataset:
    """All distinct sessions in one memory, or with the pool `question` each question its own person."""
    turns: dict[tuple[str, str], list[Turn]] = {}
    questions, left_out = [], 0
    for entry in data:
        person = EVERYBODY if pool == "all" else str(entry["question_id"])
        sessions = [
            (str(id), moment(date), talk)
            for id, date, talk in zip(
                entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"], strict=True
            )
        ]
        for session in sessions:
            turns.setdefault((person, session[0]), _turns(person, session))
        if str(entry["question_id"]).endswith(UNANSWERABLE):
            left_out += 1
        else:
            questions.append(_question(entry, person, sessions))
    return Dataset(NAME, in_order(turn for talk in turns.values() for turn in talk), tuple(questions), left_out)


def _turns(person: str, session: Session) -> list[Turn]:
    """A session's turns, a second apart."""
    id, at, talk = session
    return [
        Turn(
            id=_id(id, index),
            person=person,
            conversation=id,
            text=turn["content"],
            at=at + timedelta(seconds=index),
            assistant=turn["role"] == "assistant",
        )
        for index, turn in enumerate(talk)
        if str(turn["content"]).strip()
    ]


def _question(entry: Mapping[str, Any], person: str, sessions: list[Session]) -> Question:
    evidence = {
        id: tuple(_id(id, index) for index, turn in enumerate(talk) if turn.get("has_answer"))
        for id, _, talk in sorted(sessions, key=lambda session: session[1])
    }
    holding = [id for id in evidence if evidence[id]]
    changed = entry["question_type"] == CHANGED and len(holding) > 1
    return Question(
        id=str(entry["question_id"]),
        person=person,
        text=entry["question"],
        type=entry["question_type"],
        at=moment(entry["question_date"]),
        evidence=tuple(id for ids in evidence.values() for id in ids),
        sessions=tuple(map(str, entry["answer_session_ids"])),
        newest=evidence[holding[-1]] if changed else (),
        older=tuple(id for session in holding[:-1] for id in evidence[session]) if changed else (),
        answer=str(entry["answer"]),
    )


def _id(session: str, index: int) -> str:
    return f"{session}:{index}"
