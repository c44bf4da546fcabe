"""What an insight says agrees with the table it was counted from, in both languages and for everything noticed."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relembra.domain.insight import ACTIVITY, STATE, Diary, Feature, Insight, InsightKind, Observation, found
from relembra.domain.policy import InsightPolicy
from relembra.minds.offline.diary import lexicon_of
from relembra.night.insights import sentence

LEXICON = lexicon_of("en")
NOTICED = list(dict.fromkeys(one.feature for one in (*LEXICON.feelings, *LEXICON.tellings)))
GOOD = re.compile(
    r"\b(better|well|good|(more|has) energy|more done|things done"
    r"|melhor|bem|bom|(mais|tem) energia|rende mais|positiva)\b",
    re.IGNORECASE,
)
BAD = re.compile(
    r"\b(worse|badly|bad|(less|no) energy|less done|little done"
    r"|pior|mal|mau|(menos|sem) energia|rende menos|rende pouco|negativa)\b",
    re.IGNORECASE,
)
LESS_OFTEN = re.compile(r"\b(less often|menos vezes)\b")
CONDITION = re.compile(r" (on days with|the day after|nos dias em que|no dia seguinte quando) ")


def claimed(told: str, feature: Feature) -> int:
    """What a reader takes from the sentence: 1 for more or better, -1 for less or worse."""
    outcome = CONDITION.split(told)[0]
    side = 1
    if feature.is_two_sided:
        good, bad = bool(GOOD.search(outcome)), bool(BAD.search(outcome))
        assert good is not bad, outcome
        side = 1 if good else -1
    return -side if LESS_OFTEN.search(outcome) else side


def counted(insight: Insight) -> int:
    """What the table says of the last feature: whether it is more, or better, on those days than on others."""
    more = insight.count * insight.other_of > insight.other_count * insight.of
    return insight.signs[-1] if more else -insight.signs[-1]


@st.composite
def pairs(draw: st.DrawFn) -> Insight:
    features = tuple(draw(st.lists(st.sampled_from(NOTICED), min_size=2, max_size=2, unique=True)))
    signs = tuple(draw(st.sampled_from((1, -1))) if one.is_two_sided else 1 for one in features)
    of, other_of = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    table = st.tuples(st.integers(0, of), st.integers(0, other_of))
    count, other = draw(table.filter(lambda cells: cells[0] * other_of != cells[1] * of))
    return Insight(
        kind=InsightKind.TOGETHER, features=features, signs=signs, when=draw(st.sampled_from(("same_day", "next_day"))),
        less=count * other_of < other * of, count=count, of=of, other_count=other, other_of=other_of,
        days=of + other_of, since=date(2026, 3, 1), until=date(2026, 4, 2),
    )  # fmt: skip


@pytest.mark.parametrize("language", ["pt", "en"])
@given(insight=pairs())
def test_the_sentence_agrees_with_its_table(language: str, insight: Insight) -> None:
    assert claimed(sentence(insight, language), insight.features[-1]) == counted(insight)


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("outcome", [one for one in NOTICED if one.kind == STATE])
@pytest.mark.parametrize("polarity", [1, -1])
@pytest.mark.parametrize("on_those_days", [True, False])
def test_a_one_sided_diary_is_told_as_it_was(
    language: str, outcome: Feature, polarity: int, on_those_days: bool
) -> None:
    first, given_ = date(2026, 1, 5), Feature(ACTIVITY, "exercise")
    days = [first + timedelta(days=at) for at in range(40)]
    runs = {day for at, day in enumerate(days) if (at * 7) % 5 < 2}
    seen = [Observation(day=day, feature=given_, message_id=f"run-{day}") for day in runs]
    seen += [
        Observation(day=day, feature=outcome, polarity=polarity, message_id=f"state-{day}")
        for day in days
        if (day in runs) is on_those_days
    ]
    diary = Diary.of([datetime.combine(day, time(20)) for day in days], seen)
    told = [
        one for one in found(diary, InsightPolicy()) if one.features == (given_, outcome) and one.when == "same_day"
    ]
    assert [claimed(sentence(one, language), outcome) for one in told] == [polarity if on_those_days else -polarity]
