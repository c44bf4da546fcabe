"""What a lexicon of days holds, and the names both languages share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Pattern

from relembra.domain.insight import ACTIVITY, FEELING, STATE, Feature

__all__ = ["ACTIVITIES", "FEELINGS", "NAME", "START", "STATES", "TOPICS", "Lexicon", "Telling", "any_of"]

FEELINGS = (
    "anxious", "worried", "stressed", "overwhelmed", "sad", "angry", "frustrated", "afraid", "guilty", "ashamed",
    "lonely", "jealous", "bored", "happy", "excited", "calm", "proud", "grateful", "relieved", "hopeful",
)  # fmt: skip
ACTIVITIES = (
    "exercise", "meditation", "therapy", "alcohol", "much_coffee", "company", "argument", "overtime", "reading",
    "studying", "screens", "overspending", "headache", "outdoors", "music", "prayer",
)  # fmt: skip
STATES = ("sleep", "energy", "eating", "focus")
TOPICS = (
    "deadlines", "meetings", "presentations", "interviews", "boss", "clients", "colleagues", "work", "exams", "thesis",
    "studies", "debts", "money", "mother", "father", "siblings", "children", "partner", "ex", "family", "friends",
    "pets", "health", "doctor", "body", "sleep", "future", "traffic", "moving", "home", "news", "social_media",
    "travel", "loneliness", "project", "death",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Telling:
    """Words that tell of a feature; `sign` −1: of its bad side or of its absence. Negated, they tell the opposite."""

    feature: Feature
    sign: int
    pattern: Pattern[str]
    only_denied: bool = False  # a form that tells something only where it is denied: "(didn't) go running"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How one language tells of a day. All patterns are matched on flat text: lower case, no accents."""

    tellings: tuple[Telling, ...]
    feelings: tuple[Telling, ...]
    felt: tuple[tuple[str, Pattern[str]], ...]  # the words of each feeling
    topics: tuple[tuple[str, Pattern[str]], ...]
    denied: Pattern[str]  # at the end of what comes before
    denied_within: Pattern[str]  # inside the words for a feeling: "I'm not anxious"
    unreal: Pattern[str]  # before it: wished, planned, supposed or asked
    general: Pattern[str]  # in a clause that tells of no day in particular
    long_ago: Pattern[str]
    yesterday: Pattern[str]
    day_before: Pattern[str]
    weekdays: tuple[Pattern[str], ...]  # Monday first
    first_person: Pattern[str]  # words that say by themselves who
    asks_who: Pattern[str]  # words that need a subject
    subjects: Pattern[str]  # at the end of what comes before, or nothing there: it may be the speaker
    another: Pattern[str]  # at the end of what comes before: somebody else did or felt it
    others: Pattern[str]  # at the beginning of the clause, the same
    theirs: Pattern[str]  # right after it: "(headache) of my mother's"
    named: tuple[tuple[Pattern[str], str], ...]  # with `NAME` for a name that does or has it, and the pronoun instead
    clause_end: Pattern[str]


NAME = "\0"
"""Stands for somebody's name."""

START = r"(?:^|(?<=, ))"
"""The beginning of a clause, or of its next part."""


def any_of(words: str) -> str:
    """Alternatives written on lines, blanks and all, as one pattern between word ends."""
    listed = [line.strip() for line in words.strip().splitlines() if line.strip()]
    return r"(?<![\w'])(?:" + "|".join(listed) + r")(?![\w'])"


def telling(kind: str, name: str, words: str, sign: int = 1, *, only_denied: bool = False) -> Telling:
    if name not in {ACTIVITY: ACTIVITIES, STATE: STATES, FEELING: FEELINGS}[kind]:
        raise ValueError(f"no {kind} is called {name}")
    return Telling(Feature(kind, name), sign, re.compile(any_of(words)), only_denied)
