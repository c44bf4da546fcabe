"""What the offline minds cost: time beside raw MiniLM of the same run and machine, and megabytes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.minds.asking import EVALSETS, Asked, Example, measures, said
from bench.table import Row, median, ms
from relembra.errors import MissingExtraError
from relembra.minds.embedders import MODEL_PATH, FolderEmbedder
from relembra.minds.port import Embedder
from relembra.minds.reader.networks import MODELS

Work = Callable[[], object]

ROUNDS = 7
BLOCK = 16  # sentences timed at once
MATCHED = 10
SPEED_GOAL = 0.9
LARGEST_MODEL_MB = 40


def speed(asked: Asked, minilm: Path | None) -> Iterator[Row]:
    """Sentences a second beside MiniLM's, both one text at a time in one thread through the same runner."""
    if minilm is None:
        said("left out: speed beside MiniLM, since --minilm names no folder")
        return
    other = FolderEmbedder(minilm)
    try:
        asked.run(other.embed(["warm up"]))
    except MissingExtraError as exc:
        said(f"left out: speed beside MiniLM, since {exc}")
        return
    facts = _facts()
    for language in ("pt", "en"):
        texts = [row[language] for row in facts]
        blocks = [texts[start : start + BLOCK] for start in range(0, len(texts) - BLOCK + 1, BLOCK)]
        ours, theirs, ratio = in_turns(
            [(_embedding(asked, asked.encoder, block), _embedding(asked, other, block)) for block in blocks]
        )
        yield Row(
            f"speed {language}, sentences a second / MiniLM int8",
            f"{BLOCK / ours:,.0f}",
            f"{BLOCK / theirs:,.0f}",
            1 / ratio,
            SPEED_GOAL,
            at_least=True,
        )
    asked.run(other.close())


def matching(asked: Asked) -> Iterator[Row]:
    """Ten candidates never seen before, then the same ten for another question, beside embedding one question."""
    facts = _facts()
    questions = [row["question_pt"] for row in facts]
    asked.run(asked.encoder.match(questions[-1], ["warm up"]))
    alone, cold, warm = [], [], []
    for start in range(0, len(facts) - MATCHED + 1, MATCHED):
        # In capitals: the same pieces, yet texts that no other section has had matched.
        texts = [row["pt"].upper() for row in facts[start : start + MATCHED]]
        one, other = questions[start], questions[start + 1]
        alone.append(seconds(_embedding(asked, asked.encoder, [one])))
        cold.append(seconds(_matching(asked, one, texts)))
        warm.append(seconds(_matching(asked, other, texts)))
    for name, times in (("cold", cold), ("warm", warm)):
        ratio = median(took / floor for took, floor in zip(times, alone, strict=True))
        title = f"match of {MATCHED} texts, {name} / embedding the question"
        yield Row(title, ms(median(times)), ms(median(alone)), ratio, None)


def sizes() -> Iterator[Row]:
    model = MODEL_PATH.stat().st_size / 1e6
    yield Row("model file, MB", f"{model:.1f} MB", "", model, LARGEST_MODEL_MB)
    networks = sum((MODELS / f"{name}-int8.onnx").stat().st_size for name in ("tagger", "judge")) / 1e6
    yield Row("networks of the reader, MB", f"{networks:.1f} MB", "", networks, None)


def in_turns(pairs: Sequence[tuple[Work, Work]], rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Median seconds of the first and of the second of all pairs, and the median of first / second within a pair.

    The two of a pair run side by side and take turns at going first, so that a busy moment of the machine spoils a few
    short pairs and not the median. Rounds over all texts gave 1.02 to 1.22 for the same two models on a busy machine.
    """
    for pair in pairs[:2]:
        _both(pair, first=0)
    times = [_both(pair, first=(turn + place) % 2) for turn in range(rounds) for place, pair in enumerate(pairs)]
    ones, others = zip(*times, strict=True)
    return median(ones), median(others), median(one / other for one, other in times)


def _both(pair: tuple[Work, Work], *, first: int) -> tuple[float, float]:
    if first == 0:
        one, other = seconds(pair[0]), seconds(pair[1])
    else:
        other, one = seconds(pair[1]), seconds(pair[0])
    return one, other


def seconds(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _embedding(asked: Asked, encoder: Embedder, texts: Sequence[str]) -> Work:
    return lambda: asked.run(encoder.embed(texts))


def _matching(asked: Asked, question: str, texts: Sequence[str]) -> Work:
    return lambda: asked.run(asked.encoder.match(question, texts))


def _facts() -> Sequence[Example]:
    rows: list[Example] = measures.json_lines(EVALSETS / "facts.jsonl")
    return rows
