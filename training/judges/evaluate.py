"""Measure the judges on messages and pairs they have never seen.

    python -m training.judges.evaluate --sets FOLDER [--split dev|test] [--encoder FOLDER [--name NAME]] [--heads FILE]
        [--ablate]

FOLDER holds gate_pt.jsonl, gate_en.jsonl and nli_pairs.jsonl. Decisions are tuned on `dev`; `test` is looked at once.
`--ablate` also fits what remains when an ingredient is taken away, and a bag of words for InferBR.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from relembra.domain.policy import JudgePolicy
from relembra.minds.offline.judges.heads import NOTHING
from relembra.minds.offline.judges.judges import HEADS_PATH, Judges
from relembra.minds.offline.judges.rules import rule_of
from relembra.minds.offline.judges.values import Choice, Judgement, Label
from relembra.minds.port import Embedder
from training.judges.embedding import Renamed, Vectors, open_embedder
from training.judges.fit import (
    GATE_RECIPE,
    GROUP_WEIGHT,
    KIND_NAMES,
    PAIR_RECIPE,
    WRITTEN_WEIGHT,
    message_data,
    pair_data,
    split_messages,
    split_pairs,
    template_messages,
    text_data,
)
from training.judges.networks import Data, fitted, scores_of
from training.judges.pairs import inferbr_pairs

Flags = npt.NDArray[np.bool_]


def read(path: Path, split: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [row for row in rows if row["split"] == split]


def gate(wanted: Flags, kept: Flags) -> str:
    """Both ways to be wrong, as the goals put them."""
    junk = float((kept & ~wanted).sum() / max(1, (~wanted).sum()))
    dropped = float((~kept & wanted).sum() / max(1, wanted.sum()))
    return f"junk kept {junk:6.1%}   wanted dropped {dropped:6.1%}"


def calibration_error(chances: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Mean distance between how sure and how right, over equal bins of sureness (ECE)."""
    sure, hit = np.array(chances), np.array(right, dtype=float)
    places = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        (places == place).mean() * abs(sure[places == place].mean() - hit[places == place].mean())
        for place in range(bins)
        if (places == place).any()
    ]
    return float(sum(gaps))


def f1(truth: Sequence[str], said: Sequence[str], word: str) -> float:
    both = sum(one == two == word for one, two in zip(truth, said, strict=True))
    named = sum(one == word for one in truth) + sum(two == word for two in said)
    return 2 * both / named if named else 0.0


def macro(truth: Sequence[str], said: Sequence[str]) -> float:
    words = sorted(set(truth))
    return sum(f1(truth, said, word) for word in words) / len(words)


def report_messages(rows: Sequence[Mapping[str, Any]], found: Sequence[Judgement], policy: JudgePolicy) -> None:
    """All heads on one set."""
    wanted = np.array([row["worth"] for row in rows])
    chances = np.array([one.worth.probability for one in found])
    ruled = np.array([one.worth.why.startswith("rule") for one in found])
    kept = np.array([one.worth.value for one in found])
    print(f"  gate, rules and head   {gate(wanted, kept)}   rules spoke on {ruled.mean():.0%}")
    print(f"  gate, rules only, rest kept    {gate(wanted, np.where(ruled, kept, True))}")
    print(f"  gate, rules only, rest dropped {gate(wanted, np.where(ruled, kept, False))}")
    sides = [
        float(chance) if value else 1 - float(chance) for chance, value in zip(chances, chances >= 0.5, strict=True)
    ]
    print(f"  gate calibration error {calibration_error(sides, list((chances >= 0.5) == wanted)):.3f}")
    line = "  other thresholds:"
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        at = np.where(ruled, kept, chances >= threshold)
        line += f" {threshold}: {(at & ~wanted).sum() / (~wanted).sum():.3f}/{(~at & wanted).sum() / wanted.sum():.3f}"
    print(line, f"(in use {policy.worth_at_least})")
    acts = collections.defaultdict(list)
    for row, one in zip(rows, found, strict=True):
        acts[row["act"], row["worth"]].append(one.worth.value == row["worth"])
    print("  gate by act:", ", ".join(f"{act} {'worth' if worth else 'junk'} {np.mean(hits):.2f} ({len(hits)})"
                                      for (act, worth), hits in sorted(acts.items())))  # fmt: skip
    cases = collections.Counter(
        row["case"] for row, one in zip(rows, found, strict=True) if one.worth.value and not row["worth"]
    )
    print("  junk kept by case:", dict(cases.most_common()))
    worthy = [index for index, row in enumerate(rows) if row["worth"]]
    for name in ("kind", "area", "act", "mood", "emotion"):
        among = worthy if name in ("kind", "area") else list(range(len(rows)))
        truth = [KIND_NAMES.get(rows[index][name], rows[index][name]) or NOTHING for index in among]
        choices: list[Choice[Any]] = [getattr(found[index], name) for index in among]
        said = [_said(name, choice) for choice in choices]
        hits = [one == two for one, two in zip(truth, said, strict=True)]
        error = calibration_error([_sure(choice, word) for choice, word in zip(choices, said, strict=True)], hits)
        scope = " (of what is worth)" if among is worthy else ""
        print(f"  {name:8} right {np.mean(hits):.3f}   macro F1 {macro(truth, said):.3f}   ECE {error:.3f}{scope}")


def _said(name: str, choice: Choice[Any]) -> str:
    """The likeliest word, the verdict on worth put aside so that each head is measured alone."""
    if name not in ("kind", "area"):
        return str(choice.value)
    pool = [word for word in choice.all if not (name == "kind" and word is None)]
    return str(max(pool, key=lambda word: choice.all[word]) or NOTHING)


def _sure(choice: Choice[Any], said: str) -> float:
    return next(chance for word, chance in choice.all.items() if str(word or NOTHING) == said)


def report_pairs(title: str, truth: Sequence[str], said: Sequence[str], sure: Sequence[float]) -> None:
    hits = [one == two for one, two in zip(truth, said, strict=True)]
    print(
        f"  {title:34} right {np.mean(hits):.3f}   F1 contradicts {f1(truth, said, 'contradicts'):.3f}"
        f"   same {f1(truth, said, 'same'):.3f}   neither {f1(truth, said, 'neither'):.3f}"
        f"   ECE {calibration_error(sure, hits):.3f}   ({len(truth)})"
    )


async def measure(embedder: Embedder, heads: Path, sets: Path, split: str) -> None:
    policy = JudgePolicy()
    judges = Judges(embedder, heads, policy=policy)
    for language in ("pt", "en"):
        rows = read(sets / f"gate_{language}.jsonl", split)
        texts = [row["text"] for row in rows]
        vectors = await embedder.embed(texts)
        judges.judge_vectors(texts[:8], vectors[:8])
        started = time.perf_counter()
        found = judges.judge_vectors(texts, vectors)
        rate = len(texts) / (time.perf_counter() - started)
        print(f"messages, {language}, {split}: {len(rows)} ({rate:,.0f} a second beyond embedding)")
        report_messages(rows, found, policy)
    rows = read(sets / "nli_pairs.jsonl", split)
    print(f"pairs, {split}:")
    related = await judges.relate([(row["a"], row["b"]) for row in rows])
    for language in ("pt", "en"):
        at = [index for index, row in enumerate(rows) if row["lang"] == language]
        report_pairs(
            f"nli_pairs {language}",
            [rows[index]["label"] for index in at],
            [str(related[index].label) for index in at],
            [related[index].probability for index in at],
        )
    part = "val" if split == "dev" else "test"
    pairs = inferbr_pairs(part)
    related = await judges.relate([(pair.first, pair.second) for pair in pairs])
    names = tuple(Label)
    report_pairs(
        f"InferBR {part}",
        [str(names[pair.label]) for pair in pairs],
        [str(one.label) for one in related],
        [one.probability for one in related],
    )


def ablate(vectors: Vectors, sets: Path, split: str) -> None:
    """What each ingredient brings: one network each, without it, with and without the rules, at even odds."""
    learnt, _ = split_messages()
    both = ("vector", "lexical")
    as_written = [message for message in learnt if message.weight != WRITTEN_WEIGHT / 2]
    alone = [message for message in learnt if message.weight != 1.0]
    ungrouped = [message for message in learnt if message.weight != GROUP_WEIGHT]
    wide = replace(GATE_RECIPE, hidden=192, hidden_dropout=0.5, decay=0.5)
    for title, messages, recipe in (
        ("everything", learnt, GATE_RECIPE),
        ("templates alone", template_messages(), GATE_RECIPE),
        ("without careless copies", as_written, GATE_RECIPE),
        ("without templates", alone, GATE_RECIPE),
        ("without the encoder's groups", ungrouped, GATE_RECIPE),
        ("vector only", learnt, replace(GATE_RECIPE, use=both[:1])),
        ("lexical only", learnt, replace(GATE_RECIPE, use=both[1:])),
        ("half as wide, more dropped", learnt, wide),
    ):
        network = fitted(recipe, message_data(messages, vectors), seed=0)
        for language in ("pt", "en"):
            rows = read(sets / f"gate_{language}.jsonl", split)
            texts = [row["text"] for row in rows]
            kept = scores_of([network], text_data(texts, vectors))["worth"][:, 0] > 0
            wanted = np.array([row["worth"] for row in rows])
            rules = [rule_of(text) for text in texts]
            ruled = np.array([value if rule is None else rule.worth for value, rule in zip(kept, rules, strict=True)])
            print(f"  one network, {title:28} {language}: {gate(wanted, kept)}   with rules: {gate(wanted, ruled)}")
    pairs, _ = split_pairs()
    part = "val" if split == "dev" else "test"
    seen, unseen = pair_data(pairs, vectors), pair_data(inferbr_pairs(part), vectors)
    names = tuple(Label)
    truth = [str(names[int(label)]) for label in unseen.targets["relation"]]
    only = [index for index, pair in enumerate(pairs) if pair.source == "inferbr"]
    narrow = Data(
        dense=seen.dense[only],
        terms=[seen.terms[index] for index in only],
        vector_width=seen.vector_width,
        targets={"relation": seen.targets["relation"][only]},
    )
    for title, use, data in (
        ("all ingredients, all pairs", ("vector", "lexical"), seen),
        ("all ingredients, InferBR alone", ("vector", "lexical"), narrow),
        ("vectors only, InferBR alone", ("vector",), narrow),
        ("bag of words, InferBR alone", ("lexical",), narrow),
    ):
        network = fitted(replace(PAIR_RECIPE, use=use), data, seed=0)
        scores = scores_of([network], unseen)["relation"]
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        said = [str(names[index]) for index in scores.argmax(axis=1)]
        report_pairs(f"InferBR {part}, {title}", truth, said, [float(row.max()) for row in chances])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--encoder")
    parser.add_argument("--name", help="name the heads were fitted under, when it is not the folder's own")
    parser.add_argument("--heads", type=Path, default=HEADS_PATH)
    parser.add_argument("--ablate", action="store_true")
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    embedder = open_embedder(given.encoder)
    named = Renamed(embedder, given.name) if given.name else embedder
    asyncio.run(measure(named, given.heads, given.sets, given.split))
    if given.ablate:
        ablate(Vectors(open_embedder(given.encoder)), given.sets, given.split)


if __name__ == "__main__":
    main()
