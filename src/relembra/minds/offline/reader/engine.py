"""The machinery both grammars run on: a message becomes clauses, clauses meet rules, rules yield what was said.

A grammar says which words are nobody's claim (fiction, conditions, other mouths) and how facts are worded. All patterns
are matched on flat text (lower case, no accents, equal length), so a span found there is cut from the text as written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import overload

from relembra.domain.deadline import check_time
from relembra.domain.knowledge import SELF, KnowledgeType
from relembra.domain.text import collapsed
from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.dates.mention import DateMention
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.language import Language
from relembra.minds.offline.names import NameMention, find_names
from relembra.minds.offline.sentences import short_sentences

__all__ = ["Clause", "Grammar", "Rule", "Said", "Who", "read", "refused"]

LONGEST_READ = 4_000  # characters of a message that are read; beyond that it is a document, not talk


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing a rule found. What is left out follows from the attribute; `content` None: the grammar words it."""

    attribute: str | None
    value: str | None
    subject: str = SELF
    relation: str | None = None  # what the subject is to the speaker, as said: "irmã", "dog"
    type: KnowledgeType | None = None
    content: str | None = None
    changed: bool = False
    person: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    held_from: datetime | None = None
    held_until: datetime | None = None
    expires_at: datetime | None = None
    rule: str = ""
    quote: str = ""  # the clause as written; the engine fills it


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody spoken of: the name where one was given, else the relation."""

    name: str
    relation: str | None = None


@dataclass(slots=True)
class Clause:
    """A piece of a sentence that may say one thing. `raw` and `flat` have equal length."""

    raw: str
    flat: str
    sentence: str  # as written
    earlier: str  # the flat text of the sentence before this clause
    said_at: datetime  # on the speaker's clock
    language: Language
    who: Who | None  # whom the clause is about when its verb is in the third person; None: nobody known
    names: Sequence[NameMention]  # of the whole message, with relations where said
    at: int = 0  # where anchored rules are matched; a grammar's `who` may set it to where the predicate begins
    muted: bool = False  # a question, request or supposition: it may name people, and claims nothing
    message: str = ""  # the whole message as read, quotations blanked
    offset: int = 0  # where the clause begins in it
    _dates: list[DateMention] | None = None

    def cut(self, match: re.Match[str], group: str | int) -> str:
        """What a group matched, as it was written, without blanks and closing marks."""
        start, end = match.span(group)
        return self.raw[start:end].strip(" \t,;:.!?…\"'()[]")

    @property
    def dates(self) -> list[DateMention]:
        """The dates in the whole sentence."""
        if self._dates is None:
            self._dates = find_dates(self.sentence, said_at=self.said_at, language=self.language)
        return self._dates


Build = Callable[[re.Match[str], Clause], Iterable[Said]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over a clause and what it yields; tried only when one of its trigger words stands in the clause."""

    name: str
    triggers: frozenset[str]  # flat words
    pattern: re.Pattern[str]
    build: Build
    negatable: bool = False  # whether it may match behind a denial; others are skipped there
    presupposed: bool = False  # what it finds is true even inside a question or request ("my sister Ana")
    anchored: bool = False  # matched at `Clause.at` only, not searched for


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """One language: what is nobody's claim, where clauses end, who is meant, the rules, and the wording."""

    language: Language
    foreign: Callable[[str, str], bool]  # (raw, flat) of a message: nothing in it is the speaker's own claim
    skipped: Callable[[str, str], bool]  # (raw, flat) of a sentence: a question, a request, a report, a condition
    breaks: re.Pattern[str]  # between clauses
    unreal: re.Pattern[str]  # in a clause: it claims nothing (a condition, a wish, hearsay)
    denial: re.Pattern[str]  # matched on what stands right before a rule's match
    who: Callable[[Clause, Who | None], Who | None]  # whom a clause is about, given whom the one before was
    rules: Sequence[Rule]
    worded: Callable[[Said], str]  # a short sentence of what was said, in this language
    split: Callable[[str, str], Iterable[tuple[int, int]]] | None = (
        None  # instead of `breaks`: (raw, flat) of a sentence
    )
    settled: Callable[[list[Said]], list[Said]] | None = None  # a last look at all that a message said
    own_until: Callable[[str, str], int] | None = None  # where other people's words begin in a message (raw, flat)


_QUOTED = re.compile(
    r"[\"“«][^\"”»\n]{12,}[\"”»]"
    r"|(?<!\w)['‘](?=[A-ZÀ-Þ])(?:[^'’\n]|(?<=\w)['’](?=\w)){12,}['’](?!\w)"
    r"|`[^`\n]+`|```.*?```|^>.*$",
    re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*|\d+")


def read(text: str, grammar: Grammar, *, said_at: datetime) -> list[Said]:
    """What one message says, in the order said, each thing once; nothing where it is not the speaker's own claim."""
    flat = flattened(_unquoted(text[:LONGEST_READ]))
    if grammar.foreign(flat.raw, flat.text):
        return []
    end = grammar.own_until(flat.raw, flat.text) if grammar.own_until is not None else len(flat.text)
    names = _Names(flat.raw[:end], grammar.language)
    found: dict[tuple[str, str | None, str | None], Said] = {}
    who: Who | None = None
    for clause in _clauses(flat.raw[:end], flat.text[:end], grammar, names, said_at):
        clause.who = who = grammar.who(clause, who)
        for said in _read_clause(clause, grammar):
            found.setdefault((said.subject, said.attribute, said.value or said.content), said)
    if grammar.settled is not None:
        return grammar.settled(list(found.values()))
    return list(found.values())


def refused(text: str, quote: Callable[[str], bool], grammar: Grammar, *, named_only: bool = False) -> bool:
    """Whether what was quoted from a message is nobody's claim: fiction, an order to the memory, a question, a wish.

    So are other people's words, and a quotation of which one sentence is. `quote` says whether a piece of the message
    holds it. `named_only`: it only tells of somebody, which a question and a wish may do.
    """
    flat = flattened(_unquoted(text[:LONGEST_READ]))
    if grammar.foreign(flat.raw, flat.text):
        return True
    own = flat.raw if grammar.own_until is None else flat.raw[: grammar.own_until(flat.raw, flat.text)]
    if not quote(own):
        return quote(text[:LONGEST_READ])
    for start, end in _holding(own, quote):
        check_time()
        raw, level = flat.raw[start:end], flat.text[start:end]
        mute = grammar.skipped(raw, level) or bool(grammar.unreal.search(level)) or raw.rstrip("\"')” ").endswith("?")
        if grammar.foreign(raw, level) or (mute and not named_only):
            return True
    return False


def _holding(text: str, quote: Callable[[str], bool]) -> list[tuple[int, int]]:
    """The sentences in a row that hold a quotation where it first stands."""
    spans = list(short_sentences(text)) or [(0, len(text))]
    last = min(bisect_left(spans, True, key=lambda span: quote(text[: span[1]])), len(spans) - 1)
    end = spans[last][1]
    after = bisect_left(spans, True, hi=last + 1, key=lambda span: not quote(text[span[0] : end]))
    return spans[max(after - 1, 0) : last + 1]


class _Names(Sequence[NameMention]):
    """The names of a message, looked for when first asked for."""

    def __init__(self, text: str, language: Language) -> None:
        self._text, self._language = text, language
        self._found: list[NameMention] | None = None

    @property
    def found(self) -> list[NameMention]:
        if self._found is None:
            self._found = find_names(self._text, self._language)
        return self._found

    @overload
    def __getitem__(self, place: int) -> NameMention: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[NameMention]: ...
    def __getitem__(self, place: int | slice) -> NameMention | Sequence[NameMention]:
        return self.found[place]

    def __len__(self) -> int:
        return len(self.found)


def _unquoted(text: str) -> str:
    """The text with a blank for each quotation, collapsed again: no run of blanks is long."""
    return collapsed(_QUOTED.sub(lambda match: "\n" if "\n" in match[0] else " ", text))


def _clauses(
    raw: str, flat: str, grammar: Grammar, names: Sequence[NameMention], said_at: datetime
) -> Iterator[Clause]:
    for start, end in short_sentences(raw):
        check_time()
        sentence, level = raw[start:end], flat[start:end]
        skipped = grammar.skipped(sentence, level)
        at = 0
        if grammar.split is not None:
            stops = list(grammar.split(sentence, level))
        else:
            stops = [match.span() for match in grammar.breaks.finditer(level)]
        for stop in (*stops, (len(level), len(level))):
            piece = level[at : stop[0]]
            if piece.strip():
                yield Clause(
                    raw=sentence[at : stop[0]],
                    flat=piece,
                    sentence=sentence,
                    earlier=level[:at],
                    said_at=said_at,
                    language=grammar.language,
                    who=None,
                    names=names,
                    muted=skipped or bool(grammar.unreal.search(piece)),
                    message=raw,
                    offset=start + at,
                )
            at = stop[1]


def _read_clause(clause: Clause, grammar: Grammar) -> Iterator[Said]:
    words = set(_WORD.findall(clause.flat))
    if "-" in clause.flat:
        words.update(part for word in tuple(words) if "-" in word for part in word.split("-"))
    if "'" in clause.flat:
        words.update(word.split("'")[0] for word in tuple(words) if "'" in word)
    for rule in _rules_for(grammar, words):
        check_time()
        if clause.muted and not rule.presupposed:
            continue
        match = rule.pattern.match(clause.flat, clause.at) if rule.anchored else rule.pattern.search(clause.flat)
        if match is None or (not rule.negatable and grammar.denial.search(clause.flat[: match.start()])):
            continue
        for said in rule.build(match, clause):
            if said.content or said.value:
                yield _complete(said, rule, clause)


_INDEX: dict[int, dict[str, list[int]]] = {}


def _rules_for(grammar: Grammar, words: set[str]) -> list[Rule]:
    """The rules whose trigger stands in the clause, in the grammar's order."""
    index = _INDEX.get(id(grammar.rules))
    if index is None:
        index = {}
        for number, rule in enumerate(grammar.rules):
            for word in rule.triggers:
                index.setdefault(word, []).append(number)
        _INDEX[id(grammar.rules)] = index
    numbers = {number for word in words for number in index.get(word, ())}
    return [grammar.rules[number] for number in sorted(numbers)]


def _complete(said: Said, rule: Rule, clause: Clause) -> Said:
    return replace(said, rule=rule.name, quote=clause.raw.strip())
