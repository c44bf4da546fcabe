"""Running the command `relembra` in tests: as a process, on a terminal, or in this process."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RELEMBRA = [sys.executable, "-m", "relembra"]
ZONE = "America/Recife"


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        assert self.out == ""
        error: dict[str, Any] = json.loads(self.err)["error"]
        assert error["exit_code"] == self.code
        return error


Cli = Callable[..., Ran]


def environment(home: Path, **more: str) -> dict[str, str]:
    """A person's, with nothing of ours in it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RELEMBRA_", "LC_", "XDG_"))}
    return kept | {"HOME": str(home), "USER": "ana", "LANG": "en_US.UTF-8", "TZ": ZONE, **more}


def short(item: dict[str, Any]) -> str:
    return str(item["id"])[-8:]


def until_it_waits(pid: int) -> None:
    """Until a process has started and does nothing more: it waits for input."""
    before, until = 0, time.monotonic() + 120
    while time.monotonic() < until:
        threads = [path.read_text().rpartition(") ")[2].split() for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        used = sum(int(parts[11]) for parts in threads)  # ticks of a hundredth of a second
        if {parts[0] for parts in threads} == {"S"} and used > 5 and used == before:
            return
        before = used
        time.sleep(0.2)


def stopped_when(process: subprocess.Popen[bytes], is_so: Callable[[], bool]) -> None:
    """Let a process work a moment at a time until something is so, and leave it stopped there, however slow we are."""
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        if is_so():
            return
        process.send_signal(signal.SIGCONT)
        time.sleep(0.005)
    raise AssertionError("it was over before")


def answered(folder: Path, answer: str, *words: str) -> tuple[int, str]:
    """Run it on a terminal and type an answer; what the terminal showed."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [*RELEMBRA, *words], cwd=folder, env=environment(folder), stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side has closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return running.wait(60), shown.decode()
