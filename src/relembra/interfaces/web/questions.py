"""Questions: contradictions put to the person, and past decisions, which can be taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import unescape

from starlette.responses import Response

from relembra.domain.audit import Actor, ActorKind
from relembra.domain.case import Outcome
from relembra.domain.knowledge import SELF
from relembra.domain.message import Message
from relembra.errors import NotFoundError
from relembra.interfaces.sentences import attribute, who
from relembra.interfaces.web.visits import Visit, get, post
from relembra.learn.casework import Conflict, question
from relembra.locale import Words

SHOWN = 10
"""Cases a page has, or a few more."""
MOST_READ = 5
"""How many pages of the case file are read to fill one of these, where most of it is of the other kind."""
OWN_READER = "offline"  # as the name of every reader that comes with the memory begins
UNDECIDED = (Outcome.OPEN, Outcome.UNDONE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A case as the page shows it."""

    conflict: Conflict
    said: Mapping[str, Sequence[Message]]  # what each item was learnt from, as far as it is still kept
    asked: str  # the question as an assistant puts it, in the reader's language; other languages are quoted
    about: str  # in a few words, what it is about: "residence", "Lúcia: birthday"
    judge: str  # who or what noticed it
    decider: str  # who decided; empty while it is open

    @property
    def id(self) -> str:
        return self.conflict.id

    @property
    def is_open(self) -> bool:
        return self.conflict.case.outcome is Outcome.OPEN

    @property
    def successor(self) -> str | None:
        """What took the place of a side since, from outside the case; a decision it stands on cannot be taken back."""
        old, new = self.conflict.old, self.conflict.new
        replaced = (old.superseded_by, new.superseded_by)
        return next((id for id in replaced if id is not None and id not in (old.id, new.id)), None)

    @property
    def may_be_answered(self) -> bool:
        return self.conflict.case.outcome in UNDECIDED and self.successor is None

    @property
    def may_be_taken_back(self) -> bool:
        """Whether there is a decision, and nothing newer stands in its way; what closed by itself has none."""
        case = self.conflict.case
        return case.outcome not in UNDECIDED and case.settled_by is not None and self.successor is None

    def fate(self, answer: str) -> str:
        """What the decision means for the side an answer is for: kept, dropped, or nothing."""
        outcome = self.conflict.case.outcome
        return "" if outcome in UNDECIDED else "kept" if outcome in (Outcome.BOTH, answer) else "dropped"


@get("/questions")
async def questions(visit: Visit) -> Response:
    is_open, portion = visit.asked("see") != "decided", visit.portion(SHOWN)
    rows: list[Conflict] = []
    for _ in range(MOST_READ):
        listing = await visit.memory.conflicts(open_only=is_open, **portion, **visit.whose)
        rows += [row for row in listing if (row.case.outcome is Outcome.OPEN) is is_open]
        portion["after"] = listing.next
        if listing.next is None or len(rows) >= portion["limit"]:
            break
    cases, more = await _shown(visit, rows), visit.more(portion["after"], SHOWN)
    return visit.page("questions.html", cases=cases, is_open=is_open, more=more, answered=await _answered(visit))


@get("/questions/{id}")
async def one_question(visit: Visit) -> Response:
    """A case alone, by its id or that of an item in it."""
    (case,) = await _shown(visit, [await visit.memory.conflict(visit.id, **visit.whose)])
    return visit.page("question.html", case=case, answered=await _answered(visit))


@post("/questions/{id}/answer")
async def answer(visit: Visit) -> Response:
    settled = await visit.memory.resolve(visit.id, keep=visit.field("keep"), **visit.whose)
    return visit.back(done="answered", undo=settled.id, otherwise="/questions")


@post("/questions/{id}/reopen")
async def reopen(visit: Visit) -> Response:
    back = await visit.memory.reopen(visit.id, **visit.whose)
    is_open = back.case.outcome is Outcome.OPEN
    return visit.back(done="asked_again" if is_open else "reopened", otherwise="/questions")


async def _answered(visit: Visit) -> Conflict | None:
    """The case that was answered a moment ago, for a way back."""
    with suppress(NotFoundError):
        if visit.asked("done") == "answered":
            found = await visit.memory.conflict(visit.asked("undo"), **visit.whose)
            return None if found.case.outcome in UNDECIDED else found
    return None


async def _shown(visit: Visit, rows: Sequence[Conflict]) -> list[Shown]:
    words, language = visit.words, visit.words.language
    both = [item for row in rows for item in (row.old, row.new)]
    told = await asyncio.gather(*(visit.memory.sources(item.id, **visit.whose) for item in both))
    said = {item.id: messages for item, messages in zip(both, told, strict=True)}
    shown = []
    for row in rows:
        old, new = (item if item.language == language else replace(item, language=None) for item in (row.old, row.new))
        name = attribute(words, row.new.attribute or row.old.attribute) or words("page.questions.about")
        about = name[:1].upper() + name[1:]
        if row.new.subject != SELF:
            about = words("page.questions.about.person", name=row.new.subject, about=name)
        judge = words("actor.model", name=row.case.judged_by)
        if row.case.judged_by == "rule":
            judge = words("page.questions.judged.rule")
        elif row.case.judged_by.startswith(OWN_READER):
            judge = words("page.questions.judged.offline")
        asked = unescape(question(row.case, old, new, language).text)
        shown.append(Shown(row, said, asked, about, judge, settled_by(words, row, visit.user)))
    return shown


def settled_by(words: Words, conflict: Conflict, user: str) -> str:
    """Who decided a case, in words; a person looks at their own memory as "you"."""
    case = conflict.case
    if case.settled_by is None:
        return words("page.questions.settled.itself") if case.outcome is not Outcome.OPEN else ""
    actor = Actor.parse(case.settled_by)
    if case.outcome is Outcome.UNDONE:
        return words("page.questions.undone.you" if actor.is_owner(user) else "page.questions.undone.other")
    if actor.is_owner(user):
        return words("page.questions.settled.you")
    if actor.kind is not ActorKind.PERSON and case.judged_by == "rule":
        return words("page.questions.settled.rule")
    return words("page.questions.settled.other", who=who(words, actor))
