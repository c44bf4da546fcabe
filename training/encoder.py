"""The encoder: BERT's layers without its extras, named as in the published weights.

Owns the forward pass and reading and writing weights; knows nothing of data or losses.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

WIDTH, HEADS, LAYERS, INNER, POSITIONS = 384, 12, 6, 1536, 512
EPSILON = 1e-12
PIECE = 15 * 2**20  # largest file of split weights


class Layer(nn.Module):
    """Attention and feed-forward, normalised after each, as BERT does."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, eps=EPSILON)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        batch, length, _ = hidden.shape
        query, key, value = (
            m(hidden).view(batch, length, HEADS, -1).transpose(1, 2) for m in (self.query, self.key, self.value)
        )
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        mixed = mixed.transpose(1, 2).reshape(batch, length, WIDTH)
        hidden = self.attended_norm(hidden + self.attended(mixed))
        return self.outer_norm(hidden + self.outer(F.gelu(self.inner(hidden))))


class Encoder(nn.Module):
    """Token ids (0 pads) to token vectors; `pooled` makes sentence vectors of them."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH, padding_idx=0)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.kind = nn.Parameter(torch.zeros(WIDTH))  # BERT's token type 0
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        hidden = self.norm(self.words(ids) + self.positions.weight[: ids.shape[1]] + self.kind)
        bias = torch.where(mask[:, None, None, :].bool(), 0.0, -1e4)
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden


def pooled(tokens: Tensor, mask: Tensor) -> Tensor:
    """Mean of the token vectors, unit length, in float32."""
    weight = mask.unsqueeze(-1).float()
    return F.normalize((tokens.float() * weight).sum(1) / weight.sum(1), dim=1)


BERT_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "outer_norm": "output.LayerNorm",
}


def from_bert(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Published BERT weights under our names."""
    ours = {
        "words.weight": state["embeddings.word_embeddings.weight"],
        "positions.weight": state["embeddings.position_embeddings.weight"],
        "kind": state["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": state["embeddings.LayerNorm.weight"],
        "norm.bias": state["embeddings.LayerNorm.bias"],
    }
    for number in range(LAYERS):
        for mine, theirs in BERT_NAMES.items():
            for part in ("weight", "bias"):
                ours[f"layers.{number}.{mine}.{part}"] = state[f"encoder.layer.{number}.{theirs}.{part}"]
    return ours


def widened(state: Mapping[str, Tensor], starts: list[list[int]]) -> dict[str, Tensor]:
    """Weights with new word rows, each the mean of the old rows given for it."""
    words = state["words.weight"]
    fresh = torch.stack([words[rows].mean(0) for rows in starts])
    return {**state, "words.weight": torch.cat([words, fresh])}


def save(state: Mapping[str, Tensor], folder: Path, *, prefix: str = "w") -> None:
    """Half-precision weights in pieces of at most `PIECE` bytes, with a manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    blob, manifest = bytearray(), []
    for name in sorted(state):
        data = state[name].detach().half().cpu().contiguous().numpy()
        manifest.append((name, list(data.shape), len(blob)))
        blob += data.tobytes()
    for start in range(0, len(blob), PIECE):
        (folder / f"{prefix}{start // PIECE:02d}.bin").write_bytes(blob[start : start + PIECE])
    (folder / f"{prefix}.json").write_text(json.dumps(manifest))


def load(folder: Path, *, prefix: str = "w") -> dict[str, Tensor]:
    """Weights written by `save`."""
    blob = b"".join(p.read_bytes() for p in sorted(folder.glob(f"{prefix}[0-9][0-9].bin")))
    return unpacked(np.frombuffer(blob, dtype=np.float16), json.loads((folder / f"{prefix}.json").read_text()))


def unpacked(values: np.ndarray, manifest: list[tuple[str, list[int], int]]) -> dict[str, Tensor]:
    state = {}
    for name, shape, offset in manifest:
        count = int(np.prod(shape))
        state[name] = torch.from_numpy(values[offset // 2 : offset // 2 + count].astype(np.float32)).reshape(shape)
    return state


DROPPED = 4  # of the ten bits after the point of a half-precision number, rounded away when packed


def compress(state: Mapping[str, Tensor], folder: Path) -> None:
    """Half-precision weights rounded to six bits after the point; the telling high bytes xz-packed, the rest as half bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: state[name].detach().half().contiguous().numpy() for name in sorted(state)}
    manifest, at = [], 0
    for name, array in arrays.items():
        manifest.append((name, list(array.shape), at))
        at += array.nbytes
    words = np.concatenate([a.ravel() for a in arrays.values()]).view(np.uint16)
    rounded = ((words.astype(np.uint32) + (1 << (DROPPED - 1))) >> DROPPED).astype(np.uint16)
    nibbles = (rounded & 15).astype(np.uint8)
    nibbles = np.append(nibbles, np.zeros(len(nibbles) % 2, dtype=np.uint8))
    (folder / "high.xz").write_bytes(lzma.compress((rounded >> 4).astype(np.uint8).tobytes(), preset=6))
    (folder / "low.bin").write_bytes((nibbles[::2] << 4 | nibbles[1::2]).tobytes())
    (folder / "weights.json").write_text(json.dumps(manifest))


def decompress(folder: Path) -> dict[str, Tensor]:
    """Weights written by `compress`."""
    high = np.frombuffer(lzma.decompress((folder / "high.xz").read_bytes()), dtype=np.uint8).astype(np.uint16)
    low = np.frombuffer((folder / "low.bin").read_bytes(), dtype=np.uint8)
    nibbles = np.stack([low >> 4, low & 15], 1).ravel()[: len(high)]
    values = ((high << 4 | nibbles) << DROPPED).astype(np.uint16).view(np.float16)
    return unpacked(values, json.loads((folder / "weights.json").read_text()))
