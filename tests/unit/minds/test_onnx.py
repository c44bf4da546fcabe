"""What the encoder says of a runtime or a model that does not work."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from loops import each
from relembra.errors import MindError
from relembra.minds.embedders import MODEL_PATH, OfflineEmbedder, _turns
from relembra.minds.onnx import Model


@each([float("nan"), float("inf")])
def test_numbers_without_a_finite_length_are_an_error(number: float) -> None:
    class Session:
        def run(self, _: list[str], __: object) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
            return [np.array([[1, number]], dtype=np.float32)]

    model = Model(Path("m.onnx"), Session())
    for asked in (model.vector, model.tokens):
        with pytest.raises(MindError, match=r"m\.onnx gave numbers that are not finite"):
            asked("x")


def test_turns_keep_every_text_in_order_and_stay_short() -> None:
    texts = ["a" * size for size in (10, 5000, 1, 1999, 3, 700, 700, 700, 0)]
    turns = list(_turns(texts))
    assert [text for turn in turns for text in turn] == texts
    assert all(len(turn) <= 4 for turn in turns)
    assert list(_turns([])) == []


class Broken:
    """A finder by which onnxruntime is found, and fails as it loads."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    def find_spec(self, name: str, *_: object) -> None:
        if name == "onnxruntime":
            raise self._fault


async def refused(fault: str, path: Path = MODEL_PATH) -> None:
    embedder = OfflineEmbedder(model_path=path)
    with pytest.raises(MindError, match=fault):
        await embedder.embed(["x"])
    await embedder.close()


@pytest.mark.parametrize("gone", [None, ModuleType("onnxruntime")])  # as an empty folder imports
async def test_without_the_runtime_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, gone: ModuleType | None
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", gone)
    await refused(r"onnxruntime cannot be loaded \(.+\); install it again: pip install --force-reinstall onnxruntime")


@pytest.mark.parametrize("fault", [ImportError("DLL"), OSError("libgomp.so.1"), AttributeError("_ARRAY_API")])
async def test_a_runtime_that_breaks_as_it_loads_counts_as_missing(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(fault), *sys.meta_path])
    await refused(rf"onnxruntime cannot be loaded \({fault}\)")


async def test_a_file_s_fault_is_not_the_runtime_s(tmp_path: Path) -> None:
    damaged = tmp_path / "m.onnx"
    damaged.write_bytes(MODEL_PATH.read_bytes()[:100_000])
    await refused("damaged", damaged)
    await refused(r"nothing\.onnx is missing", tmp_path / "nothing.onnx")
