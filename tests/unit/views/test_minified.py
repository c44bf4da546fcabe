from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, an_id, an_item
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.scope import new_id
from relembra.views.memory import SHORT_NAMES, dumped, minified


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


def test_every_type_has_a_short_name_of_its_own() -> None:
    assert (set(SHORT_NAMES), len(set(SHORT_NAMES.values()))) == (set(KnowledgeType), len(KnowledgeType))
    assert (SHORT_NAMES[KnowledgeType.FACT], SHORT_NAMES[KnowledgeType.GOAL]) == ("bio", "obj")


@given(st.lists(st.tuples(st.text(max_size=30), st.floats(0, 1)), max_size=12))
def test_short_ids_lead_back_and_the_dump_is_json_on_one_line(rows: list[tuple[str, float]]) -> None:
    items = [an_item(id=new_id(), content=text, weight=weight) for text, weight in rows]
    facts = minified(items, now=NOW)
    digits = {item.id.replace("-", "") for item in items}
    found = [[whole for whole in digits if whole.endswith(fact["i"])] for fact in facts]
    assert sorted(found) == sorted([whole] for whole in digits)
    assert (json.loads(dumped(facts)), len(dumped(facts).splitlines())) == (facts, 1)
    assert all(0 <= fact["w"] <= 1 and len(fact["d"]) == 6 for fact in facts)
