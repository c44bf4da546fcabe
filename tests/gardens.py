"""Gardeners for tests: the real one over a store, with minds that say what a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from builders import ANA, an_id
from hashing import HashingEmbedder
from memories import TOKENS, Clock
from readers import UNRELATED, NotationReader, QuietNight
from relembra.domain.audit import Actor
from relembra.domain.candidate import Comparison, Spent
from relembra.domain.jobs import GARDEN, Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.policy import LIFE, Policy
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text
from relembra.errors import MindUnavailableError
from relembra.learn.trail import MERGE, Change, snapshot
from relembra.minds.offline.language import language_of
from relembra.night.duplicates import Merge, Merger, Rule, Why
from relembra.night.gardener import Gardener
from relembra.night.task import NightServices
from relembra.store.port import Enqueue, ItemFilter, Kind, NoteFilter, Put, PutVectors, Store

EMBEDDER = HashingEmbedder(64)


def alike(*pairs: tuple[str, str], same: float = 0.95) -> Callable[[str, str], Comparison]:
    """A comparison by which just these statements say the same, in either order."""
    known = {frozenset(pair) for pair in pairs}
    return lambda old, new: Comparison(contradicts=0.0, same=same) if frozenset((old, new)) in known else UNRELATED


class Reteller(QuietNight):
    """A night reader that tells texts again by their first words; counts what it was asked, and may fail."""

    name = "offline-reteller@1"
    rereads = False

    def __init__(self, *, failing: bool = False) -> None:
        self.failing = failing
        self.asked: list[tuple[str, str, int]] = []
        self._counted = 0

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        self.asked.append((texts[0], language, tokens))
        if self.failing:
            raise MindUnavailableError("told to fail")
        return " ".join(texts[0].split()[: tokens // 2])

    def spent(self) -> list[Spent]:
        calls, self._counted = len(self.asked) - self._counted, len(self.asked)
        return (
            [Spent(task="retell", model="m", calls=calls, input_tokens=9 * calls, output_tokens=calls)] if calls else []
        )


class Counting(NotationReader):
    """Counts how often it was asked to compare, and how much."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.calls: list[int] = []

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        self.calls.append(len(pairs))
        return await super().compare(pairs)


async def always() -> bool:
    """Models may be asked."""
    return True


def night_services(store: Any, clock: Clock, **changes: Any) -> NightServices:
    """What night tasks work with, all of it offline."""
    usual: dict[str, Any] = {
        "policy": LIFE, "new_id": an_id, "embedder": EMBEDDER, "reader": NotationReader(), "night": Reteller(),
        "allowance": always, "tokens": TOKENS, "language": "en", "language_of": language_of,
    }  # fmt: skip
    usual |= changes
    return NightServices(store=store, clock=clock, **{"offline": usual["night"]} | usual)


def a_merger(
    store: Any,
    clock: Clock,
    *,
    compared: Callable[[str, str], Comparison] | None = None,
    reader: NotationReader | None = None,
    policy: Policy = LIFE,
) -> Merger:
    reader = reader or NotationReader(compared=compared)
    return Merger(night_services(store, clock, reader=reader, policy=policy))


def a_gardener(
    store: Any, clock: Clock, *, compared: Callable[[str, str], Comparison] | None = None, **changes: Any
) -> Gardener:
    merger = a_merger(store, clock, compared=compared, policy=changes.get("policy", LIFE))
    return Gardener(night_services(store, clock, **changes), merger)


async def planted(store: Store, *items: KnowledgeItem) -> None:
    """Store items with their vectors."""
    vectors = await EMBEDDER.embed([item_text(item) for item in items])
    for item, vector in zip(items, vectors, strict=True):
        await store.apply(item.scope, [Put(item, None), PutVectors(Kind.ITEM, item.id, EMBEDDER.name, (vector,))])


async def a_garden_job(store: Store, clock: Clock, **payload: Any) -> Job:
    """A job of the gardener, claimed."""
    job = Job(
        id=an_id(), scope=ANA, kind=GARDEN, payload={"zone": "America/Sao_Paulo"} | payload, due_at=clock(),
        created_at=clock(),
    )  # fmt: skip
    await store.apply(ANA, [Enqueue(job)])
    claimed = await store.claim((GARDEN,), now=clock(), lease=timedelta(minutes=10), limit=10)
    return next(one for one in claimed if one.id == job.id)


async def everything(store: Store, scope: Scope = ANA) -> dict[str, Any]:
    """Every item and note there is, as plain values."""
    wanted = ItemFilter(now=Clock()(), history=True, archived=True, deleted=True)
    items = (await store.page(scope, wanted, limit=1_000)).rows
    notes = (await store.page(scope, NoteFilter(archived=True), limit=1_000)).rows
    return {row.id: snapshot(row) for row in items} | {note.id: snapshot(note) for note in notes}


async def merged_into(store: Store, kept: str, *others: str, clock: Clock, scope: Scope = ANA) -> None:
    """End items in favour of one that says the same, as a night does."""
    merger = a_merger(store, clock)
    [keep], ended = await store.get(scope, KnowledgeItem, [kept]), await store.get(scope, KnowledgeItem, others)
    why = Why(Rule.WORDS, "the same words")
    change = Change(scope, new_id=an_id, verb=MERGE, actor=Actor.parse("program:gardener"), at=clock())
    beside = merger.write(change, [Merge(keep, tuple(ended), (why,) * len(ended))], scope)
    await store.apply(scope, [*change.ops, *beside])
