"""Whatever two handles put, replace and drop, in turns: what is at hand answers as one read anew from the file."""

from __future__ import annotations

import asyncio
import tempfile
from itertools import product
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import ANA, BIA, MODEL, Words, a_message, a_query, a_vector, an_id
from relembra.domain.message import Message
from relembra.domain.scope import Scope
from relembra.store.port import Candidate, ForgetConversation, ForgetPerson, Kind, MessageFilter, PutMessage, PutVectors
from relembra.store.sql.vectors import HotSlices
from relembra.store.sqlite import SqliteStore
from seeds import rounds

IDS = [an_id(n) for n in range(1, 9)]
# Unit vectors whose products are exact, so that ties are ties in every precision.
VECTORS = [a_vector(*signs) for signs in product((1, -1), repeat=4)]
EVERYTHING = MessageFilter()

scopes = st.sampled_from([ANA, ANA, BIA])
parts = st.lists(st.sampled_from(VECTORS), max_size=4).map(tuple)
puts = st.tuples(st.just("put"), scopes, st.lists(st.tuples(st.sampled_from(IDS), parts), min_size=1, max_size=4))
drops = st.tuples(st.sampled_from(["conversation", "person", "models", "search"]), scopes, st.just(()))
steps = st.lists(st.tuples(st.booleans(), puts | puts | drops), min_size=1, max_size=16)


async def taken(store: SqliteStore, what: str, scope: Scope, rows: list[tuple[str, tuple[bytes, ...]]]) -> None:
    match what:
        case "put":
            held = {row.id for row in await store.get(scope, Message, IDS)}
            fresh = dict.fromkeys(id for id, _ in rows if id not in held)
            new = [PutMessage(a_message(id=id, scope=scope, conversation=id)) for id in fresh]
            await store.apply(scope, [*new, *(PutVectors(Kind.MESSAGE, id, MODEL, given) for id, given in rows)])
        case "conversation":
            await store.forget(scope, ForgetConversation(IDS[0]))
        case "person":
            await store.forget(scope, ForgetPerson())
        case "models":
            await store.drop_other_vectors("other")


async def told(store: SqliteStore, scope: Scope) -> list[dict[str, Candidate]]:
    answers = []
    for vector, limit in ((VECTORS[0], 3), (VECTORS[6], 1), (VECTORS[9], 20)):
        query = a_query(vector=vector, limit=limit, also=(IDS[2],))
        hits = await store.search(scope, query, EVERYTHING)
        answers.append({hit.id: hit for hit in hits})
    return answers


async def compare(
    taken_by: list[tuple[bool, tuple[str, Scope, list[tuple[str, tuple[bytes, ...]]]]]], path: Path
) -> None:
    quick, also_quick = (HotSlices() for _ in range(2))
    one = await SqliteStore.open(path, analyzer=Words(), hot=quick, durability="normal")
    two = await SqliteStore.open(path, analyzer=Words(), hot=also_quick, durability="normal")
    scan = await SqliteStore.open(path, analyzer=Words(), hot=HotSlices(most_bytes=0), durability="normal")
    try:
        for first, step in taken_by:
            await taken(one if first else two, *step)
            for scope in (ANA, BIA):
                expected = await told(scan, scope)
                assert await told(one, scope) == expected
                assert await told(two, scope) == expected
        assert (await one.verify()).problems == ()
    finally:
        for store in (one, two, scan):
            await store.close()


@settings(max_examples=rounds(12))
@given(steps)
def test_what_is_at_hand_answers_as_the_file(
    taken_by: list[tuple[bool, tuple[str, Scope, list[tuple[str, tuple[bytes, ...]]]]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(compare(taken_by, Path(folder, "memory.db")))
