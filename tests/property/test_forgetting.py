"""Forgetting leaves no trace in records and rights."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, Words, a_key, a_run, an_entry, an_id, an_item, kept
from memories import InMemoryStore
from relembra.domain.access import Link
from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import Run, RunStatus
from relembra.domain.scope import Scope
from relembra.store.port import ForgetItem, ForgetPerson, KeptReply, RunFilter, Store
from relembra.store.sqlite import SqliteStore
from seeds import rounds

# ── which records of night work go when something is forgotten ──────────────────────────────────────────────────────


ITEMS = [an_id(number) for number in range(1, 5)]
CHANGES = ["k1", "k2", "k3", "k4"]

entries = st.builds(an_entry, change=st.sampled_from(CHANGES), target_id=st.sampled_from(ITEMS))
runs = st.builds(
    a_run,
    status=st.sampled_from(RunStatus),
    changes=st.lists(st.sampled_from(CHANGES), max_size=3, unique=True).map(tuple),
)


@given(st.lists(entries, max_size=8), st.lists(runs, min_size=1, max_size=5), st.permutations(ITEMS), st.integers(1, 3))
def test_a_record_stays_while_an_entry_of_its_changes_does(
    trail: list[AuditEntry], records: list[Run], order: list[str], many: int
) -> None:
    asyncio.run(_forgotten(trail, records, order[:many]))


async def _forgotten(trail: list[AuditEntry], records: list[Run], gone: list[str]) -> None:
    store = InMemoryStore(Words())
    await kept(store, *(an_item(id=id) for id in ITEMS), *trail, *records)
    left, expected = trail, records
    for id in gone:
        await store.forget(ANA, ForgetItem(id))
        without = [entry for entry in left if entry.target_id != id]
        if without != left:
            recorded = {entry.change for entry in without}
            expected = [run for run in expected if _stays(run, recorded)]
        left = without
        expected = [_read_again(run) for run in expected]
    held = (await store.page(ANA, RunFilter(), limit=50)).rows
    assert sorted(held, key=lambda run: run.id) == sorted(expected, key=lambda run: run.id)


def _stays(run: Run, recorded: set[str]) -> bool:
    return run.status is RunStatus.RUNNING or not run.changes or not recorded.isdisjoint(run.changes)


def _read_again(run: Run) -> Run:
    return replace(run, version=run.version + (run.status is RunStatus.RUNNING))


# ── whatever keys, links and kept replies there are, forgetting a person leaves none of theirs, and all  ────────────


SECRET = "xylophone"
TENANTS = st.sampled_from(["default", "other"])
USERS = st.sampled_from(["ana", "bia"])
KEYS = st.lists(st.tuples(TENANTS, st.none() | USERS), max_size=6)
LINKS = st.dictionaries(st.tuples(TENANTS, st.sampled_from("12")), USERS, max_size=4)
REPLIES = st.dictionaries(st.tuples(TENANTS, st.sampled_from("abc")), st.none() | USERS, max_size=5)


async def filled(store: Store, keys: Any, links: Any, replies: Any) -> None:
    for number, (tenant, user) in enumerate(keys):
        key = a_key(tenant=tenant, user=user, name=f"{SECRET} {user}", prefix=f"{number:08}")
        await store.put_key(key, bytes(32))
    for (tenant, id), user in links.items():
        await store.put_link(Link(tenant=tenant, channel="discord", id=id, user=user, created_at=NOW))
    for (tenant, name), user in replies.items():
        await store.begin_reply(tenant, "c", name, fingerprint="f", now=NOW, lease=timedelta(hours=1))
        body = f"{SECRET} of {tenant} {user}".encode()
        reply = KeptReply(status=200, headers={}, body=body)
        await store.end_reply(tenant, "c", name, reply, user=user, until=NOW + timedelta(days=1))


async def kept_bodies(store: Store, replies: Any) -> dict[Any, bytes | None]:
    found = {}
    for tenant, name in replies:
        kept = await store.begin_reply(tenant, "c", name, fingerprint="f", now=NOW, lease=timedelta(hours=1))
        found[tenant, name] = None if kept is None else kept.body
    return found


async def checked(store: Store, keys: Any, links: Any, replies: Any) -> None:
    await filled(store, keys, links, replies)
    await store.forget(Scope("default", "ana"), ForgetPerson())
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


@settings(max_examples=rounds(20), suppress_health_check=[HealthCheck.too_slow])
@given(KEYS, LINKS, REPLIES)
def test_nothing_of_a_forgotten_person_is_left(keys: Any, links: Any, replies: Any) -> None:
    async def run(folder: Path) -> None:
        store = await SqliteStore.open(folder / "m.db", analyzer=Words(), durability="normal")
        try:
            await checked(store, keys, links, replies)
            await store.forget(Scope("default", "bia"), ForgetPerson())
            bytes_left = b"".join(path.read_bytes() for path in folder.iterdir())
            assert SECRET.encode() + b" of default ana" not in bytes_left
            assert SECRET.encode() + b" of default bia" not in bytes_left
        finally:
            await store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
