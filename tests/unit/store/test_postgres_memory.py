"""The whole engine on PostgreSQL: what is said is learnt, told and forgotten as on a file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from postgres import Server
from relembra import Memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SAID = (
    "Oi! Eu moro em Recife e trabalho como vidraceira.",
    "Minha irmã Bia adora café sem açúcar.",
    "I am allergic to peanuts.",
    "Semana que vem eu me mudo para Olinda.",
    "Agora eu moro em Olinda, na rua do Sol.",
)


class Ticking:
    """A clock that goes on a second at each look."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


async def lived(db: str) -> list[Any]:
    """Some days of a person and a group, and what is told of them."""
    clock, told = Ticking(), list[Any]()
    async with Memory.open(db, clock=clock, background=False) as memory:
        for day, said in enumerate(SAID):
            await memory.save(user="ana", said=said, replied="Entendi.", conversation=f"c{day}")
            await memory.save(user="bia", said="Bom dia a todos!", conversation="g", space="casa", channel="geral")
            clock.now += timedelta(hours=3)
            await memory.settle(flush=True)
            clock.now += timedelta(days=1)
        held = await memory.list(user="ana", history=True, limit=100)
        told.append(sorted((item.attribute, item.value, item.content, item.superseded_at is None) for item in held))
        told.append([note.summary for note in await memory.notes(user="ana")])
        told.append([hit.item.content for hit in await memory.search("onde ela mora?", user="ana")])
        told.append([item.content for item in await memory.list(user="bia")])
        gone = await memory.forget(user="ana", conversation="c0")
        told += [dict(gone.counts), (await memory.verify()).problems]
        told.append(dict((await memory.forget(user="ana", all=True)).counts))
        told.append((await memory.stats(user="ana")).messages)
    return told


async def test_the_same_days_are_learnt_and_told_alike_on_both_engines(postgres_server: Server) -> None:
    on_server, in_memory = await lived(postgres_server.new_database()), await lived(":memory:")
    assert on_server == in_memory
    assert any("Olinda" in content for _, _, content, is_held in in_memory[0] if is_held)
