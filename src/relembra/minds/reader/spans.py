"""From what the tagger says of each word to the stretches of words it claims, and whom each may be about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from relembra.minds.offline.flat import listed
from relembra.minds.reader.layout import Word

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

__all__ = ["BEGINS", "CHANGED", "NAMED", "STATUSES", "TIME", "Person", "Span", "Tagged", "spans_of"]

STATUSES = ("current", "former", "planned", "denied")
BEGINS, CHANGED, TIME, NAMED = range(4)  # what the tagger marks beside attributes

_CLAIMED = 0.1  # of an attribute's likelihood, below which a word is nobody's
_OF_BEST = 0.45  # a word belongs to a value where it has this share of the likeliest one
_BEGINS_ANEW = 0.6
_POINTED = 0.2
_MOST_PERSONS = 4
_SMALL = frozenset(
    listed(
        "a o as os um uma de do da dos das em no na nos nas e que com por para pra eu meu minha"
        " the an of in at to and for my i it"
    )
)

Person = tuple[int, int] | None
"""Words `start` to `end` that name somebody; None is whoever wrote the message."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """What the tagger says of each word: arrays of one row a word, likelihoods 0 to 1.

    `about` has one column for the writer and then one for each word. `worth`: the message holds something to keep;
    `turns`: it ends or changes something that may be known; `mood`: negative, neutral, positive.
    """

    tags: Numbers
    status: Numbers
    marks: Numbers
    about: Numbers
    worth: float = 0.0
    turns: float = 0.0
    mood: tuple[float, float, float] = (0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Span:
    """A value the tagger claims: words `start` to `end`, what it is, and whom it is about."""

    start: int
    end: int
    tag: str
    status: str
    person: Person
    peak: float  # how likely its clearest word has this attribute
    level: float  # and the mean of its words
    changed: float = 0.0
    persons: tuple[tuple[Person, float], ...] = ()  # whom it may be about, the likeliest first
    when: tuple[int, int] | None = None

    @property
    def score(self) -> float:
        """How much the tagger alone says for it."""
        share = self.persons[0][1] if self.persons else 1.0
        return (self.peak + self.level) / 2 * float(share**0.5)


def spans_of(words: Sequence[Word], tagged: Tagged, names: Sequence[str]) -> list[Span]:
    """The values of a message, the clearer first; a word has one attribute unless two are likely."""
    kept: list[Span] = []
    claimed = sorted(_claimed(words, tagged, names), key=lambda one: (one[0] + one[1], *one[2:]), reverse=True)
    for peak, level, start, end, name in claimed:
        clash = [x for x in kept if min(end, x.end) - max(start, x.start) > 0.5 * min(end - start, x.end - x.start)]
        if any(other.tag == name for other in clash) or (clash and peak + level < 1):
            continue
        persons = _persons(words, tagged, tagged.about[start:end].mean(0))
        if name == "relation":  # nobody is their own relative
            persons = tuple(one for one in persons if one[0] is not None)
        if not persons:
            continue
        kept.append(
            Span(
                start,
                end,
                name,
                STATUSES[int(tagged.status[start:end].mean(0).argmax())],
                persons[0][0],
                peak,
                level,
                float(tagged.marks[start:end, CHANGED].mean()),
                persons,
                _time_near(tagged, start, end),
            )
        )
    return kept


def _claimed(
    words: Sequence[Word], tagged: Tagged, names: Sequence[str]
) -> Iterator[tuple[float, float, int, int, str]]:
    for number, name in enumerate(names):
        column = tagged.tags[:, number]
        best = float(column.max(initial=0.0))
        if best < _CLAIMED:
            continue
        least, at = max(_CLAIMED, _OF_BEST * best), 0
        while at < len(column):
            if column[at] < least:
                at += 1
                continue
            stop = at + 1
            while stop < len(column) and column[stop] >= least and tagged.marks[stop, BEGINS] < _BEGINS_ANEW:
                stop += 1
            start, end = _trimmed(words, at, stop)
            if end > start:
                yield float(column[start:end].max()), float(column[start:end].mean()), start, end, name
            at = stop


def _trimmed(words: Sequence[Word], start: int, end: int) -> tuple[int, int]:
    """Without signs at either side and small words behind."""
    while end > start and (words[end - 1].text.lower() in _SMALL or not words[end - 1].text[0].isalnum()):
        end -= 1
    while end > start and not words[start].text[0].isalnum():
        start += 1
    return start, end


def _persons(words: Sequence[Word], tagged: Tagged, about: Numbers) -> tuple[tuple[Person, float], ...]:
    """Whom a value may be about, each with how much points there."""
    weights: dict[Person, float] = {}
    for rank, at in enumerate((-about).argsort()[:_MOST_PERSONS]):
        if about[at] >= _POINTED or rank == 0:
            who = None if at == 0 else _person_at(words, tagged, int(at) - 1)
            weights[who] = weights.get(who, 0.0) + float(about[at])
    return tuple(sorted(weights.items(), key=lambda one: -one[1]))


def _person_at(words: Sequence[Word], tagged: Tagged, at: int) -> tuple[int, int]:
    """The words around one that name the same person."""
    start, end = at, at + 1
    while start > 0 and at - start < 3 and _is_named(words, tagged, start - 1):
        start -= 1
    while end < len(words) and end - at < 4 and _is_named(words, tagged, end):
        end += 1
    return start, end


def _is_named(words: Sequence[Word], tagged: Tagged, at: int) -> bool:
    return bool(tagged.marks[at, NAMED] > 0.5) and words[at].text.isalnum()


def _time_near(tagged: Tagged, start: int, end: int) -> tuple[int, int] | None:
    """The words nearest to a value that tell a time."""
    runs, at = list[tuple[int, int]](), 0
    column = tagged.marks[:, TIME]
    while at < len(column):
        stop = at
        while stop < len(column) and column[stop] > 0.5:
            stop += 1
        if stop > at:
            runs.append((at, stop))
        at = stop + 1
    return min(runs, key=lambda run: max(start - run[1], run[0] - end, 0), default=None)
