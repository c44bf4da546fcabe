"""The offline reader: what it reads, its moods, titles, summaries and trial."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from builders import NOW, a_message
from loops import each
from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import SELF, KnowledgeType
from relembra.domain.message import Message, Role
from relembra.domain.policy import LearnPolicy
from relembra.domain.text import fold
from relembra.errors import MindError
from relembra.minds.offline.language import STOP_WORDS, Language
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.reader.networks import Networks, Tagged, shipped_networks
from relembra.minds.reader.reader import OfflineReader, tried_reading
from relembra.minds.reader.wording import LONGEST_TITLE, SUMMARY_CHARACTERS, note_text, summary_of, title_of


@each([(timedelta(hours=3), ["Lives in Leeds"]), (timedelta(days=6), [])])
async def test_an_answer_is_read_with_the_question_unless_that_was_long_ago(ago: timedelta, found: list[str]) -> None:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)
    asked = a_message(text="Do you live in Leeds?", role=Role.ASSISTANT, author="assistant", sent_at=NOW - ago)
    talk = Talk((asked, a_message(text="Yes, I do.", sent_at=NOW)), language="en")
    assert [one.content for one in (await reader.digest(talk)).candidates] == found


@each([(Role.ASSISTANT, 1), (Role.USER, 0)])
async def test_more_is_asked_of_what_is_kept_where_people_talk_with_each_other(other: Role, found: int) -> None:
    policy = LearnPolicy(keep_at_least=0.1, keep_among_people=1.0, keep_of_self=1.0)
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=policy, summary_tokens=80)
    asked = a_message(text="Where do you live?", role=other, author="bia", sent_at=NOW - timedelta(minutes=1))
    said = a_message(text="I live in Leeds.", author="ana", sent_at=NOW)
    digest = await reader.digest(Talk((asked, said), speaker="ana", language="en"))
    assert len(digest.candidates) == found


@each(
    [
        (LearnPolicy(keep_of_self=0.1, keep_among_people=1.0), {SELF}),
        (LearnPolicy(keep_of_self=1.0, keep_among_people=0.1), {SELF, "Clara"}),
    ]
)
async def test_less_is_asked_of_what_people_say_of_themselves(policy: LearnPolicy, found: set[str]) -> None:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=policy, summary_tokens=80)
    asked = a_message(text="Any news?", author="bia", sent_at=NOW - timedelta(minutes=1))
    said = a_message(text="I live in Leeds now. My sister Clara lives in York.", author="ana", sent_at=NOW)
    digest = await reader.digest(Talk((asked, said), speaker="ana", language="en"))
    assert {one.subject for one in digest.candidates} == found


async def test_what_others_say_later_changes_nothing() -> None:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)
    said = a_message(text="I moved to Lisbon!", author="ana", sent_at=NOW)
    later = a_message(text="No way!", author="bia", sent_at=NOW + timedelta(minutes=1))
    alone, followed = [await reader.digest(Talk(all, speaker="ana")) for all in ((said,), (said, later))]
    assert [one.value for one in followed.candidates] == [one.value for one in alone.candidates] == ["Lisbon"]


async def test_what_one_message_tells_of_when_dates_no_other() -> None:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)
    texts = ("oi, tudo bem?", "moro em São Paulo desde 2019", "comecei a trabalhar como arquiteta numa construtora")
    said = [
        a_message(text=text, author="ana" if place else "rita", sent_at=NOW + timedelta(minutes=place))
        for place, text in enumerate(texts)
    ]
    digest = await reader.digest(Talk(tuple(said), speaker="ana", language="pt"))
    since = {one.value: one.held_from and one.held_from.year for one in digest.candidates}
    assert (since["São Paulo"], since["arquiteta"]) == (2019, None)


class Blind(Networks):
    """Networks that see nothing in any word, as damaged ones might."""

    def tag(self, words: object) -> Tagged:
        seen = super().tag(words)  # type: ignore[arg-type]
        return Tagged(seen.tags * 0, seen.status, seen.marks, seen.about)


def test_the_shipped_networks_read_plain_sentences() -> None:
    assert tried_reading(shipped_networks()) == 4


def test_networks_that_read_nothing_are_a_clear_problem() -> None:
    with pytest.raises(MindError, match=r"misread 'Eu moro em Recife\.'.*install relembra again"):
        tried_reading(Blind())


def test_a_network_that_is_not_there_is_a_clear_problem(tmp_path: Path) -> None:
    with pytest.raises(MindError, match="tagger-int8"):
        tried_reading(Networks(tmp_path))


SAID = (
    ("pt", "abatido", "que raiva, o sistema caiu de novo"),
    ("pt", "abatido", "não aguento mais esse trabalho, tô exausta e triste"),
    ("pt", "animado", "consegui o emprego!!"),
    ("pt", "animado", "tô muito feliz, minha filha nasceu hoje"),
    ("pt", "neutro", "que horas abre o banco?"),
    ("en", "low", "this is so frustrating, the app crashed again and I lost everything"),
    ("en", "low", "I feel terrible, my dog died yesterday"),
    ("en", "in good spirits", "I got the job!! so happy"),
    ("en", "in good spirits", "we won the final, best day ever"),
    ("en", "neutral", "what time is it in Tokyo?"),
)


async def told(language: str, *texts: str) -> str:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)
    return await reader.working_summary(Talk(tuple(a_message(text=text) for text in texts), language=language), None)


@each(SAID)
async def test_a_message_has_its_mood(language: str, mood: str, text: str) -> None:
    assert (await told(language, text)).endswith(f": {mood})")


async def test_a_plain_message_after_a_frustrated_one_does_not_calm_it() -> None:
    summary = await told("pt", "que raiva, o sistema caiu de novo", "vou ligar pro suporte")
    assert summary == "Que raiva, o sistema caiu de novo. Vou ligar pro suporte. (humor: abatido)"


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
        content=f"“{evidence}”", message_id="m", type=KnowledgeType.FACT, subject=subject, attribute=attribute,
        value=value, evidence=evidence, confidence=0.9,
    )  # fmt: skip


@each(TALKS)
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


@each(
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
        ("en", a_fact("don't eat meat", "I don't eat meat", attribute="diet"), "Don't eat meat"),
        ("en", a_fact("", "Peanuts, would you believe it", attribute="allergy"), "Peanuts, would you believe it"),
    ]
)
def test_a_value_is_named_so_that_it_says_something(language: Language, fact: Candidate, title: str) -> None:
    assert title_of([fact.evidence or ""], [fact], language) == title


@each([("bom dia", "Bom dia"), ("ok", "Ok"), ("👍", "👍")])
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


def said(*texts: str, author: str = "ana") -> tuple[Message, ...]:
    return tuple(a_message(text=text, author=author) for text in texts)


def test_what_tells_most_is_told_and_pleasantries_are_not() -> None:
    talk = Talk(said("Oi, tudo bem?", "Me mudei para o Recife com a minha irmã Clara.", "kkkk", "Obrigada!"))
    note = note_text(talk)
    assert "Recife" in note.title
    assert note.summary == "Me mudei para o Recife com a minha irmã Clara."


@each(
    [
        (
            ("que raiva, o sistema caiu de novo", "perdi o relatório do cliente"),
            "Que raiva, o sistema caiu de novo. Perdi o relatório do cliente.",
        ),
        (
            ("the dog ate a sock,", "did your cat swallow things like that?"),
            "The dog ate a sock. Did your cat swallow things like that?",
        ),
        (("passei no concurso 🎉", "começo em maio (acho)"), "Passei no concurso 🎉 Começo em maio (acho)."),
        (("iPhone quebrou de novo", "parser.py falha sempre"), "iPhone quebrou de novo. parser.py falha sempre."),
    ]
)
def test_every_sentence_has_its_end(texts: tuple[str, ...], told: str) -> None:
    assert note_text(Talk(said(*texts))).summary == told


def test_a_sentence_that_only_repeats_the_title_is_left_out() -> None:
    talk = Talk(said("A prova de cálculo.", "Não estudei nada e dormi mal a semana inteira."), language="pt")
    note = note_text(talk)
    assert (note.title, note.summary) == ("Prova de cálculo", "Não estudei nada e dormi mal a semana inteira.")


def test_what_tells_a_fact_goes_before_what_tells_none() -> None:
    texts = [f"We talked about the harbour, its boats and many other towns of number {one}." for one in range(9)]
    fact = Candidate(
        content="Is vegan", message_id="m", type=KnowledgeType.FACT, value="vegan", evidence="Tom is now vegan"
    )
    assert "Tom is now vegan." in note_text(Talk(said(*texts, "tom is now vegan")), [fact]).summary.replace(
        "tom", "Tom"
    )


def test_small_talk_alone_still_has_a_note() -> None:
    note = note_text(Talk(said("oi", "bom dia")))
    assert note.title
    assert note.summary


def test_where_several_spoke_it_is_said_who() -> None:
    talk = Talk(
        (*said("I finally sold the old boat in Porto."), *said("We painted the whole kitchen green.", author="Bob"))
    )
    assert (
        note_text(talk).summary == "ana: I finally sold the old boat in Porto. Bob: We painted the whole kitchen green."
    )


def test_a_speaker_is_named_once_for_what_follows() -> None:
    talk = Talk(
        (*said("We sold the boat.", "The kitchen is green."), *said("I start my new job in May.", author="Bob"))
    )
    assert note_text(talk).summary == "ana: We sold the boat. The kitchen is green. Bob: I start my new job in May."


def test_the_assistants_words_are_nobodys_news() -> None:
    message = replace(a_message(text="You live in Paris with seven cats."), role=Role.ASSISTANT, author="assistant")
    assert "Paris" not in note_text(Talk((*said("I moved to Leeds in May for the new job."), message))).summary


def test_it_is_short_and_in_the_order_said() -> None:
    texts = [f"On day {number} we walked to the harbour of town {number} and drew its boats." for number in range(40)]
    told = summary_of(said(*texts), most_characters=SUMMARY_CHARACTERS)
    assert len(told) <= SUMMARY_CHARACTERS
    chosen = [text for text in texts if text in told]
    assert chosen
    assert " ".join(chosen) == told
