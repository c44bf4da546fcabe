"""Taking in what other programs export: every file is read through first, then its messages are stored in batches.

A message has the same id however often it is imported, so that a second time adds nothing, a longer export of the same
chat adds what is new, and an import that was stopped goes on when it is run again. What was said is learnt from in the
order in which it was said, whatever order the files have: the work that does so is left under the moment of its words,
and held back until all is stored.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from hashlib import blake2b
from itertools import groupby, islice
from operator import attrgetter

import msgspec

from relembra.domain.access import BlockKind
from relembra.domain.candidate import Spent
from relembra.domain.jobs import IMPORT, MOST_TOGETHER, index_job, job_now, read_job
from relembra.domain.message import (
    FROM_FILES,
    IMAGE,
    IMPORTED_FROM,
    LONGEST_TITLE,
    Conversation,
    Message,
    Note,
    NoteKind,
    Role,
    title_for,
)
from relembra.domain.scope import DIRECT, Place, Scope, shelf_of
from relembra.domain.text import LONGEST_TEXT_BYTES, as_seen, fold, is_blank, shortened, visible_line
from relembra.domain.time import AHEAD, EARLIEST, LATEST, zone_of
from relembra.errors import InvalidInputError, MindError, MindUnavailableError, UnknownSpeakerError
from relembra.minds.port import InWords
from relembra.store import port
from relembra.transfer.chats import DOCUMENT, Context, Fact, Format, Found, Left, Passage, Said, Why, recognised
from relembra.transfer.documents import Block, pieces
from relembra.transfer.exports import Progress
from relembra.transfer.imports import BATCH, Imported, Refused
from relembra.transfer.media import LARGEST, Media, MediaKind, digest_of, media_kind
from relembra.transfer.sources import File, Sources

AT_ONCE = 2_000  # rows read in one go, between which an import can be stopped
HELD = timedelta(hours=6)
LONGEST_NAME = 100
READ_AT_ONCE = 4  # recordings and pictures, which are then stored: what they cost is not to be lost
MOST_OF_ONE = 200  # passages of one recording or page
LONGEST_SOURCE = 160  # the title of a document with the page and heading of a passage
MOST_NAMES = 2_000
MOST_SHOWN = 50
_TAKEN = frozenset(map(as_seen, ("assistant", "assistente", "system", "sistema", "relembra")))
_HALF = re.compile("[\ud800-\udfff]")
_APART = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Whose memory messages go into, and what that has for them."""

    store: port.Store
    scope: Scope
    now: datetime
    zone: tzinfo
    new_id: Callable[[], str]
    quiet: timedelta
    window: timedelta
    hears: Callable[[Message], bool]  # False: the settings name who said it, or where
    add_facts: Callable[[Sequence[tuple[str, Fact]], bool], Awaitable[int]]  # under ids; how many were new
    tonight: Callable[[str, datetime], port.Op]  # the night's work, on the clock of a zone
    language: str = "en"  # of what is told of signs
    spaces: bool = True  # False: what was said in a group is kept in private, for here others would hear it
    media: Media
    photo_details: bool = False  # keep when and where pictures were taken
    me: Sequence[str] = ()  # what whoever exported it is called in the exports
    dry_run: bool = False
    progress: Progress | None = None


@dataclass(slots=True)
class Survey:
    """What reading a file through told."""

    file: File
    format: Format
    said: int = 0
    facts: int = 0
    passages: int = 0
    owners: set[str] = field(default_factory=set)  # of what another memory knew
    left: Counter[Why] = field(default_factory=Counter)
    talks: set[int] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    by: Counter[str] = field(default_factory=Counter)  # how much each said, the assistant and unnamed ones as ""
    speakers: dict[str, set[str]] = field(default_factory=dict)  # of each talk between people
    first: datetime | None = None
    last: datetime | None = None

    @property
    def found(self) -> int:
        return self.said + self.facts + self.passages

    def note(self, found: Found) -> None:
        match found:
            case Left(why, many):
                self.left[why] += many
            case Fact():
                self.facts += 1
                self.owners |= {found.owner} if found.owner else set()
            case Passage():
                self.passages += 1
                self._spans(found.at)
            case Said():
                self.said += 1
                self.talks.add(hash(found.talk))
                if found.group is not None:
                    self.groups.add(found.group)
                name = "" if found.role is Role.ASSISTANT else found.author
                self.by[name if name in self.by or len(self.by) < MOST_NAMES else ""] += 1
                if self.format.between_people and len(self.speakers) < MOST_NAMES:
                    talk = self.speakers.setdefault(found.talk, set())
                    if len(talk) < MOST_NAMES:
                        talk.add(found.author)
                self._spans(found.at)

    def _spans(self, at: datetime | None) -> None:
        if at is not None:
            self.first, self.last = min(self.first or at, at), max(self.last or at, at)


def kept(found: Iterator[Found], *, zone: tzinfo, now: datetime) -> Iterator[Found]:
    """What a format found, with what no memory could keep left out, and every moment on the person's clock.

    What has no moment of its own was said when the message before it was.
    """
    earliest, latest = (EARLIEST + timedelta(days=2)).astimezone(zone), (now + AHEAD).astimezone(zone)
    before: datetime | None = None
    talk = ""

    def local(at: datetime | None, latest: datetime = latest) -> datetime | None:
        """The moment on the person's clock; None: there is none, or it cannot be."""
        if at is not None and at.tzinfo is None:
            at = at.replace(tzinfo=zone)
        try:
            here = at if at is None or at.tzinfo is zone else at.astimezone(zone)
        except OverflowError:
            return None
        return here if here is not None and earliest <= here <= latest else None

    for one in found:
        if isinstance(one, Left):
            yield one
            continue
        text, why = _readable(one.text)
        if why is Why.EMPTY and not isinstance(one, Fact) and one.file is not None:
            why = None  # its words are still to be told
        if why is not None:
            yield Left(why)
            continue
        if isinstance(one, Passage):
            yield replace(one, text=text, at=local(one.at, LATEST if one.is_event else latest))
            continue
        if isinstance(one, Fact):
            subject = None if one.subject is None else _name(one.subject)
            yield replace(one, text=text, at=local(one.at), subject=subject, tags=tuple(map(_name, one.tags)))
            continue
        at = before if one.at is None and one.talk == talk else local(one.at)
        if at is None and one.file is not None:
            at = now.astimezone(zone)  # a picture is kept without a moment of its own
        if at is None:
            yield Left(Why.TIME)
            continue
        before, talk = at, one.talk
        yield one if one.at is at and one.text is text else msgspec.structs.replace(one, text=text, at=at)


def _readable(text: str) -> tuple[str, Why | None]:
    """A text as it may be kept, or why it cannot: without NULs and halves of letters."""
    text = text.replace("\x00", "")
    if not text.isascii() and _HALF.search(text):
        text = text.encode("utf-8", "replace").decode()
    if len(text) > LONGEST_TEXT_BYTES // 4 and len(text.encode()) > LONGEST_TEXT_BYTES:
        return "", Why.LONG
    return text, Why.EMPTY if is_blank(text) else None


class TalkImporter:
    """Takes the files of other programs into one person's memory."""

    def __init__(self, intake: Intake) -> None:
        self._in = intake
        self._added: Counter[str] = Counter()
        self._skipped = self._done = self._total = 0
        self._left: Counter[Why] = Counter()
        self._owners: frozenset[str] = frozenset()
        self._conversations: set[str] = set()
        self._kept: set[int] = set()  # documents, by the hash of their ids
        self._blocked: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._last: tuple[str, datetime] | None = None
        self._spent: list[Spent] = []  # by models that put files into words, and not counted yet
        self._lost: set[MediaKind] = set()  # whose reader is out of reach

    async def run(self, sources: Sources) -> Imported:
        """Read all files through, then store what each that can be read holds.

        Where there is one file alone, what is wrong with it is an `InvalidInputError`; of several each stands for
        itself.
        """
        surveys, refused = await self._surveyed(sources)
        if not surveys:
            if refused:
                raise refused[0][1]
            raise no_export()
        own = await asyncio.to_thread(own_names, surveys, self._in.me, self._in.scope.user)
        self._owners = owners_meant(surveys, self._in.me, self._in.scope.user)
        self._total = sum(survey.found for survey in surveys)
        for survey in surveys:
            self._left.update(survey.left)
        await self._store_all(surveys, own)
        names: Counter[str] = Counter()
        for survey in surveys:
            names.update(survey.by)
        said_by = {name: many for name, many in names.most_common(MOST_SHOWN) if name}
        moments = [at for survey in surveys for at in (survey.first, survey.last) if at is not None]
        return Imported(
            added=dict(self._added),
            skipped=self._skipped,
            left_out=sum(self._left.values()),
            people=(self._in.scope.user,),
            dry_run=self._in.dry_run,
            formats=tuple(dict.fromkeys(survey.format.name for survey in surveys if survey.found)),
            talks=len(set().union(*(survey.talks for survey in surveys))),
            by=said_by,
            me=tuple(name for name in said_by if fold(name) in own),
            first=min(moments, default=None),
            last=max(moments, default=None),
            why={why.value: many for why, many in self._left.most_common()},
            refused=tuple(
                Refused(name, str(exc).removeprefix(f"{name}: "), exc.kind) for name, exc in refused[:MOST_SHOWN]
            ),
            left_alone=sources.left_alone,
        )

    # ── reading through ───────────────────────────────────────────────────────────────────────────────────────────

    async def _surveyed(self, sources: Sources) -> tuple[list[Survey], list[tuple[str, InvalidInputError]]]:
        surveys: list[Survey] = []
        refused = list(sources.refused)
        read = 0
        told: list[tuple[File, Format]] = []
        for file in sources.files:
            try:
                format = await asyncio.to_thread(recognised, file)
            except InvalidInputError as exc:
                refused.append(_refusal(file, exc))
                continue
            if format is None:
                sources.left_alone += 1  # counted, for a folder holds much else
            else:
                told.append((file, format))
        exports = {id(file.all) for file, format in told if format.parts is None}
        for file, format in sorted(told, key=lambda one: one[1].parts is not None):  # who names an attachment first
            is_beside = id(file.all) in exports and format.parts is not None
            is_note = file.stem.lower() == "readme" or format.comes_along
            if is_beside and (is_note or file.name in file.all.attached):
                sources.left_alone += 1  # a page or a picture that comes with what a program exported
                continue
            try:
                survey = Survey(file, format)
                rows = self._rows(file, format)
                while some := await asyncio.to_thread(_some, rows):
                    for one in some:
                        survey.note(one)
                    read += len(some)
                    if self._in.progress is not None:
                        self._in.progress(read, 0)
                surveys.append(survey)
            except InvalidInputError as exc:
                refused.append(_refusal(file, exc))
        return surveys, refused

    def _rows(self, file: File, format: Format) -> Iterator[Found]:
        context = Context(self._in.zone, self._in.language)
        for found in kept(format.read(file, context), zone=self._in.zone, now=self._in.now):
            kind = media_kind(found.file.name) if isinstance(found, Said) and found.file else None
            yield found if kind is None or self._in.media.reads(kind) else Left(Why(kind))

    # ── storing ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _store_all(self, surveys: Sequence[Survey], own: frozenset[str]) -> None:
        store, scope = self._in.store, self._in.scope
        blocks = await store.blocks(scope.tenant)
        people = frozenset(fold(block.name) for block in blocks if block.kind is BlockKind.PERSON)
        self._blocked = people, frozenset(fold(block.name) for block in blocks if block.kind is BlockKind.SPACE)
        groups = set().union(*(survey.groups for survey in surveys)) if self._in.spaces else set()
        shelves = [scope, *(shelf_of(scope, Place(_name(group), "any")) for group in sorted(groups)[:MOST_NAMES])]
        holds: Sequence[Scope] = [] if self._in.dry_run else await self._hold(shelves)
        try:
            for survey in surveys:
                naming = _Naming(self._in, survey.format, own)
                rows = self._rows(survey.file, survey.format)
                document: list[Passage] = []
                while some := await asyncio.to_thread(_some, rows):
                    document += [one for one in some if isinstance(one, Passage)]
                    *whole, document = [list(one) for _, one in groupby(document, attrgetter("document"))] or [[]]
                    await self._keep([naming.document(survey.file, one) for one in whole], survey.format)
                    said = [(naming.message(one), one.file) for one in some if isinstance(one, Said)]
                    plain, unread = [one for one in said if one[1] is None], [one for one in said if one[1] is not None]
                    for messages, size in ((plain, BATCH), (unread, READ_AT_ONCE)):
                        for start in range(0, len(messages), size):
                            await self._store(messages[start : start + size], naming)
                    knew = [one for one in some if isinstance(one, Fact)]
                    facts = [(naming.fact_id(one), one) for one in knew if fold(one.owner) in self._owners]
                    self._left.update({Why.OTHERS: len(knew) - len(facts)} if len(facts) < len(knew) else {})
                    for start in range(0, len(facts), BATCH):
                        known = facts[start : start + BATCH]
                        new = await self._in.add_facts(known, self._in.dry_run)
                        self._count("items", new, len(known) - new, len(known))
                if document:
                    id = naming.document_id(survey.file, document)
                    document = [one for part in document for one in await self._passages_in_words(part, id, naming)]
                await self._keep([naming.document(survey.file, document)] if document else [], survey.format)
        finally:
            await self._release(holds)

    async def _hold(self, shelves: Sequence[Scope]) -> Sequence[Scope]:
        """Let what is to be learnt wait until all is here, so that what was said first is learnt first.

        A hold that nobody takes away, because its import was killed, is let go by a worker in time.
        """
        for shelf in shelves:
            job = replace(job_now(IMPORT, shelf, {}, id=self._in.new_id(), now=self._in.now), key=IMPORT)
            await self._in.store.apply(shelf, [port.Enqueue(job)])
            await self._in.store.claim((IMPORT,), now=self._in.now, lease=HELD, limit=1, scopes=[shelf])
        return shelves

    async def _release(self, holds: Sequence[Scope]) -> None:
        for shelf in holds:  # with those of imports that were killed
            held = await self._in.store.jobs(scope=shelf, kinds=(IMPORT,))
            await self._in.store.apply(shelf, [port.FinishJob(job.id, may_be_gone=True) for job in held])
        night = [] if self._last is None or self._in.dry_run else [self._in.tonight(*self._last)]
        if ops := [*night, *self._uses()]:
            await self._in.store.apply(self._in.scope, ops)

    async def _store(self, said: Sequence[tuple[Message, File | None]], naming: _Naming) -> None:
        """Store what is new of a batch, with the work it causes, in one transaction; recordings and pictures are put
        into words first.
        """
        heard, new = await self._new_of([message for message, _ in said])
        known, files = heard - len(new), {message.id: file for message, file in said if file is not None}
        if files and not self._in.dry_run:
            words = await asyncio.gather(*(self._message_in_words(message, files[message.id]) for message in new))
            new = [message for message in words if message is not None]
        await self._add(new, naming)
        self._count("messages", len(new), known, len(said))

    async def _new_of(self, messages: Sequence[Message]) -> tuple[int, list[Message]]:
        """How many of a batch are listened to, and those of them that are not here yet."""
        heard = {message.id: message for message in messages if self._is_heard(message)}
        shut = sum(not self._is_heard(message) for message in messages)
        self._left.update({Why.BLOCKED: shut} if shut else {})
        held = {row.id for row in await self._in.store.get(self._in.scope, Message, list(heard))}
        return len(messages) - shut, [message for id, message in heard.items() if id not in held]

    async def _add(self, new: Sequence[Message], naming: _Naming) -> None:
        if not new:
            return
        ids = list({message.conversation for message in new} - self._conversations)
        known = await self._in.store.get(self._in.scope, Conversation, ids)
        self._conversations.update(ids)
        if len(ids) > len(known):
            self._added["conversations"] += len(ids) - len(known)
        if not self._in.dry_run:
            receipt = await self._in.store.apply(self._in.scope, self._ops(new, naming))
            self._added["messages"] -= len(receipt.known)
            self._skipped += len(receipt.known)
        self._last = new[-1].zone, new[-1].sent_at

    async def _message_in_words(self, message: Message, file: File) -> Message | None:
        """A recording or picture with its words; None where they cannot be told now, which is counted."""
        content = await self._content(file)
        if content is None or (told := await self._words_of(file, content)) is None:
            return None
        sent_at = message.sent_at
        is_alone = message.metadata[IMPORTED_FROM] == IMAGE  # and so of when it was taken
        if told.taken_at is not None and is_alone:
            taken = told.taken_at if told.taken_at.tzinfo else told.taken_at.replace(tzinfo=self._in.zone)
            sent_at = taken.astimezone(UTC)
        return replace(message, text=told.text, sent_at=sent_at, metadata={**message.metadata, **told.metadata})

    async def _passages_in_words(self, passage: Passage, id: str, naming: _Naming) -> list[Passage]:
        """A passage of a document; of a recording or a picture of a page those its words make, read once for all."""
        if passage.file is None:
            return [passage]
        content = await self._content(passage.file)
        if content is None:
            return []
        names = [f"{digest_of(content)}:{number}" for number in range(MOST_OF_ONE)]
        ids = [naming.passage_id(id, name, passage.at) for name in names]
        held = {note.id: note.summary for note in await self._in.store.get(self._in.scope, Note, ids)}
        texts = [held[one] for one in ids if one in held]
        if not texts and self._in.dry_run and self._in.media.reads(_kind_of(passage.file)):
            texts = ["…"]  # one at least
        elif not texts:
            told = await self._words_of(passage.file, content)
            texts = [] if told is None else [one.text for one in pieces(Block(text=told.text))]
        return [replace(passage, text=text, name=name, file=None) for text, name in zip(texts, names, strict=False)]

    async def _content(self, file: File) -> bytes | None:
        """All of a recording or picture, or as much as shows that it is too large; None where it cannot be read."""
        try:
            return await asyncio.to_thread(_beginning, file, LARGEST + 1)
        except InvalidInputError:
            self._left[Why.UNREADABLE] += 1
            return None

    async def _words_of(self, file: File, content: bytes) -> InWords | None:
        """A recording or picture in words; None where that cannot be told now, which is counted.

        A server that is out of reach is not asked again; importing the same again brings what is missing.
        """
        why = Why(kind := _kind_of(file))
        if kind not in self._lost and self._in.media.reads(kind):
            try:
                told = await self._in.media.in_words(kind, file.where, content, details=self._in.photo_details)
                self._spent += told.spent
                text, unreadable = _readable(told.text)
                if unreadable is None:
                    return replace(told, text=text)
                why = unreadable
            except MindUnavailableError:
                self._lost.add(kind)
            except MindError:
                pass  # another may be read
            except InvalidInputError as exc:
                why = Why.LONG if exc.kind == "long" else Why.UNREADABLE
        self._left[why] += 1
        return None

    async def _keep(self, documents: Sequence[Document], format: Format) -> None:
        """Keep documents, each whole: what is new of it is added, and what it says no longer is hidden."""
        store, scope, now = self._in.store, self._in.scope, self._in.now
        whole, part = format.parts or DOCUMENT
        for start in range(0, len(documents), BATCH):
            some = documents[start : start + BATCH]
            known = {talk.id: talk for talk in await store.get(scope, Conversation, [one.talk.id for one in some])}
            ids = [note.id for one in some for note in one.notes]
            held = {note.id: note for note in await store.get(scope, Note, ids)}
            ops: list[port.Op] = []
            new: list[str] = []
            for one in some:
                talk = known.get(one.talk.id)
                is_hidden = talk is not None and talk.deleted_at is not None
                if one.is_one_of_many and (is_hidden or hash(one.talk.id) in self._kept):
                    self._count(part, 0, len(one.notes), len(one.notes))
                    continue
                self._kept.add(hash(one.talk.id))
                wanted = port.NoteFilter(conversation=one.talk.id, kinds=FROM_FILES, archived=True)
                shown = await port.all_rows(partial(store.page, scope, wanted), limit=BATCH) if talk else []
                changed, added = _changes(one, held, shown, now)
                ops += [port.TouchConversation(one.talk), *changed] if changed else []
                new += added
                self._added[whole] += bool(changed)
                self._count(part, len(added), len(one.notes) - len(added), len(one.notes))
            for begin in range(0, len(new), BATCH):
                job = index_job(scope, port.Kind.NOTE, new[begin : begin + BATCH], id=self._in.new_id(), now=now)
                ops.append(port.Enqueue(job))
            ops += self._uses()
            if ops and not self._in.dry_run:
                await store.apply(scope, ops)

    def _ops(self, new: Sequence[Message], naming: _Naming) -> list[port.Op]:
        scope, now = self._in.scope, self._in.now
        ops: list[port.Op] = []
        talks: dict[str, list[Message]] = {}
        for message in new:
            talks.setdefault(message.conversation, []).append(message)
        for id, said in talks.items():
            ops.append(port.TouchConversation(naming.conversation(id, said)))
            for message in said:
                into = port.InBuffer(
                    id=self._in.new_id(), now=message.sent_at, quiet=self._in.quiet, window=self._in.window
                )
                ops.append(port.PutMessage(message, None if message.role is Role.SYSTEM else into))
            for stretch in self._stretches([message for message in said if message.role is Role.USER]):
                job = read_job(scope, id, [one.id for one in stretch], id=self._in.new_id(), now=now)
                due = min(now, *(one.sent_at for one in stretch))
                ops.append(port.Enqueue(replace(job, key=None, due_at=due)))
        ids = [message.id for message in new]
        # the night accounts for what a day brought; of what is imported, only for what it taught
        ops.append(port.Account(messages=tuple(message.id for message in new if message.role is Role.USER)))
        ops += self._uses()
        ops.append(port.Enqueue(index_job(scope, port.Kind.MESSAGE, ids, id=self._in.new_id(), now=now)))
        return ops

    def _uses(self) -> list[port.Op]:
        spent, self._spent = self._spent, []
        return [port.CountUse.of(one, self._in.now) for one in spent]

    def _stretches(self, said: Sequence[Message]) -> Iterator[list[Message]]:
        """What was said without a long silence, and not too much at once."""
        some: list[Message] = []
        for message in said:
            if some and (len(some) == MOST_TOGETHER or abs(message.sent_at - some[-1].sent_at) > self._in.quiet):
                yield some
                some = []
            some.append(message)
        if some:
            yield some

    def _is_heard(self, message: Message) -> bool:
        people, spaces = self._blocked
        names = {fold(message.author), fold(self._in.scope.user)}
        is_shut = message.place.space is not None and fold(message.place.space) in spaces
        return people.isdisjoint(names) and not is_shut and self._in.hears(message)

    def _count(self, part: str, new: int, known: int, done: int) -> None:
        self._added[part] += new
        self._skipped += known
        self._done += done
        if self._in.progress is not None:
            self._in.progress(self._done, self._total)


def _refusal(file: File, exc: InvalidInputError) -> tuple[str, InvalidInputError]:
    said = f"{file.name}: {exc}" if file.name else str(exc)
    return file.name, InvalidInputError(said, field="file", kind=exc.kind)


def no_export() -> InvalidInputError:
    return InvalidInputError(
        "this is no export of Relembra, nor of another program it can read", field="file", kind="none"
    )


def is_any(sources: Sources) -> bool:
    """Whether any of the files is an export known here."""
    return any(recognised(file) is not None for file in sources.files)


def _kind_of(file: File) -> MediaKind:
    return MediaKind(media_kind(file.name) or "")


def _beginning(file: File, size: int) -> bytes:
    with file.open() as stream:
        return stream.read(size)


def _some(rows: Iterator[Found]) -> list[Found]:
    return list(islice(rows, AT_ONCE))


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is kept: a note a passage, together under an id that forgets and hides them together."""

    talk: Conversation
    notes: Sequence[Note]
    is_one_of_many: bool  # of a file, and the same wherever it is found


def _changes(
    document: Document, held: Mapping[str, Note], shown: Sequence[Note], now: datetime
) -> tuple[list[port.Op], list[str]]:
    """What brings a document up to date, and the notes that are new to it or back."""
    ids = {note.id for note in document.notes}
    new = [note for note in document.notes if note.id not in held]
    back = [known for note in document.notes if (known := held.get(note.id)) and known.deleted_at is not None]
    gone = [note for note in shown if note.id not in ids]
    ops: list[port.Op] = [port.Put(note, None) for note in new]
    ops += [port.Put(replace(note, deleted_at=None, version=note.version + 1), note.version) for note in back]
    ops += [port.Put(replace(note, deleted_at=now, version=note.version + 1), note.version) for note in gone]
    return ops, [note.id for note in (*new, *back)]


class _Naming:
    """Turns what a file of one format says into messages: who said it, where, and under which ids."""

    def __init__(self, intake: Intake, format: Format, own: frozenset[str]) -> None:
        self._in = intake
        self._format = format
        self._own = own
        self._titles: dict[str, str] = {}
        self._now: datetime | None = None  # the moment of the message before
        self._times: Counter[str] = Counter()  # messages of that moment in each talk
        self._same: Counter[tuple[str, ...]] = Counter()  # what was said in it

    def message(self, said: Said) -> Message:
        at = said.at
        assert at is not None  # as `kept` leaves it
        if at != self._now:
            self._now = at
            self._times.clear()
            self._same.clear()
        conversation = self._id(said.talk)
        words = (said.author, said.role.value, said.text)
        again = self._same[said.talk, *words]
        self._same[said.talk, *words] += 1
        # what a file tells without a zone is the same message in whatever zone it is read
        named_at = at.replace(tzinfo=UTC) if self._format.wall_clock else at.astimezone(UTC)
        name = said.id or _digest(*words, f"{named_at.isoformat()} {at.fold}", str(again))
        external = f"{conversation}:{name}"
        if len(external) > 190 or not external.isprintable():
            external = f"{self._format.name}:{_digest(said.talk, name)}"
        sent_at = at.astimezone(UTC) + self._times[said.talk] * _APART  # those of one minute keep their order
        self._times[said.talk] = min(self._times[said.talk] + 1, 999)
        if said.title and conversation not in self._titles:
            if len(self._titles) > MOST_NAMES:
                self._titles.clear()
            self._titles[conversation] = said.title
        is_mine = said.role is Role.ASSISTANT or not said.author or fold(said.author) in self._own
        return Message(
            id=self._row_id(EARLIEST if self._format.parts else named_at, external, said.role.value),
            scope=self._in.scope,
            conversation=conversation,
            role=said.role,
            author="assistant"
            if said.role is Role.ASSISTANT
            else self._in.scope.user
            if is_mine
            else self._other(said.author),
            text=said.text,
            sent_at=sent_at,
            zone=zone_of(at),
            place=self._place(said),
            external_id=external,
            metadata={IMPORTED_FROM: self._format.name},
            saved_at=self._in.now,
        )

    def _other(self, author: str) -> str:
        """What somebody else is called: never as the person themselves, and never as the assistant."""
        name = _name(author)
        is_taken = as_seen(name) in _TAKEN or fold(name) == fold(self._in.scope.user)
        return f"{name} ({self._format.name})" if is_taken else name

    def _place(self, said: Said) -> Place:
        if said.group is None or not self._in.spaces:
            return DIRECT
        return Place(_name(said.group), _name(said.channel))

    def conversation(self, id: str, said: Sequence[Message]) -> Conversation:
        title = visible_line(self._titles.get(id, "")) or title_for(said[0].text)
        return Conversation(
            id=id,
            scope=self._in.scope,
            place=said[0].place,
            title=shortened(title, LONGEST_TITLE),
            created_at=min(message.sent_at for message in said),
            updated_at=max(message.sent_at for message in said),
        )

    def document_id(self, file: File, passages: Sequence[Passage]) -> str:
        return self._id(passages[0].document or file.name or _digest(*(one.text for one in passages)))

    def passage_id(self, document: str, name: str, at: datetime | None) -> str:
        return self._row_id(at or EARLIEST, f"{document}:{name}", "note")

    def document(self, file: File, passages: Sequence[Passage]) -> Document:
        """The notes of a document: of the same words at the same place always the same one."""
        first, now, id = passages[0], self._in.now, self.document_id(file, passages)
        named = visible_line(file.name.rpartition("/")[2]) or first.title or self._format.name
        times: Counter[str] = Counter()
        notes: list[Note] = []
        for one in passages:
            page = "" if one.page is None else f", p. {one.page}"
            heading = f" · {one.heading}" if one.heading else ""
            said = _digest(one.title, one.heading, str(one.page), one.text)
            times[said] += 1
            if (one.document or one.is_event) and times[said] > 1:
                continue  # the same e-mail or event twice
            notes.append(
                Note(
                    id=self.passage_id(id, one.name or f"{said}:{times[said]}", one.at),
                    scope=self._in.scope,
                    conversation=id,
                    kind=NoteKind.EVENT if one.is_event and one.at is not None else NoteKind.DOCUMENT,
                    title=shortened(f"{one.title or named}{page}{heading}", LONGEST_SOURCE),
                    summary=one.text,
                    happened_at=now if one.at is None else one.at.astimezone(UTC),
                    created_at=now,
                )
            )
        title = shortened(named if first.is_event else first.title or named, LONGEST_TITLE)
        at = now if first.at is None or not first.document else first.at.astimezone(UTC)
        talk = Conversation(id=id, scope=self._in.scope, title=title, created_at=at, updated_at=at)
        return Document(talk, notes, is_one_of_many=bool(first.document))

    def fact_id(self, fact: Fact) -> str:
        return self._row_id(EARLIEST, f"{self._format.name}:{fact.subject}:{fact.value or fact.text}", "fact")

    def _id(self, talk: str) -> str:
        plain = f"{self._format.name}:{talk}"
        return plain if len(plain) <= 120 and plain.isprintable() else f"{self._format.name}:{_digest(talk)}"

    def _row_id(self, at: datetime, name: str, kind: str) -> str:
        """The same id for the same row of the same person every time, in the order of time as other ids are."""
        stamp = max(0, int(at.timestamp() * 1000)) & 0xFFFF_FFFF_FFFF
        told = "\0".join((self._in.scope.tenant, self._in.scope.user, name, kind))
        chance = int.from_bytes(blake2b(told.encode("utf-8", "replace"), digest_size=10).digest())
        number = stamp << 80 | 0x7 << 76 | (chance >> 64 & 0xFFF) << 64 | 0x2 << 62 | chance & 0x3FFF_FFFF_FFFF_FFFF
        digits = f"{number:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()


def _name(given: str) -> str:
    """A name as it may be kept."""
    name = "".join(char for char in visible_line(given) if char.isprintable()).strip()[:LONGEST_NAME].strip()
    return name if name and not is_blank(name) else f"? {_digest(given)[:6]}"


def own_names(surveys: Sequence[Survey], me: Sequence[str], user: str) -> frozenset[str]:
    """What the person is called in the exports, folded: as they say, as a file says, as here, or as in every chat.

    An `UnknownSpeakerError` where none of that tells.
    """
    asked = [survey for survey in surveys if survey.format.between_people and survey.said]
    given = frozenset(map(fold, me))
    speakers = [names for survey in asked for names in survey.speakers.values()]
    everybody = {fold(name): name for names in speakers for name in names}
    by_files = frozenset(fold(name) for survey in asked for name in survey.format.own_names(survey.file))
    own = given or by_files or frozenset({fold(user)})
    if not asked or (own & everybody.keys() and not (given and not given & everybody.keys())):
        return own
    if not given and len(speakers) > 1:
        always = frozenset.intersection(*(frozenset(map(fold, names)) for names in speakers))
        if len(always) == 1:
            return own | always
    often: Counter[str] = Counter()
    for survey in asked:
        often.update(survey.by)
    raise UnknownSpeakerError([name for name, _ in often.most_common(20) if name], me)


def owners_meant(surveys: Sequence[Survey], me: Sequence[str], user: str) -> frozenset[str]:
    """Whose memories, folded, are taken of those that another program kept in one file: the person's alone.

    An `UnknownSpeakerError` where nothing tells whose that is.
    """
    owners = {fold(name): name for survey in surveys for name in survey.owners}
    meant = frozenset(map(fold, me)) or frozenset({fold(user)})
    if len(owners) > 1 and meant.isdisjoint(owners):
        raise UnknownSpeakerError(sorted(owners.values()), me)
    return frozenset({"", *(meant if len(owners) > 1 else owners)})
