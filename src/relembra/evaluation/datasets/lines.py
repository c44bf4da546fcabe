"""Our own format: one JSON object a line, a message or a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from relembra.evaluation.datasets.reading import DataError, moment
from relembra.evaluation.datasets.values import Dataset, Question, Turn, in_order, sessions_of

NAME = "jsonl"
PERSON = "asker"
ROLES = ("user", "assistant")


def read(data: Iterable[Mapping[str, Any]], *, pool: str = "question") -> Dataset:
    """Messages and questions, of the person each names; with the pool `all`, of one."""
    turns: list[Turn] = []
    asked: list[Mapping[str, Any]] = []
    for number, line in enumerate(data, 1):
        if isinstance(message := line.get("message"), dict):
            turns.append(_turn(message, _person(message, pool), number))
        elif isinstance(question := line.get("question"), dict):
            asked.append(question)
        else:
            raise DataError(f"line {number} is neither a message nor a question")
    ordered = in_order(turns)
    _refuse_repeats(ordered)
    known = {(turn.person, turn.id): turn for turn in ordered}
    questions = [_question(each, _person(each, pool), index, ordered, known) for index, each in enumerate(asked)]
    kept = tuple(question for question in questions if question.evidence)
    return Dataset(NAME, ordered, kept, len(questions) - len(kept))


def _person(entry: Mapping[str, Any], pool: str) -> str:
    return PERSON if pool == "all" else str(entry.get("person", PERSON))


def _turn(message: Mapping[str, Any], person: str, number: int) -> Turn:
    role = message.get("role", "user")
    if role not in ROLES:
        raise DataError(f"line {number} has the role {role!r}; there are {', '.join(ROLES)}")
    return Turn(
        id=str(message["id"]),
        person=person,
        conversation=str(message.get("conversation", "direct")),
        text=str(message["text"]),
        at=moment(message["at"]),
        assistant=role == "assistant",
        author=message.get("author"),
    )


def _refuse_repeats(turns: Iterable[Turn]) -> None:
    seen: set[tuple[str, str]] = set()
    for turn in turns:
        if (turn.person, turn.id) in seen:
            raise DataError(f"the message {turn.id!r} is there twice")
        seen.add((turn.person, turn.id))


def _question(
    entry: Mapping[str, Any],
    person: str,
    index: int,
    turns: tuple[Turn, ...],
    known: Mapping[tuple[str, str], Turn],
) -> Question:
    newest, older = _ids(entry.get("newest")), _ids(entry.get("older"))
    evidence = _ids(entry.get("evidence")) or newest
    unknown = [id for id in (*evidence, *newest, *older) if (person, id) not in known]
    if unknown:
        raise DataError(f"the question {entry.get('id', index)!r} names {unknown[0]!r}, which no message is")
    last = max((turn.at for turn in turns if turn.person == person), default=None)
    at = moment(entry["at"]) if "at" in entry or last is None else last
    conversations = {id: known[person, id].conversation for id in evidence}
    return Question(
        id=str(entry.get("id", index)),
        person=person,
        text=str(entry["text"]),
        type=str(entry.get("type", "question")),
        at=at,
        evidence=evidence,
        sessions=sessions_of(evidence, conversations),
        newest=newest if older else (),
        older=older,
        answer=str(entry.get("answer", "")),
    )


def _ids(given: Any) -> tuple[str, ...]:
    """One id or several."""
    return () if given is None else (given,) if isinstance(given, str) else tuple(map(str, given))
