"""Night work without a model: which notes go together, and how they are told in their own words."""

from __future__ import annotations

import random
import tomllib
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import a_message, a_note, a_vector
from examples import DATA
from hashing import HashingEmbedder
from loops import each
from relembra.domain.candidate import Reread, Talk
from relembra.domain.message import Note
from relembra.domain.policy import ClusterPolicy
from relembra.domain.text import fold
from relembra.minds.embedders import OfflineEmbedder
from relembra.minds.offline.night import SUMMARY_CHARACTERS, OfflineNight, grouped
from relembra.minds.offline.text import split_sentences
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import NightReader, Vector

TOKENS = OfflineTokens()

Told = tuple[str, str, list[str]]  # title, summary, participants
DAYS: dict[str, list[list[Told]]] = tomllib.loads((DATA / "days.toml").read_text(encoding="utf-8"))


def notes_of(day: Sequence[Sequence[Told]]) -> list[Note]:
    return [
        a_note(title=title, summary=summary, participants=tuple(people))
        for matter in day
        for title, summary, people in matter
    ]


@pytest.fixture
async def night() -> AsyncIterator[OfflineNight]:
    encoder = OfflineEmbedder()
    yield OfflineNight(encoder, TOKENS)
    await encoder.close()


@each(DAYS)
async def test_notes_of_one_matter_go_together_and_one_alone_is_left_out(language: str, night: OfflineNight) -> None:
    day = DAYS[language]
    notes = notes_of(day)
    random.Random(3).shuffle(notes)
    topics = await night.topics(notes, language=language, most=4)
    titles = {note.id: note.title for note in notes}
    found = {frozenset(titles[id] for id in topic.note_ids) for topic in topics}
    assert found == {frozenset(title for title, _, _ in matter) for matter in day if len(matter) > 1}


@each(DAYS)
async def test_a_topic_is_told_in_its_notes_own_words(language: str, night: OfflineNight) -> None:
    notes = notes_of(DAYS[language])
    for topic in await night.topics(notes, language=language, most=4):
        of_it = [note for note in notes if note.id in topic.note_ids]
        assert topic.title in {note.title for note in of_it}
        said = " ".join(note.summary for note in of_it)
        for start, end in split_sentences(topic.summary):
            sentence = topic.summary[start:end]
            assert sentence in said or sentence.removeprefix("ana: ") in said
        assert len(topic.summary) <= SUMMARY_CHARACTERS


async def test_who_speaks_in_a_note_of_one_is_named_beside_others(night: OfflineNight) -> None:
    topics = await night.topics(notes_of(DAYS["en"]), language="en", most=4)
    (dogs,) = [topic for topic in topics if "Bento" in topic.title]
    assert "ana: My dog Bento has an ear infection." in dogs.summary


async def test_the_same_notes_give_the_same_topics(night: OfflineNight) -> None:
    notes = notes_of(DAYS["en"])
    assert await night.topics(notes, language="en", most=4) == await night.topics(notes, language="en", most=4)


async def test_more_matters_than_topics_are_told_in_so_many(night: OfflineNight) -> None:
    notes = notes_of(DAYS["en"])
    for most in (1, 2, 3):
        topics = await night.topics(notes, language="en", most=most)
        assert len(topics) == most
    assert await night.topics(notes, language="en", most=0) == []
    assert await night.topics(notes[:1], language="en", most=3) == []
    assert await night.topics([], language="en", most=3) == []


async def test_long_notes_are_told_within_bounds() -> None:
    night = OfflineNight(HashingEmbedder(), TOKENS)
    notes = [a_note(title="Rowing " * 40, summary=f"We rowed {n} miles on the river. " * 200) for n in range(12)]
    (topic,) = await night.topics(notes, language="en", most=1)
    assert len(topic.title) <= 60
    assert 0 < len(topic.summary) <= SUMMARY_CHARACTERS


async def test_a_day_too_large_to_compare_all_is_grouped_by_its_first() -> None:
    night = OfflineNight(HashingEmbedder(), TOKENS, policy=ClusterPolicy(least=2))
    words = ("rowing river boat oar", "cake oven sugar flour")
    notes = [a_note(title=words[n % 2], summary=words[n % 2]) for n in range(540)]
    one, other = await night.topics(notes, language="en", most=8)
    assert (len(one.note_ids), len(other.note_ids)) == (270, 270)


async def test_a_second_reading_finds_nothing_and_nothing_is_spent(night: OfflineNight) -> None:
    assert not night.rereads
    assert await night.reread(Talk((a_message(text="I moved to Recife"),))) == Reread(reader=night.name)
    assert night.spent() == []
    await night.close()
    port: NightReader = night
    assert port.name == "offline-night@1"


TOLD = [
    "Ana moved to Recife in March. She likes the sea. It was hot.",
    "Ana moved to Recife in March. Her sister Clara came to visit for two weeks in May.",
]


@each([0, 1, 5, 12, 25, 200])
async def test_a_text_told_again_fits_and_says_nothing_new(tokens: int) -> None:
    night = OfflineNight(HashingEmbedder(), TOKENS)
    told = await night.retell(TOLD, language="en", tokens=tokens)
    assert TOKENS.count(told) <= tokens
    assert set(fold(told).rstrip("…").replace(".", "").split()) <= set(fold(" ".join(TOLD)).replace(".", "").split())
    assert told == await night.retell(TOLD, language="en", tokens=tokens)


async def test_a_sentence_said_twice_is_told_once_and_the_order_stays() -> None:
    night = OfflineNight(HashingEmbedder(), TOKENS)
    told = await night.retell(TOLD, language="en", tokens=200)
    assert told.count("moved to Recife") == 1
    assert told.index("Recife") < told.index("Clara")
    assert await night.retell([], language="en", tokens=50) == await night.retell([" "], language="en", tokens=50) == ""


@given(st.lists(st.text(max_size=120), max_size=6), st.integers(0, 60))
async def test_whatever_the_texts_the_budget_holds(texts: list[str], tokens: int) -> None:
    told = await OfflineNight(HashingEmbedder(), TOKENS).retell(texts, language="pt", tokens=tokens)
    assert TOKENS.count(told) <= tokens


def groups(vectors: Sequence[Vector], *, fewest: int = 1, most: int = 8) -> list[list[int]]:
    return grouped(vectors, similar_at_least=0.4, related_at_least=0.2, fewest=fewest, most=most)


@given(
    st.lists(st.tuples(*[st.floats(-1, 1, width=32)] * 3).filter(lambda v: sum(map(abs, v)) > 0.1), max_size=24),
    st.integers(0, 5),
    st.integers(1, 8),
)
def test_each_is_in_one_group_at_most(vectors: list[tuple[float, ...]], fewest: int, most: int) -> None:
    found = groups([a_vector(*vector) for vector in vectors], fewest=fewest, most=most)
    places = [place for group in found for place in group]
    assert len(places) == len(set(places))
    assert all(len(group) > 1 for group in found)
    assert len(found) <= most
    assert found == sorted(found)
