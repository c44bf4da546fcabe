"""Recordings and pictures in words, for what is saved and what is imported. They themselves are not kept."""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import PurePosixPath

from relembra.domain.message import IMAGE, READ_BY, SHA256, TAKEN_AT, TAKEN_IN, VOICE
from relembra.errors import InvalidInputError, MindError, RelembraError
from relembra.minds.port import ImageReader, InWords, Transcriber

LARGEST = 25 * 1024**2
"""Bytes of a recording or picture, which servers take."""


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


class MediaKind(StrEnum):
    VOICE = VOICE
    IMAGE = IMAGE


_DATA_URL = re.compile(r"data:image/([\w.+-]{1,40});base64,")
ENDINGS = {
    **dict.fromkeys((".opus", ".ogg", ".oga", ".m4a", ".aac", ".mp3", ".amr", ".wav", ".flac"), MediaKind.VOICE),
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp", ".tif", ".tiff"), MediaKind.IMAGE),
}


def media_kind(name: str) -> MediaKind | None:
    """What a file is, by how it is called; None for what is neither a recording nor a picture."""
    return ENDINGS.get(PurePosixPath(name).suffix.lower())


NO_WORDS = {kind: InWords("…", {kind.value: "", SHA256: ""}) for kind in MediaKind}
"""What stands for the words of a recording or picture until it is told."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A recording or picture among the parts of a message, as chat programs send them along."""

    place: str  # like messages[0].content[1]
    kind: MediaKind
    ending: str
    encoded: str  # in base64


def _encoded(part: object) -> tuple[MediaKind, str, str] | None:
    """The kind, the ending and the bytes in base64 of a part in the shapes of OpenAI's and Anthropic's messages."""
    match part:
        case {"type": "input_audio", "input_audio": {"data": str(data), "format": str(ending)}}:
            return MediaKind.VOICE, ending, data
        case {"type": "image", "source": {"type": "base64", "media_type": str(kind), "data": str(data)}}:
            return MediaKind.IMAGE, kind.rpartition("/")[2], data
        case {"type": "image_url", "image_url": {"url": str(url)}} | {"type": "input_image", "image_url": str(url)}:
            found = _DATA_URL.match(url)
            return None if found is None else (MediaKind.IMAGE, found[1], url[found.end() :])
    return None


class Media:
    """Asks whoever the settings choose."""

    def __init__(self, transcriber: Transcriber | None = None, images: ImageReader | None = None) -> None:
        self._transcriber = transcriber
        self._images = images

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in (self._transcriber, self._images) if one is not None)

    def reads(self, kind: MediaKind) -> bool:
        return (self._transcriber if kind is MediaKind.VOICE else self._images) is not None

    async def in_words(self, kind: MediaKind, name: str, content: bytes, *, details: bool = False) -> InWords:
        """A file's words, empty where it has none, with its name and the digest of what it holds.

        `details`: also when and where a picture was taken. `MindError` where it cannot be told now,
        `InvalidInputError` where it is damaged or too large.
        """
        if len(content) > LARGEST:
            raise InvalidInputError(f"{name} is larger than {LARGEST >> 20} MiB", field="file", kind="long")
        about = {kind.value: name, SHA256: await asyncio.to_thread(digest_of, content)}
        if kind is MediaKind.VOICE and self._transcriber is not None:
            told = f"audio{PurePosixPath(name).suffix.lower()}"  # its own name may tell whom it is about
            text = await self._transcriber.transcribe(content, told)
            return InWords(text, {**about, READ_BY: self._transcriber.name})
        if kind is MediaKind.IMAGE and self._images is not None:
            seen = await self._images.look(content)
            about[READ_BY] = self._images.name
            if not details:
                return InWords(seen.words, about, spent=seen.spent)
            taken = {TAKEN_AT: seen.taken_at.isoformat() if seen.taken_at else "", TAKEN_IN: seen.taken_in}
            about |= {key: value for key, value in taken.items() if value}
            return InWords(seen.words, about, seen.taken_at, seen.spent)
        raise MindError(f"nothing reads a file of the kind {kind}; choose what does in the settings")

    def parts(self, messages: object) -> list[Attachment]:
        """What people sent along in a list of messages that can be read here; an address elsewhere is never followed.

        Nothing is decoded yet.
        """
        found: list[Attachment] = []
        reader = self._transcriber or self._images
        for number, message in enumerate(messages if reader is not None and isinstance(messages, Sequence) else ()):
            content = message.get("content") if isinstance(message, Mapping) and message.get("role") == "user" else None
            for place, part in enumerate(content if isinstance(content, list) else ()):
                if (some := _encoded(part)) is not None and self.reads(some[0]):
                    found.append(Attachment(f"messages[{number}].content[{place}]", *some))
        return found

    async def parts_in_words(
        self, parts: Sequence[Attachment], known: Mapping[str, InWords]
    ) -> tuple[dict[str, InWords], RelembraError | None]:
        """Those that can be told, by their place, also such as have no words, and why one could not be.

        `known`: those told before, by their digests, which are not asked for again.
        """
        told: dict[str, InWords] = {}
        trouble: RelembraError | None = None
        for part in parts:
            try:
                content = await asyncio.to_thread(b64decode, part.encoded, validate=True)
            except ValueError:
                continue
            digest = await asyncio.to_thread(digest_of, content)
            name = f"{digest[:12]}.{part.ending}"
            try:
                told[part.place] = known.get(digest) or await self.in_words(part.kind, name, content)
            except (MindError, InvalidInputError) as exc:
                trouble = exc
        return told, trouble

    async def close(self) -> None:
        """Let go of threads and connections; safe to call twice."""
        for reader in (self._transcriber, self._images):
            if reader is not None:
                await reader.close()
