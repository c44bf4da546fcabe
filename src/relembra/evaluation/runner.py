"""Asking a memory a data set's questions: everything goes through public verbs, and no language model is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from relembra.evaluation.baselines import METHODS, Counted, Numbers, everybody, filled, first_sessions
from relembra.evaluation.datasets.values import Dataset, Question
from relembra.minds.port import Analyzer, Embedder, Tokens

OURS = "relembra"
ALL_METHODS = (OURS, *METHODS)
DEPTH = 20
CONTEXT_TOKENS = 800
PLAIN_TOKENS = 2_400
SETTLED_EVERY = 256
BATCH = 128

Progress = Callable[[str, int, int], None]
"""Told the stage (saving, embedding, asking), how far it is, and how far it goes."""


class Recaller(Protocol):
    """The verbs of a memory that are measured."""

    async def save(
        self,
        *,
        user: str,
        said: str | None = None,
        replied: str | None = None,
        at: datetime | None = None,
        conversation: str | None = None,
        external_id: str | None = None,
        author: str | None = None,
    ) -> Any: ...

    async def settle(self, *, flush: bool = False) -> int: ...

    async def recall(self, query: str, *, user: str, limit: int = DEPTH) -> Any: ...

    async def load(self, *, user: str, query: str | None = None, budget: int | None = None) -> Any: ...


class SetClock:
    """A clock that shows what it was set to."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True, slots=True)
class Yardsticks:
    """The offline minds the baselines stand on: the same that the memory uses."""

    embedder: Embedder
    analyzer: Analyzer
    tokens: Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One question's outcome: what each method ranked first, what two contexts showed, and how long it took."""

    question: Question
    turns: dict[str, tuple[str, ...]]
    sessions: dict[str, tuple[str, ...]]
    shown: tuple[str, ...]
    tokens: int
    items: int
    plain_shown: tuple[str, ...]
    plain_tokens: int
    seconds: dict[str, float]


async def ingest(memory: Recaller, dataset: Dataset, clock: SetClock, progress: Progress) -> None:
    """Save every turn at its moment, doing background work on the way; what was saved before is not saved twice."""
    total = len(dataset.turns)
    for done, turn in enumerate(dataset.turns, 1):
        clock.now = turn.at
        await memory.save(
            user=turn.person,
            said=None if turn.assistant else turn.text,
            replied=turn.text if turn.assistant else None,
            at=turn.at,
            conversation=turn.conversation,
            external_id=turn.id,
            author=turn.author,
        )
        if done % SETTLED_EVERY == 0:
            await memory.settle()
        progress("saving", done, total)
    clock.now += timedelta(days=1)
    await memory.settle(flush=True)


async def vectors_of(dataset: Dataset, embedder: Embedder, progress: Progress) -> Numbers:
    """Every turn's vector, in order."""
    texts = [turn.text for turn in dataset.turns]
    rows: list[Numbers] = []
    for start in range(0, len(texts), BATCH):
        rows += [np.frombuffer(row, dtype="<f4") for row in await embedder.embed(texts[start : start + BATCH])]
        progress("embedding", len(rows), len(texts))
    return np.array(rows, dtype=np.float32)


async def ask(
    memory: Recaller,
    dataset: Dataset,
    clock: SetClock,
    *,
    yardsticks: Yardsticks,
    vectors: Numbers,
    found: list[Measured],
    progress: Progress,
) -> None:
    """Ask every question at its moment; each outcome is put into `found` at once, for whoever stops early."""
    places = {(turn.person, turn.id): place for place, turn in enumerate(dataset.turns)}
    plain_of = everybody(dataset.people, places, vectors, yardsticks.analyzer)
    count = Counted(yardsticks.tokens)
    for question in dataset.questions[:1]:  # so that loading the models is nobody's latency
        clock.now = question.at
        await memory.recall(question.text, user=question.person, limit=DEPTH)
        await memory.load(user=question.person, query=question.text, budget=CONTEXT_TOKENS)
        await yardsticks.embedder.embed([question.text])
    for done, question in enumerate(dataset.questions, 1):
        clock.now = question.at
        began = perf_counter()
        recalled = await memory.recall(question.text, user=question.person, limit=DEPTH)
        recalled_at = perf_counter()
        context = await memory.load(user=question.person, query=question.text, budget=CONTEXT_TOKENS)
        loaded_at = perf_counter()
        (vector,) = await yardsticks.embedder.embed([question.text])
        embedded_at = perf_counter()
        plain = plain_of(question.person)
        ranked = {method: plain.ranked(scores) for method, scores in plain.scores(question.text, vector).items()}
        plain_shown, plain_tokens = filled(ranked["bm25"], PLAIN_TOKENS, count)
        turns = {method: tuple(turn.id for turn in order[:DEPTH]) for method, order in ranked.items()}
        sessions = {method: first_sessions(order, DEPTH) for method, order in ranked.items()}
        found.append(
            Measured(
                question=question,
                turns={OURS: _ids([hit.message for hit in recalled.messages])[:DEPTH], **turns},
                sessions={OURS: tuple(recalled.conversations)[:DEPTH], **sessions},
                shown=_ids(context.messages),
                tokens=context.tokens,
                items=len(context.items),
                plain_shown=plain_shown,
                plain_tokens=plain_tokens,
                seconds={
                    "recall": recalled_at - began,
                    "load": loaded_at - recalled_at,
                    "embed": embedded_at - loaded_at,
                },
            )
        )
        progress("asking", done, len(dataset.questions))


def _ids(messages: Sequence[Any]) -> tuple[str, ...]:
    """Messages by the data set's own ids."""
    return tuple(message.external_id for message in messages if message.external_id is not None)
