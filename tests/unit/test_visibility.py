"""Marking what stays on this machine: the mark's way through changes, and what it hides from whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import NOW
from hashing import HashingEmbedder
from loops import each
from memories import Clock, a_memory, a_store
from readers import NotationNight, NotationReader
from relembra import Memory, NotFoundError
from relembra.bootstrap import outside_minds
from relembra.domain.candidate import Comparison, Digest, Talk, Topic
from relembra.domain.message import Note
from relembra.domain.policy import GROUP, LIFE
from relembra.minds.port import Outside
from relembra.settings import Settings, is_local, is_on_this_machine
from relembra.store.port import Kind


async def contents(memory: Memory, **wishes: Any) -> set[str]:
    return {item.content for item in await memory.list(user="ana", **wishes)}


async def test_a_value_in_the_place_of_a_local_one_is_local(memory: Memory) -> None:
    await memory.add("Lives in Recife", user="ana", attribute="residence", value="Recife", local_only=True)
    newer = await memory.add("Lives in Olinda", user="ana", attribute="residence", value="Olinda")
    assert newer.local_only
    assert await contents(memory, outside=True, history=True) == set()


async def test_what_a_marked_value_replaced_does_not_come_out_through_its_history(memory: Memory, clock: Clock) -> None:
    old = await memory.add("Lives in Recife", user="ana", attribute="residence", value="Recife")
    clock.move(days=1)
    new = await memory.add("Lives in Olinda", user="ana", attribute="residence", value="Olinda")
    assert not new.local_only
    await memory.keep_local(new.id, user="ana")
    assert not (await memory.get(old.id, user="ana")).local_only  # the mark is the newer one's
    assert await contents(memory, history=True) == {"Lives in Recife", "Lives in Olinda"}
    assert await contents(memory, outside=True, history=True) == set()
    hits = await memory.search("where does she live", user="ana", history=True, outside=True)
    assert hits == []
    then = await memory.load(user="ana", query="home", as_of=NOW, outside=True)
    assert "Recife" not in then.text
    with pytest.raises(NotFoundError):
        await memory.get(old.id, user="ana", outside=True)


class Overheard(HashingEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.heard += texts
        return await super().embed(texts)


async def test_an_embedder_on_another_machine_is_not_given_what_is_marked(tmp_path: Path) -> None:
    embedder = Overheard()
    async with a_memory(await a_store("memory", tmp_path), embedder=embedder, outside=Outside(embedder=True)) as memory:
        item = await memory.add("Takes zoltanib", user="ana", local_only=True)
        await memory.add("Reads at night", user="ana")
        right = await memory.correct(item.id, "Takes zoltanib twice", user="ana")
        await memory.settle()
        await memory.reindex()
        assert await memory.related(right.id, user="ana") == []
        assert [text for text in embedder.heard if "zoltanib" in text] == []
        assert any("Reads at night" in text for text in embedder.heard)
        vectors = await memory._store.vectors(right.scope, Kind.ITEM, embedder.name, [(right.id, 0)])
        assert vectors == {}
        [hit, *_] = await memory.search("zoltanib", user="ana")  # by its words
        assert hit.item.id == right.id


class Comparing(NotationReader):
    """Remembers what it was asked to compare, and has a wording of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.pairs: list[tuple[str, str]] = []

    async def digest(self, talk: Talk) -> Digest:
        found = await super().digest(talk)
        own = tuple(replace(one, content=f"{one.content} ({self.name})") for one in found.candidates)
        return replace(found, candidates=own)

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        self.pairs += pairs
        return await super().compare(pairs)


@pytest.mark.parametrize("away", [True, False])
async def test_a_reader_on_another_machine_is_not_asked_about_what_is_marked(away: bool, tmp_path: Path) -> None:
    model, offline = Comparing("model:x"), Comparing("offline-notation@1")
    store = await a_store("memory", tmp_path)
    async with a_memory(store, reader=offline, model=model, outside=Outside(reader=away)) as memory:
        await memory.add("takes zoltanib with the breakfast every day", user="ana", local_only=True)
        await memory.add("takes the tram with the bicycle every day", user="ana")
        await memory.save(user="ana", said="[fact=takes the pill with the breakfast every day]")
        await memory.save(user="ana", said="[fact=takes the bus with the bicycle every day]")
        await memory.settle(flush=True)
        told = str([talk.known for talk in model.digested])
        assert "tram" in told
        assert ("zoltanib" in told) is not away
        assert "tram" in str(model.pairs)
        assert ("zoltanib" in str(model.pairs)) is not away
        assert "zoltanib" in str(offline.pairs)


@pytest.mark.parametrize("away", [True, False])
async def test_talk_with_something_marked_is_summed_up_here(away: bool, clock: Clock, tmp_path: Path) -> None:
    model, offline = NotationReader(name="model:x"), NotationReader()
    policy = replace(LIFE, listen=replace(LIFE.listen, model_summaries=True, summary_every=1))
    store = await a_store("memory", tmp_path)
    outside = Outside(reader=away)
    async with a_memory(store, clock=clock, reader=offline, model=model, policy=policy, outside=outside) as memory:
        said = await memory.save(user="ana", said="zoltanib helps", conversation="c1")
        await memory.add("Takes zoltanib", user="ana", local_only=True, message_ids=[said.messages[0].id])
        await memory.save(user="ana", said="and it rains", conversation="c1")
        await memory.settle(flush=True)
        heard = str([*model.digested, *(talk for talk, _ in model.summarised)])
        assert ("zoltanib" in heard) is not away
        assert ("rains" in heard) is not away  # one talk, read by one reader
        assert "zoltanib" in str(offline.digested)
        assert len(await memory.notes(user="ana")) == 1


class Topical(NotationNight):
    """Remembers the notes it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        self.given += [note.summary for note in notes]
        return []

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        self.given += texts
        return "short"


@pytest.mark.parametrize("away", [True, False])
async def test_a_spaces_notes_with_something_marked_are_read_here(away: bool, clock: Clock, tmp_path: Path) -> None:
    night = Topical()
    store = await a_store("memory", tmp_path)
    async with a_memory(
        store, clock=clock, reader=NotationReader(), night=night, policy=GROUP, outside=Outside(night=away)
    ) as memory:
        for user, words in (("ana", "zoltanib"), ("bia", "cake"), ("ana", "rowing"), ("bia", "chess")):
            await memory.save(user=user, said=f"[fact=likes {words}]", space="g1")
            clock.move(hours=3)
            await memory.settle()
        [item] = [one for one in await memory.list(user="ana") if "zoltanib" in one.content]
        await memory.keep_local(item.id, user="ana")
        clock.move(days=2)
        await memory.settle()
        assert ("zoltanib" in str(night.given)) is not away
        outside = await memory.notes(user="bia", space="g1", outside=True)
        assert "zoltanib" not in str(outside)
        assert "rowing" in str(outside)
        assert "zoltanib" in str(await memory.notes(user="bia", space="g1"))


@each([("http://127.0.0.1:11434/v1", True), ("http://127.8.9.1", True), ("http://[::1]:8080/v1", True),
     ("http://localhost/v1", True), ("http://LOCALHOST.:1/", True), ("http://api.localhost", True),
     ("https://api.openai.com/v1", False), ("http://10.0.0.7:11434", False), ("http://0.0.0.0:1", False),
     ("http://localhost.example.org", False), ("http://127.0.0.1.example.org", False),
     ("http://user:127.0.0.1@example.org", False), ("http://[broken", False), ("", False)])  # fmt: skip
def test_an_address_is_of_this_machine_or_not(url: str, here: bool) -> None:
    assert is_on_this_machine(url) is here
    assert is_local("auto", url) is here
    assert is_local("yes", url) is True
    assert is_local("no", url) is False


@each([({}, Outside()), ({"llm": "openai:x"}, Outside(reader=True, night=True)),
     ({"llm": "anthropic:x"}, Outside(reader=True, night=True)), ({"llm": "ollama:x"}, Outside()),
     ({"llm": "ollama:x", "llm_url": "http://10.0.0.7:11434/v1"}, Outside(reader=True, night=True)),
     ({"llm": "openai:x", "llm_url": "http://127.0.0.1:1/v1"}, Outside()),
     ({"llm": "openai:x", "llm_local": "yes"}, Outside()),
     ({"llm": "ollama:x", "llm_local": "no"}, Outside(reader=True, night=True)),
     ({"llm": "ollama:x", "llm_deep": "openai:y"}, Outside(reader=True, night=True)),
     ({"llm": "openai:x", "llm_deep": "ollama:y"}, Outside(reader=True)),
     ({"embedder": "openai:e", "embedder_url": "https://example.org/v1"}, Outside(embedder=True)),
     ({"embedder": "openai:e", "embedder_url": "http://localhost:1/v1"}, Outside())])  # fmt: skip
def test_settings_tell_which_minds_are_on_another_machine(settings: dict[str, str], away: Outside) -> None:
    assert outside_minds(Settings(**settings)) == away  # type: ignore[arg-type]
