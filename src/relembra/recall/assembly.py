"""What the assistant is handed: ranked values and a token budget become one block of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from relembra.domain.knowledge import SELF, KnowledgeItem, told_beside
from relembra.domain.message import Message, Note
from relembra.domain.policy import Policy
from relembra.domain.text import fold
from relembra.minds.port import Tokens
from relembra.recall.formats import messages, rendering
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
    TellLine,
    grouped,
    today,
    told,
)

AnyLine = TypeVar("AnyLine", MemoryLine, ProfileLine)

_SAID = ""  # whom a note or message is about: nobody, it is what was said

VITAL = ("today", "name", "pronouns", "health", "location", "occupation", "family_context")
"""Fields of a person's memory that are never left out for something else."""
ASK_SHARE = 0.25  # of the budget at most, for the question or an insight
MEMORY_SHARE = 0.15  # of the budget at most, for the rest of a person's memory,
ROOMY = 800  # or half of what a budget has beyond so many tokens, if that is more
SHARES = {
    Part.PROFILES: 0.25,  # of the budget, at most
    Part.KNOWN: 0.25,  # these four share what is left, those of them that have something to show
    Part.NOTES: 0.05,
    Part.EARLIER: 0.6,
    Part.RECENT: 0.4,
}
SHORT_MESSAGE = 10  # words: what was learnt from so few says as much
_DATED = "top_of_mind"  # the field of a person's memory whose lines end with
_DATE = re.compile(r" \([^()]*\d{4}\)$")
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
    insight: KnowledgeItem | None = None  # a pattern they were not told yet
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
    insight: KnowledgeItem | None = None,
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
    form = rendering(format)
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
    if memory:
        memory = [MemoryLine("today", today(now, language)), *memory]
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
    if insight is not None:
        wanted.append(_Choice(TellLine(insight), 0, 0))
    wanted = [
        replace(
            choice,
            cost=tokens.count(form.line(choice.line, frame)) + 1,
            saying=_saying(choice.line, owner=name, language=language),
        )
        for choice in wanted
    ]
    parts = dict.fromkeys(choice.line.part for choice in wanted)
    headings = {part: tokens.count(form.heading(part, frame)) + 1 for part in parts}
    taken = _chosen(wanted, headings, budget)
    lines = _in_order(taken)
    text = form.text(lines, frame)
    while (size := tokens.count(text)) > budget:
        taken.pop()
        lines = _in_order(taken)
        text = form.text(lines, frame)
    shares = _shares(wanted, taken)
    said = {choice.saying for choice in taken}
    best_first = [choice.line for choice in sorted(taken, key=lambda choice: choice.rank)]
    return MemoryContext(
        text=text,
        tokens=size,
        budget=budget,
        language=language,
        format=format,
        # as a line of their own or in the words of another
        hits=tuple(hit for hit in hits if (name, _content(hit.item, language)) in said),
        notes=tuple(line.hit for line in best_first if isinstance(line, NoteLine)),
        earlier=tuple(line.hit for line in best_first if isinstance(line, EarlierLine)),
        recent=tuple(line.message for line in lines if isinstance(line, RecentLine)),
        profiles=tuple(dict.fromkeys(line.person for line in lines if isinstance(line, ProfileLine))),
        cut=sum(share.cut for share in shares.values()),
        shares=shares,
        summary=next((line.text for line in lines if isinstance(line, BeforeLine)), None),
        question=next((line.question for line in lines if isinstance(line, AskLine)), None),
        insight=next((line.item for line in lines if isinstance(line, TellLine)), None),
        lines=lines,
        frame=frame,
    )


def nothing(budget: int, language: str, format: str = "markdown") -> MemoryContext:
    """The context where nothing may be remembered."""
    rendering(format)
    return MemoryContext(
        text="", tokens=0, budget=budget, language=language, format=format, hits=(), earlier=(), recent=(), cut=0
    )


def _chosen(wanted: Sequence[_Choice], headings: Mapping[Part, int], budget: int) -> list[_Choice]:
    """The lines that fit beside the headings, the most wanted first."""
    by_part = grouped(sorted(wanted, key=lambda choice: choice.rank), lambda choice: choice.line.part)
    taken: list[_Choice] = []
    memory = by_part.get(Part.MEMORY, [])
    vital = [one for one in memory if isinstance(one.line, MemoryLine) and one.line.field in VITAL]
    held_back = _take(vital, budget - headings.get(Part.MEMORY, 0), taken)
    room = max(0, budget - sum(headings.values()) - held_back)
    for part in (Part.ASK, Part.TELL):
        room -= _take(by_part.get(part, ()), int(room * ASK_SHARE), taken)
    # These do not depend on what else there is, so that the beginning of a prompt stays the same.
    further = [one for one in memory if one not in vital]
    spent = headings.get(Part.MEMORY, 0) + sum(choice.cost for choice in vital)
    most = max(MEMORY_SHARE * budget, (budget - ROOMY) / 2)
    room -= _take(further, min(room, int(most) - spent), taken)
    profiled = int(budget * SHARES[Part.PROFILES]) - headings.get(Part.PROFILES, 0)
    room -= _take(by_part.get(Part.PROFILES, ()), min(room, profiled), taken)
    rest = {part: by_part[part] for part in _LEFT_TO if part in by_part}
    whole, spare = sum(SHARES[part] for part in rest), room
    for part, choices in rest.items():
        spare -= _take(choices, int(room * SHARES[part] / whole), taken)
    for choices in rest.values():
        held = {id(choice) for choice in taken}
        spare -= _take([choice for choice in choices if id(choice) not in held], spare, taken)
    return taken


def _take(choices: Sequence[_Choice], room: int, taken: list[_Choice]) -> int:
    """Take what is new and fits, in order; one too long is passed over for a shorter one behind it. What it costs."""
    spent = 0
    for choice in _new(choices, taken):
        if spent + choice.cost <= room:
            taken.append(choice)
            spent += choice.cost
    return spent


def _in_turn(lines: Sequence[AnyLine], group_of: Callable[[AnyLine], object]) -> Iterator[_Choice]:
    """Lines in their order, wanted in turn: the first of each group before the second of any."""
    seen: Counter[object] = Counter()
    for order, line in enumerate(lines):
        group = group_of(line)
        yield _Choice(line, seen[group], order)
        seen[group] += 1


def _new(choices: Iterable[_Choice], taken: Sequence[_Choice]) -> list[_Choice]:
    """The choices that say something neither the taken lines nor an earlier choice says; each message counts, but for
    an older short one all of which was learnt."""
    said = {choice.saying for choice in taken}
    learnt = {id for choice in taken if isinstance(choice.line, KnownLine) for id in choice.line.hit.item.message_ids}
    new = []
    for choice in choices:
        match choice.line:
            case EarlierLine(hit=hit):
                is_new = hit.message.id not in learnt or len(hit.message.text.split()) > SHORT_MESSAGE
            case RecentLine():
                is_new = True
            case _:
                is_new = choice.saying is None or choice.saying not in said
        if is_new:
            new.append(choice)
            said.add(choice.saying)
    return new


def _saying(line: Line, *, owner: str, language: str) -> Saying | None:
    """What a line says. A note of nothing but a message that is shown itself would repeat it."""
    match line:
        case MemoryLine(field=field, text=text):
            return owner, plain(_DATE.sub("", text) if field == _DATED else text)
        case ProfileLine(person=person, text=text):
            return person, plain(text)
        case KnownLine(hit=hit):
            return owner, _content(hit.item, language)
        case TellLine(item=item):
            return owner, _content(item, language)
        case NoteLine(hit=noted):
            return _SAID, plain(noted.note.summary)
        case EarlierLine(hit=recalled):
            return _SAID, plain(recalled.message.text)
        case RecentLine(message=message):
            return _SAID, plain(message.text)
        case _:
            return None


def _content(item: KnowledgeItem, language: str) -> str:
    """What an item says; the same words about another person are something else."""
    text, subject = plain(told(item, language)), plain(item.subject)
    return text if item.subject == SELF or subject in text else f"{subject}: {text}"


def plain(text: str) -> str:
    """A text as lines that say the same are told by."""
    return fold(" ".join(text.split())).rstrip(".!")


def _shares(wanted: Sequence[_Choice], taken: Sequence[_Choice]) -> dict[Part, Share]:
    """What each part got; a line another one repeats was not cut."""
    held = {id(choice) for choice in taken}
    cut = Counter(choice.line.part for choice in _new([one for one in wanted if id(one) not in held], taken))
    parts = [part for part in Part if any(choice.line.part is part for choice in wanted)]
    costs = {part: [choice.cost for choice in taken if choice.line.part is part] for part in parts}
    return {part: Share(sum(costs[part]), len(costs[part]), cut[part]) for part in parts}


def _in_order(taken: Sequence[_Choice]) -> tuple[Line, ...]:
    """What changes least first; knowledge by rank, what was said and noted in the order of time."""
    return tuple(
        choice.line
        for part in Part
        for choice in sorted((one for one in taken if one.line.part is part), key=lambda one: one.order)
    )
