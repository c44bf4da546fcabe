from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, an_item
from relembra.domain.scope import new_id
from relembra.views.memory import dumped, minified


@given(st.lists(st.tuples(st.text(max_size=30), st.floats(0, 1)), max_size=12))
def test_short_ids_lead_back_and_the_dump_is_json_on_one_line(rows: list[tuple[str, float]]) -> None:
    items = [an_item(id=new_id(), content=text, weight=weight) for text, weight in rows]
    facts = minified(items, now=NOW)
    digits = {item.id.replace("-", "") for item in items}
    found = [[whole for whole in digits if whole.endswith(fact["i"])] for fact in facts]
    assert sorted(found) == sorted([whole] for whole in digits)
    assert (json.loads(dumped(facts)), len(dumped(facts).splitlines())) == (facts, 1)
    assert all(0 <= fact["w"] <= 1 and len(fact["d"]) == 6 for fact in facts)
