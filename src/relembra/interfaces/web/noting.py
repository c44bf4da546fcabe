"""Notes: what happened, told briefly; reports, written now on demand; each as a page and as a file."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from html import unescape
from http import HTTPStatus
from urllib.parse import quote, urlencode

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.text import shortened
from relembra.errors import InvalidInputError, NotFoundError, StoreReadOnlyError
from relembra.interfaces.web.filtering import State
from relembra.interfaces.web.markdown import as_html, opening
from relembra.interfaces.web.once import done_once
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.unrolling import more, unrolled
from relembra.interfaces.web.visits import Visit, query_with
from relembra.views.reports.files import as_markdown, is_markdown
from relembra.views.reports.periods import period_of

pages = Pages()

PAGE = 40
LONGEST_OPENING = 220
MOST_READ = 1_000
"""Messages of a conversation that are looked through for those of a note."""
PAGE_READ = 200
MOST_MADE_OF = 40
MOST_LEARNT = 50
TEACHING = (NoteKind.CONVERSATION, NoteKind.DOCUMENT)
"""Kinds of notes from which something is learnt; of one that taught nothing it is said."""
ICONS: dict[str, str] = {
    NoteKind.CONVERSATION: "messages-square",
    NoteKind.TOPIC_CLUSTER: "tag",
    NoteKind.SESSION: "message-circle",
    NoteKind.APPOINTMENT: "calendar",
    NoteKind.WEEKLY: "calendar-days",
    NoteKind.MONTHLY: "book-open",
    NoteKind.DOCUMENT: "file-text",
}
USUAL = tuple(kind for kind in NoteKind if kind is not NoteKind.SESSION)
"""What the list shows unasked: talk still going on is told by the note that comes of it."""
UNFIT = HTTPStatus.UNPROCESSABLE_ENTITY
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture on a note's page."""

    name: str
    title: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt in a note: what is held first, and then what is past."""

    current: Sequence[KnowledgeItem]
    past: Sequence[KnowledgeItem]
    total: int
    all: str  # the address of the whole list


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asked to be written, as they typed it."""

    what: str = "report"  # or appointment
    period: str = NoteKind.WEEKLY
    day: str = ""
    profession: str = ""
    at: str = ""


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/notes")
async def notes(visit: Visit) -> Response:
    kind = visit.asked("kind") if visit.asked("kind") in set(NoteKind) else ""
    after = visit.asked("after") or None
    limit = unrolled(visit, PAGE, goes_on=after is not None)
    listing = await visit.memory.notes(kind=kind or USUAL, limit=limit, after=after, **visit.whose)
    return visit.page(
        "notes.html",
        title=visit.words("page.notes"),
        named=(visit.words(f"page.notes.kind.{kind}"),) if kind else (),
        notes=listing,
        opening=_opening,
        icons=ICONS,
        kind=kind,
        kinds=[(name, query_with(visit, {"kind": name, "after": None})) for name in NoteKind],
        all_kinds=query_with(visit, {"kind": None, "after": None}),
        more=more(visit, PAGE, {"after": listing.next}) if listing.next else None,
    )


@pages.get("/notes/make", Right.WRITE)
async def make(visit: Visit) -> Response:
    wanted = Wanted(**{name: visit.asked(name) for name in Wanted.__slots__ if visit.asked(name)})
    return _form(visit, wanted, nothing=bool(visit.asked("nothing")))


@pages.get("/notes/{id}")
async def note(visit: Visit) -> Response:
    found = await visit.memory.note(visit.id, **visit.whose)
    is_written = is_markdown(found)
    files = await _files(visit, found) if is_written else {}
    return visit.page(
        "note.html",
        title=found.title,
        note=found,
        told=as_html(found.summary) if is_written else None,
        pictures=pictures_in(files),
        covers=_covers(visit, found),
        messages=await _messages(visit, found),
        parts_of=await _parts(visit, found),
        learnt=await _learnt(visit, found),
        icons=ICONS,
    )


@pages.get("/notes/{id}/file")
async def file(visit: Visit) -> Response:
    """The Markdown file alone, or with its pictures in a zip."""
    files = await _files(visit, await visit.memory.note(visit.id, **visit.whose))
    name, body, media_type = packed(files)
    return Response(body, media_type=media_type, headers={"Content-Disposition": attachment(name)})


@pages.get("/notes/{id}/picture/{name}")
async def picture(visit: Visit) -> Response:
    files = await _files(visit, await visit.memory.note(visit.id, **visit.whose))
    name = str(visit.request.path_params["name"])
    if name not in files or not name.endswith(".svg"):
        raise NotFoundError("picture", name)
    return Response(files[name], media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.post("/notes/make")
async def made(visit: Visit) -> Response:
    if visit.settings.read_only:
        raise StoreReadOnlyError("a note is not kept in a memory that is only read")
    wanted = Wanted(**{name: visit.field(name) for name in Wanted.__slots__ if visit.field(name)})
    try:
        work = partial(_appointment if wanted.what == "appointment" else _report, visit, wanted)
        written = await done_once(visit, work, wanted)
    except InvalidInputError as error:
        return _form(visit, wanted, wrong=error.field or "", said=visit.sentence(error), status=UNFIT)
    if written is None:
        typed = {name: getattr(wanted, name) for name in Wanted.__slots__}
        return visit.to("/notes/make", nothing="1", **typed)
    return visit.to(f"/notes/{written.id}", done="note_written")


async def _report(visit: Visit, wanted: Wanted) -> Note | None:
    try:
        day = date.fromisoformat(wanted.day) if wanted.day else None
    except ValueError:
        raise InvalidInputError(f"{wanted.day!r} is no day", field="day") from None
    try:
        return await visit.memory.report(wanted.period, day=day, **visit.whose)
    except NotFoundError:  # nothing is kept of this person yet
        return None


async def _appointment(visit: Visit, wanted: Wanted) -> Note | None:
    try:
        at = datetime.fromisoformat(wanted.at).replace(tzinfo=visit.zone) if wanted.at else None
    except ValueError:
        raise InvalidInputError(f"{wanted.at!r} is no moment", field="at") from None
    try:
        return await visit.memory.appointment(wanted.profession or None, at=at, **visit.whose)
    except NotFoundError:
        return None


def _form(
    visit: Visit, wanted: Wanted, *, wrong: str = "", said: str = "", nothing: bool = False, status: int = HTTPStatus.OK
) -> Response:
    return visit.page(
        "note_make.html",
        status=status,
        title=visit.words("page.notes.make"),
        wanted=wanted,
        wrong=wrong,
        said=said,
        nothing=nothing,
        today=visit.clock.here(visit.now).date().isoformat(),
    )


# ── shaping ───────────────────────────────────────────────────────────────────────────────────────────────────────


def pictures_in(files: Mapping[str, bytes]) -> list[Shown]:
    """The pictures among a note's files, with the room they take."""
    found = []
    for name, content in files.items():
        text = content.decode() if name.endswith(".svg") else ""
        size, title = _SIZE.search(text), _TITLE.search(text)
        if size is not None:
            found.append(Shown(name, unescape(title[1]) if title else name, int(size[1]), int(size[2])))
    return found


def packed(files: Mapping[str, bytes]) -> tuple[str, bytes, str]:
    """What to send of a note's files: a name, the bytes, and their type."""
    name, text = next((name, text) for name, text in files.items() if name.endswith(".md"))
    if len(files) == 1:
        return name, text, "text/markdown"
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in files.items():
            archive.writestr(zipfile.ZipInfo(each), content, zipfile.ZIP_DEFLATED)
    return f"{name.removesuffix('.md')}.zip", whole.getvalue(), "application/zip"


def attachment(name: str) -> str:
    """A file to be kept under a name, which old browsers read without its accents."""
    plain = re.sub(r"[^\w.-]+", "-", name.encode("ascii", "ignore").decode()) or "note"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _opening(note: Note) -> str:
    """The first words of a note, where they say more than its title."""
    told = opening(note.summary, LONGEST_OPENING) if is_markdown(note) else shortened(note.summary, LONGEST_OPENING)
    return "" if told.rstrip(".") == note.title.rstrip(".") else told


def _covers(visit: Visit, note: Note) -> tuple[date, date] | None:
    """The first and last day of the period a report covers."""
    if note.kind not in (NoteKind.WEEKLY, NoteKind.MONTHLY):
        return None
    period = period_of(note, _zone_name(visit))
    return period.first, period.last


def _zone_name(visit: Visit) -> str:
    offset = visit.clock.here(visit.now).strftime("%z")
    return f"{offset[:3]}:{offset[3:5]}" if offset else "+00:00"


async def _files(visit: Visit, note: Note) -> dict[str, bytes]:
    """A note's files; a space's note, which the person took part in, is written down here."""
    if note.scope.space is None and note.scope.user == visit.user:
        return await visit.memory.note_files(note.id, **visit.whose)
    return as_markdown(note, visit.words.language, zone=_zone_name(visit))


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
    whole = await visit.memory.list(note=note.id, history=True, limit=MOST_LEARNT, **visit.whose)
    if not whole:
        return Learnt((), (), 0, "") if note.kind in TEACHING else None
    current = [item for item in whole if item.is_current(visit.now)]
    total = len(whole)
    if whole.next is not None:
        current, counts = await asyncio.gather(
            visit.memory.list(note=note.id, limit=MOST_LEARNT, **visit.whose),
            visit.memory.count(note=note.id, history=True, **visit.whose),
        )
        total = counts.total
    past = [item for item in whole if not item.is_current(visit.now)][: MOST_LEARNT - len(current)]
    state = {"state": State.PAST} if past or total > len(current) else {}
    return Learnt(current, past, total, f"/?{urlencode({'note': note.id, **state})}")


async def _parts(visit: Visit, note: Note) -> list[Note]:
    """The notes a note was made of, as far as they are still there."""
    found = []
    for id in note.note_ids[:MOST_MADE_OF]:
        try:
            found.append(await visit.memory.note(id, **visit.whose))
        except NotFoundError:
            continue
    return found
