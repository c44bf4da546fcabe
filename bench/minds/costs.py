"""What the offline minds cost: time and megabytes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from bench.minds.asking import EVALSETS, Asked, Example, measures
from bench.table import Row, median, ms
from relembra.minds.embedders import MODEL_PATH
from relembra.minds.port import Embedder
from relembra.minds.reader.networks import MODELS

Work = Callable[[], object]

MATCHED = 10
LARGEST_MODEL_MB = 40


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
