"""Whatever keys, links and kept replies there are, forgetting a person leaves none of theirs, and all of others'."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import NOW, Words, an_id
from relembra.domain.access import Key, Link, Right
from relembra.domain.scope import Scope
from relembra.store.memory import InMemoryStore
from relembra.store.port import Store
from relembra.store.sqlite import SqliteStore

SECRET = "xylophone"
TENANTS = st.sampled_from(["default", "other"])
USERS = st.sampled_from(["ana", "bia"])
KEYS = st.lists(st.tuples(TENANTS, st.none() | USERS), max_size=6)
LINKS = st.dictionaries(st.tuples(TENANTS, st.sampled_from("12")), USERS, max_size=4)
REPLIES = st.dictionaries(st.tuples(TENANTS, st.sampled_from("abc")), st.none() | USERS, max_size=5)


async def filled(store: Store, keys: Any, links: Any, replies: Any) -> None:
    for number, (tenant, user) in enumerate(keys):
        key = Key(
            id=an_id(),
            tenant=tenant,
            user=user,
            name=f"{SECRET} {user}",
            prefix=f"{number:08}",
            right=Right.READ,
            created_at=NOW,
        )
        await store.put_key(key, bytes(32))
    for (tenant, id), user in links.items():
        await store.put_link(Link(tenant=tenant, channel="discord", id=id, user=user, created_at=NOW))
    for (tenant, name), user in replies.items():
        await store.begin_reply(tenant, "c", name, fingerprint="f", now=NOW, lease=timedelta(hours=1))
        body = f"{SECRET} of {tenant} {user}".encode()
        await store.end_reply(
            tenant, "c", name, user=user, status=200, headers={}, body=body, now=NOW, keep=timedelta(days=1)
        )


async def kept_bodies(store: Store, replies: Any) -> dict[Any, bytes | None]:
    found = {}
    for tenant, name in replies:
        kept = await store.begin_reply(tenant, "c", name, fingerprint="f", now=NOW, lease=timedelta(hours=1))
        found[tenant, name] = None if kept is None else kept.body
    return found


async def checked(store: Store, keys: Any, links: Any, replies: Any) -> None:
    await filled(store, keys, links, replies)
    await store.forget_person(Scope("default", "ana"))
    gone = ("default", "ana")
    left = sorted((key.tenant, key.user or "") for key in await store.keys())
    assert left == sorted((tenant, user or "") for tenant, user in keys if (tenant, user) != gone)
    linked = {
        (link.tenant, link.id): link.user for tenant in ("default", "other") for link in await store.links(tenant)
    }
    assert linked == {name: user for name, user in links.items() if (name[0], user) != gone}
    assert await kept_bodies(store, replies) == {
        name: None if name[0] == "default" and user in (None, "ana") else f"{SECRET} of {name[0]} {user}".encode()
        for name, user in replies.items()
    }


@settings(max_examples=60, deadline=None)
@given(KEYS, LINKS, REPLIES)
def test_nothing_of_a_forgotten_person_is_left_in_memory(keys: Any, links: Any, replies: Any) -> None:
    asyncio.run(checked(InMemoryStore(Words()), keys, links, replies))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(KEYS, LINKS, REPLIES)
def test_nothing_of_a_forgotten_person_is_left_in_the_file(keys: Any, links: Any, replies: Any) -> None:
    async def run(folder: Path) -> None:
        store = await SqliteStore.open(folder / "m.db", analyzer=Words(), durability="normal")
        try:
            await checked(store, keys, links, replies)
            await store.forget_person(Scope("default", "bia"))
            bytes_left = b"".join(path.read_bytes() for path in folder.iterdir())
            assert SECRET.encode() + b" of default ana" not in bytes_left
            assert SECRET.encode() + b" of default bia" not in bytes_left
        finally:
            await store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
