"""Archiving by hand: put away and taken out again, recorded, and never behind the person's back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memories import a_memory, a_store
from relembra import NotFoundError, ProtectedError


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_what_is_archived_is_no_longer_held_and_comes_back(kind: str, tmp_path: Path) -> None:
    async with a_memory(await a_store(kind, tmp_path)) as memory:
        item = await memory.add("Gosta de cerâmica", user="ana")
        away = await memory.archive(item.id, user="ana")
        assert away.archived_at is not None
        assert await memory.list(user="ana") == []
        assert [row.id for row in await memory.list(user="ana", history=True)] == [item.id]
        assert await memory.get(item.id, user="ana") == away
        assert await memory.archive(item.id, user="ana") == away
        back = await memory.recover(item.id, user="ana")
        assert back.archived_at is None
        assert await memory.list(user="ana") == [back]
        told = await memory.history(item.id, user="ana")
        assert sorted(entry.verb for entry in told.trail) == ["add", "archive", "recover"]


async def test_archiving_may_be_undone() -> None:
    async with a_memory(await a_store("memory", Path())) as memory:
        item = await memory.add("Gosta de cerâmica", user="ana")
        await memory.archive(item.id, user="ana")
        await memory.undo(item.id, user="ana")
        assert [row.id for row in await memory.list(user="ana")] == [item.id]


async def test_what_the_person_confirmed_only_they_archive() -> None:
    async with a_memory(await a_store("memory", Path())) as memory:
        item = await memory.add("Gosta de cerâmica", user="ana")
        with pytest.raises(ProtectedError):
            await memory.archive(item.id, user="ana", by="program:tests")
        with pytest.raises(NotFoundError):
            await memory.archive(item.id, user="bia")
        assert (await memory.get(item.id, user="ana")).archived_at is None


async def test_a_question_about_two_values_is_over_once_one_is_archived_and_open_again_once_it_is_back() -> None:
    async with a_memory(await a_store("memory", Path())) as memory:
        for born in ("Nasceu em 3 de maio", "Nasceu em 5 de maio"):
            await memory.add(born, user="ana", attribute="birthday", value=born[-11:], source="conversation")
        (doubt,) = await memory.conflicts(user="ana", open_only=True)
        await memory.archive(doubt.old.id, user="ana")
        assert await memory.conflicts(user="ana", open_only=True) == []
        assert (await memory.get(doubt.new.id, user="ana")).needs_resolution is False
        assert (await memory.recover(doubt.old.id, user="ana")).needs_resolution is True
        assert len(await memory.conflicts(user="ana", open_only=True)) == 1
