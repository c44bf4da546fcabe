"""Insights as sentences: natural in both languages, with their counts, and how weak they are."""

from __future__ import annotations

from datetime import date
from typing import Any

from loops import each
from relembra.domain.insight import ACTIVITY, FEELING, STATE, Feature, Insight, InsightKind
from relembra.domain.knowledge import LifeArea
from relembra.minds.offline.diary import lexicon_of
from relembra.night.insights import area_of, evidence, sentence, title

ANXIOUS, SLEEP, RUNS = Feature(FEELING, "anxious"), Feature(STATE, "sleep"), Feature(ACTIVITY, "exercise")


def an_insight(kind: InsightKind, *features: Feature, signs: tuple[int, ...] = (), **changes: Any) -> Insight:
    ordinary: dict[str, Any] = {
        "count": 8, "of": 9, "other_count": 4, "other_of": 15, "days": 24, "chance": 0.031,
        "confidence": 0.58, "since": date(2026, 3, 1), "until": date(2026, 4, 2),
    }  # fmt: skip
    return Insight(kind=kind, features=features, signs=signs or (1,) * len(features), **ordinary | changes)


K = InsightKind
SENTENCES = [
    (
        an_insight(K.TOGETHER, RUNS, SLEEP, when="same_day"),
        "Dorme melhor nos dias em que se exercita (8 de 9 dias, contra 4 de 15)",
        "Sleeps better on days with exercise (8 of 9 days, against 4 of 15)",
    ),
    (
        an_insight(K.TOGETHER, RUNS, SLEEP, signs=(1, -1), when="next_day"),
        "Dorme pior no dia seguinte quando se exercita (8 de 9 dias, contra 4 de 15)",
        "Sleeps worse the day after exercise (8 of 9 days, against 4 of 15)",
    ),
    (
        an_insight(K.TOGETHER, RUNS, ANXIOUS, when="same_day", less=True, count=1),
        "Sente ansiedade menos vezes nos dias em que se exercita (1 de 9 dias, contra 4 de 15)",
        "Feels anxious less often on days with exercise (1 of 9 days, against 4 of 15)",
    ),
    (
        an_insight(K.TOGETHER, SLEEP, ANXIOUS, signs=(-1, 1), when="same_day"),
        "Sente ansiedade mais vezes nos dias em que dorme mal (8 de 9 dias, contra 4 de 15)",
        "Feels anxious more often on days with bad sleep (8 of 9 days, against 4 of 15)",
    ),
    (
        an_insight(K.RECURRING, Feature(FEELING, "afraid", "doctor"), count=3),
        "Sente medo com médicos e exames (em 3 dias diferentes)",
        "Feels afraid of doctors and test results (on 3 different days)",
    ),
    (
        an_insight(K.WEEKDAY, ANXIOUS, when="weekday:0"),
        "Sente ansiedade mais vezes às segundas-feiras (8 de 9 dias, contra 4 de 15)",
        "Feels anxious more often on Mondays (8 of 9 days, against 4 of 15)",
    ),
    (
        an_insight(K.WEEKDAY, RUNS, when="weekend"),
        "Exercita-se mais vezes nos fins de semana (8 de 9 dias, contra 4 de 15)",
        "Exercises more often at weekends (8 of 9 days, against 4 of 15)",
    ),
]


@each(SENTENCES)
def test_sentences(insight: Insight, portuguese: str, english: str) -> None:
    assert (sentence(insight, "pt"), sentence(insight, "en")) == (portuguese, english)
    assert portuguese.startswith(title(insight, "pt"))


def test_the_evidence_says_how_weak_it_is() -> None:
    pair = an_insight(K.TOGETHER, RUNS, SLEEP, when="same_day")
    assert evidence(pair, "pt") == (
        "24 dias com conversa; 01/03/2026 – 02/04/2026; p = 0,031; indício fraco; não diz o que causa o quê"
    )
    counted = an_insight(K.RECURRING, ANXIOUS, chance=None, confidence=0.75)
    assert evidence(counted, "en") == "24 days with talk; 1 March 2026 – 2 April 2026; fair evidence"


LEXICON = lexicon_of("en")
NOTICED = list(dict.fromkeys(one.feature for one in (*LEXICON.feelings, *LEXICON.tellings)))


@each([(feature, language) for feature in NOTICED for language in ["pt", "en"]])
def test_everything_noticed_has_words(feature: Feature, language: str) -> None:
    for sign in (1, -1) if feature.is_two_sided else (1,):
        alone = title(an_insight(K.WEEKDAY, feature, signs=(sign,), when="weekday:0"), language)
        joined = title(an_insight(K.TOGETHER, feature, SLEEP, signs=(sign, 1), when="same_day"), language)
        assert not {"_"}.intersection(alone + joined)
        assert not joined.endswith("with ")


@each([topic for topic, _ in LEXICON.topics])
def test_every_topic_has_words(topic: str) -> None:
    insight = an_insight(K.RECURRING, Feature(FEELING, "sad", topic))
    assert title(insight, "pt") not in (title(insight, "en"), f"Sente tristeza com {topic}")
    assert "_" not in title(insight, "en")


def test_areas() -> None:
    assert area_of(an_insight(K.TOGETHER, RUNS, SLEEP)) is LifeArea.HEALTH
    assert area_of(an_insight(K.RECURRING, Feature(FEELING, "anxious", "debts"))) is LifeArea.FINANCE
    assert area_of(an_insight(K.WEEKDAY, ANXIOUS)) is LifeArea.MENTAL_HEALTH
