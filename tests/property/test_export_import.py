"""Export then import is the identity, whatever happened before."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from builders import minutes
from memories import Clock, InMemoryStore, a_memory
from readers import NotationReader
from relembra import Memory
from relembra.domain.jobs import FLUSH
from relembra.errors import ConflictError, NotFoundError
from relembra.ingest.pipeline import Flusher
from relembra.minds.offline.analysis import BilingualAnalyzer
from seeds import rounds

CITIES = ("Recife", "Porto", "Oslo")
SAID = (
    "good morning", "we moved [residence=Recife!]", "I think [residence=Oslo]", "[likes=rowing] and [employment=Vale]",
    "[Clara.employment=Ambev~]", "[goal=run a marathon] 🏃 <b>& “so”</b>",
)  # fmt: skip

Step = tuple[str, int, int]


async def live(memory: Memory, clock: Clock, steps: list[Step]) -> None:
    """A life of some verbs; one that does not go with what is there is passed over."""
    for step in steps:
        clock.move(minutes=1)
        try:
            await DOES[step[0]](memory, clock, step[1], step[2])
        except (ConflictError, NotFoundError):
            continue


async def _some_item(memory: Memory, number: int) -> str:
    listed = await memory.list(user="ana", history=True, deleted=True, limit=50)
    if not listed:
        raise NotFoundError("item", "any")
    return listed[number % len(listed)].id


async def _add(memory: Memory, clock: Clock, one: int, two: int) -> None:
    city = CITIES[one % 3]
    await memory.add(f"Lives in {city}", user="ana", attribute="residence", value=city, by=(None, "program:x")[two % 2])


async def _save(memory: Memory, clock: Clock, one: int, two: int) -> None:
    external = None if two % 2 else f"x{one}{two}"
    await memory.save(
        user="ana", said=SAID[one], replied="I see", conversation=f"c{two % 2}", external_id=external,
        metadata={"a": "b"},
    )  # fmt: skip


async def _save_in_space(memory: Memory, clock: Clock, one: int, two: int) -> None:
    await memory.save(user=("ana", "bia")[two % 2], said=SAID[one], space="guild", channel=("x", "y")[two % 2])


async def _note_only(memory: Memory, clock: Clock, one: int, two: int) -> None:
    """What was said is noted, and not learnt from yet."""
    store = memory._store
    await store.hasten(FLUSH, now=clock())
    jobs = await store.claim((FLUSH,), now=clock(), lease=minutes(5), limit=1)
    await Flusher(memory._listening).run(jobs)


async def _document(memory: Memory, clock: Clock, one: int, two: int) -> None:
    text = "\n\n".join(f"# Part {number}\n\nIt says {number * (one % 2)}." for number in range(two))
    await memory.import_(io.BytesIO(text.encode() or b"empty"), user="ana", file_name=f"{one % 3}.md")


async def _wait(memory: Memory, clock: Clock, one: int, two: int) -> None:
    clock.move(minutes=(1, 10, 30, 200, 3_000, 30_000)[one])


async def _resolve(memory: Memory, clock: Clock, one: int, two: int) -> None:
    listed = await memory.conflicts(user="ana", open_only=True)
    if listed:
        await memory.resolve(listed[0].case.id, keep=("new", "old", "both")[one % 3], user="ana")


async def _forget(memory: Memory, clock: Clock, one: int, two: int) -> None:
    await memory.forget(user="ana", item=await _some_item(memory, one))


async def _rollback(memory: Memory, clock: Clock, one: int, two: int) -> None:
    listed = await memory.consolidations(user="ana")
    if listed:
        await memory.rollback(listed[one % len(listed)].id, user="ana")


def _of_item(verb: str, *more: str) -> Callable[..., Awaitable[Any]]:
    async def does(memory: Memory, clock: Clock, one: int, two: int) -> None:
        await getattr(memory, verb)(await _some_item(memory, one), *more, user="ana")

    return does


DOES: dict[str, Callable[[Memory, Clock, int, int], Awaitable[Any]]] = {
    "add": _add, "save": _save, "save_in_space": _save_in_space, "note_only": _note_only,
    "document": _document, "settle": lambda memory,
    clock, one, two: memory.settle(), "flush": lambda memory, clock, one, two: memory.settle(flush=True), "wait": _wait,
    "correct": _of_item("correct", "Lives in Bergen"), "delete": _of_item("delete"), "restore": _of_item("restore"),
    "validate": _of_item("validate"), "archive": _of_item("archive"), "recover": _of_item("recover"),
    "undo": _of_item("undo"), "resolve": _resolve, "hide": lambda memory, clock, one,
    two: memory.delete_conversation(f"c{one % 2}", user="ana"), "me": lambda memory, clock, one,
    two: memory.me(user="ana"), "load": lambda memory, clock, one,
    two: memory.load(user="ana", query="where do I live?"), "forget": _forget, "consolidate": lambda memory, clock, one,
    two: memory.consolidate(user="ana"), "garden": lambda memory, clock, one, two: memory.garden(user="ana"),
    "rollback": _rollback, "report": lambda memory, clock, one,
    two: memory.report(user="ana", kind=("weekly", "monthly")[one % 2]),
}  # fmt: skip


STEPS = st.lists(st.tuples(st.sampled_from((*DOES, "save")), st.integers(0, 5), st.integers(0, 5)), max_size=24)


async def exported(memory: Memory, **what: Any) -> bytes:
    out = io.BytesIO()
    await memory.export(out, **what)
    return out.getvalue()


def as_told(document: bytes) -> object:
    """The export but for the notes of a space, which one person's import leaves to the space."""
    if document.startswith(b'{"row"'):
        return document
    whole = msgspec.json.decode(document)
    del whole["space_notes"], whole["counts"]["space_notes"]
    return whole


async def round_trip(steps: list[Step], everybody: bool) -> None:
    what: dict[str, Any] = {"format": "jsonl"} if everybody else {"user": "ana", "format": "json"}
    clock = Clock()
    async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock, reader=NotationReader()) as memory:
        await live(memory, clock, steps)
        document = await exported(memory, **what)
    async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock, reader=NotationReader()) as memory:
        came = await memory.import_(io.BytesIO(document))
        assert came.skipped == came.conflicted == 0
        assert as_told(await exported(memory, **what)) == as_told(document)
        again = await memory.import_(io.BytesIO(document))
        assert (again.total, again.conflicted) == (0, 0)
        assert as_told(await exported(memory, **what)) == as_told(document)
        assert (await memory.verify()).problems == ()
        assert await learns_to_an_end(memory)


async def learns_to_an_end(memory: Memory) -> bool:
    """Whether all that waited is noted and learnt from, and every row can be found."""
    await memory.settle(flush=True)
    left = msgspec.json.decode(await exported(memory, user="ana", format="json"))
    learning = [work for work in left["work"] if work["kind"] == "learn"]
    return not left["buffers"] and not learning and not await memory.failed_jobs()


@settings(max_examples=rounds(15), suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink))
@given(STEPS, st.booleans())
def test_what_is_exported_and_imported_is_exported_the_same(steps: list[Step], everybody: bool) -> None:
    asyncio.run(round_trip(steps, everybody))
