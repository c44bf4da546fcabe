"""The reader's networks: one tags words, one judges what was found, one what a message does to what is known."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.minds.offline.wordpiece import WordPiece, shipped_wordpiece
from relembra.minds.onnx import session_of
from relembra.minds.reader.layout import Word, first_words, pieces_of
from relembra.minds.reader.spans import Question, Tagged

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

__all__ = ["Networks", "shipped_networks"]

MODELS = Path(__file__).parent.parent / "offline" / "model"


class Networks:
    """Loaded on first use, once; deterministic. Texts go through one at a time: int8 scales a batch by its largest."""

    def __init__(self, folder: Path = MODELS) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._sessions: dict[str, Any] = {}
        self.cutter: WordPiece = shipped_wordpiece()

    @cached_property
    def tags(self) -> list[str]:
        """What the tagger can say a word is, in the order of its columns."""
        names: str = self._session("tagger").get_modelmeta().custom_metadata_map["tags"]
        return names.split()

    def tag(self, words: Sequence[Word]) -> Tagged:
        import numpy as np

        pieces = pieces_of(words, self.cutter)
        feed = _feed(ids=pieces.ids, shapes=pieces.shapes, speakers=pieces.speakers)
        tags, status, marks, about, message, mood = (row[0] for row in self._session("tagger").run(None, feed))
        own = np.array(pieces.firsts)
        columns = np.concatenate([[0], own])
        worth, turns = map(float, _likely(message))
        about = _shares(about[np.ix_(own, columns)])
        low, neutral, high = map(float, _shares(mood))
        felt = low, neutral, high
        return Tagged(_likely(tags[own]), _shares(status[own]), _likely(marks[own]), about, worth, turns, felt)

    def mood(self, text: str) -> tuple[float, float, float]:
        """How likely a text sounds negative, neutral, positive."""
        words = first_words(text, self.cutter)
        return self.tag(words).mood if words else (0.0, 1.0, 0.0)

    def right(self, question: Question) -> float:
        """How likely a value is right of a person."""
        return float(_likely(self._asked("judge", question)).item())

    def does(self, question: Question) -> tuple[float, ...]:
        """How likely a message does each of `DOES` to something known."""
        return tuple(map(float, _shares(self._asked("effects", question))[0]))

    def _asked(self, name: str, question: Question) -> Numbers:
        feed = _feed(ids=question.ids, shapes=question.shapes, speakers=question.speakers, marks=question.marks)
        answer: Numbers = self._session(name).run(None, feed)[0]
        return answer

    @cached_property
    def weights(self) -> list[float]:
        """How much each clue counts for how sure a reading is."""
        told: str = self._session("judge").get_modelmeta().custom_metadata_map["certainty"]
        return [float(number) for number in told.split()]

    def load(self) -> None:
        """Have them at hand, so that the first message need not wait for them."""
        for name in ("tagger", "judge", "effects"):
            self._session(name)

    def _session(self, name: str) -> Any:
        with self._lock:
            if name not in self._sessions:
                self._sessions[name] = session_of(self._folder / f"{name}-int8.onnx")
            return self._sessions[name]


@lru_cache(maxsize=1)
def shipped_networks() -> Networks:
    """The networks of the package, one for all who read."""
    return Networks()


def _feed(**rows: Sequence[int]) -> dict[str, Numbers]:
    import numpy as np

    return {name: np.array([row], dtype=np.int64) for name, row in rows.items()}


def _likely(numbers: Numbers) -> Numbers:
    import numpy as np

    made: Numbers = 1 / (1 + np.exp(-numbers))
    return made


def _shares(numbers: Numbers) -> Numbers:
    import numpy as np

    raised = np.exp(numbers - numbers.max(-1, keepdims=True))
    made: Numbers = raised / raised.sum(-1, keepdims=True)
    return made
