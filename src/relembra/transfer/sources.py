"""What an import is given, file by file: one file, a folder, or a zip, which is never unpacked to the disk."""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
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
_NO_ZIP = "it is no whole zip"
_OF_DOCUMENTS = frozenset({"word/document.xml", "META-INF/container.xml"})  # that are zips themselves


class Files(list["File"]):
    """The files of one folder or zip."""

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
        return next((found for path in there if (found := self.all.by_name.get(path)) is not None), None)


class Sources:
    """The files of one path or stream, and those that are left alone; to be closed when they were read."""

    def __init__(self, given: str | Path | IO[bytes], name: str = "") -> None:
        self._stack = ExitStack()
        self.files: list[File] = []
        self.left_alone = 0
        self.refused: list[tuple[str, InvalidInputError]] = []  # of a folder: zips that cannot be read
        try:
            self._find(given, name)
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def _find(self, given: str | Path | IO[bytes], name: str) -> None:
        if not isinstance(given, str | Path):
            if _is_archive(given):
                self._add_zip(given, name)
            else:
                self.files.append(File(PurePosixPath(name.replace("\\", "/")).name, lambda: _again(given)))
            return
        path = Path(given).expanduser()
        try:
            if path.is_dir():
                self._add_folder(path)
                return
            with path.open("rb") as file:
                is_zip = _is_archive(file)
            if is_zip:
                self._add_zip(self._stack.enter_context(path.open("rb")), path.name)
            else:
                self.files.append(_on_disk(path, path.name))
        except FileNotFoundError:
            raise InvalidInputError(f"there is no file {path}", field="file") from None
        except OSError as exc:
            raise InvalidInputError(f"{path} cannot be read: {exc.strerror}", field="file") from exc

    def _add_folder(self, folder: Path) -> None:
        """Everything below a folder, by name; links are not followed."""
        found = Files()
        for place, folders, names in _walk(folder):
            folders.sort()
            for name in sorted(names):
                path = place / name
                if path.is_symlink() or not path.is_file():
                    self.left_alone += 1
                elif _ending(path) == ".zip":
                    try:
                        self._add_zip(self._stack.enter_context(path.open("rb")), path.name)
                    except InvalidInputError as exc:
                        self.refused.append((path.name, exc))
                elif _ending(path) in ENDINGS:
                    found.append(_on_disk(path, path.relative_to(folder).as_posix(), found, folder.name))
                else:
                    self.left_alone += 1
                if len(found) > MOST_FILES:
                    refuse(f"{folder} holds more than {MOST_FILES:,} files", "swollen")
        self.files += found

    def _add_zip(self, file: IO[bytes], name: str) -> None:
        try:
            archive = self._stack.enter_context(zipfile.ZipFile(file))
            infos = archive.infolist()
        except (zipfile.BadZipFile, ValueError, OSError, RuntimeError, NotImplementedError) as exc:
            raise InvalidInputError(f"{name or 'the file'}: {_NO_ZIP}", field="file", kind="cut") from exc
        shown = name or "the zip"
        if len(infos) > MOST_FILES:
            refuse(f"{shown} holds more than {MOST_FILES:,} files", "swollen")
        found, place = Files(), str(Path(file.name).absolute()) if isinstance(file, io.BufferedReader) else name
        total = swelling = 0
        for info in infos:
            _refuse_hostile(info, shown)
            if info.is_dir():
                continue
            if _ending(PurePosixPath(info.filename)) not in ENDINGS or info.filename.startswith("__MACOSX/"):
                self.left_alone += 1
                continue
            total += info.file_size
            if total > LARGEST:
                refuse(f"{shown}: unpacked it would be larger than {LARGEST >> 30} GiB", "swollen")
            if info.file_size > HIGHEST_RATIO * max(1, info.compress_size):
                swelling += info.file_size
            if swelling > ALWAYS_SMALL:
                refuse(f"{shown}: {info.filename!r} is packed more than {HIGHEST_RATIO} to 1", "swollen")
            opens, where = _Opens(archive, info, shown), "/".join(filter(None, (place, info.filename)))
            found.append(File(info.filename, opens, found, Path(name).stem, _when(info.date_time), where))
        self.files += sorted(found, key=lambda one: one.name)


def _on_disk(path: Path, name: str, beside: Files | None = None, inside: str = "") -> File:
    beside, changed = Files() if beside is None else beside, datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return File(name, lambda: path.open("rb"), beside, inside, changed, str(path.absolute()))


def _when(told: tuple[int, ...]) -> datetime | None:
    """When a file of a zip was changed; None where its program did not say, for which 1980 stands."""
    try:
        return datetime(*told) if told[0] > 1980 else None  # type: ignore[arg-type]
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Opens:
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo
    shown: str

    def __call__(self) -> IO[bytes]:
        try:
            return io.BufferedReader(_Unpacked(self.archive.open(self.info), f"{self.shown}: {self.info.filename!r}"))
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as exc:
            raise InvalidInputError(f"{self.shown}: {self.info.filename!r}: {_NO_ZIP}", field="file") from exc


class _Unpacked(io.RawIOBase):
    """What is unpacked of a zip as it is read; where it turns out damaged, that is said with the name of the file."""

    def __init__(self, file: IO[bytes], shown: str) -> None:
        self._file, self._shown = file, shown

    def readable(self) -> bool:
        return True

    def readinto(self, into: object) -> int:
        view = memoryview(into)  # type: ignore[arg-type]
        try:
            block = self._file.read(len(view))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as exc:
            raise InvalidInputError(f"{self._shown} is damaged or cut off", field="file", kind="cut") from exc
        view[: len(block)] = block
        return len(block)

    def close(self) -> None:
        self._file.close()
        super().close()


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


def _is_zip(file: IO[bytes]) -> bool:
    beginning = file.read(len(_ZIP))
    file.seek(0)
    return beginning == _ZIP


def _is_archive(file: IO[bytes]) -> bool:
    """Whether it is a zip of files, and no document that is packed as one."""
    if not _is_zip(file):
        return False
    try:
        with zipfile.ZipFile(file) as archive:
            return _OF_DOCUMENTS.isdisjoint(archive.NameToInfo)
    except (zipfile.BadZipFile, ValueError, OSError, RuntimeError, NotImplementedError):
        return True  # which is said when it is read
    finally:
        file.seek(0)


def _again(file: IO[bytes]) -> IO[bytes]:
    file.seek(0)
    return io.BufferedReader(_Borrowed(file))


class _Borrowed(io.RawIOBase):
    """Somebody's stream, which stays open when a reader is done with it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0) -> int:
        return self._file.seek(place, whence)

    def readinto(self, into: object) -> int:
        view = memoryview(into)  # type: ignore[arg-type]
        block = self._file.read(len(view))
        view[: len(block)] = block
        return len(block)


def _walk(folder: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    return ((Path(place), folders, names) for place, folders, names in os.walk(folder))
