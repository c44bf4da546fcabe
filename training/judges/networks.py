"""The networks in torch, and how they are fitted and calibrated. At run time `heads.py` computes the same in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from relembra.minds.offline.judges.heads import ALONE, TERM_SCALE

__all__ = ["Data", "Network", "Recipe", "exported", "fitted", "scores_of", "temperature_of"]

Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a network is built and fitted."""

    outputs: Mapping[str, int]
    loss_weights: Mapping[str, float]
    mean_terms: bool
    buckets: int
    term_width: int
    hidden: int
    epochs: int
    rate: float = 2e-3
    decay: float = 0.02
    dense_dropout: float = 0.15
    term_dropout: float = 0.15
    hidden_dropout: float = 0.3
    dropped_terms: float = 0.25
    smoothing: float = 0.02
    balance: Sequence[str] = ()  # heads whose rare classes count for more
    use: Sequence[str] = ("vector", "lexical")


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Inputs and wanted outputs. Targets are class numbers, or one column an output for heads that stand alone.

    Open ones are -1, or NaN. The first `vector_width` numbers of `dense` come from the encoder.
    """

    dense: Numbers
    terms: Sequence[Sequence[int]]
    vector_width: int
    targets: Mapping[str, Numbers] = field(default_factory=dict)
    weights: Numbers | None = None

    def first(self, count: int) -> Data:
        """The same of the first `count` rows."""
        return Data(
            dense=self.dense[:count],
            terms=self.terms[:count],
            vector_width=self.vector_width,
            targets={name: values[:count] for name, values in self.targets.items()},
            weights=None if self.weights is None else self.weights[:count],
        )


class Network(nn.Module):
    """Dense numbers and a bag of hashed terms, one hidden layer, all heads."""

    def __init__(self, recipe: Recipe, dense: int, vector_width: int) -> None:
        super().__init__()
        self.recipe = recipe
        self.vector_width = vector_width
        self.terms = nn.EmbeddingBag(recipe.buckets, recipe.term_width, mode="mean" if recipe.mean_terms else "sum")
        nn.init.normal_(self.terms.weight, std=0.05 if recipe.mean_terms else 0.005)
        self.hidden = nn.Linear(dense + recipe.term_width, recipe.hidden)
        self.heads = nn.ModuleDict({name: nn.Linear(recipe.hidden, size) for name, size in recipe.outputs.items()})

    def forward(self, dense: Tensor, terms: Tensor, offsets: Tensor) -> dict[str, Tensor]:
        recipe = self.recipe
        bags = self.terms(terms, offsets) * TERM_SCALE
        vector, flags = dense[:, : self.vector_width], dense[:, self.vector_width :]
        if "vector" not in recipe.use:
            vector = vector * 0
        if "lexical" not in recipe.use:
            bags, flags = bags * 0, flags * 0
        if self.training:
            keep = torch.rand(
                len(dense), 2
            )  # now and then one ingredient is missing, so that neither is leant on alone
            vector = nn.functional.dropout(vector, recipe.dense_dropout) * (keep[:, :1] > 0.05)
            bags = nn.functional.dropout(bags, recipe.term_dropout) * (keep[:, 1:] > 0.15)
        hidden = torch.relu(self.hidden(torch.cat([vector, flags, bags], dim=1)))
        hidden = nn.functional.dropout(hidden, recipe.hidden_dropout, training=self.training)
        return {name: head(hidden) for name, head in self.heads.items()}


def fitted(recipe: Recipe, data: Data, *, seed: int) -> Network:
    """AdamW with a rate that rises and falls; the same seed gives the same network."""
    generator = np.random.default_rng(seed)
    torch.manual_seed(seed)
    network = Network(recipe, data.dense.shape[1], data.vector_width)
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay, fused=True)
    size = 128
    steps = recipe.epochs * -(-len(data.terms) // size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=steps, pct_start=0.1)
    network.train()
    classes = {name: _class_weights(data.targets[name], recipe.outputs[name]) for name in recipe.balance}
    for _ in range(recipe.epochs):
        order = generator.permutation(len(data.terms))
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            optimizer.zero_grad()
            outputs = network(*_inputs(data, rows, generator, recipe.dropped_terms))
            weights = torch.from_numpy(data.weights[rows]) if data.weights is not None else None
            loss = torch.zeros(())
            for name, output in outputs.items():
                loss = loss + recipe.loss_weights[name] * _loss(
                    name,
                    output,
                    torch.from_numpy(data.targets[name][rows]),
                    recipe.smoothing,
                    weights,
                    classes.get(name),
                )
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    network.eval()
    return network


def scores_of(networks: Sequence[Network], data: Data) -> dict[str, Numbers]:
    """The networks' mean scores, before any calibration."""
    rows = np.arange(len(data.terms))
    total: dict[str, Numbers] = {}
    with torch.no_grad():
        for network in networks:
            for name, output in network(*_inputs(data, rows)).items():
                total[name] = total.get(name, np.float32(0)) + output.numpy() / np.float32(len(networks))
    return total


def temperature_of(name: str, scores: Numbers, targets: Numbers) -> float:
    """The number that scores are divided by so that held-out probabilities mean what they say."""
    best, chosen = float("inf"), 1.0
    wanted = torch.from_numpy(targets)
    for temperature in np.exp(np.linspace(np.log(0.4), np.log(5.0), 80)):
        scaled = torch.from_numpy(scores / np.float32(temperature))
        loss = float(_loss(name, scaled, wanted, 0.0, None))
        if loss < best:
            best, chosen = loss, float(temperature)
    return chosen


def exported(network: Network, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
    """The arrays `heads.py` reads: big matrices in bytes with a scale a column, the rest in half floats."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for name, matrix in (("terms", network.terms.weight), ("hidden", network.hidden.weight.T)):
        values = matrix.detach().numpy()
        scale = np.maximum(np.abs(values).max(axis=0, keepdims=True), 1e-8) / 127
        arrays[f"{prefix}.{name}"] = np.rint(values / scale).astype(np.int8)
        arrays[f"{prefix}.{name}_scale"] = scale.astype(np.float32)
    arrays[f"{prefix}.hidden_bias"] = network.hidden.bias.detach().numpy().astype(np.float32)
    for name, head in network.heads.items():
        assert isinstance(head, nn.Linear)
        arrays[f"{prefix}.{name}.weights"] = head.weight.T.detach().numpy().astype(np.float16)
        arrays[f"{prefix}.{name}.bias"] = head.bias.detach().numpy().astype(np.float32)
    return arrays


def _inputs(
    data: Data, rows: npt.NDArray[np.int64], generator: np.random.Generator | None = None, dropped: float = 0.0
) -> tuple[Tensor, Tensor, Tensor]:
    chosen = [data.terms[row] for row in rows]
    sizes = np.array([len(terms) for terms in chosen])
    flat = np.fromiter((term for terms in chosen for term in terms), dtype=np.int64, count=int(sizes.sum()))
    if generator is not None and dropped:
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        kept = generator.random(len(flat)) > dropped
        kept[starts + (generator.random(len(sizes)) * sizes).astype(np.int64)] = True  # none is left without a term
        flat, sizes = flat[kept], np.add.reduceat(kept.astype(np.int64), starts)
    offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return torch.from_numpy(data.dense[rows]), torch.from_numpy(flat), torch.from_numpy(offsets)


def _class_weights(targets: Numbers, size: int) -> Tensor:
    """A class a hundred times rarer counts some three times as much."""
    counts = np.bincount(targets[targets >= 0].astype(int), minlength=size) + 1.0
    weights = (counts.max() / counts) ** 0.25
    return torch.from_numpy((weights / weights.mean()).astype(np.float32))


def _loss(
    name: str,
    output: Tensor,
    wanted: Tensor,
    smoothing: float,
    weights: Tensor | None,
    classes_weigh: Tensor | None = None,
) -> Tensor:
    if name in ALONE:
        known = ~wanted.isnan()
        smooth = wanted * (1 - smoothing) + smoothing / 2
        shared = None if weights is None else weights[:, None].expand_as(wanted)[known]
        return nn.functional.binary_cross_entropy_with_logits(output[known], smooth[known], weight=shared)
    classes = wanted.long()
    known = classes >= 0
    if not bool(known.any()):
        return output.sum() * 0
    losses = nn.functional.cross_entropy(output[known], classes[known], reduction="none", label_smoothing=smoothing)
    if classes_weigh is not None:
        weights = (
            classes_weigh[classes.clamp(min=0)] if weights is None else weights * classes_weigh[classes.clamp(min=0)]
        )
    if weights is None:
        return losses.mean()
    return (losses * weights[known]).sum() / weights[known].sum()
