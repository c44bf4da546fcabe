"""Puts trained weights into an ONNX file and its int8 twin, and checks that they agree.

    python export.py --weights results/A --name A --bundle made/bundle --out made/models/A

Inputs `input_ids`, `attention_mask` (int64, batch × length); outputs `embedding` (unit length) and `token_vectors`.
int8 is dynamic and per channel, with weights of seven bits.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
from pathlib import Path

import encoder
import numpy as np
import onnx
import onnx.numpy_helper
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import Tensor, nn

PROBES = (
    "Moro em Coimbra com dois gatos e um violoncelo.",
    "Where did I leave the spare key?",
    "a reunião de quinta foi adiada pra semana que vem, avisa a Marta",
    "She takes her tea with lemon, never milk.",
    "Ontem choveu tanto que o porão alagou e perdemos as caixas de fotografias antigas da família.",
)


class Exported(nn.Module):
    """The encoder with both outputs."""

    def __init__(self, model: encoder.Encoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        tokens = self.model(input_ids, attention_mask)
        return encoder.pooled(tokens, attention_mask), tokens


def padded(tokenizer: Tokenizer, texts: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [e.ids for e in tokenizer.encode_batch(list(texts))]
    ids = np.zeros((len(encoded), max(map(len, encoded))), dtype=np.int64)
    for row, line in enumerate(encoded):
        ids[row, : len(line)] = line
    return ids, (ids != 0).astype(np.int64)


PARTS = ("query", "key", "value", "attended", "inner", "outer")  # of a layer, in the order they are computed


def named(path: Path) -> None:
    """Calls each quantised matrix by its layer and part, and writes every tensor as raw bytes: a reader needs no graph."""
    model = onnx.load(str(path))
    multiplied = [node for node in model.graph.node if node.op_type == "MatMulInteger"]
    if len(multiplied) != encoder.LAYERS * len(PARTS):
        raise SystemExit(f"{len(multiplied)} matrices, not {encoder.LAYERS} layers of {len(PARTS)}")
    renamed = {}
    for number, node in enumerate(multiplied):
        layer, part = divmod(number, len(PARTS))
        old, new = node.input[1].removesuffix("_quantized"), f"model.layers.{layer}.{PARTS[part]}.weight"
        renamed |= {old + end: new + end for end in ("_quantized", "_scale", "_zero_point")}
    for node in model.graph.node:
        for at, name in enumerate(node.input):
            node.input[at] = renamed.get(name, name)
    for tensor in model.graph.initializer:
        tensor.CopyFrom(
            onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor), renamed.get(tensor.name, tensor.name))
        )
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder with <name>-w*.bin and <name>-w.json")
    parser.add_argument("--name", default="run")
    parser.add_argument("--bundle", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    state = encoder.load(args.weights, prefix=f"{args.name}-w")
    model = encoder.Encoder(len(state["words.weight"]))
    model.load_state_dict(state)
    wrapped = Exported(model).eval()
    shutil.copy(args.bundle / "tokenizer.json", args.out / "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(args.out / "tokenizer.json"))
    ids, mask = padded(tokenizer, PROBES)
    full, small = args.out / "model-fp32.onnx", args.out / "model-int8.onnx"
    axes = {name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask", "token_vectors")}
    torch.onnx.export(
        wrapped,
        (torch.from_numpy(ids), torch.from_numpy(mask)),
        str(full),
        input_names=["input_ids", "attention_mask"],
        output_names=["embedding", "token_vectors"],
        dynamic_axes={**axes, "embedding": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    # seven-bit weights: processors without VNNI add pairs of products in 16 bits, which eight-bit ones overflow
    quantize_dynamic(str(full), str(small), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    named(small)
    with torch.no_grad():
        reference = wrapped(torch.from_numpy(ids), torch.from_numpy(mask))[0].numpy()
    for path, least in ((full, 0.9999), (small, 0.97)):
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        vectors, tokens = session.run(["embedding", "token_vectors"], {"input_ids": ids, "attention_mask": mask})
        cosine = (vectors * reference).sum(1)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        print(
            f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, sha256 {digest}…, cosine to torch {cosine.min():.4f}–{cosine.max():.4f}, tokens {tokens.shape}"
        )
        if cosine.min() < least:
            raise SystemExit(f"{path.name} strays from the trained weights")


if __name__ == "__main__":
    main()
