"""Questions: contradictions put to the person, and past decisions, which can be taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from typing import NamedTuple

from starlette.responses import Response

from relembra.domain.audit import Actor, ActorKind
from relembra.domain.case import Outcome
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message
from relembra.errors import NotFoundError
from relembra.interfaces.sentences import attribute, who
from relembra.interfaces.web.visits import Paging, Visit, get, post
from relembra.learn.casework import Conflict, question
from relembra.locale import Words

SHOWN = 10
"""Cases a page has, or a few more."""
MOST_READ = 5
"""How many pages of the case file are read to fill one of these, where most of it is of the other kind."""
OWN_READER = "offline"  # as the name of every reader that comes with the memory begins
UNDECIDED = (Outcome.OPEN, Outcome.UNDONE)


class Side(NamedTuple):
    """One of two things that disagree, and the words it came from."""

    item: KnowledgeItem
    answer: Outcome  # which answer means that this one is right
    said: Message | None  # the last message it was learnt from, if it is still kept
    is_repeated: bool
    is_held: bool  # whether it is in the memory now
    fate: str  # what the decision means for it: kept, dropped, or nothing


class Shown(NamedTuple):
    """A case as the page shows it."""

    conflict: Conflict
    sides: tuple[Side, Side]
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


@get("/questions")
async def questions(visit: Visit) -> Response:
    is_open, paging = visit.asked("see") != "decided", Paging(visit, SHOWN)
    rows: list[Conflict] = []
    portion = paging.portion
    for _ in range(MOST_READ):
        listing = await visit.memory.conflicts(open_only=is_open, **portion, **visit.whose)
        rows += [row for row in listing if (row.case.outcome is Outcome.OPEN) is is_open]
        portion["after"] = listing.next
        if listing.next is None or len(rows) >= portion["limit"]:
            break
    return visit.page(
        "questions.html",
        cases=await _shown(visit, rows),
        is_open=is_open,
        more=paging.more(portion["after"]),
        answered=await _answered(visit),
    )


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
    if visit.asked("done") != "answered":
        return None
    try:
        found = await visit.memory.conflict(visit.asked("undo"), **visit.whose)
    except NotFoundError:
        return None
    return None if found.case.outcome in UNDECIDED else found


async def _shown(visit: Visit, rows: Sequence[Conflict]) -> list[Shown]:
    both = [item for row in rows for item in (row.old, row.new)]
    told = await asyncio.gather(*(visit.memory.sources(item.id, **visit.whose) for item in both))
    said = {item.id: messages for item, messages in zip(both, told, strict=True)}

    def side(row: Conflict, item: KnowledgeItem, answer: Outcome) -> Side:
        words, outcome = said[item.id], row.case.outcome
        fate = "" if outcome in UNDECIDED else "kept" if outcome in (Outcome.BOTH, answer) else "dropped"
        return Side(item, answer, words[-1] if words else None, len(words) > 1, item.is_current(visit.now), fate)

    def shown(row: Conflict) -> Shown:
        words, language, subject = visit.words, visit.words.language, row.new.subject
        old, new = (item if item.language == language else replace(item, language=None) for item in (row.old, row.new))
        name = attribute(words, row.new.attribute or row.old.attribute) or words("page.questions.about")
        about = name[:1].upper() + name[1:]
        if subject != SELF:
            about = words("page.questions.about.person", name=subject, about=name)
        judge = words("actor.model", name=row.case.judged_by)
        if row.case.judged_by == "rule":
            judge = words("page.questions.judged.rule")
        elif row.case.judged_by.startswith(OWN_READER):
            judge = words("page.questions.judged.offline")
        return Shown(
            row,
            (side(row, row.old, Outcome.OLD), side(row, row.new, Outcome.NEW)),
            unescape(question(row.case, old, new, language).text),
            about,
            judge,
            settled_by(words, row, visit.user),
        )

    return [shown(row) for row in rows]


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
