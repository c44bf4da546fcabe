"""The English grammar on people, bodies, tastes, days, goals and feelings: families of phrasings, and what is none."""

from __future__ import annotations

import time
from datetime import datetime

import pytest

from loops import each
from relembra.minds.offline.reader.engine import Said, read
from relembra.minds.offline.reader.english import GRAMMAR

SAID_AT = datetime.fromisoformat("2026-03-10T14:00:00-03:00")

PEOPLE: list[tuple[str, list[tuple[str, str, str]]]] = [
    (
        "Harold's my grandson, he's mad for dinosaurs",
        [("Harold", "relation", "grandson"), ("Harold", "likes", "dinosaurs")],
    ),
    (
        "that's Biscuit barking, he's my corgi and he hates baths",
        [("Biscuit", "relation", "corgi"), ("Biscuit", "dislikes", "baths")],
    ),
    ("This is Mochi. She's my cat. She loves tuna.", [("Mochi", "relation", "cat"), ("Mochi", "likes", "tuna")]),
    ("Rhys (my brother) loves cricket", [("Rhys", "relation", "brother"), ("Rhys", "likes", "cricket")]),
    (
        "need a gift for my stepdad Ray, turns 50 on august 2, big fishing guy",
        [("Ray", "birthday", "august 2"), ("Ray", "likes", "fishing")],
    ),
    ("Suggest a lunchbox for my daughter, she has a peanut allergy.", [("daughter", "allergy", "peanut")]),
    ("My two boys, Finn and Archie, are here", [("Finn", "relation", "boy"), ("Archie", "relation", "boy")]),
    ("adopted two rats from the shelter, Salt n Pepa", [("Salt", "relation", "rat"), ("Pepa", "relation", "rat")]),
    ("we just rescued a greyhound, calling him Pickle", [("Pickle", "relation", "greyhound")]),
    (
        "Three cats rule this house: Miso, Tofu and Udon",
        [("Miso", "relation", "cat"), ("Tofu", "relation", "cat"), ("Udon", "relation", "cat")],
    ),
    ("picking my son up from nursery, he's called Idris btw", [("Idris", "relation", "son")]),
    ("My daughters are 4 and 9", [("daughter", "age", "4"), ("daughter", "age", "9")]),
    ("my lad's 6'5 at sixteen", [("lad", "height", "6'5"), ("lad", "age", "sixteen")]),
    ("my daughter, 8, is obsessed with horses", [("daughter", "age", "8"), ("daughter", "likes", "horses")]),
    ("we've got twin boys", [("self", "children", "twin boys")]),
    ("Mum of five here, I need a bigger pot", [("self", "children", "five")]),
    ("no children ourselves, but plenty of plants", [("self", "children", "none")]),
    ("we've got a six month old and a three year old", [("self", "children", "a six month old and a three year old")]),
    ("me n Kayla broke up", [("Kayla", "former_relation", "partner")]),
    ("me and Omar go way back. bestie for life", [("Omar", "relation", "best friend")]),
    ("he proposed at the game!!! i said yes obv", [("self", "marital_status", "engaged")]),
    (
        "Forty years married to my Alan this week",
        [("self", "marital_status", "married"), ("Alan", "relation", "spouse")],
    ),
]
BODIES: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("snack ideas? one pistachio and my throat closes up", [("self", "allergy", "pistachio")]),
    ("I come out in hives if I so much as touch a strawberry", [("self", "allergy", "strawberry")]),
    ("nickel makes my ears blow up", [("self", "allergy", "nickel")]),
    ("my epipen is for bees", [("self", "allergy", "bees")]),
    ("a pet for someone who's allergic to cats? asking for me", [("self", "allergy", "cats")]),
    ("Garlic and onion wreck my gut", [("self", "intolerance", "Garlic"), ("self", "intolerance", "onion")]),
    ("what beer can I drink if I don't tolerate gluten?", [("self", "intolerance", "gluten")]),
    ("it's fructose I can't digest", [("self", "intolerance", "fructose")]),
    ("As a vegetarian in a family of butchers, what can I bring?", [("self", "diet", "vegetarian")]),
    ("I eat fish but no meat", [("self", "diet", "fish but no meat")]),
    (
        "my meds: lisinopril 10, metformin 500 twice a day",
        [("self", "medication", "lisinopril 10"), ("self", "medication", "metformin 500")],
    ),
    ("doc upped my ramipril to 10mg", [("self", "medication", "ramipril 10mg")]),
    ("Does grapefruit matter with atorvastatin? I take one every night.", [("self", "medication", "atorvastatin")]),
    ("I've come off the antidepressants", [("self", "former_medication", "antidepressants")]),
    ("the migraines are back", [("self", "condition", "migraines")]),
    ("I've had endocarditis twice", [("self", "condition", "endocarditis")]),
    ("weighed in at 148 for wrestling", [("self", "weight", "148")]),
    ("what frame size for someone 163 cm like me?", [("self", "height", "163 cm")]),
    ("I'm six foot two", [("self", "height", "six foot two")]),
    ("the red cross keeps calling because im o neg lol", [("self", "blood_type", "o neg")]),
]
TASTES: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("gin and tonic is my go-to drink", [("self", "favorite_drink", "gin and tonic")]),
    ("Best film ever made is Sholay, my all time favourite", [("self", "favorite_movie", "Sholay")]),
    ("capybaras. that's the tweet. fav animal hands down", [("self", "favorite_animal", "capybaras")]),
    ("favourite book? Rebecca, no question", [("self", "favorite_book", "Rebecca")]),
    ("fall is the only season that matters to me", [("self", "favorite_season", "fall")]),
    (
        "there's nothing I like more than strong tea and a crossword",
        [("self", "likes", "strong tea"), ("self", "likes", "crossword")],
    ),
    ("something about thrift stores just heals me", [("self", "likes", "thrift stores")]),
    ("I could eat ramen every day", [("self", "likes", "ramen")]),
    ("big fan of Terry Pratchett", [("self", "likes", "Terry Pratchett")]),
    ("please no musicals, they make my skin crawl", [("self", "dislikes", "musicals")]),
    ("olives? absolutely not", [("self", "dislikes", "olives")]),
    ("went off coffee completely", [("self", "former_likes", "coffee")]),
]
DAYS: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("I tutor on weekends", [("self", "habit", "tutor on weekends")]),
    ("my wife crochets every evening", [("wife", "habit", "crochets every evening")]),
    ("cold showers every morning", [("self", "habit", "cold showers every morning")]),
    ("sundays = laundry, meal prep", [("self", "habit", "sundays: laundry, meal prep")]),
    ("I only shop second-hand", [("self", "habit", "only shop second-hand")]),
    ("haven't touched a vape since new years", [("self", "former_habit", "vape")]),
    ("Mondays are my day off", [("self", "schedule", "Mondays: day off")]),
    ("i wfh tuesdays and thursdays", [("self", "schedule", "wfh tuesdays and thursdays")]),
    ("I have choir practice on Wednesday evenings", [("self", "schedule", "choir practice on Wednesday evenings")]),
    ("coach has us in bed by ten", [("self", "bedtime", "ten")]),
    ("noon is when my day starts", [("self", "wake_time", "noon")]),
    ("Don't sugar-coat things", [("self", "communication", "Don't sugar-coat things")]),
    ("Best to reach me by email", [("self", "communication", "reach me by email")]),
    ("text me dont call", [("self", "communication", "text me dont call")]),
]
TURNS: list[tuple[str, list[tuple[str, str, str]]]] = [
    ("one day im opening a nail salon", [("self", "goal", "open a nail salon")]),
    ("running the marathon before i hit 30", [("self", "goal", "run the marathon")]),
    ("saving every spare dollar for a used van", [("self", "goal", "a used van")]),
    ("forget the marathon, i'm not doing it anymore", [("self", "dropped_goal", "marathon")]),
    ("Scrap the PhD plan, I'm not applying after all", [("self", "dropped_goal", "PhD")]),
    ("med school aint happening", [("self", "dropped_goal", "med school")]),
    ("put the house move on hold indefinitely", [("self", "dropped_goal", "house move")]),
    ("guess who finally paid off the credit card", [("self", "achieved", "paid off the credit card")]),
    ("Remember the 10k goal? Crossed the line on Sunday", [("self", "achieved", "finished the 10k")]),
    ("i made shift lead!!", [("self", "event", "made shift lead")]),
    ("Had my hip replaced in May", [("self", "event", "Had my hip replaced")]),
    ("Dad's broken his hip", [("dad", "event", "broken his hip")]),
    ("I get really nervous speaking in public", [("self", "emotion", "nervous speaking in public")]),
    ("I'm dreading the redundancy talks", [("self", "emotion", "dreading the redundancy talks")]),
]
SAYS = [*PEOPLE, *BODIES, *TASTES, *DAYS, *TURNS]
SILENT = [
    "do dogs dream?",
    "can a vegan eat honey?",
    "what happens if I'm allergic to it",
    "I feel like pizza tonight",
    "I hit traffic on the M6",
    "we made it to the airport with 5 min to spare",
    "my boss proposed a new budget",
    "my meeting got moved to 3",
    "my wifi is dead again",
    "no rush for me",
    "one more episode and I'm going to bed",
    "a coffee and I'm good to go",
    "two beers and I'm done for tonight",
    "how tall is the Eiffel Tower",
    "is 70 kg heavy for a suitcase",
    "forget it, I'll do it myself",
    "the plan is dead simple",
    "I keep getting error 500 every time I log in",
    "my neighbour's dog barks every night",
    "can you make it shorter",
    "so skip the chicken recipes",
    "two cats walk into a bar",
]


def _read(text: str) -> list[Said]:
    return read(text, GRAMMAR, said_at=SAID_AT)


@each(SAYS)
def test_a_family_of_phrasings_says_its_facts_of_the_right_person(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    found = [(said.subject, said.attribute, said.value) for said in _read(text)]
    assert [one for one in expected if one not in found] == []
    assert {subject for subject, _, _ in found} <= {"self", *(subject for subject, _, _ in expected)}


@each(SILENT)
def test_talk_that_only_looks_like_a_claim_says_nothing(text: str) -> None:
    assert [(said.subject, said.attribute, said.value) for said in _read(text)] == []


@pytest.mark.parametrize(
    "text", ["I'm vegan now", "these days I'm vegetarian", "doc upped my ramipril to 10mg", "I weigh 82 kilos"]
)
def test_what_is_so_only_now_is_marked_as_changed(text: str) -> None:
    assert all(said.changed for said in _read(text))


def test_since_a_date_says_from_when_it_holds() -> None:
    (diet,) = _read("I've been vegetarian since 2019")
    assert diet.held_from is not None
    assert diet.held_from.year == 2019


def test_a_corrected_dose_is_of_the_medicine_named_before() -> None:
    found = [said for said in _read("I take 20mg of citalopram. Sorry, I meant 10mg") if said.changed]
    assert [(said.attribute, said.value) for said in found] == [("medication", "citalopram 10mg")]


def test_a_like_that_is_the_favourite_is_said_once() -> None:
    found = _read("gin and tonic is my go-to drink, always has been, favourite by miles")
    assert [(said.attribute, said.value) for said in found] == [("favorite_drink", "gin and tonic")]


def test_an_appointment_is_no_tie_and_no_habit() -> None:
    assert {said.attribute for said in _read("I have a dentist appointment on Friday")} == {"meeting"}


def test_a_list_ends_where_a_request_or_a_new_clause_begins() -> None:
    liked = _read("my father is fond of old Kishore Kumar songs, find me a few")
    assert [said.value for said in liked] == ["old Kishore Kumar songs"]
    disliked = _read("never been a fan of crowds, malls in december are a zoo")
    assert [said.value for said in disliked if said.attribute == "dislikes"] == ["crowds"]


def test_odd_and_long_text_is_read_quickly() -> None:
    begun = time.thread_time()
    for text in (
        "garlic and onion " * 230,
        "garlic, onion, " * 260,
        "one bite and " * 300,
        "every time i " * 300,
        "two cats, " * 400,
        "my favourite band " * 220,
        "on mondays and tuesdays " * 160,
    ):
        _read(text)
    assert time.thread_time() - begun < 2
