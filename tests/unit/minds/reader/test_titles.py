"""What a talk is about, in a few words: from the facts found in it, else from its own phrases."""

from __future__ import annotations

import pytest

from relembra.domain.candidate import Candidate
from relembra.domain.knowledge import SELF, KnowledgeType
from relembra.domain.text import fold
from relembra.minds.offline.language import STOP_WORDS, Language
from relembra.minds.reader.titles import LONGEST_TITLE, title_of

TALKS: tuple[tuple[Language, tuple[str, ...], str], ...] = (
    ("pt", ("me explica como funciona o imposto de renda para MEI?",), "Imposto de renda para MEI"),
    ("pt", ("perdi o relatório do cliente e tenho que entregar amanhã",), "Relatório do cliente"),
    ("pt", ("escreve um e-mail pro meu chefe pedindo férias em julho",), "E-mail pro meu chefe, férias"),
    ("pt", ("amanhã tenho prova de cálculo", "to desesperada"), "Prova de cálculo"),
    ("pt", ("Vi o Palmeiras no estádio, jogou muito!",), "Palmeiras no estádio"),
    ("pt", ("dormi no avião, com dor de cabeça",), "Avião, dor de cabeça"),
    ("en", ("a trip to the bank after my gran Rosa's birthday",), "Trip to the bank, gran Rosa's birthday"),
    ("en", ("can you explain how the garbage collector in Python works?",), "Garbage collector in Python"),
    ("en", ("what time is it in Tokyo?",), "Tokyo"),
    ("en", ("Write a haiku about autumn leaves",), "Haiku about autumn leaves"),
    ("en", ("We painted the kitchen in Porto.", "I lost my driving licence"), "Kitchen in Porto, driving licence"),
    ("en", ("I've got chicken thighs and some old potatoes",), "Chicken thighs, old potatoes"),
)


def a_fact(value: str, evidence: str, *, subject: str = SELF, attribute: str = "habit") -> Candidate:
    return Candidate(
        content=f"“{evidence}”",
        message_id="m",
        type=KnowledgeType.FACT,
        subject=subject,
        attribute=attribute,
        value=value,
        evidence=evidence,
        confidence=0.9,
    )


@pytest.mark.parametrize(("language", "texts", "title"), TALKS)
def test_a_talk_without_facts_is_titled_by_its_phrases(language: Language, texts: tuple[str, ...], title: str) -> None:
    assert title_of(texts, (), language) == title


def test_facts_are_the_matter_with_whom_they_are_about() -> None:
    texts = "Comecei a fazer pilates na academia da esquina", "minha irmã Clara arrumou emprego novo na Globo"
    facts = [
        a_fact("pilates", texts[0]),
        a_fact("irmã", texts[1], subject="Clara", attribute="relation"),
        a_fact("arrumou emprego novo na Globo", texts[1], subject="Clara", attribute="employment"),
    ]
    assert title_of(texts, facts, "pt") == "Pilates na academia da esquina; Clara: emprego novo na Globo"


def test_a_phrase_joins_a_single_fact() -> None:
    said = "The whole team is being let go, and I've been at Acme for years"
    assert title_of([said], [a_fact("Acme", said, attribute="employment")], "en") == "Whole team, Acme"


@pytest.mark.parametrize(
    ("language", "fact", "title"),
    [
        (
            "pt",
            a_fact("camarão", "Ela é alérgica a camarão", subject="Bia", attribute="allergy"),
            "Bia: alergia a camarão",
        ),
        ("pt", a_fact("45 anos", "tenho 45 anos", attribute="age"), "Idade: 45 anos"),
        ("pt", a_fact("emagrecer 5 kg", "quero emagrecer 5 kg", attribute="goal"), "Emagrecer 5 kg"),
        ("pt", a_fact("Fui demitida", "Fui demitida hoje", attribute="event"), "Demitida"),
        ("en", a_fact("failed my driving test", "I failed my driving test", attribute="event"), "Driving test"),
        ("en", a_fact("running every morning", "I've been running every morning"), "Running every morning"),
        ("en", a_fact("34", "I'm 34", attribute="age"), "Age: 34"),
    ],
)
def test_a_value_is_named_so_that_it_says_something(language: Language, fact: Candidate, title: str) -> None:
    assert title_of([fact.evidence or ""], [fact], language) == title


@pytest.mark.parametrize(("text", "title"), [("bom dia", "Bom dia"), ("ok", "Ok"), ("👍", "👍")])
def test_small_talk_is_its_own_title(text: str, title: str) -> None:
    assert title_of([text], (), "pt") == title


def test_a_title_is_short_whole_and_ends_in_a_word_that_says_something() -> None:
    long = (
        "Ontem eu e a minha prima fomos naquela feira de antiguidades do bairro da Liberdade comprar uma luminária de"
    )
    for texts in ([long], [long, long.replace("luminária", "cadeira")], ["palavra " * 200], ["x" * 5_000]):
        title = title_of(texts, (), "pt")
        assert 0 < len(title) <= LONGEST_TITLE
        assert fold(title.split()[-1]) not in STOP_WORDS
        assert title.casefold() not in long.casefold() or len(title) < len(long) // 2
