"""What the store promises of items at other times than now: what was believed, what was true, what was said when."""

from __future__ import annotations

from typing import Any

import pytest

from builders import ANA, NOW, a_query, an_id, an_item, days, items_where, kept
from relembra.domain.knowledge import KnowledgeItem
from relembra.store.port import ItemFilter, Store

LONG_AGO, BEFORE, THEN, SINCE = NOW - days(30), NOW - days(11), NOW - days(10), NOW - days(9)


def saying(name: str, **changes: Any) -> KnowledgeItem:
    """An item of long ago."""
    ordinary = {"title": name, "tags": ("glass",), "created_at": LONG_AGO, "held_from": LONG_AGO}
    return an_item(**ordinary | changes)


def replaced(name: str, **changes: Any) -> KnowledgeItem:
    return saying(name, superseded_by=an_id(), **changes)


async def told(store: Store, rows: list[KnowledgeItem], **wanted: Any) -> set[str]:
    """The titles of what is wanted of these, which a page and a search agree on."""
    await kept(store, *rows)
    which: ItemFilter = items_where(**wanted)
    page = await store.page(ANA, which)
    hits = await store.search(ANA, a_query("glass", limit=50), which)
    assert {row.id for row in page.rows} == {hit.id for hit in hits}
    return {row.title for row in page.rows}


def marked(at: Any) -> list[KnowledgeItem]:
    """One item for each way to be left out, at that moment."""
    return [
        replaced("superseded", superseded_at=at),
        saying("archived", archived_at=at),
        saying("deleted", deleted_at=at),
        saying("expired", expires_at=at),
    ]


# ── what was believed ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_created_by_then_was_believed_and_what_came_later_was_not(store: Store) -> None:
    rows = [saying("earlier"), saying("then", created_at=THEN), saying("later", created_at=SINCE)]
    assert await told(store, rows, as_of=THEN) == {"earlier", "then"}


async def test_what_ended_later_was_still_believed_then(store: Store) -> None:
    assert await told(store, marked(SINCE), as_of=THEN) == {"superseded", "archived", "deleted", "expired"}


@pytest.mark.parametrize("at", [BEFORE, THEN])
async def test_what_had_ended_by_then_was_not_believed_any_more(store: Store, at: Any) -> None:
    assert await told(store, [*marked(at), saying("held")], as_of=THEN) == {"held"}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"history": True}, {"superseded", "archived", "expired"}),
        ({"archived": True}, {"archived"}),
        ({"deleted": True}, {"deleted"}),
        ({"history": True, "deleted": True}, {"superseded", "archived", "expired", "deleted"}),
    ],
)
async def test_what_had_ended_by_then_may_be_asked_for_but_never_what_came_later(
    store: Store, asked: dict[str, bool], expected: set[str]
) -> None:
    rows = [*marked(BEFORE), saying("later", created_at=SINCE)]
    assert await told(store, rows, as_of=THEN, **asked) == expected


# ── what was true ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_held_at_a_moment_was_true_then(store: Store) -> None:
    rows = [
        saying("open"),
        saying("from then", held_from=THEN),
        saying("over", held_until=THEN),
        saying("until later", held_until=SINCE),
        saying("not yet", held_from=SINCE),
    ]
    assert await told(store, rows, true_at=THEN) == {"open", "from then", "until later"}


async def test_a_replaced_value_was_true_in_its_time(store: Store) -> None:
    rows = [
        replaced("first", superseded_at=NOW, held_until=BEFORE),
        replaced("second", superseded_at=NOW, held_from=BEFORE, held_until=SINCE),
        saying("third", held_from=SINCE),
    ]
    assert await told(store, rows, true_at=THEN) == {"second"}
    assert await told(store, [], true_at=LONG_AGO) == {"first"}
    assert await told(store, [], true_at=NOW) == {"third"}


async def test_what_was_deleted_or_archived_is_not_told_as_true(store: Store) -> None:
    assert await told(store, marked(NOW), true_at=THEN) == {"superseded", "expired"}


async def test_what_had_expired_by_then_was_not_true(store: Store) -> None:
    rows = [saying("over", expires_at=THEN), saying("coming", expires_at=SINCE)]
    assert await told(store, rows, true_at=THEN) == {"coming"}
    assert await told(store, [], true_at=THEN, history=True) == {"over", "coming"}


async def test_what_was_true_is_told_by_what_was_believed_at_another_moment(store: Store) -> None:
    """On the ninth it was said that it had changed on the eleventh."""
    old = replaced("old", superseded_at=SINCE, held_until=BEFORE)
    new = saying("new", created_at=SINCE, held_from=BEFORE)
    wrong = saying("wrong", deleted_at=SINCE)
    assert await told(store, [old, new, wrong], as_of=THEN, true_at=THEN) == {"old", "wrong"}
    assert await told(store, [], as_of=NOW, true_at=THEN) == {"new"}
    assert await told(store, [], true_at=THEN) == {"new"}


async def test_an_end_that_was_known_then_counts(store: Store) -> None:
    rows = [saying("over", held_until=BEFORE), replaced("replaced", superseded_at=BEFORE, held_until=BEFORE)]
    assert await told(store, rows, as_of=THEN, true_at=THEN) == set()


# ── what was said when, and where ─────────────────────────────────────────────────────────────────────────────────


async def test_what_was_said_or_began_within_a_period_is_of_it(store: Store) -> None:
    rows = [
        saying("created", created_at=THEN),
        saying("began", held_from=THEN),
        saying("said again", reinforced_at=THEN),
        saying("at its end", created_at=SINCE),
        saying("before", reinforced_at=BEFORE),
        saying("around", reinforced_at=NOW),
    ]
    assert await told(store, rows, period=(THEN, SINCE)) == {"created", "began", "said again"}


async def test_what_was_learnt_in_some_notes_is_told_alone(store: Store) -> None:
    notes = [an_id(), an_id(), an_id()]
    rows = [*(saying(f"of {n}", note_id=id) for n, id in enumerate(notes)), saying("of none")]
    assert await told(store, rows, note_ids=tuple(notes[:2])) == {"of 0", "of 1"}
    assert await told(store, [], note_ids=(an_id(), "no id")) == set()
    assert await told(store, [], note_ids=("no id",)) == set()


async def test_archived_ones_may_be_asked_for_without_the_rest_of_history(store: Store) -> None:
    rows = [*marked(BEFORE), replaced("both", superseded_at=BEFORE, archived_at=BEFORE), saying("held")]
    assert await told(store, rows, archived=True) == {"archived", "held"}
