"""The offline minds for the length of one run, asked from plain code, with a sign of life while that takes long."""

from __future__ import annotations

import asyncio
import importlib
import sys
import time
from collections.abc import Coroutine, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from relembra.minds.port import Embedder, Matcher

ROOT = Path(__file__).parents[2]
EVALSETS = ROOT / "training" / "evalsets"

measures: Any = importlib.import_module("training.measures")
"""The definitions training uses. Taken by name, since training's scripts are outside the strict types of this tree."""

Answer = TypeVar("Answer")
Matrix = npt.NDArray[np.float32]
Split = Literal["dev", "test"]
Example = dict[str, Any]

CHUNK = 64
SECONDS_A_LINE = 5.0


class Encoder(Embedder, Matcher, Protocol):
    """What a run asks of the shipped encoder."""


class Progress:
    """A line on stderr every few seconds; nothing for what is done before the first is due."""

    def __init__(self, what: str, total: int, *, seconds: float = SECONDS_A_LINE) -> None:
        self._what = what
        self._total = total
        self._seconds = seconds
        self._last = time.monotonic()

    def at(self, done: int) -> None:
        now = time.monotonic()
        if now - self._last >= self._seconds:
            self._last = now
            said(f"  {self._what}: {done:,} of {self._total:,}")


class Asked:
    """An encoder with an event loop of its own. A text is embedded once a run; nothing is kept on disk."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._runner = asyncio.Runner()
        self._known: dict[str, Matrix] = {}

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.run(self.encoder.close())
        self._runner.close()

    def run(self, asking: Coroutine[Any, Any, Answer]) -> Answer:
        """The answer of anything that has to be awaited."""
        return self._runner.run(asking)

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """One unit row a text."""
        unseen = [text for text in dict.fromkeys(texts) if text not in self._known]
        progress = Progress("texts embedded", len(unseen))
        for start in range(0, len(unseen), CHUNK):
            chunk = unseen[start : start + CHUNK]
            rows = [np.frombuffer(vector, "<f4") for vector in self.run(self.encoder.embed(chunk))]
            self._known.update(zip(chunk, rows, strict=True))
            progress.at(start + len(chunk))
        return np.stack([self._known[text] for text in texts])

    def match(self, question: str, texts: Sequence[str]) -> Matrix:
        """Late-interaction scores of texts for a question."""
        return np.array(self.run(self.encoder.match(question, texts)), dtype=np.float32)


def examples(path: Path, **wanted: str) -> list[Example]:
    """The lines of a set whose fields equal those wanted; an empty choice would measure nothing, so it fails."""
    rows: list[Example] = measures.json_lines(path)
    chosen = [row for row in rows if all(row[field] == value for field, value in wanted.items())]
    if not chosen:
        raise ValueError(f"nothing in {path.name} is {wanted}")
    return chosen


def said(line: str) -> None:
    """For whoever waits, apart from the table."""
    print(line, file=sys.stderr, flush=True)


def of(hits: float, total: int) -> str:
    """What a share was counted from."""
    return f"{hits:,.0f} of {total:,}"
