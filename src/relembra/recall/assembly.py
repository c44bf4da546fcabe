"""What the assistant is handed: ranked values and a token budget become one block of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    FurtherLine,
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
    hedged,
    today,
    told,
)

AnyLine = TypeVar("AnyLine", MemoryLine, ProfileLine)

_SAID = ""  # whom a note or message is about: nobody, it is what was said

VITAL = ("name", "pronouns", "health", "location", "occupation", "family_context", "communication_style", "today")
"""Fields of a person's memory that are never left out for something else, in the order they are taken."""
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
TELLING = 4  # letters from which on a word tells something, and a number always does;
ALIKE = 3  # of its first letters tell it in another form
_FIELD_OF = {
    **{"name": "name", "nickname": "name", "pronouns": "pronouns", "residence": "location"},
    **{"occupation": "occupation", "employment": "occupation", "communication": "communication_style"},
    **{"marital_status": "family_context", "children": "family_context", "relation": "family_context"},
}
"""In which field of a person's memory the value of an attribute stands."""
_WORD = re.compile(r"\w+")
_LAST = 1_000_000  # in a part, behind whatever else there is
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
    told: frozenset[str] = frozenset()  # ids of what was found and says only what other lines say

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
    fills: bool = False  # whether it is only taken where nothing better is left


def assemble(
    *,
    name: str,
    hits: Sequence[Hit],
    earlier: Sequence[MessageHit],
    recent: Sequence[Message],
    notes: Sequence[NoteHit] = (),
    filling: Sequence[Hit | NoteHit | MessageHit] = (),
    fill: bool = False,
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

    `filling`: weaker matches, best first, for what room is left; `fill`: whether more of the memory follows them;
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
        sure=policy.confidence,
        medium_for=policy.layers.medium_for,
    )
    every: list[Hit | NoteHit | MessageHit] = [*hits, *notes, *earlier, *filling]
    beside = told_beside(hit.item for hit in every if isinstance(hit, Hit))
    hits = [hit for hit in every if isinstance(hit, Hit) and hit.item.id not in beside]
    if memory:
        memory = sorted([MemoryLine("today", today(now, language)), *memory], key=_place_in_memory)
    wanted: list[_Choice] = [
        *_vital_first(memory),
        *_in_turn(profiles, lambda line: (line.person, line.section)),
        *_found(every, beside, learnt_in or {}, steady=len(every) - len(filling)),
        *(_Choice(RecentLine(message), len(recent) - place, place) for place, message in enumerate(recent)),
    ]
    if summary is not None:
        wanted.append(_Choice(BeforeLine(summary), len(recent) + 1, -1))
    if question is not None:
        wanted.append(_Choice(AskLine(question), 0, 0))
    if insight is not None:
        wanted.append(_Choice(TellLine(insight), 0, 0))
    begun = set[str]()  # fields of the memory whose row an earlier line begins

    def cost(line: Line) -> int:
        if isinstance(line, MemoryLine) and line.field in begun:
            return tokens.count(form.further(line))
        if isinstance(line, MemoryLine):
            begun.add(line.field)
        return tokens.count(form.line(line, frame)) + 1

    items = [*(hit.item for hit in hits), *([insight] if insight is not None else ())]
    contents = {item.id: _content(item, frame) for item in items}
    wanted = [
        _Choice(one.line, one.rank, one.order, cost(one.line), _saying(one.line, name, contents), one.fills)
        for one in wanted
    ]
    parts = dict.fromkeys((*(choice.line.part for choice in wanted), *([Part.KNOWN] if fill and memory else ())))
    headings = {part: tokens.count(form.heading(part, frame)) + 1 for part in parts}
    page = _Page(name, hits, contents)
    taken = _chosen(wanted, headings, budget, page, fill=fill)
    lines = _in_order(taken)
    text = form.text(lines, frame)
    while (size := tokens.count(text)) > budget:
        taken.pop()
        lines = _in_order(taken)
        text = form.text(lines, frame)
    page = _Page(name, hits, contents)
    page.put(taken)
    told = tuple(hit for hit in hits if page.tells(hit.item))  # as a line of their own or in the words of another
    said_already = frozenset(id for choice in wanted if not page.is_new(choice) for id in _row_ids(choice.line))
    shares = _shares(wanted, taken, page)
    best_first = [choice.line for choice in sorted(taken, key=lambda choice: (choice.fills, choice.rank))]
    return MemoryContext(
        text=text,
        tokens=size,
        budget=budget,
        language=language,
        format=format,
        hits=told,
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
        told=said_already.difference(id for line in lines for id in _row_ids(line)),
    )


def nothing(budget: int, language: str, format: str = "markdown") -> MemoryContext:
    """The context where nothing may be remembered."""
    rendering(format)
    return MemoryContext(
        text="", tokens=0, budget=budget, language=language, format=format, hits=(), earlier=(), recent=(), cut=0
    )


def _place_in_memory(line: MemoryLine) -> int:
    """The day on top, what is vital below it, then the rest."""
    return -1 if line.field == "today" else VITAL.index(line.field) if line.field in VITAL else len(VITAL)


def _vital_first(memory: Sequence[MemoryLine]) -> Iterator[_Choice]:
    """The lines of the memory in their order: all that is vital wanted by its field, the rest in turn."""
    for choice in _in_turn(memory, lambda line: line.field):
        field = choice.line.field if isinstance(choice.line, MemoryLine) else ""
        yield replace(choice, rank=VITAL.index(field)) if field in VITAL else choice


def _is_vital(choice: _Choice) -> bool:
    return isinstance(choice.line, MemoryLine) and choice.line.field in VITAL


def _found(
    every: Sequence[Hit | NoteHit | MessageHit],
    beside: Collection[str],
    learnt_in: Mapping[str, Note],
    *,
    steady: int,
) -> Iterator[_Choice]:
    """What was found as lines, wanted in this order; all but so many of them only fill."""
    for rank, found in enumerate(every):
        fills = rank >= steady
        match found:
            case Hit(item=item) if item.id not in beside:
                yield _Choice(KnownLine(found, learnt_in.get(item.note_id or "")), rank, rank, fills=fills)
            case NoteHit(note=note):
                yield _Choice(NoteLine(found), rank, (note.happened_at, note.id), fills=fills)
            case MessageHit(message=message):
                yield _Choice(EarlierLine(found), rank, (message.sent_at, message.id), fills=fills)


def _behind(memory: Iterable[_Choice]) -> Iterator[_Choice]:
    """Lines of the memory as they stand behind what answers."""
    for choice in memory:
        if isinstance(line := choice.line, MemoryLine):
            yield replace(choice, line=FurtherLine(line.field, line.text), order=_LAST + choice.order)


def _chosen(
    wanted: Sequence[_Choice], headings: Mapping[Part, int], budget: int, page: _Page, *, fill: bool
) -> list[_Choice]:
    """The lines that fit beside the headings, the most wanted first."""
    ranked = sorted(wanted, key=lambda choice: choice.rank)
    by_part = grouped([one for one in ranked if not one.fills], lambda choice: choice.line.part)
    memory = by_part.get(Part.MEMORY, [])
    vital = [one for one in memory if _is_vital(one)]
    held_back = page.take(vital, budget - headings.get(Part.MEMORY, 0))
    parts = {one.line.part for one in ranked}
    room = max(0, budget - sum(headings[part] for part in parts) - held_back)
    for part in (Part.ASK, Part.TELL):
        room -= page.take(by_part.get(part, ()), int(room * ASK_SHARE))
    # These do not depend on what else there is, so that the beginning of a prompt stays the same.
    further = [one for one in memory if not _is_vital(one)]
    spent = headings.get(Part.MEMORY, 0) + sum(choice.cost for choice in vital)
    most = max(MEMORY_SHARE * budget, (budget - ROOMY) / 2)
    room -= page.take(further, min(room, int(most) - spent))
    profiled = int(budget * SHARES[Part.PROFILES]) - headings.get(Part.PROFILES, 0)
    room -= page.take(by_part.get(Part.PROFILES, ()), min(room, profiled))
    rest = {part: by_part[part] for part in _LEFT_TO if part in by_part}
    whole, spare = sum(SHARES[part] for part in rest), room
    for part, choices in rest.items():
        spare -= page.take(choices, int(room * SHARES[part] / whole))
    for choices in rest.values():
        spare -= page.take(choices, spare)
    filling, stand = [one for one in ranked if one.fills], {one.saying for one in further if fill}
    spare -= page.take([one for one in filling if one.saying not in stand], spare)
    if fill:
        spare -= 0 if Part.KNOWN in parts else headings.get(Part.KNOWN, 0)
        behind = list(_behind(further))
        spare -= page.take(behind, spare)
        page.take(behind, spare + page.without_told())
    return page.taken


def _in_turn(lines: Sequence[AnyLine], group_of: Callable[[AnyLine], object]) -> Iterator[_Choice]:
    """Lines in their order, wanted in turn: the first of each group before the second of any."""
    seen: Counter[object] = Counter()
    for order, line in enumerate(lines):
        group = group_of(line)
        yield _Choice(line, seen[group], order)
        seen[group] += 1


class _Page:
    """The lines taken so far, and what they say, so that nothing is said twice."""

    def __init__(self, owner: str, hits: Sequence[Hit], contents: Mapping[str, str]) -> None:
        self.taken: list[_Choice] = []
        self._owner, self._hits, self._contents = owner, hits, contents
        self._lines = set[int]()
        self._said = set[Saying | None]()
        self._fields: dict[str, set[str]] = {}  # the words of each field of the memory
        self._at_hand: list[str] = []  # what is said in the conversation at hand
        self._rows = set[str]()  # messages of which something learnt has a line of its own, with its day

    def put(self, choices: Iterable[_Choice]) -> None:
        for choice in choices:
            self.taken.append(choice)
            self._lines.add(id(choice.line))
            self._said.add(choice.saying)
            match choice.line:
                case MemoryLine(field=field, text=text):
                    self._fields.setdefault(field, set()).update(_words(text))
                case KnownLine(hit=hit):
                    self._rows.update(hit.item.message_ids)
                case RecentLine(message=message):
                    self._at_hand.append(message.text)

    def take(self, choices: Iterable[_Choice], room: int) -> int:
        """Take what is new and fits, in order, passing over what is too long; what that costs."""
        spent = 0
        for choice in choices:
            if spent + choice.cost <= room and self.is_new(choice):
                self.put([choice])
                spent += choice.cost
        return spent

    def without_told(self) -> int:
        """Leave out what only filled and is told by now; the room that makes."""

        def is_told(one: _Choice) -> bool:
            return one.fills and isinstance(one.line, EarlierLine) and self._is_learnt(one.line.hit.message)

        room = sum(one.cost for one in self.taken if is_told(one))
        self.taken = [one for one in self.taken if not is_told(one)]
        return room

    def is_new(self, choice: _Choice) -> bool:
        """Whether a line says what no other does: each message counts, but for one all of which was learnt."""
        match choice.line:
            case line if id(line) in self._lines:
                return False
            case EarlierLine(hit=hit):
                return not self._is_learnt(hit.message) and not (choice.fills and self._is_in_a_note(hit.message))
            case RecentLine():
                return True
            case FurtherLine(text=text):
                return choice.saying not in self._said and not any(_is_covered(text, [said]) for said in self._at_hand)
            case KnownLine(hit=hit):
                return not self.tells(hit.item)
            case NoteLine(hit=noted):
                return choice.saying not in self._said and not self._is_noted(noted.note)
            case _:
                return choice.saying is None or choice.saying not in self._said

    def tells(self, item: KnowledgeItem) -> bool:
        """Whether an item is told, by a line in its words or by its value in the memory."""
        return (self._owner, self._contents[item.id]) in self._said or self._is_in_memory(item)

    def _is_in_memory(self, item: KnowledgeItem) -> bool:
        field = self._fields.get(_FIELD_OF.get(item.attribute or "", ""))
        is_plain = item.superseded_at is None and item.held_until is None and not item.needs_resolution
        if field is None or not item.value or not is_plain or item.speaker not in (None, item.scope.user):
            return False
        if item.subject == SELF:
            return item.attribute != "relation" and _words(item.value) <= field
        return item.attribute == "relation" and _words(f"{item.subject} {item.value}") <= field

    def _is_learnt(self, message: Message) -> bool:
        """Whether what is told of a message says all of it."""
        if message.id in self._rows and len(message.text.split()) <= SHORT_MESSAGE:
            return True
        learnt = [hit.item for hit in self._hits if message.id in hit.item.message_ids and self.tells(hit.item)]
        return bool(learnt) and _is_covered(message.text, [item.content for item in learnt])

    def _is_in_a_note(self, message: Message) -> bool:
        """Whether the note of a message is shown and says all of it, of nobody else."""
        notes = (choice.line.hit.note for choice in self.taken if isinstance(choice.line, NoteLine))
        own = [note for note in notes if message.id in note.message_ids and len(note.participants) < 2]
        return any(_is_covered(message.text, [note.summary]) for note in own)

    def _is_noted(self, note: Note) -> bool:
        """Whether what is told of a note's talk says all of it."""
        of = set(note.message_ids)
        learnt = [hit.item.content for hit in self._hits if hit.item.note_id == note.id and self.tells(hit.item)]
        said = list[str]()
        for choice in self.taken:
            match choice.line:
                case EarlierLine(hit=hit) if hit.message.id in of:
                    said.append(hit.excerpt or hit.message.text)
                case RecentLine(message=message) if message.id in of:
                    said.append(message.text)
        return bool(learnt or said) and _is_covered(note.summary, [*learnt, *said])


def _words(text: str) -> set[str]:
    return set(_WORD.findall(fold(text)))


def _is_covered(text: str, others: Iterable[str]) -> bool:
    """Whether every word that tells something stands in the others, in some form."""
    held = {word[:ALIKE] if word.isalpha() else word for other in others for word in _words(other)}
    telling = {word for word in _words(text) if len(word) >= TELLING or not word.isalpha()}
    return {word[:ALIKE] if word.isalpha() else word for word in telling} <= held


def _row_ids(line: Line) -> tuple[str, ...]:
    """The id of what was found that a line is of."""
    match line:
        case KnownLine(hit=hit):
            return (hit.item.id,)
        case NoteLine(hit=noted):
            return (noted.note.id,)
        case EarlierLine(hit=recalled):
            return (recalled.message.id,)
        case _:
            return ()


def _saying(line: Line, owner: str, contents: Mapping[str, str]) -> Saying | None:
    """What a line says. A note of nothing but a message that is shown itself would repeat it."""
    match line:
        case MemoryLine(field=field, text=text):
            return owner, plain(_DATE.sub("", text) if field == _DATED else text)
        case ProfileLine(person=person, text=text):
            return person, plain(text)
        case KnownLine(hit=hit):
            return owner, contents[hit.item.id]
        case TellLine(item=item):
            return owner, contents[item.id]
        case NoteLine(hit=noted):
            return _SAID, plain(noted.note.summary)
        case EarlierLine(hit=recalled):
            return _SAID, plain(recalled.message.text)
        case RecentLine(message=message):
            return _SAID, plain(message.text)
        case _:
            return None


def _content(item: KnowledgeItem, frame: Frame) -> str:
    """What an item says; the same words about another person are something else."""
    text = plain(hedged(told(item, frame.language), item, frame.language, frame.sure))
    subject = plain(item.subject)
    return text if item.subject == SELF or subject in text else f"{subject}: {text}"


def plain(text: str) -> str:
    """A text as lines that say the same are told by."""
    return fold(" ".join(text.split())).strip('.!“”"')


def _shares(wanted: Sequence[_Choice], taken: Sequence[_Choice], page: _Page) -> dict[Part, Share]:
    """What each part got; a line another one repeats was not cut, nor one that would only have filled."""
    cut: Counter[Part] = Counter()
    for choice in wanted:
        if not choice.fills and page.is_new(choice):
            page.put([choice])
            cut[choice.line.part] += 1
    parts = [part for part in Part if any(choice.line.part is part for choice in (*wanted, *taken))]
    costs = {part: [choice.cost for choice in taken if choice.line.part is part] for part in parts}
    return {part: Share(sum(costs[part]), len(costs[part]), cut[part]) for part in parts}


def _in_order(taken: Sequence[_Choice]) -> tuple[Line, ...]:
    """What changes least first; knowledge by rank, what was said and noted in the order of time."""
    return tuple(
        choice.line
        for part in Part
        for choice in sorted((one for one in taken if one.line.part is part), key=lambda one: one.order)
    )
