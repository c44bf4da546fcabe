"""The encoder in numpy: its arithmetic to the last digit, its reader, and the shipped model beside onnxruntime."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from relembra.errors import MindError
from relembra.minds.offline.encoder import DIMENSIONS, LONGEST_PIECES, MODEL_PATH, OfflineEmbedder
from relembra.minds.offline.plain import PlainEncoder, _erf, _Linear, _quantised, _tensors
from relembra.minds.offline.wordpiece import shipped_wordpiece
from relembra.minds.onnx import Model
from tensors import WIDTH, Array, a_small_model, model_bytes, nested, number, small_tensors, tensor_bytes, varint

# ── arithmetic ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_error_function_is_right_to_seven_digits() -> None:
    values = np.linspace(-6, 6, 2_001, dtype=np.float32)
    assert _erf(values) == pytest.approx([math.erf(value) for value in values], abs=3e-7)


def test_activations_are_quantised_as_the_runtime_does() -> None:
    numbers, scale = _quantised(np.array([[-1.0, 0.0, 0.5, 1.55]], np.float32))
    assert scale == pytest.approx(0.01)
    assert numbers.tolist() == [[-100, 0, 50, 155]]
    only_positive, _ = _quantised(np.array([[2.55, 5.1]], np.float32))  # zero is always among what can be written
    assert only_positive.tolist() == [[128, 255]]
    assert _quantised(np.zeros((1, 3), np.float32))[0].tolist() == [[0, 0, 0]]


def linear(weight: Array) -> _Linear:
    columns = weight.shape[1]
    return _Linear(
        {
            "x.weight_quantized": weight,
            "x.weight_zero_point": np.zeros(columns, "i1"),
            "x.weight_scale": np.ones(columns, "f4"),
            "x.bias": np.zeros(columns, "f4"),
        },
        "x",
    )


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 384, 512, 513, 1_536]))
def test_products_of_8_bit_numbers_are_exact(seed: int, terms: int) -> None:
    chance = np.random.default_rng(seed)
    weight = chance.integers(-128, 128, (terms, 3), dtype="i1")
    numbers = chance.integers(0, 256, (2, terms))
    exact = (numbers @ weight.astype(np.int64)).astype(np.float32)
    assert linear(weight)((numbers.astype(np.float32), np.float32(1))).tolist() == exact.tolist()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sum_of_products_is_exact(sign: int) -> None:
    weight = np.full((1_536, 1), 127 * sign, "i1")
    made = linear(weight)((np.full((1, 1_536), 255, np.float32), np.float32(1)))
    assert made.tolist() == [[1_536 * 127 * 255 * sign]]


# ── the reader ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_tensors_of_every_kind_are_read_with_their_names_and_shapes() -> None:
    given_ = {
        "floats": np.array([[0.5, -2.0, 3.25]], "<f4"),
        "bytes": np.array([0, 255], "u1"),
        "signed": np.array([[-128], [127]], "i1"),
        "longs": np.array(-(2**40), "<i8"),
        "ação": np.zeros((200, 0), "<f4"),
    }
    read = dict(_tensors(memoryview(model_bytes(given_))))
    assert {name: (values.dtype, values.shape, values.tolist()) for name, values in read.items()} == {
        name: (values.dtype, values.shape, values.tolist()) for name, values in given_.items()
    }


def test_packed_sizes_are_read_and_tensors_of_other_kinds_passed_over() -> None:
    values = np.arange(600, dtype="u1").reshape(2, 300)
    packed = nested(1, varint(2) + varint(300)) + number(2, 2) + nested(8, b"packed") + nested(9, values.tobytes())
    words = number(1, 1) + number(2, 8) + nested(8, b"words") + nested(6, b"text")
    read = dict(_tensors(memoryview(nested(7, nested(5, packed) + nested(5, words)))))
    assert list(read) == ["packed"]
    assert read["packed"].tolist() == values.tolist()


def test_a_small_model_gives_a_row_a_piece_and_the_same_ones_every_time(tmp_path: Path) -> None:
    path = a_small_model(tmp_path / "m.onnx")
    model, again = PlainEncoder(path), PlainEncoder(path)
    for ids in ([0], [1, 2], [31, 0, 5, 5, 8, 2, 1, 0, 9, 30, 4, 4, 4, 4, 4, 7]):
        rows = model.tokens(ids)
        assert rows.shape == (len(ids), WIDTH)
        assert rows.dtype == np.float32
        assert np.isfinite(rows).all()
        assert rows.tobytes() == again.tokens(ids).tobytes()
    one, other = model.tokens([1, 2, 3]), model.tokens([1, 3, 2])
    assert not np.allclose(one[0], other[0])  # a piece hears its neighbours, and in which order they stand


def small_bytes() -> bytes:
    return model_bytes(dict(small_tensors()))


DAMAGED: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "half": lambda: small_bytes()[: len(small_bytes()) // 2],
    "without its last bytes": lambda: small_bytes()[:-20],
    "text": lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 31865030\n",
    "zeros": lambda: bytes(1_000),
    "a number without an end": lambda: b"\xff" * 100_000,
    "without a graph": lambda: nested(8, b"opset"),
    "a graph that is a number": lambda: number(7, 5),
    "a tensor that is a number": lambda: nested(7, number(5, 5)),
    "a name that is a number": lambda: nested(7, nested(5, number(8, 2**40))),
    "bytes that are a number": lambda: nested(7, nested(5, number(2, 1) + number(9, 4))),
    "a size past every memory": lambda: nested(7, nested(5, number(1, 2**63) + number(2, 1) + nested(9, bytes(4)))),
    "fewer bytes than its size": lambda: nested(7, nested(5, number(1, 9) + number(2, 1) + nested(9, bytes(4)))),
    "of other names": lambda: nested(7, nested(5, tensor_bytes("onnx::MatMul_1", np.zeros((2, 2), "<f4")))),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_said_to_be_with_its_path(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(DAMAGED[damage]())
    with pytest.raises(MindError, match="damaged") as refused:
        PlainEncoder(path)
    assert str(path) in str(refused.value)


def test_tensors_that_are_missing_or_do_not_fit_are_found_at_once(tmp_path: Path) -> None:
    for name in ("model.words.weight_scale", "model.norm.bias", "model.kind", "model.layers.5.outer.weight_quantized"):
        with pytest.raises(MindError, match=rf"damaged.*{name}"):
            PlainEncoder(a_small_model(tmp_path / "m.onnx", without=name))
    with pytest.raises(MindError, match="damaged"):
        PlainEncoder(a_small_model(tmp_path / "m.onnx", model__layers__3__inner__bias=np.zeros(7, "<f4")))


def test_a_missing_file_and_one_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(MindError, match="missing") as refused:
        PlainEncoder(tmp_path / "nothing.onnx")
    assert str(tmp_path / "nothing.onnx") in str(refused.value)
    with pytest.raises(MindError, match="cannot be read") as refused:
        PlainEncoder(tmp_path)
    assert str(tmp_path) in str(refused.value)


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_whatever_the_bytes_are_the_answer_is_tensors_or_a_plain_error(data: bytes) -> None:
    for given_ in (data, nested(7, data), nested(7, nested(5, data))):
        with suppress(ValueError, IndexError, TypeError, OverflowError):  # what `PlainEncoder` says in one sentence
            assert all(values.nbytes <= len(given_) for _, values in _tensors(memoryview(given_)))


# ── the shipped model ─────────────────────────────────────────────────────────────────────────────────────────────

TEXTS = (
    "Moro em Lisboa.",
    "I have two cats and a greyhound.",
    "Minha avó Rosa tem medo de avião.",
    "What did Clara eat last night?",
    "Quanto custou a impressora nova?",
    "Meeting moved to Thursday at nine.",
    "Prefere café sem açúcar",
    "She sleeps better on the days she swims.",
    "ok",
    "42",
)
ODD_TEXTS = ("", " \n\t", "😀", "!?", "a" * 5_000)
NEAR, NEVER_UNDER = 0.999, 0.97
"""What most texts reach, and what none falls under: where the last digit of a float moves one 8-bit number by a step,
all after it differ a little, and which texts that happens to depends on the machine."""


@pytest.fixture(scope="module")
def plain() -> PlainEncoder:
    return PlainEncoder(MODEL_PATH)


@pytest.fixture(scope="module")
def runtime() -> Model:
    return OfflineEmbedder()._runner.load()


def cosines(plain: PlainEncoder, runtime: Model, text: str) -> tuple[float, Array]:
    """The two engines' cosine on a text's vector, and those on each of its pieces."""
    rows = plain.tokens(shipped_wordpiece().encode(text, LONGEST_PIECES))
    assert rows.shape == (len(runtime.tokens(text)), DIMENSIONS)
    whole = rows.mean(axis=0)
    theirs = np.frombuffer(runtime.vector(text), "<f4")
    pieces = (rows * runtime.tokens(text)).sum(axis=1) / np.linalg.norm(rows, axis=1)
    return float(whole @ theirs / np.linalg.norm(whole)), pieces


def test_the_model_has_a_row_for_every_piece_of_the_vocabulary() -> None:
    tensors = dict(_tensors(memoryview(MODEL_PATH.read_bytes())))
    assert len(tensors["model.words.weight_quantized"]) == len(shipped_wordpiece().vocabulary)


@pytest.mark.parametrize("texts", [TEXTS, ODD_TEXTS], ids=["both languages", "blank, emoji, endless"])
def test_short_texts_get_the_runtimes_vectors(plain: PlainEncoder, runtime: Model, texts: tuple[str, ...]) -> None:
    found = [cosines(plain, runtime, text) for text in texts]
    assert median(whole for whole, _ in found) >= NEAR
    assert median(float(pieces.min()) for _, pieces in found) >= NEAR
    assert min(whole for whole, _ in found) >= NEVER_UNDER


@pytest.mark.parametrize("text", ["casa " * 300, " ".join(TEXTS * 5)])
def test_the_longest_text_gets_nearly_the_runtimes_vector(plain: PlainEncoder, runtime: Model, text: str) -> None:
    whole, pieces = cosines(plain, runtime, text)
    assert len(pieces) == LONGEST_PIECES
    assert whole >= NEVER_UNDER
    assert float(np.median(pieces)) >= NEVER_UNDER


@settings(max_examples=25)
@example("São João, 24 de junho: R$ 1.500,00!")
@example("\ud800\x00 \u202e日本語 текст")
@given(st.text(max_size=40) | st.lists(st.sampled_from(" ".join(TEXTS).split()), max_size=12).map(" ".join))
def test_any_short_text_gets_nearly_the_runtimes_vector(plain: PlainEncoder, runtime: Model, text: str) -> None:
    assert cosines(plain, runtime, text)[0] >= NEVER_UNDER


@pytest.mark.parametrize("kept", [0, 100_000, -1])
def test_a_shipped_file_cut_short_is_said_to_be_damaged(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(MODEL_PATH.read_bytes()[:kept])
    with pytest.raises(MindError, match="damaged"):
        PlainEncoder(path)
