"""Makes the table of letter runs `relembra.minds.offline.language` judges unknown words by, and measures the whole.

    PYTHONPATH=src python -m training.language --pairs tatoeba.tsv [--out FILE] [--measure dev]

Reads files of English TAB Portuguese and our own text in `generate/authored`; the same input gives the same file. Every
word counts as one example: its share of Portuguese among all its occurrences, weighted by how often it occurs. Names are
examples of neither, for people write them in both. Half the time the word itself is hidden, so that its parts have to say
it. `--measure` reads `evalsets/gate_*.jsonl`, from which nothing is learnt.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from relembra.domain.text import fold
from relembra.minds import languages
from relembra.minds.offline.language import STOP_WORDS, TABLE, TABLE_SIZE, UNIT, language_of, runs

HERE = Path(__file__).parent
EPOCHS, BATCH, RATE, DECAY = 12, 512, 0.01, 1e-4
HIDDEN = 0.5
"""How often a word's own run is left out of an example."""

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
BUCKETS = ((0, "no word"), (1, "1 word"), (4, "2–4"), (9, "5–9"), (10**9, "10 or more"))


def lines(language: str, pairs: list[Path]) -> Iterator[str]:
    for path in pairs:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield line.split("\t")[1 if language == "pt" else 0]
    for path in sorted((HERE / "generate/authored").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            portuguese, mark, english = line[1:].partition(" # ")
            if mark:
                yield portuguese if language == "pt" else english


def counted(pairs: list[Path]) -> tuple[dict[str, Counter[str]], Counter[str], Counter[str]]:
    """Folded words by language; and of those inside a line, how many there were and how many with a capital."""
    words: dict[str, Counter[str]] = {"pt": Counter(), "en": Counter()}
    inside, capital = Counter[str](), Counter[str]()
    for language, found in words.items():
        for line in lines(language, pairs):
            for place, written in enumerate(WORD.findall(line)):
                word = fold(written).replace("’", "'").replace("'", "")
                found[word] += 1
                inside[word] += place > 0
                capital[word] += place > 0 and written[0].isupper()
    return words, inside, capital


def examples(pairs: list[Path]) -> list[tuple[str, float, float]]:
    """Words with the share that is Portuguese and their weight."""
    words, inside, capital = counted(pairs)
    scale = words["pt"].total() / words["en"].total()
    made = []
    for word in sorted(words["pt"] | words["en"]):
        portuguese, english = words["pt"][word], words["en"][word] * scale
        if word in STOP_WORDS or not word:
            continue
        share = (portuguese + 0.1) / (portuguese + english + 0.2)
        shared = words["pt"][word] > 0 or words["en"][word] < 3  # English days, months and peoples are no names
        if shared and inside[word] and capital[word] >= 0.8 * inside[word]:
            share = 0.5
        made.append((word, share, float(np.log2(1 + portuguese + english))))
    return made


def fitted(told: list[tuple[str, float, float]]) -> np.ndarray:
    """One weight a place of the table, by logistic regression (Adam)."""
    rng = np.random.default_rng(7)
    features = [np.array(runs(word)) for word, _, _ in told]
    share = np.array([one for _, one, _ in told])
    weight = np.array([one for _, _, one in told])
    table, mean, square = np.zeros(TABLE_SIZE), np.zeros(TABLE_SIZE), np.zeros(TABLE_SIZE)
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(told))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            hidden = rng.random(len(chosen)) < HIDDEN
            parts = [features[at][1:] if hide else features[at] for at, hide in zip(chosen, hidden, strict=True)]
            places = np.concatenate(parts)
            owner = np.repeat(np.arange(len(chosen)), [len(part) for part in parts])
            logits = np.bincount(owner, table[places], len(chosen))
            error = (1 / (1 + np.exp(-logits)) - share[chosen]) * weight[chosen] / weight[chosen].mean()
            gradient = np.bincount(places, error[owner], TABLE_SIZE) / len(chosen) + DECAY * table
            step += 1
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            table -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return table


def measure(split: str) -> None:
    """By length: right, wrong and not told, for each language."""
    for language in ("pt", "en"):
        found: dict[str, Counter[str]] = {name: Counter() for _, name in BUCKETS} | {"all": Counter()}
        for line in (HERE / f"evalsets/gate_{language}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["split"] != split:
                continue
            said = language_of(row["text"])
            answer = "none" if said is None else "right" if said == language else "wrong"
            count = len(WORD.findall(row["text"]))
            for name in (next(name for most, name in BUCKETS if count <= most), "all"):
                found[name][answer] += 1
        for name, answers in found.items():
            counts = "   ".join(f"{answer} {answers[answer]:3}" for answer in ("right", "wrong", "none"))
            print(f"{language} {split} {name:10} {answers.total():4}   {counts}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the table of letter runs and measure with it.")
    parser.add_argument(
        "--pairs", type=Path, nargs="*", default=[], help="files of English TAB Portuguese; none: only measure"
    )
    parser.add_argument("--out", type=Path, default=languages.HERE / "pt" / TABLE, help="where the table goes")
    parser.add_argument("--measure", choices=("dev", "test"), help="read the evaluation messages of this half")
    given = parser.parse_args()
    if given.pairs:
        told = examples(given.pairs)
        table = np.clip(np.rint(fitted(told) / UNIT), -127, 127).astype(np.int8)
        given.out.write_bytes(table.tobytes())
        print(f"{len(told)} words, {np.count_nonzero(table)} of {TABLE_SIZE} places used")
    if given.measure:
        measure(given.measure)


if __name__ == "__main__":
    main()
