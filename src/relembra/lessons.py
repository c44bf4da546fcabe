"""What was learnt from talk: learning now, previewing, what models were asked, and contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from relembra.blocklist import Blocklist
from relembra.domain.candidate import Talk
from relembra.domain.case import Outcome
from relembra.domain.jobs import FLUSH, LEARNING
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import DEFAULT_TENANT, Scope, may_hear, person, shelf_of
from relembra.domain.text import checked_text
from relembra.errors import InvalidInputError, NotFoundError
from relembra.ingest.intake import exchange, place_of
from relembra.learn.casework import Conflict
from relembra.learn.decisions import Clash, Decision, Keep, Repeat, heard_in
from relembra.learn.learner import Learnt
from relembra.night.worker import Worker
from relembra.recall.query import Listing, checked_limit, cursor_from
from relembra.services import Part, Services
from relembra.store.port import CaseFilter, Use
from relembra.visibility import Visibility

MOST_JOBS = 1_000
MOST_CASES = 100  # of one item
ENDED = {Outcome.NEW: True, Outcome.OLD: False}
"""Whether the older side of a case has ended; else only the person can tell, or both stand."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would become of one thing a text says: `verdict` is add, repeat, replace, history or ask."""

    item: KnowledgeItem
    verdict: str
    against: tuple[KnowledgeItem, ...]  # what it repeats, replaces or contradicts
    why: str

    @classmethod
    def of(cls, decision: Decision) -> Foreseen:
        if isinstance(decision, Repeat) and not decision.clashes:
            return cls(decision.item, "repeat", (decision.old,), "known already")
        clashes = decision.clashes
        why = "; ".join(dict.fromkeys(clash.why for clash in clashes))
        against = tuple(clash.old for clash in clashes)
        if decision.item.superseded_at is not None:
            return cls(decision.item, "history", against, why)
        if any(clash.ended is None for clash in clashes):
            return cls(decision.item, "ask", against, why)
        return cls(decision.item, "replace" if clashes else "add", against, why or "new")


class Forecast(list[Foreseen]):
    """What would be learnt from a text; `unread`: it took too long to read, so nothing can be said of it."""

    def __init__(self, foreseen: Iterable[Foreseen] = (), *, unread: bool = False) -> None:
        super().__init__(foreseen)
        self.unread = unread


class Lessons(Part):
    """Learning, and the cases it opens."""

    def __init__(self, services: Services, blocklist: Blocklist, visibility: Visibility, worker: Worker) -> None:
        super().__init__(services)
        self._visibility = visibility
        self._blocklist = blocklist
        self._worker = worker
        self._told_to: list[list[tuple[Scope, Learnt]]] = []  # callers of `learn` that wait for what is learnt

    def tell(self, scope: Scope, learnt: Learnt) -> None:
        """Pass on what was learnt to the callers that wait for it."""
        for told in self._told_to:
            told.append((scope, learnt))

    async def learn(
        self, *, user: str, space: str | None = None, channel: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Learnt:
        """Flush this person's open buffers now (or a space's), learn from them, and say what came of it.

        What was learnt from them before, as it was said, is told as well. Others' work is left to others.
        """
        scope, place = person(tenant, user), place_of(space, channel)
        shelf, told = shelf_of(scope, place), list[tuple[Scope, Learnt]]()
        await self._store.hasten(FLUSH, now=self._now(), scope=shelf)
        for kind in LEARNING:
            await self._store.hasten(kind, now=self._now(), scope=scope)
        self._told_to.append(told)
        try:
            await self._worker.run_due_of(*dict.fromkeys((scope, shelf)), by_night=False)
        finally:
            self._told_to = [other for other in self._told_to if other is not told]
        notes = {item.id: item.note_id for _, learnt in told for item in learnt.noted}
        total = Learnt()
        for learnt in [*[learnt for whose, learnt in told if whose == scope], await self._learnt_before(scope, told)]:
            total.unread += learnt.unread
            heard = [item for item in learnt.added if may_hear(item.place, place)]
            total.added += [replace(item, note_id=notes.get(item.id, item.note_id)) for item in heard]
            total.repeated += [item for item in learnt.repeated if may_hear(item.place, place)]
            total.ended += [item for item in learnt.ended if may_hear(item.place, place)]
            total.opened += [case for case in learnt.opened if may_hear(case.place, place)]
            total.decisions += [heard_in(one, place) for one in learnt.decisions if may_hear(one.item.place, place)]
        tried = [
            job
            for whose in dict.fromkeys((scope, shelf))
            for job in await self._store.jobs(scope=whose, kinds=(FLUSH, *LEARNING), limit=MOST_JOBS)
        ]
        left = [job for job in tried if job.attempts]
        total.waiting, total.why = len(left), next((job.error for job in reversed(left) if job.error), None)
        return total

    async def _learnt_before(self, scope: Scope, told: Sequence[tuple[Scope, Learnt]]) -> Learnt:
        """What was decided, as it was said, about what notes tell of that were written just now."""
        heard = [learnt for whose, learnt in told if whose == scope]
        just_now = {item.id for learnt in heard for item in (*learnt.added, *learnt.repeated)}
        total = Learnt(repeated=[item for learnt in heard for item in learnt.counted if item.id not in just_now])
        total.decisions += [Repeat(item, item) for item in total.repeated]
        noted = [item.id for learnt in heard for item in learnt.noted if item.id not in just_now]
        for item in await self._store.get(scope, KnowledgeItem, noted):
            if item.deleted_at is not None:
                continue
            page = await self._store.page(scope, CaseFilter(items=[item.id]), limit=MOST_CASES)
            mine = [case for case in page.rows if case.new_id == item.id]
            sides = {row.id: row for row in await self._store.get(scope, KnowledgeItem, [case.old_id for case in mine])}
            clashes = tuple(
                Clash(sides[case.old_id], case.why, ENDED.get(case.outcome), case.certainty, case.judged_by)
                for case in mine
                if case.old_id in sides
            )
            total.added.append(item)
            total.decisions.append(Keep(item, clashes))
            total.ended += [clash.old for clash in clashes if clash.ended]
            total.opened += [case for case in mine if case.outcome is Outcome.OPEN]
        return total

    async def preview(
        self,
        text: str,
        *,
        user: str,
        at: datetime | None = None,
        author: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Forecast:
        """What would be learnt if this were said now, without storing anything."""
        scope, place = person(tenant, user), place_of(space, channel)
        said, now = checked_text(text), self._clock()
        turn = exchange(scope, said=said, at=at, now=now, place=place, author=author, new_id=self._new_id)
        readable = self._listening.readable(turn.messages)
        if not readable or await self._blocklist.refused(tenant, user, place, author=author) is not None:
            return Forecast()
        talk: Talk = await self._listening.talk(scope, readable)
        await self._listening.check_allowance(scope)
        try:
            digest = await self._listening.reader.digest(talk)
            decisions = await self._learner.previewed(scope, talk, digest)
        finally:
            await self._listening.count_use(scope)
        foreseen = (Foreseen.of(heard_in(decision, place)) for decision in decisions)
        return Forecast(foreseen, unread=bool(digest.unread))

    async def usage(
        self, *, user: str | None = None, since: date | None = None, tenant: str = DEFAULT_TENANT
    ) -> list[Use]:
        """What language models were asked, by day, task and model; of one person or of everybody."""
        if since is not None and (not isinstance(since, date) or isinstance(since, datetime)):
            raise InvalidInputError(f"since must be a date, not {since!r}", field="since")
        return await self._store.usage(None if user is None else person(tenant, user), since=since)

    async def conflicts(
        self,
        *,
        user: str,
        open_only: bool = False,
        space: str | None = None,
        channel: str | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Conflict]:
        """The case file, newest first: both sides, who or what judged, why, and how it ended."""
        checked_limit(limit, self._policy.search.largest_page)
        scope, place = person(tenant, user), place_of(space, channel)
        away = await self._visibility.withheld(scope, outside)
        page = await self._casework.page(
            scope, place=place, open_only=open_only, after=cursor_from(after), limit=limit, without=away.items
        )
        told = (replace(one, old=away.out_of(one.old), new=away.out_of(one.new)) for one in page.rows)
        return Listing(replace(page, rows=tuple(told)))

    async def conflict(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> Conflict:
        """One case, by its id or the id of an item in it."""
        return await self._casework.case(person(tenant, user), id)

    async def resolve(
        self, id: str, *, keep: str, user: str | None = None, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conflict:
        """The person's answer to a case: keep "new", "old", "both" or "neither"; may be given again to change it."""
        scope = await self._case_scope(id, user, tenant)
        return await self._casework.settle(scope, id, keep, by)

    async def reopen(
        self, id: str, *, user: str | None = None, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conflict:
        """Take a case's decision back, whoever took it: both sides are current again."""
        scope = await self._case_scope(id, user, tenant)
        return await self._casework.undo(scope, id, by)

    async def _case_scope(self, id: str, user: str | None, tenant: str) -> Scope:
        if user is not None:
            return person(tenant, user)
        scope = await self._store.case_scope(tenant, id)
        if scope is None:
            raise NotFoundError("case", id)
        return scope
