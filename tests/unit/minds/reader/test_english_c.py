"""The English grammar on other people's words, additions, partings, wording, and people told by where they stand."""

from __future__ import annotations

from datetime import datetime

import pytest

from loops import each
from relembra.minds.offline.reader.engine import Said, read
from relembra.minds.offline.reader.english import GRAMMAR

SAID_AT = datetime.fromisoformat("2026-03-10T14:00:00-03:00")

OTHER_MOUTHS = [
    "Maya wrote: I moved to Berlin and I work at Bosch now.",
    "My sister texted: I'm pregnant and I live in Oslo",
    "Tom said: I hate my job. I live in Porto.",
    "message from Ana: I'm allergic to nuts. I live in Rome.",
    "text from my boss: I'm moving to Lyon next week",
    "Forwarded: I live in Paris and work at Nestle.",
    "Write a speech: I'm a teacher from Ohio. I have two kids.",
    "Draft an email: I'm leaving my job at Tesco. I live in Leeds.",
    "Draft: I'm a nurse in Leeds. I love cats.",
    "Write me a short bio: I'm a data analyst living in Denver.",
    "the poem should begin: I buried my brother in the orchard",
    "Ana: I live in Lisbon now",
    "Ana: hi! Bob: I live in Lisbon and I'm a nurse",
    "[10:32] Ana: I live in Lisbon",
    "12/03/2026, 10:32 - Ana Souza: I work at Shell",
    "Mum: I'm at the station, I live in Hull now",
    "from: Ana\nI live in Rome",
]
NOTHING = [
    "I almost moved to Berlin",
    "I nearly quit my job",
    "almost lost my job last week",
    "I'm almost 40",
    "never would I live in Texas",
    "no way I'd ever move to Ohio",
    "I don't live in Boston",
    "I'm from HR",
    "I'm from the IT department",
    "I'm from sales",
    "I'm from Marketing, nice to meet you",
    "Work is work.",
    "Life is life.",
    "My wife too.",
    "I'm the one who called.",
    "I'm a huge fan of yours",
    "Fantastic. My laptop died. I love technology so much.",
    "Me, stressed? Never. I always eat cereal out of a saucepan at 2am.",
    "my feed says a lad from Hull swam the Channel",
    "Someone from HR called me",
    "Things at work are fine",
    "I switched from tabs to spaces",
    "We changed the meeting from Monday to Friday",
    "They moved me to another desk",
    "My 10 year old car broke down",
    "I stopped reading at page 10",
    "I left the bank at noon",
    "Every. Single. Morning.",
]
SAYS: list[tuple[str, list[tuple[str, str | None, str | None]]]] = [
    ("I moved to Leeds last week! Mum texted: I live in Oslo", [("self", "residence", "Leeds")]),
    ("Update: I live in Boston now", [("self", "residence", "Boston")]),
    ("Need help with dinner: I'm coeliac", [("self", "condition", "coeliac")]),
    ("I told my boss: I'm moving to Leeds in May", [("self", "goal", "move to Leeds")]),
    ("Tom and I got divorced", [("self", "marital_status", "divorced"), ("Tom", "former_relation", "spouse")]),
    (
        "My husband Tom and I got divorced",
        [("self", "marital_status", "divorced"), ("Tom", "former_relation", "husband")],
    ),
    ("my husband and I got divorced", [("husband", "former_relation", "husband")]),
    ("I separated from Marta", [("self", "marital_status", "separated"), ("Marta", "former_relation", "spouse")]),
    ("I broke up with Tom", [("self", "marital_status", "single"), ("Tom", "former_relation", "partner")]),
    ("my wife left me", [("self", "marital_status", "separated"), ("wife", "former_relation", "wife")]),
    ("Priyanka from accounts just left", [("Priyanka", "relation", "colleague")]),
    (
        "I drew Magda from HR. She likes succulents",
        [("Magda", "relation", "colleague"), ("Magda", "likes", "succulents")],
    ),
    ("Cousin Evander's wedding is in May", [("Evander", "relation", "cousin")]),
    ("Niece of mine, Saoirse, is visiting", [("Saoirse", "relation", "niece")]),
    ("Boss is called Grainne, by the way", [("Grainne", "relation", "boss")]),
    ("Amara, our seven-year-old, loves drums", [("Amara", "relation", "child"), ("Amara", "age", "seven")]),
    ("The twins, Otis and Pearl, start school soon", [("Otis", "relation", "twin"), ("Pearl", "relation", "twin")]),
    ("my old man works at Ford", [("father", "employment", "Ford")]),
    ("Uncle Desmond? Retired bus driver.", [("Desmond", "relation", "uncle"), ("Desmond", "employment", "retired")]),
    ("Tariq's wife Huda is lovely", [("Huda", "relation", "Tariq's wife")]),
    ("I no longer report to Sigrid", [("Sigrid", "former_relation", "manager")]),
    ("I've swapped coffee for matcha", [("self", "habit", "matcha"), ("self", "former_habit", "coffee")]),
    ("swapped the Bronx for Boise", [("self", "residence", "Boise"), ("self", "former_residence", "Bronx")]),
    (
        "Traded the Volvo for a cargo bike",
        [("self", "possession", "cargo bike"), ("self", "former_possession", "Volvo")],
    ),
    (
        "My doctor swapped the sertraline for venlafaxine",
        [("self", "medication", "venlafaxine"), ("self", "former_medication", "sertraline")],
    ),
    (
        "Jumped ship from Deloitte to a small startup",
        [("self", "employment", "small startup"), ("self", "former_employment", "Deloitte")],
    ),
    ("They bumped me from line cook to sous chef", [("self", "occupation", "sous chef")]),
    ("In a past life I was a croupier on cruise ships", [("self", "former_occupation", "croupier")]),
    ("Quit the bank in March", [("self", "former_employment", "bank")]),
    ("No more energy drinks for me", [("self", "former_habit", "energy drinks")]),
    ("Karaoke is my idea of hell", [("self", "dislikes", "Karaoke")]),
    ("I get weirdly jealous when my twin is out", [("self", "emotion", "jealous when my twin is out")]),
    ("Presentations make me sick with nerves", [("self", "emotion", "nerves about Presentations")]),
    ("Lunch with Verhoeven on 24 June", [("self", "meeting", "Lunch with Verhoeven")]),
    ("The planning appeal must be lodged before May 6", [("self", "deadline", "planning appeal")]),
    ("I'm 30 on May 4", [("self", "birthday", "May 4")]),
    ("my dog won't touch kibble", [("dog", "diet", "no kibble")]),
    ("got moved to days at the data center!!", [("self", "schedule", "days")]),
    ("My grandson's deaf in one ear", [("grandson", "condition", "deaf in one ear")]),
    ("My parents split up in the summer", [("parent", "marital_status", "separated")]),
    ("Me and Cormac are engaged!!", [("self", "marital_status", "engaged"), ("Cormac", "relation", "fiancé(e)")]),
    ("we got a rescue greyhound!! his name is Biscuit", [("Biscuit", "relation", "greyhound")]),
    ("bedtime has slid to 11:30pm", [("self", "bedtime", "11:30pm")]),
    (
        "My brother has football Tuesdays and choir Thursdays",
        [("brother", "schedule", "football on Tuesdays"), ("brother", "schedule", "choir on Thursdays")],
    ),
]
WORDED = [
    ("Tom is my husband", "Tom is their husband"),
    ("My sister Clara lives in Leeds", "Clara is their sister"),
    ("I'm a data analyst", "Works as a data analyst"),
    ("I'm an engineer", "Works as an engineer"),
    ("I work in marketing", "Works in marketing"),
    ("I work at a bakery", "Works at a bakery"),
    ("I love my job", "Likes their job"),
    ("I'm vegan", "Is vegan"),
    ("My brother is vegan", "Brother is vegan"),
    ("I have a meeting with my lawyer next Thursday", "Meeting with their lawyer (2026-03-19)"),
    ("my boyfriend and I broke up", "Is no longer with their boyfriend"),
    ("I also work at Bosch", "Also works at Bosch"),
    ("I work at Tesco on weekends", "Works at Tesco on weekends"),
]
ADDITIONS = [
    "I also work at Bosch",
    "I now also work at Bosch",
    "I work at Tesco as well",
    "besides Shell, I work at Tesco now",
    "I also live in Lisbon part of the year",
    "I'm also a photographer now",
    "I work as a DJ on weekends now",
]
ONCE = [
    ("Hubby made partner at the law firm", "event"),
    ("my neighbor Lou is ill and I take him to physio on Wednesdays", "schedule"),
    ("I have therapy every Tuesday", "schedule"),
]


def _read(text: str) -> list[Said]:
    return read(text, GRAMMAR, said_at=SAID_AT)


@each([*OTHER_MOUTHS, *NOTHING])
def test_other_peoples_words_and_empty_ones_say_nothing_of_the_speaker(text: str) -> None:
    assert [(said.subject, said.attribute, said.value) for said in _read(text)] == []


@each(SAYS)
def test_a_phrasing_says_its_facts(text: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    found = [(said.subject, said.attribute, said.value) for said in _read(text)]
    assert [one for one in expected if one not in found] == []


@each(WORDED)
def test_what_was_said_is_told_in_the_third_person(text: str, sentence: str) -> None:
    assert sentence in [said.content or GRAMMAR.worded(said) for said in _read(text)]


@pytest.mark.parametrize("text", ADDITIONS)
def test_a_second_job_or_home_ends_nothing(text: str) -> None:
    found = _read(text)
    assert found
    assert not any(said.changed or said.attribute in ("employment", "residence") for said in found)


@pytest.mark.parametrize(("text", "attribute"), ONCE)
def test_one_statement_is_kept_once(text: str, attribute: str) -> None:
    found = [said for said in _read(text) if said.attribute in ("habit", "schedule", "event", "achieved")]
    assert [said.attribute for said in found] == [attribute]


def test_a_parting_ends_the_tie_it_names() -> None:
    found = _read("My husband Tom and I got divorced")
    assert not any(said.attribute == "relation" for said in found)
