from __future__ import annotations

from examples import Example, examples, score
from loops import each
from relembra.minds.offline.text import split_sentences


def reading(example: Example) -> list[str]:
    return [example["text"][start:end] for start, end in split_sentences(example["text"])]


@each(["tune", "test"])
def test_examples_are_split_as_expected(split: str) -> None:
    assert score(examples("sentences", split=split), reading) >= 0.95


def test_blank_text_has_no_sentence() -> None:
    assert split_sentences(" \n\t ") == []
