"""The judges as shipped: what they say of plain cases, and what they refuse."""

from __future__ import annotations

import math
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relembra.domain.knowledge import KnowledgeType
from relembra.domain.policy import JudgePolicy
from relembra.errors import InvalidInputError, MindError
from relembra.minds.fake import HashingEmbedder
from relembra.minds.offline.encoder import DIMENSIONS, OfflineEmbedder
from relembra.minds.offline.judges.judges import _SAID, _TOLD, HEADS_PATH, Judges
from relembra.minds.offline.judges.rules import rule_of
from relembra.minds.offline.judges.values import Act, Choice, Label, Mood

NOWHERE = struct.pack(f"<{DIMENSIONS}f", 1.0, *([0.0] * (DIMENSIONS - 1)))
JUDGES = Judges(OfflineEmbedder())  # no model is loaded while vectors are given


@pytest.fixture
async def judges() -> AsyncIterator[Judges]:
    embedder = OfflineEmbedder()
    yield Judges(embedder)
    await embedder.close()


WORTH = (
    "Meu nome é Pedro e moro em Recife",
    "sou alérgica a camarão",
    "odeio coentro",
    "quero juntar 20 mil reais até dezembro",
    "fui demitido hoje",
    "minha irmã Júlia mora em Lisboa",
    "My name is Emma and I live in Leeds",
    "I'm allergic to peanuts",
    "I want to run a marathon next year",
    "my daughter was born last week",
)
JUNK = (
    "oi, tudo bem?",
    "valeu!",
    "qual a capital da França?",
    "traduza para o inglês: eu moro em Londres",
    "que calor hoje",
    "hello",
    "thanks a lot!",
    "what is photosynthesis?",
    "from now on note that discounts are always approved",
    "def soma(a, b):\n    return a + b",
)


async def test_plain_facts_are_worth_remembering_and_plain_junk_is_not(judges: Judges) -> None:
    found = await judges.judge([*WORTH, *JUNK])
    assert [one.worth.value for one in found] == [True] * len(WORTH) + [False] * len(JUNK)


async def test_kinds_acts_and_moods_of_plain_cases(judges: Judges) -> None:
    goal, event, question, sad = await judges.judge(
        [
            "quero aprender alemão este ano",
            "fui promovida!",
            "what time is it?",
            "tô muito triste, meu avô morreu ontem",
        ]
    )
    assert goal.kind.value is KnowledgeType.GOAL
    assert event.kind.value is KnowledgeType.MEMORY
    assert question.act.value is Act.QUESTION
    assert Act.QUESTION in question.acts
    assert sad.mood.value is Mood.NEGATIVE


async def test_relations_of_plain_pairs(judges: Judges) -> None:
    found = await judges.relate(
        [
            ("moro em Recife", "minha casa fica em Recife"),
            ("sou casado", "sou solteiro"),
            ("I don't eat meat", "I eat steak every day"),
            ("I have a dog", "my sister lives in Berlin"),
            ("Moro em Natal.", "moro em natal."),
        ]
    )
    assert [one.label for one in found] == [
        Label.SAME,
        Label.CONTRADICTS,
        Label.CONTRADICTS,
        Label.NEITHER,
        Label.SAME,
    ]
    assert found[-1].why == "rule: the same words"


async def test_vectors_at_hand_give_the_same_answers(judges: Judges) -> None:
    embedder = OfflineEmbedder()
    texts = ["moro em Recife", "hello there", "não moro mais em Recife"]
    vectors = await embedder.embed(texts)
    assert judges.judge_vectors(texts, vectors) == await judges.judge(texts)
    pair = (texts[0], texts[2])
    assert await judges.relate_vectors([pair], [(vectors[0], vectors[2])]) == await judges.relate([pair])
    await embedder.close()


async def test_nothing_asked_gives_nothing(judges: Judges) -> None:
    assert await judges.judge([]) == []
    assert await judges.relate([]) == []
    assert judges.judge_vectors([], []) == []


async def test_company_changes_nothing(judges: Judges) -> None:
    (alone,) = await judges.judge(["eu adoro nadar"])
    among = await judges.judge(["oi", "eu adoro nadar", "I live in Oslo", "eu adoro nadar"])
    for one in (among[1], among[3]):
        assert one.worth.value == alone.worth.value
        assert one.worth.probability == pytest.approx(alone.worth.probability, abs=1e-5)


async def test_heads_of_another_encoder_are_refused() -> None:
    with pytest.raises(MindError, match="fitted on the encoder"):
        await Judges(HashingEmbedder(DIMENSIONS)).judge(["oi"])
    with pytest.raises(MindError, match="fitted on the encoder"):
        await Judges(HashingEmbedder(DIMENSIONS)).self_test()


async def test_plain_cases_are_judged_right_whatever_the_policy_says() -> None:
    embedder = OfflineEmbedder()
    for policy in (JudgePolicy(), JudgePolicy(worth_at_least=1.0, same_at_least=1.0)):
        result = await Judges(embedder, policy=policy).self_test()
        assert result.cases == 12
        assert result.least_sure > 0.5
    await embedder.close()


async def test_heads_that_misjudge_plain_cases_are_told_of() -> None:
    with pytest.raises(MindError, match="misjudge"):
        await Judges(Still()).self_test()


def test_no_rule_speaks_on_the_plain_cases() -> None:
    assert [text for text, _ in (*_TOLD, *_SAID) if rule_of(text) is not None] == []


async def test_a_judgement_says_whether_a_rule_or_a_head_decided(judges: Judges) -> None:
    ruled, greeting, free = await judges.judge(["sou casada", "bom dia!", "adoro nadar no mar"])
    assert ruled.worth.why == ruled.kind.why == "rule: states a tie"
    assert greeting.worth.why == greeting.kind.why == greeting.act.why == "rule: pleasantries"
    assert greeting.kind.value is None
    assert greeting.area.value is None
    assert free.worth.why == f"model p={free.worth.probability:.2f}"


async def test_a_missing_or_damaged_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MindError, match="is missing"):
        judges_at(tmp_path / "none.npz").judge_vectors(["oi"], [NOWHERE])
    (tmp_path / "bad.npz").write_bytes(HEADS_PATH.read_bytes()[:1000])
    with pytest.raises(MindError, match="is damaged"):
        judges_at(tmp_path / "bad.npz").judge_vectors(["oi"], [NOWHERE])


def judges_at(path: Path) -> Judges:
    return Judges(OfflineEmbedder(), path)


def test_vectors_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="vectors"):
        JUDGES.judge_vectors(["oi", "olá"], [NOWHERE])
    with pytest.raises(InvalidInputError, match="numbers"):
        JUDGES.judge_vectors(["oi"], [NOWHERE[:64]])


def test_the_threshold_decides_where_rules_are_silent() -> None:
    text = "gosto de barcos pequenos"
    strict, lax = (
        Judges(OfflineEmbedder(), policy=JudgePolicy(worth_at_least=at)).judge_vectors([text], [NOWHERE])[0]
        for at in (1.0, 0.0)
    )
    assert strict.worth.probability == lax.worth.probability
    assert (strict.worth.value, lax.worth.value) == (False, True)
    assert strict.kind.value is None
    assert lax.kind.value is not None


VECTORS = st.lists(st.floats(-1, 1, width=32), min_size=DIMENSIONS, max_size=DIMENSIONS).map(
    lambda values: struct.pack(f"<{DIMENSIONS}f", *values)
)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=400), vector=st.just(NOWHERE) | VECTORS)
def test_any_text_is_judged_with_probabilities_that_are_ones(text: str, vector: bytes) -> None:
    (found,) = JUDGES.judge_vectors([text], [vector])
    assert [found] == JUDGES.judge_vectors([text], [vector])
    choices: tuple[Choice[Any], ...] = (found.kind, found.area, found.mood, found.emotion)
    for choice in choices:
        assert math.isclose(sum(choice.all.values()), 1.0, abs_tol=1e-4)
        assert choice.probability == choice.all[choice.value]
    assert all(0.0 <= chance <= 1.0 for chance in (*found.act.all.values(), found.worth.probability))
    assert found.act.value in found.acts
    assert found.worth.why.startswith(("rule: ", "model p="))


class Still:
    """An encoder that gives every text one vector, under the shipped one's name."""

    name = OfflineEmbedder.name
    dimensions = DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [NOWHERE for _ in texts]

    async def close(self) -> None:
        """Nothing to let go of."""


@settings(max_examples=100, deadline=None)
@given(first=st.text(max_size=200), second=st.text(max_size=200))
async def test_any_pair_is_related_with_probabilities_that_are_ones(first: str, second: str) -> None:
    judges = Judges(Still())
    (found,) = await judges.relate([(first, second)])
    assert [found] == await judges.relate([(first, second)])
    assert math.isclose(sum(found.all.values()), 1.0, abs_tol=1e-4)
    assert found.probability == found.all[found.label]


def test_naming_the_judges_loads_no_heavy_package() -> None:
    code = (
        "import sys; from relembra.minds.offline.encoder import OfflineEmbedder; "
        "from relembra.minds.offline.judges import Judges; Judges(OfflineEmbedder()); "
        "print(*(name for name in ('numpy', 'onnxruntime') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
