"""Reading an export of ours, a document or a stream of lines: row by row, each with where it stands."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, NoReturn

import msgspec

from relembra.domain.moment import in_utc
from relembra.domain.scope import Scope, person
from relembra.errors import InvalidInputError
from relembra.transfer.parts import FIELD, FORMAT, VERSION, Part
from relembra.transfer.telling import space_scope
from relembra.transfer.writing import CHECKSUM

LONGEST_LINE = 64 * 1024 * 1024
LARGEST_DOCUMENT = 1024 * 1024 * 1024
_BEGINNING = re.compile(rb'\s*\{\s*("row"\s*:\s*"header"\s*,\s*)?"format"\s*:\s*"%s"' % FORMAT.encode())


@dataclass(frozen=True, slots=True)
class Section:
    """Whose the rows that follow are."""

    owner: Scope  # in the tenant the file names


@dataclass(frozen=True, slots=True)
class Record:
    """One row as it stands in the file."""

    part: Part
    values: dict[str, Any]
    where: str


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself."""

    tenant: str
    user: str | None  # None: it holds everybody
    exported_at: datetime


class ExportFile:
    """An open export. Its rows can be gone through more than once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        file.seek(0)
        self._start = len(codecs.BOM_UTF8) if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else 0
        file.seek(self._start)
        first = file.readline(LONGEST_LINE)
        head = _maybe(first)
        self._document: dict[str, Any] | None = None
        if not (isinstance(head, dict) and head.get("row") == "header"):
            head = self._document = self._whole()
        self.header = _header(head)

    def rows(self) -> Iterator[Section | Record]:
        """Everything in its order. At the end of a stream what it says of itself is compared with what was read."""
        if self._document is None:
            return self._lines()
        return self._listed(self._document)

    def _whole(self) -> dict[str, Any]:
        size = self._file.seek(0, 2)
        if size > LARGEST_DOCUMENT:
            _refuse(f"the file has {size} bytes; a memory this large is exported as jsonl")
        self._file.seek(self._start)
        text = self._file.read()
        whole = _maybe(text)
        if not isinstance(whole, dict):
            _refuse(_trouble_with(text))
        return whole

    def _listed(self, document: dict[str, Any]) -> Iterator[Section | Record]:
        yield Section(self._owner())
        for part in Part:
            rows = document.get(part.many, [])
            if not isinstance(rows, list):
                _refuse(f"{part.many} must be a list")
            counts = document.get("counts")
            if isinstance(counts, dict) and counts.get(part.many, len(rows)) != len(rows):
                _refuse(f"{part.many}: {len(rows)} rows, where {str(counts[part.many])[:20]} were counted")
            for number, values in enumerate(rows):
                where = f"{part.many}[{number}]"
                if not isinstance(values, dict):
                    _refuse(f"{where} must be an object")
                yield Record(part, values, where)

    def _lines(self) -> Iterator[Section | Record]:
        self._file.seek(self._start)
        sum = hashlib.sha256()
        number = rows = 0
        footer: dict[str, Any] | None = None
        while line := self._file.readline(LONGEST_LINE):
            number += 1
            if footer is not None:
                _refuse(f"line {number}: something follows the end")
            if not line.endswith(b"\n"):
                _refuse(f"line {number} is cut off")
            values = _maybe(line)
            if not isinstance(values, dict) or not isinstance(values.get("row"), str):
                _refuse(f"line {number} is not a row")
            kind = values.pop("row")
            if kind == "footer":
                footer = values
                continue
            sum.update(line)
            if number == 1:
                continue
            if kind in ("person", "space"):
                yield self._section(kind, values, number)
            elif kind in set(Part):
                rows += 1
                yield Record(Part(kind), values, f"line {number}")
            else:
                _refuse(f"line {number}: no row is called {kind[:40]!r}")
        if footer is None:
            _refuse(f"the file is cut off after line {number}: its end is missing")
        if footer.get("rows") != rows or footer.get("checksum") != f"{CHECKSUM}:{sum.hexdigest()}":
            _refuse("the file is not as it was written: its checksum does not agree")

    def _section(self, kind: str, values: dict[str, Any], number: int) -> Section:
        name = values.get("user" if kind == "person" else "space")
        try:
            if not isinstance(name, str):
                raise InvalidInputError(f"a {kind} has a name")
            tenant = self.header.tenant
            owner = person(tenant, name) if kind == "person" else space_scope(tenant, name)
        except InvalidInputError as exc:
            _refuse(f"line {number}: {exc}")
        if self.header.user is not None and owner != self._owner():
            _refuse(f"line {number}: the file says it holds {self.header.user!r} alone")
        return Section(owner)

    def _owner(self) -> Scope:
        if self.header.user is None:
            _refuse("the file does not say whose memory it is")
        return person(self.header.tenant, self.header.user)


def _header(head: dict[str, Any]) -> Header:
    if head.get("format") != FORMAT:
        _refuse("this is no export of Relembra")
    version = head.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        _refuse("the export does not say which version of the format it has")
    if version > VERSION:
        _refuse(f"the export has version {version} of the format; this program reads up to {VERSION}. Update it first")
    tenant, user = head.get("tenant"), head.get("user")
    try:
        if not isinstance(tenant, str) or not (user is None or isinstance(user, str)):
            raise InvalidInputError("the export does not say whose memory it is")
        Scope(tenant, "anybody")
        if user is not None:
            person(tenant, user)
        at = in_utc(msgspec.convert(head.get("exported_at"), datetime), "exported_at")
    except (InvalidInputError, msgspec.ValidationError) as exc:
        _refuse(f"the header cannot be used: {exc}")
    return Header(tenant, user, at)


def _maybe(text: bytes) -> object:
    """The JSON value of a text; None where it is none."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):  # also what is no Unicode
        return None


def _trouble_with(text: bytes) -> str:
    """What is wrong with a text that is no JSON document."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)  # a letter may be cut in two at the end
    except UnicodeDecodeError:
        return "the file is not UTF-8"
    if not _BEGINNING.match(text):
        return "this is no export of Relembra"
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError as exc:
        if "truncated" in str(exc):
            return "the file is cut off: it is not one whole JSON document"
    except RecursionError:
        pass
    return "the file is not as it was written: it is not one JSON document"


def _refuse(why: str) -> NoReturn:
    raise InvalidInputError(why, field=FIELD)
