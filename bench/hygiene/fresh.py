"""The fresh test: messages to an assistant and dialogues between people, labelled as training/reader/GUIDE.md says.

Their authors wrote nothing else, and nobody who works on the reader reads them. What both annotators would keep has to
be found; what either would keep is not junk.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import FAVORITE, FORMER, SELF
from relembra.domain.message import Message, Role
from relembra.domain.policy import LearnPolicy
from relembra.domain.scope import DIRECT, Scope
from relembra.domain.text import fold
from relembra.minds.port import Reader

DATA = Path(__file__).parent / "data" / "fresh"
WRITER = "writer"
ASSISTANT = "assistant"
DENIABLE = ("", "habit", "dislikes")  # what "I don't …" is kept under
DENIES = re.compile(r"\b(?:nao|nunca|nem|jamais|sem|not?|never|nothing|without|cannot)\b|n['’]?t\b")

Verdict = Literal["right", "wrong_person", "false"]


@dataclass(frozen=True, slots=True)
class Line:
    """One message with the turns before it, what is to be kept of it, and what it does to statements held before."""

    id: str
    language: str
    at: datetime
    text: str
    before: tuple[tuple[str, str], ...]
    items: tuple[dict[str, Any], ...]
    held: tuple[tuple[str, str], ...]
    is_plain: bool
    in_dialogue: bool

    def least(self, one: Candidate, policy: LearnPolicy) -> float:
        """How sure the memory must be to keep it."""
        is_among = any(by not in ("self", ASSISTANT) for by, _ in self.before)
        return policy.among_people(one.subject, one.attribute) if is_among else policy.keep_at_least


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader found in a line."""

    line: Line
    found: tuple[Candidate, ...]

    def kept(self, least: Least) -> list[Candidate]:
        return [one for one in self.found if one.confidence is None or one.confidence >= least(self.line, one)]


def lines(folder: Path = DATA) -> Iterator[Line]:
    """Every line of a folder's files; `FileNotFoundError` where there is none, for nothing would then be measured."""
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise FileNotFoundError(f"there are no labelled messages in {folder}")
    for path in paths:
        for raw in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(raw)
            yield Line(
                told["id"],
                told["lang"][:2],
                datetime.fromisoformat(told["at"]),
                told["text"],
                tuple((turn["by"], turn["text"]) for turn in told.get("before") or ()),
                tuple(told["items"]),
                tuple((held["known"], held["does"]) for held in told.get("held") or ()),
                bool(told.get("plain")),
                "by" in told,
            )


Least = Callable[[Line, Candidate], float]
"""How sure the memory must be of something it found in a line."""


async def read(reader: Reader, line: Line) -> Reading:
    """What a reader says of a message, given the turns before it."""
    talk = talk_of(line)
    message = talk.messages[-1]
    digest = await reader.digest(replace(talk, only=frozenset([message.id])))
    found = tuple(candidate for candidate in digest.candidates if candidate.message_id == message.id)
    return Reading(line, found)


def talk_of(line: Line) -> Talk:
    """The message as the memory would get it, last of its talk."""
    scope = Scope(tenant="bench", user=WRITER)
    said = [*line.before, ("self", line.text)]
    messages = tuple(
        Message(
            id=f"{line.id}.{number}",
            scope=scope,
            conversation=line.id,
            role=Role.ASSISTANT if by == ASSISTANT else Role.USER,
            author=WRITER if by == "self" else by,
            text=text,
            sent_at=line.at - timedelta(minutes=len(said) - number),
            zone=line.at.strftime("%z")[:3] + ":" + line.at.strftime("%z")[3:],
            place=DIRECT,
            saved_at=line.at,
        )
        for number, (by, text) in enumerate(said)
    )
    return Talk(messages, speaker=WRITER, language=line.language)


def verdicts(line: Line, kept: Sequence[Candidate]) -> list[Verdict]:
    """Of each thing kept whether it was said, and of whom."""
    ties = _ties(line, kept)
    found: list[Verdict] = []
    for one in kept:
        near = [item for item in line.items if _holds(one, item) or _is_part(one, item)]
        is_right = any(_same_person(one, item, ties) for item in near)
        found.append("right" if is_right else "wrong_person" if near else "false")
    return found


def counted(line: Line, kept: Sequence[Candidate]) -> Counter[str]:
    """What was wanted of a message, found, kept, and what is wrong of what was kept."""
    ties = _ties(line, kept)
    total: Counter[str] = Counter(
        wanted=sum(not item.get("optional") for item in line.items),
        kept=len(kept),
        empty=not line.items,
        empty_kept=bool(kept) and not line.items,
    )
    total.update(verdicts(line, kept))
    for item in line.items:
        met = [one for one in kept if _holds(one, item) and _same_person(one, item, ties)]
        if met:
            one = next((one for one in reversed(met) if _named_right(one, item)), met[0])
            total["found"] += not item.get("optional")
            total["met"] += 1
            total["attribute"] += _named_right(one, item)
            total["status"] += _status_right(one, item, line.at)
    return total


def _words(text: str) -> set[str]:
    return {word for part in fold(text).split() if (word := "".join(c for c in part if c.isalnum()))}


def _holds(one: Candidate, item: dict[str, Any]) -> bool:
    """Whether a candidate says a label's value: half of its words or more."""
    wanted = _words(item["value"])
    return 2 * len(wanted & _words(f"{one.content} {one.value or ''}")) >= max(1, len(wanted))


def _is_part(one: Candidate, item: dict[str, Any]) -> bool:
    """Whether a candidate's value is a part of a label's: too little, but not false."""
    return bool(said := _words(one.value or "")) and said <= _words(item["value"])


def _ties(line: Line, kept: Sequence[Candidate]) -> set[frozenset[str]]:
    """Words that name one person: "Clara" and "irmã"."""
    told = [(item["subject"], item["value"]) for item in line.items if item["attribute"] == "relation"]
    told += [(one.subject, one.person["relation"]) for one in kept if one.person.get("relation")]
    return {frozenset((name, tie)) for who, what in told for name in _words(who) for tie in _words(what)}


def _same_person(one: Candidate, item: dict[str, Any], ties: set[frozenset[str]]) -> bool:
    if SELF in (one.subject, item["subject"]):
        return bool(one.subject == item["subject"])
    mine, theirs = _words(one.subject), _words(item["subject"])
    return bool(mine & theirs) or any(frozenset((a, b)) in ties for a in mine for b in theirs)


def _named_right(one: Candidate, item: dict[str, Any]) -> bool:
    name = (one.attribute or "").removeprefix(FORMER)
    allowed = {item["attribute"] or "", *item.get("or", ())}
    return name in allowed or (name.startswith(FAVORITE) and any(other.startswith(FAVORITE) for other in allowed))


def _status_right(one: Candidate, item: dict[str, Any], now: datetime) -> bool:
    """Whether what a candidate's fields amount to is the label's status. A goal is one whether it is called current or
    planned, and words that are kept as said, under no attribute, claim nothing beyond themselves.
    """
    name, wanted = one.attribute or "", item["status"]
    if name.startswith(FORMER) or name == "dropped_goal":
        return bool(wanted == "former")
    if not name and "“" in one.content:
        return True
    if name == "goal" or any(day is not None and day > now for day in (one.held_from, one.expires_at)):
        return bool(wanted == "planned" or (wanted == "current" and item["attribute"] == "goal"))
    if name == "diet":  # "no meat" is one, whether it is called current or denied
        return bool(wanted in ("current", "denied"))
    is_denied = name in DENIABLE and one.value == one.evidence and DENIES.search(fold(one.value or "")) is not None
    return bool(wanted == ("denied" if is_denied else "current"))
