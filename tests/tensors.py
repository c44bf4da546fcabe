"""An encoder's file of the shipped one's kind, a thousandth its size, written without the onnx package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from relembra.minds.offline.plain import HEADS, LAYERS

Array = np.ndarray[Any, np.dtype[Any]]

WIDTH, INNER, WORDS, POSITIONS = HEADS, 2 * HEADS, 32, 16
KINDS = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7}


def a_small_model(path: Path, *, without: str | None = None, **changes: Array) -> Path:
    """A whole model at a path; left out or changed are the tensors of a name, dots written as two underscores."""
    tensors = dict(small_tensors()) | {name.replace("__", "."): values for name, values in changes.items()}
    path.write_bytes(model_bytes({name: values for name, values in tensors.items() if name != without}))
    return path


def small_tensors() -> Iterator[tuple[str, Array]]:
    """The tensors of a model of 6 layers by their names; the same every time."""
    chance = np.random.default_rng(7)

    def floats(*sizes: int) -> Array:
        return chance.normal(size=sizes).astype("<f4")

    def quantised(name: str, rows: int, columns: int, *scales: int) -> Iterator[tuple[str, Array]]:
        yield f"{name}_quantized", chance.integers(-127, 128, (rows, columns), dtype="i1")
        yield f"{name}_scale", np.full(scales, 1 / 64, "<f4")
        yield f"{name}_zero_point", np.zeros(scales, "i1")

    yield from quantised("model.words.weight", WORDS, WIDTH)
    yield "model.positions.weight", floats(POSITIONS, WIDTH)
    yield "model.kind", floats(WIDTH)
    norms = ["model.norm"]
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}"
        norms += [f"{prefix}.attended_norm", f"{prefix}.outer_norm"]
        for part in ("query", "key", "value", "attended", "inner", "outer"):
            rows, columns = INNER if part == "outer" else WIDTH, INNER if part == "inner" else WIDTH
            yield from quantised(f"{prefix}.{part}.weight", rows, columns, columns)
            yield f"{prefix}.{part}.bias", floats(columns)
    for norm in norms:
        yield f"{norm}.weight", 1 + floats(WIDTH) / 8
        yield f"{norm}.bias", floats(WIDTH) / 8


def model_bytes(tensors: Mapping[str, Array]) -> bytes:
    """The bytes of an ONNX model that has these tensors and, around them, fields a reader passes over."""
    graph = nested(2, b"encoder") + b"".join(nested(5, tensor_bytes(*tensor)) for tensor in tensors.items())
    passed_over = number(1, 8) + bytes([15 << 3 | 1]) + bytes(8) + bytes([15 << 3 | 5]) + bytes(4)
    return passed_over + nested(7, graph) + nested(8, b"opset")


def tensor_bytes(name: str, values: Array) -> bytes:
    sizes = b"".join(number(1, size) for size in values.shape)
    return sizes + number(2, KINDS[values.dtype.name]) + nested(8, name.encode()) + nested(9, values.tobytes())


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def nested(field: int, body: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(body)) + body


def varint(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + varint(high) if high else bytes([low])
