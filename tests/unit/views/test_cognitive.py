from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, an_item, days
from loops import each
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.views.profile import cognitive_profile, is_pattern, trait_key


@each(
    [
        (an_item(attribute="likes", value="Café da manhã", type=KnowledgeType.PREFERENCE), "likes.cafe_da_manha"),
        (an_item(attribute="communication", value="direct"), "communication"),
        (an_item(attribute="favorite_color", value="blue"), "favorite_color"),
        (an_item(attribute="wake_time", value="6h"), "wake_time"),
        (an_item(attribute="habit", value="runs on Sundays"), "habit.runs_on_sundays"),
        (an_item(attribute="value", value="honesty"), "value.honesty"),
        (an_item(type=KnowledgeType.INSIGHT, title="Sleeps better after sport"), "pattern.sleeps_better_after_sport"),
        (an_item(type=KnowledgeType.EMOTION, value="anxious: deadlines"), "emotion.anxious_deadlines"),
        (an_item(type=KnowledgeType.PREFERENCE, title="!?"), "preference.other"),
        (an_item(attribute="residence", value="Recife"), None),
        (an_item(), None),
    ]
)
def test_keys(item: KnowledgeItem, key: str | None) -> None:
    assert trait_key(item) == key


def test_items_of_one_key_are_one_trait() -> None:
    direct = an_item(attribute="communication", content="Wants short answers", observations=3, confidence=0.9)
    warm = an_item(
        attribute="communication", content="Wants no emoji", confidence=0.7, weight=0.5, reinforced_at=NOW + days(1)
    )
    (trait,) = cognitive_profile([warm, direct], now=NOW)
    assert (trait.value, trait.observations, trait.confidence) == ("Wants short answers; Wants no emoji", 4, 0.85)
    assert (trait.updated_at, trait.item_ids) == (NOW + days(1), (direct.id, warm.id))


def test_what_recurs_is_a_pattern() -> None:
    assert is_pattern(an_item(type=KnowledgeType.INSIGHT))
    assert is_pattern(an_item(attribute="habit"))
    assert is_pattern(an_item(type=KnowledgeType.EMOTION, observations=2))
    assert not is_pattern(an_item(type=KnowledgeType.EMOTION))


@given(
    st.lists(
        st.tuples(st.sampled_from(["likes", "habit", "communication"]), st.sampled_from(["a", "b"]), st.integers(1, 5)),
        max_size=8,
    ),
    st.randoms(),
)
def test_keys_are_unique_nothing_observed_is_lost_and_order_does_not_matter(
    rows: list[tuple[str, str, int]], chance: random.Random
) -> None:
    items = [an_item(attribute=name, value=value, observations=times) for name, value, times in rows]
    found = cognitive_profile(items, now=NOW)
    assert len({trait.key for trait in found}) == len(found)
    assert sum(trait.observations for trait in found) == sum(times for _, _, times in rows)
    assert [trait.strength for trait in found] == sorted((trait.strength for trait in found), reverse=True)
    chance.shuffle(items)
    assert cognitive_profile(items, now=NOW) == found
