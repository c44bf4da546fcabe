"""Data sets in their published formats, and one of our own, read into the same few values.

Each becomes people's turns in the order of time, and questions that know their evidence.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from inspect import signature
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from relembra.domain.text import fold
from relembra.errors import InvalidInputError

ONE_PERSON = "asker"
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)  # of what has no dates
Half = Literal["first", "second", "all"]
HALVES: tuple[Half, ...] = ("first", "second", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message to save, in somebody's memory, under an id of the data set's own."""

    id: str
    person: str
    conversation: str
    text: str
    at: datetime
    assistant: bool = False
    author: str | None = None  # who spoke, where that is neither the person nor the assistant


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a memory at a moment, and the ids of the turns and conversations that answer it."""

    id: str
    person: str
    text: str
    type: str
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
            parts = (turn.id, turn.person, turn.conversation, turn.text, turn.at.isoformat(), str(turn.assistant))
            digest.update("\x1f".join((*parts, turn.author or "")).encode() + b"\x1e")
        return digest.hexdigest()[:16]

    def chosen(self, half: Half = "all", limit: int | None = None) -> Dataset:
        """The same turns with some of the questions: a half that never changes, and at most so many of it."""
        kept = [question for question in self.questions if half == "all" or half_of(question.id) == half]
        return replace(self, questions=tuple(kept[:limit]))


def half_of(id: str) -> Half:
    """Which half a question belongs to, by its id alone; the policy's numbers were chosen on the first halves."""
    return "first" if hashlib.sha1(id.encode(), usedforsecurity=False).digest()[-1] % 2 == 0 else "second"


def in_order(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Turns in the order of time; those of one moment stay as they came."""
    return tuple(sorted(turns, key=lambda turn: turn.at))


def sessions_of(evidence: Iterable[str], conversations: dict[str, str]) -> tuple[str, ...]:
    """The conversations the evidence is in, each once."""
    return tuple(dict.fromkeys(conversations[id] for id in evidence))


WRITTEN = ("%Y/%m/%d (%a) %H:%M", "%Y/%m/%d %H:%M", "%Y/%m/%d", "%I:%M %p on %d %B, %Y")
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
    """A moment as data sets write it: 2023/04/10 (Mon) 23:07, 1:56 pm on 8 May, 2023, or ISO 8601; UTC without one."""
    for form in WRITTEN:
        with suppress(ValueError):
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        raise DataError(f"no date can be read from {text!r}") from None
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def mismatch(exc: Exception) -> str:
    """What reading a file in the wrong shape stumbled over."""
    return f"{exc} is missing" if isinstance(exc, KeyError) else "its parts are not what they should be"


# ── LongMemEval ────────────────────────────────────────────────────────────────────────────────────────────────


def read_longmemeval(data: Iterable[Mapping[str, Any]], *, pool: str = "all") -> Dataset:
    """All distinct sessions in one memory, or with the pool `question` each question its own person.

    A session's turns are a second apart.
    """
    turns: dict[tuple[str, str], list[Turn]] = {}
    questions, left_out = [], 0
    for entry in data:
        person = ONE_PERSON if pool == "all" else str(entry["question_id"])
        parts = (entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"])
        evidence = {}
        for id, date, talk in sorted(zip(*parts, strict=True), key=lambda session: moment(session[1])):
            evidence[str(id)] = tuple(f"{id}:{index}" for index, turn in enumerate(talk) if turn.get("has_answer"))
            said = [
                Turn(
                    id=f"{id}:{index}",
                    person=person,
                    conversation=str(id),
                    text=turn["content"],
                    at=moment(date) + timedelta(seconds=index),
                    assistant=turn["role"] == "assistant",
                )
                for index, turn in enumerate(talk)
                if str(turn["content"]).strip()
            ]
            turns.setdefault((person, str(id)), said)
        if str(entry["question_id"]).endswith("_abs"):
            left_out += 1
            continue
        *older, newest = [ids for ids in evidence.values() if ids] or [()]
        changed = entry["question_type"] == "knowledge-update" and older
        questions.append(
            Question(
                id=str(entry["question_id"]),
                person=person,
                text=entry["question"],
                type=entry["question_type"],
                at=moment(entry["question_date"]),
                evidence=tuple(chain(*evidence.values())),
                sessions=tuple(map(str, entry["answer_session_ids"])),
                newest=newest if changed else (),
                older=tuple(chain(*older)) if changed else (),
                answer=str(entry["answer"]),
            )
        )
    return Dataset("longmemeval", in_order(chain(*turns.values())), tuple(questions), left_out)


# ── LoCoMo ─────────────────────────────────────────────────────────────────────────────────────────────────────


LOCOMO_TYPES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5

_NUMBERED = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")  # also where several stand in one text


def read_locomo(data: Iterable[Mapping[str, Any]], *, pool: str = "question") -> Dataset:
    """Each talk a memory of its own, or with the pool `all` one memory of all; asked a day after the last word."""
    turns: list[Turn] = []
    questions: list[Question] = []
    asked_in_all = 0
    for sample in data:
        prefix = str(sample["sample_id"])
        talk = _talk_turns(sample, prefix if pool == "question" else "everybody")
        turns += talk
        conversations = {turn.id: turn.conversation for turn in talk}
        asked_in_all += len(sample["qa"])
        for index, asked in enumerate(sample["qa"]):
            places = [place for text in asked.get("evidence", ()) for place in _EVIDENCE.findall(text)]
            named = dict.fromkeys(f"{prefix}/D{int(session)}:{int(turn)}" for session, turn in places)
            evidence = tuple(id for id in named if id in conversations)
            if asked["category"] != ADVERSARIAL and evidence:
                questions.append(
                    Question(
                        id=f"{prefix}/{index}",
                        person=talk[0].person,
                        text=asked["question"],
                        type=LOCOMO_TYPES.get(asked["category"], str(asked["category"])),
                        at=max(turn.at for turn in talk) + timedelta(days=1),
                        evidence=evidence,
                        sessions=sessions_of(evidence, conversations),
                        answer=str(asked.get("answer", "")),
                    )
                )
    return Dataset("locomo", in_order(turns), tuple(questions), asked_in_all - len(questions))


def _talk_turns(sample: Mapping[str, Any], person: str) -> list[Turn]:
    """Every session's turns, a second apart; a picture says what its caption says."""
    spoken, prefix = sample["conversation"], str(sample["sample_id"])
    numbers = sorted(int(found[1]) for key in spoken if (found := _NUMBERED.fullmatch(key)))
    return [
        Turn(
            id=f"{prefix}/{said['dia_id']}",
            person=person,
            conversation=f"{prefix}/session_{number}",
            text=_spoken_text(said),
            at=moment(spoken[f"session_{number}_date_time"]) + timedelta(seconds=index),
            author=said["speaker"],
        )
        for number in numbers
        for index, said in enumerate(spoken[f"session_{number}"])
        if _spoken_text(said).strip()
    ]


def _spoken_text(said: Mapping[str, Any]) -> str:
    caption = said.get("blip_caption")
    return f"{said['text']} [{caption}]" if caption else str(said["text"])


# ── FactConsolidation: later facts replace earlier ones ────────────────────────────────────────────────────────


DEFAULT_ROW = "factconsolidation_sh_6k"

_FACT = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_WORD = re.compile(r"\w+")


def read_consolidation(data: Iterable[Mapping[str, Any]], *, row: str = DEFAULT_ROW) -> Dataset:
    """One row's facts as messages in order, a minute apart; each question asks for the newest value."""
    rows = {entry["metadata"]["source"]: entry for entry in data}
    if row not in rows or "_sh_" not in row:
        fitting = ", ".join(sorted(name for name in rows if "_sh_" in name))
        raise DataError(f"no row {row!r} with one fact a question; there are: {fitting or 'none'}", field="row")
    entry = rows[row]
    facts = [text for _, text in _FACT.findall(entry["context"])]
    turns, asked_at = _numbered("fact", facts, timedelta(minutes=1), conversation="facts")
    questions = []
    for number, (text, answers) in enumerate(zip(entry["questions"], entry["answers"], strict=True)):
        newest, older = answering(text, answers, facts)
        if newest is None:
            continue
        evidence = (f"fact-{newest}",)
        questions.append(
            Question(
                id=f"{row}/{number}",
                person="reader",
                text=text,
                type="changed" if older else "unchanged",
                at=asked_at,
                evidence=evidence,
                sessions=("facts",),
                newest=evidence if older else (),
                older=tuple(f"fact-{index}" for index in older),
                answer=answers[0],
            )
        )
    return Dataset(row, turns, tuple(questions), len(entry["questions"]) - len(questions))


def _numbered(name: str, texts: Sequence[str], apart: timedelta, **parts: str) -> tuple[tuple[Turn, ...], datetime]:
    """Texts without dates as messages in order, and the day after the last."""
    turns = tuple(
        Turn(
            id=f"{name}-{number}",
            person="reader",
            conversation=parts.get("conversation", f"{name}-{number}"),
            text=text,
            at=BEGINNING + number * apart,
        )
        for number, text in enumerate(texts)
    )
    return turns, BEGINNING + len(texts) * apart + timedelta(days=1)


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


# ── SQuAD, as FaQuAD has it in Portuguese ──────────────────────────────────────────────────────────────────────


def read_squad(data: Mapping[str, Any]) -> Dataset:
    """Each paragraph a message in a conversation of its own, its questions asked a day after the last."""
    paragraphs = [paragraph for article in data["data"] for paragraph in article["paragraphs"]]
    texts = list(dict.fromkeys(paragraph["context"] for paragraph in paragraphs))
    turns, asked_at = _numbered("paragraph", texts, timedelta(hours=2))
    ids = {turn.text: turn.id for turn in turns}
    questions = tuple(
        Question(
            id=str(asked["id"]),
            person="reader",
            text=asked["question"],
            type="faquad",
            at=asked_at,
            evidence=(ids[paragraph["context"]],),
            sessions=(ids[paragraph["context"]],),
            answer=asked["answers"][0]["text"] if asked.get("answers") else "",
        )
        for paragraph in paragraphs
        for asked in paragraph["qas"]
        if not asked.get("is_impossible")
    )
    left_out = sum(len(paragraph["qas"]) for paragraph in paragraphs) - len(questions)
    return Dataset("faquad", turns, questions, left_out)


# ── our own ────────────────────────────────────────────────────────────────────────────────────────────────────


def read_lines(data: Iterable[Mapping[str, Any]], *, pool: str = "question") -> Dataset:
    """Our own format: one JSON object a line, a message or a question, of the person each names; or all of one."""
    turns: dict[tuple[str, str], Turn] = {}
    asked: list[Mapping[str, Any]] = []

    def person_of(entry: Mapping[str, Any]) -> str:
        return ONE_PERSON if pool == "all" else str(entry.get("person", ONE_PERSON))

    for number, line in enumerate(data, 1):
        if isinstance(message := line.get("message"), dict):
            turn = _line_turn(message, person_of(message), number)
            if (turn.person, turn.id) in turns:
                raise DataError(f"the message {turn.id!r} is there twice")
            turns[turn.person, turn.id] = turn
        elif isinstance(question := line.get("question"), dict):
            asked.append(question)
        else:
            raise DataError(f"line {number} is neither a message nor a question")
    questions = [_line_question(each, person_of(each), index, turns) for index, each in enumerate(asked)]
    kept = tuple(question for question in questions if question.evidence)
    return Dataset("jsonl", in_order(turns.values()), kept, len(questions) - len(kept))


def _line_turn(message: Mapping[str, Any], person: str, number: int) -> Turn:
    role = message.get("role", "user")
    if role not in ("user", "assistant"):
        raise DataError(f"line {number} has the role {role!r}; there are user, assistant")
    return Turn(
        id=str(message["id"]),
        person=person,
        conversation=str(message.get("conversation", "direct")),
        text=str(message["text"]),
        at=moment(message["at"]),
        assistant=role == "assistant",
        author=message.get("author"),
    )


def _line_question(
    entry: Mapping[str, Any], person: str, index: int, turns: Mapping[tuple[str, str], Turn]
) -> Question:
    newest, older = _ids(entry.get("newest")), _ids(entry.get("older"))
    evidence = _ids(entry.get("evidence")) or newest
    if unknown := [id for id in (*evidence, *newest, *older) if (person, id) not in turns]:
        raise DataError(f"the question {entry.get('id', index)!r} names {unknown[0]!r}, which no message is")
    last = max((turn.at for turn in turns.values() if turn.person == person), default=None)
    return Question(
        id=str(entry.get("id", index)),
        person=person,
        text=str(entry["text"]),
        type=str(entry.get("type", "question")),
        at=moment(entry["at"]) if "at" in entry or last is None else last,
        evidence=evidence,
        sessions=sessions_of(evidence, {id: turns[person, id].conversation for id in evidence}),
        newest=newest if older else (),
        older=older,
        answer=str(entry.get("answer", "")),
    )


def _ids(given: Any) -> tuple[str, ...]:
    """One id or several."""
    return () if given is None else (given,) if isinstance(given, str) else tuple(map(str, given))


READERS: dict[str, Callable[..., Dataset]] = {
    "longmemeval": read_longmemeval,
    "locomo": read_locomo,
    "factconsolidation": read_consolidation,
    "faquad": read_squad,
    "jsonl": read_lines,
}
POOLS = ("all", "question")


def load(name: str, path: Path, *, pool: str | None = None, row: str | None = None) -> Dataset:
    """The data set of a name from a file; `pool` and `row` mean something to some of them."""
    if name not in READERS:
        raise DataError(f"no data set {name!r}; there are {', '.join(READERS)}", field="dataset")
    given = {key: value for key, value in (("pool", pool), ("row", row)) if value is not None}
    for key in given.keys() - signature(READERS[name]).parameters:
        raise DataError(f"{name} knows no {key}", field=key)
    data = parsed(path)
    try:
        found = READERS[name](data, **given)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as exc:
        raise DataError(f"{path} is not in the format of {name}: {mismatch(exc)}") from exc
    if not found.turns or not found.questions:
        raise DataError(f"{path} has no {'messages' if not found.turns else 'questions with evidence'} for {name}")
    return found
