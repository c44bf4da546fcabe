"""What the assistant is handed: ranked values and a token budget become one block of text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, Generic, TypeVar

from relembra.domain.knowledge import SELF, KnowledgeItem, told_beside
from relembra.domain.message import Message, Note
from relembra.domain.policy import Policy
from relembra.domain.text import fold
from relembra.minds.port import Tokens
from relembra.recall.formats import Rendering, messages
from relembra.recall.formats import rendering as named
from relembra.recall.ranking import Hit, MessageHit, NoteHit
from relembra.recall.rendering import (
    AskLine,
    BeforeLine,
    EarlierLine,
    Frame,
    KnownLine,
    Line,
    MemoryLine,
    NoteLine,
    Part,
    ProfileLine,
    Question,
    RecentLine,
    told,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fit(Generic[T]):
    """What was taken, in the given order, what it costs, and what was left out."""

    taken: tuple[T, ...]
    tokens: int
    cut: tuple[T, ...]


def fit(parts: Sequence[T], budget: int, cost: Callable[[T], int]) -> Fit[T]:
    """Take parts in order while they fit; one too long is passed over, so that a shorter one may still come in."""
    taken: list[T] = []
    cut: list[T] = []
    spent = 0
    for part in parts:
        price = cost(part)
        if spent + price <= budget:
            taken.append(part)
            spent += price
        else:
            cut.append(part)
    return Fit(tuple(taken), spent, tuple(cut))


AnyLine = TypeVar("AnyLine", MemoryLine, ProfileLine)

_SAID = ""  # whom a note or message is about: nobody, they tell what was said

ASK_SHARE = 0.25  # of the budget at most, for the question
SHARES = {
    Part.MEMORY: 0.15,  # of the budget, at most
    Part.PROFILES: 0.25,
    Part.KNOWN: 0.25,  # these four share what is left, those of them that have something to show
    Part.NOTES: 0.05,
    Part.EARLIER: 0.6,
    Part.RECENT: 0.4,
}
_DATED = "top_of_mind"  # the field of a person's memory whose lines end with
_DATE = re.compile(r" \([^()]*\d{4}\)$")
_STEADY = (Part.MEMORY, Part.PROFILES)
"""Parts whose share does not depend on what else there is, so that the beginning of a prompt stays the same."""
_LEFT_TO = (Part.KNOWN, Part.EARLIER, Part.RECENT, Part.NOTES)
"""The others, which share the rest, in the order they take what is left over."""


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a context a part has: its tokens (about), its lines, and how many of its lines did not fit."""

    tokens: int
    lines: int
    cut: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryContext:
    """The block to put before the assistant, and what it was made of."""

    text: str
    tokens: int
    budget: int
    language: str
    format: str = "markdown"
    hits: tuple[Hit, ...]  # recalled knowledge that is in the text, best first
    notes: tuple[NoteHit, ...] = ()  # recalled notes, best first
    earlier: tuple[MessageHit, ...]  # recalled messages, best first
    recent: tuple[Message, ...]  # the conversation at hand, oldest first
    profiles: tuple[str, ...] = ()  # whose profiles it shows
    cut: int  # how many lines did not fit
    shares: Mapping[Part, Share] = field(default_factory=dict)  # of the parts that had something to show
    summary: str | None = None  # what came before the recent messages, told briefly
    question: Question | None = None  # one gentle question for the person, where two things known disagree
    lines: tuple[Line, ...] = ()
    frame: Frame | None = None

    @property
    def items(self) -> tuple[KnowledgeItem, ...]:
        return tuple(hit.item for hit in self.hits)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Every message in the text: recalled ones and then the recent ones, each oldest first."""
        earlier = sorted((hit.message for hit in self.earlier), key=lambda message: (message.sent_at, message.id))
        return (*earlier, *self.recent)

    @property
    def chat(self) -> list[dict[str, str]]:
        """The same as messages ready to send: what is remembered as the system's, then the conversation at hand.

        They are within the budget where the format is chat; the lines another one had room for may be longer here.
        """
        return [] if self.frame is None else messages(self.lines, self.frame)


Saying = tuple[str, str]
"""Of whom a line says what, to tell repeats by."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A line that may be taken, its place among those of its part by rank, and what it is laid out by."""

    line: Line
    rank: int
    order: Any  # comparable within its part
    cost: int = 0
    saying: Saying | None = None


def assemble(
    *,
    name: str,
    hits: Sequence[Hit],
    earlier: Sequence[MessageHit],
    recent: Sequence[Message],
    notes: Sequence[NoteHit] = (),
    memory: Sequence[MemoryLine] = (),
    profiles: Sequence[ProfileLine] = (),
    learnt_in: Mapping[str, Note] | None = None,
    summary: str | None = None,
    question: Question | None = None,
    now: datetime,
    budget: int,
    language: str,
    policy: Policy,
    tokens: Tokens,
    format: str = "markdown",
    names: Mapping[str, str] | None = None,
) -> MemoryContext:
    """Fill the budget: each part its share, and what one leaves goes to the others.

    `name`: whose memory it is, by their id; `names`: what people are called; `learnt_in`: the notes items name, by id.
    Never longer than the budget, by a last count of the whole text; the same input gives the same bytes.
    """
    rendering = named(format)
    frame = Frame(
        name=(names or {}).get(name, name),
        names=names or {},
        language=language,
        now=now,
        idle=policy.context.session_idle,
        sure_from=policy.confidence.medium,
        medium_for=policy.layers.medium_for,
    )
    notes_by_id = learnt_in or {}
    beside = told_beside(hit.item for hit in hits)
    hits = [hit for hit in hits if hit.item.id not in beside]
    wanted: list[_Choice] = [
        *_in_turn(memory, lambda line: line.field),
        *_in_turn(profiles, lambda line: (line.person, line.section)),
        *(
            _Choice(KnownLine(hit, notes_by_id.get(hit.item.note_id or "")), rank, rank)
            for rank, hit in enumerate(hits)
        ),
        *(_Choice(NoteLine(hit), rank, (hit.note.happened_at, hit.note.id)) for rank, hit in enumerate(notes)),
        *(_Choice(EarlierLine(hit), rank, (hit.message.sent_at, hit.message.id)) for rank, hit in enumerate(earlier)),
        *(_Choice(RecentLine(message), len(recent) - place, place) for place, message in enumerate(recent)),
    ]
    if summary is not None:
        wanted.append(_Choice(BeforeLine(summary), len(recent) + 1, -1))
    if question is not None:
        wanted.append(_Choice(AskLine(question), 0, 0))
    wanted = [
        replace(
            choice,
            cost=tokens.count(rendering.line(choice.line, frame)) + 1,
            saying=_saying(choice.line, owner=name, language=language),
        )
        for choice in wanted
    ]
    parts = dict.fromkeys(choice.line.part for choice in wanted)
    headings = {part: tokens.count(rendering.heading(part, frame)) + 1 for part in parts}
    taken = _chosen(wanted, headings, budget)
    text = _laid_out(taken, rendering, frame)
    while (size := tokens.count(text)) > budget:
        taken.pop()
        text = _laid_out(taken, rendering, frame)
    lines = _in_order(taken)
    shares = _shares(wanted, taken)
    return MemoryContext(
        text=text,
        tokens=size,
        budget=budget,
        language=language,
        format=format,
        hits=_shown(hits, taken, owner=name, language=language),
        notes=tuple(line.hit for line in _ranked(taken) if isinstance(line, NoteLine)),
        earlier=tuple(line.hit for line in _ranked(taken) if isinstance(line, EarlierLine)),
        recent=tuple(line.message for line in lines if isinstance(line, RecentLine)),
        profiles=tuple(dict.fromkeys(line.person for line in lines if isinstance(line, ProfileLine))),
        cut=sum(share.cut for share in shares.values()),
        shares=shares,
        summary=next((line.text for line in lines if isinstance(line, BeforeLine)), None),
        question=next((line.question for line in lines if isinstance(line, AskLine)), None),
        lines=lines,
        frame=frame,
    )


def nothing(budget: int, language: str, format: str = "markdown") -> MemoryContext:
    """The context where nothing may be remembered."""
    named(format)
    return MemoryContext(
        text="", tokens=0, budget=budget, language=language, format=format, hits=(), earlier=(), recent=(), cut=0
    )


def _chosen(wanted: Sequence[_Choice], headings: Mapping[Part, int], budget: int) -> list[_Choice]:
    """The lines that fit beside the headings, the most wanted first."""
    room = max(0, budget - sum(headings.values()))
    by_part: dict[Part, list[_Choice]] = defaultdict(list)
    for choice in sorted(wanted, key=lambda choice: choice.rank):
        by_part[choice.line.part].append(choice)
    cost = attrgetter("cost")
    asked = fit(by_part.pop(Part.ASK, []), int(room * ASK_SHARE), cost)
    taken = list(asked.taken)
    for part in _STEADY:
        most = int(budget * SHARES[part]) - headings.get(part, 0)
        taken += fit(_not_told(by_part.pop(part, []), taken), most, cost).taken
    room -= sum(choice.cost for choice in taken)
    weights = {part: SHARES[part] for part in by_part}
    whole = sum(weights.values()) or 1.0
    spare = room
    left: dict[Part, Sequence[_Choice]] = {}
    for part in _LEFT_TO:
        if part in by_part:
            others = _not_told(by_part[part], taken)
            first = fit(others, int(room * weights[part] / whole), cost)
            taken += first.taken
            spare -= first.tokens
            left[part] = first.cut
    for choices in left.values():
        more = fit(_not_told(choices, taken), spare, cost)
        taken += more.taken
        spare -= more.tokens
    return taken


def _in_turn(lines: Sequence[AnyLine], group_of: Callable[[AnyLine], object]) -> Iterator[_Choice]:
    """Lines in their order, wanted in turn: the first of each group before the second of any."""
    seen: Counter[object] = Counter()
    for order, line in enumerate(lines):
        group = group_of(line)
        yield _Choice(line, seen[group], order)
        seen[group] += 1


def _not_told(choices: Iterable[_Choice], taken: Sequence[_Choice]) -> list[_Choice]:
    """The choices that say something neither the taken lines nor an earlier choice says."""
    said = {choice.saying for choice in taken} | {_quoting(choice.line) for choice in taken}
    fresh = []
    for choice in choices:
        if choice.saying is None or choice.saying not in said:
            fresh.append(choice)
            said.add(choice.saying)
    return fresh


def _saying(line: Line, *, owner: str, language: str) -> Saying | None:
    """What a line of memory, profile, knowledge or notes says; messages are no repeats of one another."""
    match line:
        case MemoryLine(field=field, text=text):
            return owner, plain(_DATE.sub("", text) if field == _DATED else text)
        case ProfileLine(person=person, text=text):
            return person, plain(text)
        case KnownLine(hit=hit):
            return owner, _content(hit.item, language)
        case NoteLine(hit=told):
            return _SAID, plain(told.note.summary)
        case _:
            return None


def _quoting(line: Line) -> Saying | None:
    """What a message says that is shown itself: a note of nothing else would repeat it."""
    match line:
        case EarlierLine(hit=hit):
            return _SAID, plain(hit.message.text)
        case RecentLine(message=message):
            return _SAID, plain(message.text)
        case _:
            return None


def _content(item: KnowledgeItem, language: str) -> str:
    """What an item says; the same words about somebody else are something else."""
    text, subject = plain(told(item, language)), plain(item.subject)
    return text if item.subject == SELF or subject in text else f"{subject}: {text}"


def plain(text: str) -> str:
    """A text as lines that say the same are told by."""
    return fold(" ".join(text.split())).rstrip(".!")


def _shown(hits: Sequence[Hit], taken: Sequence[_Choice], *, owner: str, language: str) -> tuple[Hit, ...]:
    """The hits that can be read in the text, as a line of their own or in the words of another."""
    said = {choice.saying for choice in taken}
    return tuple(hit for hit in hits if (owner, _content(hit.item, language)) in said)


def _shares(wanted: Sequence[_Choice], taken: Sequence[_Choice]) -> dict[Part, Share]:
    """What each part got; a line another one repeats was not cut."""
    held = {id(choice) for choice in taken}
    cut = Counter(choice.line.part for choice in _not_told([one for one in wanted if id(one) not in held], taken))
    parts = [part for part in Part if any(choice.line.part is part for choice in wanted)]
    costs = {part: [choice.cost for choice in taken if choice.line.part is part] for part in parts}
    return {part: Share(sum(costs[part]), len(costs[part]), cut[part]) for part in parts}


def _ranked(taken: Sequence[_Choice]) -> list[Line]:
    return [choice.line for choice in sorted(taken, key=lambda choice: choice.rank)]


def _in_order(taken: Sequence[_Choice]) -> tuple[Line, ...]:
    """What changes least first; knowledge by rank, what was said and noted in the order of time."""
    return tuple(
        choice.line
        for part in Part
        for choice in sorted((one for one in taken if one.line.part is part), key=lambda one: one.order)
    )


def _laid_out(taken: Sequence[_Choice], rendering: Rendering, frame: Frame) -> str:
    return rendering.text(_in_order(taken), frame)
