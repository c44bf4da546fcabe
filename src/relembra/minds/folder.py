"""A sentence encoder from a folder on this machine, laid out as sentence-transformers and its ONNX exports do."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from relembra.errors import MindError, MissingExtraError
from relembra.minds.offline.wordpiece import WordPiece, read_vocabulary
from relembra.minds.onnx import Encode, OnnxRunner, Pooling
from relembra.minds.port import Vector

__all__ = ["FolderEmbedder"]

MODEL_FILES = ("model.onnx", "model-int8.onnx", "onnx/model.onnx")
TOKENIZER_FILE = "tokenizer.json"
VOCABULARY_FILE = "vocab.txt"
SETTING_FILES = ("1_Pooling/config.json", "sentence_bert_config.json", "tokenizer_config.json")
LONGEST_PIECES = 256


class FolderEmbedder:
    """Unit vectors from an ONNX file with `tokenizer.json` (needs the extra `tokenizers`) or a BERT `vocab.txt`.

    Of the folder's own settings, the pooling (mean or first token), `max_seq_length` (256 pieces if it says nothing)
    and `do_lower_case` are followed. Longer texts are cut. Where both are there, `tokenizer.json` is used. The folder
    is looked at when it is first used: a `MindError` says then what is wrong with it.
    """

    def __init__(self, path: str | Path, *, threads: int = 1) -> None:
        self._folder = Path(path)
        self._threads = threads

    @cached_property
    def _runner(self) -> OnnxRunner:
        if not (self._folder / TOKENIZER_FILE).is_file() and not (self._folder / VOCABULARY_FILE).is_file():
            raise MindError(f"{self._folder} holds neither {TOKENIZER_FILE} nor {VOCABULARY_FILE}")
        pooling = _pooling_of(self._folder)
        return OnnxRunner(_model_in(self._folder), self._load_encode, pooling=pooling, threads=self._threads)

    @cached_property
    def name(self) -> str:
        """The folder's name and a hash over the whole model, tokenizer and settings files, read once."""
        digest = hashlib.sha256()
        others = (self._folder / name for name in (TOKENIZER_FILE, VOCABULARY_FILE, *SETTING_FILES))
        for path in (_model_in(self._folder), *others):
            if path.is_file():
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        return f"{self._folder.resolve().name}@{digest.hexdigest()[:8]}"

    @property
    def dimensions(self) -> int:
        """How many numbers a vector holds; loads the model if nothing was embedded yet."""
        return self._runner.load().dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order; blank text has one too."""
        return await self._runner.embed(texts)

    async def close(self) -> None:
        """Let go of the worker thread and the model; safe to call twice."""
        if "_runner" in vars(self):
            await self._runner.close()

    def _load_encode(self) -> Encode:
        longest = _longest_of(self._folder)
        if (self._folder / TOKENIZER_FILE).is_file():
            return _tokenizer_json(self._folder / TOKENIZER_FILE, longest)
        uncased = _settings(self._folder / "tokenizer_config.json").get("do_lower_case", True) is not False
        pieces = WordPiece(read_vocabulary(self._folder / VOCABULARY_FILE), uncased=uncased)
        return lambda text: pieces.encode(text, longest)


def _model_in(folder: Path) -> Path:
    for name in MODEL_FILES:
        if (folder / name).is_file():
            return folder / name
    raise MindError(f"no model in {folder}: looked for {', '.join(MODEL_FILES)}")


def _tokenizer_json(path: Path, longest: int) -> Encode:
    try:
        from tokenizers import Tokenizer
    except ImportError as exc:
        raise MissingExtraError("a model folder with tokenizer.json", "tokenizers") from exc
    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as exc:  # the package raises no narrower one
        raise MindError(f"cannot read {path}: {exc}") from exc
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)

    def encode(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text.encode(errors="replace").decode()).ids
        return ids

    return encode


def _pooling_of(folder: Path) -> Pooling:
    settings = _settings(folder / "1_Pooling" / "config.json")
    chosen = [key for key, value in settings.items() if key.startswith("pooling_mode_") and value is True]
    if chosen == ["pooling_mode_cls_token"]:
        return "cls"
    if chosen in ([], ["pooling_mode_mean_tokens"]):
        return "mean"
    raise MindError(f"{folder} pools by {', '.join(chosen)}; only the mean or the first token are supported")


def _longest_of(folder: Path) -> int:
    longest = _settings(folder / "sentence_bert_config.json").get("max_seq_length")
    return longest if isinstance(longest, int) and longest > 2 else LONGEST_PIECES


def _settings(path: Path) -> dict[str, Any]:
    """A JSON object, or an empty one where there is no such file."""
    if not path.is_file():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as exc:
        raise MindError(f"cannot read {path}: {exc}") from exc
