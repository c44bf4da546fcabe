"""What a question asks for, and which words a row is found by.

What is indexed and what is embedded is the same text, but for archived rows: their vectors stay, and their terms are
only those of what is known about them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from relembra.domain.insight import MENTIONED, SENT
from relembra.domain.knowledge import SELF, TOPIC_TAGS, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note, Role
from relembra.domain.policy import RankingPolicy

LENGTH = 150
"""Characters; sentences that follow one another are taken together up to so many."""

MOST = 24
"""Passages of a text; a longer text has longer ones."""

LONGEST = 180
"""Words of a passage; an encoder reads about as many. Of a sentence beyond that, the rest is another passage."""

_MOST_READ = 1_000  # characters; some 180 words

_WORD = re.compile(r"\S+")
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_STOP = re.compile(r"""([.!?…]["'”’»)\]*_]*)\s+(?=\S)""")

_SAYING_NOTHING = {*TOPIC_TAGS, MENTIONED, SENT}

Span = tuple[int, int]
"""Where something begins in a text, and where it ends."""


def passages(text: str) -> list[str]:
    """The passages of a text, in order; none of a short one, which is a passage itself."""
    return [text[start:end] for start, end in passage_spans(text)]


def passage(text: str, part: int) -> str:
    """One passage by its number from 1; 0, and a number nothing has, stand for the whole text."""
    spans = passage_spans(text) if part > 0 else []
    return text[slice(*spans[part - 1])] if 0 < part <= len(spans) else text


def passage_spans(text: str) -> list[Span]:
    """Where the passages stand in the text: one after another, each of whole sentences or lines.

    Of a text that would have too many, more sentences are taken together, as long as an encoder reads them; what stands
    after the last is left out.
    """
    sentences = sentence_spans(text)
    if not sentences:
        return []
    length = max(LENGTH, -(-(sentences[-1][1] - sentences[0][0]) // MOST))
    spans = _joined(sentences, length)
    while len(spans) > MOST and length < _MOST_READ:  # a sentence more would often not have fitted
        length += length // 4
        spans = _joined(sentences, length)
    return spans[:MOST] if len(spans) > 1 else []


def _joined(sentences: list[Span], length: int) -> list[Span]:
    """Sentences that follow one another taken together, up to so many characters."""
    spans: list[Span] = []
    for start, end in sentences:
        if spans and end - spans[-1][0] <= length:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def sentence_spans(text: str) -> list[Span]:
    """Sentences and lines; one of too many words is several."""
    spans: list[Span] = []
    for line in _LINE.finditer(text):
        start, end = line.span()
        for stop in _STOP.finditer(text, start, end):
            spans.append((start, stop.end(1)))
            start = stop.end()
        if start < end:
            spans.append((start, end))
    if all(end - start < 2 * LONGEST for start, end in spans):  # so many words need as many blanks between them
        return spans
    return [piece for span in spans for piece in _pieces(text, span)]


def _pieces(text: str, span: Span) -> list[Span]:
    """A span, cut where it has too many words."""
    words = [found.span() for found in _WORD.finditer(text, *span)]
    firsts = range(0, len(words), LONGEST)
    return [(words[first][0], words[min(first + LONGEST, len(words)) - 1][1]) for first in firsts]


_MARKS = str.maketrans(".,;:!?()", " " * 8)


def item_text(item: KnowledgeItem) -> str:
    """The content, with the title, value and tags where they add words the content does not have.

    A topic found in the words adds none.
    """
    content = " ".join(item.content.split())
    held = content.casefold()
    title = item.title.rstrip("… .")
    parts = [] if held.startswith(title.casefold()) else [item.title]
    parts.append(item.content)
    if item.value and f" {item.value.casefold()} " not in f" {held.translate(_MARKS)} ":
        parts.append(item.value)
    if tags := [tag for tag in item.tags if tag not in _SAYING_NOTHING]:
        parts.append(", ".join(tags))
    return "\n".join(parts)


def note_text(note: Note) -> str:
    """The title and the summary."""
    return f"{note.title}\n{note.summary}"


def message_pieces(message: Message) -> list[str]:
    """What a message's vectors are made of: all of it, and its passages where a person said it.

    A person tells several things in one message; an assistant's long answer is about one, and finer vectors of it found
    nothing more.
    """
    return [message.text, *(passages(message.text) if message.role is Role.USER else ())]


def indexed_text(row: KnowledgeItem | Note | Message) -> str:
    """What the row's terms are made of: its whole text, or of an archived one its metadata."""
    match row:
        case KnowledgeItem(archived_at=None):
            return item_text(row)
        case KnowledgeItem():
            subject = None if row.subject == SELF else row.subject
            attribute = None if row.attribute is None else row.attribute.replace("_", " ")
            parts = (row.title, row.value, ", ".join(row.tags), attribute, subject)
            return "\n".join(part for part in parts if part)
        case Note(archived_at=None):
            return note_text(row)
        case Note():
            return "\n".join((row.title, *row.participants))
        case Message():
            return row.text


_TELLING = 0.5  # the least weight of a word that tells what is asked about; it may have two stems


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time named in a question, from `start` up to, not including, `end`, both in UTC."""

    start: datetime
    end: datetime
    text: str  # the words that named it
    precise: bool  # False: vague, as "lately" or "a few days ago" are


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A question, or the last thing said, as recall needs it. Empty and None: it does not tell."""

    text: str
    language: str | None = None  # pt or en
    core: str  # without greetings and polite wrapping; never empty unless the text is
    is_small_talk: bool = False  # nothing is asked or told of anybody: a greeting, thanks, work on words that are given
    is_task: bool = False  # work to be done, or what anybody may know, in words that concern nobody of this memory
    names: tuple[str, ...] = ()  # subjects named, as this memory calls them, in order of mention
    speakers: tuple[str, ...] = ()  # authors of messages that are named
    voiced: str | None = None  # the question as the first of them would have said it
    mentions: tuple[str, ...] = ()  # handles, without the @
    period: Period | None = None  # when what is asked about was said or happened
    topics: tuple[str, ...] = ()  # most told first
    about: str | None = None  # the first topic in a few words, to compare in meaning
    types: tuple[KnowledgeType, ...] = ()  # to look at first; empty: any
    areas: tuple[LifeArea, ...] = ()  # to look at first; empty: any
    attributes: tuple[str, ...] = ()  # of the kind of things asked for; items with them answer, whatever their words
    ties: tuple[str, ...] = ()  # where relations are asked for, words of those that are meant; empty: any
    role: Role | None = None  # assistant: asks what the assistant said; user: is about the asker
    weights: Mapping[str, float] = field(default_factory=dict)  # the terms to find it by, each with what it weighs
    past: bool = False  # asks how things were before, not how they are
    ordered: bool = False  # asks for several things, a count, or an order in time

    @property
    def time_alone(self) -> bool:
        """Whether it asks for whatever was in a time: no word of it tells of anything else."""
        return self.period is not None and bool(self.weights) and max(self.weights.values()) < _TELLING


_MOST_WORK_RELEVANCE = 10.0


def recency(moment: datetime, now: datetime, half_life_days: float) -> float:
    """1.0 now, halved every half-life; a moment in the future counts as now."""
    age = max(timedelta(), now - moment)
    return float(0.5 ** (age / timedelta(days=half_life_days)))


def companion_relevance(similarity: float, weight: float, recency_factor: float) -> float:
    """The companion's formula: similarity × weight × recency."""
    return similarity * weight * recency_factor


def work_relevance(priority: float, recency_factor: float, similarity: float, accesses: int) -> float:
    """The work assistant's formula: priority × (0.4 recency + 0.4 similarity + 0.2 usage), at most 10."""
    usage = math.log(accesses + 1) / 10
    return min(_MOST_WORK_RELEVANCE, priority * (0.4 * recency_factor + 0.4 * similarity + 0.2 * usage))


def keyword_similarity(bm25: float | None, coverage: float, policy: RankingPolicy) -> float:
    """0–1 from the keyword arm: half for how telling the shared terms are, half for how much of the query they cover.

    BM25 alone would make every match look weak in a small memory, where no term is rare yet.
    """
    if bm25 is None:
        return 0.0
    return 0.5 * bm25 / (bm25 + policy.keyword_halfway) + 0.5 * coverage


def fused_similarity(cosine: float | None, keyword: float, policy: RankingPolicy) -> float:
    """One score in 0–1 from the two arms; a row without a vector, as just after a save, is judged by its words."""
    if cosine is None:
        return keyword
    return min(1.0, policy.vector_share * max(0.0, cosine) + (1 - policy.vector_share) * keyword)


def default_relevance(similarity: float, weight: float, recency_factor: float, policy: RankingPolicy) -> float:
    """The default: similarity, moved a little by weight and recency."""
    weighing = 1 - policy.weight_share * (1 - weight)
    freshness = 1 - policy.recency_share * (1 - recency_factor)
    return similarity * weighing * freshness


def inverse_document_frequency(documents: int, containing: int) -> float:
    """How telling a term is, by BM25+'s never-negative form: ln(1 + (N − n + ½) / (n + ½))."""
    return math.log(1 + (documents - containing + 0.5) / (containing + 0.5))


BM25_K1 = 1.2
BM25_B = 0.75


def bm25_term(idf: float, frequency: int, length: int, average_length: float) -> float:
    """One term's share of a document's BM25 score (Robertson and Zaragoza 2009)."""
    norm = BM25_K1 * (1 - BM25_B + BM25_B * length / max(average_length, 1e-9))
    return idf * frequency * (BM25_K1 + 1) / (frequency + norm)
