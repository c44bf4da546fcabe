from __future__ import annotations

from examples import Example, examples, score
from loops import each
from relembra.minds.offline.names import SELF, find_names


def reading(example: Example) -> list[dict[str, object]]:
    return [
        {"name": found.name, "relation": found.relation} for found in find_names(example["text"], example["language"])
    ]


@each([(split, language) for split in ["tune", "test"] for language in ["pt", "en"]])
def test_examples_are_read_as_expected(split: str, language: str) -> None:
    assert score(examples("names", language=language, split=split), reading) >= 0.95


def test_lower_case_needs_a_tie_and_a_known_name() -> None:
    assert [found.name for found in find_names("minha prima juliana casou", "pt")] == ["juliana"]
    assert (find_names("minha prima casou", "pt"), find_names("a juliana casou", "pt")) == ([], [])


def test_words_that_begin_a_sentence_are_no_names_by_their_capital() -> None:
    for text in ("Hope you are well", "Will you come?", "Great!", "Maybe later"):
        assert find_names(text, "en") == []


def test_the_speaker_is_told_apart() -> None:
    (found,) = find_names("Oi, me chamo Kauê", "pt")
    assert (found.name, found.relation) == ("Kauê", SELF)
