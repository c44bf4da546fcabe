"""How a recall came about, in words for every interface: what found a row, where it is from, why it stayed out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from relembra.contexts import Trace
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import FROM_FILES, Message, Note, NoteKind, Role
from relembra.domain.policy import RankingPolicy
from relembra.domain.scope import Place, Whose
from relembra.domain.searchable import Inquiry, Period
from relembra.errors import NotFoundError
from relembra.locale import Words
from relembra.memory import Memory
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import Miss, Missed
from relembra.recall.ranking import Why, whole_words
from relembra.recall.rendering import KnownLine

TOLD_BY_SUMMARY = (
    NoteKind.CONVERSATION,
    NoteKind.JOURNAL,
    NoteKind.TOPIC_CLUSTER,
    NoteKind.SESSION,
    *FROM_FILES,
)
MOST_TERMS = 12
"""Words of a question that are shown."""

Recalled = KnowledgeItem | Note | Message


@dataclass(frozen=True, slots=True)
class Beside:
    """What the rows of a trace name, by id: the notes they were learnt in, and the items that replaced them."""

    notes: Mapping[str, Note] = field(default_factory=dict)
    successors: Mapping[str, KnowledgeItem] = field(default_factory=dict)
    told_otherwise: Collection[str] = ()  # ids of items whose words stand in another part


async def beside_of(memory: Memory, told: Trace, missed: Sequence[Missed], whose: Whose) -> Beside:
    """What the items shown of a trace name, as far as it can still be read."""
    rows = [hit.item for hit in told.context.hits]
    rows += [one.row for one in missed if isinstance(one.row, KnowledgeItem)]
    notes: dict[str, Note] = {}
    successors: dict[str, KnowledgeItem] = {}
    for item in rows:
        try:
            if item.superseded_by is not None and item.superseded_by not in successors:
                successors[item.superseded_by] = await memory.get(item.superseded_by, **whose)
            if item.note_id is not None and item.note_id not in notes:
                where = item.place
                channel = None if where.space is None else where.channel
                notes[item.note_id] = await memory.note(item.note_id, space=where.space, channel=channel, **whose)
        except NotFoundError:
            continue  # forgotten since, or heard elsewhere
    return Beside(notes, successors, told_otherwise(told.context))


def told_otherwise(made: MemoryContext) -> set[str]:
    """The ids of items in a context that have no line of their own among what is known."""
    lines = {line.hit.item.id for line in made.lines if isinstance(line, KnownLine)}
    return {item.id for item in made.items} - lines


def most_telling(missed: Sequence[Missed]) -> list[Missed]:
    """What was cut first, then whatever came nearest to the question."""
    return sorted(missed, key=lambda one: (one.miss is not Miss.CUT, -likeness(one.why)))


def likeness(why: Why) -> float:
    """How near a row came to the question, with what was said around it."""
    return why.similarity + why.around


def text_of(row: Recalled) -> str:
    """A row's own words."""
    match row:
        case KnowledgeItem():
            return row.content
        case Note():
            return note_text(row)
        case Message():
            return row.text


def note_text(note: Note) -> str:
    """A note's summary, behind its title where that says something else; of a report its title alone."""
    if note.kind not in TOLD_BY_SUMMARY:
        return note.title
    is_same = note.summary.startswith(note.title.rstrip(".… "))
    return note.summary if is_same else f"{note.title.rstrip('.')}: {note.summary}"


def sought(inquiry: Inquiry) -> list[tuple[str, float]]:
    """The words a question is searched by, the weightiest first; a stem counts for the word it begins."""
    found = {
        word: sum(weight for term, weight in inquiry.weights.items() if word.startswith(term))
        for word in whole_words(tuple(inquiry.weights))
    }
    return sorted(found.items(), key=lambda pair: -pair[1])


def arms(words: Words, why: Why) -> list[str]:
    """What found a row: meaning, shared words, messages around, and what else of the question it is."""
    found = []
    if why.cosine is not None:
        found.append(words("why.meaning", value=words.number(why.cosine)))
    if why.bm25 is not None:
        found.append(words("why.words", value=words.number(why.bm25), terms=", ".join(whole_words(why.terms))))
    if why.around:
        found.append(words("why.around", value=words.number(why.around)))
    return found + [words.name("focus", focus) for focus in why.focus]


def speaker(words: Words, message: Message) -> str:
    """Who said something; the assistant by what it is."""
    if message.role is Role.ASSISTANT:
        return words("role.assistant")
    author = message.author_name
    return f"{author} ({words.name('kind', message.form)})" if message.form else author


def place(words: Words, where: Place) -> str:
    """Where something was heard."""
    return words("place.direct") if where.space is None else f"{where.space} / {where.channel}"


@dataclass(frozen=True, slots=True)
class Manner:
    """How an interface says what a trace tells: in which words, a day, an hour, and how much of another row's words."""

    words: Words
    day: Callable[[datetime], str]
    moment: Callable[[datetime], str]
    quote: Callable[[str], str]

    def period(self, period: Period) -> str:
        """The time a question is about."""
        key = "trace.period" if period.precise else "trace.period.vague"
        first, last = self.day(period.start), self.day(period.end - timedelta(microseconds=1))
        dates = first if first == last else self.words("trace.dates", start=first, end=last)
        return self.words(key, text=period.text, dates=dates)

    def source(self, row: Recalled, beside: Beside) -> list[str]:
        """Where a row is from: its note, its date and who said it."""
        words = self.words
        match row:
            case KnowledgeItem():
                note = beside.notes.get(row.note_id or "")
                parts = [
                    words.name("type", row.type),
                    words.name("area", row.area),
                    "" if row.subject == SELF else row.subject,
                    self.day(row.held_from),
                    words.name("source", row.source)
                    if note is None
                    else words("trace.note", title=self.quote(note.title)),
                    words("trace.said_by", name=row.speaker) if row.speaker else "",
                    words("trace.told_otherwise") if row.id in beside.told_otherwise else "",
                ]
            case Note():
                parts = [words.name("kind", row.kind), self.day(row.happened_at), ", ".join(row.participants)]
            case Message():
                parts = [self.moment(row.sent_at), speaker(words, row)]
        away = "" if row.place.is_private else place(words, row.place)
        return [part for part in (*parts, away) if part]

    def why_missed(self, one: Missed, beside: Beside, policy: RankingPolicy) -> str:
        """Why a row was left out, as a person would say it; by name alone where there is nothing to fill in."""
        words, row, key = self.words, one.row, f"miss.{one.miss}"
        item = row if isinstance(row, KnowledgeItem) else None
        match one.miss:
            case Miss.WEAK:
                return words(key, needed=words.number(policy.least_shown))
            case Miss.ARCHIVED:
                return words(key, needed=words.number(policy.recover_at_least))
            case Miss.ELSEWHERE:
                return words(key, place=place(words, row.place))
            case Miss.DELETED if row.deleted_at is not None:
                return words(key, date=self.day(row.deleted_at))
            case Miss.SUPERSEDED if item is not None:
                by = beside.successors.get(item.superseded_by or "")
                return words("miss.superseded.gone") if by is None else words(key, by=self.quote(by.content))
            case Miss.UNKNOWN_THEN if item is not None:
                return words(key, date=self.day(item.created_at))
            case Miss.UNTRUE_THEN if item is not None:
                until = words("history.now") if item.held_until is None else self.day(item.held_until)
                return words(key, dates=words("trace.dates", start=self.day(item.held_from), end=until))
            case Miss.EXPIRED if item is not None and item.expires_at is not None:
                return words(key, date=self.day(item.expires_at))
        return words.name("missed", one.miss) if "{" in words(key) else words(key)
