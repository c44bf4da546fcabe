"""The numbers decisions depend on, in one value, with four presets; units are in the names.

A preset is a `Policy`; a settings file may change the numbers in `KNOBS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from relembra.domain.knowledge import EVENTS, SELF
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
    led: int = 32  # items looked at because they are about a person a question names, or of a note that answers
    recency_half_life_days: float = 30.0
    vector_share: float = 0.65  # of the fused score; keywords have the rest
    keyword_halfway: float = 4.0  # the BM25 score that counts as half sure
    weight_share: float = 0.15  # how far weight and recency move a default score
    recency_share: float = 0.10
    least_similarity: float = 0.20  # weaker matches only fill the room that is left in a context,
    least_filling: float = 0.10  # and still weaker ones are not recalled into it
    time_similarity: float = 0.35  # the least of what is of the time named, where a question asks for nothing else
    own_when_named: float = 0.7  # of the similarity of what is about the asker, where a question names another person
    topic_similarity: float = 0.6  # of how near an item of such a kind is to the topic itself, as its least similarity
    recover_at_least: float = 0.6  # a similarity from which something archived is brought back

    @property
    def fills(self) -> bool:
        """Whether weaker matches fill the room that is left: the other rankings choose so many and no more."""
        return self.name is RankingName.DEFAULT

    @property
    def least_shown(self) -> float:
        """How like the question whatever a context shows is at least."""
        return self.least_filling if self.fills else self.least_similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPolicy:
    budget_tokens: int = 2_000
    recent_messages: int = 6
    recalled_items: int = 8
    recalled_notes: int = 3
    recalled_messages: int = 14
    mentioned_profiles: int = 3  # of people mentioned; those who speak are always shown
    noted_profiles: int = 3  # of people in recalled notes
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
    surer_by: float = 0.2  # confidence by which the surer side of one stands unasked, where nobody confirmed either
    same_at_least: float = 0.8  # the same thing in other words
    near_at_least: float = 0.55  # cosine from which two statements are compared at all
    compared: int = 5  # held statements a new one is compared with, the nearest first
    judged: int = 8  # held statements that may be ended by a message
    retire_at_least: float = 0.97  # how sure it must be that a message ends or replaces one
    doubt_at_least: float = 0.5  # and from where on it is in doubt
    keep_at_least: float = 0.82  # how sure a reader without a model must be of what it keeps
    keep_among_people: float = 0.95  # and where somebody else spoke before, for more is easily confused there
    keep_of_self: float = 0.91  # and there of what people say of themselves, events left out
    read_within: timedelta = timedelta(seconds=3)  # a message or question that takes longer to read is left unread
    model_calls: int = 500  # of models by day, for one person or space
    ask_again_after: timedelta = timedelta(days=1)
    ask_at_most: int = 3
    ask_within: timedelta = timedelta(days=90)  # what only a judge doubts is asked about no longer
    answer_within: timedelta = timedelta(hours=1)  # a yes or no this soon after a question answers it

    def among_people(self, subject: str, attribute: str | None) -> float:
        """How sure it must be of something where somebody else spoke before."""
        is_of_self = subject == SELF and attribute not in EVENTS
        return min(self.keep_of_self, self.keep_among_people) if is_of_self else self.keep_among_people


@dataclass(frozen=True, slots=True, kw_only=True)
class TendPolicy:
    """When night work is done, and how much of it at most."""

    night_hour: float = 3.0  # on each person's own clock
    space_hour: float = -1.0  # the same for a space's topics, on the space's clock; below 0: as for people
    at_once: int = 2  # people whose night work is done at the same time
    longest_job: timedelta = timedelta(minutes=5)
    tries: int = 3
    batch_messages: int = 40  # of a person, read again in one step
    night_calls: int = 500  # of models, for everybody together
    night_tokens: int = 1_000_000

    def hour_of(self, of_space: bool) -> float:
        """When the night begins for a person, or for a space."""
        return self.space_hour if of_space and self.space_hour >= 0 else self.night_hour


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPolicy:
    """How the notes of a space's day are told by topic."""

    least_notes: int = 3  # a day with fewer needs no topics
    least: int = 3  # topics a day, where its notes allow; a topic has two notes or more
    most: int = 8
    similar_at_least: float = 0.37  # mean cosine from which notes are of one topic
    related_at_least: float = 0.25  # and below which they never are, however few topics that leaves
    most_notes: int = 500  # of a day, the last ones
    days_a_night: int = 14  # the rest follows the next night


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightPolicy:
    """From how much on something is said to recur, and how sure that is."""

    window: timedelta = timedelta(weeks=26)  # looked back on
    most_messages: int = 5_000  # of them, the newest
    recurring_days: int = 3  # on which the same feeling about the same topic was told
    least_days: int = 14  # on which anything was said, before anything is put to chance
    least_seen: int = 5  # days a thing was seen on, before it is
    least_together: int = 4  # days with and without each of two things, or within and outside a time
    level: float = 0.05  # how likely chance may give any of those shown for the first time
    keep_level: float = 0.1  # and up to which one shown before stays
    least_difference: float = 0.2  # between two shares, to be worth a word
    weakest: float = 0.5  # confidence of one that is hardly more than chance
    strongest: float = 0.85  # which none reaches
    halfway_days: float = 8.0  # days that speak for one and bring it half of the way
    told_at_least: float = 0.6  # confidence from which one is told to its person; below, it is weak
    most: int = 20  # held at once
    evidence: int = 50  # messages named by one
    near_at_least: float = 0.6  # cosine from which two items of one note are related
    most_related: int = 10  # items another names
    looked_at: int = 500  # items, the newest, for relations among them


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenPolicy:
    """What the gardener takes for the same, moves, puts away and shortens, and how often it comes."""

    every: timedelta = timedelta(days=7)
    batch: int = 100  # rows changed in one transaction, about
    near_at_least: float = 0.7  # cosine from which a mind is asked whether two items say the same
    compared: int = 5  # of those near an item, how many, the nearest first
    same_at_least: float = 0.85  # how sure a mind must be
    idle: timedelta = timedelta(days=30)  # an item nobody asks for or repeats loses one of its priority every so often
    raised_at_most: int = 4  # how far use lifts a priority above its first
    lowered_at_most: int = 2  # and time lets it sink below
    clusters_for: timedelta = timedelta(days=365)  # topic clusters and weekly reports nobody looks at stay so long
    condense_after: timedelta = timedelta(days=30)  # a conversation's note is then told
    condensed_tokens: int = 80  # in so many tokens,
    condense_again_after: timedelta = timedelta(days=90)  # and then
    condensed_again_tokens: int = 40  # in so many
    condensed_at_once: int = 50  # notes told anew in one run


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPolicy:
    """What automatic notes show, and how far they look."""

    lines: int = 12  # the most of each part
    coming: timedelta = timedelta(days=14)  # how far ahead dates are told
    appointment_ahead: timedelta = timedelta(days=2)  # how long before an appointment its note is written
    looks_back: timedelta = timedelta(days=90)  # before an appointment, where no earlier one is known
    most_messages: int = 2_000  # read for one note
    most_items: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All decisions' numbers."""

    name: str = "life"
    confidence: ConfidencePolicy = field(default_factory=ConfidencePolicy)
    decay: DecayPolicy = field(default_factory=DecayPolicy)
    ranking: RankingPolicy = field(default_factory=RankingPolicy)
    context: ContextPolicy = field(default_factory=ContextPolicy)
    search: SearchPolicy = field(default_factory=SearchPolicy)
    listen: ListenPolicy = field(default_factory=ListenPolicy)
    learn: LearnPolicy = field(default_factory=LearnPolicy)
    layers: LayerPolicy = field(default_factory=LayerPolicy)
    tend: TendPolicy = field(default_factory=TendPolicy)
    report: ReportPolicy = field(default_factory=ReportPolicy)
    garden: GardenPolicy = field(default_factory=GardenPolicy)
    insight: InsightPolicy = field(default_factory=InsightPolicy)
    cluster: ClusterPolicy = field(default_factory=ClusterPolicy)


LIFE = Policy(name="life")
GROUP = Policy(name="group")
COMPANION = Policy(
    name="companion",
    ranking=RankingPolicy(name=RankingName.COMPANION, candidates=10),
    context=ContextPolicy(budget_tokens=600, recalled_items=5, recalled_messages=2),
)
WORK = Policy(name="work", ranking=RankingPolicy(name=RankingName.WORK))

PRESETS: dict[str, Policy] = {policy.name: policy for policy in (LIFE, GROUP, COMPANION, WORK)}

_TIME = (0.0, 3_153_600_000.0)  # in seconds, up to a hundred years
_BY_KIND = {float: (0.0, 1.0), timedelta: _TIME}  # a share, also a probability, a confidence, a weight; any other: 0 on
_FREE = {
    "confidence": "explicit explicit_at_least inference user_input validation_bonus high medium low",
    "decay": "emotion_a_week archive_under",
    "ranking": "name candidates recency_half_life_days",
    "context": "budget_tokens recent_messages recalled_items recalled_notes recalled_messages mentioned_profiles"
    " noted_profiles user_memory_tokens session_idle",
    "layers": "short medium long episodic semantic short_tokens medium_most medium_for",
    "search": "default_limit tool_limit",
    "listen": "quiet window summary_every summary_tokens model_summaries compress_over_tokens",
    "learn": "contradiction_at_least surer_by keep_at_least keep_among_people keep_of_self model_calls ask_at_most"
    " ask_again_after",
    "cluster": "least most",
    "insight": "told_at_least",
    "garden": "every",
    "tend": "night_hour space_hour at_once longest_job tries batch_messages night_calls night_tokens",
}
KNOBS: dict[str, tuple[float, float]] = {
    f"{part}.{name}": _BY_KIND.get(type(getattr(getattr(LIFE, part), name)), (0.0, math.inf))
    for part, names in _FREE.items()
    for name in names.split()
} | {
    "ranking.recency_half_life_days": (0.001, 36_500.0),
    "listen.summary_every": (1.0, math.inf),
    "cluster.most": (1.0, 100.0),
    "garden.every": (86_400.0, _TIME[1]),
    "tend.night_hour": (0.0, 23.99),
    "tend.space_hour": (-1.0, 23.99),
    "tend.at_once": (1.0, 64.0),
    "tend.longest_job": (1.0, 86_400.0),
    "tend.tries": (1.0, 100.0),
    "tend.batch_messages": (1.0, 1_000.0),
}
"""What a settings file may change, with the least and the most it may be; its meaning is in the catalogue. Every other
number here is fixed."""


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
        unknown = {name for name in values if f"{part}.{name}" not in KNOBS}
        if unknown:
            raise SettingsError(f"the policy's {part} has no {', '.join(sorted(unknown))}")
        parts = {name: _like(getattr(held, name), value, f"{part}.{name}") for name, value in values.items()}
        policy = replace(policy, **{part: replace(held, **parts)})
    return policy


def _like(held: Any, value: Any, name: str) -> Any:
    """The value as one of the kind held so far; a time is given in seconds."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if number and isinstance(held, (float, int, timedelta)) and not isinstance(held, bool):
        least, most = KNOBS[name]
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
