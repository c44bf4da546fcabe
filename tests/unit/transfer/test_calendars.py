"""Calendars: events told in plain words, on the day they are, found by it and shown in a timeline."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from chats import found_in, left
from loops import each
from memories import Clock
from relembra import Memory
from relembra.transfer.chats import Passage

CALENDARS = Path(__file__).parents[2] / "data" / "calendars"
GOOGLE, APPLE = (CALENDARS / f"{name}.ics" for name in ("google-pt", "apple-en"))


def events(path: Path, language: str) -> dict[str, str]:
    found = found_in(path.read_bytes(), path.name, language)[1]
    return {one.title: one.text for one in found if isinstance(one, Passage)}


TOLD = [
    ("Dentista Dr. Paulo", "domingo, 3 de maio de 2026, 14:00–15:00.\nRua Augusta, 1200 - Consolação, São Paulo."),
    ("Dentista Dr. Paulo", "Levar o raio-X.\nChegar 15 min antes."),
    ("Aula de inglês", "terça-feira, 5 de agosto de 2025, 19:30–20:30, toda terça-feira até 15 dez 2026, exceto 5 mai"),
    ("Aniversário da vó Lúcia", "sábado, 14 de março de 2020, todo ano."),
    ("Férias em Salvador", "6 a 17 de julho de 2026.\nVoo LA3456"),
    ("Planejamento trimestral", "Pauta:\nMetas.\nOrçamento.\nCom Rafael Nunes, Marina Prado, Beatriz Souza."),
    ("Terapia", "a cada 2 semanas, quinta-feira."),
    ("Academia", "toda segunda-feira, quarta-feira, sexta-feira, 60 vezes."),
    ("Condomínio", "todo mês, dia 10."),
    ("Clube do livro", "todo mês, a última quarta-feira."),
    ("Casamento do Léo e da Bia", "sábado, 19 de setembro de 2026, 16:00–02:00.\nFazenda Santa Bárbara, Itu."),
    ("Feira do livro", "sábado, 30 de maio de 2026, 10:00 – domingo, 31 de maio de 2026, 18:00."),
    ("Yoga", "every Tuesday until Jun 30, 2026, except Apr 7, 2026, Apr 14, 2026."),
    ("Mum's birthday", "Friday, February 14, 1958, every year."),
    ("Flight to Lisbon", "Friday, April 17, 2026, 03:15–06:00."),  # UTC, on a clock three hours behind
    ("Coffee with Sam", "Sunday, May 3, 2026, 10:00–11:00."),  # on any clock
    ("Book club", "every month on the second Tuesday."),
    ("Interview with Acme", "With Priya Shah, Nora Lund, tom@acme.example."),
    ("Renew passport", "Done.\nThursday, September 10, 2026."),
    ("Bin day", "every 2 weeks on Wednesday."),
    ("Standup", "every day, 10 times."),
    ("Chess", "repeats."),
]


def test_events_are_told_in_plain_words() -> None:
    told = events(GOOGLE, "pt") | events(APPLE, "en")
    assert [(title, told[title]) for title, words in TOLD if words not in told[title]] == []
    assert len(told) == 37
    marks = ("FREQ", "mailto", "meet.google", "<", "reminder", "BEGIN")
    assert [mark for mark in marks if any(mark in text for text in told.values())] == []
    assert left(found_in(GOOGLE.read_bytes())[1]) == {"cancelled": 1}


RULES = [
    ("FREQ=DAILY;INTERVAL=3", "every 3 days"),
    ("FREQ=WEEKLY", "every Thursday"),
    ("FREQ=MONTHLY", "every month on day 5"),
    ("FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR", "every 2 months on the last Friday"),
    ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=5;INTERVAL=4", "every 4 years"),
    ("FREQ=YEARLY;BYDAY=4TH;BYMONTH=11", "repeats"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "repeats"),
    ("FREQ=SECONDLY", "repeats"),
    ("FREQ=WEEKLY;INTERVAL=x", "repeats"),
    ("FREQ=WEEKLY;BYDAY=XX", "repeats"),
    ("nonsense", ""),
    ("FREQ=DAILY;UNTIL=99999999", "every day"),
]


@each(RULES)
def test_common_rules_are_said_and_of_others_that_they_repeat(rule: str, said: str) -> None:
    event = f"BEGIN:VEVENT\nSUMMARY:x\nDTSTART;VALUE=DATE:20260305\nRRULE:{rule}\nEND:VEVENT"
    [found] = found_in(f"BEGIN:VCALENDAR\n{event}\nEND:VCALENDAR")[1]
    assert isinstance(found, Passage)
    assert found.text == f"Thursday, March 5, 2026{said and ', '}{said}."


TIMES = [
    ("DTSTART:20260305T140000Z", "11:00"),
    ("DTSTART:20260305T140000", "14:00"),
    ("DTSTART;TZID=Europe/London:20260305T140000", "11:00"),
    ("DTSTART;TZID=America/Argentina/Buenos_Aires:20260305T140000", "14:00"),
    ("DTSTART;TZID=/mozilla.org/20050126_1/Europe/London:20260305T140000", "11:00"),
    ('DTSTART;TZID="E. South America Standard Time":20260305T140000', "14:00"),
    ("DTSTART;TZID=../../etc/passwd:20260305T140000", "14:00"),
]


@each(TIMES)
def test_times_are_on_the_clock_of_the_person(start: str, shown: str) -> None:
    [found] = found_in(f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\n{start}\nEND:VEVENT\nEND:VCALENDAR")[1]
    assert isinstance(found, Passage)
    assert found.text == f"Thursday, March 5, 2026, {shown}."


async def test_events_stand_in_the_timeline_and_nothing_is_learnt_from_them(memory: Memory) -> None:
    came = await memory.import_(APPLE, user="nora", timezone="Europe/London")
    assert (came.added, came.why) == ({"calendars": 1, "events": 18}, {"cancelled": 1})
    assert (await memory.import_(APPLE, user="nora", timezone="Europe/London")).total == 0
    await memory.settle(flush=True)
    assert await memory.list(user="nora") == []
    assert await memory.report(user="nora", day=datetime(2026, 5, 3).date()) is None
    day = [datetime(2026, 5, number, tzinfo=UTC) for number in (3, 4)]
    (moment,) = await memory.timeline(user="nora", since=day[0], until=day[1])
    assert moment.note is not None
    assert (moment.note.kind, moment.note.title, moment.at.hour) == ("event", "Coffee with Sam", 9)
    (ahead, *_) = await memory.timeline(user="nora")
    assert ahead.note is not None
    assert (ahead.note.title, ahead.at) == ("New Year party", datetime(2026, 12, 31, 21, tzinfo=UTC))
    (talk,) = await memory.conversations(user="nora")
    assert talk.title == "apple-en.ics"
    await memory.forget(user="nora", conversation=talk.id)
    assert await memory.timeline(user="nora") == []


ASKED = [
    ("o que eu tinha marcado em 12 de maio?", "Reunião de pais na escola da Júlia"),
    ("quais são meus compromissos da semana que vem?", "Revisão do carro"),
    ("o que eu fiz em 3 de maio?", "Dentista Dr. Paulo"),
    ("quando é o dentista?", "Dentista Dr. Paulo"),
    ("o que tenho marcado dia 3 de dezembro?", "Consulta com a cardiologista"),
]


@each(ASKED)
async def test_events_are_found_by_their_day_and_their_words(
    question: str, title: str, memory: Memory, clock: Clock
) -> None:
    clock.now = datetime(2026, 11, 19, 12, tzinfo=UTC)
    await memory.import_(GOOGLE, user="marina", timezone="America/Sao_Paulo")
    await memory.settle()
    found = await memory.recall(question, user="marina")
    assert found.notes[0].note.title == title


async def test_a_context_says_that_it_stood_in_the_calendar(memory: Memory) -> None:
    await memory.import_(APPLE, user="nora", timezone="Europe/London")
    await memory.settle()
    told = await memory.load(user="nora", query="what appointments do I have on Dec 9?", language="en")
    assert "- [Dec 9, 2026] in the calendar “Dentist” — “Wednesday, December 9, 2026, 09:30–10:00." in told.text
