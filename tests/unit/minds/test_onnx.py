"""The runner's rules for models other than the shipped one, over sessions that only answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relembra.errors import MindError
from relembra.minds.onnx import Model, _Onnx, _turns


@dataclass
class Slot:
    name: str
    shape: tuple[object, ...] = ("b", "s")
    type: str = "tensor(int64)"


@dataclass
class Session:
    """Answers each output name with what it was given, and keeps what it was fed."""

    inputs: Sequence[Slot]
    outputs: Sequence[Slot]
    answers: dict[str, Any]
    fed: list[dict[str, Any]] = field(default_factory=list)

    def get_inputs(self) -> Sequence[Slot]:
        return self.inputs

    def get_outputs(self) -> Sequence[Slot]:
        return self.outputs

    def run(self, names: list[str], feed: dict[str, Any]) -> list[Any]:
        self.fed.append(feed)
        return [np.array(self.answers[name], dtype=np.float32) for name in names]


def model(session: Session, pooling: Any = "mean") -> Model:
    path = Path("m.onnx")
    return Model(_Onnx(session, path), lambda text: [101, *map(ord, text), 102], pooling, path)


TOKENS = [Slot("last_hidden_state", ("b", "s", 2))]
IDS = [Slot("input_ids")]


def numbers(vector: bytes) -> list[float]:
    return [float(value) for value in np.frombuffer(vector, "<f4")]


def test_token_vectors_are_pooled_as_asked() -> None:
    session = Session(IDS, TOKENS, {"last_hidden_state": [[[4, 0], [0, 0], [2, 8]]]})
    assert numbers(model(session).vector("x")) == pytest.approx([0.6, 0.8])
    assert numbers(model(session, "cls").vector("x")) == pytest.approx([1, 0])


def test_a_sentence_output_is_taken_before_token_vectors() -> None:
    outputs = [*TOKENS, Slot("sentence_embedding", ("b", 2))]
    session = Session(IDS, outputs, {"sentence_embedding": [[3, 4]]})
    assert numbers(model(session).vector("x")) == pytest.approx([0.6, 0.8])
    assert model(session).dimensions == 2


def test_inputs_are_fed_by_name_and_kind() -> None:
    inputs = [Slot("input_ids", type="tensor(int32)"), Slot("attention_mask"), Slot("token_type_ids")]
    session = Session(inputs, TOKENS, {"last_hidden_state": [[[1, 0]]]})
    model(session).vector("a")
    feed = session.fed[-1]
    assert {name: (value.tolist(), str(value.dtype)) for name, value in feed.items()} == {
        "input_ids": ([[101, 97, 102]], "int32"),
        "attention_mask": ([[1, 1, 1]], "int64"),
        "token_type_ids": ([[0, 0, 0]], "int64"),
    }


def test_a_vector_of_zeros_becomes_a_unit_vector_and_nan_an_error() -> None:
    session = Session(IDS, TOKENS, {"last_hidden_state": [[[0, 0]]]})
    assert numbers(model(session).vector("x")) == [1, 0]
    with pytest.raises(MindError, match="finite"):
        model(Session(IDS, TOKENS, {"last_hidden_state": [[[float("nan"), 0]]]}))


def test_models_of_another_kind_are_refused() -> None:
    with pytest.raises(MindError, match="pixel_values"):
        model(Session([Slot("pixel_values")], TOKENS, {}))
    with pytest.raises(MindError, match="logits"):
        model(Session(IDS, [Slot("logits", ("b", 2))], {}))


def test_turns_keep_every_text_in_order_and_stay_short() -> None:
    texts = ["a" * size for size in (10, 5000, 1, 1999, 3, 700, 700, 700, 0)]
    turns = list(_turns(texts))
    assert [text for turn in turns for text in turn] == texts
    assert all(len(turn) <= 4 for turn in turns)
    assert list(_turns([])) == []
