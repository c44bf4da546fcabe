"""History: what happened on which day, the memory as it was one day; and notes, read and written on demand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import groupby
from urllib.parse import quote, urlencode

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.message import FROM_FILES, Message, Note, NoteKind
from relembra.domain.text import fold
from relembra.errors import InvalidInputError, NotFoundError, StoreReadOnlyError
from relembra.interfaces.figures import figures_of
from relembra.interfaces.web.figures import charts_of
from relembra.interfaces.web.memory import State
from relembra.interfaces.web.templates import as_html
from relembra.interfaces.web.visits import DAY, FormError, Visit, between, get, post, read_day, start_of
from relembra.views.period_report import as_markdown, is_markdown, period_of
from relembra.views.timeline import Moment

MOMENTS = 40
ITEMS = 30


# ── timeline ──────────────────────────────────────────────────────────────────────────────────────────────────────


@get("/history")
async def timeline(visit: Visit) -> Response:
    """Notes and events under their days, newest first; with `kind`, the notes of one kind."""
    kind, first, last, shown = visit.chosen("kind", NoteKind), None, None, None
    try:
        first, last = read_day(visit.asked("from")), read_day(visit.asked("to"))
        shown = read_day(visit.asked("shown")) if visit.is_fragment else None
        if first and last and last < first:
            raise InvalidInputError("the last day comes before the first", field="to")
    except InvalidInputError:
        visit.refuse(FormError("page.history.wrong", field="to"))
        first = last = None
    moments: Sequence[Moment]
    if kind:
        notes = await visit.memory.notes(kind=kind, **visit.portion(MOMENTS), **visit.whose)
        moments, onward = [Moment(at=note.happened_at, note=note) for note in notes], notes.next
    else:
        since, until = between(first, last, visit.zone)
        listing = await visit.memory.timeline(since=since, until=until, **visit.portion(MOMENTS), **visit.whose)
        moments, onward = listing, listing.next
    by_day = groupby(moments, lambda moment: moment.at.astimezone(visit.zone).date())
    days = [(day, list(some)) for day, some in by_day]
    return visit.page(
        "history.html",
        days=days,
        shown=shown,  # the last day already on the page
        more=visit.more(onward, MOMENTS, shown=days[-1][0].isoformat()) if days else None,
        kind=kind or "",
        first=first,
        last=last,
        others=lambda names: [name for name in names if fold(name) != fold(visit.user)],
    )


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────


@get("/history/day")
async def day(visit: Visit) -> Response:
    """What was believed when a day ended, and what became of it."""
    chosen_day = visit.today
    try:
        chosen_day = min(read_day(visit.asked("on")) or visit.today, visit.today)
    except InvalidInputError:
        visit.refuse(FormError("page.history.wrong", field="on"))
    area = visit.chosen("area", LifeArea)
    moment = min(start_of(chosen_day + DAY, visit.zone) - timedelta(microseconds=1), visit.now)
    as_of = moment if chosen_day < visit.today else None  # what is believed now is counted already
    listing = await visit.memory.list(as_of=as_of, area=area, **visit.portion(ITEMS), **visit.whose)

    def fate(item: KnowledgeItem) -> tuple[str, datetime | None]:
        """What became of an item since, the last word first; and when."""
        ends = {"deleted": item.deleted_at, "replaced": item.superseded_at, "archived": item.archived_at}
        return next(((fate, at) for fate, at in ends.items() if at is not None and at > moment), ("", None))

    successors: dict[str, KnowledgeItem] = {}
    for item in listing:
        with suppress(NotFoundError):
            if fate(item)[0] == "replaced" and item.superseded_by is not None:
                successors[item.id] = await visit.memory.get(item.superseded_by, **visit.whose)
    return visit.page(
        "history_day.html",
        day=chosen_day,
        area=area,
        counts=await visit.memory.count(as_of=as_of, **visit.whose),
        items=[(item, *fate(item), successors.get(item.id)) for item in listing],
        more=visit.more(listing.next, ITEMS),
        steps={"week_before": -7 * DAY, "day_before": -DAY, "day_after": DAY, "week_after": 7 * DAY},
    )


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


@get("/history/figures")
async def figures(visit: Visit) -> Response:
    """What the memory is made of, and how it grew."""
    found = await figures_of(visit.memory, visit.whose, visit.today)
    return visit.page("history_figures.html", figures=found, charts=charts_of(found, visit.words, visit.clock))


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

MOST_READ, PAGE_READ = 1_000, 200
"""Messages of a conversation that are looked through for those of a note, and how many at a time."""
MOST_PARTS = 40
MOST_LEARNT = 50
WANTED = {"what": "report", "period": NoteKind.WEEKLY.value, "day": "", "profession": "", "at": ""}
"""The form for a report or, with "appointment", a note for one; as it is before anything is filled in."""


@get("/note/new", Right.WRITE)
async def new(visit: Visit) -> Response:
    return visit.page("note_new.html", wanted=_wanted(visit))


def _wanted(visit: Visit) -> dict[str, str]:
    return {name: visit.field(name) or visit.asked(name) or usual for name, usual in WANTED.items()}


@post("/note/new", again=new)
async def write(visit: Visit) -> Response:
    """Write the report or the note for an appointment, and lead to it, where there is anything to tell."""
    if visit.settings.read_only:
        raise StoreReadOnlyError("a note is not kept in a memory that is only read")
    wanted, written = _wanted(visit), None
    is_appointment = wanted["what"] == "appointment"
    field = "at" if is_appointment else "day"
    try:
        when = datetime.fromisoformat(wanted[field]).replace(tzinfo=visit.zone) if wanted[field] else None
    except ValueError:
        raise InvalidInputError(f"{wanted[field]!r} is no {field}", field=field) from None
    with suppress(NotFoundError):  # nothing is kept of this person yet
        if is_appointment:
            written = await visit.memory.appointment(wanted["profession"] or None, at=when, **visit.whose)
        else:
            written = await visit.memory.report(wanted["period"], day=when and when.date(), **visit.whose)
    if written is None:
        return visit.to("/note/new", nothing="1", **wanted)
    return visit.to(f"/note/{written.id}", done="note_written")


@get("/note/{id}")
async def note(visit: Visit) -> Response:
    found = await visit.memory.note(visit.id, **visit.whose)
    parts = []  # the notes it was made of, as far as they are still there
    for id in found.note_ids[:MOST_PARTS]:
        with suppress(NotFoundError):
            parts.append(await visit.memory.note(id, **visit.whose))
    learnt = await visit.memory.list(note=found.id, history=True, limit=MOST_LEARNT, **visit.whose)
    past = [item for item in learnt if not item.is_current(visit.now)]
    is_period = found.kind in (NoteKind.WEEKLY, NoteKind.MONTHLY)
    return visit.page(
        "note.html",
        note=found,
        told=as_html(found.summary) if is_markdown(found) else None,
        covers=period_of(found, _zone_name(visit)) if is_period else None,
        messages=await _messages(visit, found),
        parts_of=parts,
        says_learnt=learnt
        or found.kind in (NoteKind.CONVERSATION, NoteKind.JOURNAL, *FROM_FILES),  # also that nothing was
        learnt=[item for item in learnt if item.is_current(visit.now)],
        past=past,
        all_learnt=f"/?{urlencode({'note': found.id, **({'state': State.PAST} if past else {})})}",
    )


@get("/note/{id}/file")
async def file(visit: Visit) -> Response:
    """The note as a Markdown file; a space's note, which the person took part in, is written down here."""
    found = await visit.memory.note(visit.id, **visit.whose)
    if found.scope.space is None and found.scope.user == visit.user:
        files = await visit.memory.note_files(found.id, **visit.whose)
    else:
        files = as_markdown(found, zone=_zone_name(visit))
    [(name, body)] = files.items()
    return Response(body, media_type="text/markdown", headers={"Content-Disposition": attachment(name)})


def attachment(name: str) -> str:
    """A file to be kept under a name, which old browsers read without its accents."""
    plain = re.sub(r"[^\w.-]+", "-", name.encode("ascii", "ignore").decode()) or "note"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _zone_name(visit: Visit) -> str:
    offset = visit.clock.here(visit.now).strftime("%z")
    return f"{offset[:3]}:{offset[3:5]}" if offset else "+00:00"


async def _messages(visit: Visit, note: Note) -> list[Message]:
    """The person's own messages a note was made of, oldest first, as far as they are found in its conversation."""
    wanted, found, after = set(note.message_ids), dict[str, Message](), None
    for _ in range(MOST_READ // PAGE_READ if note.conversation is not None and wanted else 0):
        some = await visit.memory.messages(conversation=note.conversation, limit=PAGE_READ, after=after, **visit.whose)
        found |= {message.id: message for message in some if message.id in wanted}
        after = some.next
        if after is None or len(found) == len(wanted):
            break
    return sorted(found.values(), key=lambda message: (message.sent_at, message.id))
