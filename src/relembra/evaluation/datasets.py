"""Data sets: people's turns in the order of time, and questions that know their evidence.

Our own format has a message or a question a line; each published format is brought into it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import msgspec

from relembra.domain.text import fold
from relembra.errors import InvalidInputError

ONE_PERSON = "asker"
BEGINNING, APART = datetime(2024, 1, 1, tzinfo=UTC), timedelta(hours=2)  # of what has no dates
Half = Literal["first", "second", "all"]
HALVES: tuple[Half, ...] = ("first", "second", "all")


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One message to save, in one person's memory, under an id of the data set's own."""

    id: str
    person: str = ONE_PERSON
    conversation: str = "direct"
    text: str
    at: datetime
    role: Literal["user", "assistant"] = "user"
    author: str | None = None  # who spoke, where that is neither the person nor the assistant


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a memory at a moment, and the ids of the turns and conversations that answer it."""

    id: str
    person: str = ONE_PERSON
    text: str
    type: str = "question"
    at: datetime
    evidence: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()  # the evidence that holds now
    older: tuple[str, ...] = ()  # what it replaced
    answer: str = ""


@dataclass(frozen=True)
class Dataset:
    """Turns and questions; `left_out` counts the questions without evidence."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    left_out: int = 0

    @cached_property
    def by_id(self) -> dict[tuple[str, str], Turn]:
        """Each turn by its person and id."""
        return {(turn.person, turn.id): turn for turn in self.turns}

    @cached_property
    def people(self) -> dict[str, list[Turn]]:
        """Everybody's turns."""
        found: dict[str, list[Turn]] = {}
        for turn in self.turns:
            found.setdefault(turn.person, []).append(turn)
        return found

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same turns in the same order, whatever is asked of them."""
        digest = hashlib.sha256()
        for turn in self.turns:
            parts = (
                turn.id,
                turn.person,
                turn.conversation,
                turn.text,
                turn.at.isoformat(),
                str(turn.role == "assistant"),
            )
            digest.update("\x1f".join((*parts, turn.author or "")).encode() + b"\x1e")
        return digest.hexdigest()[:16]

    def chosen(self, half: Half = "all", limit: int | None = None) -> Dataset:
        """The same turns with some of the questions: a half that never changes, and at most so many of it."""
        kept = [question for question in self.questions if half == "all" or half_of(question.id) == half]
        return replace(self, questions=tuple(kept[:limit]))


def half_of(id: str) -> Half:
    """Which half a question belongs to, by its id alone; the policy's numbers were chosen on the first halves."""
    return "first" if hashlib.sha1(id.encode(), usedforsecurity=False).digest()[-1] % 2 == 0 else "second"


WRITTEN = ("%Y/%m/%d (%a) %H:%M", "%Y/%m/%d %H:%M", "%Y/%m/%d")
"""Moments as published data sets write them, besides ISO 8601."""


class DataError(InvalidInputError):
    """A file of data that is not there or not what it should be."""

    def __init__(self, message: str, *, field: str = "data") -> None:
        super().__init__(message, field=field)


def parsed(path: Path) -> Any:
    """A file's content: a JSON value, or for `.jsonl` a list with one value a line."""
    name = path.name.lower().removesuffix(".gz")
    if not name.endswith((".json", ".jsonl")):
        raise DataError(f"{path} should end in .json, .json.gz or .jsonl")
    if not path.is_file():
        raise DataError(f"there is no file {path}")
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        return json.loads(text)
    except (OSError, EOFError, ValueError) as exc:
        raise DataError(f"{path} cannot be read: {exc}") from exc


def moment(text: str) -> datetime:
    """A moment as data sets write it: 2023/04/10 (Mon) 23:07, or ISO 8601; UTC without an offset."""
    for form in WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        raise DataError(f"no date can be read from {text!r}") from None
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


# ── our own ────────────────────────────────────────────────────────────────────────────────────────────────────


def read_lines(data: Iterable[Any]) -> tuple[tuple[Turn, ...], list[Question]]:
    """Everybody's messages in the order of time, and all questions, in any order in the file."""
    turns: dict[tuple[str, str], Turn] = {}
    asked: list[dict[str, Any]] = []
    for number, line in enumerate(data, 1):
        if "message" in line:
            given = line["message"]
            turn = msgspec.convert({**given, "at": moment(given["at"])}, Turn)
            if (turn.person, turn.id) in turns:
                raise DataError(f"the message {turn.id!r} is there twice")
            turns[turn.person, turn.id] = turn
        elif "question" in line:
            asked.append(line["question"])
        else:
            raise DataError(f"line {number} is neither a message nor a question")
    questions = [_question(one, index, turns) for index, one in enumerate(asked)]
    return tuple(sorted(turns.values(), key=lambda turn: turn.at)), questions


def _question(asked: Mapping[str, Any], index: int, turns: Mapping[tuple[str, str], Turn]) -> Question:
    """A question as our own format has it; without `evidence`, what is `newest` is."""
    person, id = asked.get("person", ONE_PERSON), asked.get("id", str(index))
    newest, older = _ids(asked.get("newest")), _ids(asked.get("older"))
    evidence = _ids(asked.get("evidence")) or newest
    if unknown := [one for one in (*evidence, *newest, *older) if (person, one) not in turns]:
        raise DataError(f"the question {id!r} names {unknown[0]!r}, which no message is")
    held_in = list(dict.fromkeys(turns[person, one].conversation for one in evidence))
    last = max((turn.at for turn in turns.values() if turn.person == person), default=BEGINNING)
    given = {
        **asked,
        "id": id,
        "at": moment(asked["at"]) if "at" in asked else last,
        "evidence": evidence,
        "sessions": _ids(asked["sessions"]) if "sessions" in asked else held_in,
        "newest": newest if older else [],
        "older": older,
    }
    return msgspec.convert(given, Question)


def _ids(given: str | list[str] | None) -> list[str]:
    """One id or several."""
    return [given] if isinstance(given, str) else given or []


# ── published formats ──────────────────────────────────────────────────────────────────────────────────────────

Lines = Iterator[dict[str, Any]]


def longmemeval(data: Iterable[Mapping[str, Any]]) -> Lines:
    """LongMemEval: all distinct sessions in one memory, a session's turns a second apart."""
    seen: set[str] = set()
    for entry in data:
        parts = (entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"])
        evidence: list[list[str]] = []  # of each session that has any, in the order of time
        for id, date, talk in sorted(zip(*parts, strict=True), key=lambda session: moment(session[1])):
            said = [(f"{id}:{index}", index, turn) for index, turn in enumerate(talk) if turn["content"].strip()]
            evidence += [marked] if (marked := [name for name, _, turn in said if turn.get("has_answer")]) else []
            for name, index, turn in said if id not in seen else ():
                role = "assistant" if turn["role"] == "assistant" else "user"
                at = (moment(date) + timedelta(seconds=index)).isoformat()
                message = {"id": name, "conversation": id, "at": at, "text": turn["content"], "role": role}
                yield {"message": message}
            seen.add(id)
        has_answer = not str(entry["question_id"]).endswith("_abs")
        changed = entry["question_type"] == "knowledge-update" and len(evidence) > 1
        yield {
            "question": {
                "id": entry["question_id"],
                "text": entry["question"],
                "type": entry["question_type"],
                "at": entry["question_date"],
                "evidence": list(chain(*evidence)) if has_answer else [],
                "sessions": entry["answer_session_ids"] if has_answer else [],
                "newest": evidence[-1] if changed and has_answer else [],
                "older": list(chain(*evidence[:-1])) if changed and has_answer else [],
                "answer": str(entry["answer"]),
            }
        }


ROWS = ("6k", "32k", "64k", "262k")
_FACT = re.compile(r"^\d+\. (.+)$", re.MULTILINE)


def factconsolidation(data: Iterable[Mapping[str, Any]], row: str = ROWS[0]) -> Lines:
    """FactConsolidation, one of its rows: facts as messages in order; each question asks for the newest value."""
    source = f"factconsolidation_sh_{row}"
    entry = next((entry for entry in data if entry["metadata"]["source"] == source), None)
    if entry is None:
        raise DataError(f"there is no row {source!r}")
    facts = _FACT.findall(entry["context"])
    yield from _undated({f"fact-{number}": text for number, text in enumerate(facts)}, "facts")
    for number, (text, answers) in enumerate(zip(entry["questions"], entry["answers"], strict=True)):
        newest, older = answering(text, answers, facts)
        yield {
            "question": {
                "id": f"{source}/{number}",
                "text": text,
                "type": "changed" if older else "unchanged",
                "at": _day_after(facts),
                "newest": [f"fact-{index}" for index in newest],
                "older": [f"fact-{index}" for index in older],
                "answer": answers[0],
            }
        }


def answering(question: str, answers: Sequence[str], facts: Sequence[str]) -> tuple[list[int], list[int]]:
    """The newest fact that ends in an answer and says most of the question, and the earlier ones it replaced."""
    asked = _words(question)
    best, most, beginning = -1, 1, ""
    for index, fact in enumerate(facts):
        ending = next((f" {answer}." for answer in answers if fact.endswith(f" {answer}.")), fact)
        shared = len(asked & _words(head := fact.removesuffix(ending)))
        if shared >= most:
            best, most, beginning = index, shared, head
    if best < 0:
        return [], []
    return [best], [n for n in range(best) if facts[n].startswith(f"{beginning} ") and facts[n] != facts[best]]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", fold(text)))


def faquad(data: Mapping[str, Any]) -> Lines:
    """FaQuAD, or anything in SQuAD's format: each paragraph a message in a conversation of its own."""
    paragraphs = [paragraph for article in data["data"] for paragraph in article["paragraphs"]]
    texts = list(dict.fromkeys(paragraph["context"] for paragraph in paragraphs))
    ids = {text: f"paragraph-{number}" for number, text in enumerate(texts)}
    yield from _undated({id: text for text, id in ids.items()})
    for paragraph in paragraphs:
        for asked in paragraph["qas"]:
            yield {
                "question": {
                    "id": asked["id"],
                    "text": asked["question"],
                    "type": "faquad",
                    "at": _day_after(texts),
                    "evidence": [] if asked.get("is_impossible") else ids[paragraph["context"]],
                    "answer": asked["answers"][0]["text"] if asked.get("answers") else "",
                }
            }


def _undated(texts: Mapping[str, str], conversation: str | None = None) -> Lines:
    """Texts without dates as messages in order."""
    for number, (id, text) in enumerate(texts.items()):
        at = (BEGINNING + number * APART).isoformat()
        yield {"message": {"id": id, "conversation": conversation or id, "at": at, "text": text}}


def _day_after(texts: Sequence[str]) -> str:
    return (BEGINNING + len(texts) * APART + timedelta(days=1)).isoformat()


READERS: dict[str, Callable[[Any], Iterable[Any]]] = {
    "longmemeval": longmemeval,
    "factconsolidation": factconsolidation,
    **{f"factconsolidation-{row}": partial(factconsolidation, row=row) for row in ROWS[1:]},
    "faquad": faquad,
    "jsonl": iter,
}


def load(name: str, path: Path) -> Dataset:
    """The data set of a name from a file."""
    if name not in READERS:
        raise DataError(f"no data set {name!r}; there are {', '.join(READERS)}", field="dataset")
    data = parsed(path)
    try:
        turns, questions = read_lines(READERS[name](data))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as exc:
        why = f"{exc} is missing" if isinstance(exc, KeyError) else str(exc)
        raise DataError(f"{path} is not in the format of {name}: {why}") from exc
    kept = tuple(question for question in questions if question.evidence or question.sessions)
    if not turns or not kept:
        raise DataError(f"{path} has no {'messages' if not turns else 'questions with evidence'} for {name}")
    return Dataset(name, turns, kept, len(questions) - len(kept))
