"""Passages: whole words of the text in order, sentences and lines taken together, and not too many of them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from builders import an_item
from loops import each
from relembra.domain.searchable import LENGTH, LONGEST, MOST, item_text, passage_spans, passages


def sentences(count: int, words: int) -> str:
    return " ".join(" ".join(f"w{n:03}x{m}" for m in range(words)) + "." for n in range(count))


@each(["", "   \n", "uma palavra", "Uma frase. Outra frase!", "x" * 100_000])
def test_a_short_text_and_a_single_sentence_have_none(text: str) -> None:
    assert passages(text) == []


def test_sentences_that_follow_one_another_are_taken_together_up_to_a_length() -> None:
    found = passages(sentences(20, 7))
    assert all(passage.endswith(".") for passage in found)
    assert all(len(passage) <= LENGTH for passage in found)
    assert all(len(one) + len(other) > LENGTH for one, other in pairwise(found))


def test_a_number_or_an_address_is_not_cut() -> None:
    text = "O preço é 3.50 em www.exemplo.com.br hoje. " * 20
    found = passages(text)
    assert len(found) > 1
    assert {word for passage in found for word in passage.split()} == set(text.split())


def test_a_sentence_longer_than_an_encoder_reads_is_several() -> None:
    found = passages("palavra " * (2 * LONGEST + 10))
    assert [len(passage.split()) for passage in found] == [LONGEST, LONGEST, 10]


@each([9, 12, 15, 20])
def test_a_long_text_has_longer_ones_and_nothing_of_it_is_left_out(words: int) -> None:
    text = sentences(100, words)
    found = passages(text)
    assert MOST // 2 <= len(found) <= MOST
    assert " ".join(found) == text


@given(
    st.lists(st.sampled_from(["a", "bc.", "d!", "\n", " ", "é…", "(f)", "g?\n\n", "🙂"]), max_size=900).map(" ".join)
)
def test_they_are_words_of_the_text_in_order(text: str) -> None:
    spans = passage_spans(text)
    assert [text[start:end] for start, end in spans] == passages(text)
    assert len(spans) != 1
    assert len(spans) <= MOST
    assert all(earlier[1] < later[0] for earlier, later in pairwise(spans))
    assert " ".join(passages(text)).split() == text.split()[: sum(len(part.split()) for part in passages(text))]


def test_an_item_is_found_by_tags_somebody_gave_and_not_by_topics_its_words_tell() -> None:
    assert (
        item_text(an_item(content="Adora café", title="Adora café", tags=("comida", "sábado"))) == "Adora café\nsábado"
    )
