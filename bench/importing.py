"""Imports of other programs' chats, against what reading the same file costs at least, and embedding what is in it.

The floor of a JSON export is `json.load` of it; that of a text, going through its lines. An import can be asked about
once all is found by meaning, and ends when all is learnt from and noted; the floor of both is embedding the same texts
alone, in as large batches.
"""

from __future__ import annotations

import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.corpus import Corpus
from bench.table import Row
from relembra import Memory
from relembra.settings import Settings
from relembra.transfer.chats import Context, Said, recognised
from relembra.transfer.chats.whatsapp import read
from relembra.transfer.sources import Sources
from relembra.transfer.talks import kept

MEBIBYTES = 100
A_CONVERSATION = 20
FOUND, NOTED = 10_000, 1_000  # lines of the imports that go on until all is found, and until all is noted
PARSING, WHOLE = 3.0, 1.25
"""The goals: times the floor."""
BEGAN = datetime(2018, 1, 1, 8, tzinfo=UTC)
BATCH = 64


def _chatgpt(path: Path, corpus: Corpus, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        number, mark = 0, "["
        while file.tell() < size:
            ids = [f"{number:08d}-{turn:04d}" for turn in range(A_CONVERSATION)]
            nodes = {}
            for turn, id in enumerate(ids):
                role, words = ("user", 15) if turn % 2 == 0 else ("assistant", 120)
                message = {
                    "id": id, "author": {"role": role, "name": None, "metadata": {}}, "status": "finished_successfully",
                    "create_time": BEGAN.timestamp() + number * 10_000 + turn * 30, "metadata": {"model_slug": "m"},
                    "content": {"content_type": "text", "parts": [corpus.sentence(words)]}, "recipient": "all",
                }  # fmt: skip
                before, after = ids[turn - 1 : turn], ids[turn + 1 : turn + 2]
                nodes[id] = {"id": id, "message": message, "parent": before[0] if before else None, "children": after}
            talk = {
                "title": f"Talk {number}",
                "conversation_id": str(number),
                "mapping": nodes,
                "current_node": ids[-1],
            }
            file.write(mark + json.dumps(talk))
            number, mark = number + 1, ","
        file.write("]")


def _whatsapp(path: Path, corpus: Corpus, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        number, at = 0, BEGAN
        while file.tell() < size:
            number, at = number + 1, at + (timedelta(hours=2) if number % 50 == 49 else timedelta(minutes=number % 3))
            name = "Ana" if number % 3 else "Rui"
            file.write(f"{at:%d/%m/%Y %H:%M} - {name}: {corpus.sentence(4 + number % 13)}\n")


def _through(path: Path) -> int:
    """Read a file as an import does, twice as one does; how many messages it holds."""
    with Sources(path) as sources:
        [file] = sources.files
        format = recognised(file)
        assert format is not None
        found = kept(format.read(file, Context(UTC)), zone=UTC, now=datetime.now(UTC))
        return sum(isinstance(one, Said) for one in found)


def _lines(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        for _ in file:
            pass


def _loaded(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        json.load(file)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


async def _whole(path: Path, folder: Path, *, noted: bool) -> tuple[float, float]:
    """Seconds until all of an import is found by meaning, or also learnt from and noted; and of embedding it alone."""
    settings = Settings(db=str(folder / f"{noted}.db"), timezone="UTC")
    async with Memory.open(settings=settings, background=False) as memory:
        await memory._embedder.embed(["loaded"])
        begun = time.process_time()
        await memory.import_(path, user="ana", me="Ana")
        await (memory.settle(flush=True) if noted else memory.reindex())
        took = time.process_time() - begun
        with Sources(path) as sources:
            texts = [one.text for one in read(sources.files[0], Context(UTC)) if isinstance(one, Said)]
        begun = time.process_time()
        for start in range(0, len(texts), BATCH):
            await memory._embedder.embed(texts[start : start + BATCH])
        return took, time.process_time() - begun


def rows(*, quick: bool = False) -> list[Row]:
    size = (MEBIBYTES // 10 if quick else MEBIBYTES) << 20
    found: list[Row] = []
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, write, floor, beside in (
            ("WhatsApp", _whatsapp, _lines, "going through the lines"),
            ("ChatGPT", _chatgpt, _loaded, "json.load"),  # whose floor takes memory, so it comes last
        ):
            path = folder / name
            write(path, corpus, size)
            took = _seconds(lambda path=path: _through(path))  # type: ignore[misc]
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            least = _seconds(lambda path=path, floor=floor: floor(path))  # type: ignore[misc]
            what = f"read {size >> 20} MiB of {name}, at most {before} MiB of memory"
            found.append(Row(what, f"{took:.2f} s", f"{beside} {least:.2f} s", took / least, PARSING))
            path.unlink()
        path = folder / "chat.txt"
        for lines, noted, until, goal in (
            (FOUND, False, "until all is found by meaning", WHOLE),
            (NOTED, True, "until all is learnt from and noted", None),
        ):
            _whatsapp(path, corpus, lines * 92)
            took, least = asyncio.run(_whole(path, folder, noted=noted))
            what = f"import some {lines:,} messages, {until}"
            found.append(Row(what, f"{took:.1f} s", f"embedding {least:.1f} s", took / least, goal))
    return found
