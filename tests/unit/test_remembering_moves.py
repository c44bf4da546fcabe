"""Of what was said of one matter the newest comes first, with the shipped encoder and in both languages."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memories import Clock
from relembra import Memory

SAID = {
    "onde eu moro?": ("Moro em Natal.", "Me mudei, agora moro em Olinda.", "Moro em Belém desde segunda."),
    "where do I live?": ("I live in Leeds with my cat.", "I moved, I live in York now.", "I live in Bath now."),
    "qual é o meu recorde nos 5 km?": (
        "Meu recorde nos 5 km é 27 minutos.",
        "Comprei um tênis de corrida.",
        "Agora meu recorde nos 5 km é 25 minutos!",
    ),
}


@pytest.mark.parametrize("question", SAID)
async def test_the_newest_of_several_statements_comes_first(question: str) -> None:
    clock = Clock()
    async with Memory.open(":memory:", clock=clock, background=False) as memory:
        for number, text in enumerate(SAID[question]):
            at = clock.now - timedelta(days=90 - 30 * number)
            await memory.save(user="ana", said=text, at=at, conversation=f"talk {number}")
        await memory.settle()
        found = await memory.recall(question, user="ana", kinds="message")
    assert found.messages[0].message.text == SAID[question][-1]
