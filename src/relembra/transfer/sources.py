"""What an import is given, file by file: one file, a folder, or a zip, which is never unpacked to the disk."""

from __future__ import annotations

import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache, partial
from pathlib import Path, PurePath, PurePosixPath
from typing import IO

from relembra.errors import InvalidInputError
from relembra.transfer.media import ENDINGS as MEDIA
from relembra.transfer.slices import Element, elements, refuse

DOCUMENTS = frozenset(
    {".pdf", ".docx", ".epub", ".html", ".htm", ".xhtml", ".md", ".markdown", ".text", ".eml", ".mbox"}
)
ENDINGS = DOCUMENTS | {".json", ".jsonl", ".ndjson", ".txt", ".af", ".ics", ".vcf"} | MEDIA.keys()
"""How files are called that are looked at in a folder or a zip; one that is named is looked at in any case."""
MOST_FILES = 200_000
LARGEST = 64 * 1024**3  # bytes, unpacked, of all that is looked at in a zip
HIGHEST_RATIO = 200  # text is packed to a tenth, seldom to a fiftieth
ALWAYS_SMALL = 32 * 1024**2  # what may be packed better in all, as a list of equal lines may be
_ENCRYPTED = 1
_ZIP = b"PK\x03\x04"
_NO_ZIP, _NESTED = "is no whole zip", "it is a zip within a zip; unpack the outer one first"
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError),
    *(OSError, ValueError, OverflowError, NotImplementedError, MemoryError),
)
"""What comes of unpacking a damaged zip, and of reading a file that cannot be read."""
_OF_DOCUMENTS = frozenset({"word/document.xml", "META-INF/container.xml"})  # that are zips themselves


class Files(list["File"]):
    """The files of one folder or zip."""

    def __init__(self) -> None:
        super().__init__()
        self.attached: set[str] = set()  # those that messages name

    @cached_property
    def by_name(self) -> dict[str, File]:
        """To be asked for once all are there."""
        return {file.name: file for file in self}


@dataclass(frozen=True, slots=True)
class File:
    """One file, under the name it has in what was given; it may be opened again, and is read from its start."""

    name: str
    _open: Callable[[], IO[bytes]]
    all: Files = field(default_factory=Files, repr=False, compare=False)  # of one folder or zip
    inside: str = ""  # the folder or zip it is in
    changed: datetime | None = None  # without a zone in a zip
    where: str = ""  # it can be found again, as far as is known

    def open(self) -> IO[bytes]:
        return self._open()

    def elements(self) -> Iterator[Element]:
        """Every element of the lists in it."""
        with self.open() as stream:
            yield from elements(stream)

    @property
    def folder(self) -> str:
        """The folder it lies in, without those above that."""
        return PurePosixPath(self.name).parent.name

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    def near(self, *names: str) -> Iterator[File]:
        """The files of these names beside it, or in the folder above."""
        folder = PurePosixPath(self.name).parent
        wanted = [str(place / name) for name in names for place in dict.fromkeys((folder, folder.parent))]
        return (found for name in wanted if (found := self.all.by_name.get(name)) is not None)

    def named(self, name: str) -> File | None:
        """The file an export calls so, as seen from its own folder or one above; None where it did not come along."""
        there = (str(folder / name) for folder in PurePosixPath(self.name).parents)
        found = next((file for path in there if (file := self.all.by_name.get(path)) is not None), None)
        if found is not None:
            self.all.attached.add(found.name)
        return found


class Sources:
    """The files of one path or stream, and those that are left alone; to be closed when they were read."""

    def __init__(self, given: str | Path | IO[bytes], name: str = "") -> None:
        self.files: list[File] = []
        self.left_alone = 0
        self.refused: list[tuple[str, InvalidInputError]] = []  # zips of a folder, and what cannot even be looked at
        self._zip = lru_cache(maxsize=4)(zipfile.ZipFile)  # a folder may have more than can be open at once
        self._find(given, name)

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *exc: object) -> None:
        self._zip.cache_clear()

    def _find(self, given: str | Path | IO[bytes], name: str) -> None:
        if not isinstance(given, str | Path):
            if _is_archive(given, name):
                self._add_zip(given, name)
            else:
                self.files.append(File(PurePosixPath(name.replace("\\", "/")).name, partial(_again, given)))
            return
        path = Path(given).expanduser()
        try:
            if path.is_dir():
                self._add_folder(path)
                return
            with path.open("rb") as file:
                is_zip = _is_archive(file, path.name)
            if is_zip:
                self._add_zip(path, path.name)
            else:
                whole = path.absolute()
                self.files.append(_on_disk(whole, path.name, Files(), whole.parent.name, path.stat()))
        except FileNotFoundError:
            raise InvalidInputError(f"there is no file {path}", field="file") from None
        except OSError as exc:
            raise InvalidInputError(f"{path} cannot be read: {exc.strerror}", field="file") from exc

    def _add_folder(self, folder: Path) -> None:
        """Everything below a folder, by name; links are not followed."""
        found, inside = Files(), folder.absolute().name

        def refused(exc: OSError) -> None:
            self.refused.append((str(exc.filename), _unread("it", exc)))

        for place, folders, names in os.walk(folder, onerror=refused):
            folders.sort()
            for name in sorted(names):
                path = Path(place, name)
                try:
                    told = path.lstat()
                    if not stat.S_ISREG(told.st_mode):
                        self.left_alone += 1
                    elif _ending(path) == ".zip":
                        self._add_zip(path, name)
                    elif _ending(path) in ENDINGS:
                        shown = path.relative_to(folder).as_posix()
                        found.append(_on_disk(path.absolute(), shown, found, inside, told))
                    else:
                        self.left_alone += 1
                except InvalidInputError as exc:
                    self.refused.append((name, exc))
                except OSError as exc:
                    refused(exc)
                if len(found) > MOST_FILES:
                    refuse(f"{folder} holds more than {MOST_FILES:,} files", "swollen")
        self.files += found

    def _add_zip(self, source: Path | IO[bytes], name: str) -> None:
        try:
            infos = self._zip(source).infolist()
        except BROKEN as exc:
            raise _unread(f"{name or 'the file'}: it", exc, _NO_ZIP) from exc
        shown = name or "the zip"
        if len(infos) > MOST_FILES:
            refuse(f"{shown} holds more than {MOST_FILES:,} files", "swollen")
        found, place = Files(), str(source.absolute()) if isinstance(source, Path) else name
        total = swelling = 0
        for info in infos:
            _refuse_hostile(info, shown)
            if info.is_dir():
                continue
            ending, is_hidden = _ending(PurePosixPath(info.filename)), info.filename.startswith("__MACOSX/")
            if ending == ".zip" and not is_hidden:
                self.refused.append((info.filename, InvalidInputError(_NESTED, field="file", kind="nested")))
                continue
            if ending not in ENDINGS or is_hidden:
                self.left_alone += 1
                continue
            total += info.file_size
            if total > LARGEST:
                refuse(f"{shown}: unpacked it would be larger than {LARGEST >> 30} GiB", "swollen")
            if info.file_size > HIGHEST_RATIO * max(1, info.compress_size):
                swelling += info.file_size
            if swelling > ALWAYS_SMALL:
                refuse(f"{shown}: {info.filename!r} is packed more than {HIGHEST_RATIO} to 1", "swollen")
            opens, where = partial(self._unpacked, source, info, shown), "/".join(filter(None, (place, info.filename)))
            found.append(File(info.filename, opens, found, Path(name).stem, _when(info.date_time), where))
        self.files += sorted(found, key=lambda one: one.name)

    def _unpacked(self, source: Path | IO[bytes], info: zipfile.ZipInfo, shown: str) -> IO[bytes]:
        return _reading(lambda: self._zip(source).open(info), f"{shown}: {info.filename!r}")


def _on_disk(path: Path, name: str, beside: Files, inside: str, told: os.stat_result) -> File:
    changed = datetime.fromtimestamp(told.st_mtime, UTC)
    return File(name, partial(_reading, lambda: path.open("rb"), "it"), beside, inside, changed, str(path))


def _when(told: tuple[int, ...]) -> datetime | None:
    """When a file of a zip was changed; None where its program did not say, for which 1980 stands."""
    try:
        return datetime(*told) if told[0] > 1980 else None  # type: ignore[arg-type]
    except ValueError:
        return None


class _Content(io.RawIOBase):
    """A file as it is read; that it turns out damaged is told. A stream of somebody else's stays open."""

    def __init__(self, file: IO[bytes], shown: str, *, is_lent: bool) -> None:
        self._file, self._shown, self._is_lent = file, shown, is_lent

    def readable(self) -> bool:
        return True

    def readinto(self, into: object) -> int:
        view = memoryview(into)  # type: ignore[arg-type]
        try:
            block = self._file.read(len(view))
        except BROKEN as exc:
            raise _unread(self._shown, exc) from exc
        view[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self._is_lent:
            self._file.close()
        super().close()


def _reading(opens: Callable[[], IO[bytes]], shown: str, *, is_lent: bool = False) -> IO[bytes]:
    try:
        return io.BufferedReader(_Content(opens(), shown, is_lent=is_lent))
    except BROKEN as exc:
        raise _unread(shown, exc) from exc


def _again(file: IO[bytes]) -> IO[bytes]:
    file.seek(0)
    return _reading(lambda: file, "it", is_lent=True)


def _unread(shown: str, exc: Exception, otherwise: str = "is damaged or cut off") -> InvalidInputError:
    """What to say of a file that cannot be read: what the system says, else that it is damaged."""
    if isinstance(exc, OSError) and exc.strerror:
        return InvalidInputError(f"{shown} cannot be read: {exc.strerror}", field="file")
    return InvalidInputError(f"{shown} {otherwise}", field="file", kind="cut")


def _ending(path: PurePath) -> str:
    """How a file is called; a whole name, as Mail has it for a mailbox, is taken for one."""
    return path.suffix.lower() or f".{path.name.lower()}"


def _refuse_hostile(info: zipfile.ZipInfo, shown: str) -> None:
    """Refuse a zip that names files outside itself, links, or what needs a password."""
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or ".." in name.split("/") or name[1:2] == ":" or "\x00" in info.orig_filename:
        refuse(f"{shown}: {info.filename!r} is the name of a place outside of it")
    if stat.S_ISLNK(info.external_attr >> 16):
        refuse(f"{shown}: {info.filename!r} is a link")
    if info.flag_bits & _ENCRYPTED:
        refuse(f"{shown}: {info.filename!r} needs a password; unpack it first")


def _is_archive(file: IO[bytes], name: str) -> bool:
    """Whether it is a zip of files, and no document that is packed as one, or is called so."""
    beginning = file.read(len(_ZIP))
    file.seek(0)
    if beginning != _ZIP or _ending(PurePosixPath(name)) in DOCUMENTS:
        return False
    try:
        with zipfile.ZipFile(file) as archive:
            return _OF_DOCUMENTS.isdisjoint(archive.NameToInfo)
    except BROKEN:
        return True  # which is said when it is read
    finally:
        file.seek(0)
