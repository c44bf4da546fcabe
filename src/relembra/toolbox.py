"""The tools an assistant calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relembra.blocklist import Blocklist
from relembra.contexts import Contexts
from relembra.domain.knowledge import Source
from relembra.domain.scope import DEFAULT_TENANT, person
from relembra.errors import InvalidInputError
from relembra.ingest.intake import place_of
from relembra.items import Items
from relembra.learn.drafts import Draft
from relembra.learn.learner import LEARN
from relembra.services import Part, Services
from relembra.store.port import ItemFilter
from relembra.visibility import Visibility

MOST_CASES = 50


class Toolbox(Part):
    """Runs the tools of `relembra.tools` for a person."""

    def __init__(
        self, services: Services, blocklist: Blocklist, visibility: Visibility, contexts: Contexts, items: Items
    ) -> None:
        super().__init__(services)
        self._blocklist = blocklist
        self._visibility = visibility
        self._contexts = contexts
        self._items = items
        self._reader = services.reader

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        by: str = "model:assistant",
        language: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> dict[str, Any]:
        """Run one of the tools with the arguments a model gave; wrong ones are refused with what would be right."""
        from relembra.tools.answers import AddKnowledge, SearchKnowledge, added, analyzed, found, parsed

        scope, place, now = person(tenant, user), place_of(space, channel), self._now()
        request = parsed(name, arguments, policy=self._policy.search)
        spoken = language or self._language
        if await self._blocklist.refused(tenant, user, place) is not None:
            raise InvalidInputError("nothing is remembered of this person or in this space", field="user")
        if isinstance(request, AddKnowledge):
            said = request.confidence >= self._policy.confidence.explicit_at_least
            draft = Draft(
                content=request.content,
                type=request.type,
                area=request.area,
                sub_area=request.sub_area,
                confidence=request.confidence,
                source=Source.CONVERSATION if said else Source.AI_INFERENCE,
            )
            item, learnt = await self._items.take(draft, scope, place, by, verb=LEARN, judge=self._reader)
            kept = (learnt.added or learnt.repeated)[0]
            private = (await self._visibility.withheld(scope, outside)).items
            shown = item if kept.id in private and not learnt.added else kept  # in the words given, not those held
            ended = [row for row in learnt.ended if row.id not in private]
            return added(shown, replaced=ended, language=spoken)
        away = await self._visibility.withheld(scope, outside)
        if isinstance(request, SearchKnowledge):
            wanted = ItemFilter(
                now=now,
                asked_in=place,
                types=() if request.type is None else (request.type,),
                areas=() if request.area is None else (request.area,),
                without=away.items,
            )
            inquiry = await self._contexts.inquiry(scope, request.query, without=away.items)
            hits = await self._finder.items(scope, inquiry, wanted, limit=request.limit)
            items = await self._visibility.as_shown(scope, [hit.item for hit in hits], place, away)
            self._contexts.count_found(scope, hits)
            return found(items, notes=await self._visibility.notes_of(scope, items, outside), language=spoken)
        wanted = ItemFilter(now=now, asked_in=place, areas=request.related_areas, without=away.items)
        inquiry = await self._contexts.inquiry(scope, request.current_topic, without=away.items)
        hits = await self._finder.items(scope, inquiry, wanted, limit=self._policy.search.tool_limit)
        related = await self._visibility.as_shown(scope, [hit.item for hit in hits], place, away)
        self._contexts.count_found(scope, hits)
        known = await self._visibility.current(scope, place, now, away)
        pending = await self._casework.page(
            scope, place=place, open_only=True, after=None, limit=MOST_CASES, without=away.items
        )
        cases = [conflict.case for conflict in pending.rows]
        notes = await self._visibility.notes_of(scope, related, outside)
        return analyzed(request, related, known=known, cases=cases, notes=notes, language=spoken)
