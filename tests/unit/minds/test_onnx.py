"""The runner's rules for models other than the shipped one: over sessions that only answer, and without a runtime."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from relembra.errors import MindError
from relembra.minds.embedders import MODEL_PATH
from relembra.minds.onnx import Model, OnnxRunner, _turns


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
    return Model(session, lambda text: [101, *map(ord, text), 102], pooling=pooling, path=Path("m.onnx"))


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


def test_pieces_get_unit_rows_even_where_the_model_pools_by_itself() -> None:
    outputs = [Slot("sentence_embedding", ("b", 2)), *TOKENS]
    answers = {"sentence_embedding": [[3, 4]], "last_hidden_state": [[[5, 0], [0, 0], [3, 4]]]}
    rows = model(Session(IDS, outputs, answers)).tokens("x")
    assert rows == pytest.approx(np.array([[1, 0], [0, 0], [0.6, 0.8]]))


def test_a_model_without_rows_for_pieces_says_so_only_when_asked_for_them() -> None:
    pooled = model(Session(IDS, [Slot("embedding", ("b", 2))], {"embedding": [[3, 4]]}))
    assert numbers(pooled.vector("x")) == pytest.approx([0.6, 0.8])
    with pytest.raises(MindError, match=r"m\.onnx gives no vectors of single pieces"):
        pooled.tokens("x")


def test_pieces_without_a_finite_length_are_an_error() -> None:
    outputs = [Slot("embedding", ("b", 2)), *TOKENS]
    answers = {"embedding": [[3, 4]], "last_hidden_state": [[[1, 0], [float("inf"), 0]]]}
    with pytest.raises(MindError, match="finite"):
        model(Session(IDS, outputs, answers)).tokens("x")


class Broken:
    """A finder by which onnxruntime is found, and fails as it loads."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    def find_spec(self, name: str, *_: object) -> None:
        if name == "onnxruntime":
            raise self._fault


async def refused(fault: str, path: Path = MODEL_PATH) -> None:
    runner = OnnxRunner(path, lambda: lambda text: [0, *map(ord, text), 1])
    with pytest.raises(MindError, match=fault):
        await runner.embed(["x"])
    await runner.close()


async def test_without_the_runtime_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    await refused(r"onnxruntime cannot be loaded \(.+\); install it again: pip install --force-reinstall onnxruntime")


@pytest.mark.parametrize("fault", [ImportError("DLL"), OSError("libgomp.so.1"), AttributeError("_ARRAY_API")])
async def test_a_runtime_that_breaks_as_it_loads_counts_as_missing(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(fault), *sys.meta_path])
    await refused(rf"onnxruntime cannot be loaded \({fault}\)")


async def test_a_runtime_whose_files_are_gone_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", ModuleType("onnxruntime"))  # what an empty folder imports as
    await refused("onnxruntime cannot be loaded")


async def test_a_file_s_fault_is_not_the_runtime_s(tmp_path: Path) -> None:
    damaged = tmp_path / "m.onnx"
    damaged.write_bytes(b"no model")
    await refused("damaged", damaged)
    await refused(r"nothing\.onnx is missing", tmp_path / "nothing.onnx")
