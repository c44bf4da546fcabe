"""A context as somebody would be handed it, in both languages, for the renderings to lay out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from builders import a_message, a_note, an_id, an_item
from relembra.domain.knowledge import KnowledgeType, Section
from relembra.domain.message import NoteKind, Role
from relembra.domain.policy import RankingName
from relembra.learn.casework import Question
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Why
from relembra.recall.rendering import (
    AskLine,
    BeforeLine,
    EarlierLine,
    Frame,
    KnownLine,
    Line,
    MemoryLine,
    NoteLine,
    ProfileLine,
    RecentLine,
    TellLine,
)

NOW = datetime(2026, 3, 1, 15, tzinfo=UTC)
ZONE = "-03:00"
WHY = Why(ranking=RankingName.DEFAULT, cosine=None, bm25=None, terms=(), similarity=0.5, weight=1.0, recency=1.0)


def a_frame(language: str = "en", **changes: Any) -> Frame:
    ordinary: dict[str, Any] = {
        "name": "Ana", "language": language, "now": NOW, "idle": timedelta(hours=1),
        "medium_for": timedelta(days=14),
    }  # fmt: skip
    return Frame(**ordinary | changes)


def known(*, note: Any = None, score: float = 0.8, **changes: Any) -> KnownLine:
    return KnownLine(Hit(an_item(**{"zone": ZONE, "held_from": NOW} | changes), score, WHY), note)


def noted(**changes: Any) -> NoteLine:
    return NoteLine(NoteHit(a_note(**changes), 0.6, WHY))


def earlier(text: str, *, excerpt: str | None = None, **changes: Any) -> EarlierLine:
    message = a_message(**{"text": text, "zone": ZONE} | changes)
    return EarlierLine(MessageHit(message, 0.5, WHY, excerpt or text))


def recent(text: str, **changes: Any) -> RecentLine:
    return RecentLine(a_message(**{"text": text, "zone": ZONE, "sent_at": NOW - timedelta(minutes=3)} | changes))


def portuguese() -> list[Line]:
    dinner = a_note(
        id=an_id(11), title="Jantar de sexta", summary="Ana contou da dieta e da viagem.", happened_at=on(2, 21, 1)
    )
    return [
        MemoryLine("age", "34"),
        MemoryLine("location", "Recife"),
        MemoryLine("occupation", "Desenvolvedora na Vitral"),
        MemoryLine("current_goals", "Terminar o mestrado"),
        MemoryLine("current_goals", "Correr 10 km"),
        ProfileLine("Bento", Section.BIO, "Mora em Olinda", "Conversa sobre o bairro", on(2, 20), False),
        ProfileLine("Bento", Section.INTERESTS, "Gosta de RPG", None, on(2, 18), True),
        known(id=an_id(1), content="Vegetariana", type=KnowledgeType.PREFERENCE, note=dinner, held_from=on(2, 21, 1)),
        known(id=an_id(2), content="Odeia coentro", type=KnowledgeType.PREFERENCE, attribute="dislikes",
            value="coentro", held_from=on(2, 21, 1), note=dinner),
        known(id=an_id(3), content="Mora em Recife", attribute="residence", value="Recife",
            held_from=datetime(2019, 5, 4, 12, tzinfo=UTC)),
        known(id=an_id(4), content="Fechou contrato com a Acme", type=KnowledgeType.MEMORY, attribute="contract",
            value="Acme", held_from=on(2, 10)),
        known(id=an_id(5), content="Ansiosa com a banca de defesa", type=KnowledgeType.EMOTION, attribute="emotion",
            value="ansiosa com a banca de defesa", confidence=0.6),
        known(id=an_id(6), content="Vai viajar em abril", speaker="Bento", held_from=on(2, 26)),
        noted(id=an_id(12), title="Debate sobre RPG", summary="Ana e Bento compararam sistemas de RPG.",
            happened_at=on(2, 23)),
        noted(id=an_id(13), kind=NoteKind.APPOINTMENT, title="Reunião com a orientadora",
            summary="Definiram a data da defesa: 15 de abril.", happened_at=datetime(2025, 12, 2, 14, tzinfo=UTC)),
        earlier("…", id=an_id(21), excerpt="…o meu voo para Lisboa sai às 9h…", author="Ana",
            sent_at=datetime(2026, 1, 1, 2, 30, tzinfo=UTC)),
        earlier("Qual hotel você prefere?", id=an_id(22), role=Role.ASSISTANT, author="bot", sent_at=on(2, 25)),
        BeforeLine("Ana planeja a semana; está animada, mas cansada."),
        recent("ontem à noite foi corrido", id=an_id(31), author="Ana", sent_at=NOW - timedelta(hours=13)),
        recent("O que sugere para o jantar?", id=an_id(32), author="Ana"),
        recent("Algo leve?", id=an_id(33), role=Role.ASSISTANT, author="bot"),
        AskLine(Question("case-1", "Antes você disse que mora em “Recife”, agora “Olinda”. Mudou algo?")),
        TellLine(an_item(type=KnowledgeType.INSIGHT, content="Sente ansiedade com prazos (em 5 dias diferentes)",
            evidence="5 dias; indício moderado")),
    ]  # fmt: skip


def english() -> list[Line]:
    gaming = a_note(id=an_id(11), title="Gaming session", summary="Played and talked.", happened_at=on(2, 23))
    return [
        MemoryLine("age", "34"),
        MemoryLine("location", "Austin"),
        MemoryLine("occupation", "Developer at Dell"),
        MemoryLine("current_goals", "Finish the thesis"),
        MemoryLine("current_goals", "Run 10 km"),
        ProfileLine("Bob", Section.BIO, "Lives in Dallas", "Gaming session", on(2, 23), False),
        ProfileLine("Bob", Section.INTERESTS, "Likes RPG games", None, on(2, 18), True),
        known(
            id=an_id(1),
            content="Lives in Austin",
            attribute="residence",
            value="Austin",
            note=gaming,
            held_from=on(2, 23),
        ),
        known(id=an_id(2), content="Is vegetarian", attribute="diet", value="vegetarian", held_from=on(2, 21)),
        known(
            id=an_id(3),
            content="Plays the cello",
            attribute="skill",
            value="cello",
            held_from=datetime(2019, 5, 4, 12, tzinfo=UTC),
            note=gaming,
        ),
        known(id=an_id(4), content="Was laid off", type=KnowledgeType.MEMORY, attribute="event", held_from=on(2, 10)),
        known(
            id=an_id(5),
            content="Feels anxious about money",
            type=KnowledgeType.EMOTION,
            attribute="emotion",
            value="anxious about money",
            confidence=0.6,
        ),
        known(
            id=an_id(6),
            content="Feels happy about the new flat",
            type=KnowledgeType.EMOTION,
            attribute="emotion",
            value="happy about the new flat",
        ),
        known(id=an_id(7), content="Travels in April", speaker="Bob", held_from=on(2, 26)),
        noted(
            id=an_id(12), title="OS debate", summary="A heated thread about Linux and Windows.", happened_at=on(2, 21)
        ),
        earlier(
            "…",
            id=an_id(21),
            excerpt="…my flight to Lisbon leaves at 9…",
            author="Ana",
            sent_at=datetime(2026, 1, 1, 2, 30, tzinfo=UTC),
        ),
        BeforeLine("Ana plans her week; in good spirits, but tired."),
        recent("last night was busy", id=an_id(31), author="Ana", sent_at=NOW - timedelta(hours=13)),
        recent("What do you suggest for dinner?", id=an_id(32), author="Ana"),
        recent("Something light?", id=an_id(33), role=Role.ASSISTANT, author="bot"),
        AskLine(
            Question("case-1", "Before, you said that you live in “Austin”, and now “Dallas”. Has something changed?")
        ),
        TellLine(
            an_item(
                type=KnowledgeType.INSIGHT,
                content="Feels anxious about deadlines (on 5 different days)",
                evidence="5 days; moderate evidence",
            )
        ),
    ]


def on(month: int, day: int, hour: int = 15) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)
