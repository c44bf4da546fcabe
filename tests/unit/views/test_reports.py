"""Reports and appointment notes: what they tell in both languages, what they leave out, and that it is no markup."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from builders import ANA, a_message, a_note, an_id, an_item
from loops import each
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, NoteKind
from relembra.views.appointment import (
    Heard,
    Profession,
    Visit,
    appointment,
    appointment_title,
    began,
    doctor,
    fits,
    heard,
    lexicon,
    profession_named,
    profession_of,
)
from relembra.views.period_report import (
    Coming,
    Feeling,
    Material,
    Period,
    as_markdown,
    before,
    covering,
    file_stem,
    note_id,
    period_of,
    report_text,
    report_title,
)

Golden = Callable[[str, str], None]

LISBON = "Europe/Lisbon"
MONDAY = date(2026, 3, 2)
WEEK = covering(NoteKind.WEEKLY, MONDAY, "-03:00")
MONTH = covering(NoteKind.MONTHLY, MONDAY, "-03:00")
AFTER = datetime(2026, 4, 6, 12, tzinfo=UTC)
INJECTED = "<script>alert(1)</script> ![x](https://evil.example/x.png) **now** [link](javascript:alert(1)) `rm`"


def at(day: int, hour: int = 15) -> datetime:
    return datetime(2026, 3, day, hour, tzinfo=UTC)


def learnt(content: str, day: int, **changes: Any) -> KnowledgeItem:
    moment = at(day)
    return an_item(
        **{"content": content, "created_at": moment, "held_from": moment, "zone": "-03:00", "id": an_id(day)} | changes
    )


def named(profession: str) -> Profession:
    found = profession_named(profession)
    assert found is not None
    return found


def said(text: str, day: int, **changes: Any) -> Message:
    return a_message(**{"text": text, "sent_at": at(day), "zone": "-03:00"} | changes)


def material(language: str, period: Period = WEEK, **changes: Any) -> Material:
    emotion = {"type": KnowledgeType.EMOTION, "area": LifeArea.MENTAL_HEALTH, "attribute": "emotion"}
    goal = {"type": KnowledgeType.GOAL, "attribute": "goal", "area": LifeArea.GROWTH}
    old = learnt("Mora em Recife", 1, attribute="residence", superseded_at=at(5), id=an_id(101))
    new = learnt("Mora em Olinda", 5, attribute="residence", id=an_id(102))
    uneasy = learnt("ansiosa com a mudança", 3, id=an_id(103), **emotion)
    glad = learnt("happy with the new house", 6, id=an_id(104), **emotion)
    ordinary: dict[str, Any] = {
        "period": period,
        "language": language,
        "now": AFTER,
        "notes": (
            a_note(id=an_id(1), title="Primeira semana no ateliê novo", happened_at=at(2)),
            a_note(id=an_id(2), title="Dinner with Clara", happened_at=at(5, 23)),
            a_note(id=an_id(3), title="Plano da viagem", happened_at=at(5, 12)),
        ),
        "items": (
            learnt("Works at the Areia studio", 2, area=LifeArea.CAREER, id=an_id(105)),
            learnt("Gosta de vidro soprado", 2, area=LifeArea.LEISURE, confidence=0.5, id=an_id(106)),
            learnt("Clara changed jobs", 5, area=LifeArea.RELATIONSHIPS, subject="Clara", speaker="bia", id=an_id(107)),
            new,
            uneasy,
            glad,
            learnt("Quer aprender a soldar", 4, id=an_id(108), **goal),
            learnt("Finished the glass course", 6, type=KnowledgeType.MEMORY, attribute="achieved", id=an_id(109)),
            learnt("Desistiu da maratona", 6, type=KnowledgeType.MEMORY, attribute="dropped_goal", id=an_id(110)),
            learnt(
                "Sleeps better on days with a walk",
                7,
                type=KnowledgeType.INSIGHT,
                evidence="on 5 of 6 days",
                id=an_id(111),
            ),
        ),
        "changed": ((old, new),),
        "questions": ((learnt("Nasceu em 1990", 1, id=an_id(112)), learnt("Nasceu em 1991", 4, id=an_id(113))),),
        "feelings": (
            Feeling(date(2026, 3, 3), uneasy),
            Feeling(date(2026, 3, 4), uneasy),
            Feeling(date(2026, 3, 6), glad),
        ),
        "goals_again": (learnt("Wants to save for the kiln", 1, id=an_id(114), **goal),),
        "goals_open": 3,
        "ties": {"clara": "irmã"},
        "coming": (
            Coming(date(2026, 3, 12), "Meeting with the bank"),
            Coming(date(2026, 3, 15), "Clara", "Clara", is_birthday=True),
            Coming(date(2026, 3, 20), "", None, is_birthday=True),
        ),
        "messages": 34,
        "conversations": 5,
    }
    return Material(**ordinary | changes)


@each(["pt", "en"])
def test_a_week_is_told(language: str, golden: Golden) -> None:
    week = material(language)
    golden(f"reports/weekly.{language}.md", f"# {report_title(WEEK, language)}\n\n{report_text(week, lines=12)}")


@each(["pt", "en"])
def test_a_month_is_told_week_by_week(language: str, golden: Golden) -> None:
    later = a_note(id=an_id(4), title="Forno", happened_at=at(29))
    month = material(language, MONTH)
    month = replace(month, notes=(*month.notes, later))
    golden(f"reports/monthly.{language}.md", f"# {report_title(MONTH, language)}\n\n{report_text(month, lines=12)}")


def test_nothing_remembered_is_markup_in_a_report() -> None:
    hostile = learnt(INJECTED, 2, area=LifeArea.HEALTH, subject="Clara")
    week = material(
        "en",
        notes=(a_note(title=INJECTED, happened_at=at(2)),),
        items=(hostile,),
        ties={"clara": INJECTED},
        coming=(Coming(date(2026, 3, 12), INJECTED),),
    )
    text = report_text(week, lines=12)
    assert "<" not in text
    assert "](" not in text
    assert "![" not in text
    assert "**now**" not in text
    assert "\n#" not in text.replace("\n## ", "").replace("\n### ", "")


def test_a_week_in_which_the_clock_changes_is_an_hour_shorter_or_longer() -> None:
    spring = covering(NoteKind.WEEKLY, date(2026, 3, 25), LISBON)
    autumn = covering(NoteKind.WEEKLY, date(2026, 10, 21), LISBON)
    assert spring.end - spring.start == timedelta(days=7) - timedelta(hours=1)
    assert autumn.end - autumn.start == timedelta(days=7) + timedelta(hours=1)
    assert spring.end == covering(NoteKind.WEEKLY, date(2026, 3, 30), LISBON).start


def test_the_one_before_a_moment_is_over_by_then() -> None:
    monday_night = datetime(2026, 3, 9, 6, 30, tzinfo=UTC)
    assert before(NoteKind.WEEKLY, monday_night, "-03:00") == WEEK
    assert (
        before(NoteKind.WEEKLY, datetime(2026, 3, 9, 2, tzinfo=UTC), "-03:00").name == "2026-W09"
    )  # still Sunday there
    assert before(NoteKind.MONTHLY, datetime(2026, 4, 1, 6, tzinfo=UTC), "-03:00") == MONTH


def test_a_period_is_known_by_its_note_whatever_the_clock() -> None:
    made = a_note(id=note_id(ANA, NoteKind.WEEKLY, WEEK.name), kind=NoteKind.WEEKLY, happened_at=WEEK.last_moment)
    assert made.happened_at.date() == date(2026, 3, 9)  # in UTC it is Monday already
    assert period_of(made).name == "2026-W10"
    assert period_of(replace(made, id=an_id()), "-03:00").name == "2026-W10"


SAID = (
    "Ando com dor de cabeça há três dias",
    "What a day. My head is still hurting",
    "Sinto tontura quando levanto",
    "The dizziness is gone",
    "Minha mãe está com febre",
    "I don't have a cough",
    "Preciso perguntar ao médico se posso correr",
    "I need to ask the doctor whether I can swim",
    "Quero perguntar à nutricionista se ovo faz mal",
    "I want to ask my nutritionist if eggs are bad",
    "Minha pressão estava 14 por 9",
    "I slept badly last night",
)


def visit(language: str, profession: str = "cardiologist", **changes: Any) -> Visit:
    health = {"area": LifeArea.HEALTH, "scope": ANA}
    new = learnt("Toma losartana 100mg", 9, attribute="medication", id=an_id(302), **health)
    feeling = learnt(
        "worried about the heart",
        10,
        type=KnowledgeType.EMOTION,
        attribute="emotion",
        value="worried about the heart",
        id=an_id(310),
    )
    ordinary: dict[str, Any] = {
        "profession": named(profession),
        "language": language,
        "zone": "-03:00",
        "now": at(17),
        "at": at(19, 18),
        "is_whole_day": False,
        "item": learnt(
            "Appointment with the cardiologist (2026-03-19)",
            10,
            attribute="meeting",
            value="appointment with the cardiologist",
            held_from=at(19, 18),
        ),
        "last": date(2026, 2, 10),
        "since": datetime(2026, 2, 10, 3, tzinfo=UTC),
        "items": (
            replace(
                learnt("Toma losartana 50mg", 2, attribute="medication", id=an_id(301), **health),
                superseded_by=new.id,
                superseded_at=at(9),
            ),
            new,
            learnt(
                "No longer takes fluoxetine",
                5,
                attribute="former_medication",
                type=KnowledgeType.MEMORY,
                id=an_id(303),
                **health,
            ),
            learnt("Tem alergia a dipirona", 1, attribute="allergy", id=an_id(304), **health),
            learnt("Has hypertension", 1, attribute="condition", id=an_id(305), **health),
            learnt("Pesa 74 kg", 1, attribute="weight", value="74 kg", id=an_id(306), **health),
            learnt("Weighs 72 kg", 12, attribute="weight", value="72 kg", id=an_id(307), **health),
            learnt("Fez um eletrocardiograma", 6, type=KnowledgeType.MEMORY, id=an_id(308), **health),
        ),
        "feelings": (Feeling(date(2026, 3, 10), feeling), Feeling(date(2026, 3, 12), feeling)),
        "heard": heard(
            [said(text, 3 + number, id=an_id(number)) for number, text in enumerate(SAID)], named(profession)
        ),
    }
    return Visit(**ordinary | changes)


@each(["pt", "en"])
def test_what_to_tell_a_doctor(language: str, golden: Golden) -> None:
    shown = visit(language)
    golden(f"reports/appointment.{language}.md", f"# {appointment_title(shown)}\n\n{appointment(shown, lines=12)}")


@each(["pt", "en"])
def test_a_therapist_is_told_the_feelings_first(language: str, golden: Golden) -> None:
    shown = visit(language, "therapist", item=None, at=None, last=None)
    golden(f"reports/therapy.{language}.md", f"# {appointment_title(shown)}\n\n{appointment(shown, lines=12)}")


def test_what_others_have_or_claim_is_not_the_persons() -> None:
    about_her = learnt("Clara takes ibuprofen", 3, attribute="medication", subject="Clara", area=LifeArea.HEALTH)
    claimed = learnt("Takes aspirin", 3, attribute="medication", speaker="bia", area=LifeArea.HEALTH)
    text = appointment(visit("en", items=(about_her, claimed)), lines=12)
    assert "ibuprofen" not in text
    assert "aspirin" not in text
    assert "mother" not in text


def test_nothing_said_is_markup_in_an_appointment_note() -> None:
    hostile = visit(
        "en",
        called=INJECTED,
        items=(learnt(INJECTED, 3, attribute="condition", area=LifeArea.HEALTH),),
        heard=heard([said(f"I have a headache {INJECTED}", 3)], doctor()),
    )
    text = appointment_title(hostile) + appointment(hostile, lines=12)
    assert "<" not in text
    assert "](" not in text
    assert "![" not in text


def told(messages: list[Message], profession: str = "doctor") -> Heard:
    return heard(messages, named(profession))


@each(
    [
        ("Estou com dor nas costas desde segunda", "back"),
        ("Meu joelho direito dói", "knee"),
        ("there is a pain in my left shoulder", "shoulder"),
        ("I threw up twice", "vomiting"),
        ("minha avó tem dor no joelho", None),
        ("Theo came out in hives after lunch", None),
        ("não tenho febre", None),
        ("é normal ter tontura?", None),
        ("A dor de cabeça da minha mãe voltou.", None),
        ("A febre do Tom não passa", None),
        ("My mother's headache is back.", None),
        ("Se eu tivesse febre, ficaria em casa.", None),
        ("If I had a fever I'd stay home.", None),
        ("If the headache comes back I'll call", None),
        ("esse projeto é uma dor de cabeça", None),
        ("This project is such a headache!", None),
        ("Dormi mal no avião, com dor de cabeça.", "head"),
        ("Headache this morning", "head"),
        ("Tive febre da dengue", "fever"),
        ("Se não me engano, tive febre", "fever"),
        ("If I eat cheese I get a stomach ache", "stomach"),
        ("There's a pain in my neck", "neck"),
        ("No headache today", None),
        *((f"{label} again", key) for key, label in ((key, one["en"]) for key, one in lexicon().labels.items())),
        *((f"{label} de novo", key) for key, label in ((key, one["pt"]) for key, one in lexicon().labels.items())),
    ]
)
def test_complaints_are_read_from_what_was_said(text: str, key: str | None) -> None:
    assert list(told([said(text, 3)]).symptoms) == ([] if key is None else [key])


@each([("Dormi mal", "O Tom dormiu mal"), ("Hoje dormi mal", "Tom dormiu mal"), ("I slept badly", "Tom slept badly"),
     ("Barely slept 3 hours", "My sister slept badly")])  # fmt: skip
def test_how_others_slept_is_left_out(own: str, theirs: str) -> None:
    assert [mention.text for mention in told([said(own, 3), said(theirs, 4)]).sleep] == [own]


@each([("Minha pressão de manhã estava 12 por 8", "A pressão da minha mãe estava 14 por 9"),
     ("My blood pressure was 120 over 80", "Tom's blood pressure was 140 over 90")])  # fmt: skip
def test_what_others_measured_is_left_out(own: str, theirs: str) -> None:
    found = told([said(own, 3), said(theirs, 4)]).measures
    assert [mention.text for mention in found["blood_pressure"]] == [own]


def test_a_complaint_told_again_is_one_and_may_be_over() -> None:
    talk = [said("A tontura passou", 9), said("Sinto tontura há dois dias", 3), said("tontura de novo", 5)]
    [mentions] = told(talk).symptoms.values()
    assert ([mention.day.day for mention in mentions], began(mentions)) == ([3, 5, 9], date(2026, 3, 1))
    assert mentions[-1].is_over


@each(
    [
        ("Tive febre ontem. Hoje passou.", True),
        ("Tive febre ontem. Hoje passou o carteiro.", False),
        ("I had a fever yesterday. It's gone now.", True),
        ("I had a fever yesterday. My bike is fine. It's gone now.", False),
    ]
)
def test_what_is_said_right_after_a_complaint_may_end_it(text: str, is_over: bool) -> None:
    [mentions] = told([said(text, 3)]).symptoms.values()
    assert [mention.is_over for mention in mentions] == [is_over]


def test_questions_are_for_whom_they_name() -> None:
    asked = [said(text, 3) for text in (*SAID, "perguntei ao médico ontem")]
    assert [one.text for one in told(asked, "cardiologista").questions] == [
        "Preciso perguntar ao médico se posso correr",
        "I need to ask the doctor whether I can swim",
    ]
    assert (len(told(asked, "nutritionist").questions), told(asked, "dentist").questions) == (2, [])


def test_sleep_and_measures_are_read_from_what_was_said() -> None:
    talk = [
        said(text, 3) for text in ("Não consegui dormir", "couldn't sleep", "glicemia deu 110", "febre de 38,5 ontem")
    ]
    assert len(told(talk).sleep) == 2
    assert {name: len(found) for name, found in told(talk).measures.items()} == {"glucose": 1, "temperature": 1}


@each(
    [
        ("consulta com o cardiologista", "cardiologist"),
        ("médico", "doctor"),
        ("Doctor's appointment", "doctor"),
        ("seeing my dentist", "dentist"),
        ("sessão de terapia", "therapist"),
        ("consulta", "doctor"),
        ("consulta com o advogado", None),
        ("jantar com minha amiga dentista", None),
        ("meeting with the bank", None),
    ]
)
def test_an_appointment_is_known_by_whom_it_is_with(value: str, key: str | None) -> None:
    found = profession_of(an_item(attribute="meeting", value=value))
    assert (None if found is None else found.key) == key


def test_an_appointment_of_somebody_else_is_not_the_owners() -> None:
    assert not fits(an_item(attribute="meeting", value="consulta médica", subject="mãe"))
    assert fits(an_item(attribute="meeting", value="consulta com a dermato"), doctor())


def test_any_note_has_a_file_by_its_day_and_title() -> None:
    talk = a_note(title="Jantar com a Clara!", summary=f"{INJECTED}\n# more", happened_at=at(2, 1))
    assert file_stem(talk, zone="-03:00") == "2026-03-01-jantar-com-a-clara"
    assert file_stem(replace(talk, title="../../etc/passwd")) == "2026-03-02-etc-passwd"
    assert file_stem(replace(talk, title="…")) == "2026-03-02-conversation"
    (text,) = as_markdown(talk).values()
    assert b"<script" not in text
    assert b"](http" not in text
    assert b"\n# more" not in text


def test_front_matter_holds_what_the_note_is_and_a_title_cannot_leave_it() -> None:
    note = a_note(title='A "quoted"\n---\ntitle: x', participants=("ana", "b: [c]"), kind=NoteKind.SESSION)
    (text,) = as_markdown(note).values()
    head, _, body = text.decode().removeprefix("---\n").partition("\n---\n")
    assert {key: json.loads(value) for key, _, value in (line.partition(": ") for line in head.splitlines())} == {
        "title": 'A "quoted" --- title: x',
        "date": "2026-03-01",
        "kind": "session",
        "participants": ["ana", "b: [c]"],
        "id": note.id,
    }
    assert body.strip().endswith("“Ana said good morning.”")
