"""An export being read: its header, and its rows one after another, checked as far as a file can be."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, NoReturn

import msgspec

from relembra.domain.scope import Scope, person
from relembra.domain.text import holds_more_than
from relembra.errors import InvalidInputError
from relembra.transfer.exports import CHECKSUM, space_scope
from relembra.transfer.parts import FIELD, FORMAT, VERSION, Part

LONGEST_ROW = 16 * 1024 * 1024
MOST_IN_A_ROW = 200_000  # values and names
LONGEST_SAID = 4_096  # each thing a file says of itself
LARGEST_DOCUMENT = 1024 * 1024 * 1024
_SAID = ("row", "format", "version", "tenant", "user", "counts")
_Document = msgspec.defstruct(
    "_Document",
    [(name, msgspec.Raw, msgspec.Raw(b"null")) for name in _SAID]
    + [(part.many, msgspec.Raw, msgspec.Raw(b"[]")) for part in Part],
)
"""A file as far as it can be known without its rows, which stay text until their turn comes."""
_MARKS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_BEGINNING = re.compile(rb'\s*\{\s*("row"\s*:\s*"header"\s*,\s*)?"format"\s*:\s*"%s"' % FORMAT.encode())


@dataclass(frozen=True, slots=True)
class Record:
    """One row as it stands in the file."""

    part: Part
    values: dict[str, Any]
    where: str


class ExportFile:
    """An open export. Its rows can be gone through more than once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        file.seek(0)
        self._start = len(codecs.BOM_UTF8) if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else 0
        file.seek(self._start)
        head = _document(file.readline(LONGEST_ROW))
        self._document: msgspec.Struct | None = None
        if head is None or _said(head, "row") != "header":
            head = self._document = self._whole()
        self.tenant, self.user = _owner({name: _said(head, name) for name in _SAID})

    def rows(self) -> Iterator[Scope | Record]:
        """Everything in its order, each owner before their rows, in the tenant the file names.

        At the end of a stream what it says of itself is compared with what was read.
        """
        if self._document is None:
            return self._lines()
        return self._listed(self._document)

    def _whole(self) -> msgspec.Struct:
        size = self._file.seek(0, 2)
        if size > LARGEST_DOCUMENT:
            _refuse(f"the file has {size} bytes; a memory this large is exported as jsonl")
        self._file.seek(self._start)
        text = self._file.read()
        whole = _document(text)
        if whole is None:
            _refuse(_trouble_with(text))
        return whole

    def _listed(self, document: msgspec.Struct) -> Iterator[Scope | Record]:
        yield self._person()
        counts = _said(document, "counts")
        for part in Part:
            number = 0
            for where, text in _rows(part.many, memoryview(getattr(document, part.many))):
                values = _values(text, where)
                if not isinstance(values, dict):
                    _refuse(f"{where} must be an object")
                number += 1
                yield Record(part, values, where)
            if isinstance(counts, dict) and counts.get(part.many, number) != number:
                _refuse(f"{part.many}: {number} rows, where {str(counts[part.many])[:20]} were counted")

    def _lines(self) -> Iterator[Scope | Record]:
        self._file.seek(self._start)
        sum = hashlib.sha256()
        number = rows = 0
        footer: dict[str, Any] | None = None
        while line := self._file.readline(LONGEST_ROW):
            number += 1
            if footer is not None:
                _refuse(f"line {number}: something follows the end")
            if not line.endswith(b"\n"):
                _refuse(f"line {number} is {'too long' if len(line) == LONGEST_ROW else 'cut off'}")
            values = _values(line, f"line {number}")
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

    def _section(self, kind: str, values: dict[str, Any], number: int) -> Scope:
        name = values.get("user" if kind == "person" else "space")
        try:
            if not isinstance(name, str):
                raise InvalidInputError(f"a {kind} has a name")
            owner = person(self.tenant, name) if kind == "person" else space_scope(self.tenant, name)
        except InvalidInputError as exc:
            _refuse(f"line {number}: {exc}")
        if self.user is not None and owner != self._person():
            _refuse(f"line {number}: the file says it holds {self.user!r} alone")
        return owner

    def _person(self) -> Scope:
        if self.user is None:
            _refuse("the file does not say whose memory it is")
        return person(self.tenant, self.user)


def _owner(head: dict[str, Any]) -> tuple[str, str | None]:
    """The tenant and the person a file is of; None for everybody."""
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
    except InvalidInputError as exc:
        _refuse(f"the header cannot be used: {exc}")
    return tenant, user


def _document(text: bytes) -> msgspec.Struct | None:
    """What a text says of itself; None where it is no JSON object."""
    try:
        return msgspec.json.decode(text, type=_Document)
    except (msgspec.DecodeError, RecursionError):  # also what is no Unicode
        return None


def _said(document: msgspec.Struct, name: str) -> Any:
    """One thing a file says of itself; None where it says nothing, or nothing that is known."""
    raw: msgspec.Raw = getattr(document, name)
    if memoryview(raw).nbytes > LONGEST_SAID:
        _refuse(f"the header cannot be used: {name} is too long")
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


def _rows(name: str, text: memoryview) -> Iterator[tuple[str, bytes]]:
    """The rows of a list, each with where it stands and unread; the list is known to be JSON."""
    if bytes(text[:1]) != b"[":
        _refuse(f"{name} must be a list")
    depth = number = start = first = 0
    end = 1  # of the row before
    for count, mark in enumerate(_MARKS.finditer(text)):
        sign, at = text[mark.start()], mark.start()
        depth += (sign in b"[{") - (sign in b"]}")
        is_row = depth == 2 and sign in b"[{"
        if depth == 1 and sign in b"]}":
            end = mark.end()
            yield f"{name}[{number}]", bytes(text[start:end])
            number += 1
        elif is_row or depth == 0 or (depth == 1 and at):
            start, first = at, count
            if sign == ord('"') or bytes(text[end:at]).strip(b" \t\r\n,"):
                _refuse(f"{name}[{number}] must be an object")
        if depth > 1 and (mark.end() - start > LONGEST_ROW or count - first > 2 * MOST_IN_A_ROW):
            _refuse(f"{name}[{number}] is too long")


def _values(row: bytes, where: str) -> object:
    """The value of a row."""
    if holds_more_than(MOST_IN_A_ROW, row):
        _refuse(f"{where} holds more than {MOST_IN_A_ROW:,} values")
    try:
        return msgspec.json.decode(row)
    except (msgspec.DecodeError, RecursionError):  # also what is no Unicode
        _refuse(f"{where} is not as it was written: it is no JSON")


def _trouble_with(text: bytes) -> str:
    """What is wrong with a text that is no JSON document."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)  # a letter may be cut in two at the end
    except UnicodeDecodeError:
        return "the file is not UTF-8"
    if not _BEGINNING.match(text):
        return "this is no export of Relembra"
    try:
        msgspec.json.decode(text, type=_Document)
    except msgspec.DecodeError as exc:
        if "truncated" in str(exc):
            return "the file is cut off: it is not one whole JSON document"
    except RecursionError:
        pass
    return "the file is not as it was written: it is not one JSON document"


def _refuse(why: str) -> NoReturn:
    raise InvalidInputError(why, field=FIELD)
