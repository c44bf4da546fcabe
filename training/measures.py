"""The figures an encoder is judged by, from texts in a folder and a function that embeds them.

Used on the GPU during training and on the CPU by `evaluate.py`. None of these texts is ever trained on.
"""

from __future__ import annotations

import gzip
import json
import lzma
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Embed = Callable[[Sequence[str]], np.ndarray]  # unit rows
Match = Callable[[str, Sequence[str]], np.ndarray]  # late-interaction scores of a question against texts
Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Turns:
    """LongMemEval's pooled chat turns and, per question, which of them hold the evidence."""

    texts: list[str]
    questions: list[str]
    evidence: list[list[int]]


def packed_text(path: Path) -> str:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes()).decode("utf8")
    if path.suffix == ".xz":
        return lzma.decompress(path.read_bytes()).decode("utf8")
    return path.read_text(encoding="utf8")


def json_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in packed_text(path).splitlines() if line.strip()]


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])


def ranks(values: Sequence[float]) -> np.ndarray:
    """Ranks with ties shared."""
    _, inverse, counts = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]


def places(scores: np.ndarray, gold: Sequence[int]) -> np.ndarray:
    """The place of each row's right column; 1 is first."""
    right = scores[np.arange(len(scores)), np.asarray(gold)]
    return (scores > right[:, None]).sum(1) + 1


def recalls(scores: np.ndarray, gold: Sequence[int]) -> tuple[float, float]:
    place = places(scores, gold)
    return float((place <= 1).mean()), float((place <= 5).mean())


def put(figures: Figures, name: str, pair: tuple[float, float]) -> None:
    figures[f"{name} R@1"], figures[f"{name} R@5"] = pair


def standardised(scores: np.ndarray) -> np.ndarray:
    """Each row's scores with mean 0 and deviation 1."""
    return (scores - scores.mean(-1, keepdims=True)) / (scores.std(-1, keepdims=True) + 1e-9)


def reranked(
    scores: np.ndarray,
    questions: Sequence[str],
    texts: Sequence[str],
    match: Match,
    *,
    first: int = 30,
    weight: float = 1.0,
) -> np.ndarray:
    """Scores whose best `first` columns are ordered again by vectors and late interaction together."""
    made = scores.copy()
    for row, question in enumerate(questions):
        best = np.argsort(-scores[row], kind="stable")[:first]
        late = match(question, [texts[i] for i in best])
        made[row, best] = 10 + standardised(scores[row, best]) + weight * standardised(late)
    return made


# ---- personal facts


def fact_figures(
    embed: Embed, rows: Sequence[dict], *, split: str | None = None, match: Match | None = None
) -> Figures:
    """Question → fact in four directions; the pool holds every fact, then also every distractor."""
    chosen = [i for i, row in enumerate(rows) if split is None or row["split"] == split]
    vectors: dict[str, np.ndarray] = {}
    pools: dict[str, np.ndarray] = {}
    for language in ("pt", "en"):
        vectors[language] = embed([rows[i][f"question_{language}"] for i in chosen])
        extra = [d[language] for row in rows for d in row["distractors"]]
        pools[language] = embed([row[language] for row in rows] + extra)
    figures: Figures = {}
    for asked in ("pt", "en"):
        for told in ("pt", "en"):
            scores = vectors[asked] @ pools[told].T
            put(figures, f"{asked}→{told}", recalls(scores[:, : len(rows)], chosen))
            put(figures, f"{asked}→{told} +distractors", recalls(scores, chosen))
            if match is not None:
                questions = [rows[i][f"question_{asked}"] for i in chosen]
                again = reranked(scores[:, : len(rows)], questions, [row[told] for row in rows], match)
                put(figures, f"{asked}→{told} reranked", recalls(again, chosen))
    return figures


VARIANTS = ("clean", "no_accents", "typos", "slang", "european")


def variant_figures(
    embed: Embed, rows: Sequence[dict], variants: Sequence[dict], *, split: str | None = None
) -> Figures:
    """The same question typed in other ways: pt→pt R@1, and what each way costs."""
    place = {row["question_pt"]: i for i, row in enumerate(rows)}
    by_id = {row["id"]: i for i, row in enumerate(rows)}
    pairs = [
        (variant, place.get(variant["clean"], by_id.get(variant["id"])))
        for variant in variants
        if split is None or variant["split"] == split
    ]
    kept = [(variant, gold) for variant, gold in pairs if gold is not None]
    if not kept:
        return paired_variants(embed, [variant for variant, _ in pairs])
    pool = embed([row["pt"] for row in rows])
    figures = {}
    for kind in VARIANTS:
        scores = embed([variant[kind] for variant, _ in kept]) @ pool.T
        figures[f"typed {kind} R@1"] = recalls(scores, [gold for _, gold in kept])[0]
    return figures


def paired_variants(embed: Embed, variants: Sequence[dict]) -> Figures:
    """Where variants are free sentences: how often a variant finds its own clean sentence first."""
    pool = embed([v["clean"] for v in variants])
    own = list(range(len(variants)))
    return {
        f"typed {kind} finds clean R@1": recalls(embed([v[kind] for v in variants]) @ pool.T, own)[0]
        for kind in VARIANTS[1:]
    }


def example_figures(embed: Embed, rows: Sequence[Sequence[str]]) -> Figures:
    """Held-out fact types of our own templates (`dev.tsv`), one example for each fact and person."""
    kept: dict[tuple[str, str], Sequence[str]] = {}
    for row in rows:
        if row[1]:
            kept.setdefault((row[0], row[1]), row)
    chosen = list(kept.values())[:400]
    figures: Figures = {}
    own = list(range(len(chosen)))
    for name, question, statement in (("pt→pt", 3, 5), ("pt→en", 3, 4), ("en→pt", 2, 5), ("en→en", 2, 4)):
        pool = [row[statement] for row in chosen] + [row[statement + 4] for row in chosen]
        scores = embed([row[question] for row in chosen]) @ embed(pool).T
        figures[f"held-out types {name} R@1"] = recalls(scores, own)[0]
    return figures


# ---- public sets


def assin_pairs(path: Path) -> list[tuple[str, str, float]]:
    root = ElementTree.fromstring(packed_text(path))
    return [(p.findtext("t") or "", p.findtext("h") or "", float(p.get("similarity") or 0)) for p in root.iter("pair")]


def similarity_figures(embed: Embed, pairs: Sequence[tuple[str, str, float]], seen: set[str]) -> Figures:
    """Spearman on ASSIN2 test, whole and on pairs of which no sentence is in any training split."""
    cosine = (embed([a for a, _, _ in pairs]) * embed([b for _, b, _ in pairs])).sum(1)
    gold = [s for _, _, s in pairs]
    clean = [i for i, (a, b, _) in enumerate(pairs) if a not in seen and b not in seen]
    return {
        "ASSIN2 Spearman": spearman(cosine, gold),
        f"ASSIN2 Spearman, {len(clean)} clean pairs": spearman(cosine[clean], [gold[i] for i in clean]),
    }


def faquad(path: Path) -> tuple[list[str], list[str], list[int]]:
    """Distinct paragraphs, questions, and each question's paragraph."""
    paragraphs: dict[str, int] = {}
    questions: list[str] = []
    gold: list[int] = []
    for article in json.loads(packed_text(path))["data"]:
        for paragraph in article["paragraphs"]:
            at = paragraphs.setdefault(paragraph["context"], len(paragraphs))
            for item in paragraph["qas"]:
                questions.append(item["question"])
                gold.append(at)
    return list(paragraphs), questions, gold


def faquad_scores(embed: Embed, paragraphs: Sequence[str], questions: Sequence[str]) -> np.ndarray:
    return embed(questions) @ embed(paragraphs).T


def long_mem_eval(path: Path, *, characters: int | None = None) -> Turns:
    """All distinct turns as one pool; questions without labelled evidence (`_abs`) are left out."""
    place: dict[tuple[str, int], int] = {}
    texts: list[str] = []
    questions, evidence = [], []
    for item in json.loads(packed_text(path)):
        held = []
        for name, session in zip(item["haystack_session_ids"], item["haystack_sessions"], strict=True):
            for number, turn in enumerate(session):
                key = (name, number)
                if key not in place:
                    place[key] = len(texts)
                    texts.append(turn["content"][:characters])
                if turn.get("has_answer"):
                    held.append(place[key])
        if held and not item["question_id"].endswith("_abs"):
            questions.append(item["question"])
            evidence.append(sorted(set(held)))
    return Turns(texts, questions, evidence)


def turn_figures(scores: np.ndarray, evidence: Iterable[Sequence[int]], *, name: str = "LongMemEval turns") -> Figures:
    """Share of a question's evidence turns among the first five and ten."""
    found: dict[int, list[float]] = {5: [], 10: []}
    for row, held in zip(scores, evidence, strict=True):
        best = np.argsort(-row, kind="stable")[:10]
        for k, values in found.items():
            values.append(len(set(best[:k].tolist()) & set(held)) / len(held))
    return {f"{name} R@{k}": float(np.mean(values)) for k, values in found.items()}


def windows(text: str, *, words: int = 60, overlap: int = 15) -> list[str]:
    """A long text in overlapping stretches of words."""
    parts = text.split()
    if len(parts) <= words:
        return [text]
    return [" ".join(parts[i : i + words]) for i in range(0, len(parts) - overlap, words - overlap)]
