"""Start-up times, memory and the weight of an installation."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import loading
from bench.corpus import Corpus
from bench.table import Row, median
from relembra import Memory
from relembra.domain.scope import Scope
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.settings import Settings
from relembra.store.sqlite import SqliteStore

ROOT = Path(__file__).parent.parent

_READER = """
import asyncio, sys
from relembra import Memory

async def main():
    async with Memory.open(sys.argv[1], background=False) as memory:
        for _ in range(20):
            await memory.search("bacade remane sucazo", user="ana")
            await memory.load(user="ana", query="bacade remane sucazo")
        await memory.list(user="ana", limit=1000)
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM"):
            print(line.split()[1])

asyncio.run(main())
"""


_LEARNER = """
import asyncio, sys
from relembra import Memory

async def main():
    async with Memory.open(sys.argv[1], background=False) as memory:
        for number in range(20):
            await memory.load(user="ana", query=f"bacade remane sucazo {number}")
        await memory.save(user="ana", said="I live in Porto and my sister Clara works in Lisbon.", replied="How nice!")
        await memory.settle()
        await memory.load(user="ana", query="Where do I live?")
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM"):
            print(line.split()[1])

asyncio.run(main())
"""


def started(*words: str) -> float:
    """Median seconds of whole runs of a command."""
    times = []
    for _ in range(9):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return median(times)


def peak_megabytes() -> float:
    """The most memory a process held that searched a store of 100,000 items of one person."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.db"

        async def fill() -> None:
            store = await SqliteStore.open(path, analyzer=BilingualAnalyzer(), durability="normal")
            await Corpus().fill(store, Scope("default", "ana"), 100_000)
            await store.close()

        asyncio.run(fill())
        done = subprocess.run([sys.executable, "-c", _READER, str(path)], check=True, capture_output=True, text=True)
        return int(done.stdout) / 1024


def peak_of_messages(count: int) -> float:
    """The most memory a process held that searched so many messages by their vectors, and learnt from one more."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "said.db"

        async def fill() -> None:
            async with Memory.open(path, settings=Settings(), background=False) as memory:
                await loading.Bench(memory, Corpus()).messages("ana", count)

        asyncio.run(fill())
        done = subprocess.run([sys.executable, "-c", _LEARNER, str(path)], check=True, capture_output=True, text=True)
        return int(done.stdout) / 1024


def downloads() -> tuple[int, float]:
    """How many packages `make run` installs, and their size in MB as downloaded, our own wheel included."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        requirements = str(ROOT / "requirements" / "run.txt")
        subprocess.run([*pip, "download", "--no-deps", "-r", requirements, "-d", folder], check=True)
        subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", str(ROOT), "-w", folder], check=True)
        files = [path for path in Path(folder).iterdir() if re.search(r"\.(whl|gz|zip)$", path.name)]
        return len(files), sum(path.stat().st_size for path in files) / 1e6


def rows() -> list[Row]:
    bare = started("-c", "pass")
    package = started("-c", "from relembra import Memory") - bare
    helped = started("-m", "relembra", "--help")
    peak, said = peak_megabytes(), peak_of_messages(50_000)
    count, megabytes = downloads()
    return [
        Row("from relembra import Memory / 150 ms", f"{package * 1e3:.0f} ms", "150 ms", package / 0.150, 1),
        Row("relembra --help / 300 ms", f"{helped * 1e3:.0f} ms", "300 ms", helped / 0.300, 1),
        Row("peak memory, 100,000 items / 400 MB", f"{peak:.0f} MB", "400 MB", peak / 400, 1),
        Row("peak memory, 50,000 messages / 400 MB", f"{said:.0f} MB", "400 MB", said / 400, 1),
        Row("packages of an installation / 55", str(count), "55", count / 55, 1),
        Row("downloads of an installation / 140 MB", f"{megabytes:.0f} MB", "140 MB", megabytes / 140, 1),
    ]
