"""One note or report: as a page, as a file, and written on demand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from typing import NamedTuple
from urllib.parse import quote, urlencode

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, NoteKind
from relembra.errors import InvalidInputError, NotFoundError, StoreReadOnlyError
from relembra.interfaces.web.memory import State
from relembra.interfaces.web.templates import as_html
from relembra.interfaces.web.visits import Visit, get, post
from relembra.views.period_report import as_markdown, is_markdown, period_of

MOST_READ, PAGE_READ = 1_000, 200
"""Messages of a conversation that are looked through for those of a note, and how many at a time."""
MOST_PARTS = 40
MOST_LEARNT = 50


class Learnt(NamedTuple):
    """What was learnt in a note: current items first, then past ones."""

    current: Sequence[KnowledgeItem]
    past: Sequence[KnowledgeItem]
    all: str  # the address of the whole list


WANTED = {"what": "report", "period": NoteKind.WEEKLY.value, "day": "", "profession": "", "at": ""}
"""The form for a report or, with "appointment", a note for one; as it is before anything is filled in."""


@get("/note/new", Right.WRITE)
async def new(visit: Visit) -> Response:
    wanted = {name: visit.asked(name) or usual for name, usual in WANTED.items()}
    return visit.page("note_new.html", wanted=wanted, wrong="", said="")


@post("/note/new")
async def write(visit: Visit) -> Response:
    if visit.settings.read_only:
        raise StoreReadOnlyError("a note is not kept in a memory that is only read")
    wanted = {name: visit.field(name) or usual for name, usual in WANTED.items()}
    try:
        written = await visit.done_once(partial(_written, visit, wanted), *wanted.values())
    except InvalidInputError as error:
        return visit.page("note_new.html", wanted=wanted, wrong=error.field or "day", said=visit.sentence(error))
    if written is None:
        return visit.to("/note/new", nothing="1", **wanted)
    return visit.to(f"/note/{written.id}", done="note_written")


@get("/note/{id}")
async def note(visit: Visit) -> Response:
    found = await visit.memory.note(visit.id, **visit.whose)
    covers = None
    if found.kind in (NoteKind.WEEKLY, NoteKind.MONTHLY):
        period = period_of(found, _zone_name(visit))
        covers = period.first, period.last
    parts = []  # the notes it was made of, as far as they are still there
    for id in found.note_ids[:MOST_PARTS]:
        with suppress(NotFoundError):
            parts.append(await visit.memory.note(id, **visit.whose))
    return visit.page(
        "note.html",
        note=found,
        told=as_html(found.summary) if is_markdown(found) else None,
        covers=covers,
        messages=await _messages(visit, found),
        parts_of=parts,
        learnt=await _learnt(visit, found),
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


async def _written(visit: Visit, wanted: dict[str, str]) -> Note | None:
    """The report or the note for an appointment; None where there is nothing to tell."""
    is_appointment = wanted["what"] == "appointment"
    field = "at" if is_appointment else "day"
    typed = wanted[field]
    try:
        when = datetime.fromisoformat(typed).replace(tzinfo=visit.zone) if typed else None
        day = date.fromisoformat(typed) if typed and not is_appointment else None
    except ValueError:
        raise InvalidInputError(f"{typed!r} is no {field}", field=field) from None
    with suppress(NotFoundError):  # nothing is kept of this person yet
        if is_appointment:
            return await visit.memory.appointment(wanted["profession"] or None, at=when, **visit.whose)
        return await visit.memory.report(wanted["period"], day=day, **visit.whose)
    return None


# ── what a note's page shows ──────────────────────────────────────────────────────────────────────────────────────


def attachment(name: str) -> str:
    """A file to be kept under a name, which old browsers read without its accents."""
    plain = re.sub(r"[^\w.-]+", "-", name.encode("ascii", "ignore").decode()) or "note"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _zone_name(visit: Visit) -> str:
    offset = visit.clock.here(visit.now).strftime("%z")
    return f"{offset[:3]}:{offset[3:5]}" if offset else "+00:00"


async def _messages(visit: Visit, note: Note) -> list[Message]:
    """The person's own messages a note was made of, oldest first, as far as they are found in its conversation."""
    wanted = set(note.message_ids)
    found: dict[str, Message] = {}
    if note.conversation is None or not wanted:
        return []
    after: str | None = None
    for _ in range(MOST_READ // PAGE_READ):
        some = await visit.memory.messages(conversation=note.conversation, limit=PAGE_READ, after=after, **visit.whose)
        found |= {message.id: message for message in some if message.id in wanted}
        after = some.next
        if after is None or len(found) == len(wanted):
            break
    return sorted(found.values(), key=lambda message: (message.sent_at, message.id))


async def _learnt(visit: Visit, note: Note) -> Learnt | None:
    """What was learnt in a note; None of a note nothing is ever learnt in."""
    items = await visit.memory.list(note=note.id, history=True, limit=MOST_LEARNT, **visit.whose)
    if not items and note.kind not in (NoteKind.CONVERSATION, NoteKind.DOCUMENT):  # these say that they taught nothing
        return None
    current = [item for item in items if item.is_current(visit.now)]
    past = [item for item in items if not item.is_current(visit.now)]
    state = {"state": State.PAST} if past else {}
    return Learnt(current, past, f"/?{urlencode({'note': note.id, **state})}")
