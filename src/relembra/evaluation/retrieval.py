"""Asking a memory a data set's questions, and the figures of it.

Everything goes through public verbs, and no language model is asked.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, partial
from math import log2
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from relembra.domain.text import shortened
from relembra.evaluation.datasets import DataError, Dataset, Question, Turn
from relembra.memory import Memory
from relembra.minds.port import Analyzer, Embedder, Tokens, Vector

CUTS = (1, 5, 10, 20)
NDCG_CUT = 10


def scored(ranking: Sequence[str], wanted: Collection[str]) -> dict[str, float]:
    """All figures of one ranking, by the names they go by; `wanted` is not empty."""
    return {
        **{f"recall@{cut}": recall_at(ranking, wanted, cut) for cut in CUTS},
        **{f"any@{cut}": any_at(ranking, wanted, cut) for cut in CUTS},
        f"ndcg@{NDCG_CUT}": ndcg_at(ranking, wanted, NDCG_CUT),
        "mrr": reciprocal_rank(ranking, wanted),
    }


def recall_at(ranking: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """The share of what is wanted among the first so many."""
    return len(set(ranking[:cut]) & set(wanted)) / len(set(wanted))


def any_at(ranking: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """1 where anything wanted is among the first so many, else 0."""
    return float(not set(ranking[:cut]).isdisjoint(wanted))


def ndcg_at(ranking: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """Discounted gain, each wanted id worth one, against the best order there could be."""
    wanted = set(wanted)
    gain = sum(1 / log2(place + 2) for place, id in enumerate(ranking[:cut]) if id in wanted)
    return gain / sum(1 / log2(place + 2) for place in range(min(cut, len(wanted))))


def reciprocal_rank(ranking: Sequence[str], wanted: Collection[str]) -> float:
    """One over the place of the first wanted id; 0 where there is none."""
    return next((1 / place for place, id in enumerate(ranking, 1) if id in wanted), 0.0)


def is_fresh(ranking: Sequence[str], newest: Collection[str], older: Collection[str]) -> bool:
    """Whether what holds now stands above everything it replaced; not where it was not found."""
    return next((id in newest for id in ranking if id in newest or id in older), False)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that so great a share does not exceed; 0 of nothing."""
    return float(np.quantile(values, share, method="inverted_cdf")) if values else 0.0


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    return fmean(listed) if (listed := list(values)) else 0.0


K1 = 1.2
B = 0.75
METHODS = ("bm25", "vectors", "hybrid")

Numbers = NDArray[np.float32]


class Plain:
    """One person's turns, ranked without a memory."""

    def __init__(self, turns: Sequence[Turn], vectors: Numbers, analyzer: Analyzer) -> None:
        self._turns = turns
        self._vectors = vectors
        self._terms = analyzer.terms
        counts = [Counter(analyzer.terms(turn.text)) for turn in turns]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float32)
        self._norms = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for place, count in enumerate(counts):
            for term, times in count.items():
                where, often = postings.setdefault(term, ([], []))
                where.append(place)
                often.append(times)
        self._postings = {term: (np.array(where), np.array(often)) for term, (where, often) in postings.items()}

    def words(self, text: str) -> Numbers:
        """Every turn's BM25 score."""
        scores = np.zeros(len(self._turns), dtype=np.float32)
        for term in dict.fromkeys(self._terms(text)):
            if term in self._postings:
                where, often = self._postings[term]
                rarity = np.log(1 + (len(self._turns) - len(where) + 0.5) / (len(where) + 0.5))
                scores[where] += rarity * often * (K1 + 1) / (often + self._norms[where])
        return scores

    def scores(self, text: str, vector: Vector) -> dict[str, Numbers]:
        """Every turn's score by each method."""
        words = self.words(text)
        cosines: Numbers = self._vectors @ np.frombuffer(vector, dtype="<f4")
        return {"bm25": words, "vectors": cosines, "hybrid": standard(words) + standard(cosines)}

    def ranked(self, scores: Numbers) -> list[Turn]:
        """All turns, best first; those of one score in the order of time."""
        return [self._turns[place] for place in np.argsort(-scores, kind="stable")]


def standard(scores: Numbers) -> Numbers:
    """Scores with a mean of 0 and a deviation of 1; all 0 where they are all alike."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)


def filled(ranked: Sequence[Turn], budget: int, count: Callable[[str], int]) -> tuple[tuple[str, ...], int]:
    """Whole messages in rank order as long as they fit, passing over those that do not; their ids and their tokens."""
    kept, spent = [], 0
    for turn in ranked:
        if spent >= budget:
            break
        cost = count(turn.text)
        if spent + cost <= budget:
            kept.append(turn.id)
            spent += cost
    return tuple(kept), spent


OURS = "relembra"
ALL_METHODS = (OURS, *METHODS)
DEPTH = 20
CONTEXT_TOKENS = 800
PLAIN_TOKENS = 2_400
SETTLED_EVERY = 256
BATCH = 128

Progress = Callable[[str, int, int], None]
"""Called with the stage (saving, embedding, asking), how far it is, and how far it goes."""


Days = Callable[[str, datetime], Sequence[tuple[date, date]]]
"""The days a text tells that was said at a moment: the first and the last of each stretch of them."""


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
    days: Days


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


async def ingest(memory: Memory, dataset: Dataset, clock: SetClock, progress: Progress) -> None:
    """Save every turn at its moment, doing background work on the way; what was saved before is not saved twice."""
    total = len(dataset.turns)
    for done, turn in enumerate(dataset.turns, 1):
        clock.now = turn.at
        await memory.save(
            user=turn.person,
            said=turn.text if turn.role == "user" else None,
            replied=turn.text if turn.role == "assistant" else None,
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
    memory: Memory,
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
    count = cache(yardsticks.tokens.count)

    @cache
    def plain_of(person: str) -> Plain:
        turns = dataset.people[person]
        return Plain(turns, vectors[[places[person, turn.id] for turn in turns]], yardsticks.analyzer)

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
        sessions = {
            method: tuple(dict.fromkeys(turn.conversation for turn in order))[:DEPTH]
            for method, order in ranked.items()
        }
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


CONTEXTS: dict[str, dict[str, int]] = {
    "messages": {"recalled_items": 0, "recalled_notes": 0, "user_memory_tokens": 0},
    "knowledge": {"user_memory_tokens": 0},
    "all": {},
}
"""Contexts of messages alone, with items and notes, and with the compact memory: the policy's numbers that leave the
rest out."""


@dataclass(frozen=True, slots=True)
class Answered:
    """How much of the answer to a question a context holds, and what it lacks."""

    question: Question
    context: str
    share: float
    lacks: tuple[str, ...]
    tokens: int


_BETWEEN = re.compile(r"[,;](?=\s)")


async def answer(
    memory: Memory,
    dataset: Dataset,
    clock: SetClock,
    *,
    context: str,
    yardsticks: Yardsticks,
    found: list[Answered],
    progress: Progress,
) -> None:
    """Load a context for every question that has an answer; how much of it is there is put into `found` at once."""
    for done, question in enumerate(dataset.questions, 1):
        clock.now = question.at
        if wanted := parts_of(question.answer, question.at, yardsticks):
            loaded = await memory.load(user=question.person, query=question.text, budget=CONTEXT_TOKENS)
            words, days = set(yardsticks.analyzer.terms(loaded.text)), days_in(loaded, yardsticks.days)
            held = [part.held_in(words, days) for part in wanted]
            lacks = tuple(
                term
                for part, is_there in zip(wanted, held, strict=True)
                if not is_there
                for term in part.terms
                if term not in words
            )
            found.append(Answered(question, context, mean(held), lacks, loaded.tokens))
        progress("asking", done, len(dataset.questions))


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One thing an answer says: its terms, and the days they name."""

    terms: tuple[str, ...]
    days: tuple[date, ...] = ()

    def held_in(self, words: Collection[str], days: Collection[date]) -> bool:
        """Whether a context says it, in these words or by another way to write the day."""
        dated = bool(self.days) and all(day in days for day in self.days)
        return dated or all(term in words for term in self.terms)


def parts_of(answer: str, at: datetime, yardsticks: Yardsticks) -> list[AnswerPart]:
    """What an answer says, thing by thing as commas part them; one that names a day is one thing."""
    days = tuple(day for stretch in yardsticks.days(answer, at) for day in stretch)
    pieces = [answer] if days else _BETWEEN.split(answer)
    parts = (AnswerPart(tuple(dict.fromkeys(yardsticks.analyzer.terms(piece))), days) for piece in pieces)
    return [part for part in parts if part.terms]


def days_in(context: Any, days: Days) -> set[date]:
    """The days that can be read off a context: of its lines, and those their words tell as seen from then."""
    told = [(hit.message.sent_at, hit.excerpt) for hit in context.earlier]
    told += [(message.sent_at, message.text) for message in context.recent]
    told += [(hit.note.happened_at, hit.note.summary) for hit in context.notes]
    read = {day for moment, words in told for stretch in days(words, moment) for day in stretch}
    return read | {moment.date() for moment, _ in told} | {item.held_from.date() for item in context.items}


def _ids(messages: Sequence[Any]) -> tuple[str, ...]:
    """Messages by the data set's own ids."""
    return tuple(message.external_id for message in messages if message.external_id is not None)


@dataclass(frozen=True, slots=True)
class Kept:
    """A filled memory kept in a file; the note beside it says what is in there, which has to be `mark`."""

    db: Path
    mark: dict[str, str]

    @property
    def _note(self) -> Path:
        return self.db.with_name(self.db.name + ".bench.json")

    def is_full(self) -> bool:
        """Whether everything is in it already; a file with anything else in it is refused, and stays as it is."""
        if not self.db.exists():
            return False
        try:
            note = json.loads(self._note.read_text("utf-8"))
        except (OSError, ValueError):
            note = {}
        if not isinstance(note, dict) or note.get("mark") != self.mark:
            raise DataError(f"{self.db} was filled from something else; name a new file, or remove it", field="kept")
        return note.get("full") is True

    def write(self, *, full: bool) -> None:
        """Say what is being put in, before anything is, and later that everything is in."""
        try:
            self._note.write_text(json.dumps({"mark": self.mark, "full": full}), encoding="utf-8")
        except OSError as exc:
            raise DataError(f"{self._note} cannot be written: {exc}", field="kept") from exc


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────

Report = dict[str, Any]

MISSED_AT = 10
LONGEST_TEXT = 300


def report(dataset: Dataset, found: Sequence[Measured], *, stopped: bool = False, **about: Any) -> Report:
    """Every figure of a run; `about` goes along."""
    return {
        **_data(dataset, about, asked=len(found), stopped=stopped),
        "turns": _by_method(found, lambda one: one.question.evidence, lambda one, method: one.turns[method]),
        "sessions": _by_method(found, lambda one: one.question.sessions, lambda one, method: one.sessions[method]),
        "fresh": _fresh(found),
        "context": _context(found),
        "latency": _latency(found),
        "missed": [_missed(one, dataset) for one in found if is_missed(one)],
    }


def report_answers(dataset: Dataset, found: Sequence[Answered], *, stopped: bool = False, **about: Any) -> Report:
    """The share of answers that each context holds; what the one with all its parts lacks is listed."""

    def figures(some: Sequence[Answered]) -> Report:
        return {
            "questions": len(some),
            "answered": round(mean(one.share for one in some), 4),
            "tokens": round(mean(one.tokens for one in some), 1),
        }

    of = {name: [one for one in found if one.context == name] for name in CONTEXTS}
    return {
        **_data(dataset, about, asked=max(map(len, of.values())), stopped=stopped),
        "budget": CONTEXT_TOKENS,
        "contexts": {name: _by_type(some, figures) for name, some in of.items()},
        "missed": [_asked(one.question) | {"lacks": list(one.lacks)} for one in of["all"] if one.lacks],
    }


def _data(dataset: Dataset, about: Report, *, asked: int, stopped: bool) -> Report:
    """What was measured, and how much of it."""
    return {
        "dataset": dataset.name,
        **about,
        "messages": len(dataset.turns),
        "conversations": len({(turn.person, turn.conversation) for turn in dataset.turns}),
        "people": len(dataset.people),
        "questions": len(dataset.questions),
        "asked": asked,
        "left_out": dataset.left_out,
        "stopped": stopped,
    }


Outcome = TypeVar("Outcome", Measured, Answered)


def _by_type(found: Sequence[Outcome], figures: Callable[[Sequence[Outcome]], Report]) -> Report:
    """Figures over all questions, and over each type of question."""
    types = sorted({one.question.type for one in found})
    by_type = {name: figures([one for one in found if one.question.type == name]) for name in types}
    return {"overall": figures(found), "by_type": by_type}


def levels(found: Report) -> tuple[str, ...]:
    """What can be compared: messages, and conversations where a memory has several."""
    return ("turns", "sessions") if found["conversations"] > found["people"] else ("turns",)


def _by_method(
    found: Sequence[Measured],
    wanted: Callable[[Measured], Sequence[str]],
    ranking: Callable[[Measured, str], Sequence[str]],
) -> Report:
    """Each method's figures over all questions with evidence, and over each type of question."""
    answerable = [one for one in found if wanted(one)]

    def figures(method: str, some: Sequence[Measured]) -> Report:
        scores = [scored(ranking(one, method), wanted(one)) for one in some]
        names = scores[0] if scores else ()
        return {"questions": len(scores), **{name: round(mean(one[name] for one in scores), 4) for name in names}}

    return {method: _by_type(answerable, partial(figures, method)) for method in ALL_METHODS}


def _fresh(found: Sequence[Measured]) -> Report:
    """How often what holds now stands above what it replaced."""
    changed = [one for one in found if one.question.newest and one.question.older]
    shares = {
        method: round(mean(is_fresh(one.turns[method], one.question.newest, one.question.older) for one in changed), 4)
        for method in ALL_METHODS
    }
    return {"questions": len(changed), **(shares if changed else {})}


def _context(found: Sequence[Measured]) -> Report:
    """The share of evidence that a context shows, beside whole messages in three times its room."""
    answerable = [one for one in found if one.question.evidence]
    if not answerable:
        return {"questions": 0}

    def share(ids: Callable[[Measured], Sequence[str]]) -> float:
        return round(mean(recall_at(ids(one), one.question.evidence, len(ids(one))) for one in answerable), 4)

    return {
        "questions": len(answerable),
        "budget": CONTEXT_TOKENS,
        "evidence": share(lambda one: one.shown),
        "tokens": round(mean(one.tokens for one in answerable), 1),
        "messages": round(mean(len(one.shown) for one in answerable), 1),
        "items": round(mean(one.items for one in answerable), 1),
        "bm25_budget": PLAIN_TOKENS,
        "bm25_evidence": share(lambda one: one.plain_shown),
        "bm25_tokens": round(mean(one.plain_tokens for one in answerable), 1),
    }


def _latency(found: Sequence[Measured]) -> Report:
    """Milliseconds, and how they compare with embedding the question alone."""
    times = {name: [one.seconds[name] * 1_000 for one in found] for name in ("recall", "load", "embed")}
    figures: Report = {
        name: {"p50": round(percentile(each, 0.5), 3), "p95": round(percentile(each, 0.95), 3)}
        for name, each in times.items()
    }
    alone = figures["embed"]["p50"]
    ratio = {name: round(figures[name]["p50"] / alone, 2) if alone else None for name in ("recall", "load")}
    return {**figures, "ratio": ratio}


def is_missed(one: Measured) -> bool:
    """Whether nothing of the evidence was among the first ten."""
    if one.question.evidence:
        return not any_at(one.turns[OURS], one.question.evidence, MISSED_AT)
    return bool(one.question.sessions) and not any_at(one.sessions[OURS], one.question.sessions, MISSED_AT)


def _asked(question: Question) -> Report:
    return {"id": question.id, "type": question.type, "question": question.text, "answer": question.answer}


def _missed(one: Measured, dataset: Dataset) -> Report:
    question = one.question
    first = one.turns[OURS][:1]
    return {
        **_asked(question),
        "evidence": [_turn(question, id, dataset) for id in question.evidence],
        "sessions": list(question.sessions),
        "first": _turn(question, first[0], dataset) if first else None,
    }


def _turn(question: Question, id: str, dataset: Dataset) -> Report:
    turn = dataset.by_id.get((question.person, id))
    return {"id": id, "text": shortened(turn.text, LONGEST_TEXT) if turn else ""}
