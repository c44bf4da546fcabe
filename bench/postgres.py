"""PostgreSQL beside SQLite: one person's hybrid search, what row-level security costs, and saves a second.

    python -m bench.postgres [--items 100000] [--people 100] [--address postgresql://…]

Without an address a server of its own is started, with fsync on. Both stores hold the same rows.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from bench.corpus import DIMENSIONS, MODEL, START, Corpus
from bench.search import searched
from bench.table import median, ms, percentile, timed
from relembra.domain.message import Conversation, Message, Role
from relembra.domain.scope import Scope, new_id
from relembra.domain.searchable import indexed_text
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store import rows
from relembra.store.port import InBuffer, ItemFilter, Kind, Op, PutMessage, Query, Store, TouchConversation
from relembra.store.postgres import PostgresStore
from relembra.store.postgres.connection import Pool
from relembra.store.sql import search
from relembra.store.sql.vectors import HotSlices
from relembra.store.sqlite import SqliteStore, connection

Row = tuple[Any, ...]
LOOKED_AT = 60
SAVES = 1_500
NUMBER, KIND = 1, rows.KIND_NUMBERS[Kind.ITEM]
COLUMNS = {
    "item": ("tenant", "owner", "analyzer", "length", *rows.ITEMS.names),
    "posting": ("tenant", "owner", "kind", "term", "id", "tf", "len"),
    "embedding": ("tenant", "owner", "model", "kind", "id", "part", "tick", "vector"),
    "slice": ("tenant", "owner", "kind", "docs", "total_length"),
    "vector_slice": ("tenant", "owner", "model", "kind", "vectors", "put_at", "dropped_at"),
    "stamp": ("tenant", "owner", "said", "known"),
}


def person(corpus: Corpus, analyzer: BilingualAnalyzer, scope: Scope, count: int) -> dict[str, list[Row]]:
    """The rows of one person with so many items, by table."""
    whose, found = (scope.tenant, scope.user), {name: list[Row]() for name in COLUMNS}
    total = 0
    for item, vector in zip(corpus.items(scope, count), corpus.vectors(count), strict=True):
        terms = Counter(analyzer.terms(indexed_text(item)))
        id, length = rows.id_bytes(item.id), terms.total()
        total += length
        found["item"].append((*whose, analyzer.version, length, *rows.ITEMS.row(item)))
        found["posting"] += [(*whose, KIND, term, id, tf, length) for term, tf in sorted(terms.items())]
        found["embedding"].append((*whose, NUMBER, KIND, id, 0, 2, vector.tobytes()))
    found["slice"].append((*whose, KIND, count, total))
    found["vector_slice"].append((*whose, NUMBER, KIND, count, 2, 0))
    found["stamp"].append((*whose, 2, 2))
    return found


async def filled(folder: Path, address: str, items: int, people: int) -> tuple[SqliteStore, str]:
    """The same rows in a file, whose store it is, and at an address."""
    analyzer, corpus = BilingualAnalyzer(), Corpus()
    store = await SqliteStore.open(folder / "memory.db", analyzer=analyzer, durability="normal")
    await (await PostgresStore.open(address, analyzer=analyzer)).close()
    size = items // people
    with (
        psycopg.connect(address, autocommit=True) as server,
        closing(connection.open_writer(folder / "memory.db", durability="normal", create=False)) as file,
    ):
        server.execute("SET search_path = relembra; SELECT set_config('relembra.reach', 'all', false)")
        server.execute("INSERT INTO model (id, name, dimensions) VALUES (%s, %s, %s)", [NUMBER, MODEL, DIMENSIONS])
        file.execute("INSERT INTO model (id, name, dimensions) VALUES (?, ?, ?)", (NUMBER, MODEL, DIMENSIONS))
        for number in range(people):
            for table, found in person(corpus, analyzer, scope_of(size, number), size).items():
                names = ", ".join(COLUMNS[table])
                with file.transaction():
                    file.many("put_salvaged", found, table=table, columns=names, marks=", ".join("?" * len(found[0])))
                copied(server, table, found)
        server.execute("ANALYZE")
        file.execute("ANALYZE")
    return store, address


def scope_of(size: int, number: int) -> Scope:
    return Scope("default", f"p{size}-{number}")


def copied(server: psycopg.Connection[Any], table: str, found: Sequence[Row]) -> None:
    """COPY passes no policy, so rows go in by a table without one."""
    server.execute(f"CREATE TEMP TABLE IF NOT EXISTS new_{table} (LIKE relembra.{table})")
    names = ", ".join(COLUMNS[table])
    with server.cursor().copy(f"COPY new_{table} ({names}) FROM STDIN") as copy:
        for row in found:
            copy.write_row(row)
    server.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM new_{table}; TRUNCATE new_{table}")  # noqa: S608


# ── searching ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def searching(store: Store, size: int, people: int) -> Iterator[str]:
    """The first look at each of some people, and further ones."""
    corpus, analyzer = Corpus(seed=8), BilingualAnalyzer()
    first: list[float] = []
    for number in range(min(people, LOOKED_AT)):
        start = time.perf_counter()
        await store.search(scope_of(size, number), question(corpus, analyzer), ItemFilter(now=START))
        first.append(time.perf_counter() - start)
    again = await searched(store, corpus, size)
    return iter((f"first look {ms(median(first))}", f"again {ms(median(again))} (p95 {ms(percentile(again, 95))})"))


def question(corpus: Corpus, analyzer: BilingualAnalyzer) -> Query:
    terms = tuple(dict.fromkeys(analyzer.terms(corpus.sentence(6))))
    return Query(terms=terms, vector=corpus.vectors(1)[0].tobytes(), model=MODEL, limit=50)


def policies(address: str, admin: str, size: int, people: int) -> Iterator[str]:
    """The same searches, with no vectors kept between them, as the application's role and as one above all policies."""
    corpus, analyzer, hot = Corpus(seed=9), BilingualAnalyzer(), HotSlices(most_bytes=0)
    turn = itertools.cycle(range(people))
    wanted = ItemFilter(now=START)

    def look(pool: Pool, *, vectors: bool) -> None:
        scope, asked = scope_of(size, next(turn)), question(corpus, analyzer)
        if not vectors:
            asked = Query(terms=asked.terms, vector=None, model=None, limit=50)
        pool.read(lambda db: search.search(db, scope, asked, wanted, analyzer=analyzer, hot=hot, epoch=0), scope)

    for name, whom, role in (("with policies", address, "relembra_app"), ("without", admin, None)):
        pool = Pool(whom, "here", most=2, role=role, is_durable=True)
        for part, vectors in (("words", False), ("both arms", True)):
            once = partial(look, pool, vectors=vectors)
            timed(once, 10)
            yield f"{name}, {part}: {ms(median(timed(once, 150)))}"
        pool.close()


# ── saving ────────────────────────────────────────────────────────────────────────────────────────────────────────


def exchange(corpus: Corpus, number: int) -> tuple[Scope, list[Op]]:
    """What saving something said and its answer does, of one of fifty people."""
    scope, now = Scope("default", f"speaker-{number % 50}"), START + timedelta(seconds=number)
    talk = Conversation(id="c", scope=scope, title="", created_at=now, updated_at=now)
    ops: list[Op] = [TouchConversation(talk)]
    for role in (Role.USER, Role.ASSISTANT):
        message = Message(
            id=new_id(), scope=scope, conversation="c", role=role, author=scope.user, text=corpus.sentence(14),
            sent_at=now, saved_at=now,
        )  # fmt: skip
        waiting = InBuffer(id=new_id(), now=now, quiet=timedelta(minutes=25), window=timedelta(hours=2))
        ops.append(PutMessage(message, waiting))
    return scope, ops


async def saving(store: Store, at_once: int) -> float:
    """Exchanges saved in a second, by so many at once."""
    corpus = Corpus(seed=10)
    left = iter([exchange(corpus, number) for number in range(SAVES)])

    async def save() -> None:
        for scope, ops in left:
            await store.apply(scope, ops)

    start = time.perf_counter()
    await asyncio.gather(*(save() for _ in range(at_once)))
    return SAVES / (time.perf_counter() - start)


async def run(folder: Path, address: str, admin: str, items: int, people: int) -> None:
    start = time.perf_counter()
    file, _ = await filled(folder, address, items, people)
    size = items // people
    print(f"{items:,} items of {people:,} people, made in {time.perf_counter() - start:.0f} s")
    analyzer = BilingualAnalyzer()
    server = await PostgresStore.open(address, analyzer=analyzer)
    for name, store in (("SQLite", file), ("PostgreSQL", server)):
        print(f"search of one person's {size:,}, {name}: " + ", ".join(await searching(store, size, people)))
    print("row-level security: " + "; ".join(policies(address, admin, size, people)))
    await server.close()
    for at_once in (1, 4, 16):
        server = await PostgresStore.open(address, analyzer=analyzer, connections=at_once)
        print(f"saves a second, PostgreSQL, {at_once} connections: {await saving(server, at_once):,.0f}")
        await server.close()
    await file.close()
    full = await SqliteStore.open(folder / "memory.db", analyzer=analyzer, durability="full")
    for at_once in (1, 4, 16):
        print(f"saves a second, SQLite, {at_once} at once: {await saving(full, at_once):,.0f}")
    await full.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--address", help="of an empty database, as its owner")
    parser.add_argument("--admin", help="of the same as a superuser, to compare without policies")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address, admin = asked.address, asked.admin or asked.address
        if address is None:
            sys.path.append(str(Path(__file__).parents[1] / "tests"))
            import postgres

            server = stack.enter_context(postgres.running(fsync="on", full_page_writes="on", shared_buffers="256MB"))
            address, admin = server.new_database("bench"), server.address("bench", "postgres")
        asyncio.run(run(folder, address, admin, asked.items, asked.people))


if __name__ == "__main__":
    main()
