"""Automatic backups: one a day into a folder, under its date, with the oldest removed."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from hashlib import sha256
from pathlib import Path

from relembra.domain.moment import Clock
from relembra.errors import ConflictError
from relembra.store.port import Store

LOOKED_EVERY_SECONDS = 600.0

log = logging.getLogger(__name__)


class Backups:
    """Makes today's backup of a store once, whichever of several programs comes first, and keeps the newest few."""

    def __init__(self, store: Store, *, folder: Path, name: str, kept: int, clock: Clock) -> None:
        self._store = store
        self._folder = folder
        self._name = name
        self._kept = max(1, kept)
        self._clock = clock

    async def keep(self) -> None:
        """Look again and again until cancelled; a failure is logged and tried again."""
        while True:
            try:
                await self.make_due()
            except Exception as exc:  # noqa: BLE001 - nobody awaits it; without it there would be no more backups
                log.warning("the automatic backup into %s failed: %s: %s", self._folder, type(exc).__name__, exc)
            await asyncio.sleep(LOOKED_EVERY_SECONDS)

    async def make_due(self) -> Path | None:
        """Make today's unless it is there, then remove the oldest; the new one."""
        target = self._folder / f"{self._name}-{self._clock().date().isoformat()}.db"
        if await asyncio.to_thread(target.exists):
            return None
        await asyncio.to_thread(self._folder.mkdir, mode=0o700, exist_ok=True)
        try:
            await self._store.backup(target)
        except ConflictError:  # another program was quicker
            return None
        await asyncio.to_thread(self._remove_oldest)
        return target

    def _remove_oldest(self) -> None:
        for day in backup_days(self._folder, self._name)[: -self._kept]:
            (self._folder / f"{self._name}-{day.isoformat()}.db").unlink(missing_ok=True)


def backup_name(file: Path) -> str:
    """What a file's backups are called before their date; those of another file of its name are called otherwise."""
    path = file.expanduser().resolve()
    return f"{path.stem}-{sha256(os.fsencode(path)).hexdigest()[:8]}"


def backup_days(folder: Path, name: str) -> Sequence[date]:
    """The days there are automatic backups of, the oldest first; other files in the folder are nobody's business."""
    pattern = re.compile(rf"{re.escape(name)}-(\d{{4}}-\d{{2}}-\d{{2}})\.db")
    days = []
    for file in folder.iterdir() if folder.is_dir() else ():
        if (match := pattern.fullmatch(file.name)) is not None:
            with suppress(ValueError):  # there is no such day
                days.append(date.fromisoformat(match[1]))
    return sorted(days)
