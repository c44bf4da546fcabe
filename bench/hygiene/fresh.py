"""The fresh test: messages to an assistant and dialogues between people, labelled as training/reader/GUIDE.md says.

Their authors wrote nothing else, and nobody who works on the reader reads them. What both annotators would keep has to
be found; what either would keep is not junk.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.hygiene.shares import Goal, share_row
from bench.table import Row
from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import SELF
from relembra.domain.message import Message, Role
from relembra.domain.scope import DIRECT, Scope
from relembra.domain.text import fold
from relembra.minds.port import Reader

DATA = Path(__file__).parent / "data" / "fresh"
WRITER = "writer"
ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Line:
    """One message with the turns before it, and what is to be kept of it."""

    id: str
    language: str
    at: datetime
    text: str
    before: tuple[tuple[str, str], ...]
    items: tuple[dict[str, Any], ...]
    held: tuple[tuple[str, str], ...]
    is_plain: bool
    in_dialogue: bool


def lines(folder: Path = DATA) -> Iterator[Line]:
    for path in sorted(folder.glob("*.jsonl")):
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


async def read(reader: Reader, line: Line) -> list[Candidate]:
    """What a reader proposes of a message, given the turns before it."""
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
    digest = await reader.digest(Talk(messages, speaker=WRITER, language=line.language))
    return [candidate for candidate in digest.candidates if candidate.message_id == messages[-1].id]


def counted(line: Line, kept: Sequence[Candidate]) -> Counter[str]:
    """What was wanted of a message, found, kept, and what is wrong of what was kept."""
    ties = _ties(line, kept)
    total: Counter[str] = Counter(
        wanted=sum(not item.get("optional") for item in line.items),
        kept=len(kept),
        empty=not line.items,
        empty_kept=bool(kept) and not line.items,
    )
    met: dict[int, Candidate] = {}
    for one in kept:
        near = [number for number, item in enumerate(line.items) if _holds(one, item)]
        right = [number for number in near if _same_person(one, line.items[number], ties)]
        total["right"] += bool(right)
        total["wrong_person"] += bool(near) and not right
        total["false"] += not near
        for number in right:
            if number not in met or _named_right(one, line.items[number]):
                met[number] = one
    for number, one in met.items():
        item = line.items[number]
        total["found"] += not item.get("optional")
        total["met"] += 1
        total["attribute"] += _named_right(one, item)
        total["status"] += _status(one, line.at) == item["status"]
    return total


def rows(found: Iterable[tuple[Line, Sequence[Candidate]]]) -> Iterator[Row]:
    """The table of the fresh test."""
    sums: dict[str, Counter[str]] = {}
    for line, kept in found:
        where = "dialogues" if line.in_dialogue else "messages"
        for name in (where, f"{where} {line.language}", *(["plain"] if line.is_plain else [])):
            sums.setdefault(name, Counter()).update(counted(line, kept))
    for language in ("pt", "en"):
        one = sums[f"messages {language}"]
        yield share_row(f"fresh messages {language}, items found", one["found"], one["wanted"], Goal.least(0.55))
        yield share_row(
            f"fresh messages {language}, junk of kept", one["kept"] - one["right"], one["kept"], Goal.most(0.1)
        )
    one = sums["dialogues"]
    yield share_row("fresh dialogues, right of kept", one["right"], one["kept"], Goal.least(0.85))
    yield share_row("fresh dialogues, false of kept", one["false"], one["kept"], Goal.most(0.03))
    yield share_row("fresh dialogues, wrong person of kept", one["wrong_person"], one["kept"], Goal.most(0.02))
    yield share_row("fresh dialogues, items found", one["found"], one["wanted"])
    both = sums["messages"] + sums["dialogues"]
    yield share_row(
        "fresh, messages with nothing that left something", both["empty_kept"], both["empty"], Goal.most(0.03)
    )
    yield share_row("fresh, right status of those found", both["status"], both["met"], Goal.least(0.93))
    yield share_row("fresh, right attribute of those found", both["attribute"], both["met"])
    one = sums["plain"]
    yield share_row("fresh plain statements, found", one["found"], one["wanted"], Goal.least(0.95))
    yield share_row("fresh plain statements, junk of kept", one["kept"] - one["right"], one["kept"], Goal.most(0.03))


def _words(text: str) -> set[str]:
    return {word for part in fold(text).split() if (word := "".join(c for c in part if c.isalnum()))}


def _holds(one: Candidate, item: dict[str, Any]) -> bool:
    """Whether a candidate says a label's value: half of its words or more."""
    wanted = _words(item["value"])
    return 2 * len(wanted & _words(f"{one.content} {one.value or ''}")) >= max(1, len(wanted))


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


def _status(one: Candidate, now: datetime) -> str:
    """The status a candidate's fields amount to."""
    name = one.attribute or ""
    if name.startswith(FORMER) or name == "dropped_goal":
        return "former"
    if name == "goal" or (one.held_from is not None and one.held_from > now):
        return "planned"
    return "denied" if name == "dislikes" and "not" in _words(one.content) else "current"
