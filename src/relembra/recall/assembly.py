"""What the assistant is handed: ranked values and a token budget become one block of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from relembra.domain.budget import fit
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.policy import Policy
from relembra.minds.port import Tokens
from relembra.recall.ranking import Hit, MessageHit
from relembra.recall.rendering import heading, item_line, message_line, summary_line

ASK_SHARE = 0.25  # of the budget at most, for the question
BEFORE = -1  # the place of a summary among the recent messages
RECENT_SHARE = 0.4  # of the budget, kept for the conversation at hand before anything is recalled


class Question(Protocol):
    """What to ask the person, and the case the answer settles."""

    @property
    def case_id(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryContext:
    """The block to put before the assistant, and what it was made of."""

    text: str
    tokens: int
    budget: int
    language: str
    hits: tuple[Hit, ...]  # recalled knowledge, best first
    earlier: tuple[MessageHit, ...]  # recalled messages, best first
    recent: tuple[Message, ...]  # the conversation at hand, oldest first
    cut: int  # how many lines did not fit
    summary: str | None = None  # what came before the recent messages, told briefly
    question: Question | None = None  # one gentle question for the person, where two things known disagree

    @property
    def items(self) -> tuple[KnowledgeItem, ...]:
        return tuple(hit.item for hit in self.hits)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Every message in the text: recalled ones and then the recent ones, each oldest first."""
        earlier = sorted((hit.message for hit in self.earlier), key=lambda message: (message.sent_at, message.id))
        return (*earlier, *self.recent)


@dataclass(frozen=True, slots=True)
class _Line:
    """A rendered value: which part it belongs to, its rank among what was given, and what it is laid out by."""

    part: str
    index: int
    order: Any  # comparable within its part
    text: str


def assemble(
    *,
    name: str,
    hits: Sequence[Hit],
    earlier: Sequence[MessageHit],
    recent: Sequence[Message],
    summary: str | None = None,
    question: Question | None = None,
    now: datetime,
    budget: int,
    language: str,
    policy: Policy,
    tokens: Tokens,
) -> MemoryContext:
    """Fill the budget: the question, the newest messages within their share, knowledge, older messages, the rest.

    Never longer than the budget, by a last count of the whole text; the same input gives the same bytes.
    """
    idle = policy.context.session_idle
    known = [
        _Line(
            "known",
            index,
            index,
            item_line(hit.item, language, sure_from=policy.confidence.medium),
        )
        for index, hit in enumerate(hits)
    ]
    older = [
        _Line("earlier", index, (hit.message.sent_at, hit.message.id), message_line(hit.message, language, dated=True))
        for index, hit in enumerate(earlier)
    ]
    newest = [
        _Line("recent", index, index, message_line(message, language, dated=now - message.sent_at > idle))
        for index, message in reversed(list(enumerate(recent)))
    ]
    before = [] if summary is None else [_Line("recent", BEFORE, -1, summary_line(summary, language))]
    ask = [] if question is None else [_Line("ask", 0, 0, f"- {question.text}")]
    headings = {part: heading(name, part, language) for part in ("known", "earlier", "recent", "ask")}
    taken = _chosen(ask, known, older, newest, before, headings, budget, tokens)
    text = _laid_out(taken, headings)
    while (size := tokens.count(text)) > budget:
        taken.pop()
        text = _laid_out(taken, headings)
    kept = {part: sorted(line.index for line in taken if line.part == part) for part in headings}
    shown = [index for index in kept["recent"] if index != BEFORE]
    return MemoryContext(
        text=text,
        tokens=size,
        budget=budget,
        language=language,
        hits=tuple(hits[index] for index in kept["known"]),
        earlier=tuple(earlier[index] for index in kept["earlier"]),
        recent=tuple(recent[index] for index in shown),
        cut=len(ask) + len(known) + len(older) + len(newest) + len(before) - len(taken),
        summary=summary if BEFORE in kept["recent"] else None,
        question=question if kept["ask"] else None,
    )


def nothing(budget: int, language: str) -> MemoryContext:
    """The context where nothing may be remembered."""
    return MemoryContext(text="", tokens=0, budget=budget, language=language, hits=(), earlier=(), recent=(), cut=0)


def _chosen(
    ask: list[_Line],
    known: list[_Line],
    older: list[_Line],
    newest: list[_Line],
    before: list[_Line],
    headings: dict[str, str],
    budget: int,
    tokens: Tokens,
) -> list[_Line]:
    """The lines that fit, the most wanted first."""
    spent_headings = sum(tokens.count(headings[lines[0].part]) + 1 for lines in (ask, known, older, newest) if lines)
    room = budget - spent_headings

    def cost(line: _Line) -> int:
        return tokens.count(line.text) + 1

    asked = fit(ask, int(room * ASK_SHARE), cost)
    first = fit(newest, int(room * RECENT_SHARE), cost)
    told = fit(before, int(room * RECENT_SHARE) - first.tokens, cost)
    rest = fit([*known, *older, *first.cut], room - asked.tokens - first.tokens - told.tokens, cost)
    return [*asked.taken, *first.taken, *told.taken, *rest.taken]


def _laid_out(lines: Sequence[_Line], headings: dict[str, str]) -> str:
    """What is known first, for it changes least, by rank; then what was said, in the order of time."""
    blocks = []
    for part, title in headings.items():
        inside = sorted((line for line in lines if line.part == part), key=lambda line: line.order)
        if inside:
            blocks.append("\n".join([title, *(line.text for line in inside)]))
    return "\n".join(blocks)
