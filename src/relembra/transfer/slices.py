"""JSON files of any size, read one element of their lists at a time, in bounded memory and in one pass.

A program's export is a list of conversations or messages, at its top or under a name somewhere inside. Its elements are
cut out by their brackets, which a pattern finds at the speed of reading, and only then decoded, one after another.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import IO, Any, NoReturn

import msgspec

from relembra.domain.text import holds_more_than
from relembra.errors import InvalidInputError

FIELD = "file"
LONGEST_ELEMENT = 64 * 1024 * 1024
MOST_IN_AN_ELEMENT = 4_000_000  # values and names
LONGEST_HEAD = 8 * 1024 * 1024
DEEPEST = 500
BLOCK = 1024 * 1024
LISTS = frozenset({"conversations", "messages", "results", "memories", "core_memory", "blocks"})
"""What the lists are called whose elements are read one at a time; a list at the top is one whatever it is called."""

_TO_BRACKET = re.compile(rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+[\[\]{}]', re.DOTALL)
_YEK = re.compile(rb'\s*+:\s*+"((?:[^"]++|"\\(?:\\\\)*+(?!\\))*+)"')  # a name and its colon, read backwards
_BETWEEN = b", \t\r\n"
_GAP = re.compile(rb"[, \t\r\n]++")
_CLOSING = {ord("{"): ord("}"), ord("["): ord("]")}
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a list, with what the file says before it, at its top and beside the list.

    Both grow as the file is read on; the lists whose elements are read are not in them.
    """

    value: Any
    number: int  # within its list, from 0
    key: str  # what its list is called; empty for one at the top
    root: dict[str, Any]
    owner: dict[str, Any]

    @property
    def where(self) -> str:
        return f"{self.key or 'element'} {self.number + 1}"


def refuse(why: str, kind: str | None = None) -> NoReturn:
    """Say what is wrong with a file, of which nothing is then taken in."""
    raise InvalidInputError(why, field=FIELD, kind=kind)


def encoding_of(beginning: bytes) -> tuple[str, int]:
    """The encoding a text's first bytes tell, and how many of them only do that; UTF-8 where they tell nothing."""
    return next(((name, len(mark)) for mark, name in _BOMS if beginning.startswith(mark)), ("utf-8", 0))


def blocks(file: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a text as UTF-8, without its mark of encoding."""
    block = file.read(BLOCK)
    encoding, mark = encoding_of(block)
    block = block[mark:]
    if encoding == "utf-8":
        while block:
            yield block
            block = file.read(BLOCK)
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while block:
        yield decoder.decode(block).encode("utf-8", "replace")
        block = file.read(BLOCK)


def elements(file: IO[bytes]) -> Iterator[Element]:
    """Every element of the lists in a file; what is wrong with it is an `InvalidInputError` that says where."""
    return Scanner(file).elements()


@dataclass(slots=True)
class _Frame:
    """A bracket that is open. What is in it stands in the head, as far as it is not decoded yet."""

    closes: int
    key: str | None
    value: Any  # what is decoded
    size: int  # of all that was kept before
    start: int  # where it begins in the head, with its key
    inside: int  # where what is in it does
    is_read: bool = False  # a list in it was


class Scanner:
    """Goes through a file from bracket to bracket, keeping no more of it than one element, and what stands around.

    `lists`: what those are called whose elements are read; `longest` and `most`: bytes and values of one.
    """

    def __init__(
        self,
        file: IO[bytes],
        lists: Collection[str] = LISTS,
        *,
        longest: int = LONGEST_ELEMENT,
        most: int = MOST_IN_AN_ELEMENT,
    ) -> None:
        self._source = blocks(file)
        self._lists, self._longest, self._most = lists, longest, most
        self._text = b""
        self._at = 0
        self._before = 0  # bytes of the file that are no longer in the text
        self._head = bytearray()
        self._size = 0  # of what stands around, decoded or not
        self._open: list[_Frame] = []
        self._top: _Frame | None = None

    @property
    def root(self) -> dict[str, Any]:
        """What the file says at its top, before the element that was read last or in all."""
        if self._top is None:
            return {}
        self._decode(self._top, len(self._head))
        self._head.clear()
        found: dict[str, Any] = self._top.value
        return found

    def elements(self) -> Iterator[Element]:
        is_begun = False
        while (end := self._bracket()) is not None:
            gap, sign = self._text[self._at : end - 1], self._text[end - 1 : end]
            self._at = end
            if not self._open and (is_begun or gap.strip()):
                self._refuse_broken()
            is_begun = True
            if sign[0] in _CLOSING:
                key, written = self._key(gap)
                self._keep(gap.removesuffix(written))
                if sign == b"[" and (not self._open or key in self._lists):
                    yield from self._listed(key or "")
                    continue
                if len(self._open) >= DEEPEST:
                    refuse(f"{self._place()}: it is nested deeper than {DEEPEST}", "swollen")
                start, size = len(self._head), self._size
                value: Any = {} if sign == b"{" else []
                self._keep(written + sign)
                self._open.append(_Frame(_CLOSING[sign[0]], key, value, size, start, len(self._head)))
                self._top = self._top or self._open[0]
                continue
            if not self._open or self._open[-1].closes != sign[0]:
                self._refuse_broken()
            frame, outer = self._open.pop(), self._open[-1] if self._open else None
            if frame.is_read and outer is not None and isinstance(outer.value, list):
                outer.value.pop()  # one of many chats, which was read
                self._size = frame.size
                del self._head[frame.start :]
                continue
            self._keep(gap if frame.is_read or outer is None else gap + sign)
            if frame.is_read:
                self._decode(frame, len(self._head))
                self._head.clear()
        if self._open or not is_begun:
            self._refuse_cut()
        if self._text[self._at :].strip():
            self._refuse_broken()

    def _keep(self, text: bytes) -> None:
        self._head += text
        self._size += len(text)
        if self._size > LONGEST_HEAD:
            refuse(f"{self._place()}: what stands before its lists is too long", "swollen")

    def _key(self, gap: bytes) -> tuple[str | None, bytes]:
        """What is called so that begins behind this, and how that is written."""
        is_named = bool(self._open) and self._open[-1].closes == ord("}")
        found = _YEK.match(gap[::-1]) if is_named else None
        return (None, b"") if found is None else (found[1][::-1].decode("utf-8", "replace"), found[0][::-1])

    def _decode(self, frame: _Frame, end: int) -> None:
        """Take up what stands in a bracket, up to a place in the head."""
        if text := bytes(self._head[frame.inside : end]).strip(_BETWEEN):
            opens, closes = (b"[", b"]") if isinstance(frame.value, list) else (b"{", b"}")
            found = decode(opens + text + closes, self._place())
            frame.value.extend(found) if opens == b"[" else frame.value.update(found)

    def _listed(self, key: str) -> Iterator[Element]:
        root, owner = self._around()
        number = 0
        while True:
            start = self._skip()
            if start is None:
                self._refuse_cut()
            if self._text[start] == ord("]"):
                self._at = start + 1
                return
            if self._text[start] not in _CLOSING:
                refuse(f"{self._place()}: {key or 'element'} {number + 1} must be an object", "none")
            text = self._element(key, number)
            yield Element(decode(text, f"{key or 'element'} {number + 1}", self._most), number, key, root, owner)
            number += 1

    def _element(self, key: str, number: int) -> bytes:
        """The text of the element that begins here, whole."""
        depth, pos = 0, self._at
        while True:
            while (
                found := _TO_BRACKET.match(self._text, pos)
            ) is not None:  # never searched for: within a text is none
                pos = found.end()
                depth += 1 if self._text[pos - 1] in b"[{" else -1
                if depth == 0:
                    break
            if (len(self._text) if found is None else pos) - self._at > self._longest:
                refuse(f"{key or 'element'} {number + 1} is longer than {self._longest >> 20} MiB", "swollen")
            if found is not None:
                text, self._at = self._text[self._at : pos], pos
                return text
            kept = pos - self._at
            if not self._more():
                self._refuse_cut()
            pos = self._at + kept

    def _bracket(self) -> int | None:
        """Behind the next bracket; None: there is none any more."""
        while (found := _TO_BRACKET.match(self._text, self._at)) is None:
            if len(self._text) - self._at > self._longest:
                refuse(f"{self._place()}: a text is longer than {self._longest >> 20} MiB", "swollen")
            if not self._more():
                return None
        return found.end()

    def _skip(self) -> int | None:
        """The next byte that is neither blank nor comma."""
        while True:
            if (gap := _GAP.match(self._text, self._at)) is not None:
                self._at = gap.end()
            if self._at < len(self._text):
                return self._at
            if not self._more():
                return None

    def _more(self) -> bool:
        """Read on, as much again as is at hand; whether there was any more."""
        parts, wanted = [self._text[self._at :]], max(1, len(self._text) - self._at)
        while wanted > 0 and (block := next(self._source, None)):
            parts.append(block)
            wanted -= len(block)
        self._before += self._at
        self._text, self._at = b"".join(parts), 0
        return len(parts) > 1

    def _around(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What stands before the list that begins: at the top of the file, and in what it belongs to."""
        if not self._open:
            return {}, {}
        known = (number for number in reversed(range(len(self._open))) if self._open[number].is_read)
        fresh = self._open[next(known, 0) :]  # and what they are in; around that nothing changed
        outer: Any = None
        for frame, end in zip(fresh, [*(one.start for one in fresh[1:]), len(self._head)], strict=True):
            self._decode(frame, end)
            if isinstance(outer, list) and not frame.is_read:
                outer.append(frame.value)
            elif outer is not None and not frame.is_read:
                if frame.key is None:
                    self._refuse_broken()
                outer[frame.key] = frame.value
            outer, frame.is_read, frame.start, frame.inside = frame.value, True, 0, 0
        self._head.clear()
        return self._open[0].value, outer

    def _place(self) -> str:
        return f"byte {self._before + self._at:,}"

    def _refuse_cut(self) -> NoReturn:
        end = self._before + len(self._text)
        refuse(f"the file is cut off: it ends at byte {end:,} in the middle of its JSON", "cut")

    def _refuse_broken(self) -> NoReturn:
        refuse(f"{self._place()}: the file is no JSON document", "changed")


_SURROGATES = re.compile("[\ud800-\udfff]")


def decode(text: bytes, where: str, most: int = MOST_IN_AN_ELEMENT) -> Any:
    """The value of a JSON text; what JSON forbids and programs write all the same is let pass, NaN and such signs."""
    if len(text) > most and holds_more_than(most, text):  # which takes two bytes for each
        refuse(f"{where} holds more than {most:,} values", "swollen")
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        refuse(f"{where} is nested too deep", "swollen")
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        return _whole(json.loads(text.decode("utf-8"), strict=False))
    except UnicodeDecodeError as exc:
        raise InvalidInputError(f"{where} is not UTF-8", field=FIELD, kind="encoding") from exc
    except RecursionError:
        refuse(f"{where} is nested too deep", "swollen")
    except ValueError as exc:  # the reader's words would quote the file
        raise InvalidInputError(f"{where} is no JSON", field=FIELD, kind="changed") from exc


def _whole(value: Any) -> Any:
    """The value with halves of letters replaced, which no store can keep."""
    match value:
        case str():
            return _SURROGATES.sub("\ufffd", value)
        case list():
            return [_whole(one) for one in value]
        case dict():
            return {_whole(name): _whole(one) for name, one in value.items()}
    return value
