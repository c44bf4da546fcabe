"""Voice notes of chats: left out and counted, or turned into words by a server on loopback that follows a script."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from chats import zipped
from loops import each
from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra import Memory
from relembra.bootstrap import chosen_transcriber
from relembra.errors import MindError, MindUnavailableError, SettingsError
from relembra.minds.port import Transcriber
from relembra.minds.transcriber import OpenAICompatibleTranscriber
from relembra.settings import Settings

KEY = "sk-very-secret"
IPHONE = "[13/03/2023, 09:00:00] Ana: hi\n[13/03/2023, 09:01:00] Rui: \u200e<attached: 0002-AUDIO.opus>\n"
ANDROID = "13/03/2023 09:00 - Ana: hi\n13/03/2023 09:01 - Rui: PTT-1.opus (file attached)\n"
Reply = tuple[int, bytes]


class Server:
    """Answers one reply after another, the last for ever, and keeps what it was asked."""

    def __init__(self, url: str, replies: Sequence[Reply]) -> None:
        self.url = url
        self.replies = [*replies]
        self.asked: list[tuple[str, str, bytes]] = []  # path, key, body


@contextmanager
def served(*replies: Reply) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            server.asked.append((self.path, self.headers.get("authorization", ""), body))
            status, content = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as loopback:
        server = Server(f"http://127.0.0.1:{loopback.server_address[1]}/v1", replies)
        thread = threading.Thread(target=loopback.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            loopback.shutdown()
            thread.join()


def heard(text: str) -> Reply:
    return 200, json.dumps({"text": text}).encode()


async def at_once(_: float) -> None:
    """No waiting between tries."""


def transcriber(url: str) -> OpenAICompatibleTranscriber:
    return OpenAICompatibleTranscriber(url, "whisper", api_key=KEY, sleep=at_once)


@asynccontextmanager
async def opened(tmp_path: Path, hears: Transcriber | None) -> AsyncIterator[Memory]:
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=Clock(), reader=NotationReader(), transcriber=hears) as memory:
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
        assert all(part in body for part in (b'name="model"', b"whisper", name.encode(), b"sound"))


FAULTS: list[tuple[Sequence[Reply], dict[str, int], int]] = [
    ([(503, b""), heard("later")], {}, 3),  # how often it is asked, of two recordings
    ([(500, b"")], {"voice": 2}, 3),
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
