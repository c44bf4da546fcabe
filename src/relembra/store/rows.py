"""How values lie in rows, the same on every SQL engine: ids as 16 bytes, moments as microseconds, lists as JSON.

A `Table` derives its columns from the fields of a dataclass; tenant and owner stand before them, no part of them.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec

from relembra.domain.access import Key, Link, Right
from relembra.domain.audit import Actor, AuditEntry, Target
from relembra.domain.case import Case, Outcome
from relembra.domain.jobs import Job, JobState, Run, RunKind, RunStatus, Tally
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.errors import InvalidInputError
from relembra.store.port import Buffer, Kind, View

T = TypeVar("T")
Row = Sequence[Any]
Code = Callable[[Any], Any]

KIND_NUMBERS = {Kind.ITEM: 1, Kind.MESSAGE: 2, Kind.NOTE: 3}
KINDS = {number: kind for kind, number in KIND_NUMBERS.items()}

UNREADABLE = (
    ValueError,  # with UnicodeDecodeError
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    msgspec.DecodeError,
    struct.error,
    zlib.error,
)
"""What comes of reading a row whose bytes are not those that were written: what callers give is checked before."""

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_A_DAY = 86_400
_MICROS = 1_000_000
_SMALLEST = 9  # zlib's level
_EXACT = 1 << 52  # up to here (the year 2112) seconds as a float keep their microseconds, and are twice as quick


# ── ids, moments, lists ───────────────────────────────────────────────────────────────────────────────────────────


def known_id(id: str) -> bytes | None:
    """The id's 16 bytes; None for what can be no row's id."""
    return bytes.fromhex(id.replace("-", "")) if _ID.fullmatch(id) else None


def known_ids(ids: Iterable[str]) -> tuple[bytes, ...]:
    """Those that are ids at all, in order and each once."""
    return tuple(sorted({raw for id in ids if (raw := known_id(id)) is not None}))


def id_bytes(id: str) -> bytes:
    """The id's 16 bytes, for a row about to be written."""
    raw = known_id(id)
    if raw is None:
        raise InvalidInputError(f"{id!r} is not an id; make one with relembra.domain.scope.new_id", field="id")
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


def _plain(value: object) -> object:
    """What the JSON encoder does not know: a mapping that is no dictionary."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be kept as JSON")


_encoder = msgspec.json.Encoder(enc_hook=_plain)
from_json = msgspec.json.decode


def to_json(value: object) -> str:
    return _encoder.encode(value).decode()


def _tuple(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(from_json(text))


def _mapping(text: str) -> dict[str, Any]:
    return {} if text == "{}" else dict(from_json(text))


def _place(space: str | None, channel: str) -> Place:
    return DIRECT if space is None and channel == DIRECT.channel else Place(space, channel)


def _unpacked(text: str, packed: bytes | None) -> str:
    return text if packed is None else zlib.decompress(packed).decode()


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────

_ENUMS = (JobState, KnowledgeType, LifeArea, NoteKind, Outcome, Right, Role, RunKind, RunStatus, Source, Target)
_CODECS: dict[str, tuple[Code, Code]] = {
    "datetime": (micros, moment),
    "date": (date.isoformat, date.fromisoformat),
    "bool": (int, bool),
    "tuple[str, ...]": (lambda values: to_json(values) if values else "[]", _tuple),
    "Mapping[str, str]": (to_json, _mapping),
    "Mapping[str, Any]": (to_json, _mapping),
    "Tally": (lambda tally: to_json(asdict(tally)), lambda text: Tally(**_mapping(text))),
    "Actor": (str, Actor.parse),
    # A dictionary answers in a quarter of the time the enum's own constructor takes.
    **{enum.__name__: (attrgetter("value"), {one.value: one for one in enum}.__getitem__) for enum in _ENUMS},
}
"""How a field of a type is written and read; of any other type it is kept as it is."""


class Table(Generic[T]):
    """The rows of a table and the values they are."""

    def __init__(
        self,
        name: str,
        type: type[T],
        moment: str = "",
        *,
        key: str = "id",
        ids: Sequence[str] = ("id",),
        packed: str = "",
        names: Mapping[str, str] | None = None,
        without: Sequence[str] = (),
    ) -> None:
        """`ids`: fields kept as 16 bytes; `packed`: the text kept small once archived; `names`: columns named apart."""
        self.name, self.type, self.moment, self.key = name, type, moment, key
        self.label = name.removeprefix("stored_").removesuffix("_file")
        self.has_scope = False
        self.is_text_key = key not in ids
        self._packed = packed
        columns: list[str] = []
        read: list[str] = []  # what is written into the columns, before it is coded
        self._writes: list[tuple[int, Code, bool]] = []  # the last: None stays None
        self._reads: list[tuple[Any, int]] = []
        self._coded: list[tuple[Any, Code, int]] = []
        self._coded_or_none: list[tuple[Any, Code, int]] = []
        self._paired: list[tuple[Any, Callable[[Any, Any], Any], int]] = []
        self._empty: list[Any] = []
        for field in fields(type):  # type: ignore[arg-type]  # every T is a dataclass
            # Setting the slots makes a frozen value in half the time its constructor takes, and a search makes eighty.
            put, at = getattr(type, field.name).__set__, len(columns)
            kind = str(field.type).removesuffix(" | None")
            codec = (id_bytes, id_text) if field.name in ids else _CODECS.get(kind)
            if field.name == "scope":
                self.has_scope, self._set_scope = True, put
            elif field.name in without:
                self._empty.append(put)
            elif kind == "Place":
                columns += ["space", "channel"]
                read += ["place.space", "place.channel"]
                self._paired.append((put, _place, at))
            elif field.name == packed:
                columns += [packed, "packed"]
                read += [packed, "archived_at"]
                self._paired.append((put, _unpacked, at))
                self._packs_at = at
            else:
                columns.append((names or {}).get(field.name, field.name))
                read.append(field.name)
                if codec is None:
                    self._reads.append((put, at))
                else:
                    is_optional = kind != field.type
                    self._writes.append((at, codec[0], is_optional))
                    (self._coded_or_none if is_optional else self._coded).append((put, codec[1], at))
        self._parts = attrgetter(*read)
        self.names = tuple(columns)
        self.columns = ", ".join(columns)

    def row(self, value: T) -> tuple[Any, ...]:
        """What the columns hold for a value."""
        cells = list(self._parts(value))
        for at, write, is_optional in self._writes:
            if not is_optional or cells[at] is not None:
                cells[at] = write(cells[at])
        if self._packed:  # archived, the text lies in the column for packed ones, where that is shorter
            at = self._packs_at
            text, archived_at = cells[at : at + 2]
            packed = None if archived_at is None else zlib.compress(text.encode(), _SMALLEST)
            is_shorter = packed is not None and len(packed) < len(text.encode())
            cells[at : at + 2] = ("", packed) if is_shorter else (text, None)
        return tuple(cells)

    def of(self, scope: Scope | None, row: Row) -> T:
        """The value a row holds."""
        value: T = object.__new__(self.type)
        if self.has_scope:
            self._set_scope(value, scope)
        for put, at in self._reads:
            put(value, row[at])
        for put, read, at in self._coded:
            put(value, read(row[at]))
        for put, read, at in self._coded_or_none:
            cell = row[at]
            put(value, cell if cell is None else read(cell))
        for put, both, at in self._paired:
            put(value, both(row[at], row[at + 1]))
        for put in self._empty:
            put(value, ())
        return value

    def raw_key(self, key: str) -> Any:
        """A key as it is stored; None for what can be none, such as a name that holds a null character."""
        if self.is_text_key:
            return None if "\0" in key else key
        return known_id(key)


MESSAGES = Table("message", Message, "sent_at")
CONVERSATIONS = Table("conversation", Conversation, "updated_at", ids=())
NOTES = Table("note", Note, "happened_at", packed="summary")
ITEMS = Table("item", KnowledgeItem, "created_at", ids=("id", "note_id", "superseded_by"), packed="content")
CASES = Table("case_file", Case, "opened_at", ids=("id", "old_id", "new_id"))
RUNS = Table("run", Run, "started_at")
VIEWS = Table("stored_view", View, key="name", ids=())
BUFFERS = Table("buffer", Buffer, "opened_at", names={"is_open": "open"}, without=("messages",))
JOBS = Table("job", Job, "due_at")
ENTRIES = Table("audit", AuditEntry)
KEYS = Table("access_key", Key, names={"user": "owner", "right": "allows", "last_used_at": "used_at"})
LINKS = Table("link", Link, ids=(), names={"user": "owner"})

TABLES: dict[type, Table[Any]] = {
    table.type: table for table in (MESSAGES, CONVERSATIONS, NOTES, ITEMS, CASES, RUNS, VIEWS, BUFFERS, JOBS, ENTRIES)
}
SEARCHED: dict[Kind, Table[Any]] = {Kind.ITEM: ITEMS, Kind.MESSAGE: MESSAGES, Kind.NOTE: NOTES}
