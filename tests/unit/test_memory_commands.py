"""Commands typed in a chat, through the whole engine."""

from __future__ import annotations

import re
from typing import Any

import pytest

from relembra import Memory, NotFoundError
from relembra.tools.commands import CommandAnswer, answered, short_id


async def ask(memory: Memory, text: str, **where: Any) -> CommandAnswer:
    answer = await answered(memory, text, user="ana", **where)
    assert answer is not None
    assert len(answer.text.split("\n")) <= 10
    return answer


def typed(line: str) -> str:
    """The command a line says to type."""
    return line[line.index("/") :]


async def test_forgetting_step_by_step_as_the_answers_say(memory: Memory) -> None:
    item = await memory.add("Mora na rua das Flores", user="ana")
    other = await memory.add("Trabalha na rua Augusta", user="ana")
    asked = await ask(memory, "/esquecer rua das flores")
    assert set(asked.text.split("\n")[1:-1]) >= {
        f"{short_id(item.id)} · “{item.content}” · 1 mar 2026, registrado pela pessoa"
    }
    assert (await memory.get(item.id, user="ana")).deleted_at is None

    done = await ask(memory, f"/esquecer {short_id(item.id)}")
    assert (await memory.get(item.id, user="ana")).deleted_at is not None
    assert item.content not in (await ask(memory, "/lembrar rua das flores")).text
    undo, for_good = map(typed, done.text.split("\n")[1:])

    back = await ask(memory, undo)
    assert back.done
    assert (await memory.get(item.id, user="ana")).deleted_at is None
    assert item.content in (await ask(memory, "/lembrar rua das flores")).text

    gone = await ask(memory, for_good)
    assert re.match(r"Apagado de vez: .*1 item", gone.text)
    assert item.content not in gone.text
    with pytest.raises(NotFoundError):
        await memory.get(item.id, user="ana")
    assert not (await ask(memory, undo)).done
    assert (await memory.get(other.id, user="ana")).deleted_at is None


async def test_a_space_neither_shows_nor_touches_what_is_private(memory: Memory) -> None:
    private = await memory.add("Likes mint tea in bed", user="ana")
    shared = await memory.add("Brings mint tea to the club", user="ana", space="book club")
    assert (await ask(memory, "/recall mint tea", space="book club")).items == (shared,)
    assert (await ask(memory, "/forget mint tea", space="book club")).items == (shared,)
    for command in ("/forget {}", "/forget {} for good", "/undo {}"):
        answer = await ask(memory, command.format(short_id(private.id)), space="book club")
        assert (answer.done, answer.items) == (False, ())
        assert "bed" not in answer.text
    assert (await memory.get(private.id, user="ana")).deleted_at is None
    profile = (await ask(memory, "/profile", space="book club")).text
    assert "club" in profile
    assert "bed" not in profile
    assert (await ask(memory, f"/forget {short_id(shared.id)}", space="book club")).done
    assert (await memory.get(shared.id, user="ana")).deleted_at is not None
