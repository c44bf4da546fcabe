"""The shipped encoder in numpy alone, for machines where onnxruntime cannot be loaded: the same vectors, slower.

Reads the same file. What the runtime does in integers is done here in floats that hold every integer exactly, so they
differ only in how a float is rounded. Mostly that is nothing (cosine above .9999). Where it moves one 8-bit number by a
step, which is likelier in a long text, all after it differ a little (above .97; a test compares them).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.errors import MindError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

__all__ = ["PlainEncoder"]

LAYERS, HEADS = 6, 12
_EPSILON = 1e-12
_EXACT = 512
"""Terms of a product of 8-bit numbers that a float32 adds up without rounding: 512 · 255 · 128 < 2²⁴."""

# Field numbers of onnx.proto (ONNX, Apache-2.0): model.graph, graph.initializer, and of a tensor.
_GRAPH, _INITIALIZER, _DIMS, _KIND, _NAME, _RAW = 7, 5, 1, 2, 8, 9
_KINDS = {1: "<f4", 2: "u1", 3: "i1", 7: "<i8"}


class PlainEncoder:
    """Piece numbers to one vector a piece."""

    def __init__(self, path: Path) -> None:
        try:
            self._tensors = dict(_tensors(memoryview(path.read_bytes())))
            self._layers = [_Layer(self._tensors, f"model.layers.{number}.") for number in range(LAYERS)]
            self.tokens([0])  # here it shows when the tensors do not fit together
        except FileNotFoundError as exc:
            raise MindError(f"the model file {path} is missing; install it again") from exc
        except OSError as exc:
            raise MindError(f"the model file {path} cannot be read: {exc}") from exc
        except (KeyError, ValueError, IndexError, TypeError, OverflowError) as exc:
            raise MindError(f"the model file {path} is damaged or of an unknown kind: {exc!r}") from exc

    def tokens(self, ids: list[int]) -> Array:
        """One row a piece, before any pooling."""
        import numpy as np

        held = self._tensors
        words = held["model.words.weight_quantized"][ids].astype(np.float32)
        words = (words - float(held["model.words.weight_zero_point"])) * held["model.words.weight_scale"]
        hidden = words + held["model.positions.weight"][: len(ids)] + held["model.kind"]
        hidden = _normed(hidden, held["model.norm.weight"], held["model.norm.bias"])
        for layer in self._layers:
            hidden = layer(hidden)
        return hidden


class _Layer:
    """Attention and feed-forward, normalised after each, as BERT does."""

    def __init__(self, tensors: dict[str, Array], prefix: str) -> None:
        self._query, self._key, self._value, self._attended, self._inner, self._outer = (
            _Linear(tensors, prefix + part) for part in ("query", "key", "value", "attended", "inner", "outer")
        )
        self._norms = [
            (tensors[f"{prefix}{part}_norm.weight"], tensors[f"{prefix}{part}_norm.bias"])
            for part in ("attended", "outer")
        ]

    def __call__(self, hidden: Array) -> Array:
        import numpy as np

        quantised = _quantised(hidden)
        query, key, value = (
            part(quantised).reshape(len(hidden), HEADS, -1).transpose(1, 0, 2)
            for part in (self._query, self._key, self._value)
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = (weights @ value).transpose(1, 0, 2).reshape(len(hidden), -1)
        hidden = _normed(hidden + self._attended(_quantised(mixed)), *self._norms[0])
        inner = self._inner(_quantised(hidden))
        inner = inner * (_erf(inner / np.float32(math.sqrt(2))) + 1) * np.float32(0.5)
        return _normed(hidden + self._outer(_quantised(inner)), *self._norms[1])


class _Linear:
    """A matrix of 8-bit numbers with one scale a column, times activations quantised on the way."""

    def __init__(self, tensors: dict[str, Array], prefix: str) -> None:
        zero = tensors[f"{prefix}.weight_zero_point"].astype("f4")
        weight = tensors[f"{prefix}.weight_quantized"].astype("f4") - zero
        self._pieces = [weight[start : start + _EXACT] for start in range(0, len(weight), _EXACT)]
        self._scale = tensors[f"{prefix}.weight_scale"]
        self._bias = tensors[f"{prefix}.bias"]

    def __call__(self, given: tuple[Array, Any]) -> Array:
        import numpy as np

        numbers, scale = given
        parts = [numbers[:, at * _EXACT : (at + 1) * _EXACT] @ piece for at, piece in enumerate(self._pieces)]
        total = parts[0] if len(parts) == 1 else np.sum(parts, axis=0, dtype=np.float64).astype(np.float32)
        made: Array = total * (scale * self._scale) + self._bias
        return made


def _quantised(values: Array) -> tuple[Array, Any]:
    """ONNX's DynamicQuantizeLinear: whole numbers less their zero point, and the scale."""
    import numpy as np

    least, most = min(np.float32(0), values.min()), max(np.float32(0), values.max())
    scale = np.float32((most - least) / np.float32(255)) or np.float32(1)
    zero = np.clip(np.rint(-least / scale), 0, 255)
    return np.clip(np.rint(values / scale) + zero, 0, 255) - zero, scale


def _normed(values: Array, weight: Array, bias: Array) -> Array:
    import numpy as np

    centred = values - values.mean(-1, keepdims=True)
    made: Array = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(_EPSILON)) * weight + bias
    return made


def _erf(x: Array) -> Array:
    """The error function within 1.5e-7 (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26)."""
    import numpy as np

    t = 1 / (1 + 0.3275911 * np.abs(x, dtype=np.float64))
    curve = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    made: Array = (np.sign(x) * (1 - curve * np.exp(-np.square(x, dtype=np.float64)))).astype(np.float32)
    return made


# ---- the few words of protobuf an ONNX file's tensors need


def _tensors(model: memoryview) -> Iterator[tuple[str, Array]]:
    import numpy as np

    graph = dict(_fields(model)).get(_GRAPH, memoryview(b""))
    for number, body in _fields(graph):
        if number != _INITIALIZER:
            continue
        sizes, name, kind, raw = [], "", 0, memoryview(b"")
        for part, value in _fields(body):
            if part == _DIMS:
                sizes += list(_varints(value)) if isinstance(value, memoryview) else [value]
            elif part == _KIND:
                kind = value
            elif part == _NAME:
                name = str(value, "utf-8")
            elif part == _RAW:
                raw = value
        if kind in _KINDS:
            yield name, np.frombuffer(raw, _KINDS[kind]).reshape(sizes)


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Field numbers with a whole number or the bytes of a nested value."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        match tag & 7:
            case 0:
                value, at = _varint(message, at)
                yield tag >> 3, value
            case 2:
                size, at = _varint(message, at)
                if size > len(message) - at:
                    raise ValueError("cut short")
                yield tag >> 3, message[at : at + size]
                at += size
            case 1:
                at += 8
            case 5:
                at += 4
            case other:
                raise ValueError(f"wire type {other}")


def _varints(values: memoryview) -> Iterator[int]:
    at = 0
    while at < len(values):
        value, at = _varint(values, at)
        yield value


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
        if shift >= 64:
            raise ValueError("a number without an end")
