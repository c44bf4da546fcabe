"""How often the judges are right: what is kept, what a message is, and how two statements stand to each other."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.minds.asking import EVALSETS, Asked, Example, Split, examples, measures, of
from bench.table import Row
from relembra.minds.offline.judges.judges import Judges
from relembra.minds.offline.judges.values import Choice, Judgement, Label, Relation

MOST_JUNK_KEPT, MOST_WANTED_DROPPED = 0.03, 0.05
CONTRADICTION_GOAL = 0.70
_RENAMED = {"event": "memory"}  # the sets' word for it, and the domain's
_INFERBR = {"0": Label.CONTRADICTS, "1": Label.SAME, "2": Label.NEITHER}


def messages(asked: Asked, split: Split) -> Iterator[Row]:
    """The gate both ways it can be wrong, then every other word of a judgement, a language at a time."""
    judges = Judges(asked.encoder)
    for language in ("pt", "en"):
        rows = examples(EVALSETS / f"gate_{language}.jsonl", split=split)
        found = asked.run(judges.judge([row["text"] for row in rows]))
        yield from gate_rows(language, rows, found)
        for word in ("kind", "area", "act", "mood"):
            yield from word_rows(language, word, rows, found)


def gate_rows(language: str, rows: Sequence[Example], found: Sequence[Judgement]) -> Iterator[Row]:
    junk = [one.worth.value for row, one in zip(rows, found, strict=True) if not row["worth"]]
    wanted = [one.worth.value for row, one in zip(rows, found, strict=True) if row["worth"]]
    kept, dropped = sum(junk), len(wanted) - sum(wanted)
    yield Row(f"gate {language}, junk kept", of(kept, len(junk)), "", kept / len(junk), MOST_JUNK_KEPT)
    yield Row(
        f"gate {language}, wanted dropped", of(dropped, len(wanted)), "", dropped / len(wanted), MOST_WANTED_DROPPED
    )
    likelier = [one.worth.probability >= 0.5 for one in found]
    sure = [max(one.worth.probability, 1 - one.worth.probability) for one in found]
    right = [one == row["worth"] for one, row in zip(likelier, rows, strict=True)]
    yield _calibration(f"gate {language}", sure, right)


def word_rows(language: str, word: str, rows: Sequence[Example], found: Sequence[Judgement]) -> Iterator[Row]:
    """One word of the judgement. Kind and area of what is worth keeping, whether or not the gate kept it."""
    among = [place for place, row in enumerate(rows) if row["worth"] or word not in ("kind", "area")]
    said = [said_of(word, getattr(found[place], word)) for place in among]
    truth = [_RENAMED.get(rows[place][word], rows[place][word]) for place in among]
    right = [one == two for (one, _), two in zip(said, truth, strict=True)]
    yield Row(f"{word} {language}, right", of(sum(right), len(right)), "", sum(right) / len(right), None)
    yield _calibration(f"{word} {language}", [sure for _, sure in said], right)


def said_of(word: str, choice: Choice[Any]) -> tuple[str | None, float]:
    """The choice and how likely it is; of kind and area the likeliest, so that the gate's errors are not counted again.

    What is worth keeping is of some kind, but need not belong to an area.
    """
    if word not in ("kind", "area"):
        return choice.value, choice.all[choice.value]
    return max(((one, sure) for one, sure in choice.all.items() if one or word == "area"), key=lambda pair: pair[1])


def relations(asked: Asked, data: Path | None, split: Split) -> Iterator[Row]:
    """Own pairs a language at a time, and InferBR where the public sets are at hand; the goal is for its test part."""
    judges = Judges(asked.encoder)
    pairs = examples(EVALSETS / "nli_pairs.jsonl", split=split)
    for language in ("pt", "en"):
        rows = [row for row in pairs if row["lang"] == language]
        found = asked.run(judges.relate([(row["a"], row["b"]) for row in rows]))
        yield from relation_rows(f"relation {language}", [Label(row["label"]) for row in rows], found, None)
    if data is not None:
        part = "val" if split == "dev" else "test"
        public = inferbr(data / "pt" / "inferbr" / f"{part}.csv.gz", whole=split == "test")
        found = asked.run(judges.relate([(first, second) for first, second, _ in public]))
        truth = [label for _, _, label in public]
        goal = CONTRADICTION_GOAL if split == "test" else None  # the heads are calibrated on `val`
        yield from relation_rows(f"InferBR {part}", truth, found, goal)


def relation_rows(name: str, truth: Sequence[Label], found: Sequence[Relation], goal: float | None) -> Iterator[Row]:
    said = [one.label for one in found]
    right = [one == two for one, two in zip(truth, said, strict=True)]
    yield Row(f"{name}, right", of(sum(right), len(right)), "", sum(right) / len(right), None)
    for label in Label:
        least = goal if label is Label.CONTRADICTS else None
        yield Row(f"{name}, F1 of {label}", f"{len(truth):,} pairs", "", f1(truth, said, label), least, at_least=True)
    yield _calibration(name, [one.probability for one in found], right)


def inferbr(path: Path, *, whole: bool) -> list[tuple[str, str, Label]]:
    """Premise, hypothesis and label; the pairs its authors marked as poor only with `whole`."""
    lines = csv.DictReader(io.StringIO(measures.packed_text(path)))
    return [
        (line["premise"], line["hypothesis"], _INFERBR[line["label"]])
        for line in lines
        if whole or line["low_quality"] != "S"
    ]


def _calibration(name: str, sure: Sequence[float], right: Sequence[bool]) -> Row:
    return Row(f"{name}, calibration error", f"{len(right):,} judged", "", calibration_error(sure, right), None)


def calibration_error(sure: Sequence[float], right: Sequence[bool], *, bins: int = 10) -> float:
    """How far sureness lies from the share that is right, over equal bins of sureness, weighed by size (ECE)."""
    chances, hits = np.array(sure), np.array(right, dtype=float)
    places = np.minimum((chances * bins).astype(int), bins - 1)
    gaps = [abs((chances - hits)[places == place].sum()) for place in np.unique(places)]
    return float(sum(gaps) / len(hits))


def f1(truth: Sequence[Label], said: Sequence[Label], label: Label) -> float:
    """Harmonic mean of precision and recall; 0 where nobody names the label."""
    both = sum(one == two == label for one, two in zip(truth, said, strict=True))
    named = sum(one == label for one in truth) + sum(one == label for one in said)
    return 2 * both / named if named else 0.0
