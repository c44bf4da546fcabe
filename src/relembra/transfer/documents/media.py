"""Recordings and pictures by themselves. A chat's stand among its messages instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from relembra.domain.message import Role
from relembra.transfer.chats import Context, Found, Passage, Said, Sample
from relembra.transfer.media import LARGEST, MediaKind, digest_of, media_kind
from relembra.transfer.sources import File

_PICTURE = re.compile(rb"\xff\xd8\xff|\x89PNG|RIFF....WEBP|....ftyp(?:hei[cx]|mif1|msf1)|BM|II\*\0|MM\0\*", re.DOTALL)
_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?:(?:[-_ ]| at |, )(\d\d)([-_.:]?)(\d\d)(?:\6(\d\d))?)?(?!\d)"
)


def is_recording(sample: Sample) -> bool:
    return media_kind(sample.file.name) is MediaKind.VOICE and bool(sample.beginning)


def is_picture(sample: Sample) -> bool:
    return media_kind(sample.file.name) is MediaKind.IMAGE and _PICTURE.match(sample.beginning) is not None


def read_alone(file: File, _: Context) -> Iterator[Found]:
    """A recording as a document, for nobody knows who speaks; pictures as messages, those of a folder together.

    A picture is known by what it holds, for many are called image.jpg.
    """
    if media_kind(file.name) is MediaKind.VOICE:
        yield Passage(text="", file=file)
        return
    folder, at = file.folder or file.inside, named_day(file.name) or file.changed
    with file.open() as stream:
        id = digest_of(stream.read(LARGEST + 1))
    yield Said(talk=folder or "pictures", text="", at=at, role=Role.SYSTEM, id=id, title=folder, file=file)


def named_day(name: str) -> datetime | None:
    """When a picture was taken, as its name tells: IMG_20240301_101500.jpg, 2024-03-01 at 10.15.00.jpeg."""
    found = _DAY.search(name.rpartition("/")[2])
    if found is None:
        return None
    year, _, month, day, hour, _, minute, second = found.groups()
    try:
        return datetime(int(year), int(month), int(day), int(hour or 12), int(minute or 0), int(second or 0))
    except ValueError:
        return None
