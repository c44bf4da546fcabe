"""Items as the long list shows them: everything a card says is looked up here, so that fifty are drawn quickly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from relembra.domain.confidence import level
from relembra.domain.knowledge import KnowledgeItem
from relembra.interfaces.web.rendering import AREAS, NO_AREA, newer
from relembra.interfaces.web.visits import Visit


@dataclass(frozen=True, slots=True)
class Card:
    """One item, in the reader's words."""

    item: KnowledgeItem
    area: str  # its class in the style sheet
    area_name: str
    icon: str
    level: str
    level_name: str
    sure: str
    type: str
    source: str
    day: str  # when it was learnt, for machines
    ago: str
    newer: str  # the words that stand against it, if any
    is_past: bool
    is_marked: bool  # there is more to say of it
    can_confirm: bool
    can_restore: bool


def cards(visit: Visit, items: Iterable[KnowledgeItem]) -> list[Card]:
    words, clock, now = visit.words, visit.clock, visit.now
    name = cache(words.name)
    policy = visit.settings.chosen_policy().confidence
    can_write = visit.may("write")
    no_area = words("page.no_area")

    def card(item: KnowledgeItem) -> Card:
        sure = level(item.confidence, policy)
        is_past = not item.is_current(now)
        return Card(
            item=item,
            area=item.area or "none",
            area_name=name("area", item.area) if item.area else no_area,
            icon=AREAS.get(item.area, NO_AREA) if item.area else NO_AREA,
            level=sure,
            level_name=name("level", sure),
            sure=words.number(item.confidence),
            type=name("type", item.type),
            source=name("source", item.source),
            day=item.created_at.isoformat(),
            ago=clock.ago(item.created_at),
            newer=newer(item, words.language),
            is_past=is_past,
            is_marked=is_past or item.validated or item.needs_resolution or item.local_only,
            can_confirm=can_write and not item.validated and not is_past,
            can_restore=can_write and item.deleted_at is not None and item.superseded_at is None,
        )

    return [card(item) for item in items]
