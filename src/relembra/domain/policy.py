"""Every number a decision depends on, in one value, with four presets.

Units are in the names. A preset is a `Policy`; a settings file may override any part of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from relembra.errors import SettingsError


class RankingName(StrEnum):
    DEFAULT = "default"
    COMPANION = "companion"
    WORK = "work"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidencePolicy:
    explicit: float = 0.95
    explicit_at_least: float = 0.9
    inference: float = 0.7
    user_input: float = 1.0
    validation_bonus: float = 0.1
    high: float = 0.9
    medium: float = 0.7
    low: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayPolicy:
    emotion_a_week: float = 0.1
    archive_under: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPolicy:
    name: RankingName = RankingName.DEFAULT
    candidates: int = 16  # taken from each arm before fusing
    focused_candidates: int = 48  # the same where a question names a topic or a time
    led: int = 32  # items looked at because they are about somebody a question names, or of a note that answers
    recency_half_life_days: float = 30.0
    vector_share: float = 0.65  # of the fused score; keywords have the rest
    keyword_halfway: float = 4.0  # the BM25 score that counts as half sure
    weight_share: float = 0.15  # how far weight and recency move a default score
    recency_share: float = 0.10
    least_similarity: float = 0.20  # weaker matches are not recalled into a context
    name_share: float = 0.6  # how far a similarity is raised towards 1 by being about somebody the question names,
    time_share: float = 0.5  # by being of a time it names,
    topic_share: float = 0.3  # of a kind such talk looks at first,
    time_similarity: float = 0.35  # the least of what is of the time named, where a question asks for nothing else
    own_when_named: float = 0.7  # of the similarity of what is about the asker, where a question names somebody else
    topic_similarity: float = 0.6  # of how near an item of such a kind is to the topic itself, as its least similarity
    note_share: float = 0.1  # or learnt in a note that answers
    recover_at_least: float = 0.6  # a similarity from which something archived is brought back
    matched: int = 10  # of the best, how many are compared with the question word by word; 0: none
    match_share: float = 1.0  # how far that comparison moves a similarity, as a share of what a cosine does


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkPolicy:
    """How messages are ranked: what was said has no weight, priority or use of its own."""

    candidates: int = 50  # taken from each arm before fusing
    vector_share: float = 0.5  # of the fused score; keywords have the rest
    passage_share: float = 0.5  # of meaning, for the nearest passage; the whole message has the rest
    keyword_halfway: float = 12.0  # the BM25 score that counts as half sure
    other_loss: float = 0.2  # of an assistant's message where a question is about the asker
    unsure_loss: float = 0.15  # the same where a question does not tell whom it is about
    time_gain: float = 0.4  # of a message sent in the time a question names; half of it where that is over a week
    time_similarity: float = 0.35  # the least of what was sent then, where a question asks for nothing else
    told_within: timedelta = timedelta(days=7)  # after that time, the gain is halved every so often
    longest_period: timedelta = timedelta(days=32)  # a longer one says too little
    opening_share: float = 0.2  # of its first message's similarity, for a conversation's score
    reread: int = 10  # of the best, how many are read again sentence by sentence
    sentence_share: float = 0.75  # of how much of a question is covered, for the best sentence; the rest has all of it
    neighbours_of: int = 4  # of the best, beside how many short ones the neighbours are looked at
    short_words: int = 25  # a message of so many words is short
    neighbour_share: float = 0.4  # of a short hit's score, for a short message beside it
    fresh_among: int = 20  # of the best, among how many the newer of two about one matter is put first
    fresh_longest: int = 600  # characters; a longer text tells many things and neither outdoes nor is outdone
    same_matter: float = 0.64  # so near to one another and the question, two messages are about one matter
    maybe_same_matter: float = 0.5  # or from here on, when
    apart: float = 0.3  # that much nearer than the others are to the older one
    said_again: float = 0.98  # a cosine from which one only says the other again
    lost_words: float = 0.5  # what the question's words weigh against it that only the older one holds
    change_words: float = 0.06  # what words of change in the newer one weigh for it
    fresh_step: float = 0.000001  # how far above the older one the newer one is put
    first_excerpts: int = 3  # the best messages, which have more room,
    first_excerpt: int = 360  # of so many characters
    excerpt: int = 130  # characters of the others
    excerpt_slack: float = 1.2  # a message only this much too long stays whole


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPolicy:
    budget_tokens: int = 2_000
    recent_messages: int = 6
    recalled_items: int = 8
    recalled_notes: int = 3
    recalled_messages: int = 14
    mentioned_profiles: int = 3  # of people mentioned; those who speak are always shown
    noted_profiles: int = 3  # of people in recalled notes
    memory_share: float = 0.15  # of the budget, at most
    profiles_share: float = 0.25
    known_share: float = 0.25  # these four share what is left, those of them that have something to show
    notes_share: float = 0.05
    earlier_share: float = 0.6
    recent_share: float = 0.4
    user_memory_tokens: int = 800  # the longest compact memory of a person
    session_idle: timedelta = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerPolicy:
    """How many rows of each layer are chosen, and how long and how large a layer is."""

    short: int = 5
    medium: int = 3
    long: int = 2
    episodic: int = 2
    semantic: int = 3
    short_tokens: int = 2_000
    medium_most: int = 20  # notes and exchanges looked at
    medium_for: timedelta = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPolicy:
    default_limit: int = 5
    tool_limit: int = 10  # what an assistant may ask for at once
    largest_limit: int = 100
    largest_page: int = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePolicy:
    """Where a judge's probability becomes a decision."""

    worth_at_least: float = 0.6
    act_at_least: float = 0.5  # an act is named when its own probability reaches this; the likeliest always is
    rule_sure: float = 0.97  # the probability a rule speaks with
    same_at_least: float = 0.35  # a likelier "same" below this is "neither"
    contradicts_at_least: float = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenPolicy:
    """When talk is gathered, noted and summarised."""

    quiet: timedelta = timedelta(minutes=25)  # a channel silent for this long is noted
    window: timedelta = timedelta(hours=2)  # a buffer older than this is noted before it takes another message
    summary_every: int = 4  # exchanges between two working summaries
    summary_tokens: int = 80
    model_summaries: bool = False  # whether working summaries are worth a model's tokens
    compress_over_tokens: int = 4_000  # of a conversation at hand; the oldest messages are then told briefly


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnPolicy:
    """Where a reader's or judge's word becomes a decision about what is known."""

    contradiction_at_least: float = 0.7  # a likelier contradiction no rule covers is put to the person
    same_at_least: float = 0.8  # the same thing in other words
    near_at_least: float = 0.55  # cosine from which two statements are compared at all
    compared: int = 5  # held statements a new one is compared with, the nearest first
    doubt_under: float = 0.05  # a message the gate thinks less of teaches nothing, whatever rules find in it
    whole_at_least: float = 0.97  # a message no rule reads is kept whole when the gate is this sure
    ask_again_after: timedelta = timedelta(days=1)
    ask_at_most: int = 3
    answer_within: timedelta = timedelta(hours=1)  # a yes or no this soon after a question answers it


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All decisions' numbers. Later rooms add their own part here."""

    name: str = "life"
    confidence: ConfidencePolicy = field(default_factory=ConfidencePolicy)
    decay: DecayPolicy = field(default_factory=DecayPolicy)
    ranking: RankingPolicy = field(default_factory=RankingPolicy)
    context: ContextPolicy = field(default_factory=ContextPolicy)
    search: SearchPolicy = field(default_factory=SearchPolicy)
    judges: JudgePolicy = field(default_factory=JudgePolicy)
    listen: ListenPolicy = field(default_factory=ListenPolicy)
    learn: LearnPolicy = field(default_factory=LearnPolicy)
    layers: LayerPolicy = field(default_factory=LayerPolicy)
    talk: TalkPolicy = field(default_factory=TalkPolicy)


LIFE = Policy(name="life")
GROUP = Policy(name="group")
COMPANION = Policy(
    name="companion",
    ranking=RankingPolicy(name=RankingName.COMPANION, candidates=10),
    context=ContextPolicy(budget_tokens=600, recalled_items=5, recalled_messages=2),
)
WORK = Policy(name="work", ranking=RankingPolicy(name=RankingName.WORK))

PRESETS: dict[str, Policy] = {policy.name: policy for policy in (LIFE, GROUP, COMPANION, WORK)}

SHARE = (0.0, 1.0)  # also a probability, a confidence, a weight
COUNT = (0.0, math.inf)
HUNDRED_YEARS = 3_153_600_000.0  # in seconds
RANGES: dict[str, tuple[float, float]] = {
    "ranking.recency_half_life_days": (0.001, 36_500.0),
    "ranking.keyword_halfway": (0.001, 1_000.0),
    "ranking.matched": (0.0, 100.0),
    "ranking.match_share": (0.0, 5.0),
    "context.session_idle": (0.0, HUNDRED_YEARS),
    "listen.quiet": (0.0, HUNDRED_YEARS),
    "listen.window": (0.0, HUNDRED_YEARS),
    "listen.summary_every": (1.0, math.inf),
    "talk.keyword_halfway": (0.001, 1_000.0),
    "talk.excerpt_slack": (1.0, 10.0),
    "talk.told_within": (1.0, HUNDRED_YEARS),
    "talk.longest_period": (0.0, HUNDRED_YEARS),
    "layers.medium_for": (0.0, HUNDRED_YEARS),
    "learn.ask_again_after": (0.0, HUNDRED_YEARS),
    "learn.answer_within": (0.0, HUNDRED_YEARS),
}
"""The least and the most a number may be; one not named here is a share, or a count when it is whole."""


def preset(name: str) -> Policy:
    try:
        return PRESETS[name]
    except KeyError:
        raise SettingsError(f"no policy preset {name!r}; there are {', '.join(PRESETS)}") from None


def overridden(policy: Policy, changes: dict[str, dict[str, Any]]) -> Policy:
    """The policy with parts changed, like {"context": {"budget_tokens": 800}}.

    Unknown names are refused, and so are values of the wrong kind or out of range.
    """
    for part, values in changes.items():
        held = getattr(policy, part, None)
        if part == "name" or held is None:
            raise SettingsError(f"the policy has no part {part!r}")
        unknown = set(values) - set(held.__dataclass_fields__)
        if unknown:
            raise SettingsError(f"the policy's {part} has no {', '.join(sorted(unknown))}")
        parts = {name: _like(getattr(held, name), value, f"{part}.{name}") for name, value in values.items()}
        policy = replace(policy, **{part: replace(held, **parts)})
    return policy


def _like(held: Any, value: Any, name: str) -> Any:
    """The value as one of the kind held so far; a time is given in seconds."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if number and isinstance(held, (float, int, timedelta)) and not isinstance(held, bool):
        least, most = RANGES.get(name, COUNT if isinstance(held, int) else SHARE)
        if not least <= value <= most:
            allowed = f"{least:g} or more" if most == math.inf else f"from {least:g} to {most:.12g}"
            raise SettingsError(f"the policy's {name} cannot be {value!r}; it may be {allowed}")
    match held:
        case bool() if isinstance(value, bool):
            return value
        case StrEnum() if isinstance(value, str) and value in set(type(held)):
            return type(held)(value)
        case timedelta() if number:
            return timedelta(seconds=value)
        case float() if number:
            return float(value)
        case int() if number and value == int(value) and not isinstance(held, bool):
            return int(value)
        case _:
            raise SettingsError(f"the policy's {name} cannot be {value!r}; it is {held!s} by default")
