from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, an_id, an_item
from relembra.domain.ids import new_id
from relembra.domain.knowledge import KnowledgeType
from relembra.errors import InvalidInputError
from relembra.views.minified import SHORT_NAMES, dumped, item_of, minified, type_of


def test_a_fact_in_short() -> None:
    item = an_item(
        id=an_id(0xABC),
        type=KnowledgeType.PREFERENCE,
        content="odeia coentro",
        weight=0.804,
        held_from=datetime(2024, 1, 1, 1, tzinfo=UTC),
        zone="-03:00",
    )
    assert minified([item], now=NOW) == [{"i": "00000abc", "t": "pref", "c": "odeia coentro", "w": 0.8, "d": "231231"}]
    assert dumped(minified([item], now=NOW)) == '[{"i":"00000abc","t":"pref","c":"odeia coentro","w":0.8,"d":"231231"}]'


def test_every_type_has_a_short_name_and_back() -> None:
    assert set(SHORT_NAMES) == set(KnowledgeType)
    assert [type_of(SHORT_NAMES[kind]) for kind in KnowledgeType] == list(KnowledgeType)
    assert (type_of("bio"), type_of("obj")) == (KnowledgeType.FACT, KnowledgeType.GOAL)


def test_another_short_name_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="choose one of bio, pref"):
        type_of("fact")


def test_ids_grow_until_they_differ() -> None:
    alike = [an_item(id=f"0190000{first}-0000-7000-8000-000000000001") for first in "12"]
    short = [fact["i"] for fact in minified(alike, now=NOW)]
    assert len(set(short)) == 2
    assert item_of("00000001", alike) is None
    assert item_of("", alike) is None


def test_only_what_is_held_by_the_owners_words_the_heaviest_first() -> None:
    items = [
        an_item(content="light", weight=0.2),
        an_item(content="gone", deleted_at=NOW),
        an_item(content="claimed", speaker="bob"),
        an_item(content="heavy", weight=0.9),
    ]
    assert [fact["c"] for fact in minified(items, now=NOW)] == ["heavy", "light"]


@given(st.lists(st.tuples(st.text(max_size=30), st.floats(0, 1)), max_size=12))
def test_short_ids_lead_back_and_the_dump_is_json_on_one_line(rows: list[tuple[str, float]]) -> None:
    items = [an_item(id=new_id(), content=text, weight=weight) for text, weight in rows]
    facts = minified(items, now=NOW)
    found = [item_of(fact["i"], items) for fact in facts]
    assert {item.id for item in found if item is not None} == {item.id for item in items}
    assert json.loads(dumped(facts)) == facts
    assert len(dumped(facts).splitlines()) == 1
    assert all(0 <= fact["w"] <= 1 and len(fact["d"]) == 6 for fact in facts)
