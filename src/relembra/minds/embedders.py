"""Texts to vectors: by the shipped encoder, or a server that speaks OpenAI's `/embeddings`."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from relembra.domain.text import is_blank
from relembra.errors import MindError
from relembra.minds.onnx import Model
from relembra.minds.port import Vector
from relembra.minds.server import ModelServer

if TYPE_CHECKING:
    import numpy as np

    Rows = np.ndarray[Any, np.dtype[Any]]

__all__ = ["MODEL_NAME", "MODEL_PATH", "OfflineEmbedder", "OpenAICompatibleEmbedder", "SelfTest"]

Answer = TypeVar("Answer")

LARGEST_BATCH = 64


class _Item(msgspec.Struct):
    embedding: list[float]
    index: int | None = None


class _Reply(msgspec.Struct):
    data: list[_Item]


class OpenAICompatibleEmbedder(ModelServer):
    """Asks in batches of at most 64, tries again a few times, and checks what comes back.

    `dimensions` is sent as a wish and demanded of the reply; without it the server's own size is learnt from the first
    reply. Texts beyond `longest_characters` are cut, since servers refuse them. Neither texts nor the key are ever part
    of a message.
    """

    role = "embedder"
    path = "/embeddings"
    advice: ClassVar[Mapping[int, str]] = {413: "the texts are too long for this model"}
    otherwise = "check the model's name, the dimensions asked for and the length of the texts"

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str | None = None,
        dimensions: int | None = None,
        timeout_seconds: float = 30.0,
        attempts: int = 3,
        longest_characters: int = 20_000,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(url, model, api_key=api_key, timeout_seconds=timeout_seconds, attempts=attempts, sleep=sleep)
        self._wanted = self._dimensions = dimensions
        self._longest_characters = longest_characters

    @property
    def name(self) -> str:
        """Model and host, and the size where one was asked for; the same before and after the first call."""
        return super().name + (f"/{self._wanted}" if self._wanted else "")

    @property
    def dimensions(self) -> int:
        """The size asked for or learnt; `MindError` while neither is known."""
        if self._dimensions is None:
            raise MindError(f"the size of {self.name}'s vectors is not known before the first call; embed one text")
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order; `MindUnavailableError` when the server stays out of reach."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), LARGEST_BATCH):
            batch = [self._sendable(text) for text in texts[start : start + LARGEST_BATCH]]
            body: dict[str, object] = {"model": self._model, "input": batch, "encoding_format": "float"}
            if self._wanted:
                body["dimensions"] = self._wanted
            vectors += self._vectors(await self._ask(json=body), len(batch))
        return vectors

    def _sendable(self, text: str) -> str:
        """Servers refuse empty texts and lone surrogates."""
        return " " if is_blank(text) else text[: self._longest_characters].encode(errors="replace").decode()

    def _vectors(self, content: bytes, count: int) -> list[Vector]:
        try:
            items = msgspec.json.decode(content, type=_Reply).data
        except (msgspec.DecodeError, RecursionError) as exc:
            raise MindError(f"the embedder {self.name} gave a reply that is not a list of embeddings") from exc
        places = [place if item.index is None else item.index for place, item in enumerate(items)]
        if sorted(places) != list(range(count)):
            raise MindError(f"the embedder {self.name} gave {len(items)} embeddings, or wrongly numbered, for {count}")
        vectors: list[Vector] = [b""] * count
        for place, item in zip(places, items, strict=True):
            vectors[place] = self._unit(item.embedding)
        return vectors

    def _unit(self, numbers: list[float]) -> Vector:
        import numpy as np

        if self._dimensions is None and numbers:
            self._dimensions = len(numbers)
        if len(numbers) != self._dimensions:
            raise MindError(f"the embedder {self.name} gave {len(numbers)} numbers where {self._dimensions} were due")
        vector = np.array(numbers, dtype=np.float64)
        length = float(np.linalg.norm(vector))
        if not math.isfinite(length) or length == 0.0:
            raise MindError(f"the embedder {self.name} gave a vector without a finite, positive length")
        return (vector / length).astype("<f4").tobytes()


MODEL_PATH = Path(__file__).parent / "offline" / "model" / "model-int8.onnx"
MODEL_NAME = "pt-en-minilm@6ef56f4f"
"""The model and the first hexadecimal digits of its file's sha256; a test compares the two."""

DIMENSIONS = 384
CHARACTERS_A_TURN = 2_000
COUNTED_CHARACTERS = 1_200
"""Beyond these a text costs no more, since it is cut."""
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

    The model is loaded on first use (about 0.3 s, 100 MB) and runs in one thread of its own. Texts go through it one at
    a time. That is nearly as quick as the best batch on one core (9,300 against 10,500 word pieces a second), and it
    makes a text's vector its own: dynamic int8 quantises a whole batch with one scale, so in company the same text gets
    another vector (cosine .97 to .99).
    """

    name = MODEL_NAME
    dimensions = DIMENSIONS

    def __init__(self, *, model_path: Path = MODEL_PATH) -> None:
        self._model_path = model_path
        self._model: Model | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="relembra-embedder")  # its thread comes with first use
        self._closed = False
        self._rows: OrderedDict[bytes, Rows] = OrderedDict()  # by digest; touched by the model's thread alone
        self._held = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order; blank text has one too, and equal texts are computed once."""
        vectors: dict[str, Vector] = {}
        for turn in _turns(list(dict.fromkeys(texts))):
            vectors.update(zip(turn, await self._asked(partial(_vectors, turn)), strict=True))
        return [vectors[text] for text in texts]

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        """Late interaction: each piece of the question takes the nearest piece of the text; the mean of their cosines.

        The method of ColBERT (Khattab and Zaharia, 2020), on the encoder's own outputs, which were trained for it.
        """
        return await self._asked(lambda model: self._matched(model, question, texts))

    async def close(self) -> None:
        """Wait for the text being encoded, then let go of the thread and the model; safe to call twice."""
        self._closed = True
        await asyncio.to_thread(self._worker.shutdown)
        self._model = None
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

    async def _asked(self, work: Callable[[Model], Answer]) -> Answer:
        """Do something with the model in its thread, when it is free; the event loop is never blocked."""
        if self._closed:
            raise MindError("this embedder was closed; open another")
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: work(self._loaded()))

    def _loaded(self) -> Model:
        self._model = self._model or Model(self._model_path)
        return self._model

    def _matched(self, model: Model, question: str, texts: Sequence[str]) -> list[float]:
        asked = _inner(model.tokens(question))
        means = (float((asked @ self._told(model, text).T).max(1).mean()) for text in texts)
        return [min(1.0, max(-1.0, mean)) for mean in means]

    def _told(self, model: Model, text: str) -> Rows:
        key = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        rows = self._rows.pop(key, None)
        if rows is None:
            rows = _inner(model.tokens(text))
            self._held += rows.nbytes
        self._rows[key] = rows
        while self._held > MATCHED_BYTES and len(self._rows) > 1:
            self._held -= self._rows.popitem(last=False)[1].nbytes
        return rows


def _vectors(texts: Sequence[str], model: Model) -> list[Vector]:
    return [model.vector(text) for text in texts]


def _inner(rows: Rows) -> Rows:
    """Without the marks of beginning and end, which meet each other in every text, unless there is nothing else."""
    return rows[1:-1] if len(rows) > 2 else rows


def _turns(texts: list[str]) -> Iterator[list[str]]:
    """The texts in stretches of about 50 ms of work, so that whoever else asks is served in between."""
    turn: list[str] = []
    characters = 0
    for text in texts:
        turn.append(text)
        characters += min(len(text), COUNTED_CHARACTERS)
        if characters >= CHARACTERS_A_TURN:
            yield turn
            turn, characters = [], 0
    if turn:
        yield turn
