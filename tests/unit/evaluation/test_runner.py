"""Asking a memory, and what the report makes of it, with a memory whose answers are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from examples import DATA
from hashing import HashingEmbedder
from relembra.evaluation.datasets import Dataset, load
from relembra.evaluation.report import Report, report
from relembra.evaluation.runner import Measured, SetClock, Yardsticks, ask, ingest, vectors_of
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.wordpiece import OfflineTokens

FOLDER = DATA / "evaluation"
Steps = list[tuple[str, int, int]]


def minds() -> Yardsticks:
    return Yardsticks(HashingEmbedder(), BilingualAnalyzer(), OfflineTokens())


def dataset() -> Dataset:
    return load("jsonl", FOLDER / "lines.jsonl")


async def measured(found: Dataset, remembered: Callable[..., Any]) -> tuple[list[Measured], Any, Steps]:
    steps: Steps = []
    clock = SetClock(found.turns[0].at)
    memory = remembered(clock)
    await ingest(memory, found, clock, lambda *step: steps.append(step))
    vectors = await vectors_of(found, minds().embedder, lambda *step: steps.append(step))
    outcomes: list[Measured] = []
    await ask(
        memory, found, clock, yardsticks=minds(), vectors=vectors, found=outcomes,
        progress=lambda *step: steps.append(step),
    )  # fmt: skip
    return outcomes, memory, steps


async def test_every_turn_is_saved_at_its_moment_and_background_work_is_done(remembered: Callable[..., Any]) -> None:
    _, memory, steps = await measured(dataset(), remembered)
    assert [row["external_id"] for row in memory.saved] == ["m1", "m2", "m3", "m4", "m5", "m6"]
    assert [row["assistant"] for row in memory.saved] == [False, True, False, False, False, False]
    assert memory.settled[-1] is True
    assert [step for step in steps if step[1] == step[2]] == [("saving", 6, 6), ("embedding", 6, 6), ("asking", 3, 3)]


async def test_speakers_of_a_talk_between_people_are_named(remembered: Callable[..., Any]) -> None:
    _, memory, _ = await measured(load("locomo", FOLDER / "locomo.json"), remembered)
    assert [row["author"] for row in memory.saved] == ["Ivy", "Sol", "Ivy", "Sol", "Ivy"]


async def test_questions_are_asked_at_their_moments(remembered: Callable[..., Any]) -> None:
    found = load("longmemeval", FOLDER / "longmemeval.json")
    _, memory, _ = await measured(found, remembered)
    assert memory.asked_at[1:] == [question.at for question in found.questions]  # the first was to warm up


async def test_every_method_answers_every_question(remembered: Callable[..., Any]) -> None:
    outcomes, _, _ = await measured(dataset(), remembered)
    home = outcomes[0]
    assert set(home.turns) == set(home.sessions) == {"relembra", "bm25", "vectors", "hybrid"}
    assert home.turns["relembra"] == ("m4", "m1")
    assert home.sessions["relembra"] == ("marco", "janeiro")
    assert set(home.turns["bm25"][:2]) == {"m1", "m4"}
    assert len(home.turns["vectors"]) == 6
    assert home.shown == ("m4",)
    assert set(home.plain_shown) == {"m1", "m2", "m3", "m4", "m5", "m6"}  # they all fit
    assert all(seconds >= 0 for seconds in home.seconds.values())


async def test_the_plain_vectors_are_the_embedders_own() -> None:
    found = dataset()
    vectors = await vectors_of(found, minds().embedder, lambda *_: None)
    (first,) = await minds().embedder.embed([found.turns[0].text])
    assert vectors.shape == (6, minds().embedder.dimensions)
    assert np.array_equal(vectors[0], np.frombuffer(first, dtype="<f4"))


@pytest.fixture
async def figures(remembered: Callable[..., Any]) -> Report:
    outcomes, _, _ = await measured(dataset(), remembered)
    return report(dataset(), outcomes, half="all")


def test_the_report_has_every_figure(figures: Report) -> None:
    ours = figures["turns"]["relembra"]
    assert ours["overall"]["questions"] == 3
    assert set(ours["by_type"]) == {"mudança", "fato"}
    assert set(ours["overall"]) == {
        "questions",
        *(f"{name}@{cut}" for name in ("recall", "any") for cut in (1, 5, 10, 20)),
        "ndcg@10",
        "mrr",
    }
    assert ours["by_type"]["mudança"]["recall@1"] == 1.0
    assert figures["fresh"]["questions"] == 1
    assert figures["fresh"]["relembra"] == 1.0
    assert (figures["asked"], figures["messages"], figures["conversations"], figures["people"]) == (3, 6, 5, 1)
    assert figures["half"] == "all"


def test_the_report_compares_contexts_and_times(figures: Report) -> None:
    context = figures["context"]
    assert context["bm25_evidence"] == 1.0
    assert (context["budget"], context["bm25_budget"]) == (800, 2400)
    assert 0 < context["evidence"] <= 1
    assert set(figures["latency"]) == {"recall", "load", "embed", "ratio", "milliseconds"}
    assert len(figures["latency"]["milliseconds"]["recall"]) == 3


async def test_what_was_missed_says_what_was_expected_and_what_came_first(remembered: Callable[..., Any]) -> None:
    outcomes, _, _ = await measured(dataset(), remembered)
    assert [one["id"] for one in report(dataset(), outcomes)["missed"]] == []
    lost = [
        Measured(
            question=outcomes[1].question,
            turns=outcomes[1].turns | {"relembra": ("m6",)},
            sessions=outcomes[1].sessions,
            shown=(),
            tokens=0,
            items=0,
            plain_shown=(),
            plain_tokens=0,
            seconds=outcomes[1].seconds,
        )
    ]
    (missed,) = report(dataset(), lost)["missed"]
    assert missed["evidence"] == [{"id": "m3", "text": "Comprei uma bicicleta vermelha na feira."}]
    assert missed["first"] == {"id": "m6", "text": "Ontem vi um filme sobre trens no inverno."}


def test_nothing_measured_gives_no_figures() -> None:
    empty = report(dataset(), [], stopped=True)
    assert empty["stopped"] is True
    assert empty["turns"]["relembra"]["overall"] == {"questions": 0}
    assert empty["context"] == {"questions": 0}
