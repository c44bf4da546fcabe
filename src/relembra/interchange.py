"""Exports for programs and for people, and imports of such exports."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Literal

from relembra.domain.scope import DEFAULT_TENANT, Scope, person
from relembra.errors import InvalidInputError
from relembra.night.upkeep import Progress
from relembra.night.worker import Worker
from relembra.services import Part, Services
from relembra.visibility import Visibility

if TYPE_CHECKING:
    from relembra.transfer.exports import Exported
    from relembra.transfer.imports import Imported

FORMATS = ("json", "jsonl", "markdown", "notes")

ExportFormat = Literal["json", "jsonl", "markdown", "notes"]


class Interchange(Part):
    """Exports and imports."""

    def __init__(self, services: Services, visibility: Visibility, worker: Worker) -> None:
        super().__init__(services)
        self._visibility = visibility
        self._worker = worker

    async def export(
        self,
        target: str | Path | BinaryIO,
        *,
        user: str | None = None,
        format: ExportFormat = "json",
        language: str | None = None,
        overwrite: bool = False,
        progress: Progress | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Exported:
        """Write all of a person's memory to a file or stream, whole or not at all.

        `json` and `jsonl` hold everything with its history and can be imported; `markdown` is for reading, and `notes`
        a zip of Markdown files. Without a user, jsonl holds everybody of the tenant. A file that exists is left alone
        unless it may be overwritten.
        """
        from relembra.transfer.exports import write_document, write_lines, written

        if format not in FORMATS:
            raise InvalidInputError(f"no format {format!r}; choose one of {', '.join(FORMATS)}", field="format")
        if user is None and format != "jsonl":
            raise InvalidInputError(f"{format} holds one person's memory; name the user, or choose jsonl", field="user")
        scope, now = None if user is None else person(tenant, user), self._now()
        with written(target, overwrite=overwrite) as file:
            if scope is None or format == "jsonl":
                return await write_lines(self._store, scope, tenant, file, now=now, progress=progress)
            if format == "json":
                return await write_document(self._store, scope, file, now=now, progress=progress)
            if format == "markdown":
                return await self._write_markdown(scope, file, language)
            return await self._write_notes(scope, file, language)

    async def import_export(
        self,
        source: str | Path | BinaryIO,
        *,
        user: str | None = None,
        spaces: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Imported:
        """Take an export in, json or jsonl. What is there already stays as it is, and a second time adds nothing.

        `user`: under another name, or of everybody's export that person alone. Without `spaces` a file that holds
        anything said in a space is refused, since whoever talks there would hear it. The file is checked whole before
        anything is stored; with `dry_run` nothing is.
        """
        from relembra.transfer.exports import ExportFile
        from relembra.transfer.imports import Importer

        if user is not None:
            person(tenant, user)
        Scope(tenant, "anybody")
        importer = Importer(
            self._store, tenant=tenant, user=user, now=self._now(), new_id=self._new_id,
            quiet=self._policy.listen.quiet, spaces=spaces, dry_run=dry_run, progress=progress,
        )  # fmt: skip
        with _opened(source) as file:
            try:
                return await importer.run(await asyncio.to_thread(ExportFile, file))
            finally:
                if not dry_run:
                    await self._cache.clear(tenant)
                    self._worker.wake()

    async def _write_markdown(self, scope: Scope, file: IO[bytes], language: str | None) -> Exported:
        from relembra.transfer.exports import Exported, all_items, open_cases
        from relembra.views.documents import life_of
        from relembra.views.profile import people

        now = self._now()
        items = await all_items(self._store, scope)
        current = [item for item in items if item.is_current(now)]
        known = people(current, now=now, speaker=scope.user)
        text = life_of(
            scope.user,
            items,
            known,
            await open_cases(self._store, scope),
            now=now,
            language=self._visibility.language_for(current, language),
            confidence=self._policy.confidence,
        )
        size = file.write(text.encode())
        shown = sum(item.deleted_at is None for item in items)
        return Exported(counts={"items": shown, "people": len(known)}, people=1, bytes=size)

    async def _write_notes(self, scope: Scope, file: IO[bytes], language: str | None) -> Exported:
        from relembra.transfer.exports import Exported, all_notes
        from relembra.views.documents import write_notes

        notes = await all_notes(self._store, scope)
        tongue = self._visibility.language_for([], language)
        write_notes(file, scope.user, notes, language=tongue)
        return Exported(counts={"notes": len(notes)}, people=1, bytes=file.tell())


@contextmanager
def _opened(source: str | Path | BinaryIO) -> Iterator[IO[bytes]]:
    """A file that can be gone through twice; what comes from a pipe is kept aside first."""
    if isinstance(source, str | Path):
        path = Path(source).expanduser()
        try:
            file = path.open("rb")
        except FileNotFoundError:
            raise InvalidInputError(f"there is no file {path}", field="file") from None
        except OSError as exc:
            raise InvalidInputError(f"{path} cannot be read: {exc.strerror}", field="file") from exc
        with file:
            yield file
        return
    if source.seekable():
        yield source
        return
    with tempfile.TemporaryFile() as kept:
        shutil.copyfileobj(source, kept)
        yield kept
