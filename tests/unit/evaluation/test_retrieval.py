"""The figures and plain rankings by hand-computed examples, and a run with a memory whose answers are known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import log, log2
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from examples import DATA
from hashing import HashingEmbedder
from loops import each
from relembra.domain.text import fold
from relembra.evaluation import retrieval
from relembra.evaluation.datasets import DataError, Dataset, Turn, load
from relembra.evaluation.retrieval import Kept, Measured, Plain, SetClock, Yardsticks, report, standard
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.wordpiece import OfflineTokens

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
RANKING = ["a", "b", "c", "d", "e", "f"]


def test_figures_of_one_ranking() -> None:
    wanted = ["b", "e", "e", "nowhere"]  # named twice counts once
    assert [retrieval.recall_at(RANKING, wanted, cut) for cut in (1, 2, 5)] == pytest.approx([0, 1 / 3, 2 / 3])
    assert [retrieval.any_at(RANKING, wanted, cut) for cut in (1, 2, 5)] == [0, 1, 1]
    # places 2 and 5 of three wanted: 1/log2(3) + 1/log2(6) against 1 + 1/log2(3) + 1/2
    expected = (1 / log2(3) + 1 / log2(6)) / (1 + 1 / log2(3) + 0.5)
    assert retrieval.ndcg_at(RANKING, {"b", "e", "nowhere"}, 10) == pytest.approx(expected)
    assert retrieval.ndcg_at(["a", "b"], {"a", "b", "c"}, 2) == 1.0  # the best order is no longer than the cut
    assert retrieval.reciprocal_rank(RANKING, {"c", "e"}) == pytest.approx(1 / 3)
    assert retrieval.reciprocal_rank(RANKING, {"nowhere"}) == 0.0


@each([(["x", "new", "old"], True), (["old", "new"], False), (["old"], False), ([], False), (["new2", "old"], True)])
def test_fresh_is_what_holds_now_above_all_it_replaced(ranking: list[str], fresh: bool) -> None:
    assert retrieval.is_fresh(ranking, {"new", "new2"}, {"old", "older"}) is fresh


def test_percentiles_are_values_that_were_there() -> None:
    assert retrieval.percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.0
    assert (retrieval.percentile(range(1, 101), 0.95), retrieval.percentile([], 0.5)) == (95, 0.0)
    assert retrieval.mean([]) == 0.0


class Split:
    """Terms are what stands between spaces."""

    version = 1

    def terms(self, text: str) -> list[str]:
        return text.split()


def turn(id: str, text: str, conversation: str = "c") -> Turn:
    return Turn(id=id, person="p", conversation=conversation, text=text, at=NOON)


TURNS = [turn("t0", "red car", "a"), turn("t1", "red red bus stop", "b"), turn("t2", "blue", "a")]
VECTORS = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)


def test_words_by_bm25_vectors_by_cosine_and_both_by_the_sum_of_standard_scores() -> None:
    plain, mean = Plain(TURNS, VECTORS, Split()), 7 / 3
    red = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    car = red * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / mean))
    bus = red * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / mean))
    assert plain.words("red unheard red") == pytest.approx([car, bus, 0.0], rel=1e-5)
    scores = plain.scores("blue", np.array([1, 0], dtype="<f4").tobytes())
    assert scores["vectors"] == pytest.approx([1, 0, 0.6])
    assert scores["hybrid"] == pytest.approx(standard(scores["bm25"]) + standard(scores["vectors"]))
    assert [each.id for each in plain.ranked(scores["vectors"])] == ["t0", "t2", "t1"]
    assert [each.id for each in plain.ranked(np.zeros(3, dtype=np.float32))] == ["t0", "t1", "t2"]  # by time
    assert standard(np.array([1, 2, 3], dtype=np.float32)) == pytest.approx([-1.2247, 0, 1.2247], abs=1e-4)
    assert standard(np.array([4, 4], dtype=np.float32)) == pytest.approx([0, 0])


@dataclass
class Remembered:
    """A memory that finds what shares longer words with the question, the latest first, and tells what it was asked."""

    clock: Callable[[], datetime]
    saved: list[dict[str, Any]] = field(default_factory=list)
    asked_at: list[datetime] = field(default_factory=list)
    flushed: bool = False

    async def save(self, *, at: datetime, said: str | None, replied: str | None, **given: Any) -> None:
        assert at == self.clock()
        self.saved.append(given | {"text": said or replied, "assistant": said is None})

    async def settle(self, *, flush: bool = False) -> int:
        self.flushed = flush
        return 0

    async def recall(self, query: str, *, user: str, limit: int = 20) -> Any:
        self.asked_at.append(self.clock())
        found = self._found(query, user)[:limit]
        conversations = tuple(dict.fromkeys(message.conversation for message in found))
        return SimpleNamespace(messages=[SimpleNamespace(message=one) for one in found], conversations=conversations)

    async def load(self, *, user: str, query: str, budget: int) -> Any:
        return SimpleNamespace(messages=self._found(query, user)[:1], tokens=7, items=[])

    def _found(self, query: str, user: str) -> list[SimpleNamespace]:
        mine = [row for row in reversed(self.saved) if row["user"] == user]
        return [SimpleNamespace(**row) for row in mine if long_words(query) & long_words(row["text"])]


def long_words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", fold(text)))


async def measured(dataset: Dataset) -> tuple[list[Measured], Remembered, list[tuple[str, int, int]]]:
    steps: list[tuple[str, int, int]] = []

    def progress(*step: Any) -> None:
        steps.append(step)

    minds = Yardsticks(HashingEmbedder(), BilingualAnalyzer(), OfflineTokens())
    clock = SetClock(dataset.turns[0].at)
    memory: Any = Remembered(clock)
    await retrieval.ingest(memory, dataset, clock, progress)
    vectors = await retrieval.vectors_of(dataset, minds.embedder, progress)
    (first,) = await minds.embedder.embed([dataset.turns[0].text])
    assert np.array_equal(vectors[0], np.frombuffer(first, dtype="<f4"))
    found: list[Measured] = []
    await retrieval.ask(memory, dataset, clock, yardsticks=minds, vectors=vectors, found=found, progress=progress)
    return found, memory, steps


async def test_every_turn_is_saved_and_every_question_asked_at_its_moment() -> None:
    dataset = load("jsonl", DATA / "evaluation" / "lines.jsonl")
    outcomes, memory, steps = await measured(dataset)
    assert [row["external_id"] for row in memory.saved] == ["m1", "m2", "m3", "m4", "m5", "m6"]
    assert [row["assistant"] for row in memory.saved] == [False, True, False, False, False, False]
    assert memory.flushed
    assert memory.asked_at[1:] == [question.at for question in dataset.questions]  # the first was to warm up
    assert [step for step in steps if step[1] == step[2]] == [("saving", 6, 6), ("embedding", 6, 6), ("asking", 3, 3)]
    home = outcomes[0]
    assert set(home.turns) == set(home.sessions) == {"relembra", "bm25", "vectors", "hybrid"}
    assert (home.turns["relembra"], home.sessions["relembra"]) == (("m4", "m1"), ("marco", "janeiro"))
    assert set(home.turns["bm25"][:2]) == {"m1", "m4"}
    assert (home.shown, len(home.plain_shown)) == (("m4",), 6)  # they all fit


async def test_the_report_has_every_figure_and_says_what_was_missed(tmp_path: Path) -> None:
    dataset = load("jsonl", DATA / "evaluation" / "lines.jsonl")
    outcomes, _, _ = await measured(dataset)
    figures = report(dataset, outcomes, half="all")
    ours = figures["turns"]["relembra"]
    assert (ours["overall"]["questions"], set(ours["by_type"])) == (3, {"mudança", "fato"})
    assert ours["by_type"]["mudança"]["recall@1"] == 1.0
    assert (figures["fresh"]["questions"], figures["fresh"]["relembra"]) == (1, 1.0)
    assert (figures["asked"], figures["messages"], figures["conversations"], figures["people"]) == (3, 6, 5, 1)
    assert (figures["context"]["budget"], figures["context"]["bm25_budget"]) == (800, 2400)
    assert (figures["context"]["tokens"], figures["context"]["bm25_evidence"]) == (7, 1.0)
    assert (set(figures["latency"]), figures["missed"]) == ({"recall", "load", "embed", "ratio"}, [])
    lost = replace(outcomes[1], turns=outcomes[1].turns | {"relembra": ("m6",)})
    missing = report(dataset, [lost])
    assert missing["missed"][0]["evidence"] == [{"id": "m3", "text": "Comprei uma bicicleta vermelha na feira."}]
    assert missing["missed"][0]["first"] == {"id": "m6", "text": "Ontem vi um filme sobre trens no inverno."}
    empty = report(dataset, [], stopped=True)
    assert (empty["turns"]["relembra"]["overall"], empty["context"]) == ({"questions": 0}, {"questions": 0})


def test_a_filled_memory_is_used_again_for_the_same_data_alone(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "b.db", {"data": "1", "model": "m"})
    assert not kept.is_full()
    kept.write(full=False)
    kept.db.touch()
    assert not kept.is_full()
    kept.write(full=True)
    assert kept.is_full()
    (tmp_path / "mine.db").write_bytes(b"somebody's memory")
    for other in (Kept(kept.db, {"data": "2", "model": "m"}), Kept(tmp_path / "mine.db", kept.mark)):
        with pytest.raises(DataError, match="something else") as refused:
            other.is_full()
        assert refused.value.field == "kept"
    assert (tmp_path / "mine.db").read_bytes() == b"somebody's memory"
    with pytest.raises(DataError, match="cannot be written"):
        Kept(tmp_path / "gone" / "b.db", kept.mark).write(full=False)
