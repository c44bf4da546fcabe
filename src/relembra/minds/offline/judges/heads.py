"""The fitted heads, in numpy: one file, a few small matrices, the same answer every time.

`training/judges/fit.py` writes the file. It names the encoder it was fitted on, and only that encoder's vectors may be
given to it: another encoder's numbers mean other things.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from relembra.errors import MindError
from relembra.minds.offline.judges import features, pairing
from relembra.minds.offline.judges.values import AREAS, KINDS, Act, Emotion, Label, Mood

__all__ = ["HEADS", "Heads", "Matrix", "load_heads", "pair_matrix", "softmax"]

Matrix = npt.NDArray[np.float32]

NOTHING = "none"
"""How no kind and no area are written in the file."""
HEADS: dict[str, tuple[str, ...]] = {
    "worth": ("worth",),
    "kind": tuple(kind or NOTHING for kind in KINDS),
    "area": tuple(area or NOTHING for area in AREAS),
    "act": tuple(Act),
    "mood": tuple(Mood),
    "emotion": tuple(Emotion),
}
"""Every head of a message with the words of its outputs, in order."""
ALONE = ("worth", "act")
"""Heads whose outputs stand alone, each a probability of its own; the others share one among them."""
RELATIONS = tuple(Label)

# Entries of a unit vector are small; brought near the size of the other features, as in training.
VECTOR_SCALE = 8.0
PRODUCT_SCALE = 64.0
TERM_SCALE = 4.0


@dataclass(frozen=True, slots=True)
class _Member:
    """One fitted network of a committee."""

    terms: Matrix
    hidden: Matrix
    hidden_bias: Matrix
    outputs: dict[str, tuple[Matrix, Matrix]]


class Heads:
    """Raw numbers in, calibrated probabilities out."""

    def __init__(self, arrays: dict[str, npt.NDArray[Any]], meta: dict[str, Any], path: Path) -> None:
        self.encoder: str = meta["encoder"]
        self.dimensions: int = meta["dimensions"]
        self.path = path
        self._temperatures: dict[str, float] = meta["temperatures"]
        self._committees = {
            name: [_member(arrays, f"{name}{number}", heads) for number in range(members)]
            for name, (members, heads) in meta["committees"].items()
        }

    def judge(self, vectors: Matrix, texts: Sequence[str]) -> dict[str, Matrix]:
        """For each head a row of probabilities a text."""
        words = [features.words_of(text) for text in texts]
        terms = [features.hashed_terms(listed) for listed in words]
        flags = np.array(
            [features.flags_of(text, listed) for text, listed in zip(texts, words, strict=True)], dtype=np.float32
        )
        dense = np.hstack([vectors * np.float32(VECTOR_SCALE), flags])
        found: dict[str, Matrix] = {}
        for committee in ("gate", "trait"):  # the second knows more of kinds, and so speaks last
            for name, scores in _committee(self._committees[committee], dense, terms, mean=True).items():
                found[name] = self._probabilities(f"{committee}.{name}", scores)
        return found

    def relate(self, dense: Matrix, terms: Sequence[Sequence[int]]) -> Matrix:
        """A row of probabilities a pair, in the order of `Label`."""
        scores = _committee(self._committees["pair"], dense, terms, mean=False)["relation"]
        return self._probabilities("pair.relation", scores)

    def _probabilities(self, name: str, scores: Matrix) -> Matrix:
        scaled = scores / np.float32(self._temperatures[name])
        return _sigmoid(scaled) if name.partition(".")[2] in ALONE else softmax(scaled)


def load_heads(path: Path, encoder: str) -> Heads:
    """Read a file of heads; `MindError` when it is missing, damaged, of another version or of another encoder."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        meta = json.loads(str(arrays.pop("meta")))
    except FileNotFoundError as exc:
        raise MindError(
            f"the judges' file {path} is missing; install relembra again or run training/judges/fit.py"
        ) from exc
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as exc:
        raise MindError(f"the judges' file {path} is damaged: {exc}") from exc
    words = {name: list(listed) for name, listed in HEADS.items()}
    if meta["words"] != words:
        raise MindError(
            f"the judges in {path} answer in other words than this program; run training/judges/fit.py again"
        )
    versions = {"features": features.VERSION, "pairing": pairing.VERSION}
    if meta["versions"] != versions:
        raise MindError(
            f"the judges in {path} were fitted on features {meta['versions']}, but this program has {versions}; "
            "run training/judges/fit.py again"
        )
    if meta["encoder"] != encoder:
        raise MindError(
            f"the judges in {path} were fitted on the encoder {meta['encoder']}, but {encoder} is in use; "
            "run training/judges/fit.py with that encoder"
        )
    return Heads(arrays, meta, path)


def pair_matrix(sides: Sequence[Matrix], signs: Matrix) -> Matrix:
    """All numbers of some pairs: both vectors, how they differ and agree, the same for what each has alone, signs."""
    first, second, first_rest, second_rest = sides

    def cosines(one: Matrix, two: Matrix) -> Matrix:
        total: Matrix = (one * two).sum(axis=1, keepdims=True, dtype=np.float32)
        return total

    parts = [
        first * VECTOR_SCALE,
        second * VECTOR_SCALE,
        np.abs(first - second) * VECTOR_SCALE,
        first * second * PRODUCT_SCALE,
        first_rest * VECTOR_SCALE,
        second_rest * VECTOR_SCALE,
        np.abs(first_rest - second_rest) * VECTOR_SCALE,
        first_rest * second_rest * PRODUCT_SCALE,
        cosines(first, second),
        cosines(first_rest, second_rest),
        cosines(first_rest, second),
        cosines(second_rest, first),
        cosines(first_rest, first),
        cosines(second_rest, second),
        signs,
    ]
    return np.hstack(parts).astype(np.float32)


def softmax(scores: Matrix) -> Matrix:
    """Rows that sum to one."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    total: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return total


def _sigmoid(scores: Matrix) -> Matrix:
    result: Matrix = np.float32(1) / (np.float32(1) + np.exp(-np.clip(scores, -30, 30)))
    return result.astype(np.float32)


def _committee(
    members: Sequence[_Member], dense: Matrix, terms: Sequence[Sequence[int]], *, mean: bool
) -> dict[str, Matrix]:
    """The members' scores, averaged."""
    total: dict[str, Matrix] = {}
    for member in members:
        bags = np.stack(
            [
                member.terms[listed].mean(axis=0) if mean else member.terms[listed].sum(axis=0)
                for listed in map(list, terms)
            ]
        )
        inputs = np.hstack([dense, bags * np.float32(TERM_SCALE)])
        hidden = np.maximum(inputs @ member.hidden + member.hidden_bias, 0)
        for name, (weights, bias) in member.outputs.items():
            scores = (hidden @ weights + bias) / np.float32(len(members))
            total[name] = total[name] + scores if name in total else scores
    return total


def _member(arrays: dict[str, npt.NDArray[Any]], prefix: str, heads: Sequence[str]) -> _Member:
    def of(name: str) -> Matrix:
        return arrays[f"{prefix}.{name}"].astype(np.float32)

    return _Member(
        terms=of("terms") * of("terms_scale"),
        hidden=of("hidden") * of("hidden_scale"),
        hidden_bias=of("hidden_bias"),
        outputs={name: (of(f"{name}.weights"), of(f"{name}.bias")) for name in heads},
    )
