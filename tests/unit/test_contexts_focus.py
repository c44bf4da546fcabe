"""What else a question asks for beside its words: whom, when, about what, and what notes and neighbours lead to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from loops import each
from memories import Clock
from relembra import Memory
from relembra.recall.ranking import Focus


@pytest.fixture
async def family(memory: Memory) -> Memory:
    """A memory that knows a sister by a tie, and a friend by a nickname."""
    await memory.add("Mora em Recife com o namorado", user="ana", attribute="residence", value="Recife")
    await memory.add("Mora em Olinda, perto do mar", user="ana", subject="Clara Souza", attribute="residence")
    await memory.add("Clara Souza é irmã dela", user="ana", subject="Clara Souza", attribute="relation", value="irmã")
    await memory.add("Bernardo atende por Nado", user="ana", subject="Bernardo", attribute="nickname", value="Nado")
    await memory.add("Trabalha num hospital", user="ana", subject="Bernardo", attribute="employment")
    await memory.add("Trabalha numa escola", user="ana", attribute="employment", value="escola")
    return memory


@each(
    [
        ("onde mora minha irmã?", "Clara Souza"),
        ("Onde a Clara mora?", "Clara Souza"),
        ("onde mora a clara souza?", "Clara Souza"),
        ("Onde o Bernardo trabalha?", "Bernardo"),
        ("onde o Nado trabalha?", "Bernardo"),
    ]
)
async def test_whom_a_question_names_comes_first(question: str, subject: str, family: Memory) -> None:
    hits = await family.search(question, user="ana")
    assert hits[0].item.subject == subject
    assert Focus.NAME in hits[0].why.focus
    found = await family.recall(question, user="ana")
    assert found.inquiry.names == (subject,)
    context = await family.load(user="ana", query=question)
    assert context.hits[0].item.subject == subject


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Que curso ela fez em março?", "curso de cerâmica"),
        ("Que curso ela fez em maio?", "curso de dança"),
        ("What course (curso) did she take in March?", "curso de cerâmica"),
    ],
)
async def test_what_is_of_the_time_named_comes_first(
    memory: Memory, clock: Clock, question: str, expected: str
) -> None:
    for month, text in ((3, "curso de cerâmica"), (4, "curso de vela"), (5, "curso de dança")):
        clock.now = datetime(2026, month, 15, 12, tzinfo=UTC)
        await memory.add(text, user="ana", type="memory")
    clock.now = datetime(2026, 8, 1, 12, tzinfo=UTC)
    hits = await memory.search(question, user="ana")
    assert hits[0].item.content == expected
    assert Focus.TIME in hits[0].why.focus
    assert Focus.TIME not in hits[1].why.focus


WEST = timezone(timedelta(hours=-3))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (datetime(2026, 3, 9, 23, 30, tzinfo=WEST), "manhã"),  # 2:30 of the tenth in UTC, and still the ninth there
        (datetime(2026, 3, 10, 0, 30, tzinfo=WEST), "tarde"),
    ],
)
async def test_yesterday_is_the_askers(memory: Memory, clock: Clock, now: datetime, told: str) -> None:
    for moment, text in (
        (datetime(2026, 3, 8, 9, tzinfo=WEST), "remou no rio de manhã"),
        (datetime(2026, 3, 9, 23, 0, tzinfo=WEST), "remou no rio de tarde"),
    ):
        clock.now = moment
        await memory.add(text, user="ana")
    clock.now = now
    found = await memory.recall("onde ela remou ontem?", user="ana", kinds="item")
    period = found.inquiry.period
    assert period is not None
    assert period.start == datetime(now.year, now.month, now.day, tzinfo=WEST) - timedelta(days=1)
    assert found.items[0].item.content.endswith(told)
    assert [hit.why.focus for hit in found.items] == [(Focus.TIME,), ()]


async def test_a_note_leads_to_what_was_said_and_learnt_there(listener: Memory, clock: Clock) -> None:
    await listener.save(user="ana", said="A festa surpresa da firma, que susto", conversation="um")
    await listener.save(user="ana", said="Sumiu tudo [fact=perdeu o guarda-chuva]", conversation="um")
    await listener.settle(flush=True)
    clock.move(days=3)
    found = await listener.recall("festa surpresa da firma", user="ana")
    assert len(found.notes) == 1
    learnt = {hit.item.content: Focus.NOTE in hit.why.focus for hit in found.items}
    assert learnt == {"perdeu o guarda-chuva": True}
    assert {hit.message.text[:5] for hit in found.messages} == {"A fes", "Sumiu"}


async def test_a_short_answer_comes_with_the_question_it_follows(listener: Memory, clock: Clock) -> None:
    for author, text in (("bia", "Qual é o nome do seu cachorro novo?"), ("ana", "Pipoca!"), ("bia", "Que fofo")):
        await listener.save(user="ana", said=text, author=author, conversation="um")
        clock.move(minutes=1)
    await listener.settle()
    clock.move(days=3)
    found = await listener.recall("nome do cachorro novo", user="ana", kinds="message")
    hits = {hit.message.text: hit for hit in found.messages}
    assert hits["Pipoca!"].why.around > 0
    assert hits["Pipoca!"].score < hits["Qual é o nome do seu cachorro novo?"].score
    context = await listener.load(user="ana", query="nome do cachorro novo")
    assert "Pipoca!" in [hit.message.text for hit in context.earlier]
