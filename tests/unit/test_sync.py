from __future__ import annotations

import inspect
import threading
from pathlib import Path

import pytest

import relembra
from relembra import InvalidInputError, StoreError
from relembra.settings import Settings
from relembra.sync import Memory


def test_every_verb_has_a_blocking_twin_of_the_same_shape() -> None:
    every = inspect.getmembers(relembra.Memory, inspect.iscoroutinefunction)
    verbs = {name for name, _ in every if name[0] != "_"} - {"start", "close", "open", "send_replies"}
    assert verbs <= set(vars(Memory))
    for name in verbs:
        assert inspect.signature(getattr(Memory, name)) == inspect.signature(getattr(relembra.Memory, name))


def test_the_same_verbs_without_await(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db") as memory:
        memory.save(user="ana", said="Moro em Recife.", replied="Que bom!")
        memory.settle()
        [learnt] = memory.list(user="ana")
        item = memory.add("Prefere café sem açúcar", user="ana", type="preference", area="health")
        assert memory.search("café", user="ana")[0].item == item
        assert "Recife" in memory.load(user="ana", query="onde eu moro?", budget=800).text
        assert [row.id for row in memory.list(user="ana")] == [item.id, learnt.id]
        with pytest.raises(InvalidInputError):
            memory.add(" ", user="ana")
        memory.settle()
    with pytest.raises(StoreError, match="closed"):
        memory.list(user="ana")
    memory.close()


def test_a_store_that_cannot_be_opened_says_so_and_leaves_no_thread(tmp_path: Path) -> None:
    (tmp_path / "m.db").write_text("no store" * 2000)
    before = threading.active_count()
    with pytest.raises(StoreError):
        Memory.open(tmp_path / "m.db")
    assert threading.active_count() <= before


def test_the_user_is_named_by_the_settings_or_logged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "nora")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("RELEMBRA_USER", raising=False)
    for settings, user in ((None, "nora"), (Settings(), "nora"), (Settings(user="ana"), "ana")):
        with Memory.open(":memory:", settings=settings, background=False) as memory:
            assert memory.user == user
