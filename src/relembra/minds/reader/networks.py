"""The reader's networks and what is put to them: one tags words, one judges values, one compares with what is known.

Training lays its examples out with the same functions, so that a network meets what it was trained on.
"""

from __future__ import annotations

import re
import threading
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.minds.offline.text import listed
from relembra.minds.offline.wordpiece import WordPiece, shipped_wordpiece
from relembra.minds.onnx import session_of

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

LONGEST = 256  # pieces a network reads at once
BEFORE_WORDS = (32, 16, 8)  # kept of the turn right before, the one before that, and the third
_WORD = re.compile(r"\w+|[^\w\s]")


class Speaker(IntEnum):
    """Who says a word, seen from the message that is read."""

    NOW = 0  # the message itself
    SELF = 1  # its author, in a turn before
    ASSISTANT = 2
    OTHER = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said before a message. `name` is given for somebody else than its author and the assistant."""

    speaker: Speaker
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, where it stands in the text laid out, and who said it."""

    text: str
    start: int
    end: int
    speaker: Speaker = Speaker.NOW


@dataclass(frozen=True, slots=True)
class Pieces:
    """Words cut into numbered pieces, with the first piece of each word; a start before them, a stop after."""

    ids: list[int]
    shapes: list[int]
    speakers: list[int]
    firsts: list[int]


def words_of(text: str, offset: int = 0, speaker: Speaker = Speaker.NOW) -> list[Word]:
    return [Word(found[0], found.start() + offset, found.end() + offset, speaker) for found in _WORD.finditer(text)]


def laid_out(text: str, before: Iterable[Turn] = ()) -> tuple[str, tuple[Word, ...]]:
    """The text as the networks get it, and its words: the last three turns, each cut to its last words, then `text`."""
    whole, words = "", list[Word]()
    turns = list(before)[-len(BEFORE_WORDS) :]
    for back, turn in zip(range(len(turns) - 1, -1, -1), turns, strict=True):
        kept = words_of(turn.text)[-BEFORE_WORDS[back] :]
        if not kept:
            continue
        piece = turn.text[kept[0].start :]
        if turn.speaker is Speaker.OTHER:
            piece = f"{turn.name}: {piece}"
        words += words_of(piece, len(whole), turn.speaker)
        whole += piece + "\n"
    words += words_of(text, len(whole))
    return whole + text, tuple(words)


def pieces_of(words: Sequence[Word], cutter: WordPiece) -> Pieces:
    ids, shapes, speakers, firsts = [cutter.start], [0], [0], list[int]()
    for word in words:
        own = cutter.chunk_ids(word.text) or (cutter.unknown,)
        firsts.append(len(ids))
        ids += own
        shapes += [shape_of(word.text)] * len(own)
        speakers += [int(word.speaker)] * len(own)
    return Pieces([*ids, cutter.end], [*shapes, 0], [*speakers, 0], firsts)


def fitting(words: Sequence[Word], cutter: WordPiece) -> tuple[Word, ...]:
    """As many words as a network reads at once: the turns before are left out first, the oldest words of them, and
    then the last words of the message.
    """
    sizes = [len(cutter.chunk_ids(word.text)) or 1 for word in words]
    start, end, total = 0, len(words), sum(sizes) + 2
    while total > LONGEST:
        if words[start].speaker is not Speaker.NOW:
            total -= sizes[start]
            start += 1
        else:
            end -= 1
            total -= sizes[end]
    return tuple(words[start:end])


def first_words(text: str, cutter: WordPiece) -> tuple[Word, ...]:
    """A text's words, as many as are read at once."""
    return fitting(words_of(text), cutter)


@lru_cache(maxsize=20_000)
def shape_of(word: str) -> int:
    """Lower, Capitalised, UPPER, mixed with digits, a number, or a sign: what cutting into pieces drops."""
    if word.isdigit():
        return 4
    if any(char.isdigit() for char in word):
        return 3
    if not any(char.isalpha() for char in word):
        return 5
    if word[0].isupper():
        return 2 if len(word) > 1 and word.isupper() else 1
    return 0


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
    is_time = [*(tagged.marks[:, TIME] > 0.5), False]
    starts = [at for at, told in enumerate(is_time) if told and not (at and is_time[at - 1])]
    times = [(at, is_time.index(False, at)) for at in starts]  # words that tell a time, by runs
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
        status = STATUSES[int(tagged.status[start:end].mean(0).argmax())]
        changed = float(tagged.marks[start:end, CHANGED].mean())
        when = min(times, key=lambda run: max(start - run[1], run[0] - end, 0), default=None)
        kept.append(Span(start, end, name, status, persons[0][0], peak, level, changed, persons, when))
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
            start, end = at, stop  # without signs at either side and small words behind
            while end > start and (words[end - 1].text.lower() in _SMALL or not words[end - 1].text[0].isalnum()):
                end -= 1
            while end > start and not words[start].text[0].isalnum():
                start += 1
            if end > start:
                yield float(column[start:end].max()), float(column[start:end].mean()), start, end, name
            at = stop


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


VALUE, PERSON, KNOWN = 1, 2, 3  # marks of a piece: the value asked about, whom it is about, something known
MARKS = 4  # with 0, which is none of these
DOES = ("nothing", "repeats", "details", "replaces", "ends", "asks")
"""What a message may do to something known."""
_LONGEST_KNOWN = 60  # pieces
_BEFORE = 16  # words of the turns before the message, unless what is asked about stands farther back


@dataclass(frozen=True, slots=True)
class Question:
    """Pieces for the judge, with the shape, the speaker and the mark of each."""

    ids: list[int]
    shapes: list[int]
    speakers: list[int]
    marks: list[int]


def about_value(
    words: Sequence[Word], value: tuple[int, int], tag: str, status: str, person: Person, cutter: WordPiece
) -> Question:
    """Attribute, person and status, then the message with the value and the person marked."""
    named = [word.text for word in words[person[0] : person[1]]][:4] if person else ["self"]
    return _question((*tag.split("_"), ":", *named, status), 0, words, cutter, value, person)


def about_known(known: str, words: Sequence[Word], cutter: WordPiece) -> Question:
    """Something known, then the message."""
    return _question([word.text for word in words_of(known)], KNOWN, words, cutter)


def _question(
    lead: Iterable[str],
    mark: int,
    words: Sequence[Word],
    cutter: WordPiece,
    value: tuple[int, int] = (0, 0),
    person: Person = None,
) -> Question:
    """What leads, then the words around the value that fit, or the last ones; some of before the message, or from where
    the value or the person stands."""
    rows = [(cutter.start, 0, 0, 0)]
    for text in lead:
        own = (cutter.chunk_ids(text) or (cutter.unknown,))[: max(0, _LONGEST_KNOWN - len(rows))]
        rows += [(piece, shape_of(text), 0, mark) for piece in own]
    rows.append((cutter.end, 0, 0, 0))
    now = next((at for at, word in enumerate(words) if word.speaker is Speaker.NOW), len(words))
    near = max(0, min(now - _BEFORE, *([value[0]] if value[1] else []), *(person or ())[:1], now))
    body = list(enumerate(words))[near:]
    sizes = [len(cutter.chunk_ids(word.text)) or 1 for _, word in body]
    room, first, last = LONGEST - len(rows) - 1, 0, len(body)
    total = sum(sizes)
    while total > room and first < last:
        if value[1] and value[0] - body[first][0] < body[last - 1][0] + 1 - value[1]:
            last -= 1
            total -= sizes[last]
        else:
            total -= sizes[first]
            first += 1
    for at, word in body[first:last]:
        is_person = person is not None and person[0] <= at < person[1]
        mark = VALUE if value[0] <= at < value[1] else PERSON if is_person else 0
        own = (cutter.chunk_ids(word.text) or (cutter.unknown,))[: max(0, LONGEST - 1 - len(rows))]
        rows += [(piece, shape_of(word.text), int(word.speaker), mark) for piece in own]
    ids, shapes, speakers, marks = zip(*rows, (cutter.end, 0, 0, 0), strict=True)
    return Question(list(ids), list(shapes), list(speakers), list(marks))


TAGGED_LATELY = 64  # texts
MODELS = Path(__file__).parent.parent / "offline" / "model"


class Networks:
    """Loaded on first use, once; deterministic. Texts go through one at a time: int8 scales a batch by its largest."""

    def __init__(self, folder: Path = MODELS) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._sessions: dict[str, Any] = {}
        self._said: OrderedDict[bytes, Tagged] = OrderedDict()  # of texts read lately, by their digests
        self.cutter: WordPiece = shipped_wordpiece()

    @cached_property
    def tags(self) -> list[str]:
        """What the tagger can say a word is, in the order of its columns."""
        names: str = self._session("tagger").get_modelmeta().custom_metadata_map["tags"]
        return names.split()

    def tag(self, words: Sequence[Word]) -> Tagged:
        """What the tagger says; of what it read lately, what it said then: a summary asks for moods once more."""
        pieces = pieces_of(words, self.cutter)
        laid = array("l", [len(pieces.ids), *pieces.ids, *pieces.shapes, *pieces.speakers, *pieces.firsts])
        key = blake2b(laid.tobytes(), digest_size=16).digest()
        with self._lock:
            said = self._said.pop(key, None)
        said = said or self._tag(pieces)
        with self._lock:
            self._said[key] = said
            if len(self._said) > TAGGED_LATELY:
                self._said.popitem(last=False)
        return said

    def _tag(self, pieces: Pieces) -> Tagged:
        import numpy as np

        tags, status, marks, about, message, mood = (row[0] for row in self._run("tagger", pieces))
        own = np.array(pieces.firsts)
        columns = np.concatenate([[0], own])
        worth, turns = map(float, _likely(message))
        about = _shares(about[np.ix_(own, columns)])
        low, neutral, high = map(float, _shares(mood))
        felt = low, neutral, high
        return Tagged(_likely(tags[own]), _shares(status[own]), _likely(marks[own]), about, worth, turns, felt)

    def mood(self, text: str) -> tuple[float, float, float]:
        """How likely a text sounds negative, neutral, positive."""
        words = first_words(text, self.cutter)
        return self.tag(words).mood if words else (0.0, 1.0, 0.0)

    def right(self, question: Question) -> float:
        """How likely a value is right of a person."""
        return float(_likely(self._run("judge", question)[0]).item())

    def does(self, question: Question) -> tuple[float, ...]:
        """How likely a message does each of `DOES` to something known."""
        return tuple(map(float, _shares(self._run("effects", question)[0])[0]))

    @cached_property
    def weights(self) -> list[float]:
        """How much each clue counts for how sure a reading is."""
        told: str = self._session("judge").get_modelmeta().custom_metadata_map["certainty"]
        return [float(number) for number in told.split()]

    def load(self) -> None:
        """Have them at hand, so that the first message need not wait for them."""
        for name in ("tagger", "judge", "effects"):
            self._session(name)

    def _run(self, name: str, given: Pieces | Question) -> list[Numbers]:
        import numpy as np

        rows = {"ids": given.ids, "shapes": given.shapes, "speakers": given.speakers}
        if isinstance(given, Question):
            rows["marks"] = given.marks
        feed = {what: np.array([row], dtype=np.int64) for what, row in rows.items()}
        answers: list[Numbers] = self._session(name).run(None, feed)
        return answers

    def _session(self, name: str) -> Any:
        with self._lock:
            if name not in self._sessions:
                self._sessions[name] = session_of(self._folder / f"{name}-int8.onnx")
            return self._sessions[name]


@lru_cache(maxsize=1)
def shipped_networks() -> Networks:
    """The networks of the package, one for all who read."""
    return Networks()


def _likely(numbers: Numbers) -> Numbers:
    import numpy as np

    made: Numbers = 1 / (1 + np.exp(-numbers))
    return made


def _shares(numbers: Numbers) -> Numbers:
    import numpy as np

    raised = np.exp(numbers - numbers.max(-1, keepdims=True))
    made: Numbers = raised / raised.sum(-1, keepdims=True)
    return made
