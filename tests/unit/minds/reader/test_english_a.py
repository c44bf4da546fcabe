"""English said in passing: facts inside requests, elliptic chat, dated work, and the guards that keep talk silent."""

from __future__ import annotations

from datetime import datetime

import pytest

from loops import each
from relembra.minds.offline.reader.engine import Said, read
from relembra.minds.offline.reader.english import GRAMMAR

SAID_AT = datetime.fromisoformat("2026-03-10T14:00:00-03:00")

SAYS: list[tuple[str, list[tuple[str, str]]]] = [
    ("as a vegetarian in a family of butchers, what can I bring?", [("diet", "vegetarian")]),
    ("do I need a visa for Peru as a Dutch citizen", [("nationality", "Dutch")]),
    ("as a nurse in Leeds, which union should I join?", [("occupation", "nurse"), ("residence", "Leeds")]),
    ("being a Kenyan living in Oslo, I miss ugali", [("nationality", "Kenyan"), ("residence", "Oslo")]),
    ("would a gym give a discount to a 61-year-old like me", [("age", "61")]),
    ("lol no im nineteen i cant even rent a car", [("age", "nineteen")]),
    ("back at uni at 45, second year of law", [("age", "45"), ("study", "second year of law")]),
    ("I turned the big 5-0 in June", [("age", "50")]),
    ("she/they btw", [("pronouns", "she/they")]),
    ("sup, Tyrell here, first time on this thing", [("name", "Tyrell")]),
    ("you keep calling me user, it's Dwayne", [("name", "Dwayne")]),
    ("the lads at the site know me as Spud", [("nickname", "Spud")]),
    ("being a halloween baby means costumes every year", [("birthday", "halloween")]),
    ("my birth certificate says Reno, of all places", [("birthplace", "Reno")]),
    ("my mum had me in a hospital in Wagga Wagga", [("birthplace", "Wagga Wagga")]),
    ("I was born and raised in Cork but live in Malmo these days", [("birthplace", "Cork"), ("residence", "Malmo")]),
    ("passport says Honduras but I grew up in Texas", [("nationality", "Honduras")]),
    ("dual national, Irish and Brazilian", [("nationality", "Irish and Brazilian")]),
    ("what's the bin collection like in Kilkenny, we've just moved here", [("residence", "Kilkenny")]),
    ("any tacos near me? im over in east boise by the greenbelt", [("residence", "east boise")]),
    ("greetings from Narvik, where I live", [("residence", "Narvik")]),
    ("I'm not in Leeds anymore", [("former_residence", "Leeds")]),
    ("all times in GMT please", [("timezone", "GMT")]),
    ("28 / nurse / Lisbon", [("age", "28"), ("occupation", "nurse"), ("residence", "Lisbon")]),
    ("I'm a 34 year old teacher", [("age", "34"), ("occupation", "teacher")]),
    ("Infosys hired me as a senior tester", [("employment", "Infosys"), ("occupation", "senior tester")]),
    ("I work in Hyderabad as a chartered accountant", [("occupation", "chartered accountant")]),
    ("ex-firefighter, twenty years on the engines", [("former_occupation", "firefighter")]),
    ("I retired from teaching two years ago", [("former_occupation", "teaching")]),
    ("back when I was a bartender I slept till noon", [("former_occupation", "bartender")]),
    ("I was at Boeing for 22 years", [("former_employment", "Boeing")]),
    ("I do the books for three pubs", [("occupation", "does the books")]),
    ("former marine, now a florist", [("former_occupation", "marine"), ("occupation", "florist")]),
    ("I'm training to be a midwife", [("study", "midwife (in training)")]),
    ("dropped out of asu after one semester", [("former_study", "asu")]),
    ("I'm doing a part-time master's in public health", [("study", "part-time master's in public health")]),
    ("they bumped me up to 95k", [("salary", "95k")]),
    ("after gas i clear maybe 600 a week", [("salary", "600 a week")]),
    ("I still owe my uncle two grand", [("debt", "two grand to uncle")]),
    ("i borrowed two lakh from my cousin", [("debt", "two lakh to cousin")]),
    ("What oil for my John Deere 5055E?", [("possession", "John Deere 5055E")]),
    ("had to sell my switch to make rent", [("former_possession", "switch")]),
    ("zoom w the recruiter from Nike on june 9", [("meeting", "zoom w the recruiter from Nike")]),
    ("Board meeting's been set for April 22nd", [("meeting", "Board meeting")]),
    ("seeing the architect next Monday", [("meeting", "seeing the architect")]),
    ("I have a dentist appointment on Friday", [("meeting", "dentist appointment")]),
    ("gotta submit my taxes by apr 15", [("deadline", "submit my taxes")]),
    ("Got until 31 December to file my self assessment", [("deadline", "file my self assessment")]),
    ("the client wants final drawings by july 10", [("deadline", "final drawings")]),
    ("my visa runs out on 30 June", [("deadline", "visa")]),
    ("My contract with the university runs until December 2027", [("contract", "contract with the university")]),
    ("one of my clients, Kapoor Textiles, always pays late", [("client", "Kapoor Textiles")]),
    ("picked up a new student, Ethan, algebra 2", [("client", "Ethan")]),
    ("I lead the Bluebird app rollout at work", [("project", "Bluebird app rollout")]),
    ("im 40 pages into my graphic novel about a laundromat", [("project", "graphic novel about a laundromat")]),
    ("fluent in Spanish, rusty in Portuguese", [("language", "Spanish"), ("language", "Portuguese")]),
    ("can hold a convo in korean now", [("language", "korean")]),
    ("I know my way around a sewing machine", [("skill", "sewing machine")]),
    ("raised baptist, atheist these days", [("former_religion", "baptist"), ("religion", "atheist")]),
    ("As a practising Muslim, I fast in Ramadan", [("religion", "practising Muslim")]),
    ("I think homework for under-tens is pointless", [("opinion", "homework for under-tens is pointless")]),
    ("group projects should be illegal and i will die on this hill", [("opinion", "group projects should be illegal")]),
    ("family first, always", [("value", "family")]),
    ("as someone who's 58, is it too late to learn piano?", [("age", "58")]),
    ("i flip burgers at five guys", [("occupation", "flipping burgers"), ("employment", "five guys")]),
    ("back in 2016 I washed dishes at a Denny's", [("former_employment", "Denny's")]),
    ("line cook. 6 yrs. knees are gone", [("occupation", "line cook")]),
    ("my apartment in Queens has roaches", [("residence", "Queens")]),
    ("i'm from the bronx originally, queens now", [("residence", "queens")]),
    ("for my job as a paralegal I read contracts all day", [("occupation", "paralegal")]),
    ("I've been nursing for 20 years", [("occupation", "nursing")]),
    ("I stopped working at Chase in 2021", [("former_employment", "Chase")]),
    ("my student loans are at 41k", [("debt", "41k")]),
    ("the grant application closes on 1 May", [("deadline", "grant application")]),
    ("I'm trilingual: Dutch, French, English", [("language", "Dutch"), ("language", "English")]),
    ("I was 70 in April", [("age", "70")]),
    ("I don't believe in buying on credit", [("opinion", "against buying on credit")]),
]

SILENT = [
    "ok in this dnd campaign im Thorn, half elf rogue, allergic to silver",
    "lets do a mock trial, my name's Roscoe",
    "Let's play: I'm a detective from Mumbai and you're the suspect",
    "overheard at the gym: i only eat beef",
    "make up a diary entry for a Victorian maid: I rise at four",
    "put this into Hindi for the worksheet: My brother is a doctor",
    "tl;dr this review please: 'I'm a mother of three and this pram changed my life.'",
    "Earn £500 a day from home, I quit my job, ask me how! www.easy-cash.example",
    "yes and I'm Brad Pitt",
    "poem in first person as a lonely lighthouse keeper from maine",
    "what should I wear as a guest to a wedding",
    "the plumber charges 80 an hour",
    "my rent is 900 a month",
    "the average nurse makes 40k a year",
    "what time is the meeting on friday?",
    "the movie is due on March 20",
    "im over in the kitchen",
    "no im fine",
    "because im 5 minutes late",
    "at 20 i was broke",
    "they/them is grammatically fine",
    "second year in a row without winning",
    "I think the bus is late",
    "the choice is mine",
    "it's raining and people always complain",
    "gotta be up by 6 tomorrow",
    "what's it like living in Oslo as a student?",
    "do nurses in Texas make 80k a year?",
    "user: I live in Rome",
    "as a developer tool, is vim good",
    "I see myself as a writer",
    "delivery driver for Amazon stole my package",
    "been in meetings for 3 hours",
    "cooking for friends tonight",
    "I'm 30 in May",
]


def _read(text: str) -> list[Said]:
    return read(text, GRAMMAR, said_at=SAID_AT)


@each(SAYS)
def test_what_is_said_in_passing_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    found = [(said.attribute, said.value) for said in _read(text) if said.subject == "self"]
    assert [one for one in expected if one not in found] == []


@each(SILENT)
def test_talk_that_claims_nothing_says_nothing(text: str) -> None:
    assert [(said.subject, said.attribute, said.value) for said in _read(text)] == []


@pytest.mark.parametrize(
    ("text", "attribute", "day"),
    [
        ("gotta submit my taxes by apr 15", "deadline", "2026-04-15"),
        ("Board meeting's been set for April 22nd", "meeting", "2026-04-22"),
        ("financial aid appt is wed 10am", "meeting", "2026-03-11"),
        ("my visa runs out on 30 June", "deadline", "2026-06-30"),
    ],
)
def test_a_date_without_a_year_is_the_next_one(text: str, attribute: str, day: str) -> None:
    (said,) = [said for said in _read(text) if said.attribute == attribute]
    assert said.held_from is not None
    assert said.held_from.date().isoformat() == day
    assert said.content is not None
    assert day in said.content
