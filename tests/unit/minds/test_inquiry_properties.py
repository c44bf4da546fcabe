"""What holds of every text that is read as a question."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from loops import each
from relembra.domain.text import is_blank
from relembra.minds.offline.questions import OfflineInquirer

NOW = datetime(2025, 6, 18, 18, 0, tzinfo=UTC)
KNOWN = {"bia": "Beatriz", "irma": "Beatriz", "ana clara": "Ana Clara", "will": "Will"}

words = st.sampled_from(
    sorted({word for one in examples("inquiries") for word in one["text"].split()} | {"\n", "@", "'", '"', "1/2", "…"})
)
sentences = st.lists(words, max_size=40).map(" ".join)
texts = st.one_of(st.text(max_size=400), sentences)
moments = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)).map(
    lambda moment: moment.replace(tzinfo=UTC)
)


@given(texts, moments)
def test_any_text_at_any_moment_is_read(text: str, now: datetime) -> None:
    found = OfflineInquirer().read(text, now=now, known=KNOWN)
    assert found.text == text
    assert found.core or not text
    assert not is_blank(found.core) or is_blank(text)
    assert set(found.names) <= set(KNOWN.values())
    assert len(found.topics) == len(set(found.topics))
    if found.period:
        assert found.period.start < found.period.end
        assert found.period.text in text


@given(sentences)
def test_the_same_text_is_always_read_alike(text: str) -> None:
    assert OfflineInquirer().read(text, now=NOW, known=KNOWN) == OfflineInquirer().read(text, now=NOW, known=KNOWN)


@given(sentences)
def test_the_core_is_made_of_the_texts_own_words(text: str) -> None:
    core = OfflineInquirer().read(text, now=NOW).core
    rest = iter(text)
    assert all(char in rest for char in core if char.isalnum())


@each(
    [
        *("a", " ", ".", "é", "e\u0301", "'", '"a', "@a", "1 ", "2020 ", "oi\n", "eu ", "so ", "ha", "kkk "),
        *("do you remember ", "você lembra ", "how many before ", "first or which ", "you also just ", "your a b "),
        *("antes de ", "por favor, "),
    ]
)
def test_lines_as_long_as_are_read_are_read_to_the_end(piece: str) -> None:
    text = (piece * 4_000)[:4_000]
    assert OfflineInquirer().read(text, now=NOW, known=KNOWN).core
