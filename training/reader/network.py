"""The reader's network: the sentence encoder's layers with heads that tag words, and a second one that judges.

Owns the forward passes; knows nothing of files of labels or of training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from relembra.minds.reader.networks import KNOWN, MARKS, VALUE

WIDTH, HEADS, INNER = 384, 12, 1536
EPSILON = 1e-12
SHAPES, SPEAKERS = 6, 4


class Layer(nn.Module):
    """Attention and feed-forward, normalised after each, as BERT does."""

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.inner, self.outer = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        batch, length, _ = hidden.shape
        query, key, value = (
            m(hidden).view(batch, length, HEADS, -1).transpose(1, 2) for m in (self.query, self.key, self.value)
        )
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        mixed = mixed.transpose(1, 2).reshape(batch, length, WIDTH)
        hidden = self.attended_norm(hidden + self.dropout(self.attended(mixed)))
        return self.outer_norm(hidden + self.dropout(self.outer(F.gelu(self.inner(hidden)))))


class Encoder(nn.Module):
    """Pieces to vectors. The word table is the embedder's and stays as it is; everything else may learn."""

    def __init__(self, vocabulary: int, layers: int = 6) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH, padding_idx=0)
        self.words.weight.requires_grad_(False)
        self.positions = nn.Embedding(512, WIDTH)
        self.kind = nn.Parameter(torch.zeros(WIDTH))
        self.shape, self.speaker, self.mark = (nn.Embedding(n, WIDTH) for n in (SHAPES, SPEAKERS, MARKS))
        for table in (self.shape, self.speaker, self.mark):
            nn.init.zeros_(table.weight)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, shape: Tensor, speaker: Tensor, mark: Tensor) -> Tensor:
        whole = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.kind
        hidden = self.dropout(self.norm(whole + self.shape(shape) + self.speaker(speaker) + self.mark(mark)))
        bias = torch.where((ids != 0)[:, None, None, :], 0.0, -1e4)
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden


class Tagger(nn.Module):
    """For each piece: attributes, status, changed, time words, person words, and whom a value is about; and of the whole."""

    def __init__(self, vocabulary: int, tags: int, layers: int = 6) -> None:
        super().__init__()
        self.encoder = Encoder(vocabulary, layers)
        self.mix = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1))
        self.tags = nn.Linear(WIDTH, tags)
        self.status = nn.Linear(WIDTH, 4)
        self.marks = nn.Linear(WIDTH, 4)  # begins a value, changed, time, person
        self.asking, self.asked = nn.Linear(WIDTH, 128), nn.Linear(WIDTH, 128)
        self.message = nn.Linear(2 * WIDTH, 2)  # holds something worth keeping, ends or changes something known
        self.mood = nn.Linear(2 * WIDTH, 3)  # negative, neutral, positive

    def forward(self, ids: Tensor, shape: Tensor, speaker: Tensor) -> dict[str, Tensor]:
        return self.said(self.encoder(ids, shape, speaker, torch.zeros_like(ids)), ids != 0)

    def said(self, hidden: Tensor, there: Tensor) -> dict[str, Tensor]:
        """What the heads say of encoded pieces; `there`: which of them are no padding."""
        mixed = self.mix(hidden)
        about = self.asking(mixed) @ self.asked(mixed).transpose(1, 2) / 128**0.5
        there = there.unsqueeze(-1).to(hidden.dtype)
        whole = torch.cat([hidden[:, 0], (hidden * there).sum(1) / there.sum(1)], -1)
        return {
            "tags": self.tags(mixed),
            "status": self.status(mixed),
            "marks": self.marks(mixed),
            "about": about,
            "message": self.message(whole),
            "mood": self.mood(whole),
        }


class Judge(nn.Module):
    """Judges a marked text: how likely a value is right (one answer), or what a message does to something known."""

    def __init__(self, vocabulary: int, layers: int, answers: int) -> None:
        super().__init__()
        self.encoder = Encoder(vocabulary, layers)
        self.answer = nn.Sequential(
            nn.Dropout(0.2), nn.Linear(3 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.2), nn.Linear(WIDTH, answers)
        )

    def forward(self, ids: Tensor, shape: Tensor, speaker: Tensor, mark: Tensor) -> Tensor:
        return self.said(self.encoder(ids, shape, speaker, mark), ids != 0, mark)

    def said(self, hidden: Tensor, there: Tensor, mark: Tensor) -> Tensor:
        """The same of encoded pieces; `there`: which of them are no padding."""
        there = there.unsqueeze(-1).to(hidden.dtype)
        marked = ((mark == VALUE) | (mark == KNOWN)).unsqueeze(-1).to(hidden.dtype)
        means = [(hidden * m).sum(1) / m.sum(1).clamp(min=1) for m in (there, marked)]
        return self.answer(torch.cat([hidden[:, 0], *means], -1))


class Masked(nn.Module):
    """An encoder that guesses masked pieces, to learn words before tags."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.transform = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.LayerNorm(WIDTH, eps=EPSILON))
        self.bias = nn.Parameter(torch.zeros(encoder.words.num_embeddings))

    def forward(self, ids: Tensor, shape: Tensor, where: Tensor) -> Tensor:
        zero = torch.zeros_like(ids)
        hidden = self.encoder(ids, shape, zero, zero)
        chosen = self.transform(hidden[where])
        return chosen @ self.encoder.words.weight.t() + self.bias


def embedder_weights(path: Path) -> dict[str, Tensor]:
    """The shipped sentence encoder's weights, from int8 back to numbers."""
    import onnx
    from onnx import numpy_helper

    arrays = {i.name: numpy_helper.to_array(i) for i in onnx.load(str(path)).graph.initializer}
    out = {}
    for name, array in arrays.items():
        if not name.startswith("model."):
            continue
        short = name.removeprefix("model.")
        if short.endswith("_quantized"):
            base = name.removesuffix("_quantized")
            scale, zero = arrays[base + "_scale"], arrays[base + "_zero_point"]
            matrix = (array.astype(np.float32) - zero.astype(np.float32)) * scale.astype(np.float32)
            short = short.removesuffix("_quantized")
            out[short] = matrix if short.startswith("words") else matrix.T
        elif not short.endswith(("_scale", "_zero_point")):
            out[short] = array.astype(np.float32)
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in out.items()}


def start_from(encoder: Encoder, weights: Mapping[str, Tensor]) -> None:
    """Take another encoder's weights: of more layers some at even distances, of fewer each several times."""
    own = encoder.state_dict()
    depth = 1 + max(int(n.split(".")[1]) for n in weights if n.startswith("layers."))
    for name in own:
        source = name
        if name.startswith("layers."):
            _, number, rest = name.split(".", 2)
            source = f"layers.{layer_for(int(number), len(encoder.layers), depth)}.{rest}"
        if source in weights:
            own[name] = weights[source]
        elif not name.startswith(("words.", "shape.", "speaker.", "mark.")):
            raise ValueError(f"no start for {name}: there is no {source}")
    encoder.load_state_dict(own)


def layer_for(number: int, layers: int, depth: int) -> int:
    """Which of `depth` layers one of fewer or more `layers` begins with; the first and the last are always taken."""
    return number * depth // layers if layers >= depth else round(number * (depth - 1) / max(1, layers - 1))


def stacked(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of one length, zeros behind the shorter ones."""
    out = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for n, row in enumerate(rows):
        out[n, : len(row)] = row
    return torch.from_numpy(out)
