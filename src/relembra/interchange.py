"""Exports for programs and for people, and imports of such exports."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal, get_args
from zoneinfo import ZoneInfo

from relembra.domain.audit import Actor
from relembra.domain.jobs import CONSOLIDATE
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.scope import DEFAULT_TENANT, DIRECT, Scope, person
from relembra.domain.searchable import item_text
from relembra.domain.text import fold
from relembra.domain.time import local
from relembra.errors import InvalidInputError
from relembra.learn.decisions import Repeat
from relembra.learn.drafts import Draft, understood, worded
from relembra.learn.learner import Proposal
from relembra.minds.port import Vector
from relembra.night.upkeep import Progress
from relembra.night.worker import Worker
from relembra.services import Part, Services
from relembra.store.port import Op
from relembra.visibility import Visibility

if TYPE_CHECKING:
    from relembra.transfer.chats import Fact
    from relembra.transfer.exports import Exported
    from relembra.transfer.imports import Imported
    from relembra.transfer.media import Media

FACTS = 200  # stored together

ExportFormat = Literal["json", "jsonl", "markdown", "notes", "vault", "mem0", "csv"]


class Interchange(Part):
    """Exports and imports."""

    def __init__(self, services: Services, visibility: Visibility, worker: Worker, media: Media) -> None:
        super().__init__(services)
        self._media = media
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

        `json` and `jsonl` hold everything with its history and can be imported; `markdown` is for reading, `notes` a
        zip of Markdown files, and `vault` one of files linked with one another, as Obsidian opens it. `mem0` is what is
        known now as that program lists it, and `csv` a table of it with what was replaced. Without a user, jsonl holds
        everybody of the tenant. A file that exists is left alone unless it may be overwritten.
        """
        from relembra.transfer.exports import write_document, write_lines, written

        if format not in (formats := get_args(ExportFormat)):
            raise InvalidInputError(f"no format {format!r}; choose one of {', '.join(formats)}", field="format")
        if user is None and format != "jsonl":
            raise InvalidInputError(f"{format} holds one person's memory; name the user, or choose jsonl", field="user")
        scope, now = None if user is None else person(tenant, user), self._now()
        with written(target, overwrite=overwrite) as file:
            if scope is None or format == "jsonl":
                return await write_lines(self._store, scope, tenant, file, now=now, progress=progress)
            if format == "json":
                return await write_document(self._store, scope, file, now=now, progress=progress)
            match format:
                case "markdown":
                    return await self._write_markdown(scope, file, language)
                case "vault":
                    return await self._write_vault(scope, file, language)
                case "notes":
                    return await self._write_notes(scope, file, language)
                case _:
                    return await self._write_items(scope, file, format)

    async def import_(
        self,
        source: str | Path | BinaryIO,
        *,
        user: str | None = None,
        me: Iterable[str] | str = (),
        timezone: str | None = None,
        file_name: str | None = None,
        photo_details: bool = False,
        spaces: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Imported:
        """Take in an export, of ours, of a chat program or of another memory, or documents, told by what is in it.

        A file, a folder or a zip. What is there already stays as it is, and a second time adds nothing. Of ours, `user`
        names another person it goes to, or of everybody's export the one it takes; what other programs export goes into
        that person's memory and is learnt from as of when it was said. `me`: what they are called there, where that is
        not told; `timezone`: of moments without one; `file_name`: what one that comes as a stream is called. A document
        is kept in passages to be recalled as what it says, and nothing is learnt from it; one of the same name takes
        the place of what it was. Recordings and pictures are put into words by what the settings choose;
        `photo_details`: keep when and where a picture was taken. Without `spaces` an export of ours that holds anything
        said in a space is refused, since whoever talks there would hear it, and what was said in groups is kept in
        private.
        Files are read through before anything is stored; with `dry_run` nothing is.
        """
        if user is not None:
            person(tenant, user)
        Scope(tenant, "anybody")
        how: dict[str, Any] = {"spaces": spaces, "dry_run": dry_run, "progress": progress}
        with _opened(source) as given:
            try:
                if await asyncio.to_thread(is_ours, given):
                    return await self._import_ours(given, tenant=tenant, user=user, **how)
                scope = None if user is None else person(tenant, user)
                how |= {"photo_details": photo_details, "me": [me] if isinstance(me, str) else list(me)}
                return await self._import_talks(given, file_name, scope, timezone, **how)
            finally:
                if not dry_run:
                    await self._cache.clear(tenant)
                    self._worker.wake()

    async def _import_ours(self, given: Path | IO[bytes], **how: Any) -> Imported:
        from relembra.transfer.exports import ExportFile
        from relembra.transfer.imports import Importer

        importer = Importer(self._store, now=self._now(), new_id=self._new_id, quiet=self._policy.listen.quiet, **how)
        with given.open("rb") if isinstance(given, Path) else nullcontext(given) as file:
            return await importer.run(await asyncio.to_thread(ExportFile, file))

    async def _import_talks(
        self, given: Path | IO[bytes], file_name: str | None, scope: Scope | None, timezone: str | None, **how: Any
    ) -> Imported:
        from relembra.transfer.sources import Sources
        from relembra.transfer.talks import Intake, TalkImporter, is_any, no_export

        zone = self._zone(timezone)
        with await asyncio.to_thread(Sources, given, file_name or "") as sources:
            if scope is None:
                is_known = await asyncio.to_thread(is_any, sources)
                why = InvalidInputError("name the user whose memory it goes into", field="user")
                raise why if is_known else no_export()
            listen = self._policy.listen
            intake = Intake(
                store=self._store, scope=scope, now=self._now(), zone=zone, new_id=self._new_id, quiet=listen.quiet,
                window=listen.window, hears=self._listening.hears, media=self._media,
                language=self._visibility.language_for([], None), add_facts=partial(self._add_facts, scope, zone),
                tonight=partial(self._listening.tonight, CONSOLIDATE, scope), **how,
            )  # fmt: skip
            return await TalkImporter(intake).run(sources)

    def _zone(self, name: str | None) -> tzinfo:
        """The clock of moments that carry none: the one named, else the person's, as this program knows it."""
        try:
            return ZoneInfo(name) if name else ZoneInfo(self._home) if self._home else self._clock().tzinfo or UTC
        except (KeyError, ValueError, OSError) as exc:
            raise InvalidInputError(f"no timezone {name!r}; name one like America/Recife", field="timezone") from exc

    async def _add_facts(self, scope: Scope, zone: tzinfo, facts: Sequence[tuple[str, Fact]], dry_run: bool) -> int:
        """Make known what another memory knew, under ids that are the same every time; how many were new.

        What is read in a fact meets what is held as if it were said then; one that is known already is not added.
        """
        from relembra.views.documents import birthday_told

        held = {item.id for item in await self._store.get(scope, KnowledgeItem, [id for id, _ in facts])}
        new = {id: fact for id, fact in facts if id not in held}
        if dry_run:
            return len(new)
        actor, plain, added = Actor.of(None, scope.user), list[KnowledgeItem](), 0
        for id, fact in sorted(new.items(), key=lambda pair: (pair[1].at is None, pair[1].at)):
            since = None if fact.at is None else fact.at.astimezone(zone)
            text = fact.text
            if fact.attribute == "birthday" and fact.subject and fact.value:
                text = birthday_told(fact.subject, fact.value, self._visibility.language_for([], None))
            elif fact.subject is not None and fold(fact.subject) not in fold(text):
                text = f"{fact.subject}: {text}"
            draft = Draft(
                content=text, source=Source.IMPORT, subject=fact.subject, tags=fact.tags, held_from=since,
                attribute=fact.attribute, value=fact.value,
                type=None if fact.attribute is None else KnowledgeType.PERSON,
            )  # fmt: skip
            item = worded(
                draft, id=id, scope=scope, place=DIRECT, zoned_now=self._clock().astimezone(zone), actor=actor,
                policy=self._policy.confidence, language_of=self._language_of,
            )  # fmt: skip
            read = await self._learner.said_in(replace(item, content=fact.text)) if fact.attribute is None else None
            item = self._learner.by_topic(understood(item, draft, read))
            if item.attribute is None:
                plain.append(item)
            else:
                added += await self._decided(scope, item, actor, since)
        for start in range(0, len(plain), FACTS):
            batch = plain[start : start + FACTS]
            await self._keeper.add(scope, batch, await self._vectors(batch), None, beside=[self._tonight(batch[0])])
        return added + len(plain)

    async def _decided(self, scope: Scope, item: KnowledgeItem, actor: Actor, said_at: datetime | None) -> bool:
        """Hold an item against what is known, and keep it unless that is known already."""
        vectors = await self._vectors([item])
        proposals = [Proposal(item, said_at=said_at, vector=vectors[0] if vectors else None)]
        decide = partial(self._learner.take, scope, proposals, actor=actor, judge=self._offline, verb="add")
        if isinstance((await decide(dry_run=True)).decisions[0], Repeat):
            return False
        learnt = await decide(finish=[self._tonight(item)])
        await self._casework.clear(scope, [row.id for row in learnt.ended])
        return True

    async def _vectors(self, items: Sequence[KnowledgeItem]) -> list[Vector] | None:
        return await self._finder.vectors([item_text(item) for item in items])

    def _tonight(self, item: KnowledgeItem) -> Op:
        return self._listening.tonight(CONSOLIDATE, item.scope, item.zone, item.held_from)

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

        zone = await self._visibility.zone_of(scope)
        notes = [replace(one, happened_at=local(one.happened_at, zone)) for one in await all_notes(self._store, scope)]
        tongue = self._visibility.language_for([], language)
        write_notes(file, scope.user, notes, language=tongue)
        return Exported(counts={"notes": len(notes)}, people=1, bytes=file.tell())

    async def _write_vault(self, scope: Scope, file: IO[bytes], language: str | None) -> Exported:
        from relembra.transfer.exports import Exported, all_items, all_notes, days_of_talk
        from relembra.views.profile import people
        from relembra.views.vault import Vault, vault_day

        now, zone = self._now(), await self._visibility.zone_of(scope)
        items = [item for item in await all_items(self._store, scope) if item.deleted_at is None]
        current = [item for item in items if item.is_current(now)]
        vault = Vault(
            scope.user, items, people(current, now=now, speaker=scope.user), await all_notes(self._store, scope),
            now=now, zone=zone, language=self._visibility.language_for(current, language),
        )  # fmt: skip
        counts = await vault.write(file, days_of_talk(self._store, scope, partial(vault_day, zone=zone)))
        return Exported(counts=counts, people=1, bytes=file.tell())

    async def _write_items(self, scope: Scope, file: IO[bytes], format: str) -> Exported:
        from relembra.transfer.exports import Exported, all_items
        from relembra.transfer.others import write_csv, write_mem0

        items, now = await all_items(self._store, scope), self._now()
        many = write_csv(file, items, now) if format == "csv" else write_mem0(file, scope.user, items, now)
        return Exported(counts={"items": many}, people=1, bytes=file.tell())


def is_ours(given: Path | IO[bytes]) -> bool:
    """Whether it is an export of Relembra, by how it begins."""
    from relembra.transfer.exports import is_export

    if not isinstance(given, Path):
        return is_export(given)
    try:
        with given.open("rb") as file:
            return is_export(file)
    except IsADirectoryError:
        return False
    except FileNotFoundError:
        raise InvalidInputError(f"there is no file {given}", field="file") from None
    except OSError as exc:
        raise InvalidInputError(f"{given} cannot be read: {exc.strerror}", field="file") from exc


@contextmanager
def _opened(source: str | Path | BinaryIO) -> Iterator[Path | IO[bytes]]:
    """A path, or a stream that can be gone through twice; what comes from a pipe is kept aside first."""
    if isinstance(source, str | Path):
        yield Path(source).expanduser()
    elif source.seekable():
        yield source
    else:
        with tempfile.TemporaryFile() as kept:
            shutil.copyfileobj(source, kept)
            yield kept
