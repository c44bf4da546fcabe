"""Notes: those of talks, the timeline they make with events, and the reports written on demand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import DEFAULT_TENANT, Scope, person
from relembra.domain.text import checked_language, each, one
from relembra.domain.time import in_utc
from relembra.errors import InvalidInputError, NotFoundError
from relembra.ingest.intake import place_of
from relembra.night.reports import Reporter
from relembra.night.worker import Worker
from relembra.recall.query import Listing, checked_limit, cursor_from
from relembra.services import Part, Services
from relembra.store.port import Cursor, EventFilter, NoteFilter, Page
from relembra.views.period_report import as_markdown
from relembra.views.timeline import Moment
from relembra.visibility import Visibility

EARLIEST_DAY, LATEST_DAY = date(1900, 1, 1), date(2999, 12, 31)
"""Reports are of days people live in."""
HAPPENINGS = tuple(kind for kind in NoteKind if kind not in (NoteKind.SESSION, NoteKind.DOCUMENT))
"""Notes a timeline tells: all but passages of documents, and working summaries, which say where a talk stands."""


class Notebook(Part):
    """What happened, as it was noted."""

    def __init__(self, services: Services, visibility: Visibility, reporter: Reporter, worker: Worker) -> None:
        super().__init__(services)
        self._visibility = visibility
        self._reporter = reporter
        self._worker = worker

    async def notes(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        kind: str | Iterable[str] | None = None,
        conversation: str | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Note]:
        """What happened, newest first: of a space or channel, or in private one's own and those one took part in."""
        scope, place = person(tenant, user), place_of(space, channel)
        checked_limit(limit, self._policy.search.largest_page)
        kinds = each(NoteKind, kind, "kind") or (NoteKind.CONVERSATION, NoteKind.JOURNAL)
        there = space is not None and channel is not None
        wanted = NoteFilter(asked_in=place, kinds=kinds, conversation=conversation, said_there=there)
        rows, more = await self._newest(scope, wanted, outside, after, limit)
        rows.sort(key=lambda note: (note.happened_at, note.id), reverse=True)
        taken = rows[:limit]
        end = Cursor(taken[-1].happened_at, taken[-1].id) if taken and (more or len(rows) > limit) else None
        hidden = await self._visibility.hidden_notes(scope, taken)
        return Listing(Page(tuple(note for note in taken if note.id not in hidden), end))

    async def _newest(
        self, scope: Scope, wanted: NoteFilter, outside: bool, after: str | None, limit: int
    ) -> tuple[list[Note], bool]:
        """The newest notes of each shelf a person's notes lie on, up to so many; and whether any has more."""
        pages = [
            await self._store.page(shelf, narrowed, after=cursor_from(after), limit=limit)
            for shelf, narrowed in await self._visibility.shelves(scope, wanted, outside)
        ]
        return [note for page in pages for note in page.rows], any(page.next is not None for page in pages)

    async def note(
        self,
        id: str,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Note:
        """One note that `notes` lists there: any of a space's, or in private one's own and those one took part in."""
        scope, place = person(tenant, user), place_of(space, channel)
        for shelf, wanted in await self._visibility.shelves(scope, NoteFilter(asked_in=place), outside):
            found = await self._store.get(shelf, Note, [id])
            if found and (wanted.participant is None or user in found[0].participants):
                if id in wanted.without:
                    break
                return found[0]
        raise NotFoundError("note", id)

    async def timeline(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Moment]:
        """What happened, newest first: notes, and events, which are items of type `memory` or about something that
        takes place (an event, meeting, deadline, contract, a goal achieved or dropped).

        Archived ones are told as well, and what is planned for a day to come, unless `until` leaves it out.
        """
        scope, place = person(tenant, user), place_of(space, channel)
        checked_limit(limit, self._policy.search.largest_page)
        start = cursor_from(after)
        first = None if since is None else in_utc(since, "since")
        last = None if until is None else in_utc(until, "until")
        away = await self._visibility.withheld(scope, outside)
        wanted = EventFilter(asked_in=place, since=first, until=last, without=away.items)
        events = await self._store.page(scope, wanted, after=start, limit=limit)
        noted = NoteFilter(asked_in=place, kinds=HAPPENINGS, since=first, until=last, archived=True)
        notes, more = await self._newest(scope, noted, outside, after, limit)
        rows = [Moment(at=item.held_from, item=away.out_of(item)) for item in events.rows]
        rows += [Moment(at=note.happened_at, note=note) for note in notes]
        rows.sort(key=lambda moment: (moment.at, moment.id), reverse=True)
        taken = rows[:limit]
        more = more or len(rows) > limit or events.next is not None
        hidden = await self._visibility.hidden_notes(
            scope, [moment.note for moment in taken if moment.note is not None]
        )
        heard = tuple(moment for moment in taken if moment.note is None or moment.note.id not in hidden)
        return Listing(Page(heard, Cursor(taken[-1].at, taken[-1].id) if more and taken else None))

    async def report(
        self,
        kind: str = NoteKind.WEEKLY,
        *,
        user: str,
        day: date | None = None,
        language: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Note | None:
        """The report of the week or month a day lies in, written now; None: nothing happened in it.

        Without a day: of the last one that is over, or where nothing happened in it of the one going on.
        """
        wanted = one(NoteKind, kind, "kind")
        if wanted not in (NoteKind.WEEKLY, NoteKind.MONTHLY):
            raise InvalidInputError(f"a report is weekly or monthly, not {kind}", field="kind")
        if day is not None and not EARLIEST_DAY <= day <= LATEST_DAY:
            raise InvalidInputError(f"{day} lies too far away to report on", field="day")
        note = await self._reporter.report(
            await self._visibility.known_person(tenant, user),
            wanted,
            day=day,
            language=checked_language(language),
            by=by,
        )
        self._worker.wake()
        return note

    async def appointment(
        self,
        profession: str | None = None,
        *,
        user: str,
        at: datetime | None = None,
        language: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Note:
        """What to tell a doctor or another professional, written now for the next appointment, or one at a moment."""
        scope = await self._visibility.known_person(tenant, user)
        moment = None if at is None else in_utc(at, "at")
        if moment is not None and not EARLIEST_DAY <= moment.date() <= LATEST_DAY:
            raise InvalidInputError(f"{moment.date()} lies too far away for an appointment", field="at")
        note = await self._reporter.appointment(scope, profession, moment, language=checked_language(language), by=by)
        self._worker.wake()
        return note

    async def note_files(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> dict[str, bytes]:
        """A note as a Markdown file, by its name."""
        scope = person(tenant, user)
        found = await self._store.get(scope, Note, [id])
        if not found or found[0].deleted_at is not None:
            raise NotFoundError("note", id)
        return as_markdown(found[0], zone=await self._visibility.zone_of(scope))
