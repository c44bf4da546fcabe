"""Many programs at one PostgreSQL: races, lost connections, killed backends, and whoever gives up waiting."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from threading import Barrier
from typing import Any

import psycopg
import pytest

import postgres
from builders import (
    ANA,
    BIA,
    MODEL,
    NOW,
    Words,
    a_conversation,
    a_job,
    a_message,
    a_query,
    a_vector,
    an_id,
    an_item,
    buffering,
    items_where,
    kept,
)
from postgres import Server
from relembra.domain.access import BlockKind
from relembra.domain.jobs import FLUSH, READ, JobState, read_job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, StaleError, StoreUnavailableError
from relembra.store.port import (
    Enqueue,
    Forget,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    Kind,
    MessageFilter,
    Put,
    PutVectors,
    TellsOfWork,
    TouchConversation,
)
from relembra.store.postgres import PostgresStore, connection
from relembra.store.postgres.connection import LostError, Pool, Session, lock_number
from relembra.store.rows import known_id
from relembra.store.sqlite import InMemoryStore

LEASE = timedelta(minutes=5)


async def opened(address: str, **options: Any) -> PostgresStore:
    return await PostgresStore.open(address, analyzer=Words(), **options)


@pytest.fixture
async def pair(postgres_server: Server) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    """Two programs at one database."""
    address = postgres_server.emptied()
    one, other = await opened(address), await opened(address)
    yield one, other
    assert (await one.verify()).problems == ()
    await one.close()
    await other.close()


Pair = tuple[PostgresStore, PostgresStore]


async def test_messages_of_many_wait_in_one_buffer_of_their_conversation(pair: Pair) -> None:
    place = Place("guild", "general")
    speakers = [Scope("default", name) for name in ("ana", "bia", "caio", "dora")]
    said = [a_message(scope=speakers[number % 4], place=place, conversation="c") for number in range(40)]
    saves = (pair[number % 2].apply(message.scope, [buffering(message)]) for number, message in enumerate(said))
    receipts = await asyncio.gather(*saves)
    [buffer] = await pair[0].buffers(shelf_of(ANA, place))
    assert {id for _, id in buffer.messages} == {message.id for message in said}
    assert sorted(receipt.waiting for receipt in receipts) == list(range(1, 41))
    assert [job.kind for job in await pair[0].jobs()] == [FLUSH]


async def test_a_message_saved_by_two_at_once_is_kept_once(pair: Pair) -> None:
    for number in range(10):
        said = [a_message(external_id=f"x{number}", conversation="c") for _ in pair]
        talk = TouchConversation(a_conversation(id="c"))
        receipts = await asyncio.gather(
            *(store.apply(ANA, [talk, buffering(message)]) for store, message in zip(pair, said, strict=True))
        )
        assert sorted(len(receipt.known) for receipt in receipts) == [0, 1]
    assert len((await pair[0].page(ANA, MessageFilter())).rows) == 10


async def test_of_two_who_decided_on_the_same_version_one_decides_anew(pair: Pair) -> None:
    item = an_item()
    await kept(pair[0], item)
    done = await asyncio.gather(
        *(store.apply(ANA, [Put(an_item(id=item.id, version=2), 1)]) for store in pair * 5), return_exceptions=True
    )
    assert Counter(type(one) for one in done)[StaleError] == 9


async def test_each_job_goes_to_one_claimer_and_of_a_scope_one_at_a_time(pair: Pair) -> None:
    scopes = [Scope("default", f"p{number}") for number in range(5)]
    jobs = [a_job(scope=scopes[number % 5], kind=kind) for number in range(40) for kind in ("index", "learn")]
    for scope in scopes:
        await pair[0].apply(scope, [Enqueue(job) for job in jobs if job.scope == scope])

    async def claim(store: PostgresStore, kind: str, *, one_a_scope: bool) -> list[str]:
        claimed: list[str] = []
        for _ in range(6):
            found = await store.claim([kind], now=NOW, lease=LEASE, limit=3, one_a_scope=one_a_scope)
            claimed += [job.id if kind == "index" else job.scope.user for job in found]
        return claimed

    indexed = await asyncio.gather(*(claim(store, "index", one_a_scope=False) for store in pair * 4))
    taken = Counter(id for ids in indexed for id in ids)
    assert set(taken.values()) == {1}
    assert len(taken) <= 40
    learnt = await asyncio.gather(*(claim(store, "learn", one_a_scope=True) for store in pair * 4))
    assert Counter(user for users in learnt for user in users) == dict.fromkeys((scope.user for scope in scopes), 1)


async def test_what_joins_waiting_work_is_never_lost_to_who_claims_it(pair: Pair) -> None:
    ids = [an_id() for _ in range(60)]
    done: set[str] = set()

    async def leave(store: PostgresStore, some: list[str]) -> None:
        for id in some:
            await store.apply(ANA, [Enqueue(read_job(ANA, "c", [id], id=an_id(), now=NOW))])

    async def take(store: PostgresStore) -> None:
        for _ in range(40):
            for job in await store.claim([READ], now=NOW, lease=LEASE, limit=2):
                done.update(job.payload["messages"])
            await asyncio.sleep(0)

    await asyncio.gather(leave(pair[0], ids[:30]), leave(pair[1], ids[30:]), take(pair[0]), take(pair[1]))
    waiting = await pair[0].jobs(state=JobState.WAITING)
    assert done | {id for job in waiting for id in job.payload["messages"]} == set(ids)


async def test_forgetting_and_blocking_go_on_among_those_who_save(pair: Pair) -> None:
    place = Place("guild", "general")

    async def save(store: PostgresStore, scope: Scope) -> None:
        for _ in range(12):
            item, said = an_item(scope=scope), a_message(scope=scope, place=place, author=scope.user)
            await store.apply(scope, [Put(item, None), buffering(said)])
            await store.apply(scope, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),))])
            await store.search(scope, a_query("glass", vector=a_vector(1, 0)), items_where())

    async def forget(store: PostgresStore, what: Forget) -> None:
        for _ in range(4):
            await store.forget(ANA, what)

    await asyncio.gather(
        save(pair[0], ANA), save(pair[1], ANA), save(pair[1], BIA), forget(pair[0], ForgetPerson()),
        forget(pair[1], ForgetConversation("c1")),
        *(pair[0].block("default", BlockKind.PERSON, "bia", since=NOW, new_id=an_id) for _ in range(3)),
    )  # fmt: skip
    await pair[1].forget(ANA, ForgetPerson())
    for store in pair:
        assert await store.search(ANA, a_query("glass", vector=a_vector(1, 0)), items_where()) == []
        assert (await store.stats(ANA)).items == {}


async def test_what_one_forgot_is_not_found_in_the_memory_of_another(pair: Pair) -> None:
    item, query = an_item(), a_query(vector=a_vector(1, 0))
    await kept(pair[0], item)
    await pair[0].apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),))])
    assert [hit.id for hit in await pair[1].search(ANA, query, items_where())] == [item.id]
    await pair[0].forget(ANA, ForgetItem(item.id))
    assert await pair[1].search(ANA, query, items_where()) == []


async def test_what_others_still_look_at_is_erased_once_they_are_done(postgres_server: Server) -> None:
    address = postgres_server.emptied()
    store = await opened(address, patience_seconds=0.1)
    items = [an_item() for _ in range(3)]
    await kept(store, *items)
    assert (await store.forget(ANA, ForgetItem(an_id()))).erased  # nothing
    with postgres_server.admin("memory") as admin:
        with admin.transaction():
            admin.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            admin.execute("SELECT count(*) FROM relembra.item")
            assert not (await store.forget(ANA, ForgetItem(items[0].id))).erased
            await store.close()
        assert _traces_left(admin)
        again = await opened(address, patience_seconds=60)  # as after a crash
        async with asyncio.timeout(60):
            while _traces_left(admin):  # noqa: ASYNC110 (the server tells no event)
                await asyncio.sleep(0.01)
        gone = await asyncio.gather(*(again.forget(ANA, ForgetItem(item.id)) for item in items[1:]))
        assert all(receipt.erased for receipt in gone)
        assert not _traces_left(admin)
    await again.close()


def _traces_left(admin: psycopg.Connection[Any]) -> bool:
    return admin.execute("SELECT value FROM relembra.meta WHERE name = 'traces_left'").fetchone() == ("1",)


# ── who waits for work ────────────────────────────────────────────────────────────────────────────────────────────


async def test_work_left_by_another_process_wakes_who_waits_for_it(pair: Pair) -> None:
    assert isinstance(pair[0], TellsOfWork)
    waiting = asyncio.create_task(pair[0].changed())
    while not (await asyncio.to_thread(_listeners, pair[0])):  # noqa: ASYNC110 (the server tells no event)
        await asyncio.sleep(0.01)
    await pair[0].apply(ANA, [Enqueue(a_job())])  # one's own wakes by itself
    await kept(pair[1], an_item())  # no work
    done, _ = await asyncio.wait([waiting], timeout=0.1)
    assert not done
    await pair[1].apply(ANA, [Enqueue(a_job())])
    await asyncio.wait_for(waiting, 5)


def _listeners(store: PostgresStore) -> int:
    with psycopg.connect(store._address.replace("memory@", "postgres@")) as admin:
        row = admin.execute("SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN relembra_work'").fetchone()
    return int(row[0]) if row else 0


# ── lost connections ──────────────────────────────────────────────────────────────────────────────────────────────


TERMINATE = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'relembra'"


def terminate(server: Server) -> None:
    """End every backend that works for a store."""
    with server.admin() as admin:
        admin.execute(TERMINATE)


async def test_reading_and_writing_go_on_after_the_server_ended_every_connection(
    pair: Pair, postgres_server: Server
) -> None:
    item = an_item()
    await asyncio.gather(*(kept(pair[0], an_item()) for _ in range(8)), kept(pair[0], item))
    for _ in range(3):
        terminate(postgres_server)
        assert await pair[0].get(ANA, KnowledgeItem, [item.id]) == [item]
        terminate(postgres_server)
        await asyncio.gather(*(kept(pair[0], an_item()) for _ in range(8)))


async def test_a_server_that_starts_anew_is_waited_for_and_one_that_is_gone_is_said_to_be_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "_LEFT_ALONE_SECONDS", 0.0)
    with postgres.running() as server:
        store = await opened(server.emptied())
        await kept(store, item := an_item())
        [socket] = [path for path in server.folder.iterdir() if path.is_socket()]
        away = socket.with_suffix(".away")
        with server.admin() as admin:
            for _ in range(2):
                monkeypatch.setattr(connection, "_RESTART_SECONDS", 600.0)
                socket.rename(away)
                admin.execute(TERMINATE)
                asking = [asyncio.create_task(store.get(ANA, KnowledgeItem, [item.id])) for _ in range(20)]
                async with asyncio.timeout(30):
                    while store._pool._lost_at is None:  # noqa: ASYNC110 (it tells no event)
                        await asyncio.sleep(0.01)
                away.rename(socket)
                assert await asyncio.gather(*asking) == [[item]] * 20
                monkeypatch.setattr(connection, "_RESTART_SECONDS", 0.0)
                socket.rename(away)
                admin.execute(TERMINATE)
                told = await asyncio.gather(*(kept(store, an_item()) for _ in range(20)), return_exceptions=True)
                assert {type(error) for error in told} == {StoreUnavailableError}
                away.rename(socket)
                await kept(store, an_item())
        await store.close()


async def test_who_is_ended_while_waiting_for_a_turn_takes_it_anew(pair: Pair, postgres_server: Server) -> None:
    with postgres_server.admin("memory") as admin:
        admin.execute("SELECT pg_advisory_lock(%s)", [lock_number(ANA)])
        saving = asyncio.create_task(kept(pair[0], item := an_item()))
        await blocked(admin)
        terminate(postgres_server)
        await blocked(admin)  # it waits again
    await saving
    assert await pair[1].get(ANA, KnowledgeItem, [item.id]) == [item]


async def blocked(admin: psycopg.Connection[Any], most: float = 10) -> None:
    """Until somebody waits for an advisory lock."""
    async with asyncio.timeout(most):
        waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while admin.execute(waits).fetchone() is None:  # noqa: ASYNC110 (the server tells no event)
            await asyncio.sleep(0.01)


async def test_who_gives_up_waiting_leaves_the_pool_as_it_was(pair: Pair, postgres_server: Server) -> None:
    with postgres_server.admin("memory") as admin:
        admin.execute("SELECT pg_advisory_lock(%s)", [lock_number(ANA)])
        saves = [asyncio.create_task(kept(pair[0], an_item())) for _ in range(20)]
        await blocked(admin)
        assert await asyncio.wait_for(pair[0].get(ANA, KnowledgeItem, [an_id()]), 60) == []  # whoever reads goes on
        for save in saves:
            save.cancel()
        await asyncio.gather(*saves, return_exceptions=True)
    await asyncio.gather(*(kept(pair[0], an_item(scope=BIA)) for _ in range(20)))
    await kept(pair[0], item := an_item())
    assert await pair[0].get(ANA, KnowledgeItem, [item.id]) == [item]


async def test_nothing_is_said_to_be_done_where_the_end_is_unknown(pair: Pair, postgres_server: Server) -> None:
    """A connection that goes while it commits."""

    def ended_by_itself(db: Session) -> None:
        db.run("set_meta", "mark", "1")
        raise LostError(is_unknown=True)

    with pytest.raises(StoreUnavailableError, match="not known"):
        await pair[0]._write(ended_by_itself, None, ())  # type: ignore[arg-type]
    del postgres_server
    await kept(pair[0], an_item())


async def test_transactions_that_wait_for_one_another_are_begun_anew(pair: Pair) -> None:
    rows = [an_item(), an_item()]
    await kept(pair[0], *rows)
    pool: Pool = pair[0]._pool
    both_began = Barrier(2)
    tries: Counter[int] = Counter()

    def touch(first: int) -> None:
        def work(db: Session) -> None:
            tries[first] += 1
            for place in (first, 1 - first):
                db.run("touch", NOW, ANA, known_id(rows[place].id), table="item")
                if place == first and tries[first] == 1:
                    both_began.wait(10)

        pool.write(work, ANA)

    await asyncio.gather(asyncio.to_thread(touch, 0), asyncio.to_thread(touch, 1))
    assert max(tries.values()) > 1
    held = await pair[0].get(ANA, KnowledgeItem, [row.id for row in rows])
    assert [item.accesses for item in held] == [2, 2]


async def test_after_a_backend_is_killed_in_a_transaction_what_was_saved_is_there_and_nothing_else() -> None:
    """`kill -9`, after which the server starts itself anew."""
    with postgres.running() as server:
        store = await opened(server.emptied())
        saved = [an_item() for _ in range(5)]
        await kept(store, *saved)
        with psycopg.connect(server.address(), autocommit=True) as half:
            half.execute("BEGIN")
            half.execute("SELECT set_config('relembra.reach', 'all', true)")
            half.execute("UPDATE relembra.item SET title = 'half done'")
            os.kill(half.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.Error):
                half.execute("COMMIT")
        for _ in range(50):
            try:
                await kept(store, late := an_item())
                break
            except (StoreUnavailableError, ConflictError):
                await asyncio.sleep(0.2)
        held = await store.get(ANA, KnowledgeItem, [*(item.id for item in saved), late.id])
        assert held == [*saved, late]
        assert (await store.verify()).problems == ()
        await store.close()


# ── the same answers as the file ──────────────────────────────────────────────────────────────────────────────────

SUBJECTS = ("tea", "glass", "river", "bees", "night bus", "old bridge", "salt", "violin", "pepper", "grandmother")
VERBS = ("likes", "avoids", "remembers", "bought", "sold", "paints", "misses", "counts", "repairs")


async def test_both_engines_find_the_same_first_ten(pair: Pair) -> None:
    texts = [f"{verb} the {one} near the {other}" for verb in VERBS for one in SUBJECTS for other in SUBJECTS]
    items = [an_item(content=text, title=text[:20]) for text in texts[:400]]
    puts = [Put(item, None) for item in items]
    spread = [a_vector(*(((number * prime) % 97) - 48.5 for prime in (3, 5, 7, 11, 13))) for number in range(400)]
    puts += [PutVectors(Kind.ITEM, item.id, MODEL, (near,)) for item, near in zip(items, spread, strict=True)]  # type: ignore[misc]
    here = InMemoryStore(Words())
    for store in (pair[0], here):
        await store.apply(ANA, puts)
    for number in range(60):
        terms = tuple(dict.fromkeys(texts[number * 7].split()))
        query = a_query(*terms, vector=spread[(number * 31) % 400], limit=10)
        assert await pair[0].search(ANA, query, items_where()) == await here.search(ANA, query, items_where())
    await here.close()


async def test_a_null_character_is_kept_as_the_sign_for_what_cannot_be_shown(pair: Pair) -> None:
    said = a_message(text="before\0after", external_id="x\0y")
    await kept(pair[0], said)
    [held] = await pair[0].get(ANA, Message, [said.id])
    assert (held.text, held.external_id) == ("before\ufffdafter", "x\ufffdy")
    assert (await pair[0].page(ANA, MessageFilter(conversation="c\0"))).rows == ()
