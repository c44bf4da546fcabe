"""A memory as a whole: how much is known, and what came and went over time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar, Unpack

from relembra.domain.audit import ConfidenceLevel, level
from relembra.domain.jobs import on_clock
from relembra.domain.knowledge import SELF, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DEFAULT_TENANT, Scope, person
from relembra.domain.time import in_utc, zone_of
from relembra.errors import InvalidInputError
from relembra.ingest.intake import place_of
from relembra.night.reports import moments_told
from relembra.recall.query import ItemWishes, item_filter
from relembra.services import Part, Services
from relembra.store.port import Fate, ItemFilter
from relembra.views.period_report import tone_of
from relembra.views.timeline import Counts, OverTime, Step, is_claim, stretches
from relembra.visibility import Visibility

T = TypeVar("T", str, str | None)

_FIRST = datetime(1, 1, 2, tzinfo=UTC)
USUAL_RANGE = timedelta(weeks=25)  # with the week it begins in, 26
MOODS = ("glad", "hard", "neither")
MOST_FEELINGS = 5_000
AREAS = (*LifeArea, None)


class Statistics(Part):
    """Counts of what is known."""

    def __init__(self, services: Services, visibility: Visibility) -> None:
        super().__init__(services)
        self._visibility = visibility

    async def count(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
        **wishes: Unpack[ItemWishes],
    ) -> Counts:
        """How many items `list` would give, in all and by area, type, source and level of confidence."""
        scope = person(tenant, user)
        wanted = item_filter(self._now(), place_of(space, channel), **wishes)
        away = await self._visibility.withheld(scope, outside)
        found = await self._store.count_items(scope, replace(wanted, without=away.items))
        areas, types, sources, levels = Counter[str | None](), Counter[str](), Counter[str](), Counter[str]()
        for alike in found:
            areas[alike.area] += alike.items
            types[alike.type] += alike.items
            sources[alike.source] += alike.items
            levels[level(alike.confidence, self._policy.confidence)] += alike.items
        return Counts(
            total=sum(alike.items for alike in found),
            areas=_in_order(areas, AREAS),
            types=_in_order(types, KnowledgeType),
            sources=_in_order(sources, Source),
            levels=_in_order(levels, ConfidenceLevel),
            validated=sum(alike.items for alike in found if alike.validated),
            unresolved=sum(alike.items for alike in found if alike.unresolved),
        )

    async def over_time(
        self,
        *,
        user: str,
        since: datetime | None = None,
        until: datetime | None = None,
        step: str = "week",
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> OverTime:
        """What was learnt, ended, archived, deleted and faded, and which moods were told, by day, week or month.

        Steps are whole, without gaps, at most 400, on the engine's own clock; without `since` of half a year.
        """
        scope, place, now = person(tenant, user), place_of(space, channel), self._now()
        zone = self._home or zone_of(self._clock())
        last = now if until is None else in_utc(until, "until")
        if until is not None and last > _FIRST:
            last -= timedelta(microseconds=1)
        first = max(last, _FIRST + USUAL_RANGE) - USUAL_RANGE if since is None else in_utc(since, "since")
        if first > last:
            raise InvalidInputError("until comes before since", field="until", kind="backwards")
        days, moments = stretches(first, last, step, zone)
        away = await self._visibility.withheld(scope, outside)
        learnt = [Counter[str | None]() for _ in days]
        others = [Counter[Fate]() for _ in days]
        for passing in await self._store.passings(scope, moments, asked_in=place, without=away.items):
            if passing.fate is Fate.LEARNT:
                learnt[passing.stretch][passing.area] += passing.items
            else:
                others[passing.stretch][passing.fate] += passing.items
        wanted = ItemFilter(now=now, asked_in=place, without=away.items)
        moods = await self._moods(scope, wanted, moments, zone)
        steps = (
            Step(
                start=day,
                learnt=_in_order(learnt[number], AREAS),
                ended=others[number][Fate.ENDED],
                archived=others[number][Fate.ARCHIVED],
                deleted=others[number][Fate.DELETED],
                faded=others[number][Fate.FADED],
                moods=_in_order(moods[number], MOODS),
            )
            for number, day in enumerate(days)
        )
        return OverTime(step=step, zone=zone, steps=tuple(steps))

    async def _moods(
        self, scope: Scope, wanted: ItemFilter, moments: Sequence[datetime], zone: str
    ) -> list[Counter[str]]:
        """How often the owner told glad, hard and other feelings in each stretch, one of them once a day, as reports
        count them: when it began, when it was last said, and what the trail tells of in between."""
        told = [Counter[str]() for _ in moments[1:]]
        asked = replace(
            wanted, types=(KnowledgeType.EMOTION,), subject=SELF, period=(moments[0], moments[-1]), history=True
        )
        for item in (await self._all_items(scope, asked, MOST_FEELINGS))[0]:
            if is_claim(item):
                continue
            said = await moments_told(self._store, scope, item)
            days = {on_clock(one, zone).date(): one for one in said if moments[0] <= one < moments[-1]}
            for one in days.values():
                told[bisect_right(moments, one) - 1][tone_of(item).name.lower()] += 1
        return told


def _in_order(counts: Mapping[T, int], names: Iterable[T]) -> dict[T, int]:
    """Those there are some of, by their plain names in the given order."""
    plain = [name.value if isinstance(name, StrEnum) else name for name in names]
    return {name: counts[name] for name in plain if counts.get(name)}
