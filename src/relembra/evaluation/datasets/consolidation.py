"""FactConsolidation: a numbered list of facts in which later ones replace earlier ones, and questions about them.

Only rows whose questions rest on one fact (`…_sh_…`) can be measured: the file names no evidence, and for those the
fact can be told from the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from relembra.domain.text import fold
from relembra.evaluation.datasets.reading import DataError
from relembra.evaluation.datasets.values import Dataset, Question, Turn

NAME = "factconsolidation"
DEFAULT_ROW = "factconsolidation_sh_6k"
PERSON = "reader"
TALK = "facts"
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=1)

_FACT = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")


def read(data: Iterable[Mapping[str, Any]], *, row: str = DEFAULT_ROW) -> Dataset:
    """One row's facts as messages in order, a minute apart; each question asks for the newest value."""
    rows = {entry["metadata"]["source"]: entry for entry in data}
    if row not in rows or "_sh_" not in row:
        fitting = ", ".join(sorted(name for name in rows if "_sh_" in name))
        raise DataError(f"no row {row!r} with one fact a question; there are: {fitting or 'none'}", field="row")
    entry = rows[row]
    facts = [text for _, text in _FACT.findall(entry["context"])]
    turns = tuple(
        Turn(id=f"fact-{number}", person=PERSON, conversation=TALK, text=text, at=BEGINNING + number * STEP)
        for number, text in enumerate(facts)
    )
    asked_at = BEGINNING + len(facts) * STEP + timedelta(days=1)
    questions = []
    for number, (text, answers) in enumerate(zip(entry["questions"], entry["answers"], strict=True)):
        newest, older = answering(text, answers, facts)
        if newest is None:
            continue
        evidence = (f"fact-{newest}",)
        questions.append(
            Question(
                id=f"{row}/{number}",
                person=PERSON,
                text=text,
                type="changed" if older else "unchanged",
                at=asked_at,
                evidence=evidence,
                sessions=(TALK,),
                newest=evidence if older else (),
                older=tuple(f"fact-{index}" for index in older),
                answer=answers[0],
            )
        )
    return Dataset(row, turns, tuple(questions), len(entry["questions"]) - len(questions))


def answering(question: str, answers: Sequence[str], facts: Sequence[str]) -> tuple[int | None, list[int]]:
    """The newest fact that ends in an answer and says most of the question, and the earlier ones it replaced."""
    asked = _words(question)
    best, most = None, 0
    for index, fact in enumerate(facts):
        head = next((head for answer in answers if (head := _head(fact, answer)) is not None), None)
        shared = len(asked & _words(head)) if head is not None else 0
        if head is not None and shared and shared >= most:
            best, most = index, shared
    if best is None:
        return None, []
    head = next(head for answer in answers if (head := _head(facts[best], answer)) is not None)
    older = [index for index in range(best) if facts[index].startswith(head) and facts[index] != facts[best]]
    return best, older


def _head(fact: str, answer: str) -> str | None:
    """What stands before the value, where the fact ends in it."""
    plain = fact.removesuffix(".")
    return plain.removesuffix(answer) if plain.endswith(f" {answer}") else None


def _words(text: str) -> set[str]:
    return set(_WORD.findall(fold(text)))
