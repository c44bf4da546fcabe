"""Puts the trained networks into int8 ONNX files beside the embedder's, whose word table they share.

    python -m reader.export --run made/run --out ../src/relembra/minds/offline/model

The table is not stored again: the files point to where its bytes stand in the embedder's own file. The names of the
tags go into the tagger's metadata.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from onnx.external_data_helper import set_external_data
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from relembra.minds.reader.networks import MARKS

from . import network
from .train import MODEL, log, restored

EMBEDDER = "model-int8.onnx"
TABLE = "words.weight_quantized"
INPUTS = ("ids", "shapes", "speakers", "marks")


class Encoding(nn.Module):
    """An encoder of one text: nothing is padded, and one product makes queries, keys and values. Half the time."""

    def __init__(self, encoder: network.Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.layers = nn.ModuleList(map(OneLayer, encoder.layers))

    def forward(self, ids: Tensor, shapes: Tensor, speakers: Tensor, marks: Tensor | None = None) -> Tensor:
        own = self.encoder
        whole = own.words(ids) + own.positions.weight[: ids.shape[0]] + own.kind + own.shape(shapes)
        whole = whole + own.speaker(speakers) + (own.mark.weight[0] if marks is None else own.mark(marks))
        hidden = own.norm(whole)
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden


class OneLayer(nn.Module):
    def __init__(self, layer: network.Layer) -> None:
        super().__init__()
        self.layer = layer
        self.all = nn.Linear(network.WIDTH, 3 * network.WIDTH)
        scale = (network.WIDTH // network.HEADS) ** -0.5
        for name in ("weight", "bias"):
            query, key, value = (getattr(part, name) for part in (layer.query, layer.key, layer.value))
            setattr(self.all, name, nn.Parameter(torch.cat([query * scale, key, value])))

    def forward(self, hidden: Tensor) -> Tensor:
        own = self.layer
        parts = self.all(hidden).view(hidden.shape[0], 3 * network.HEADS, -1).transpose(0, 1)
        query, key, value = parts.split(network.HEADS)
        mixed = torch.softmax(query @ key.transpose(1, 2), -1) @ value
        hidden = own.attended_norm(hidden + own.attended(mixed.transpose(0, 1).reshape(hidden.shape)))
        return own.outer_norm(hidden + own.outer(F.gelu(own.inner(hidden))))


class Tagging(nn.Module):
    """The tagger of one text, with its outputs in a fixed order."""

    def __init__(self, model: network.Tagger) -> None:
        super().__init__()
        self.model, self.encoding = model, Encoding(model.encoder)

    def forward(self, ids: Tensor, shapes: Tensor, speakers: Tensor) -> tuple[Tensor, ...]:
        hidden = self.encoding(ids[0], shapes[0], speakers[0]).unsqueeze(0)
        said = self.model.said(hidden, torch.ones_like(ids))
        return tuple(said[name] for name in ("tags", "status", "marks", "about", "message", "mood"))


class Judging(nn.Module):
    """A judge of one text."""

    def __init__(self, model: network.Judge) -> None:
        super().__init__()
        self.model, self.encoding = model, Encoding(model.encoder)

    def forward(self, ids: Tensor, shapes: Tensor, speakers: Tensor, marks: Tensor) -> tuple[Tensor]:
        hidden = self.encoding(ids[0], shapes[0], speakers[0], marks[0]).unsqueeze(0)
        return (self.model.said(hidden, torch.ones_like(ids), marks),)


def exported(model: nn.Module, inputs: tuple[str, ...], outputs: dict[str, int], path: Path, **told: str) -> None:
    example = tuple(torch.ones(1, 9, dtype=torch.long) for _ in inputs)
    axes = {name: {1: "length"} for name in inputs}
    axes |= {name: dict.fromkeys(range(1, 1 + long), "length") for name, long in outputs.items()}
    with tempfile.TemporaryDirectory() as folder:
        full, small = Path(folder) / "full.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            model.cpu().eval(),
            example,
            str(full),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        heads = [
            node.name
            for node in onnx.load(str(full)).graph.node
            if "/layers." not in node.name and "/words/" not in node.name
        ]
        # seven-bit weights: processors without VNNI add pairs of products in 16 bits, which eight-bit ones overflow
        quantize_dynamic(
            str(full),
            str(small),
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            nodes_to_exclude=heads,
        )
        made = onnx.load(str(small))
    share_words(made, MODEL / EMBEDDER)
    for key, value in told.items():
        made.metadata_props.add(key=key, value=value)
    onnx.save(made, str(path))
    log(file=path.name, bytes=path.stat().st_size, apart=round(farthest(model, path), 3))


@torch.no_grad()
def farthest(model: nn.Module, path: Path) -> float:
    """How far what the file says is from what the network says, on average, where it is most; int8 costs some tenths."""
    torch.manual_seed(1)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    inputs = [torch.randint(1, most, (1, 40)) for most in (20_000, network.SHAPES, network.SPEAKERS, MARKS)]
    inputs = inputs[: len(session.get_inputs())]
    said = session.run(None, {one.name: x.numpy() for one, x in zip(session.get_inputs(), inputs, strict=True)})
    gap = max(float(abs(ours.numpy() - theirs).mean()) for ours, theirs in zip(model(*inputs), said, strict=True))
    if gap > 1:
        raise SystemExit(f"{path.name} says something else than the network it was made of (by {gap:.2f})")
    return gap


def share_words(made: onnx.ModelProto, embedder: Path) -> None:
    """Take the word table out of a model and point to the embedder's, with its scale."""
    theirs = {tensor.name: tensor for tensor in onnx.load(str(embedder)).graph.initializer}
    table = next(tensor for name, tensor in theirs.items() if name.endswith(TABLE))
    base = table.name.removesuffix("_quantized")
    for tensor in made.graph.initializer:
        for end in ("_scale", "_zero_point"):
            if tensor.name.endswith("words.weight" + end):
                name = tensor.name
                tensor.CopyFrom(theirs[base + end])
                tensor.name = name
        if tensor.name.endswith(TABLE):
            own = tensor.name
            tensor.CopyFrom(table)
            tensor.name = own
            at = embedder.read_bytes().find(table.raw_data)
            set_external_data(tensor, embedder.name, offset=at, length=len(table.raw_data))
            tensor.ClearField("raw_data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=MODEL)
    args = parser.parse_args()
    tags, certainty = ((args.run / f"{name}.txt").read_text() for name in ("tags", "certainty"))
    tagger = restored(args.run / "tagger.pt")
    outputs = {"tags": 1, "status": 1, "marks": 1, "about": 2, "message": 0, "mood": 0}
    exported(Tagging(tagger), INPUTS[:3], outputs, args.out / "tagger-int8.onnx", tags=tags)
    judge = restored(args.run / "judge.pt")
    exported(Judging(judge), INPUTS, {"right": 0}, args.out / "judge-int8.onnx", certainty=certainty)
    effects = restored(args.run / "effects.pt")
    exported(Judging(effects), INPUTS, {"does": 0}, args.out / "effects-int8.onnx")


if __name__ == "__main__":
    main()
