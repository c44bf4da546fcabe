"""The one place where onnxruntime is loaded, and the sentence encoder of the package on it."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.errors import MindError
from relembra.minds.offline.wordpiece import shipped_wordpiece
from relembra.minds.port import Vector

if TYPE_CHECKING:
    import numpy as np

    Rows = np.ndarray[Any, np.dtype[Any]]

__all__ = ["Model", "runtime", "session_of"]

LONGEST_PIECES = 256

_loading = threading.Lock()


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


def session_of(path: Path) -> Any:
    """An onnxruntime session on a model file; `MindError` where the file is missing or no model."""
    onnxruntime = runtime()
    if not path.is_file():
        raise MindError(f"the model file {path} is missing; install it again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_mem_pattern = False  # a plan for each length of text costs more than it saves
    options.enable_cpu_mem_arena = False  # it keeps what the longest text took, some 6 MB a network, and is no faster
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _onnx_errors() as exc:
        raise MindError(f"the model file {path} is damaged or of an unknown kind: {exc}") from exc


class Model:
    """The encoder with its pieces: vectors of texts, and of their pieces."""

    def __init__(self, path: Path, session: Any = None) -> None:
        self._path = path
        self._session = session or session_of(path)

    def vector(self, text: str) -> Vector:
        """One unit vector for the whole text."""
        import numpy as np

        vector = self._run("embedding", text).astype("<f4")
        unit: Rows = vector / np.linalg.norm(vector)
        return unit.astype("<f4").tobytes()

    def tokens(self, text: str) -> Rows:
        """One unit row a piece, the two special ones included."""
        import numpy as np

        rows = self._run("token_vectors", text)
        made: Rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return made

    def _run(self, output: str, text: str) -> Rows:
        import numpy as np

        ids = shipped_wordpiece().encode(text, LONGEST_PIECES)
        feed = {"input_ids": np.array([ids], dtype=np.int64), "attention_mask": np.ones((1, len(ids)), dtype=np.int64)}
        try:
            (made,) = self._session.run([output], feed)
        except _onnx_errors() as exc:
            raise MindError(f"the model {self._path} could not read a text of {len(ids)} pieces: {exc}") from exc
        rows: Rows = made[0]
        if not np.isfinite(rows).all():
            raise MindError(f"the model {self._path} gave numbers that are not finite; the file may be damaged")
        return rows


def _onnx_errors() -> tuple[type[Exception], ...]:
    """Everything onnxruntime raises; its classes share no base of their own."""
    state = runtime().capi.onnxruntime_pybind11_state
    kinds = (getattr(state, name) for name in dir(state))
    return (
        RuntimeError,
        ValueError,
        *(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)),
    )
