"""How domain values lie in rows, the same on every SQL engine: ids as 16 bytes, moments as microseconds, lists as JSON.

Each `…_COLUMNS` names the columns of a value in the order its `…_row` gives and its `…_of` takes them; tenant and
owner stand before them in every table and are no part of them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from relembra.domain.audit import Actor, AuditEntry, Target
from relembra.domain.case import Case, Outcome
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.run import Run, RunKind, RunStatus, Tally
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.errors import InvalidInputError
from relembra.store.port import Buffer, ItemCount, Kind, View

Row = Sequence[Any]

KIND_NUMBERS = {Kind.ITEM: 1, Kind.MESSAGE: 2, Kind.NOTE: 3}
KINDS = {number: kind for kind, number in KIND_NUMBERS.items()}

MESSAGE_COLUMNS = (
    "id, conversation, role, author, text, sent_at, zone, space, channel, external_id, metadata, saved_at, deleted_at"
)
CONVERSATION_COLUMNS = "id, space, channel, title, created_at, updated_at, deleted_at, version"
NOTE_COLUMNS = (
    "id, space, channel, conversation, kind, title, summary, participants, message_ids, note_ids,"
    " happened_at, created_at, archived_at, deleted_at, accesses, last_access, packed, version"
)
ITEM_COLUMNS = (
    "id, space, channel, type, area, sub_area, subject, speaker, attribute, value, title, content, language, source,"
    " note_id, message_ids, evidence, confidence, weight, priority, validated, needs_resolution, related, tags, person,"
    " observations, accesses, last_access, held_from, held_until, superseded_by, superseded_at, expires_at,"
    " archived_at, deleted_at, created_at, updated_at, reinforced_at, weighed_at, zone, packed, local_only, version"
)
JOB_COLUMNS = "id, kind, payload, due_at, created_at, state, attempts, lease_until, error, key"
BUFFER_COLUMNS = "id, space, channel, conversation, opened_at, last_at, open"
CASE_COLUMNS = (
    "id, space, channel, old_id, new_id, judged_by, why, certainty, outcome, settled_by, change, asked, asked_at,"
    " opened_at, settled_at, version"
)
VIEW_COLUMNS = "name, made_at, body, version"
RUN_COLUMNS = (
    "id, kind, night, since, until, status, tally, changes, memory_before, memory_after, memory_updates, model_calls,"
    " input_tokens, output_tokens, raw, error, started_at, finished_at, version"
)
AUDIT_COLUMNS = "id, change, at, actor, verb, target, target_id, before, after, why, undoes"

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_A_DAY = 86_400
_MICROS = 1_000_000
_SMALLEST = 9  # zlib's level
_EXACT = 1 << 52  # up to here (the year 2112) seconds as a float keep their microseconds, and are twice as quick

# A dictionary answers in a quarter of the time the enum's own constructor takes.
_ROLES = {role.value: role for role in Role}
_TYPES = {type.value: type for type in KnowledgeType}
_AREAS = {area.value: area for area in LifeArea}
_SOURCES = {source.value: source for source in Source}


@lru_cache
def of_row(columns: str) -> str:
    """The columns of a table called `row`, for statements with another table beside it."""
    return ", ".join(f"row.{name}" for name in columns.split(", "))


# ── ids, moments, lists ───────────────────────────────────────────────────────────────────────────────────────────


def known_id(id: str) -> bytes | None:
    """The id's 16 bytes; None for what can be no row's id."""
    return bytes.fromhex(id.replace("-", "")) if _ID.fullmatch(id) else None


def id_bytes(id: str) -> bytes:
    """The id's 16 bytes, for a row about to be written."""
    raw = known_id(id)
    if raw is None:
        raise InvalidInputError(f"{id!r} is not an id; make one with relembra.domain.ids.new_id", field="id")
    return raw


def id_text(raw: bytes) -> str:
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def ids_in(text: str) -> set[str]:
    """Every id that stands in a text."""
    return set(_ID.findall(text))


def micros(moment: datetime) -> int:
    since = moment - _EPOCH
    return (since.days * _SECONDS_A_DAY + since.seconds) * _MICROS + since.microseconds


def moment(stored: int) -> datetime:
    if 0 <= stored < _EXACT:
        return datetime.fromtimestamp(stored / _MICROS, UTC)
    return _EPOCH + timedelta(microseconds=stored)


def _micros_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


def _moment_or_none(stored: int | None) -> datetime | None:
    return None if stored is None else moment(stored)


def _plain(value: object) -> object:
    """What the JSON encoder does not know: a mapping that is no dictionary."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be kept as JSON")


_encoder = msgspec.json.Encoder(enc_hook=_plain)
_decode = msgspec.json.decode


def to_json(value: object) -> str:
    return _encoder.encode(value).decode()


def from_json(text: str) -> Any:
    return _decode(text)


def list_json(values: Sequence[str]) -> str:
    return to_json(values) if values else "[]"


def _tuple(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(_decode(text))


def _mapping(text: str) -> dict[str, Any]:
    return {} if text == "{}" else dict(_decode(text))


def _place(space: str | None, channel: str) -> Place:
    return DIRECT if space is None and channel == DIRECT.channel else Place(space, channel)


# ── messages and conversations ────────────────────────────────────────────────────────────────────────────────────


def message_row(message: Message) -> tuple[Any, ...]:
    return (
        id_bytes(message.id),
        message.conversation,
        message.role.value,
        message.author,
        message.text,
        micros(message.sent_at),
        message.zone,
        message.place.space,
        message.place.channel,
        message.external_id,
        to_json(message.metadata) if message.metadata else "{}",
        micros(message.saved_at),
        _micros_or_none(message.deleted_at),
    )


def message_of(scope: Scope, row: Row) -> Message:
    return Message(
        id=id_text(row[0]),
        scope=scope,
        conversation=row[1],
        role=_ROLES[row[2]],
        author=row[3],
        text=row[4],
        sent_at=moment(row[5]),
        zone=row[6],
        place=_place(row[7], row[8]),
        external_id=row[9],
        metadata=_mapping(row[10]),
        saved_at=moment(row[11]),
        deleted_at=_moment_or_none(row[12]),
    )


def conversation_row(conversation: Conversation) -> tuple[Any, ...]:
    return (
        conversation.id,
        conversation.place.space,
        conversation.place.channel,
        conversation.title,
        micros(conversation.created_at),
        micros(conversation.updated_at),
        _micros_or_none(conversation.deleted_at),
        conversation.version,
    )


def conversation_of(scope: Scope, row: Row) -> Conversation:
    return Conversation(
        id=row[0],
        scope=scope,
        place=_place(row[1], row[2]),
        title=row[3],
        created_at=moment(row[4]),
        updated_at=moment(row[5]),
        deleted_at=_moment_or_none(row[6]),
        version=row[7],
    )


# ── notes and items ───────────────────────────────────────────────────────────────────────────────────────────────


def _packed(text: str, archived_at: datetime | None) -> tuple[str, bytes | None]:
    """What lies in the text's own column and in the one for packed texts; archived is packed where that is shorter."""
    if archived_at is not None:
        plain = text.encode()
        packed = zlib.compress(plain, _SMALLEST)
        if len(packed) < len(plain):
            return "", packed
    return text, None


def _unpacked(text: str, packed: bytes | None) -> str:
    return text if packed is None else zlib.decompress(packed).decode()


def note_row(note: Note) -> tuple[Any, ...]:
    summary, packed = _packed(note.summary, note.archived_at)
    return (
        id_bytes(note.id),
        note.place.space,
        note.place.channel,
        note.conversation,
        note.kind.value,
        note.title,
        summary,
        list_json(note.participants),
        list_json(note.message_ids),
        list_json(note.note_ids),
        micros(note.happened_at),
        micros(note.created_at),
        _micros_or_none(note.archived_at),
        _micros_or_none(note.deleted_at),
        note.accesses,
        _micros_or_none(note.last_access),
        packed,
        note.version,
    )


def note_of(scope: Scope, row: Row) -> Note:
    return Note(
        id=id_text(row[0]),
        scope=scope,
        place=_place(row[1], row[2]),
        conversation=row[3],
        kind=NoteKind(row[4]),
        title=row[5],
        summary=_unpacked(row[6], row[16]),
        participants=_tuple(row[7]),
        message_ids=_tuple(row[8]),
        note_ids=_tuple(row[9]),
        happened_at=moment(row[10]),
        created_at=moment(row[11]),
        archived_at=_moment_or_none(row[12]),
        deleted_at=_moment_or_none(row[13]),
        accesses=row[14],
        last_access=_moment_or_none(row[15]),
        version=row[17],
    )


def item_row(item: KnowledgeItem) -> tuple[Any, ...]:
    content, packed = _packed(item.content, item.archived_at)
    return (
        id_bytes(item.id),
        item.place.space,
        item.place.channel,
        item.type.value,
        None if item.area is None else item.area.value,
        item.sub_area,
        item.subject,
        item.speaker,
        item.attribute,
        item.value,
        item.title,
        content,
        item.language,
        item.source.value,
        None if item.note_id is None else id_bytes(item.note_id),
        list_json(item.message_ids),
        item.evidence,
        item.confidence,
        item.weight,
        item.priority,
        int(item.validated),
        int(item.needs_resolution),
        list_json(item.related),
        list_json(item.tags),
        to_json(item.person) if item.person else "{}",
        item.observations,
        item.accesses,
        _micros_or_none(item.last_access),
        micros(item.held_from),
        _micros_or_none(item.held_until),
        None if item.superseded_by is None else id_bytes(item.superseded_by),
        _micros_or_none(item.superseded_at),
        _micros_or_none(item.expires_at),
        _micros_or_none(item.archived_at),
        _micros_or_none(item.deleted_at),
        micros(item.created_at),
        micros(item.updated_at),
        _micros_or_none(item.reinforced_at),
        _micros_or_none(item.weighed_at),
        item.zone,
        packed,
        int(item.local_only),
        item.version,
    )


# A search decodes some eighty items, and the constructor of a frozen class takes half of that time. Setting the slots
# directly gives the same value; the order is that of the fields.
_set_item_fields = tuple(getattr(KnowledgeItem, part.name).__set__ for part in fields(KnowledgeItem))


def item_of(scope: Scope, row: Row) -> KnowledgeItem:
    values = (
        id_text(row[0]),
        scope,
        _place(row[1], row[2]),
        _TYPES[row[3]],
        None if row[4] is None else _AREAS[row[4]],
        *row[5:11],
        _unpacked(row[11], row[40]),
        row[12],
        _SOURCES[row[13]],
        None if row[14] is None else id_text(row[14]),
        _tuple(row[15]),
        *row[16:20],
        row[20] == 1,
        row[21] == 1,
        _tuple(row[22]),
        _tuple(row[23]),
        _mapping(row[24]),
        row[25],
        row[26],
        _moment_or_none(row[27]),
        moment(row[28]),
        _moment_or_none(row[29]),
        None if row[30] is None else id_text(row[30]),
        _moment_or_none(row[31]),
        _moment_or_none(row[32]),
        _moment_or_none(row[33]),
        _moment_or_none(row[34]),
        moment(row[35]),
        moment(row[36]),
        _moment_or_none(row[37]),
        _moment_or_none(row[38]),
        row[39],
        row[41] == 1,
        row[42],
    )
    item = object.__new__(KnowledgeItem)
    for set_field, value in zip(_set_item_fields, values, strict=True):
        set_field(item, value)
    return item


def area_of(stored: str | None) -> LifeArea | None:
    return None if stored is None else _AREAS[stored]


def item_counts_of(found: Mapping[tuple[Any, ...], int]) -> list[ItemCount]:
    """Numbers of items by area, type, source, confidence, and whether validated and unresolved; without those of 0."""
    return [
        ItemCount(area_of(area), _TYPES[type], _SOURCES[source], confidence, validated == 1, unresolved == 1, items)
        for (area, type, source, confidence, validated, unresolved), items in found.items()
        if items
    ]


# ── jobs and the audit trail ──────────────────────────────────────────────────────────────────────────────────────


def job_row(job: Job) -> tuple[Any, ...]:
    return (
        id_bytes(job.id),
        job.kind,
        to_json(job.payload),
        micros(job.due_at),
        micros(job.created_at),
        job.state.value,
        job.attempts,
        _micros_or_none(job.lease_until),
        job.error,
        job.key,
    )


def job_of(scope: Scope, row: Row) -> Job:
    return Job(
        id=id_text(row[0]),
        scope=scope,
        kind=row[1],
        payload=_mapping(row[2]),
        due_at=moment(row[3]),
        created_at=moment(row[4]),
        state=JobState(row[5]),
        attempts=row[6],
        lease_until=_moment_or_none(row[7]),
        error=row[8],
        key=row[9],
    )


def audit_row(entry: AuditEntry) -> tuple[Any, ...]:
    return (
        id_bytes(entry.id),
        entry.change,
        micros(entry.at),
        str(entry.actor),
        entry.verb,
        entry.target.value,
        entry.target_id,
        None if entry.before is None else to_json(entry.before),
        None if entry.after is None else to_json(entry.after),
        entry.why,
        entry.undoes,
    )


def audit_of(scope: Scope, row: Row) -> AuditEntry:
    return AuditEntry(
        id=id_text(row[0]),
        change=row[1],
        scope=scope,
        at=moment(row[2]),
        actor=Actor.parse(row[3]),
        verb=row[4],
        target=Target(row[5]),
        target_id=row[6],
        before=None if row[7] is None else _mapping(row[7]),
        after=None if row[8] is None else _mapping(row[8]),
        why=row[9],
        undoes=row[10],
    )


# ── buffers, cases, views and runs ────────────────────────────────────────────────────────────────────────────────


def buffer_row(buffer: Buffer) -> tuple[Any, ...]:
    """Its messages are rows of another table."""
    return (
        id_bytes(buffer.id),
        buffer.place.space,
        buffer.place.channel,
        buffer.conversation,
        micros(buffer.opened_at),
        micros(buffer.last_at),
        int(buffer.is_open),
    )


def buffer_of(scope: Scope, row: Row, messages: Iterable[Row] = ()) -> Buffer:
    """`messages`: persons and ids, in order."""
    return Buffer(
        id=id_text(row[0]),
        scope=scope,
        place=_place(row[1], row[2]),
        conversation=row[3],
        opened_at=moment(row[4]),
        last_at=moment(row[5]),
        is_open=row[6] == 1,
        messages=tuple((person, id_text(id)) for person, id in messages),
    )


def case_row(case: Case) -> tuple[Any, ...]:
    return (
        id_bytes(case.id),
        case.place.space,
        case.place.channel,
        id_bytes(case.old_id),
        id_bytes(case.new_id),
        case.judged_by,
        case.why,
        case.certainty,
        case.outcome.value,
        case.settled_by,
        case.change,
        case.asked,
        _micros_or_none(case.asked_at),
        micros(case.opened_at),
        _micros_or_none(case.settled_at),
        case.version,
    )


def case_of(scope: Scope, row: Row) -> Case:
    return Case(
        id=id_text(row[0]),
        scope=scope,
        place=_place(row[1], row[2]),
        old_id=id_text(row[3]),
        new_id=id_text(row[4]),
        judged_by=row[5],
        why=row[6],
        certainty=row[7],
        outcome=Outcome(row[8]),
        settled_by=row[9],
        change=row[10],
        asked=row[11],
        asked_at=_moment_or_none(row[12]),
        opened_at=moment(row[13]),
        settled_at=_moment_or_none(row[14]),
        version=row[15],
    )


def view_row(view: View) -> tuple[Any, ...]:
    return (view.name, micros(view.made_at), None if view.body is None else to_json(view.body), view.version)


def view_of(scope: Scope, row: Row) -> View:
    body = None if row[2] is None else _mapping(row[2])
    return View(scope=scope, name=row[0], version=row[3], made_at=moment(row[1]), body=body)


def run_row(run: Run) -> tuple[Any, ...]:
    return (
        id_bytes(run.id),
        run.kind.value,
        None if run.night is None else run.night.isoformat(),
        _micros_or_none(run.since),
        micros(run.until),
        run.status.value,
        to_json(asdict(run.tally)),
        list_json(run.changes),
        run.memory_before,
        run.memory_after,
        list_json(run.memory_updates),
        run.model_calls,
        run.input_tokens,
        run.output_tokens,
        run.raw,
        run.error,
        micros(run.started_at),
        _micros_or_none(run.finished_at),
        run.version,
    )


def run_of(scope: Scope, row: Row) -> Run:
    return Run(
        id=id_text(row[0]),
        scope=scope,
        kind=RunKind(row[1]),
        night=None if row[2] is None else date.fromisoformat(row[2]),
        since=_moment_or_none(row[3]),
        until=moment(row[4]),
        status=RunStatus(row[5]),
        tally=Tally(**_mapping(row[6])),
        changes=_tuple(row[7]),
        memory_before=row[8],
        memory_after=row[9],
        memory_updates=_tuple(row[10]),
        model_calls=row[11],
        input_tokens=row[12],
        output_tokens=row[13],
        raw=row[14],
        error=row[15],
        started_at=moment(row[16]),
        finished_at=_moment_or_none(row[17]),
        version=row[18],
    )


T = TypeVar("T")


def in_order(ids: Sequence[str], rows: Mapping[str, T]) -> list[T]:
    """The rows in the order their ids were asked, each as often as asked; unknown ids are left out."""
    return [rows[id] for id in ids if id in rows]
