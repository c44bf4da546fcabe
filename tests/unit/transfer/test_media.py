"""Recordings and pictures: left out and counted, or put into words by a server on loopback that follows a script, or by
the networks that read text offline.
"""

from __future__ import annotations

import json
import threading
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from PIL import Image, ImageDraw, ImageFont

from chats import zipped
from loops import each
from medias import BROKEN, Reply, described, heard, served
from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra import Memory
from relembra.bootstrap import chosen_image_reader, chosen_transcriber
from relembra.domain.message import Role
from relembra.errors import InvalidInputError, MindError, MindUnavailableError, SettingsError
from relembra.ingest.intake import BlockSettings, Refusal
from relembra.minds.media import OcrReader, OpenAICompatibleTranscriber, VisionModel
from relembra.minds.media import opened as opened_picture
from relembra.minds.port import ImageReader, Transcriber
from relembra.settings import Settings
from relembra.transfer.media import Media

KEY = "sk-very-secret"
IN_PORTO = {1: "N", 2: (41.0, 9.0, 28.44), 3: "W", 4: (8.0, 37.0, 44.76)}
IPHONE = "[13/03/2023, 09:00:00] Ana: hi\n[13/03/2023, 09:01:00] Rui: \u200e<attached: 0002-AUDIO.opus>\n"
ANDROID = "13/03/2023 09:00 - Ana: hi\n13/03/2023 09:01 - Rui: PTT-1.opus (file attached)\n"


def a_picture(words: str = "", kind: str = "JPEG", size: tuple[int, int] = (640, 400), exif: Any = None) -> bytes:
    """A page with some lines on it."""
    page = Image.new("RGB", size, "white")
    font = ImageFont.truetype("DejaVuSans.ttf", 30)
    ImageDraw.Draw(page).multiline_text((20, 20), words, fill="black", font=font, spacing=16)
    out = BytesIO()
    page.save(out, kind, **({} if exif is None else {"exif": exif}))
    return out.getvalue()


def by_camera(offset: str = "-03:00") -> Any:
    exif = Image.Exif()
    exif[0x8769] = {0x9003: "2021:07:04 15:30:00", **({0x9011: offset} if offset else {})}
    exif[0x8825] = IN_PORTO
    return exif


async def at_once(_: float) -> None:
    """No waiting between tries."""


def transcriber(url: str) -> OpenAICompatibleTranscriber:
    return OpenAICompatibleTranscriber(url, "whisper", api_key=KEY, sleep=at_once)


@asynccontextmanager
async def opened(
    tmp_path: Path, hears: Transcriber | None = None, sees: ImageReader | None = None, **how: Any
) -> AsyncIterator[Memory]:
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=Clock(), reader=NotationReader(), media=Media(hears, sees), **how) as memory:
        yield memory


def a_chat(text: str = IPHONE, *names: str) -> BytesIO:
    return BytesIO(zipped({"_chat.txt": text, **dict.fromkeys(names or ("0002-AUDIO.opus",), b"sound")}))


async def said(memory: Memory) -> list[tuple[str, str]]:
    return [(one.author, one.text) for one in await memory.messages(user="ana")]


async def test_without_a_transcriber_voice_notes_are_counted_and_nothing_is_sent(tmp_path: Path) -> None:
    async with opened(tmp_path, None) as memory:
        came = await memory.import_(a_chat(), user="ana", me="Ana")
        assert (came.added["messages"], came.why) == (1, {"voice": 1})
        came = await memory.import_(BytesIO(IPHONE.encode()), user="ana", me="Ana")  # without the recording
        assert came.why == {"media": 1}


@each([(IPHONE, "0002-AUDIO.opus"), (ANDROID, "PTT-1.opus")])
async def test_what_is_said_in_a_voice_note_is_a_message_heard_once(text: str, name: str, tmp_path: Path) -> None:
    with served(heard(" [residence=Porto] ")) as server:
        async with opened(tmp_path, transcriber(server.url)) as memory:
            dry = await memory.import_(a_chat(text, name), user="ana", me="Ana", dry_run=True)
            assert (dry.added["messages"], server.asked) == (2, [])
            came = await memory.import_(a_chat(text, name), user="ana", me="Ana")
            assert (came.added["messages"], came.why) == (2, {})
            assert await said(memory) == [("Rui", "[residence=Porto]"), ("ana", "hi")]
            again = await memory.import_(a_chat(text, name), user="ana", me="Ana")
            assert (again.total, len(server.asked)) == (0, 1)
            (told,) = [one.metadata["voice"] for one in await memory.messages(user="ana") if "voice" in one.metadata]
        ((path, key, body),) = server.asked
        assert (told, path, key) == (name, "/v1/audio/transcriptions", f"Bearer {KEY}")
        assert all(part in body for part in (b'name="model"', b"whisper", b'filename="audio.opus"', b"sound"))
        assert name.encode() not in body, "it may tell whom the recording is about"


FAULTS: list[tuple[Sequence[Reply], dict[str, int], int]] = [
    ([(503, b""), heard("later")], {}, 3),  # how often it is asked, of two recordings
    ([BROKEN, heard("later")], {}, 3),
    ([(500, b"")], {"voice": 2}, 6),  # both were on their way; what comes after them is not sent
    ([(401, b"sk-very-secret")], {"voice": 2}, 2),
    ([(413, b""), heard("the second")], {"voice": 1}, 2),
    ([(200, b"no json"), heard("the second")], {"voice": 1}, 2),
    ([heard("  "), heard("the second")], {"empty": 1}, 2),
]


@each(FAULTS)
async def test_a_fault_leaves_a_voice_note_for_the_next_time(
    replies: Sequence[Reply], why: dict[str, int], asked: int, tmp_path: Path
) -> None:
    two = IPHONE + "[13/03/2023, 09:02:00] Rui: \u200e<attached: 0003-AUDIO.opus>\n"
    names, left = ("0002-AUDIO.opus", "0003-AUDIO.opus"), sum(why.values())
    with served(*replies) as server:
        async with opened(tmp_path, transcriber(server.url)) as memory:
            came = await memory.import_(a_chat(two, *names), user="ana", me="Ana")
            assert (dict(came.why), came.added["messages"], len(server.asked)) == (why, 3 - left, asked)
            server.replies = [heard("at last")]
            again = await memory.import_(a_chat(two, *names), user="ana", me="Ana")
            assert again.added["messages"] == left


async def test_its_errors_quote_neither_words_nor_key() -> None:
    with served((400, b'{"error": "sk-very-secret: sound"}')) as server:
        hears = transcriber(server.url)
        with pytest.raises(MindError) as error:
            await hears.transcribe(b"sound", "a.opus")
        assert (KEY in str(error.value), "sound" in str(error.value)) == (False, False)
        await hears.close()
        with pytest.raises(MindError, match="closed"):
            await hears.transcribe(b"sound", "a.opus")
    gone = transcriber(server.url)
    with pytest.raises(MindUnavailableError, match="did not answer"):
        await gone.transcribe(b"sound", "a.opus")
    await gone.close()


@each(
    [
        ("openai:x", "", "needs transcriber_url"),
        ("whisper", "http://h/v1", "use openai:MODEL"),
        ("openai:x", "h", "URL"),
    ]
)
def test_a_setting_that_cannot_be_used_is_told(named: str, url: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        chosen_transcriber(Settings(transcriber=named, transcriber_url=url))
    assert chosen_transcriber(Settings()) is None


def test_a_setting_that_can_be_used_is() -> None:
    made: Any = chosen_transcriber(Settings(transcriber="openai:whisper", transcriber_url="http://127.0.0.1:1/v1"))
    assert made.name == "whisper@127.0.0.1:1"


# ── pictures ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def vision(url: str, language: str = "en") -> VisionModel:
    return VisionModel(url, "sees", language=language, api_key=KEY, sleep=at_once)


async def pictures(memory: Memory) -> list[Any]:
    return [one for one in await memory.messages(user="ana") if "image" in one.metadata]


SHOWN = "13/03/2023 09:00 - Ana: hi\n13/03/2023 09:01 - Rui: IMG-1.jpg (file attached)\nOur new dog!\n"


async def test_a_picture_of_a_chat_stands_beside_its_words_and_teaches_nothing(tmp_path: Path) -> None:
    chat = zipped({"WhatsApp Chat with Rui.txt": SHOWN, "IMG-1.jpg": a_picture(exif=by_camera())})
    with served(
        described("A brown dog in a garden. [residence=Garden]", prompt_tokens=900, completion_tokens=12)
    ) as server:
        async with opened(tmp_path, sees=vision(server.url)) as memory:
            came = await memory.import_(BytesIO(chat), user="ana", me="Ana")
            assert (came.added["messages"], came.why) == (3, {})
            await memory.settle(flush=True)
            assert [item.content for item in await memory.list(user="ana")] == []
            [shown] = await pictures(memory)
            assert (shown.author, shown.role, shown.form) == ("Rui", Role.SYSTEM, "image")
            assert shown.metadata["image"].endswith("IMG-1.jpg")
            assert len(shown.metadata["sha256"]) == 64
            assert not {"taken_at", "taken_in"} & shown.metadata.keys()
            assert (await memory.import_(BytesIO(chat), user="ana", me="Ana")).total == 0
            context = await memory.load(user="ana", query="what dog did Rui show?")
            assert "“Rui” (picture): “A brown dog in a garden" in context.text
            [use] = [one for one in await memory.usage(user="ana") if one.task == "image"]
            assert (use.calls, use.input_tokens, use.output_tokens) == (1, 900, 12)
        ((path, key, body),) = server.asked
        [text, image] = json.loads(body)["messages"][0]["content"]
        sent = Image.open(BytesIO(b64decode(image["image_url"]["url"].partition(",")[2])))
        assert (path, key, sent.format, dict(sent.getexif())) == ("/v1/chat/completions", f"Bearer {KEY}", "JPEG", {})
        assert text["text"].startswith("Say in English")


@each([("", True), ("-03:00", True), ("", False)])
async def test_where_and_when_a_picture_was_taken_is_kept_if_the_person_allows(
    offset: str, allowed: bool, tmp_path: Path
) -> None:
    folder = tmp_path / f"{offset}{allowed}" / "Praia"
    folder.mkdir(parents=True)
    (folder / "IMG_20210705_090000.jpg").write_bytes(a_picture(exif=by_camera(offset)))
    with served(described("Uma praia.")) as server:
        async with opened(tmp_path, sees=vision(server.url, "pt")) as memory:
            came = await memory.import_(folder, user="ana", timezone="America/Recife", photo_details=allowed)
            assert came.added["messages"] == 1
            [shown] = await pictures(memory)
            day = "2021-07-04T18:30:00+00:00" if allowed else "2021-07-05T12:00:00+00:00"  # else as its name has it
            assert shown.sent_at.isoformat() == day
            where = "41.1579, -8.6291"
            wanted = {"taken_at": f"2021-07-04T15:30:00{offset}", "taken_in": where} if allowed else {}
            assert {key: value for key, value in shown.metadata.items() if key.startswith("taken")} == wanted
            assert shown.metadata["image"] == str(folder / "IMG_20210705_090000.jpg")
            assert (await memory.conversation(shown.conversation, user="ana")).conversation.title == "Praia"


async def test_the_words_in_a_picture_are_read_offline(tmp_path: Path) -> None:
    """With accents, and line by line."""
    receipt = "Padaria São João\nPão francês   R$ 7,90\nAtenção: não é recibo"
    (tmp_path / "nota.png").write_bytes(a_picture(receipt, "PNG"))
    async with opened(tmp_path, sees=OcrReader()) as memory:
        came = await memory.import_(tmp_path / "nota.png", user="ana")
        assert came.formats == ("image",)
        [shown] = await pictures(memory)
        assert shown.text.splitlines() == ["Padaria São João", "Pão francês R$ 7,90", "Atenção: não é recibo"]
        assert shown.metadata["read_by"] == "ocr"
        await memory.settle()
        [hit, *_] = (await memory.recall("quanto custou o pão francês?", user="ana")).messages
        assert hit.message.id == shown.id


def a_bomb(side: int = 60_000) -> bytes:
    """A small PNG that says it is 60,000 by 60,000 pixels."""
    content = bytearray(a_picture("", "PNG", (40, 40)))
    content[16:24] = side.to_bytes(4) * 2
    content[29:33] = crc32(content[12:29]).to_bytes(4)
    return bytes(content)


HOSTILE = {
    "cut": a_picture("x")[:-400],
    "noise": b"\xff\xd8\xff" + bytes(5_000),
    "bomb": a_bomb(),
    "large": a_bomb(8_100),  # which takes hundreds of megabytes
    "drawing": b"<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>",
}


MILLIONS = "65 million pixels"


@each([("cut", "damaged"), ("noise", "damaged"), ("bomb", MILLIONS), ("large", MILLIONS), ("drawing", "damaged")])
async def test_a_hostile_picture_is_left_out_and_the_rest_comes(kind: str, why: str, tmp_path: Path) -> None:
    content = HOSTILE[kind]
    with pytest.raises(InvalidInputError, match=why):
        await OcrReader().look(content)
    chat = zipped({"WhatsApp Chat with Rui.txt": SHOWN, "IMG-1.jpg": content})
    async with opened(tmp_path, sees=OcrReader()) as memory:
        came = await memory.import_(BytesIO(chat), user="ana", me="Ana")
        assert (came.added["messages"], came.why) == (2, {"long" if why is MILLIONS else "unreadable": 1})


@each(["1", "P", "RGBA", "I;16"])
def test_a_large_picture_is_made_small_before_it_gets_colours(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a bit a pixel would take 32 times the memory."""
    see_through = mode in ("P", "RGBA")
    page = Image.new("RGBA" if see_through else "L", (4_000, 3_000), (0, 0, 0, 0) if see_through else 255)
    page.paste((0, 0, 0, 255) if see_through else 0, (0, 0, 2_000, 3_000))
    out = BytesIO()
    page.convert(mode).save(out, "PNG")
    coloured: list[int] = []
    convert = Image.Image.convert

    def noted(image: Any, *args: Any, **how: Any) -> Any:
        coloured.append(image.width * image.height)
        return convert(image, *args, **how)

    monkeypatch.setattr(Image.Image, "convert", noted)
    shown = opened_picture(out.getvalue())
    assert shown is not None
    assert max(coloured) < 2_000_000
    assert (shown.pixels.size, shown.pixels.mode) == ((1_568, 1_176), "RGB")
    at = [shown.pixels.getpixel((x, y)) for x in (100, 1_400) for y in (5, 600, 1_170)]
    assert at == [(0, 0, 0)] * 3 + [(255, 255, 255)] * 3


def test_a_picture_stands_upright_and_a_stripe_shows_nothing() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned
    page = Image.new("RGB", (400, 200), "white")
    page.paste("black", (0, 0, 100, 200))
    out = BytesIO()
    page.save(out, "PNG", exif=exif)
    shown = opened_picture(out.getvalue())
    assert shown is not None
    assert shown.pixels.size == (200, 400)
    assert [shown.pixels.getpixel((5, y)) for y in (5, 395)] == [(0, 0, 0), (255, 255, 255)]
    assert opened_picture(a_picture("", "PNG", (40_000, 100))) is None


async def test_pictures_that_show_nothing_are_left_out(tmp_path: Path) -> None:
    """Icons, and a page without words where words alone are read."""
    chat = zipped({"WhatsApp Chat with Rui.txt": SHOWN, "IMG-1.jpg": a_picture("", size=(20, 20))})
    async with opened(tmp_path, sees=OcrReader()) as memory:
        assert (await memory.import_(BytesIO(chat), user="ana", me="Ana")).why == {"empty": 1}
        (tmp_path / "blank.jpg").write_bytes(a_picture(""))
        assert (await memory.import_(tmp_path / "blank.jpg", user="ana")).why == {"empty": 1}


async def test_without_a_reader_pictures_are_counted_and_nothing_is_sent(tmp_path: Path) -> None:
    chat = zipped({"WhatsApp Chat with Rui.txt": SHOWN, "IMG-1.jpg": a_picture(), "other.jpg": a_picture()})
    async with opened(tmp_path) as memory:
        came = await memory.import_(BytesIO(chat), user="ana", me="Ana")
        assert (came.added["messages"], came.why, came.left_alone) == (2, {"image": 1}, 2)
        assert (await memory.import_(BytesIO(SHOWN.encode()), user="ana", me="Ana")).why == {"attachment": 1}


async def test_a_recording_by_itself_is_a_document_heard_once(tmp_path: Path) -> None:
    """Nobody knows who speaks in it, so nothing is learnt."""
    (tmp_path / "lecture.mp3").write_bytes(b"ID3 sound")
    with served(heard("Sourdough needs a night to rise. " * 40)) as server:
        async with opened(tmp_path, transcriber(server.url)) as memory:
            came = await memory.import_(tmp_path / "lecture.mp3", user="ana")
            assert came.added == {"documents": 1, "passages": 2}
            assert (await memory.import_(tmp_path / "lecture.mp3", user="ana")).total == 0
            await memory.settle()
            [hit, *_] = (await memory.recall("how long does sourdough rise?", user="ana")).notes
            assert hit.note.title == "lecture.mp3"
            assert [item.content for item in await memory.list(user="ana")] == []
            (tmp_path / "lecture.mp3").write_bytes(b"ID3 another")
            server.replies = [heard("Rye needs less.")]
            assert (await memory.import_(tmp_path / "lecture.mp3", user="ana")).added == {"documents": 1, "passages": 1}
        assert len(server.asked) == 2


# ── what is sent along in a talk ──────────────────────────────────────────────────────────────────────────────────────


def sent_along(kind: str, content: bytes) -> dict[str, Any]:
    held = b64encode(content).decode()
    parts: dict[str, dict[str, Any]] = {
        "voice": {"type": "input_audio", "input_audio": {"data": held, "format": "wav"}},
        "url": {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{held}"}},
        "input": {"type": "input_image", "image_url": f"data:image/png;base64,{held}"},
        "source": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": held}},
    }
    return parts[kind]


def a_turn(*parts: dict[str, Any], text: str = "") -> list[dict[str, Any]]:
    said = [{"type": "text", "text": text}] if text else []
    return [{"role": "user", "content": [*said, *parts]}]


async def test_what_is_said_in_a_recording_that_is_saved_is_learnt(tmp_path: Path) -> None:
    with served(heard("[residence=Porto]")) as server:
        async with opened(tmp_path, transcriber(server.url)) as memory:
            saved = await memory.save(user="ana", messages=a_turn(sent_along("voice", b"sound")))
            [message] = saved.messages
            assert (message.text, message.role, saved.left_out) == ("[residence=Porto]", Role.USER, ())
            assert message.metadata["voice"].endswith(".wav")
            await memory.settle()
            assert [item.value for item in await memory.list(user="ana")] == ["Porto"]


@each(["url", "input", "source"])
async def test_a_picture_that_is_saved_stands_after_the_words_and_is_asked_for_once(kind: str, tmp_path: Path) -> None:
    talk = a_turn(sent_along(kind, a_picture("x", "PNG")), text="[employment=Vale] look")
    with served(described("[residence=Moon] A page.")) as server:
        async with opened(tmp_path, sees=vision(server.url)) as memory:
            for _ in range(2):  # a program hands over its whole list every time
                saved = await memory.save(user="ana", messages=talk, conversation="c")
                texts = [(one.role, one.author, one.text) for one in saved.messages]
                assert texts == [
                    (Role.USER, "ana", "[employment=Vale] look"),
                    (Role.SYSTEM, "ana", "[residence=Moon] A page."),
                ]
            assert len(await memory.messages(user="ana")) == 2
            await memory.settle()
            assert [item.value for item in await memory.list(user="ana")] == ["Vale"]
        assert len(server.asked) == 1


async def test_what_cannot_be_told_is_left_out_unless_it_is_all_there_is(tmp_path: Path) -> None:
    voice, picture = sent_along("voice", b"sound"), sent_along("url", a_picture())
    with served((500, b"")) as server:
        async with opened(tmp_path, transcriber(server.url), vision(server.url)) as memory:
            saved = await memory.save(user="ana", messages=a_turn(voice, picture, text="hi"))
            assert saved.left_out == ("messages[0].content[1]: input_audio", "messages[0].content[2]: image_url")
            assert await said(memory) == [("ana", "hi")]
            with pytest.raises(MindUnavailableError, match="transcriber"):
                await memory.save(user="ana", messages=a_turn(voice))
        async with opened(tmp_path) as memory:
            away = {"type": "image_url", "image_url": {"url": f"{server.url}/x.png"}}  # an address is not followed
            saved = await memory.save(user="ana", messages=a_turn(voice, away, text="hi"))
            assert len(saved.left_out) == 2
            with pytest.raises(InvalidInputError, match="holds no text"):
                await memory.save(user="ana", messages=a_turn(picture))


REFUSED: list[tuple[dict[str, Any], Refusal]] = [
    ({"user": "ana", "skip": True}, Refusal.SKIPPED),
    ({"user": "bia"}, Refusal.BLOCKED),  # by the settings
    ({"user": "rui"}, Refusal.BLOCKED),
    ({"user": "ana", "space": "shut"}, Refusal.SWITCHED_OFF),
    ({"user": "ana", "space": "off"}, Refusal.SWITCHED_OFF),
    ({"user": "ana", "space": "open", "name": "rui"}, Refusal.BLOCKED),
]


@each(REFUSED)
async def test_what_is_not_kept_is_shown_to_no_model(given: dict[str, Any], why: Refusal, tmp_path: Path) -> None:
    talk = a_turn(sent_along("voice", b"sound"), sent_along("url", a_picture()), text="hi")
    talk[0] |= {"name": given["name"]} if "name" in given else {}
    blocks = BlockSettings.of(["bia"], ["shut"])
    with served((500, b"")) as server:
        async with opened(tmp_path, transcriber(server.url), vision(server.url), blocks=blocks) as memory:
            await memory.block("rui")
            await memory.switch_space("off", on=False)
            saved = await memory.save(messages=talk, **{key: value for key, value in given.items() if key != "name"})
            assert (saved.refused, saved.messages) == (why, ())
            with pytest.raises(InvalidInputError, match="role"):
                await memory.save(user="ana", messages=[*talk, {"role": "nobody", "content": "x"}])
        assert server.asked == []


async def test_what_a_picture_cost_is_counted_on_whoever_showed_it_also_without_words(tmp_path: Path) -> None:
    showing = sent_along("url", a_picture("x"))
    with served(described("  ", prompt_tokens=7)) as server:
        async with opened(tmp_path, sees=vision(server.url)) as memory:

            async def fetched() -> bytes:
                return a_picture("y")

            told = await memory.in_words("y.jpg", fetched)
            assert told is not None
            assert [(one.task, one.input_tokens) for one in told.spent] == [("image", 7)]
            with pytest.raises(InvalidInputError, match="no text"):
                await memory.save(user="ana", messages=a_turn(showing))
            await memory.save(user="ana", messages=a_turn(showing, text="look"))
            chat = zipped({"WhatsApp Chat with Rui.txt": SHOWN, "IMG-1.jpg": a_picture("z")})
            assert (await memory.import_(BytesIO(chat), user="ivo", me="Ana")).why == {"empty": 1}
            await memory.save(user="bob", said="hi")
            uses = {user: [one.calls for one in await memory.usage(user=user)] for user in ("ana", "ivo", "bob")}
            assert uses == {"ana": [2], "ivo": [1], "bob": []}
        assert len(server.asked) == 4


async def test_without_a_reader_what_is_sent_along_is_not_even_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on: list[str] = []

    def decoded(*args: Any, **how: Any) -> bytes:
        on.append(threading.current_thread().name)
        return b64decode(*args, **how)

    monkeypatch.setattr("relembra.transfer.media.b64decode", decoded)
    talk = a_turn(sent_along("voice", b"sound"), sent_along("url", a_picture()), text="hi")
    with served(heard("words")) as server:
        async with opened(tmp_path) as memory:
            assert len((await memory.save(user="ana", messages=talk)).left_out) == 2
        assert on == []
        async with opened(tmp_path, transcriber(server.url)) as memory:
            assert len((await memory.save(user="ana", messages=talk)).left_out) == 1
    assert len(on) == 1
    assert threading.current_thread().name not in on


async def test_a_recording_beside_words_is_heard_once_and_kept_once(tmp_path: Path) -> None:
    talk = [*a_turn(text="hi"), *a_turn(sent_along("voice", b"one"), sent_along("voice", b"two"), text="listen")]
    with served(heard("un"), heard("deux"), heard("un")) as server:
        async with opened(tmp_path, transcriber(server.url)) as memory:
            for _ in range(2):  # a program hands over its whole list every time
                saved = await memory.save(user="ana", messages=talk, conversation="c")
                assert [one.text for one in saved.messages] == ["hi", "listen\nun\ndeux"]
            assert len(await memory.messages(user="ana")) == 2


@each([("openai:x", "", "needs vision_url"), ("sees", "http://h/v1", "use ocr or openai:MODEL")])
def test_a_setting_of_pictures_that_cannot_be_used_is_told(named: str, url: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        chosen_image_reader(Settings(vision=named, vision_url=url))
    assert chosen_image_reader(Settings()) is None


async def test_the_pages_of_a_scan_are_read_as_pictures_each_once(tmp_path: Path) -> None:
    texts = ["Contrato de aluguel\nO aluguel é de 900 reais.", "Multa de atraso: 10 por cento."]
    pages = [Image.open(BytesIO(a_picture(text))) for text in texts]
    pages[0].save(tmp_path / "contrato.pdf", "PDF", save_all=True, append_images=pages[1:])
    async with opened(tmp_path) as memory:
        came = await memory.import_(tmp_path / "contrato.pdf", user="ana")
        assert (came.total, came.why) == (0, {"image": 2})
    async with opened(tmp_path, sees=OcrReader()) as memory:
        assert (await memory.import_(tmp_path / "contrato.pdf", user="ana")).added == {"documents": 1, "passages": 2}
        await memory.settle()
        [hit, *_] = (await memory.recall("qual é a multa por atraso?", user="ana")).notes
        assert (hit.note.title, hit.note.summary) == ("contrato.pdf, p. 2", "Multa de atraso: 10 por cento.")
    with served((500, b"")) as server:
        async with opened(tmp_path, sees=vision(server.url)) as memory:
            came = await memory.import_(tmp_path / "contrato.pdf", user="ana")
            assert (came.total, came.why) == (0, {"image": 2})
            server.replies = [described("Page.")]
            await memory.import_(tmp_path / "contrato.pdf", user="ana")
            asked = len(server.asked)
            assert (await memory.import_(tmp_path / "contrato.pdf", user="ana")).total == 0
            assert len(server.asked) == asked
