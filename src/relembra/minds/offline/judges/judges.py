"""Judges of messages and of pairs of statements: rules first, heads on the encoder's vectors where rules are silent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.policy import JudgePolicy
from relembra.errors import InvalidInputError, MindError
from relembra.minds.offline.judges.rules import Ruling, rule_of
from relembra.minds.offline.judges.values import (
    AREAS,
    KINDS,
    Act,
    Choice,
    Emotion,
    Judgement,
    Label,
    Mood,
    Relation,
    SelfTest,
    Verdict,
)
from relembra.minds.port import Embedder, Vector

if TYPE_CHECKING:
    from relembra.minds.offline.judges.heads import Heads, Matrix
    from relembra.minds.offline.judges.pairing import PairText

__all__ = ["HEADS_PATH", "Judges"]

HEADS_PATH = Path(__file__).parent / "heads.npz"
T = TypeVar("T", bound=StrEnum | None)
_NOTHING_ALONE = "."
"""Embedded in place of an empty rest, as in training."""

# No rule speaks on these, so that it is the heads that are tried.
_TOLD = (
    ("tenho dois gatos e um papagaio em casa", KnowledgeType.FACT),
    ("I have two cats and a parrot at home", KnowledgeType.FACT),
    ("adoro café bem forte e sem açúcar", KnowledgeType.PREFERENCE),
    ("I love my coffee strong and without sugar", KnowledgeType.PREFERENCE),
)
_SAID = (
    ("e aí, como vai essa força?", None),
    ("hey, how's it going over there?", None),
    ("como faço pra tirar mancha de vinho do sofá?", Act.QUESTION),
    ("how do I get wine stains out of a sofa?", Act.QUESTION),
)
_PAIRS = (
    ("sou casado com a Paula", "me divorciei da Paula, estou solteiro", Label.CONTRADICTS),
    ("I'm married to Paula", "I'm divorced from Paula, I'm single now", Label.CONTRADICTS),
    ("moro em Recife", "minha casa fica em Recife", Label.SAME),
    ("I live in Boston", "my home is in Boston", Label.SAME),
)


class Judges:
    """Says what messages are and how statements stand to each other. Deterministic; texts are embedded once a call.

    The heads are read on first use; `MindError` then, when they were fitted on another encoder than `embedder`.
    """

    def __init__(self, embedder: Embedder, heads_path: Path = HEADS_PATH, *, policy: JudgePolicy | None = None) -> None:
        self._embedder = embedder
        self._path = heads_path
        self._policy = policy or JudgePolicy()
        self._lock = threading.Lock()
        self._loaded: Heads | None = None

    @property
    def encoder(self) -> str:
        """The embedder whose vectors it reads."""
        return self._embedder.name

    async def judge(self, messages: Sequence[str], known: Mapping[str, Vector] = {}) -> list[Judgement]:
        """One judgement a message, in order; no message gives none. `known`: vectors at hand, from this encoder."""
        if not messages:
            return []
        distinct = list(dict.fromkeys(messages))
        vectors = dict(known)
        if unknown := [message for message in distinct if message not in vectors]:
            vectors.update(zip(unknown, await self._embedder.embed(unknown), strict=True))
        judged = await asyncio.to_thread(self.judge_vectors, distinct, [vectors[text] for text in distinct])
        found = dict(zip(distinct, judged, strict=True))
        return [found[message] for message in messages]

    def judge_vectors(self, messages: Sequence[str], vectors: Sequence[Vector]) -> list[Judgement]:
        """The same for messages whose vectors, from this encoder, are at hand."""
        if len(messages) != len(vectors):
            raise InvalidInputError(f"{len(messages)} messages but {len(vectors)} vectors", field="vectors")
        if not messages:
            return []
        heads = self._heads()
        rows = heads.judge(self._matrix(vectors), messages)
        return [
            self._judgement(rule_of(message), {name: row[index].tolist() for name, row in rows.items()})
            for index, message in enumerate(messages)
        ]

    async def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        """How each second statement stands to its first, in order."""
        return await self._relate(pairs, {})

    async def relate_vectors(
        self, pairs: Sequence[tuple[str, str]], vectors: Sequence[tuple[Vector, Vector]]
    ) -> list[Relation]:
        """The same for statements whose vectors are at hand; only what differs in each pair is still embedded."""
        if len(pairs) != len(vectors):
            raise InvalidInputError(f"{len(pairs)} pairs but {len(vectors)} pairs of vectors", field="vectors")
        known: dict[str, Vector] = {}
        for pair, found in zip(pairs, vectors, strict=True):
            known.update(zip(pair, found, strict=True))
        return await self._relate(pairs, known)

    async def self_test(self) -> SelfTest:
        """Try the heads on plain cases in both languages, with the policy's own numbers put aside.

        `MindError` when the heads were fitted on another encoder or get any of them wrong.
        """
        plain = Judges(self._embedder, self._path)
        found = await plain.judge([text for text, _ in (*_TOLD, *_SAID)])
        told, said = found[: len(_TOLD)], found[len(_TOLD) :]
        related = await plain.relate([(first, second) for first, second, _ in _PAIRS])
        cases = [
            *((text, one.worth.value and one.kind.value is kind, one.worth.probability)
              for (text, kind), one in zip(_TOLD, told, strict=True)),
            *((text, not one.worth.value and act in (None, one.act.value), 1.0 - one.worth.probability)
              for (text, act), one in zip(_SAID, said, strict=True)),
            *((f"{first} / {second}", one.label is label, one.probability)
              for (first, second, label), one in zip(_PAIRS, related, strict=True)),
        ]  # fmt: skip
        wrong = [text for text, right, _ in cases if not right]
        if wrong:
            raise MindError(
                f"the judges in {self._path} misjudge {len(wrong)} of {len(cases)} plain cases (first: {wrong[0]}); "
                "install relembra again"
            )
        return SelfTest(cases=len(cases), least_sure=min(sure for _, _, sure in cases))

    async def _relate(self, pairs: Sequence[tuple[str, str]], known: Mapping[str, Vector]) -> list[Relation]:
        if not pairs:
            return []
        import numpy as np

        from relembra.minds.offline.judges.heads import pair_matrix
        from relembra.minds.offline.judges.pairing import pair_text

        heads = self._heads()
        read = [pair_text(first, second) for first, second in pairs]
        rests = [(text.first_rest or _NOTHING_ALONE, text.second_rest or _NOTHING_ALONE) for text in read]
        vectors = dict(known)
        wanted = dict.fromkeys(text for pair in (*pairs, *rests) for text in pair if text not in vectors)
        vectors.update(zip(wanted, await self._embedder.embed(list(wanted)), strict=True))
        sides = [self._matrix([vectors[pair[side]] for pair in group]) for group in (pairs, rests) for side in (0, 1)]
        signs = np.array([text.signs for text in read], dtype=np.float32)
        rows = heads.relate(pair_matrix(sides, signs), [text.terms for text in read])
        return [self._relation(text, row.tolist()) for text, row in zip(read, rows, strict=True)]

    def _heads(self) -> Heads:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    from relembra.minds.offline.judges.heads import load_heads

                    self._loaded = load_heads(self._path, self._embedder.name)
        return self._loaded

    def _matrix(self, vectors: Sequence[Vector]) -> Matrix:
        import numpy as np

        matrix = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
        if matrix.shape[1] != self._heads().dimensions:
            raise InvalidInputError(
                f"vectors of {matrix.shape[1]} numbers, but the judges read {self._heads().dimensions}", field="vectors"
            )
        return matrix.astype(np.float32)

    def _judgement(self, rule: Ruling | None, rows: Mapping[str, list[float]]) -> Judgement:
        policy = self._policy
        likely = rows["worth"][0]
        if rule is None:
            worth = Verdict(value=likely >= policy.worth_at_least, probability=likely, why=f"model p={likely:.2f}")
        else:
            sure = policy.rule_sure if rule.worth else 1.0 - policy.rule_sure
            worth = Verdict(value=rule.worth, probability=sure, why=f"rule: {rule.name}")
        acts = dict(zip(Act, rows["act"], strict=True))
        act = rule.act if rule is not None and rule.act is not None else _main_act(acts, policy.act_at_least)
        return Judgement(
            worth=worth,
            kind=_kind(rule, worth, rows["kind"]),
            area=_area(worth, rows["area"]),
            act=Choice(
                value=act,
                probability=acts[act],
                why=_why(rule if rule is not None and rule.act is not None else None, acts[act]),
                all=acts,
            ),
            acts=frozenset({act, *(other for other, chance in acts.items() if chance >= policy.act_at_least)}),
            mood=_likeliest(Mood, rows["mood"]),
            emotion=_likeliest(Emotion, rows["emotion"]),
        )

    def _relation(self, text: PairText, row: list[float]) -> Relation:
        policy = self._policy
        if text.identical:
            sure = policy.rule_sure
            chances = {label: sure if label is Label.SAME else (1.0 - sure) / 2 for label in Label}
            return Relation(label=Label.SAME, probability=sure, why="rule: the same words", all=chances)
        chances = dict(zip(Label, row, strict=True))
        least = {
            Label.SAME: policy.same_at_least,
            Label.CONTRADICTS: policy.contradicts_at_least,
            Label.NEITHER: 0.0,
        }
        ranked = sorted(chances, key=lambda label: -chances[label])
        label = next((label for label in ranked if chances[label] >= least[label]), Label.NEITHER)
        return Relation(
            label=label, probability=chances[label], why=f"model p={chances[label]:.2f}{_seen(text)}", all=chances
        )


def _main_act(acts: Mapping[Act, float], at_least: float) -> Act:
    """What a message chiefly does: asking outweighs telling, since whoever asks tells the reason too."""
    asking = max((Act.QUESTION, Act.REQUEST), key=lambda act: acts[act])
    return asking if acts[asking] >= at_least else max(acts, key=lambda act: acts[act])


def _kind(rule: Ruling | None, worth: Verdict, row: list[float]) -> Choice[KnowledgeType | None]:
    """The likeliest kind that agrees with the verdict: something when it is kept, nothing when it is not."""
    chances = dict(zip(KINDS, row, strict=True))
    ruled = rule is not None and (rule.kind is not None or not rule.worth)
    if not worth.value:
        value = None
    elif rule is not None and rule.kind is not None:
        value = rule.kind
    else:
        value = max((kind for kind in KINDS if kind is not None), key=lambda kind: chances[kind])
    return Choice(
        value=value, probability=chances[value], why=_why(rule if ruled else None, chances[value]), all=chances
    )


def _area(worth: Verdict, row: list[float]) -> Choice[LifeArea | None]:
    chances = dict(zip(AREAS, row, strict=True))
    value = max(chances, key=lambda area: chances[area]) if worth.value else None
    return Choice(value=value, probability=chances[value], why=_why(None, chances[value]), all=chances)


def _likeliest(words: Iterable[T], row: list[float]) -> Choice[T]:
    chances = dict(zip(words, row, strict=True))
    value = max(chances, key=lambda word: chances[word])
    return Choice(value=value, probability=chances[value], why=_why(None, chances[value]), all=chances)


def _why(rule: Ruling | None, chance: float) -> str:
    return f"model p={chance:.2f}" if rule is None else f"rule: {rule.name}"


def _seen(text: PairText) -> str:
    """What in the words speaks for it, for whoever reads the reason."""
    seen = []
    if text.denied_alone:
        seen.append("one denies")
    if text.numbers_differ:
        seen.append("numbers differ")
    if text.opposites:
        seen.append(f"{text.opposites[0]} / {text.opposites[1]}")
    return f" ({', '.join(seen)})" if seen else ""
