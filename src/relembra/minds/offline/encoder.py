"""The shipped sentence encoder: Portuguese and English in one space, without a network or a key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.errors import MindError
from relembra.minds.offline.wordpiece import shipped_wordpiece
from relembra.minds.onnx import Encode, OnnxRunner
from relembra.minds.port import Vector

if TYPE_CHECKING:
    import numpy as np

    Rows = np.ndarray[Any, np.dtype[Any]]

__all__ = ["MODEL_NAME", "MODEL_PATH", "OfflineEmbedder", "SelfTest"]

MODEL_PATH = Path(__file__).parent / "model" / "model-int8.onnx"
MODEL_NAME = "pt-en-minilm@6ef56f4f"
"""The model and the first hexadecimal digits of its file's sha256; a test compares the two."""

DIMENSIONS = 384
LONGEST_PIECES = 256
MATCHED_BYTES = 16_000_000
"""Piece vectors kept for the next question: those of some 600 sentences, or 40 of the longest texts."""

_TEST_TEXTS = (
    "Minha filha nasceu em março e se chama Clara.",
    "My daughter is called Clara and was born in March.",
    "The invoice for the new printer has not been paid yet.",
)
_LEAST_GAP = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    """Cosines of a sentence with its translation and with one that has nothing to do with it."""

    translation: float
    unrelated: float


class OfflineEmbedder:
    """Reads the first 256 word pieces of a text (some 180 words); what stands after them is not in the vector.

    A text's vector does not depend on the texts beside it. The model is loaded on first use (about 0.3 s, 100 MB) and
    runs in one thread of its own; `threads` lets one text use more cores, which helps long texts only.
    """

    name = MODEL_NAME
    dimensions = DIMENSIONS

    def __init__(self, *, threads: int = 1, model_path: Path = MODEL_PATH) -> None:
        self._runner = OnnxRunner(model_path, _load_encode, threads=threads)
        self._rows: OrderedDict[bytes, Rows] = OrderedDict()  # by digest; touched by the model's thread alone
        self._held = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order; blank text has one too."""
        return await self._runner.embed(texts)

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        """Late interaction: each piece of the question takes the nearest piece of the text; the mean of their cosines.

        The method of ColBERT (Khattab and Zaharia, 2020), on the encoder's own outputs, which were trained for it.
        """
        return await self._runner.asked(lambda: self._matched(question, texts))

    async def close(self) -> None:
        """Let go of the worker thread and the model; safe to call twice."""
        await self._runner.close()
        self._rows.clear()
        self._held = 0

    async def self_test(self) -> SelfTest:
        """Try the model on three sentences; `MindError` when a translation is not clearly nearer than a stranger."""
        import numpy as np

        one, same, other = (np.frombuffer(vector, "<f4") for vector in await self.embed(_TEST_TEXTS))
        result = SelfTest(translation=float(one @ same), unrelated=float(one @ other))
        if result.translation - result.unrelated < _LEAST_GAP:
            raise MindError(
                f"the shipped model does not tell sentences apart (translation {result.translation:.2f}, "
                f"unrelated {result.unrelated:.2f}); install relembra again"
            )
        return result

    def _matched(self, question: str, texts: Sequence[str]) -> list[float]:
        asked = _inner(self._runner.load().tokens(question))
        means = (float((asked @ self._told(text).T).max(1).mean()) for text in texts)
        return [min(1.0, max(-1.0, mean)) for mean in means]

    def _told(self, text: str) -> Rows:
        key = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        rows = self._rows.pop(key, None)
        if rows is None:
            rows = _inner(self._runner.load().tokens(text))
            self._held += rows.nbytes
        self._rows[key] = rows
        while self._held > MATCHED_BYTES and len(self._rows) > 1:
            self._held -= self._rows.popitem(last=False)[1].nbytes
        return rows


def _inner(rows: Rows) -> Rows:
    """Without the marks of beginning and end, which meet each other in every text, unless there is nothing else."""
    return rows[1:-1] if len(rows) > 2 else rows


def _load_encode() -> Encode:
    pieces = shipped_wordpiece()
    return lambda text: pieces.encode(text, LONGEST_PIECES)
