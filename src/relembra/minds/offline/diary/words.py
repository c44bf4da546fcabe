"""What a lexicon of days holds. The words themselves are in a file a language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

from relembra.domain.insight import ACTIVITY, FEELING, STATE, Feature
from relembra.minds.offline.flat import filled
from relembra.minds.offline.language import Language

__all__ = ["NAME", "Lexicon", "Telling", "lexicon_of"]


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

_SHARED = {"NAME": NAME, "START": r"(?:^|(?<=, ))"}  # the beginning of a clause, or of its next part


@cache
def lexicon_of(language: Language) -> Lexicon:
    """Read on first use: a file holds a few hundred patterns."""
    told = tomllib.loads(Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8"))
    parts = _SHARED | {name: _joined(part) for name, part in told["parts"].items()}
    feelings, weekdays = told["feelings"], told["weekdays"]
    return Lexicon(
        tellings=tuple(
            Telling(
                Feature(kind, name), way.get("sign", 1), _any_of(way["words"], parts), way.get("only_denied", False)
            )
            for kind in (STATE, ACTIVITY)
            for name, ways in told[kind].items()
            for way in ways
        ),
        feelings=tuple(one for name in feelings for one in _feeling(name, feelings[name], told["frames"], parts)),
        felt=tuple((name, _any_of("\n".join(words.values()), parts)) for name, words in feelings.items()),
        topics=tuple((topic, _any_of(words, parts)) for topic, words in told["topics"].items()),
        weekdays=tuple(re.compile(filled(weekdays["said"], {"DAY": day})) for day in weekdays["days"]),
        named=tuple((re.compile(filled(_joined(one["does"]), parts)), one["pronoun"]) for one in told["named"]),
        **{name: re.compile(_joined(pattern)) for name, pattern in told["patterns"].items()},
    )


def _feeling(
    name: str, words: Mapping[str, str], frames: Mapping[str, Any], parts: Mapping[str, str]
) -> Iterator[Telling]:
    """How it is told: by adjectives and nouns in their frames, nouns said to be absent, and verbs by themselves."""
    ways = [
        *((frame, "adjectives", 1) for frame in frames["adjectives"]),
        *((frame, "nouns", 1) for frame in frames["nouns"]),
        (frames["absent"], "nouns", -1),
        ("<WORDS>", "verbs", 1),
    ]
    for frame, form, sign in ways:
        if form in words:
            yield Telling(Feature(FEELING, name), sign, _any_of(frame, {**parts, "WORDS": words[form]}))


def _any_of(words: str, parts: Mapping[str, str]) -> Pattern[str]:
    """Ways to say it, one a line, as one pattern between word ends."""
    return re.compile(r"(?<![\w'])(?:" + filled("|".join(words.splitlines()), parts) + r")(?![\w'])")


def _joined(lines: str) -> str:
    return lines.replace("\n", "")
