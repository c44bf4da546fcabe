"""The duties behind listening: a quiet buffer becomes a note, a note becomes knowledge, a long talk gets a summary.

Each step is one transaction that ends its job and leaves the next, so that a worker killed anywhere is followed by
another that goes on, and nothing happens twice. No text is kept in a job.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from relembra.domain.candidate import Digest, NoteText, Talk
from relembra.domain.jobs import (
    BEGIN,
    CLUSTER,
    CONSOLIDATE,
    FLUSH,
    IMPORT,
    LEARN,
    READ,
    SUMMARISE,
    Job,
    Terms,
    clock_of,
    index_job,
    job_now,
    night_job,
)
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import LONGEST_TITLE, Message, Note, NoteKind, Role, title_for
from relembra.domain.policy import TendPolicy
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.domain.text import fold, is_blank, shortened
from relembra.domain.time import Clock, read_as_of
from relembra.errors import LONGEST_RETRY_SECONDS, ConflictError, MindError, MindUnavailableError, StaleError
from relembra.learn.keeper import once_only
from relembra.learn.learner import Learner
from relembra.minds.port import Reader
from relembra.store import port

_OURS = re.compile(
    r"^\s*(?P<mark>#{1,3}\s*)?(?:(?:What is known about|Said earlier|The conversation so far|Where the talk stands|"
    r"To ask|Something you could tell|Profile of|What happened|Memory of|O que se sabe sobre|Dito antes|"
    r"A conversa até aqui|Onde a conversa está|A perguntar|Algo que você pode contar|"
    r"Perfil de|O que aconteceu|Memória de)\b.{0,250}|"
    r"(?(mark)(?:How .{1,250} is|Como .{1,250} é)|(?!)))$",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"^\s*(?:[-*•]\s|[\w ]{2,40}:\s).*“")
_LINE = re.compile(r"^\s*(?:[-*•]\s|[-*•]$|\[|<|#{1,3}\s|[\w &;()–-]{2,40}:\s*(?:“.*”|\d+)?\s*$)")
_DATED = re.compile(r"^\s*[-*•]\s.{0,700}[”\]]\s*(?:\[[^\]]{3,120}\])?\s*$")
_RENDERED = re.compile(r"^\s*[-*•]\s(?:.{0,80}:\s)?“.*”(?:\s\[[^\]]{3,80}\])?\.?\s*$")
_QUESTION = re.compile(
    r"(?:Antes você disse .{3,300}, agora .{3,300}\. (?:Mudou algo|Qual está certo)\?|"
    r"Before, you said .{3,300}, and now .{3,300}\. (?:Has something changed|Which one is right)\?)"
)
_TAG = re.compile(r"<(/?)(background_facts|relembra|memory|user)\b([^<>]{0,400})>", re.IGNORECASE)


def without_echo(text: str) -> str:
    """The text without blocks, lines and questions of ours that were pasted or passed along in it."""
    if not any(mark in text for mark in ("“", "\n", "<", "#", "Antes você", "Before, you")):
        return text  # as most talk is
    text = _QUESTION.sub(" ", _without_blocks(text))
    lines = text.splitlines()
    kept: list[str] = []
    inside = False
    for number, line in enumerate(lines):
        heading = _OURS.match(line)  # one that lost its mark is told from a sentence by what stands below it
        if heading and (heading["mark"] or any(map(_SHOWN.match, lines[number + 1 : number + 4]))):
            inside = True
            continue
        if inside and (_LINE.match(line) or _DATED.match(line)):
            continue
        if line.strip():
            inside = False
        if not _RENDERED.match(line):
            kept.append(line)
    return "\n".join(kept).strip()


def _without_blocks(text: str) -> str:
    """The text without what stands between tags of ours, in one pass; a tag that is never closed is ordinary text."""
    tags = list(_TAG.finditer(text))
    closed_at = {tag[2].lower(): tag.start() for tag in tags if tag[1]}
    kept: list[str] = []
    start = 0
    inside: re.Match[str] | None = None
    for tag in tags:
        name = tag[2].lower()
        if inside is not None:
            if tag[1] and name == inside[2].lower():
                kept.append(text[start : inside.start()])
                start, inside = tag.end(), None
        elif not tag[1] and tag.start() < closed_at.get(name, -1) and (name != "user" or "name=" in tag[3]):
            inside = tag
    return " ".join([*kept, text[start:]])


TRIES_WITH_A_MODEL = 3
"""A model that answers, but uselessly, is given up for this talk after so many tries; the offline reader reads it."""
BY_DAY = frozenset({"digest", "compare", "summary"})
"""The tasks a model is asked for by day; the night has its own limit."""
KNOWN_LINES = 40
TURNS_BEFORE = 4  # messages that are read along with what was just said
MOST_LEFT = 1_000
DIGESTS_KEPT = 64
LEASE = timedelta(minutes=10)

log = logging.getLogger(__name__)


class Vectors(Protocol):
    """Whoever gives messages their vectors."""

    @property
    def name(self) -> str:
        """The embedder's."""

    async def of_messages(self, scope: Scope, messages: Sequence[Message]) -> dict[str, bytes]:
        """The vectors of messages' whole texts by id, made and stored where there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """What the duties share: the store, the readers, and digests on their way from the note to the learning."""

    store: port.Store
    reader: Reader
    offline: Reader
    learner: Learner
    reads_outside: bool  # readers are told nothing that is marked local-only
    language_of: Callable[[str], str | None]
    language: str
    clock: Clock
    new_id: Callable[[], str]
    vectors: Vectors
    begin: Callable[[Scope, str, Sequence[port.Op], datetime], Awaitable[None]]  # a planned value whose time has come
    calls_a_day: int
    tend: TendPolicy
    home: str
    space_zones: Mapping[str, str]  # of spaces with a clock of their own, by folded name
    hears: Callable[[Message], bool]  # False: the settings name who said it, or where, since it was kept
    digests: OrderedDict[str, Digest] = field(default_factory=OrderedDict)  # by note, so that no model is asked twice

    async def messages(self, tenant: str, members: Sequence[tuple[str, str]]) -> list[Message]:
        """Messages of several people in the order given; without hidden and forgotten ones, and who is not heard."""
        found: dict[str, Message] = {}
        for user in dict.fromkeys(user for user, _ in members):
            ids = [id for owner, id in members if owner == user]
            found |= {row.id: row for row in await self.store.get(Scope(tenant, user), Message, ids)}
        shown = [found[id] for _, id in members if id in found and found[id].deleted_at is None]
        return [message for message in shown if self.hears(message)]

    def readable(self, messages: Iterable[Message]) -> list[Message]:
        """The messages as a reader gets them: of those who are heard, without echoes of ours and what is then empty."""
        clean = (replace(message, text=without_echo(message.text)) for message in messages if self.hears(message))
        return [message for message in clean if not is_blank(message.text) and message.role is not Role.SYSTEM]

    async def talk(self, scope: Scope | None, messages: Sequence[Message], speaker: str | None = None) -> Talk:
        """The stretch as a reader is asked about it, in its own language; with what is known of one person."""
        tongues = Counter(
            tongue
            for message in messages
            if message.role is Role.USER and (tongue := self.language_of(message.text)) is not None
        )
        language = tongues.most_common(1)[0][0] if tongues else self.language
        held: Sequence[KnowledgeItem] = ()
        if scope is not None and self.reader is not self.offline and messages:
            away = (await self.store.withheld(scope)).items if self.reads_outside else frozenset()
            wanted = port.ItemFilter(now=self.clock(), asked_in=messages[-1].place, without=away)
            held = (await self.store.page(scope, wanted, limit=KNOWN_LINES)).rows
        return Talk(
            messages=tuple(messages),
            speaker=speaker,
            language=language,
            known=tuple(item.content for item in held),
            known_ids=tuple(item.id for item in held),
        )

    async def with_vectors(self, talk: Talk, said: Sequence[Message]) -> Talk:
        """The talk with the vectors of what was said, made now where they are lacking; so nothing is embedded twice."""
        texts = {message.id: message.text for message in said}
        found: dict[str, bytes] = {}
        try:
            for owner in dict.fromkeys(message.scope for message in talk.messages):
                mine = [row for row in talk.messages if row.scope == owner and texts.get(row.id) == row.text]
                vectors = await self.vectors.of_messages(owner, mine)
                found |= {texts[id]: vector for id, vector in vectors.items()}
        except MindError as exc:
            log.info("%d messages are read without their vectors: %s", len(said), type(exc).__name__)
            return talk
        return replace(talk, vectors=found, embedded_by=self.vectors.name)

    async def shown_outside(self, messages: Sequence[Message]) -> list[Message]:
        """Those of the messages a reader may be given: all, unless it asks another machine."""
        if not self.reads_outside:
            return list(messages)
        away: set[str] = set()
        for owner in dict.fromkeys(message.scope for message in messages):
            away |= (await self.store.withheld(owner)).messages
        return [message for message in messages if message.id not in away]

    async def digest(self, talk: Talk, job: Job) -> Digest:
        if len(await self.shown_outside(talk.messages)) < len(talk.messages):
            return await self.offline.digest(talk)
        await self.check_allowance(job.scope)
        try:
            return await self.reader.digest(talk)
        except MindUnavailableError:
            await self.count_use(job.scope, job)
            raise
        except MindError as exc:
            await self.count_use(job.scope, job)
            if job.attempts < TRIES_WITH_A_MODEL:
                raise
            log.warning("job %s is read offline, for the model's answers cannot be used: %s", job.id, exc)
            return await self.offline.digest(talk)

    async def check_allowance(self, scope: Scope) -> None:
        """`MindUnavailableError` when the day's calls of a model for this person, or this space, are used up."""
        if self.reader is self.offline:
            return
        today = self.clock().astimezone(UTC).date()
        uses = await self.store.usage(scope, since=today)
        if sum(use.calls for use in uses if use.task in BY_DAY) >= self.calls_a_day:
            raise MindUnavailableError(
                f"the {self.calls_a_day} model calls of today are used up; the rest is read tomorrow",
                retry_after_seconds=LONGEST_RETRY_SECONDS,
            )

    async def count_use(self, scope: Scope, job: Job | None = None) -> None:
        """Count what models were asked where nothing else is to be written; for a job only while it is there.

        Whoever was forgotten took their jobs along, and nothing with their name is to be written then.
        """
        if not (ops := self.used()):
            return
        try:
            await self.store.apply(scope, ops if job is None else [port.Expect(job=job.id), *ops])
        except ConflictError:
            log.info("job %s is gone, and what it asked is not counted", "" if job is None else job.id)

    def used(self) -> list[port.Op]:
        """What models were asked since, to be counted in the transaction of their effects."""
        return [port.CountUse.of(spent, self.clock()) for spent in self.reader.spent()]

    def ends(self, job: Job, messages: Sequence[Message], over: Sequence[str] = ()) -> list[port.Op]:
        """What ends a job together with what it taught; `over`: jobs that end with it.

        Those may have ended meanwhile, for they are not this worker's alone.
        """
        finish = [*self.used(), port.FinishJob(job.id), *(port.FinishJob(id, may_be_gone=True) for id in over)]
        if messages:  # what is learnt late, after the night's work was done, is accounted for the next one
            finish.append(self.tonight(CONSOLIDATE, job.scope, messages[-1].zone, messages[-1].sent_at))
        return finish

    def tonight(self, kind: str, scope: Scope, zone: str, at: datetime) -> port.Enqueue:
        """Work of the coming night, on the clock of what was said at a moment; left once however often it is asked.

        A space's is on its own clock, where it has one.
        """
        own = None if scope.space is None else self.space_zones.get(fold(scope.space))
        there, hour = own or clock_of(zone, at, self.home), self.tend.hour_of(kind == CLUSTER)
        return port.Enqueue(night_job(kind, scope, there, hour=hour, id=self.new_id(), now=self.clock()))


class _Duty:
    """Does jobs one after another, the oldest first."""

    kinds: tuple[str, ...]
    terms: Terms

    def __init__(self, listening: Listening) -> None:
        self._at = listening

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in sorted(jobs, key=lambda job: job.created_at):
            await self._do(job)

    async def _do(self, job: Job) -> None:
        raise NotImplementedError

    async def _finish(self, job: Job, ops: Sequence[port.Op] = ()) -> None:
        """End a job together with what came of it; another worker may have been quicker."""
        with once_only(job):
            await self._at.store.apply(job.scope, [*ops, *self._at.used(), port.FinishJob(job.id)])


class EndsImport(_Duty):
    """Lets go of what an import held back that ended without a word."""

    kinds: tuple[str, ...] = (IMPORT,)
    terms = Terms(lease=LEASE)

    async def _do(self, job: Job) -> None:
        await self._finish(job)


class Flusher(_Duty):
    """Closes a quiet buffer, writes its note, and leaves learning for each who spoke."""

    kinds: tuple[str, ...] = (FLUSH,)
    terms = Terms(lease=LEASE, after=(READ, IMPORT), at_once=2)

    async def _do(self, job: Job) -> None:
        at, store, scope, now = self._at, self._at.store, job.scope, self._at.clock()
        buffer = await store.find(scope, port.Buffer, str(job.payload["buffer"]))
        if buffer is None:
            return await self._finish(job)
        if buffer.is_open:
            await store.apply(scope, [port.EndBuffer(buffer.id)])
            buffer = await store.find(scope, port.Buffer, buffer.id) or buffer
        ended = port.EndBuffer(buffer.id, drop=True, noted=frozenset(id for _, id in buffer.messages))
        said = await at.messages(scope.tenant, buffer.messages)
        readable = at.readable(said)
        spoken = [message for message in readable if message.role is Role.USER]
        if not spoken:
            return await self._finish(job, [ended])
        owner = spoken[0].scope if len({message.scope for message in spoken}) == 1 else None
        talk = await at.with_vectors(await at.talk(owner, readable), said)
        is_read = buffer.place.is_private or all(message.is_imported for message in spoken)
        if owner is not None and is_read:  # what it taught as it was said, or came in, is not read once more
            waiting = await store.jobs(scope=owner, kinds=(READ,), limit=MOST_LEFT)
            unread = frozenset[str]().union(*(one.payload["messages"] for one in waiting))
            taught = [row for row in await at.learner.taught(owner, talk.messages) if row.deleted_at is None]
            talk = replace(talk, only=unread, taught=tuple(taught))
        digest = await at.digest(talk, job)
        note = Note(
            id=at.new_id(),
            scope=buffer.scope,
            place=buffer.place,
            conversation=buffer.conversation,
            kind=NoteKind.JOURNAL if all(message.is_journal for message in said) else NoteKind.CONVERSATION,
            title=digest.note.title,
            summary=digest.note.summary,
            participants=tuple(dict.fromkeys(message.author for message in said if message.role is Role.USER)),
            message_ids=tuple(message.id for message in said),
            happened_at=said[-1].sent_at,
            created_at=now,
        )
        ops: list[port.Op] = [
            port.Put(note, None),
            port.Enqueue(index_job(scope, port.Kind.NOTE, [note.id], id=at.new_id(), now=now)),
        ]
        for person in dict.fromkeys(row.scope for row in spoken):
            mine = [message.id for message in readable if message.scope == person]
            payload = {"note": note.id, "messages": mine, "read": is_read}
            learning = job_now(LEARN, person, payload, id=at.new_id(), now=now)
            is_late = all(message.is_imported for message in spoken)  # then what was said first is learnt first
            ops.append(port.Enqueue(replace(learning, due_at=note.happened_at) if is_late else learning))
        if scope.space is not None:
            ops.append(
                at.tonight(CLUSTER, scope, said[-1].zone, said[-1].sent_at)
            )  # told by topic, on the last speaker's clock
        at.digests[note.id] = digest
        while len(at.digests) > DIGESTS_KEPT:
            at.digests.popitem(last=False)
        return await self._finish(job, [*ops, ended])


class ReadDuty(_Duty):
    """Learns from what was just said in a direct talk, with what is always at hand: no model is asked."""

    kinds: tuple[str, ...] = (READ,)
    terms = Terms(lease=LEASE, one_a_scope=True, after=(IMPORT,), at_once=2, lane="read")

    async def _do(self, job: Job) -> None:
        at, user = self._at, job.scope.user
        said = await at.messages(job.scope.tenant, [(user, id) for id in job.payload["messages"]])
        said.sort(key=lambda message: (message.sent_at, message.id))
        messages = at.readable(said)
        if not messages:
            return await self._finish(job)
        first, mine = messages[0], {message.id for message in messages}
        if read_as_of(first.sent_at, at.clock()) == first.sent_at:
            await self._begun(job.scope, first.sent_at)
        wanted = port.MessageFilter(asked_in=first.place, said_there=True)
        near = await at.store.beside(first.scope, list(mine), before=TURNS_BEFORE, after=0, wanted=wanted)
        before = list({turn.id: turn for turns in near.values() for turn in turns if turn.id not in mine}.values())
        turns = sorted([*at.readable(before), *messages], key=lambda message: (message.sent_at, message.id))
        talk = await at.with_vectors(await at.talk(None, turns), [*before, *said])
        digest = await at.offline.digest(replace(talk, only=frozenset(mine), is_noted=False))
        with once_only(job):
            await at.learner.learn(
                job.scope,
                messages,
                [candidate for candidate in digest.candidates if candidate.message_id in mine],
                note_id=None,
                reader=digest.reader,
                unread=len(mine.intersection(digest.unread)),
                judge=at.offline,
                talk=talk,
                turning=mine.intersection(digest.turning),
                finish=at.ends(job, messages),
            )
        return None

    async def _begun(self, scope: Scope, moment: datetime) -> None:
        """Let begin what was planned long ago for a moment before the one these words are of, as it did then."""
        for planned in await self._at.store.jobs(scope=scope, kinds=(BEGIN,), limit=MOST_LEFT):
            if planned.due_at <= moment:
                with once_only(planned):
                    finish = [port.FinishJob(planned.id)]
                    await self._at.begin(scope, str(planned.payload["items"][0]), finish, planned.due_at)


class LearnDuty(_Duty):
    """Learns from one person's part of a note.

    What was said in a direct talk was learnt from before: then what a model reads in it is added, and the note is named
    as where it is all from.
    """

    kinds: tuple[str, ...] = (LEARN,)
    terms = Terms(lease=LEASE, one_a_scope=True, after=(READ, IMPORT), at_once=2)

    async def _do(self, job: Job) -> None:
        at, scope, note_id = self._at, job.scope, str(job.payload["note"])
        messages = await at.messages(scope.tenant, [(scope.user, id) for id in job.payload["messages"]])
        messages = at.readable(messages)
        mine = {message.id for message in messages}
        # readings that did not succeed, in whose place the note is learnt from
        failed = await at.store.jobs(scope=scope, kinds=(READ,), limit=MOST_LEFT)
        read = mine.difference(*(one.payload["messages"] for one in failed)) if job.payload.get("read") else set()
        over = [one.id for one in failed if mine.issuperset(one.payload["messages"])]
        digest = at.digests.get(note_id)
        if digest is None and messages and (mine - read or at.reader is not at.offline):
            digest = await at.digest(replace(await at.talk(scope, messages), only=frozenset(mine - read)), job)
        reader = None if digest is None else digest.reader
        new = mine - read if reader == at.offline.name else mine
        is_there = not messages or await at.store.get(shelf_of(scope, messages[0].place), Note, [note_id])
        turning = set() if digest is None else new.intersection(digest.turning)
        with once_only(job):
            await at.learner.learn(
                scope,
                messages,
                [] if digest is None else [one for one in digest.candidates if one.message_id in new],
                note_id=note_id if is_there else None,  # somebody who spoke in it may have asked to be forgotten
                reader=reader,
                unread=0 if digest is None else len(new.intersection(digest.unread)),
                read=read,
                talk=await at.talk(scope, messages) if turning else None,
                turning=turning,
                finish=at.ends(job, messages, over),
            )
        if (held := at.digests.get(note_id)) is not None:  # what was learnt is let go: nothing may outlive forgetting
            left = tuple(one for one in held.candidates if one.message_id not in mine)
            turns = tuple(id for id in held.turning if id not in mine)
            at.digests[note_id] = replace(held, note=NoteText(title="", summary=""), candidates=left, turning=turns)


class Summariser(_Duty):
    """Renews the working summary of the session going on in a conversation; several wishes for one are one."""

    kinds: tuple[str, ...] = (SUMMARISE,)
    terms = Terms(claim_limit=256, lease=LEASE)

    def __init__(self, listening: Listening, reader: Reader, *, idle: timedelta) -> None:
        super().__init__(listening)
        self._reader = reader
        self._idle = idle  # silence after which a session is over, and its summary too

    async def run(self, jobs: Sequence[Job]) -> None:
        wished: dict[tuple[Scope, str | None, str, str], list[Job]] = {}
        for job in jobs:
            space, channel, name = (job.payload[part] for part in ("space", "channel", "name"))
            wished.setdefault((job.scope, space, channel, name), []).append(job)
        for same in wished.values():
            for job in same[1:]:
                await self._finish(job)
            await self._do(same[0])

    async def _do(self, job: Job) -> None:
        at, store, scope = self._at, self._at.store, job.scope
        place, conversation = Place(job.payload["space"], job.payload["channel"]), str(job.payload["name"])
        here = (row for row in reversed(await store.buffers(scope)) if row.is_open)
        buffer = next((row for row in here if (row.place, row.conversation) == (place, conversation)), None)
        said = [] if buffer is None else await at.messages(scope.tenant, buffer.messages)
        readable = at.readable(said)
        if buffer is None or not any(message.role is Role.USER for message in readable):
            return await self._finish(job)
        held = await working_note(store, scope, place, conversation)
        talk = await at.talk(None, readable)
        goes_on = held is not None and readable[0].sent_at - held.happened_at <= self._idle
        reader = self._reader
        if at.reads_outside and conversation in (await store.withheld(scope)).conversations:
            reader = at.offline  # something of it may not leave this machine
        if reader is not at.offline:
            await at.check_allowance(scope)
        try:
            text = await reader.working_summary(talk, held.summary if held is not None and goes_on else None)
        except MindError:
            await at.count_use(scope, job)
            raise
        note = Note(
            id=at.new_id() if held is None else held.id,
            scope=scope,
            place=place,
            conversation=conversation,
            kind=NoteKind.SESSION,
            title=shortened(title_for(text), LONGEST_TITLE),
            summary=text,
            participants=tuple(dict.fromkeys(row.author for row in readable if row.role is Role.USER)),
            message_ids=tuple(message.id for message in readable),
            happened_at=readable[-1].sent_at,
            created_at=at.clock(),
            version=1 if held is None else held.version + 1,
        )
        index = index_job(scope, port.Kind.NOTE, [note.id], id=at.new_id(), now=at.clock())
        await self._finish(job, [port.Put(note, None if held is None else held.version), port.Enqueue(index)])
        if len(await at.messages(scope.tenant, buffer.messages)) < len(said):
            # somebody who spoke in it was forgotten while it was written: it is emptied, and the next tells the rest
            empty = replace(note, title="…", summary="…", participants=(), message_ids=(), version=note.version + 1)
            with suppress(StaleError):  # it was written anew, or went with them
                await store.apply(note.scope, [port.Put(empty, note.version)])
        return None


async def working_note(store: port.Store, shelf: Scope, place: Place, conversation: str) -> Note | None:
    """The note that holds the working summary of a conversation, of this session or an earlier one."""
    wanted = port.NoteFilter(asked_in=place, kinds=(NoteKind.SESSION,), conversation=conversation)
    page = await store.page(shelf, wanted, limit=5)
    return next((note for note in page.rows if note.place == place), None)
