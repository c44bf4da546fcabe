"""What the store promises of keys, sessions, linked accounts and kept replies."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, NOW, a_conversation, a_key, a_message, a_note, an_id, an_item, kept, minutes
from relembra.domain.access import EVERY_TENANT, Key, Link, Right, Session
from relembra.domain.scope import Place, shelf_of
from relembra.errors import BusyError, ConflictError
from relembra.store.port import MOST_PURGED, ForgetConversation, ForgetItem, ForgetPerson, KeptReply, Store

DIGEST = bytes(range(32))
LEASE, DAY = timedelta(minutes=10), timedelta(days=1)
ANSWER = KeptReply(status=201, headers={"content-type": "application/json"}, body=b'{"id": "\xc3\xa7"}')


def a_link(**changes: Any) -> Link:
    ordinary: dict[str, Any] = {"tenant": "default", "channel": "discord", "id": "1", "user": "ana", "created_at": NOW}
    return Link(**ordinary | changes)


async def begun(store: Store, key: str = "k", *, tenant: str = "default", caller: str = "c", **changes: Any) -> Any:
    asked: dict[str, Any] = {"fingerprint": "f", "now": NOW, "lease": LEASE} | changes
    return await store.begin_reply(tenant, caller, key, **asked)


async def ended(store: Store, key: str = "k", *, user: str | None = "ana", tenant: str = "default") -> None:
    await store.end_reply(tenant, "c", key, ANSWER, user=user, until=NOW + DAY)


async def replied(store: Store, key: str, **whose: Any) -> None:
    assert await begun(store, key, tenant=whose.get("tenant", "default")) is None
    await ended(store, key, **whose)


async def is_kept(store: Store, key: str, tenant: str = "default") -> bool:
    """Whether a request is answered with what was kept; else it is taken up, and dropped again."""
    try:
        answer = await begun(store, key, tenant=tenant)
    except BusyError:
        return False
    if answer is None:
        await store.drop_reply(tenant, "c", key)
    return answer is not None


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_key_comes_back_whole_and_its_id_and_prefix_are_taken(store: Store) -> None:
    key = a_key(
        user="ana", expires_at=NOW + DAY, revoked_at=NOW + minutes(1), last_used_at=NOW + minutes(2), right=Right.ADMIN
    )
    await store.put_key(key, DIGEST)
    assert await store.key_by_prefix(key.prefix) == (key, DIGEST)
    assert await store.key_by_prefix("") is None
    for taken in ("id", "prefix"):
        with pytest.raises(ConflictError):
            await store.put_key(a_key(**{taken: getattr(key, taken)}), bytes(32))
    assert await store.keys() == [key]


async def test_keys_come_newest_first_of_one_tenant_or_of_all(store: Store) -> None:
    old, new = a_key(created_at=NOW - DAY, id=an_id(9)), a_key(id=an_id(2))
    twin, elsewhere = a_key(id=an_id(1)), a_key(tenant="other", created_at=NOW + DAY)
    operators = a_key(tenant=EVERY_TENANT, created_at=NOW + 2 * DAY)
    for key in (twin, old, operators, new, elsewhere):
        await store.put_key(key, DIGEST)
    assert await store.keys("default") == [new, twin, old]
    assert await store.keys("other") == [elsewhere]
    assert await store.keys() == [operators, elsewhere, new, twin, old]


async def test_a_key_stays_revoked_since_the_first_time_and_its_last_use_never_goes_back(store: Store) -> None:
    key = a_key()
    await store.put_key(key, DIGEST)
    await store.touch_keys({key.id: NOW, an_id(): NOW})
    await store.touch_keys({key.id: NOW - DAY})
    revoked = replace(key, revoked_at=NOW, last_used_at=NOW)
    assert [await store.revoke_key(key.id, at) for at in (NOW, NOW + DAY)] == [revoked, revoked]
    assert await store.key_by_prefix(key.prefix) == (revoked, DIGEST)
    assert [await store.revoke_key(id, NOW) for id in (an_id(), "nonsense")] == [None, None]


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def signed_in(store: Store, key: Key, digest: bytes = DIGEST, **changes: Any) -> Session:
    ordinary: dict[str, Any] = {"key": key.id, "created_at": NOW, "expires_at": NOW + DAY}
    session = Session(**ordinary | changes)
    await store.put_session(session, digest)
    return session


async def test_a_session_comes_back_whole_with_its_key_and_its_digest_is_taken(store: Store) -> None:
    key = a_key(user="ana", expires_at=NOW + DAY, right=Right.ADMIN)
    await store.put_key(key, DIGEST)
    session = await signed_in(store, key)
    for taken, digest in ((key, DIGEST), (a_key(), bytes(32)), (a_key(id="nonsense"), bytes(32))):
        with pytest.raises(ConflictError):
            await signed_in(store, taken, digest, expires_at=NOW + 2 * DAY)
    assert await store.session(DIGEST) == (session, key)
    assert await store.session(bytes(32)) is None


async def test_sessions_are_ended_once_end_with_their_key_and_go_when_over(store: Store, tmp_path: Path) -> None:
    keys = a_key(), a_key(user="ana"), a_key()
    digests = [bytes([100 + number]) * 32 for number in range(3)]
    for key, digest in zip(keys, digests, strict=True):
        await store.put_key(key, DIGEST)
        await signed_in(store, key, digest)
    await store.backup(tmp_path / "copy")  # has none
    assert not any(digest in (tmp_path / "copy").read_bytes() for digest in digests)
    await store.revoke_key(keys[0].id, NOW)
    await store.forget(ANA, ForgetPerson())
    assert [await store.session(digest) is not None for digest in digests] == [False, False, True]
    await signed_in(store, keys[2], DIGEST, expires_at=NOW + 2 * DAY)
    await signed_in(store, keys[2], bytes(32), created_at=NOW + DAY, expires_at=NOW + 3 * DAY)
    left = [await store.session(digest) is not None for digest in (digests[2], DIGEST, bytes(32))]
    assert left == [False, True, True]
    told = await asyncio.gather(*(store.end_session(DIGEST) for _ in range(5)))
    assert sorted(told) == [False] * 4 + [True]
    assert await store.session(DIGEST) is None


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_account_is_one_persons_and_the_link_it_had_is_given_back(store: Store) -> None:
    rows = [a_link(), a_link(id="2", user="bia"), a_link(channel="telegram"), a_link(tenant="other", user="eva")]
    for row in reversed(rows):
        assert await store.put_link(row) is None
    assert await store.links("default") == rows[:3]
    assert await store.links("default", "ana") == [rows[0], rows[2]]
    assert await store.links("other", "ana") == await store.links("other", account=("telegram", "1")) == []
    second = a_link(user="bia", created_at=NOW + DAY)
    assert [await store.put_link(second) for _ in range(2)] == [rows[0], second]
    assert await store.links("default", account=("discord", "1")) == [second]
    for tenant, was_there in (("third", False), ("default", True), ("default", False)):
        assert await store.drop_link(tenant, "discord", "1") is was_there
    assert await store.links("default") == rows[1:3]


# ── kept replies ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_request_done_before_gives_what_was_answered_and_its_key_is_for_no_other(store: Store) -> None:
    assert await begun(store) is None
    with pytest.raises(ConflictError, match="another request"):
        await begun(store, fingerprint="g")
    await ended(store)
    assert await begun(store, now=NOW + DAY - minutes(1)) == ANSWER
    with pytest.raises(ConflictError, match="another request"):
        await begun(store, fingerprint="g")
    assert await begun(store, caller="another") is None
    assert await begun(store, tenant="other") is None


async def test_a_request_under_way_is_busy_until_its_lease_ends_or_it_is_dropped(store: Store) -> None:
    outcomes = await asyncio.gather(*(begun(store) for _ in range(8)), return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, BusyError) for outcome in outcomes) == 7
    with pytest.raises(BusyError):
        await begun(store, now=NOW + LEASE - minutes(1))
    assert await begun(store, now=NOW + LEASE) is None
    with pytest.raises(BusyError):
        await begun(store, now=NOW + LEASE)
    for _ in range(2):
        await store.drop_reply("default", "c", "k")
    await ended(store)  # keeps nothing
    assert await begun(store, fingerprint="g") is None


async def test_a_reply_is_kept_for_its_time_and_what_is_over_is_taken_away_some_at_a_time(store: Store) -> None:
    for number in range(2 * MOST_PURGED + 5):
        await replied(store, f"old {number}")
    assert await store.purge_replies(NOW + DAY - minutes(1)) == 0
    assert await is_kept(store, "old 3")
    assert await begun(store, "old 3", fingerprint="g", now=NOW + DAY) is None  # takes some away on the way
    assert [await store.purge_replies(NOW + DAY) for _ in range(3)] == [MOST_PURGED, 5, 0]
    assert not await is_kept(store, "old 4")


# ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_forgetting_anything_takes_all_replies_that_may_quote_it(store: Store) -> None:
    item = an_item()
    await kept(store, item, a_conversation(id="c1"), a_message(conversation="c1"))
    await store.put_link(a_link())
    for what in (ForgetItem(item.id), ForgetConversation("c1")):
        for key, user in (("anas", "ana"), ("nobodys", None)):
            await replied(store, key, user=user)
        if not await is_kept(store, "bias"):
            await replied(store, "bias", user="bia")
        await begun(store, "under way")
        await store.forget(ANA, ForgetItem(an_id()))  # takes nothing
        assert await is_kept(store, "anas")
        await store.forget(ANA, what)
        await ended(store, "under way")
        assert [key for key in ("anas", "bias", "nobodys", "under way") if await is_kept(store, key)] == ["bias"]
    assert await store.links("default", "ana") == [a_link()]


async def test_where_a_spaces_notes_go_every_reply_of_the_tenant_goes(store: Store) -> None:
    place = Place("g1", "general")
    said = a_message(conversation="c1", place=place)
    note = a_note(scope=shelf_of(ANA, place), place=place, message_ids=(said.id,))
    await kept(store, a_conversation(id="c1", place=place), said, note)
    await replied(store, "bias", user="bia")
    await replied(store, "elsewhere", tenant="other")
    await store.forget(ANA, ForgetConversation("c1"))
    assert not await is_kept(store, "bias")
    assert await is_kept(store, "elsewhere", "other")
