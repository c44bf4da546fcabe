"""How the figures of the offline minds are counted, with small fakes in place of the minds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bench.minds import costs, finding, measured, reading
from bench.minds.asking import Asked, Matrix, Progress, examples
from bench.table import Row

from loops import each
from relembra.domain.candidate import Comparison
from relembra.errors import MindError
from relembra.minds.port import Vector


class Letters:
    """An encoder that counts letters, and keeps what it was asked."""

    name = "letters@1"
    dimensions = 2

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.closed = False

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.embedded += texts
        return [np.array([text.count("a"), text.count("b")], dtype="<f4").tobytes() for text in texts]

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(question in text) for text in texts]

    async def close(self) -> None:
        self.closed = True


# ---- asking


def test_a_text_is_embedded_once_a_run_and_the_encoder_is_closed() -> None:
    encoder = Letters()
    with Asked(encoder) as asked:
        assert asked.vectors(["ab", "aa", "ab"]).tolist() == [[1, 1], [2, 0], [1, 1]]
        assert asked.vectors(["aa", "b"]).tolist() == [[2, 0], [0, 1]]
        assert asked.match("a", ["ab", "b"]).tolist() == [1, 0]
    assert encoder.embedded == ["ab", "aa", "b"]
    assert encoder.closed


def test_progress_speaks_when_its_time_has_come(capsys: pytest.CaptureFixture[str]) -> None:
    Progress("texts", 2_000, seconds=0).at(1_000)
    Progress("texts", 2_000, seconds=60).at(1_000)
    assert capsys.readouterr().err == "  texts: 1,000 of 2,000\n"


def test_a_choice_of_examples_is_never_empty(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"split": "dev"}\n{"split": "test"}\n')
    assert examples(path, split="dev") == [{"split": "dev"}]
    with pytest.raises(ValueError, match=r"set\.jsonl"):
        examples(path, split="tune")


def test_a_mind_that_cannot_answer_costs_the_rest_of_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    def section() -> Iterator[Row]:
        yield Row("first", "", "", 1.0, None)
        raise MindError("the model is another one")

    first, failed = measured("moods", section())
    assert first.what == "first"
    assert failed.what.startswith("moods")
    assert failed.holds is False
    assert "another one" in capsys.readouterr().err


# ---- finding


def test_only_the_first_are_ordered_anew_and_the_rest_stays_behind_them() -> None:
    scores = np.array([[0.9, 0.8, 0.7, 0.6]], dtype=np.float32)

    def match(question: str, texts: Sequence[str]) -> Matrix:
        assert (question, texts) == ("q", ["a", "b", "c"])
        return np.array([0.0, 0.3, 0.3], dtype=np.float32)

    made = finding.reordered(scores, ["q"], ["a", "b", "c", "d"], match, first=3, share=1.0)
    assert np.argsort(-made[0]).tolist() == [1, 2, 0, 3]
    assert made[0, :3].tolist() == pytest.approx([0.7, 0.9, 0.8])
    same = finding.reordered(scores, ["q"], ["a", "b", "c", "d"], match, first=3, share=0.0)
    assert np.argsort(-same[0]).tolist() == [0, 1, 2, 3]


def test_the_rarer_word_speaks_louder() -> None:
    scores = finding.keyword_scores(["o gato dorme", "o gato e o papagaio", "nada disso"], ["gato papagaio", "Gatos!"])
    assert scores[0, 1] > scores[0, 0] > scores[0, 2] == 0
    assert scores[1, 0] > 0


def test_both_arms_count_by_their_weight() -> None:
    words = np.array([[2.0, 0.0, 0.0]], dtype=np.float32)
    cosines = np.array([[0.0, 0.0, 0.1]], dtype=np.float32)
    assert int(finding.fused(words, cosines, 0.5).argmax()) == 0
    assert int(finding.fused(words, cosines, 2.0).argmax()) == 2


def test_a_quick_pool_holds_the_first_answerable_questions_and_their_sessions(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    items = [
        {
            "question_id": name,
            "question": f"about {name}?",
            "haystack_session_ids": [f"s-{name}"],
            "haystack_sessions": [[{"content": f"{name} told", "has_answer": True}, {"content": "ok"}]],
        }
        for name in ("one", "two_abs", "three", "four")
    ]
    path.write_text(json.dumps(items))
    part = finding.pooled_turns(path, 2)
    assert part.questions == ["about one?", "about three?"]
    assert (part.texts, part.evidence) == (["one told", "ok", "three told", "ok"], [[0], [2]])
    assert len(finding.pooled_turns(path, None).questions) == 3


# ---- reading


def test_a_reading_is_right_when_every_expected_field_is() -> None:
    found = [SimpleNamespace(begins=datetime(2024, 5, 1, tzinfo=UTC), unit="kg", start=3)]
    expected = [{"begins": "2024-05-01T00:00:00+00:00", "unit": "kg"}]
    assert reading.as_expected(found, expected)
    assert not reading.as_expected(found, [expected[0] | {"unit": "lb"}])
    assert not reading.as_expected(found, [])
    assert reading.as_expected(["One.", "Two."], ["One.", "Two."])
    assert not reading.as_expected(["One.", "Two."], ["One. Two."])


@each(list(reading.FINDERS))
def test_finders_read_the_examples_of_their_set(name: str) -> None:
    rows = [row for row in reading.readings("dev") if row.what.startswith(name)]
    assert rows
    assert all(row.holds for row in rows)


@each(
    [
        (Comparison(contradicts=0.7, same=0.2), "contradicts"),
        (Comparison(contradicts=0.1, same=0.8), "same"),
        (Comparison(contradicts=0.3, same=0.3), "neither"),
    ]
)
def test_a_pair_has_its_likeliest_label(found: Comparison, label: str) -> None:
    assert reading.label_of(found) == label


# ---- costs


def test_matching_is_timed_beside_embedding_the_question() -> None:
    with Asked(Letters()) as asked:
        cold, warm = costs.matching(asked)
    assert "cold" in cold.what
    assert "warm" in warm.what


def test_the_shipped_model_stays_small_enough_to_ship() -> None:
    model, networks = costs.sizes()
    assert model.holds
    assert networks.figure is not None
