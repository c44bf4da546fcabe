"""One ONNX sentence encoder in one worker thread, shared by the shipped model and models in a folder.

Texts go through the model one at a time. That is nearly as quick as the best batch on one core (9,300 against 10,500
word pieces a second; batches of 32 are slower than either), and it makes a text's vector its own: dynamic int8
quantises a whole batch with one scale, so in company the same text gets another vector (cosine .97 to .99).
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from relembra.errors import MindError
from relembra.minds.port import Vector

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Encode", "Model", "OnnxRunner", "Pooling", "runtime", "session_of"]

Answer = TypeVar("Answer")

Encode = Callable[[str], list[int]]
"""Text to piece numbers, special ones included, already cut to the model's length."""

Pooling = Literal["mean", "cls"]

CHARACTERS_A_TURN = 2_000
"""About 50 ms of work: how long one caller may hold the worker before the next is served."""
COUNTED_CHARACTERS = 1_200
"""Beyond these a text costs no more, since it is cut."""

_loading = threading.Lock()
_INTEGERS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_SENTENCE_OUTPUTS = ("sentence_embedding", "embedding")
_TOKEN_OUTPUTS = ("token_vectors", "last_hidden_state", "token_embeddings")


def runtime() -> Any:
    """onnxruntime, loaded once and without its telemetry; nothing else may import it.

    It collects as soon as it is imported, so the variable is set before. It also imports an inner part of numpy before
    numpy itself: while another thread imports numpy, both get half of it, and neither loads again in this process.
    `MindError` where it is not there, or does not load on this machine.
    """
    with _loading:
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        try:
            import numpy as np  # noqa: F401 - whole, before a part of it is asked for
            import onnxruntime

            onnxruntime.disable_telemetry_events()  # where another package imported it first
        except (ImportError, OSError, AttributeError) as exc:  # a half-installed one has a library or a name too few
            again = "pip install --force-reinstall onnxruntime"
            raise MindError(f"onnxruntime cannot be loaded ({exc}); install it again: {again}") from exc
        return onnxruntime


class OnnxRunner:
    """Loads the model on first use, once, and gives unit vectors; the event loop is never blocked."""

    def __init__(
        self, model_path: Path, load_encode: Callable[[], Encode], *, pooling: Pooling = "mean", threads: int = 1
    ) -> None:
        self._model_path = model_path
        self._load_encode = load_encode
        self._pooling = pooling
        self._threads = threads
        self._lock = threading.Lock()
        self._model: Model | None = None
        self._worker: ThreadPoolExecutor | None = None
        self._closed = False

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order; equal texts are computed once."""
        vectors: dict[str, Vector] = {}
        for turn in _turns(list(dict.fromkeys(texts))):
            vectors.update(zip(turn, await self.asked(partial(self._vectors, turn)), strict=True))
        return [vectors[text] for text in texts]

    async def asked(self, work: Callable[[], Answer]) -> Answer:
        """Do other work with the model in its thread: its turn comes between two turns of embedding."""
        if self._closed:
            raise MindError("this embedder was closed; open another")
        with self._lock:
            if self._worker is None:
                self._worker = ThreadPoolExecutor(1, thread_name_prefix="relembra-embedder")
            worker = self._worker
        return await asyncio.get_running_loop().run_in_executor(worker, work)

    def _vectors(self, texts: Sequence[str]) -> list[Vector]:
        model = self.load()
        return [model.vector(text) for text in texts]

    def load(self) -> Model:
        """Make sure the model is in memory; safe from any thread."""
        if self._model is None:
            with self._lock:
                if self._model is None:
                    self._model = self._loaded()
        return self._model

    def _loaded(self) -> Model:
        encode, session = self._load_encode(), session_of(self._model_path, self._threads)
        return Model(session, encode, pooling=self._pooling, path=self._model_path)

    async def close(self) -> None:
        """Wait for the text being encoded, then let the thread and the model go."""
        self._closed = True
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.to_thread(worker.shutdown)
        self._model = None


def session_of(path: Path, threads: int = 1) -> Any:
    """An onnxruntime session on a model file; `MindError` where the file is missing or no model."""
    onnxruntime = runtime()
    if not path.is_file():
        raise MindError(f"the model file {path} is missing; install it again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_pattern = False  # a plan for each length of text costs more than it saves
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _onnx_errors() as exc:
        raise MindError(f"the model file {path} is damaged or of an unknown kind: {exc}") from exc


class Model:
    """A session with its pieces and what its inputs and outputs mean: vectors of texts and of their pieces."""

    def __init__(self, session: Any, encode: Encode, *, pooling: Pooling, path: Path) -> None:
        self._session = session
        self._encode = encode
        self._pooling = pooling
        self._path = path
        self._inputs = {given.name: _INTEGERS.get(given.type, "int64") for given in session.get_inputs()}
        unknown = self._inputs.keys() - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown or "input_ids" not in self._inputs:
            raise MindError(f"the model {path} wants inputs no sentence encoder has: {', '.join(sorted(self._inputs))}")
        ranks = {output.name: len(output.shape) for output in session.get_outputs()}
        self._sentence = next((name for name in _SENTENCE_OUTPUTS if ranks.get(name) == 2), None)
        self._tokens = next((name for name in (*_TOKEN_OUTPUTS, *ranks) if ranks.get(name) == 3), None)
        if self._sentence is None and self._tokens is None:
            raise MindError(f"the model {path} gives neither sentence nor token vectors: {', '.join(ranks)}")
        self.dimensions = len(self.vector("")) // 4

    def vector(self, text: str) -> Vector:
        """One unit vector for the whole text."""
        import numpy as np

        output = self._run(self._sentence or self._tokens, text)
        if output.ndim > 1:  # a text alone has no padding: the mask is all ones, and the plain mean is the masked one
            output = output.mean(axis=0) if self._pooling == "mean" else output[0]
        vector = output.astype("<f4")
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length):
            raise MindError(f"the model {self._path} gave a vector with no finite length; the file may be damaged")
        if length < 1e-12:
            vector[0], length = 1.0, 1.0
        return (vector / np.float32(length)).astype("<f4").tobytes()

    def tokens(self, text: str) -> np.ndarray[Any, Any]:
        """One unit row a piece, the two special ones included; `MindError` when the model does not give them."""
        import numpy as np

        if self._tokens is None:
            raise MindError(f"the model {self._path} gives no vectors of single pieces")
        rows = self._run(self._tokens, text)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise MindError(f"the model {self._path} gave a vector with no finite length; the file may be damaged")
        made: np.ndarray[Any, Any] = rows / np.maximum(lengths, 1e-12)
        return made

    def _run(self, output: str | None, text: str) -> np.ndarray[Any, Any]:
        import numpy as np

        ids = self._encode(text)
        values = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": [0] * len(ids)}
        feed = {name: np.array([values[name]], dtype=kind) for name, kind in self._inputs.items()}
        try:
            (made,) = self._session.run([output], feed)
        except _onnx_errors() as exc:
            raise MindError(f"the model {self._path} could not read a text of {len(ids)} pieces: {exc}") from exc
        rows: np.ndarray[Any, Any] = made[0]
        return rows


def _turns(texts: list[str]) -> Iterator[list[str]]:
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


def _onnx_errors() -> tuple[type[Exception], ...]:
    """Everything onnxruntime raises; its classes share no base of their own."""
    state = runtime().capi.onnxruntime_pybind11_state
    kinds = (getattr(state, name) for name in dir(state))
    return (
        RuntimeError,
        ValueError,
        *(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)),
    )
