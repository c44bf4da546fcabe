"""Recordings and pictures to words: by servers that speak OpenAI's protocol, or offline the words in a picture."""

from __future__ import annotations

import asyncio
import io
import math
import struct
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from relembra.domain.candidate import Spent
from relembra.errors import InvalidInputError, MindError, MissingExtraError
from relembra.minds.llm.models import prompt_of, version_of
from relembra.minds.onnx import runtime
from relembra.minds.port import Seen
from relembra.minds.server import ModelServer

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 1_568
"""Of a picture as it is sent, in pixels; models make larger ones smaller themselves."""
SMALLEST_SIDE = 32
MOST_PIXELS = 65_000_000
"""What cameras make at most: 61 million those of full frame, 64 million telephones. A PNG of as many takes 260 MB."""
LONGEST_WORDS = 20_000
_QUALITY = 85
_STRIP_PIXELS = 2**20
_ORIENTATION, _DETAILS, _PLACE = 0x0112, 0x8769, 0x8825
_TAKEN_AT, _OFFSET = 0x9003, 0x9011
_KINDS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "HEIF")


class _Transcript(msgspec.Struct):
    text: str


class OpenAICompatibleTranscriber(ModelServer):
    """Sends one recording at a time. Neither its words nor the key are ever part of a message."""

    role = "transcriber"
    path = "/audio/transcriptions"
    advice: ClassVar[Mapping[int, str]] = {413: "the recording is too long for this model"}
    otherwise = "check the model's name, and whether it takes recordings of this kind"

    async def transcribe(self, audio: bytes, name: str) -> str:
        """What is said in a recording; `name` tells by its ending what kind it is."""
        content = await self._ask(
            data={"model": self._model, "response_format": "json"},
            files={"file": (name, audio, "application/octet-stream")},
        )
        try:
            return msgspec.json.decode(content, type=_Transcript).text.strip()
        except (msgspec.DecodeError, RecursionError) as exc:
            raise MindError(f"the transcriber {self.name} gave a reply that is no transcript") from exc


# ── pictures ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture made ready to be read: upright, no larger than models take, without what the camera wrote into it."""

    pixels: Image
    taken_at: datetime | None  # without a zone where the camera did not know it
    taken_in: str  # latitude and longitude; empty: it does not tell

    def jpeg(self) -> bytes:
        out = io.BytesIO()
        self.pixels.save(out, "JPEG", quality=_QUALITY)
        return out.getvalue()


def opened(content: bytes) -> Picture | None:
    """A picture; None where it is too small to show anything.

    `InvalidInputError` where it is damaged or far too large.
    """
    try:
        from PIL import Image, ImageOps
    except ImportError as exc:
        raise MissingExtraError("reading pictures", "images") from exc
    _let_in_iphones()
    try:
        with Image.open(io.BytesIO(content), formats=_KINDS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise _too_large()
            if min(image.size) * LONGEST_SIDE < SMALLEST_SIDE * max(LONGEST_SIDE, *image.size):  # made smaller, too
                return None
            exif = image.getexif()
            taken_at, taken_in = _taken_at(exif.get_ifd(_DETAILS)), _taken_in(exif.get_ifd(_PLACE))
            image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            page = _on_white(image)
            page.getexif()[_ORIENTATION] = exif.get(_ORIENTATION, 1)
            page.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            return Picture(ImageOps.exif_transpose(page), taken_at, taken_in)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as exc:
        raise _too_large() from exc
    except (OSError, ValueError, TypeError, LookupError, ArithmeticError, SyntaxError, struct.error) as exc:
        raise InvalidInputError(
            "the picture is damaged, or of a kind that is not read", field="file", kind="damaged"
        ) from exc


def _on_white(image: Image) -> Image:
    """A picture on a white page, of not much more than the longest side; in strips, since colours of one with a bit a
    pixel take 32 times the memory.
    """
    from PIL import Image

    factor = max(1, max(image.size) // LONGEST_SIDE)
    page = Image.new("RGB", (-(-image.width // factor), -(-image.height // factor)), "white")
    rows = factor * max(1, _STRIP_PIXELS // (image.width * factor))
    for top in range(0, image.height, rows):
        strip = image.crop((0, top, image.width, min(top + rows, image.height))).convert("RGBA").reduce(factor)
        page.paste(strip, (0, top // factor), strip)
    return page


def _too_large() -> InvalidInputError:
    why = f"the picture has more than {MOST_PIXELS // 10**6} million pixels"
    return InvalidInputError(why, field="file", kind="long")


def _let_in_iphones() -> None:
    """HEIC, as iPhones take pictures, where its package is there."""
    try:
        from pillow_heif import register_heif_opener
    except ImportError:
        return
    register_heif_opener()


def _taken_at(told: Mapping[int, Any]) -> datetime | None:
    text, offset = str(told.get(_TAKEN_AT, "")).strip("\0 "), str(told.get(_OFFSET, "")).strip("\0 ")
    for written, form in ((text + offset, "%Y:%m:%d %H:%M:%S%z"), (text, "%Y:%m:%d %H:%M:%S")):
        try:
            return datetime.strptime(written, form)
        except ValueError:
            continue
    return None


def _taken_in(told: Mapping[int, Any]) -> str:
    try:
        found = [_degrees(told[place], str(told[half])) for half, place in ((1, 2), (3, 4))]
    except (LookupError, ValueError, TypeError, ArithmeticError):
        return ""
    return ", ".join(f"{one:.4f}" for one in found) if all(map(math.isfinite, found)) and any(found) else ""


def _degrees(parts: Sequence[Any], half: str) -> float:
    degrees, minutes, seconds = map(float, parts)
    return (degrees + minutes / 60 + seconds / 3600) * (-1 if half.strip("\0 ").upper() in ("S", "W") else 1)


class _Choice(msgspec.Struct):
    message: _Message


class _Message(msgspec.Struct):
    content: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class VisionModel(ModelServer):
    """A model that sees, asked for one picture at a time; where and when it was taken is not sent along."""

    role = "picture reader"
    path = "/chat/completions"
    advice: ClassVar[Mapping[int, str]] = {413: "the picture is too large for this model"}
    otherwise = "check the model's name, and whether it takes pictures"

    def __init__(self, url: str, model: str, *, language: str, **how: Any) -> None:
        super().__init__(url, model, **how)
        self._prompt = prompt_of("image", language).instructions
        self._one_at_a_time = asyncio.Lock()  # opened: a large one takes memory

    @property
    def name(self) -> str:
        return f"{super().name}/image@{version_of('image')}"

    async def look(self, image: bytes) -> Seen:
        async with self._one_at_a_time:
            picture = await asyncio.to_thread(opened, image)
        if picture is None:
            return Seen("")
        url = "data:image/jpeg;base64," + b64encode(await asyncio.to_thread(picture.jpeg)).decode()
        parts = [{"type": "text", "text": self._prompt}, {"type": "image_url", "image_url": {"url": url}}]
        content = await self._ask(json={"model": self._model, "messages": [{"role": "user", "content": parts}]})
        try:
            reply = msgspec.json.decode(content, type=_Completion)
            words = (reply.choices[0].message.content or "").strip()
        except (msgspec.DecodeError, RecursionError, IndexError) as exc:
            raise MindError(f"the picture reader {self.name} gave a reply that is no description") from exc
        used = reply.usage or _Usage()
        tokens = {"input_tokens": max(0, used.prompt_tokens), "output_tokens": max(0, used.completion_tokens)}
        spent = (Spent(task="image", model=self._model, calls=1, **tokens),)
        return Seen(words[:LONGEST_WORDS], picture.taken_at, picture.taken_in, spent)


class OcrReader:
    """Reads the words that stand in a picture, offline, with RapidOCR; what else it shows it does not say."""

    name = "ocr"

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="relembra-ocr")
        self._engine: Any = None

    async def look(self, image: bytes) -> Seen:
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._look, image)

    async def close(self) -> None:
        await asyncio.to_thread(self._worker.shutdown)

    def _look(self, image: bytes) -> Seen:
        picture = opened(image)
        if picture is None:
            return Seen("")
        import numpy as np

        self._engine = self._engine or _rapidocr()
        found = self._engine(np.asarray(picture.pixels)[:, :, ::-1])  # its networks know blue first
        pieces = () if found.boxes is None else zip(found.boxes.tolist(), found.txts, strict=True)
        return Seen(_lines(pieces)[:LONGEST_WORDS], picture.taken_at, picture.taken_in)


def _rapidocr() -> Any:
    """RapidOCR with the networks of its package, named one by one: those not named it would look for on the network."""
    runtime()  # before it loads onnxruntime itself
    try:
        import rapidocr
    except ImportError as exc:
        raise MissingExtraError("reading the words in pictures", "ocr") from exc
    folder = Path(rapidocr.__file__).parent / "models"
    networks = {f"{part}.model_path": sorted(folder.glob(f"*_{part.lower()}_*.onnx")) for part in ("Det", "Cls", "Rec")}
    if not all(networks.values()):
        raise MindError(
            "the networks of rapidocr are missing; install it again: pip install --force-reinstall rapidocr"
        )
    chosen: dict[str, Any] = {part: str(found[0]) for part, found in networks.items()}
    return rapidocr.RapidOCR(params={**chosen, "Global.log_level": "critical"})


Corners = Sequence[Sequence[float]]


def _lines(pieces: Iterable[tuple[Corners, str]]) -> str:
    """Pieces of text as they are read: those at one height are a line, from the left."""
    lines: list[tuple[float, float, list[tuple[float, str]]]] = []
    for box, text in sorted(pieces, key=lambda piece: min(y for _, y in piece[0])):
        top, bottom = min(y for _, y in box), max(y for _, y in box)
        left = min(x for x, _ in box)
        if lines and (top + bottom) / 2 < lines[-1][1]:
            lines[-1][2].append((left, text))
        else:
            lines.append((top, bottom, [(left, text)]))
    return "\n".join(" ".join(text for _, text in sorted(line)) for _, _, line in lines)
