"""Questions taken apart: the labelled set, and the rules it rests on, one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from examples import Example, examples
from loops import each
from relembra.domain.knowledge import KINDS, TOPICS, KnowledgeType, LifeArea
from relembra.domain.message import Role
from relembra.domain.searchable import Inquiry, Period
from relembra.errors import InvalidInputError
from relembra.minds.offline.questions import OfflineInquirer
from relembra.minds.port import Inquirer

BRASILIA = timezone(timedelta(hours=-3))
WEDNESDAY = datetime(2025, 6, 18, 15, 0, tzinfo=BRASILIA)
KNOWN = {
    "ana": "Ana Souza", "ana clara": "Ana Clara", "tom": "Tom", "will": "Will",
    **dict.fromkeys(["beatriz", "bia", "irma", "sister"], "Beatriz"),
    **dict.fromkeys(["boss", "chefe", "marcos"], "Marcos"),
    **dict.fromkeys(["lucia", "mae", "mom"], "Lúcia"),
    **dict.fromkeys(["rach", "rachel"], "Rachel"),
    **dict.fromkeys(["rafa", "rafael"], "Rafael"),
}  # fmt: skip
# What the half never tuned on reaches, rounded down.
HELD_OUT = {
    "language": 0.99, "core": 0.98, "names": 0.99, "mentions": 0.99, "period": 0.98, "topics": 0.92, "role": 0.98,
    "past": 0.97, "ordered": 0.99,
}  # fmt: skip

inquirer: Inquirer = OfflineInquirer()


def read(text: str, *, now: datetime = WEDNESDAY) -> Inquiry:
    return inquirer.read(text, now=now, known=KNOWN)


def period(text: str, *, now: datetime = WEDNESDAY) -> Period:
    found = read(text, now=now).period
    assert found is not None
    return found


def days(text: str) -> tuple[str, str]:
    """First day of the period and the first after it, on the asker's calendar."""
    found = period(text)
    return f"{found.start.astimezone(BRASILIA):%Y-%m-%d}", f"{found.end.astimezone(BRASILIA):%Y-%m-%d}"


def wanted(example: Example, field: str) -> object:
    if field == "topics":
        return frozenset(example["topics"])
    if field == "period" and example["period"]:
        named = example["period"]
        return datetime.fromisoformat(named["start"]), datetime.fromisoformat(named["end"]), named["precise"]
    return example[field]


def told(example: Example, field: str) -> object:
    found = inquirer.read(example["text"], now=datetime.fromisoformat(example["now"]), known=KNOWN)
    if field == "topics":
        return frozenset(found.topics)
    if field == "period" and found.period:
        return found.period.start, found.period.end, found.period.precise
    value = getattr(found, field)
    return list(value) if isinstance(value, tuple) else value


@each(HELD_OUT)
def test_the_tuned_half_is_read_as_labelled(field: str) -> None:
    chosen = examples("inquiries", split="tune")
    wrong = [one["text"] for one in chosen if told(one, field) != wanted(one, field)]
    assert wrong == []


@each(HELD_OUT)
def test_the_held_out_half_is_read_as_well_as_it_was(field: str) -> None:
    chosen = examples("inquiries", split="test")
    right = [one for one in chosen if told(one, field) == wanted(one, field)]
    assert len(right) / len(chosen) >= HELD_OUT[field]


def test_the_labelled_set_is_in_both_languages() -> None:
    for split in ("tune", "test"):
        for language in ("pt", "en"):
            assert len(examples("inquiries", split=split, language=language)) >= 65


def test_food_talk_looks_at_preferences_and_facts_in_health_and_leisure() -> None:
    for text in ("O que você sugere pro meu jantar?", "What do you suggest for dinner?"):
        found = read(text)
        assert (found.topics, found.types) == (("food",), (KnowledgeType.PREFERENCE, KnowledgeType.FACT))
        assert found.areas == (LifeArea.HEALTH, LifeArea.LEISURE)


def test_every_area_of_life_is_some_topics() -> None:
    assert {area for topic in TOPICS.values() for area in topic.areas} == set(LifeArea)


@each(
    [
        ("viajávamos muito", ("travel",)),
        ("my investments", ("money",)),
        ("qual país eu quero visitar?", ("travel",)),
        ("quem são meus pais?", ("family",)),
        ("o que foi que aconteceu?", ()),
    ]
)
def test_topics_are_told_by_any_form_of_their_words(text: str, topics: tuple[str, ...]) -> None:
    found = read(text)
    assert (found.topics, bool(found.types), bool(found.areas)) == (topics, bool(topics), bool(topics))
    assert "health" in read("mudei de plano de saúde").topics


@each(
    [
        ("Oi! Você poderia me dizer qual é meu peso, por favor?", "qual é meu peso?"),
        ("Hey, do you happen to remember where I parked, please?", "where I parked?"),
        ("Good morning! I sold my car. How much was it?", "I sold my car. How much was it?"),
        ("  hi  ", "hi"),
        *((text, text) for text in ("oi, tudo bem?", "Thanks!", "por favor", "do you remember?")),
        ("Remind me to water the plants", "Remind me to water the plants"),
    ]
)
def test_wrapping_is_taken_off_on_both_sides_and_kept_where_it_is_all(text: str, core: str) -> None:
    assert read(text).core == core


@each(
    [
        ("Ana Clara ligou pra Ana?", ("Ana Clara", "Ana Souza")),
        ("a Biana e a Tomasia vieram", ()),
        ("BIA’S birthday", ("Beatriz",)),
        ("minha irmã vem?", ("Beatriz",)),
        ("a irmã do Rafa vem?", ("Rafael",)),
        ("his sister is coming", ()),
        ("my older sister is coming", ("Beatriz",)),
        ("my boss's sister is coming", ("Marcos",)),
        ("when's mom coming?", ("Lúcia",)),
        ("is Will there?", ("Will",)),
        ("Will it rain?", ()),
        ("what will happen?", ()),
    ]
)
def test_names_are_whole_words_and_ties_the_askers_own(text: str, names: tuple[str, ...]) -> None:
    assert read(text).names == names


def test_a_key_that_kept_its_accents_is_found_too() -> None:
    found = inquirer.read("onde mora minha irmã?", now=WEDNESDAY, known={"irmã": "Beatriz"})
    assert found.names == ("Beatriz",)


VOICED = [
    (
        "What instrument did Priya's niece start?",
        "What instrument did my niece start?",
        {"instrument", "niec", "start"},
    ),
    ("where does PRIYA work?", "where does I work?", {"work"}),
    ("Onde mora a sobrinha da Priya?", "Onde mora a sobrinha meu?", {"mor", "sobrinh"}),
    ("O que Zé disse?", "O que Zé disse?", set()),
]


@pytest.mark.parametrize(("text", "voiced", "terms"), VOICED)
def test_who_is_asked_about_is_cut_from_the_words_to_look_for(text: str, voiced: str, terms: set[str]) -> None:
    found = inquirer.read(text, now=WEDNESDAY, speakers={"priya": "p-1", "dave": "dave"})
    named = voiced != text
    assert (found.speakers, found.voiced) == ((("p-1",), voiced) if named else ((), None))
    assert not any(term.startswith("priya") for term in found.weights)
    assert terms <= set(found.weights), found.weights


def test_handles_come_once_without_their_sign_and_addresses_are_none() -> None:
    assert read("@Bob e @ana.b. e @bob, mail x@y.com").mentions == ("Bob", "ana.b")


@each(
    [
        ("o que eu fiz em março?", "2025-03-01", "2025-04-01"),
        ("o que eu fiz em dezembro?", "2024-12-01", "2025-01-01"),
        ("where did I go in June?", "2025-06-01", "2025-07-01"),
        ("onde eu fui no carnaval?", "2025-03-01", "2025-03-05"),
        ("what will I do in August?", "2025-08-01", "2025-09-01"),
        ("o que eu comi há um dia?", "2025-06-17", "2025-06-18"),
        ("what did I eat two weeks ago?", "2025-06-01", "2025-06-08"),
        ("o que rolou há dois meses?", "2025-04-03", "2025-05-04"),
        ("o que eu fazia há dois anos?", "2022-12-18", "2023-12-19"),
        ("did I run in March or in April?", "2025-03-01", "2025-05-01"),
        ("o que mudou depois de março de 2024?", "2024-04-01", "2025-06-18"),
        ("what did I do in the last week of May 2025?", "2025-05-25", "2025-06-01"),
        ("o que fiz na última semana de maio?", "2025-05-25", "2025-06-01"),
        ("what did Ana do two days before June 9?", "2025-06-07", "2025-06-08"),
        ("o que fiz dois dias antes de 9 de junho?", "2025-06-07", "2025-06-08"),
        ("o que falamos entre 3 e 10 de maio?", "2025-05-03", "2025-05-11"),
    ]
)
def test_periods(text: str, first: str, after: str) -> None:
    assert days(text) == (first, after)


def test_vague_words_give_a_wide_period() -> None:
    for text in ("o que tenho feito ultimamente?", "what have I done recently?"):
        found = period(text)
        assert not found.precise
        assert found.end - found.start == timedelta(days=30)


@each(
    [
        "quem ganhou a Copa de 2022?",
        "did you watch 'Saturday Night Fever'?",
        "who has a birthday in March?",
        "how many times a week do I run?",
        "custou 2000 reais",
        "that song from 1999 that I like",
        "for three years I have lived here",
        "o que você sugere pro jantar de hoje?",
    ]
)
def test_what_does_not_tell_when_does_not_narrow(text: str) -> None:
    assert read(text).period is None


def test_a_period_keeps_its_words_even_with_loose_accents() -> None:
    assert period("o que comi em marc\u0327o de 2024?").text == "marc\u0327o de 2024"


def test_days_are_the_askers_and_periods_are_in_utc() -> None:
    late = datetime(2025, 6, 18, 1, 0, tzinfo=UTC).astimezone(ZoneInfo("America/Sao_Paulo"))  # still the 17th there
    found = period("o que eu fiz ontem?", now=late)
    assert found.start == datetime(2025, 6, 16, 3, tzinfo=UTC)
    assert found.start.tzinfo is UTC


def test_a_moment_without_timezone_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="timezone"):
        read("hoje", now=datetime(2025, 6, 18))


@each(
    [
        ("what did you recommend?", Role.ASSISTANT),
        ("what do you recommend?", None),
        ("o que você sugeriu?", Role.ASSISTANT),
        ("o que você sugere?", None),
        ("the list you gave me", Role.ASSISTANT),
        ("qual foi sua sugestão?", Role.ASSISTANT),
        ("Going back to our last chat about rugs, can you remind me of the brand?", Role.ASSISTANT),
        ("Lembra da nossa conversa sobre tapetes? Você lembra qual eu te falei?", Role.USER),
        ("what did I tell you?", Role.USER),
        ("o que a Bia me falou?", Role.USER),
        ("onde moro?", Role.USER),
        ("me diz quem é o Rafa", None),
    ]
)
def test_roles(text: str, role: Role | None) -> None:
    assert read(text).role is role


@each(
    [
        ("where did I use to live?", True),
        ("where do I live?", False),
        ("qual era meu cargo?", True),
        ("qual era mesmo o nome dela?", False),
        ("what did we say in our previous conversation?", False),
        ("o que eu como antes de treinar?", False),
        ("do I run more than I did previously?", False),
        ("where does Rita, from my previous company, currently work?", False),
        ("what was my personal best?", False),
        ("como mais do que antes?", False),
        ("o que a minha antiga chefe faz atualmente?", False),
        ("o que eu fiz dois dias antes de 9 de junho?", False),
        ("onde eu morava antes de casar?", True),
    ]
)
def test_what_was_is_told_from_what_is(text: str, past: bool) -> None:
    assert read(text).past is past


@each(
    [
        ("how many cats do I have?", True),
        ("quantos anos eu tenho?", False),
        ("which did I visit first, Rome or Paris?", True),
        ("a lista que você me deu", False),
        ("liste meus hobbies", True),
    ]
)
def test_several_things_are_told_from_one(text: str, ordered: bool) -> None:
    assert read(text).ordered is ordered


@each(
    [
        ("What am I allergic to?", "allergies"),
        ("me lembra todos os meus remédios", "medication"),
        ("list the pets we have", "pets"),
        ("onde já trabalhei?", "jobs"),
        ("what are my sister's hobbies?", "hobbies"),
        ("coisas de que não gosto", "dislikes"),
        ("what did my friends give me?", None),
        ("o que o chefe disse do projeto?", None),
        ("which goals did you suggest?", None),  # what the assistant said
    ]
)
def test_a_question_tells_the_kind_of_things_it_is_for(text: str, kind: str | None) -> None:
    found = read(text)
    assert found.attributes == (KINDS[kind] if kind else ())
    assert ("dog" in found.ties and "gato" in found.ties) == (kind == "pets")


def test_where_a_meal_is_to_be_suggested_allergies_are_asked_for() -> None:
    for text in ("recommend a restaurant", "o que eu posso jantar hoje?"):
        assert read(text).attributes == ("diet", "allergy", "intolerance")
    assert read("we had dinner at nine").attributes == ()


def test_a_long_text_is_judged_by_its_end() -> None:
    story = "Era uma vez um rei que gostava de bolo. " * 500
    found = read(story + "Onde a Bia trabalha?")
    assert found.text.startswith("Era uma vez")
    assert len(found.core) <= 4_000
    assert found.names == ("Beatriz",)
    assert "work" in found.topics


@each(
    [
        ("write a regex that matches dates", True),
        ("what is the capital of Peru?", True),
        ("explain recursion like I'm five", True),
        ("how do I reverse a list in Python?", True),
        ("quanto é 17*23?", True),
        ("me explica o que é recursão", True),
        ("what should I cook tonight?", False),
        ("what is my blood type?", False),
        ("write a card for Tom", False),  # who is known
        ("write a message to the landlord about the leak", False),
        ("what is for dinner?", False),
        ("what is planned for tomorrow?", False),
        ("escreve um bilhete de agradecimento pra vizinha", False),
        ("quanto falta do meu empréstimo?", False),
        ("hello!", False),
    ]
)
def test_work_that_concerns_nobody_is_told_by_how_it_is_asked(text: str, concerns_nobody: bool) -> None:
    assert read(text).is_task is concerns_nobody


@each(
    [
        *((text, True) for text in ("lol thanks", "haha brilliant, cheers", "Morning!", "sounds good", "hehe")),
        *((text, True) for text in ("kkkk obrigada, ficou ótimo", "kkk valeu mesmo", "top, obrigado", "brigadão")),
        *((text, False) for text in ("lol I broke my leg", "morning run was awful", "amei o show do Caetano")),
        *((text, False) for text in ("brilliant weather in Leeds", "cheers for the tip about my back")),
    ]
)
def test_thanks_praise_and_laughter_ask_nothing(text: str, is_small_talk: bool) -> None:
    assert read(text).is_small_talk is is_small_talk


def test_work_on_words_that_are_given_asks_nothing_of_anybody() -> None:
    given = ["translate into German: I live in Leeds.", "traduza 'eu moro aqui' para o inglês", "fix this:\nmy code"]
    assert [read(text).is_small_talk for text in given] == [True, True, True]
    assert not read("summarize what I said about Leeds").is_small_talk
