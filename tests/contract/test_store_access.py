"""What the store promises of keys, sessions, linked accounts and kept replies."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, BIA, NOW, a_conversation, a_key, a_message, a_note, an_entry, an_id, an_item, kept, minutes
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


async def test_a_key_comes_back_whole(store: Store) -> None:
    key = a_key(
        user="ana", expires_at=NOW + DAY, revoked_at=NOW + minutes(1), last_used_at=NOW + minutes(2), right=Right.ADMIN
    )
    await store.put_key(key, DIGEST)
    assert await store.key_by_prefix(key.prefix) == (key, DIGEST)
    assert await store.keys() == [key]
    assert await store.key_by_prefix("") is None


@pytest.mark.parametrize("taken", ["id", "prefix"])
async def test_an_id_or_prefix_that_is_taken_is_a_conflict(store: Store, taken: str) -> None:
    first = a_key()
    await store.put_key(first, DIGEST)
    with pytest.raises(ConflictError):
        await store.put_key(a_key(**{taken: getattr(first, taken)}), bytes(32))
    assert await store.keys() == [first]


async def test_keys_come_newest_first_of_one_tenant_or_of_all(store: Store) -> None:
    old, new = a_key(created_at=NOW - DAY, id=an_id(9)), a_key(id=an_id(2))
    twin, elsewhere = a_key(id=an_id(1)), a_key(tenant="other", created_at=NOW + DAY)
    operators = a_key(tenant=EVERY_TENANT, created_at=NOW + 2 * DAY)
    for key in (twin, old, operators, new, elsewhere):
        await store.put_key(key, DIGEST)
    assert await store.keys("default") == [new, twin, old]
    assert await store.keys("other") == [elsewhere]
    assert await store.keys() == [operators, elsewhere, new, twin, old]


async def test_a_key_revoked_twice_stays_revoked_since_the_first_time(store: Store) -> None:
    key = a_key()
    await store.put_key(key, DIGEST)
    assert await store.revoke_key(key.id, NOW) == replace(key, revoked_at=NOW)
    assert await store.revoke_key(key.id, NOW + DAY) == replace(key, revoked_at=NOW)
    assert await store.key_by_prefix(key.prefix) == (replace(key, revoked_at=NOW), DIGEST)
    assert await store.revoke_key(an_id(), NOW) is None
    assert await store.revoke_key("nonsense", NOW) is None


async def test_the_last_use_of_a_key_never_goes_back_and_ids_that_are_gone_are_passed_over(store: Store) -> None:
    key = a_key()
    await store.put_key(key, DIGEST)
    await store.touch_keys({key.id: NOW, an_id(): NOW})
    await store.touch_keys({key.id: NOW - DAY})
    assert await store.keys() == [replace(key, last_used_at=NOW)]


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def signed_in(store: Store, key: Key, digest: bytes = DIGEST, **changes: Any) -> Session:
    ordinary: dict[str, Any] = {"key": key.id, "created_at": NOW, "expires_at": NOW + DAY}
    session = Session(**ordinary | changes)
    await store.put_session(session, digest)
    return session


async def test_a_session_comes_back_whole_with_its_key(store: Store) -> None:
    key = a_key(user="ana", expires_at=NOW + DAY, right=Right.ADMIN)
    await store.put_key(key, DIGEST)
    session = await signed_in(store, key)
    assert await store.session(DIGEST) == (session, key)
    assert await store.session(bytes(32)) is None


async def test_a_digest_that_is_taken_or_a_key_that_is_gone_is_a_conflict(store: Store) -> None:
    key = a_key()
    await store.put_key(key, DIGEST)
    session = await signed_in(store, key)
    with pytest.raises(ConflictError):
        await signed_in(store, key, expires_at=NOW + 2 * DAY)
    for gone in (a_key(), a_key(id="nonsense")):
        with pytest.raises(ConflictError):
            await signed_in(store, gone, bytes(32))
    assert await store.session(DIGEST) == (session, key)
    assert await store.session(bytes(32)) is None


async def test_a_session_is_ended_once(store: Store) -> None:
    key = a_key()
    await store.put_key(key, DIGEST)
    await signed_in(store, key)
    await signed_in(store, key, bytes(32))
    told = await asyncio.gather(*(store.end_session(DIGEST) for _ in range(5)))
    assert sorted(told) == [False] * 4 + [True]
    assert await store.session(DIGEST) is None
    assert await store.session(bytes(32)) is not None


async def test_sessions_end_with_their_key(store: Store) -> None:
    keys = a_key(), a_key(user="ana"), a_key()
    for number, key in enumerate(keys):
        await store.put_key(key, DIGEST)
        await signed_in(store, key, bytes([number]) * 32)
    await store.revoke_key(keys[0].id, NOW)
    await store.forget(ANA, ForgetPerson())
    assert [await store.session(bytes([number]) * 32) is not None for number in range(3)] == [False, False, True]


async def test_sessions_that_are_over_go_when_one_begins(store: Store) -> None:
    key = a_key()
    await store.put_key(key, DIGEST)
    await signed_in(store, key, b"old")
    await signed_in(store, key, b"new", expires_at=NOW + 2 * DAY)
    await signed_in(store, key, b"newest", created_at=NOW + DAY, expires_at=NOW + 3 * DAY)
    assert [await store.session(digest) is not None for digest in (b"old", b"new", b"newest")] == [False, True, True]


async def test_a_backup_has_no_sessions(store: Store, tmp_path: Path) -> None:
    key, digest = a_key(), bytes(reversed(range(100, 132)))
    await store.put_key(key, DIGEST)
    await signed_in(store, key, digest)
    await store.backup(tmp_path / "copy")
    assert digest not in (tmp_path / "copy").read_bytes()
    assert await store.session(digest) is not None


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_account_is_one_persons_and_the_link_it_had_is_told(store: Store) -> None:
    first, second = a_link(), a_link(user="bia", created_at=NOW + DAY)
    assert await store.put_link(first) is None
    assert await store.put_link(second) == first
    assert await store.put_link(second) == second
    assert await store.links("default", account=("discord", "1")) == [second]
    assert await store.links("default") == [second]


async def test_links_are_of_a_tenant_or_a_person_by_channel_and_id(store: Store) -> None:
    rows = [a_link(), a_link(id="2", user="bia"), a_link(channel="telegram"), a_link(tenant="other", user="eva")]
    for row in reversed(rows):
        await store.put_link(row)
    assert await store.links("default") == rows[:3]
    assert await store.links("default", "ana") == [rows[0], rows[2]]
    assert await store.links("other", "ana") == []
    assert await store.links("other", account=("telegram", "1")) == []


async def test_dropping_a_link_says_whether_there_was_one(store: Store) -> None:
    await store.put_link(a_link())
    assert not await store.drop_link("other", "discord", "1")
    assert await store.drop_link("default", "discord", "1")
    assert not await store.drop_link("default", "discord", "1")
    assert await store.links("default") == []


# ── kept replies ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_request_done_before_gives_what_was_answered(store: Store) -> None:
    assert await begun(store) is None
    await ended(store)
    assert await begun(store, now=NOW + DAY - minutes(1)) == ANSWER
    assert await begun(store, caller="another") is None
    assert await begun(store, tenant="other") is None


async def test_the_same_key_with_another_fingerprint_is_a_conflict(store: Store) -> None:
    await begun(store)
    with pytest.raises(ConflictError, match="another request"):
        await begun(store, fingerprint="g")
    await ended(store)
    with pytest.raises(ConflictError, match="another request"):
        await begun(store, fingerprint="g")


async def test_a_request_under_way_is_busy_until_its_lease_ends(store: Store) -> None:
    await begun(store)
    with pytest.raises(BusyError):
        await begun(store, now=NOW + LEASE - minutes(1))
    assert await begun(store, now=NOW + LEASE) is None
    with pytest.raises(BusyError):
        await begun(store, now=NOW + LEASE)


async def test_of_many_who_begin_together_one_does_it(store: Store) -> None:
    outcomes = await asyncio.gather(*(begun(store) for _ in range(8)), return_exceptions=True)
    assert outcomes.count(None) == 1
    assert sum(isinstance(outcome, BusyError) for outcome in outcomes) == 7


async def test_a_dropped_request_is_taken_up_again_and_keeps_nothing(store: Store) -> None:
    await begun(store)
    await store.drop_reply("default", "c", "k")
    await store.drop_reply("default", "c", "k")
    await ended(store)
    assert await begun(store, fingerprint="g") is None


async def test_a_reply_is_kept_for_its_time_and_then_goes(store: Store) -> None:
    await replied(store, "k")
    later = NOW + DAY
    assert await begun(store, "k", fingerprint="g", now=later) is None
    for number in range(MOST_PURGED + 5):
        await replied(store, f"old {number}")
    assert await begun(store, "new", now=later) is None
    assert await begun(store, "old 3", fingerprint="g", now=later) is None


async def test_what_is_over_is_taken_away_some_at_a_time(store: Store) -> None:
    for number in range(MOST_PURGED + 5):
        await replied(store, f"old {number}")
    assert await store.purge_replies(NOW + DAY - minutes(1)) == 0
    assert await is_kept(store, "old 3")
    assert [await store.purge_replies(NOW + DAY) for _ in range(3)] == [MOST_PURGED, 5, 0]
    assert not await is_kept(store, "old 3")


# ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_forgetting_a_person_takes_their_keys_links_and_replies_and_nobody_elses(store: Store) -> None:
    theirs, anybodys, bias = a_key(user="ana"), a_key(), a_key(user="bia")
    elsewhere = a_key(user="ana", tenant="other")
    for key in (theirs, anybodys, bias, elsewhere):
        await store.put_key(key, DIGEST)
    links = [a_link(), a_link(id="2", user="bia"), a_link(tenant="other")]
    for link in links:
        await store.put_link(link)
    await replied(store, "anas", user="ana")
    await replied(store, "bias", user="bia")
    await replied(store, "elsewhere", user="ana", tenant="other")
    await store.forget(ANA, ForgetPerson())
    assert {key.id for key in await store.keys()} == {anybodys.id, bias.id, elsewhere.id}
    assert await store.key_by_prefix(theirs.prefix) is None
    assert [*await store.links("default"), *await store.links("other")] == links[1:]
    assert not await is_kept(store, "anas")
    assert await is_kept(store, "bias")
    assert await is_kept(store, "elsewhere", "other")


@pytest.mark.parametrize("what", ["item", "conversation"])
async def test_forgetting_anything_takes_all_replies_that_may_quote_it(store: Store, what: str) -> None:
    item = an_item()
    await kept(store, item, a_conversation(id="c1"), a_message(conversation="c1"))
    for key, user in (("anas", "ana"), ("bias", "bia"), ("nobodys", None)):
        await replied(store, key, user=user)
    await begun(store, "under way")
    await store.put_link(a_link())
    await (store.forget(ANA, ForgetItem(item.id)) if what == "item" else store.forget(ANA, ForgetConversation("c1")))
    await ended(store, "under way")
    assert [key for key in ("anas", "bias", "nobodys", "under way") if await is_kept(store, key)] == ["bias"]
    assert await store.links("default", "ana") == [a_link()]


async def test_forgetting_what_is_not_there_takes_no_reply(store: Store) -> None:
    await replied(store, "anas")
    await store.forget(ANA, ForgetItem(an_id()))
    assert await is_kept(store, "anas")


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


# ── the newest entry ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_last_entry_is_the_one_a_page_of_the_trail_ends_with(store: Store) -> None:
    assert await store.last_entry(ANA) == 0
    await kept(store, *(an_entry() for _ in range(3)))
    await kept(store, an_entry(scope=BIA))
    trail = await store.page_trail(ANA)
    assert await store.last_entry(ANA) == trail[-1][0]
    assert await store.page_trail(ANA, after=trail[-1][0]) == []
    await store.forget(ANA, ForgetPerson())
    assert await store.last_entry(ANA) == 0


async def test_no_number_comes_again_after_forgetting(store: Store) -> None:
    item = an_item()
    await kept(store, item, an_entry(), an_entry(target_id=item.id))
    last = await store.last_entry(ANA)
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.last_entry(ANA) < last
    await kept(store, an_entry())
    assert await store.last_entry(ANA) > last
    last = await store.last_entry(ANA)
    await store.forget(ANA, ForgetPerson())
    await store.forget(ANA, ForgetPerson())
    await kept(store, an_entry())
    assert await store.last_entry(ANA) > last
