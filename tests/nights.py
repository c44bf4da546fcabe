"""Small worlds in which one kind of work is due, whoever does it, and what a store then says with its ids left out.

A world is made in any store with a clock that is told the time. Doing its work undisturbed and doing it with any number
of deaths in between must leave the same `told`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import readers
from builders import ANA
from hashing import HashingEmbedder
from memories import TOKENS, Clock, a_memory
from readers import UNRELATED, NotationReader
from relembra import Draft, Memory
from relembra.domain.candidate import Comparison, Spent, Topic
from relembra.domain.jobs import GARDEN, INSIGHT, MONTHLY, WEEKLY, night_job
from relembra.domain.message import Note
from relembra.domain.policy import LIFE, ClusterPolicy, Policy
from relembra.domain.scope import DEFAULT_TENANT, Scope, new_id
from relembra.minds.offline.night import OfflineNight
from relembra.store.port import Enqueue, Ledger, Store, View, Whole
from relembra.transfer.exports import VIEWS

DIARIES = Path(__file__).parent / "data" / "diaries.jsonl"
EMBEDDER = HashingEmbedder(64)
POLICY = replace(LIFE, tend=replace(LIFE.tend, batch_messages=3), garden=replace(LIFE.garden, batch=3))
TUESDAY = datetime(2026, 3, 3, 12, tzinfo=UTC)
"""Talk begins then."""


class NotationNight(readers.NotationNight):
    """A night reader that reads again what stands in braces, at no cost, and groups notes by their words."""

    def __init__(self) -> None:
        super().__init__(name="notation-night@1")
        self._offline = OfflineNight(
            HashingEmbedder(64), TOKENS, policy=ClusterPolicy(similar_at_least=0.2, related_at_least=0.1)
        )

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        return await self._offline.topics(notes, language=language, most=most)

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        return await self._offline.retell(texts, language=language, tokens=tokens)

    def spent(self) -> list[Spent]:
        return []


def alike(old: str, new: str) -> Comparison:
    """Statements that end in the same word and say "gladly" or not say the same."""
    plain = {text.replace(" gladly", "") for text in (old, new)}
    return Comparison(contradicts=0.0, same=0.95) if len(plain) == 1 and old != new else UNRELATED


def remembering(
    store: Store, clock: Clock, *, policy: Policy = POLICY, night: NotationNight | None = None
) -> AbstractAsyncContextManager[Memory]:
    """A memory on the store that reads notation by day and night."""
    return a_memory(
        store, clock=clock, embedder=EMBEDDER, policy=policy, reader=NotationReader(compared=alike),
        night=night or NotationNight(),
    )  # fmt: skip


# ── worlds ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def say(memory: Memory, clock: Clock, user: str, text: str, space: str | None = None, **parts: Any) -> None:
    await memory.save(user=user, said=text, replied="ok", at=clock(), space=space, **parts)


async def to_be_indexed(memory: Memory, clock: Clock, folder: Path) -> None:
    for number in range(4):
        await memory.add(f"Fact {number} of a life", user="ana")
    await memory.add_many([Draft(content=f"Fact {number} of many") for number in range(20)], user="bia")
    for number in range(4):
        await say(memory, clock, ("ana", "bia")[number % 2], f"message {number}")


async def to_be_learnt(memory: Memory, clock: Clock, folder: Path) -> None:
    for number in range(2):
        for user in ("ana", "bia"):
            await say(memory, clock, user, f"[fact={user} told {number}] [likes=tea] [weight={60 + number} kg]")
        await say(memory, clock, "ana", f"[fact=ana told the club {number}]", space="club")
        await say(memory, clock, "bia", f"[fact=bia told the club {number}] [residence=Recife{number}]", space="club")
        clock.move(minutes=2)
    clock.move(hours=1)


async def to_be_consolidated(memory: Memory, clock: Clock, folder: Path) -> None:
    for user in ("ana", "bia"):
        await memory.add(f"Likes to swim {user}", user=user)
    await memory.settle()
    for number in range(2):
        for user in ("ana", "bia"):
            await say(memory, clock, user, f"[fact={user} told {number}] {{fact={user} meant {number}}} [likes=tea]")
            await say(memory, clock, user, f"[weight={60 + number} kg] {{goal=run {number} km}}")
            await say(memory, clock, user, f"[fact=Sings songs{number}] [fact=Sings gladly songs{number}]")
        clock.move(hours=2)
        await memory.settle()
    await memory.add("Appointment with the doctor", user="ana")
    await memory.settle()
    clock.now = at_four(clock, days=1)


async def to_be_clustered(memory: Memory, clock: Clock, folder: Path) -> None:
    for number in range(9):
        user, matter = ("ana", "bia", "caio")[number % 3], ("rowing boat river", "garden roses soil", "piano jazz song")
        await say(memory, clock, user, f"{matter[number // 3]} talk {number} [fact={user} {number}]", space="club")
        clock.move(minutes=40)
        await memory.settle()
    clock.now = at_four(clock, days=1)


def long_talk(day: int) -> str:
    return " ".join(f"On day {day} she told of matter {part} at length and with many words." for part in range(30))


async def to_be_gardened(memory: Memory, clock: Clock, folder: Path) -> None:
    for number in range(5):
        await say(memory, clock, "ana", f"[fact=Reads book{number}] [emotion=glad {number}]")
        if number % 3 == 0:
            await say(memory, clock, "ana", long_talk(number))
        clock.move(hours=3)
        await memory.settle()
    await left_alone(memory)
    clock.move(days=100)
    for number in range(5):
        await memory.add(f"Reads gladly book{number}", user="ana")
    await memory.settle()
    await left_alone(memory, GARDEN, clock)


async def a_diary(memory: Memory, clock: Clock) -> None:
    rows = [json.loads(line) for line in DIARIES.read_text("utf-8").splitlines()]
    for row in rows:
        if row["diary"] == "en":
            clock.now = datetime.combine(date.fromisoformat(row["day"]), time(20), UTC)
            await say(memory, clock, "ana", row["text"])
    clock.move(hours=2)
    await memory.settle()


async def to_be_understood(memory: Memory, clock: Clock, folder: Path) -> None:
    await a_diary(memory, clock)
    await left_alone(memory, INSIGHT, clock)


async def to_be_told_by_week(memory: Memory, clock: Clock, folder: Path) -> None:
    await to_be_consolidated(memory, clock, folder)
    await one_night(memory, clock, but_for=WEEKLY)
    while clock().weekday() != 0:
        clock.move(days=1)


async def to_be_told_by_month(memory: Memory, clock: Clock, folder: Path) -> None:
    await to_be_consolidated(memory, clock, folder)
    await one_night(memory, clock, but_for=MONTHLY)
    while clock().day != 1:
        clock.move(days=1)


async def one_night(memory: Memory, clock: Clock, *, but_for: str) -> None:
    """Do the night's work but for one kind, which alone is left."""
    await memory.settle()
    for job in await memory._store.jobs(limit=1_000):
        if job.kind != but_for:
            await memory._store.cancel(job.id)


async def left_alone(memory: Memory, kind: str | None = None, clock: Clock | None = None) -> None:
    """Take all work out of the queue but, where a kind is given, that one for Ana."""
    for job in await memory._store.jobs(limit=1_000):
        await memory._store.cancel(job.id)
    if kind is not None and clock is not None:
        job = night_job(kind, ANA, "+00:00", hour=3.0, id=new_id(), now=clock())
        await memory._store.apply(ANA, [Enqueue(job)])
        clock.now = at_four(clock, days=1)


async def to_be_taken_back(memory: Memory, clock: Clock, folder: Path) -> None:
    await to_be_consolidated(memory, clock, folder)
    await memory.settle()
    [kept, *_] = [item for item in await memory.list(user="ana") if "Sings" in item.content]
    await memory.validate(kept.id, user="ana")
    clock.move(hours=1)


async def to_be_exported(memory: Memory, clock: Clock, folder: Path) -> None:
    await to_be_consolidated(memory, clock, folder)
    await memory.settle()


async def to_be_imported(memory: Memory, clock: Clock, folder: Path) -> None:
    await to_be_exported(memory, clock, folder)
    (folder / "export.jsonl").unlink(missing_ok=True)
    await memory.export(folder / "export.jsonl", format="jsonl")
    for user in ("ana", "bia"):
        await memory.forget(user=user, all=True)
    clock.move(hours=1)


def at_four(clock: Clock, *, days: int) -> datetime:
    """Four in the night, when all that is due at night is."""
    return datetime.combine(clock().date() + timedelta(days=days), time(4), UTC)


# ── work ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def settled(memory: Memory, folder: Path) -> None:
    await memory.settle()


async def taken_back(memory: Memory, folder: Path) -> None:
    for user in ("ana", "bia"):
        for run in await memory.consolidations(user=user):
            if run.status != "rolled_back":
                await memory.rollback(run.id, user=user)
    await memory.settle()


async def exported(memory: Memory, folder: Path) -> None:
    await memory.export(folder / "out.jsonl", format="jsonl", overwrite=True)


async def imported(memory: Memory, folder: Path) -> None:
    await memory.import_(folder / "export.jsonl")
    await memory.settle()


@dataclass(frozen=True)
class World:
    """What is made before, and the work that is done in it and may be interrupted anywhere."""

    made: Callable[[Memory, Clock, Path], Awaitable[None]]
    work: Callable[[Memory, Path], Awaitable[None]] = settled
    wait: timedelta = timedelta(minutes=15)  # after which the leases of somebody killed are over


WORLDS = {
    "index": World(to_be_indexed, wait=timedelta(minutes=11)), "listen": World(to_be_learnt),
    "consolidate": World(to_be_consolidated), "cluster": World(to_be_clustered), "garden": World(to_be_gardened),
    "insight": World(to_be_understood), "weekly": World(to_be_told_by_week), "monthly": World(to_be_told_by_month),
    "rollback": World(to_be_taken_back, taken_back), "export": World(to_be_exported, exported),
    "import": World(to_be_imported, imported),
}  # fmt: skip


async def made(store: Store, world: World, folder: Path) -> datetime:
    """Make a world; when its work begins."""
    clock = Clock(TUESDAY)
    async with remembering(store, clock) as memory:
        await world.made(memory, clock, folder)
    return clock()


# ── what a store says ─────────────────────────────────────────────────────────────────────────────────────────────

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_OWN = frozenset({"id", "change", "undoes", "started_at", "finished_at", "since", "until"})


async def told(store: Store, since: datetime) -> list[str]:
    """Everything kept, in lines: rows are named by what they say, moments since the work began are one moment."""
    names: dict[str, str] = {}
    rows: list[tuple[str, Scope, Any]] = []
    for scope in await store.owners(DEFAULT_TENANT, limit=10_000):
        for ledger in Ledger:
            page = await store.page(scope, Whole(ledger), limit=10_000)
            for row in page.rows:
                names[row.id] = _name(ledger, row)
                rows.append((ledger, scope, _parts(ledger, row)))
        rows += [("trail", scope, entry) for _, entry in await store.page_trail(scope, limit=100_000)]
        rows += [("view", scope, await store.find(scope, View, name)) for name in VIEWS]
        due = await store.unaccounted(scope, limit=10_000)
        rows.append(("unaccounted", scope, {"messages": due.messages, "changes": len(due.changes)}))
        rows += [("buffer", scope, buffer) for buffer in await store.buffers(scope)]
        rows += [("use", scope, use) for use in await store.usage(scope)]
    for job in await store.jobs(limit=10_000):
        parts = {"kind": job.kind, "key": job.key, "due": job.due_at.isoformat(" "), "state": job.state}
        rows.append(("job", job.scope, parts | {"payload": job.payload, "error": job.error}))
    rows += [
        ("no vector", scope, kind) for scope, kind, _ in map(_three, await store.unembedded(EMBEDDER.name, limit=99))
    ]
    rows += [("no terms", scope, id) for scope, id in await store.unindexed(limit=99)]
    rows.append(("problems", Scope(DEFAULT_TENANT, "all"), (await store.verify()).problems))
    return sorted(f"{kind} {scope.user!r} {_plain(row, names, since)}" for kind, scope, row in rows)


def _three(row: Any) -> tuple[Any, Any, Any]:
    return row.scope, row.kind, row.id


def _name(ledger: Ledger, row: Any) -> str:
    match ledger:
        case Ledger.ITEM:
            return f"<{row.subject} {row.attribute} {row.content} {row.held_from:%d %H:%M} {row.place.space}>"
        case Ledger.NOTE:
            return f"<{row.kind} {row.title} {row.happened_at:%d %H:%M}>"
        case Ledger.MESSAGE:
            return f"<{row.author} {row.text[:60]} {row.sent_at:%d %H:%M}>"
        case _:
            return f"<{ledger}>"


def _parts(ledger: Ledger, row: Any) -> Any:
    """A record is told by what it did; how often it was written down meanwhile is its own."""
    if ledger is not Ledger.RUN:
        return row
    parts: dict[str, Any] = msgspec.to_builtins(row)
    return parts | {"changes": len(row.changes), "version": None}


def _plain(row: Any, names: dict[str, str], since: datetime) -> str:
    return json.dumps(_without_ids(msgspec.to_builtins(row), names, since), ensure_ascii=False, sort_keys=True)


def _without_ids(value: Any, names: dict[str, str], since: datetime) -> Any:
    match value:
        case dict():
            return {
                name: _without_ids(part, names, since)
                for name, part in value.items()
                if name not in _OWN or (name == "id" and part in names)
            }
        case list() | tuple():
            parts = [_without_ids(part, names, since) for part in value]
            are_ids = parts and all(isinstance(part, str) and _ID.fullmatch(part) for part in value)
            return sorted(parts) if are_ids else parts
        case float():
            return round(value, 4)
        case str():
            text = _ID.sub(lambda found: names.get(found[0], "<?>"), value)
            return _MOMENT.sub(lambda found: _moment(found[0], since), text)
        case _:
            return value


def _moment(text: str, since: datetime) -> str:
    moment = datetime.fromisoformat(text)
    return "now" if moment >= since else moment.isoformat()


# ── deaths ────────────────────────────────────────────────────────────────────────────────────────────────────────


class DeathError(BaseException):
    """The process is gone: nobody catches it, and nothing can be written after it."""


class Mortal:
    """A store that is written to so many times; then whoever uses it dies, or is told once that it cannot now."""

    WRITES = frozenset({"apply", "claim", "give_back", "hasten", "retry", "cancel"})

    def __init__(self, store: Store, writes: int | None = None, *, error: Exception | None = None) -> None:
        self._store, self._left, self._error = store, writes, error
        self.writes = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        return partial(self._written, found) if name in self.WRITES else found

    async def _written(self, write: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> Any:
        if self._left is not None and self.writes >= self._left:
            if self._error is None:
                raise DeathError
            if self.writes == self._left and write.__name__ == "apply":
                self.writes += 1
                raise self._error
        done = await write(*args, **options)
        self.writes += done != []  # a claim of nothing writes nothing
        return done
