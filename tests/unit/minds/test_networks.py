"""The networks that come in the package read what people say straight, and nothing where nobody claims anything."""

from __future__ import annotations

import hashlib
import random
from datetime import UTC, datetime
from typing import Any

from loops import each
from relembra.minds.offline.language import Language
from relembra.minds.reader.facts import read
from relembra.minds.reader.networks import (
    DOES,
    LONGEST,
    MODELS,
    TAGGED_LATELY,
    Networks,
    Pieces,
    Question,
    Speaker,
    Turn,
    about_known,
    fitting,
    laid_out,
    pieces_of,
    shipped_networks,
)

SAID_AT = datetime(2026, 11, 16, 12, tzinfo=UTC)


@each([
        ("pt", "Meu nome é Bruno e moro em Recife.", {("self", "name", "Bruno"), ("self", "residence", "Recife")}),
        ("pt", "Sou alérgica a camarão.", {("self", "allergy", "camarão")}),
        ("pt", "Minha mãe se chama Helena.", {("Helena", "relation", "mãe")}),
        ("pt", "Não trabalho mais na Globo.", {("self", "former_employment", "Globo")}),
        ("pt", "Meu tipo sanguíneo é O-.", {("self", "blood_type", "O-")}),
        ("en", "I live in Leeds and I'm vegan.", {("self", "residence", "Leeds"), ("self", "diet", "vegan")}),
        ("en", "My sister Clara is a vet.", {("Clara", "relation", "sister"), ("Clara", "occupation", "vet")}),
        ("en", "I take metformin twice a day.", {("self", "medication", "metformin twice a day")}),
    ])  # fmt: skip
def test_what_is_said_straight_is_found(language: Language, text: str, found: set[tuple[str, str, str]]) -> None:
    facts = read(shipped_networks(), text, (), said_at=SAID_AT, language=language, least=0.8).facts
    assert {(fact.subject, fact.attribute, fact.value) for fact in facts} == found
    assert all(0.8 <= fact.likely <= 1 for fact in facts)


@each(
    [
        ("pt", "Se eu morasse em Lisboa, iria à praia todo dia."),
        ("pt", "Traduz para o inglês: moro em Salvador."),
        ("pt", "Qual a capital da França?"),
        ("en", "Write a story about a man who lives in Rome."),
        ("en", "If I were rich I'd live in Paris."),
        ("en", "let me know how it works"),
        ("en", "I have a - b = 3 to solve, is that O(n)?"),
    ]
)
def test_what_nobody_claims_is_not_found(language: Language, text: str) -> None:
    assert read(shipped_networks(), text, (), said_at=SAID_AT, language=language, least=0.8).facts == []


def test_a_grade_is_no_blood_type() -> None:
    text = "I got a + in maths, is my blood sugar test next?"
    facts = read(shipped_networks(), text, (), said_at=SAID_AT, language="en", least=0.5).facts
    assert "blood_type" not in {fact.attribute for fact in facts}


def test_somebody_elses_sister_is_not_the_writers() -> None:
    before = [Turn(Speaker.OTHER, "My sister Clara is a vet.", "Bob")]
    facts = read(
        shipped_networks(), "oh, is she in Leeds too?", before, said_at=SAID_AT, language="en", least=0.8
    ).facts
    assert [fact for fact in facts if fact.attribute == "relation"] == []


def test_what_a_message_does_to_something_known() -> None:
    networks = shipped_networks()
    for known, said, does in (
        ("Jack is their boyfriend", "Jack and I broke up", "ends"),
        ("Lives in Leeds", "what's the weather in Tokyo?", "nothing"),
    ):
        likely = networks.does(about_known(known, laid_out(said)[1], networks.cutter))
        assert DOES[likely.index(max(likely))] == does


def test_any_text_fits_however_long_its_words() -> None:
    networks, rng = shipped_networks(), random.Random(5)
    signs = "abcd áç你の😀\u200b.,!?\n-'\"()0123ABC"
    for length in (0, 1, 60, 4_000):
        for text in ("".join(rng.choice(signs) for _ in range(length)), "x" * length, "你" * length):
            before = [Turn(Speaker.OTHER, "".join(rng.choice(signs) for _ in range(2_000)), "Ana")]
            words = fitting(laid_out(text, before)[1], networks.cutter)
            assert len(pieces_of(words, networks.cutter).ids) <= LONGEST
            read(networks, text, before, said_at=SAID_AT, language="pt", least=0.8)
            networks.does(about_known(text, words, networks.cutter))


@each(["tagger", "judge", "effects"])
def test_the_card_is_of_the_networks_that_ship(name: str) -> None:
    card = (MODELS / "READER_CARD.md").read_text(encoding="utf-8")
    assert hashlib.sha256((MODELS / f"{name}-int8.onnx").read_bytes()).hexdigest()[:16] in card


def test_a_text_read_lately_is_not_put_to_the_tagger_again() -> None:
    asked = list[str]()

    class Counting(Networks):
        def _run(self, name: str, given: Pieces | Question) -> list[Any]:
            asked.append(name)
            return super()._run(name, given)

    networks = Counting()
    (_, live), (_, work) = laid_out("I live in Leeds."), laid_out("I work in Leeds.")
    first = networks.tag(live)
    assert networks.tag(work) is not first
    assert networks.tag(live) is first
    assert asked == ["tagger", "tagger"]
    for number in range(TAGGED_LATELY):
        networks.tag(laid_out(str(number))[1])
    networks.tag(live)
    assert len(asked) == 3 + TAGGED_LATELY
