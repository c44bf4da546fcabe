"""How well questions find what answers them: own facts, the same typed in other ways, and three public sets."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.minds.asking import EVALSETS, Asked, Example, Matrix, Progress, Split, examples, measures, of
from bench.table import Row
from relembra.domain.searchable import bm25_term, inverse_document_frequency
from relembra.minds.offline.analysis import BilingualAnalyzer, mended

REORDERED = 30
QUICK_QUESTIONS = 120
DIRECTIONS = (("pt", "pt"), ("pt", "en"), ("en", "pt"), ("en", "en"))

FACT_GOALS = {
    "pt→pt +distractors R@1": 0.80,
    "pt→pt +distractors R@5": 0.96,
    "pt→en +distractors R@1": 0.85,
    "en→pt +distractors R@1": 0.85,
    "en→en +distractors R@1": 0.93,
}
RERANKED_GAIN = 0.04
MOST_LOSS = 0.05
ASSIN_GOAL, CLEAN_ASSIN_GOAL = 0.78, 0.76
FAQUAD_GOAL, FUSED_GOAL = 0.62, 0.875
TURNS_GOAL, RERANKED_TURNS_GAIN = 0.52, 0.05
WEIGHTS = (0.4, 0.7, 1.0)

Match = Callable[[str, Sequence[str]], Matrix]


def reordered(
    scores: Matrix,
    questions: Sequence[str],
    texts: Sequence[str],
    match: Match,
    *,
    first: int = REORDERED,
    share: float = 1.0,
) -> Matrix:
    """Scores whose best columns are ordered anew by cosine and match; the rest stays behind them."""
    made = scores.copy()
    progress = Progress("questions matched", len(questions))
    for row, question in enumerate(questions):
        best = np.argsort(-scores[row], kind="stable")[:first]
        late = match(question, [texts[place] for place in best])
        made[row] -= 10  # further than any cosine and match can lie apart
        made[row, best] = scores[row, best] + share * (late - late.mean())
        progress.at(row + 1)
    return made


# ---- own sets


def facts(asked: Asked, split: Split) -> Iterator[Row]:
    """Questions of the split against all facts, then against all facts and distractors; then both ordered anew."""
    told: list[Example] = measures.json_lines(EVALSETS / "facts.jsonl")
    chosen = [place for place, row in enumerate(told) if row["split"] == split]
    plain: dict[str, float] = measures.fact_figures(asked.vectors, told, split=split)
    for name, share in plain.items():
        yield Row(f"facts {name}", of(share * len(chosen), len(chosen)), "", share, FACT_GOALS.get(name), at_least=True)
    matched = _reranked_facts(asked, told, chosen)
    for name, share in plain.items():
        goal = RERANKED_GAIN if name.endswith("+distractors R@1") else None
        measured, baseline = (of(value * len(chosen), len(chosen)) for value in (matched[name], share))
        yield Row(f"facts {name}, gain by matching", measured, baseline, matched[name] - share, goal, at_least=True)


def _reranked_facts(asked: Asked, told: Sequence[Example], chosen: Sequence[int]) -> dict[str, float]:
    """The figures of `measures.fact_figures` once more, under the same names."""
    figures: dict[str, float] = {}
    for told_in in ("pt", "en"):  # the outer loop, so that the encoder still knows the texts it matched
        facts = [row[told_in] for row in told]
        distractors = [other[told_in] for row in told for other in row["distractors"]]
        for pool, name in ((facts, ""), (facts + distractors, " +distractors")):
            for asked_in in ("pt", "en"):
                questions = [told[place][f"question_{asked_in}"] for place in chosen]
                scores = asked.vectors(questions) @ asked.vectors(pool).T
                pair = measures.recalls(reordered(scores, questions, pool, asked.match), chosen)
                measures.put(figures, f"{asked_in}→{told_in}{name}", pair)
    return figures


def typed(asked: Asked, split: Split) -> Iterator[Row]:
    """The same Portuguese questions as people type them, slips mended as recall does; the loss is against the clean."""
    told = measures.json_lines(EVALSETS / "facts.jsonl")
    variants = [
        {**row, **{kind: mended(row[kind]) for kind in measures.VARIANTS}}
        for row in examples(EVALSETS / "variants.jsonl", split=split)
    ]
    shares: dict[str, float] = measures.variant_figures(asked.vectors, told, variants)
    found = {name: of(share * len(variants), len(variants)) for name, share in shares.items()}
    clean = "typed clean R@1"
    for name, share in shares.items():
        yield Row(name, found[name], "", share, None)
    for name, share in shares.items():
        if name != clean:
            yield Row(f"{name}, loss", found[name], found[clean], shares[clean] - share, MOST_LOSS)


# ---- public sets


def similarity(asked: Asked, data: Path, split: Split) -> Iterator[Row]:
    """ASSIN2: whether cosines order pairs of sentences as people did; the goals are for its test part.

    Nearly all pairs of its dev part share a sentence with the train parts, so a figure there says little.
    """
    folder = data / "pt" / "assin"
    seen = {
        sentence
        for name in ("assin2-train-only", "assin-ptbr-train")
        for first, second, _ in measures.assin_pairs(folder / f"{name}.xml.gz")
        for sentence in (first, second)
    }
    pairs = measures.assin_pairs(folder / f"assin2-{split}.xml.gz")
    figures: dict[str, float] = measures.similarity_figures(asked.vectors, pairs, seen)
    goals = (ASSIN_GOAL, CLEAN_ASSIN_GOAL) if split == "test" else (None, None)
    for (name, value), goal in zip(figures.items(), goals, strict=True):
        yield Row(f"{name}, {split}", f"of {len(pairs):,} pairs", "", value, goal, at_least=True)


def paragraphs(asked: Asked, data: Path) -> Iterator[Row]:
    """FaQuAD: question to paragraph by meaning, by words, and by both, of which the best weight has a goal."""
    pool, questions, gold = measures.faquad(data / "pt" / "faquad" / "dataset.json.gz")
    cosines: Matrix = measures.faquad_scores(asked.vectors, pool, questions)
    words = keyword_scores(pool, questions)

    shares = {"vectors alone": first_share(cosines, gold), "BM25 alone": first_share(words, gold)}
    both = {f"BM25 + {weight}·vectors": first_share(fused(words, cosines, weight), gold) for weight in WEIGHTS}
    goals = {"vectors alone": FAQUAD_GOAL, max(both, key=lambda name: both[name]): FUSED_GOAL}
    for name, share in (shares | both).items():
        measured = of(share * len(gold), len(gold))
        yield Row(f"FaQuAD {name} R@1", measured, "", share, goals.get(name), at_least=True)


def first_share(scores: Matrix, gold: Sequence[int]) -> float:
    """How often the right column is the first."""
    share, _ = measures.recalls(scores, gold)
    return float(share)


def keyword_scores(texts: Sequence[str], questions: Sequence[str]) -> Matrix:
    """BM25 with the product's terms and formula; one row a question."""
    analyzer = BilingualAnalyzer()
    counted = [Counter(analyzer.terms(text)) for text in texts]
    lengths = [counts.total() for counts in counted]
    average = sum(lengths) / len(lengths)
    holders: dict[str, list[int]] = {}
    for place, counts in enumerate(counted):
        for term in counts:
            holders.setdefault(term, []).append(place)
    scores = np.zeros((len(questions), len(texts)), dtype=np.float32)
    for row, question in enumerate(questions):
        for term in dict.fromkeys(analyzer.terms(question)):
            held = holders.get(term, [])
            idf = inverse_document_frequency(len(texts), len(held))
            for place in held:
                scores[row, place] += bm25_term(idf, counted[place][term], lengths[place], average)
    return scores


def fused(words: Matrix, cosines: Matrix, weight: float) -> Matrix:
    """z(BM25) + weight · z(cosine), each within its question."""
    return np.stack(
        [
            measures.standardised(one) + weight * measures.standardised(other)
            for one, other in zip(words, cosines, strict=True)
        ]
    )


def turns(asked: Asked, data: Path, *, quick: bool) -> Iterator[Row]:
    """LongMemEval: the share of a question's evidence among its first turns; goals are for the pool of all turns."""
    held = pooled_turns(data / "longmemeval" / "longmemeval_oracle.json.gz", QUICK_QUESTIONS if quick else None)
    name = f"LongMemEval turns, first {QUICK_QUESTIONS} questions" if quick else "LongMemEval turns"
    promised = "" if quick else f"{name} R@10"
    scores = asked.vectors(held.questions) @ asked.vectors(held.texts).T
    plain: dict[str, float] = measures.turn_figures(scores, held.evidence, name=name)
    for figure, share in plain.items():
        goal = TURNS_GOAL if figure == promised else None
        yield Row(figure, f"{len(held.texts):,} turns", "", share, goal, at_least=True)
    again = reordered(scores, held.questions, held.texts, asked.match)
    for figure, share in measures.turn_figures(again, held.evidence, name=name).items():
        goal = RERANKED_TURNS_GAIN if figure == promised else None
        gain = share - plain[figure]
        yield Row(f"{figure}, gain by matching", f"{share:.3f}", f"{plain[figure]:.3f}", gain, goal, at_least=True)


def pooled_turns(path: Path, first: int | None) -> Any:
    """All turns and questions, or the first questions that have an answer with the turns of their sessions alone."""
    if first is None:
        return measures.long_mem_eval(path)
    items = [item for item in json.loads(measures.packed_text(path)) if not item["question_id"].endswith("_abs")]
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.json"
        part.write_text(json.dumps(items[:first]), encoding="utf-8")
        return measures.long_mem_eval(part)
