"""How a recall came about, shaped to be shown: what was found and why, what stayed out, and how the room was shared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relembra.domain.inquiry import Inquiry
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.policy import RankingPolicy
from relembra.domain.text import shortened
from relembra.interfaces.recollected import (
    MOST_TERMS,
    Beside,
    Manner,
    arms,
    likeness,
    note_text,
    sought,
    text_of,
)
from relembra.interfaces.recollected import Recalled as Found
from relembra.interfaces.web.moments import Clockface
from relembra.interfaces.words import Words
from relembra.recall.assembly import MemoryContext
from relembra.recall.found import Miss, Missed
from relembra.recall.ranking import Why
from relembra.remembering import Trace
from relembra.store.port import Kind

LONGEST_QUOTE = 60
LONGEST = 280


@dataclass(frozen=True, slots=True)
class Bar:
    """One way a row was found, and how well; None: there is no more or less of it."""

    name: str
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A row, recalled or left out, as it is shown."""

    text: str
    link: str  # empty: it has no page
    score: float
    about: tuple[str, ...]  # where it is from
    arms: tuple[Bar, ...]
    rest: str  # what else its score is made of, or why it was left out


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the context and the room it took; `start` and `share` in hundredths of the budget."""

    name: str
    title: str
    tokens: int
    lines: int
    cut: int
    start: float
    share: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """Everything the page shows of one question."""

    context: MemoryContext
    understood: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, tuple[Line, ...]], ...]
    missed: tuple[Line, ...]
    tally: tuple[tuple[str, int], ...]
    parts: tuple[Part, ...]
    total: int  # how many were left out

    @property
    def lines(self) -> int:
        return sum(part.lines for part in self.parts)

    @property
    def found(self) -> int:
        return sum(len(lines) for _, lines in self.groups)


def recalled(
    told: Trace,
    missed: Sequence[Missed],
    beside: Beside,
    *,
    words: Words,
    clock: Clockface,
    policy: RankingPolicy,
    tally: Sequence[tuple[Miss, int]],
) -> Recalled:
    made = told.context
    manner = Manner(words, clock.day, clock.moment, lambda text: shortened(text, LONGEST_QUOTE))
    showing = _Showing(manner, beside, policy)
    groups = (
        (Kind.ITEM, [showing.hit(hit.item, hit.item.content, hit.score, hit.why) for hit in made.hits]),
        (Kind.NOTE, [showing.hit(hit.note, note_text(hit.note), hit.score, hit.why) for hit in made.notes]),
        (
            Kind.MESSAGE,
            [showing.hit(hit.message, hit.excerpt or hit.message.text, hit.score, hit.why) for hit in made.earlier],
        ),
    )
    return Recalled(
        context=made,
        understood=tuple(understood(told.inquiry, manner)),
        groups=tuple((words(f"recalled.{kind}"), tuple(lines)) for kind, lines in groups if lines),
        missed=tuple(showing.miss(one) for one in missed),
        tally=tuple((words.name("missed", miss), number) for miss, number in tally),
        parts=tuple(parts(made, words)),
        total=len(told.missed),
    )


def understood(inquiry: Inquiry, manner: Manner) -> Iterator[tuple[str, str]]:
    """What was made of the question, by name; what it does not tell is left out."""
    words = manner.words
    first = [words.name("type", one) for one in inquiry.types] + [words.name("area", one) for one in inquiry.areas]
    rows = (
        ("core", inquiry.core if inquiry.core != inquiry.text else ""),
        ("language", words.name("language", inquiry.language)),
        ("names", ", ".join((*inquiry.names, *(f"@{name}" for name in inquiry.mentions)))),
        ("when", "" if inquiry.period is None else manner.period(inquiry.period)),
        ("topics", ", ".join(words.name("topic", topic) for topic in inquiry.topics)),
        ("first", ", ".join(first)),
        ("whose", "" if inquiry.role is None else words(f"trace.whose.{inquiry.role}")),
        ("past", words("trace.past.yes") if inquiry.past else ""),
        ("ordered", words("trace.ordered.yes") if inquiry.ordered else ""),
        ("terms", ", ".join(word for word, _ in sought(inquiry)[:MOST_TERMS])),
    )
    return ((words(f"trace.{name}"), value) for name, value in rows if value)


def parts(made: MemoryContext, words: Words) -> Iterator[Part]:
    """The parts of a context in their order, each beginning where the one before ends."""
    start = 0.0
    for part, share in made.shares.items():
        width = 100 * share.tokens / made.budget if made.budget else 0.0
        yield Part(part.value, words.name("part", part), share.tokens, share.lines, share.cut, start, width)
        start += width


def bars(why: Why, words: Words, policy: RankingPolicy) -> Iterator[Bar]:
    """What found a row, each as a bar from 0 to 1.

    How telling shared words are has no upper end, so that its bar nears its own as the ranking does.
    """
    for arm in arms(words, why):
        value = arm.value
        yield Bar(arm.said, value / (value + policy.keyword_halfway) if arm.way == "words" and value else value)


@dataclass(frozen=True, slots=True)
class _Showing:
    manner: Manner
    beside: Beside
    policy: RankingPolicy

    def hit(self, row: Found, text: str, score: float, why: Why) -> Line:
        words = self.manner.words
        rest = words(
            "page.trying.rest",
            similarity=words.number(why.similarity),
            weight=words.number(why.weight),
            recency=words.number(why.recency),
            rule=words.name("rule", why.rule),
        )
        return self._line(row, text, score, why, rest)

    def miss(self, one: Missed) -> Line:
        rest = self.manner.why_missed(one, self.beside, self.policy)
        return self._line(one.row, text_of(one.row), likeness(one.why), one.why, rest)

    def _line(self, row: Found, text: str, score: float, why: Why, rest: str) -> Line:
        about = tuple(self.manner.source(row, self.beside))
        found = tuple(bars(why, self.manner.words, self.policy))
        return Line(shortened(text, LONGEST), _link(row), score, about, found, rest)


def _link(row: Found) -> str:
    match row:
        case KnowledgeItem():
            return f"/item/{row.id}"
        case Note() if row.place.is_private:
            return f"/notes/{row.id}"
        case _:
            return ""
