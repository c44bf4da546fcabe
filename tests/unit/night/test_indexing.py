"""Indexing: what is found by passages as well as by its whole text, and in how many calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from builders import ANA, NOW, Words, a_message, a_note, a_query, an_item, items_where, kept
from hashing import HashingEmbedder
from memories import InMemoryStore
from relembra.domain.jobs import Job, index_job
from relembra.domain.message import Role
from relembra.domain.searchable import passages
from relembra.minds.port import Vector
from relembra.night.upkeep import Indexer, reindex
from relembra.store.port import Enqueue, Kind, MessageFilter, NoteFilter

STORY = (
    "We talked about the weather for a long while and about nothing else at all. " * 8
    + "By the way, the spare key lies under the blue flowerpot. "
    + "Then the neighbours came and everybody had coffee with some of the cake. " * 8
)


class Counting(HashingEmbedder):
    """Keeps what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return await super().embed(texts)


def job_for(kind: Kind, *ids: str) -> Job:
    return index_job(ANA, kind, list(ids), id=ids[0], now=NOW)


async def test_what_a_person_said_is_found_by_a_passage_and_anything_else_by_its_whole() -> None:
    store, embedder = InMemoryStore(Words()), Counting()
    message, reply = a_message(text=STORY), a_message(text=STORY, role=Role.ASSISTANT, conversation="c2")
    note, item = a_note(summary=STORY), an_item(content=STORY)
    await kept(store, message, reply, note, item)
    jobs = [job_for(Kind.MESSAGE, message.id, reply.id), job_for(Kind.NOTE, note.id), job_for(Kind.ITEM, item.id)]
    await store.apply(ANA, [Enqueue(job) for job in jobs])
    await Indexer(store, embedder).run(jobs)
    assert (embedder.calls, len(embedder.asked)) == (1, 4 + len(passages(STORY)))
    [asked] = await embedder.embed(["where is the spare key, under the blue flowerpot?"])
    query = a_query(vector=asked, model=embedder.name, limit=1)
    [of_message] = await store.search(ANA, query, MessageFilter(conversation="c1"))
    assert "flowerpot" in passages(STORY)[of_message.part - 1]
    assert of_message.cosine is not None
    assert of_message.whole is not None
    assert of_message.cosine > of_message.whole
    [of_reply] = await store.search(ANA, query, MessageFilter(conversation="c2"))
    [of_note] = await store.search(ANA, query, NoteFilter())
    [of_item] = await store.search(ANA, query, items_where())
    for hit in (of_reply, of_note, of_item):
        assert (hit.part, hit.cosine) == (0, hit.whole)
    assert await store.jobs() == []


async def test_who_reads_a_message_while_it_is_indexed_has_it_embedded_once() -> None:
    store, embedder = InMemoryStore(Words()), Counting()
    message = a_message(text="The spare key lies under the flowerpot.")
    await kept(store, message)
    job, indexer = job_for(Kind.MESSAGE, message.id), Indexer(store, embedder)
    await store.apply(ANA, [Enqueue(job)])
    reading, again, _ = await asyncio.gather(
        indexer.of_messages(ANA, [message]), indexer.of_messages(ANA, [message]), indexer.run([job])
    )
    assert list(reading) == list(again) == [message.id]
    assert embedder.asked == [message.text]


async def test_reindexing_gives_passages_too_and_counts_rows() -> None:
    store, embedder = InMemoryStore(Words()), Counting()
    message, item = a_message(text=STORY), an_item()
    await kept(store, message, item)
    told: list[tuple[int, int]] = []
    assert await reindex(store, embedder, lambda done, total: told.append((done, total))) == 2
    assert (told, len(embedder.asked)) == ([(2, 2)], 2 + len(passages(STORY)))
    assert ((await store.stats()).vectors, await reindex(store, embedder)) == ({embedder.name: 2}, 0)
