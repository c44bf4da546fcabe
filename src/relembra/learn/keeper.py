"""Keeping: read, decide, store and record as one change, again when somebody was quicker."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar, assert_never

from relembra.domain import audit
from relembra.domain.candidate import Candidate
from relembra.domain.case import Ask, BothStand, Case, Outcome, Wins, inheriting, judge, superseded
from relembra.domain.jobs import AT_ONCE, Job, begin_job, index_job
from relembra.domain.knowledge import KnowledgeItem, SupersessionRule, about
from relembra.domain.message import Conversation, Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Scope, reaches
from relembra.domain.text import checked_text, fold
from relembra.domain.time import Clock, read_as_of
from relembra.errors import ConflictError, NotFoundError, ProtectedError, StaleError
from relembra.learn.drafts import put_right
from relembra.learn.trail import Change, Row, hiding, last_reversible, merge_of, reversed_row
from relembra.minds.port import Embedder, Vector
from relembra.store import port


@dataclass(frozen=True, slots=True)
class Settled:
    """The new item as it is to be stored, the older ones it ended, and why each decision fell."""

    item: KnowledgeItem
    ended: tuple[KnowledgeItem, ...]
    why: str | None
    asked: tuple[tuple[KnowledgeItem, str], ...] = ()  # older ones only the person can weigh against it, and why


def follows_a_rule(attribute: str | None) -> bool:
    """Whether values of this attribute end one another without being asked."""
    return about(attribute).rule in (SupersessionRule.REPLACE, SupersessionRule.KEEP_HISTORY, SupersessionRule.FIXED)


def settle(new: KnowledgeItem, held: Sequence[KnowledgeItem], now: datetime) -> Settled:
    """Apply the attribute's own rule against everything held; what only the person can tell is marked so."""
    ended: list[KnowledgeItem] = []
    reasons: list[str] = []
    asked: list[tuple[KnowledgeItem, str]] = []
    for old in held:
        if same_value(old, new):
            continue
        match judge(old, new, now=now):
            case Wins(winner, _, why) if winner is new:
                ended.append(superseded(old, new, now))
                reasons.append(why)
            case Wins(winner, _, why):
                new = replace(superseded(new, winner, now), version=new.version)
                reasons.append(why)
            case Ask(why):
                new = replace(new, needs_resolution=True)
                asked.append((old, why))
                reasons.append(why)
            case BothStand():
                pass
            case other:
                assert_never(other)
    new = inheriting(new, ended)
    return Settled(new, tuple(ended), "; ".join(dict.fromkeys(reasons)) or None, tuple(asked))


def same_value(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether both say the same value, however it is written."""
    return old.value is not None and new.value is not None and fold(old.value) == fold(new.value)


MOST_ATTEMPTS = 8
MOST_VALUES = 1_000
MOST_CASES = 100
MOST_MERGES = 100  # one into the next, that a decision follows
KEEP_LOCAL = "keep_local"

PLANS = "program:plans"
"""Who is recorded as having let a plan begin."""

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(slots=True)
class Field:
    """The values held of one subject and attribute, and what is expected where they have to be all."""

    rows: dict[str, KnowledgeItem] = field(default_factory=dict)
    expected: list[port.Op] = field(default_factory=list)

    def rivals(self, item: KnowledgeItem, now: datetime) -> dict[str, KnowledgeItem]:
        """The others that are current and may be ended by it, as far as who hears what goes; no plan by what holds."""
        return {
            id: row
            for id, row in self.rows.items()
            if id != item.id
            and row.is_current(now)
            and row.is_planned(now) == item.is_planned(now)
            and reaches(item.place, row.place)
        }


@dataclass(frozen=True, slots=True)
class Keeper:
    """Changes what is held, never without a record, never over a change it has not seen."""

    store: port.Store
    embedder: Embedder
    clock: Clock
    new_id: Callable[[], str]

    async def held(self, scope: Scope, id: str) -> KnowledgeItem:
        """The item, or `NotFoundError`."""
        found = await self.store.get(scope, KnowledgeItem, [id])
        if not found:
            raise NotFoundError("item", id)
        return found[0]

    async def line(self, scope: Scope, id: str, version: int | None = None) -> list[KnowledgeItem]:
        """The item a decision names and each it was merged into since: the last is the one to decide about.

        What ended because another value took its place is followed by nothing. A `StaleError` where a version is wanted
        and the named item is at another, unless being merged is all that happened to it.
        """
        rows = [await self.held(scope, id)]
        seen = {rows[0].version}
        while (successor := rows[-1].superseded_by) is not None and len(rows) < MOST_MERGES:
            merge = merge_of(rows[-1], await self.store.trail(scope, audit.Target.ITEM, rows[-1].id))
            found = await self.store.get(scope, KnowledgeItem, [successor])
            if merge is None or not found:
                break
            if len(rows) == 1:
                seen.add((merge.before or {}).get("version", rows[0].version))
            rows += found
        if version is not None and version not in seen:
            raise StaleError(f"item {id} is at version {rows[0].version}, not {version}; read it and decide again")
        return rows

    def later(self, scope: Scope, kind: port.Kind, ids: Sequence[str]) -> port.Enqueue:
        """Work to index rows, due at once."""
        return port.Enqueue(index_job(scope, kind, ids, id=self.new_id(), now=self.clock()))

    def embedded_anew(self, scope: Scope, change: Change) -> list[port.Op]:
        """Work to embed what has other words after a change."""
        return [self.later(scope, kind, ids) for kind, ids in change.reworded.items()]

    async def add(
        self,
        scope: Scope,
        batch: Sequence[KnowledgeItem],
        vectors: Sequence[Vector] | None,
        by: str | None,
        *,
        beside: Sequence[port.Op] = (),
    ) -> list[KnowledgeItem]:
        """Store a batch, all or none, ending what its values replace; each item is a change of its own to undo.

        `beside`: what is to be done in the same transaction.
        """

        async def decide() -> list[KnowledgeItem]:
            ops: list[port.Op] = []
            cases: list[port.Op] = []
            stored: dict[str, KnowledgeItem] = {}
            seen: dict[tuple[str, str | None], Field] = {}
            for item in batch:
                change = self.change(scope, "add", by)
                others = await self.field(scope, item, seen)
                held = others.rivals(item, self.clock())
                settled = settle(item, list(held.values()), self.clock())
                change.put(settled.item, None)
                for ended in settled.ended:
                    change.put(ended, held[ended.id], verb="supersede", why=settled.why)
                cases += self._cases(settled, held, change)
                if follows_a_rule(item.attribute) and item.is_planned(self.clock()):
                    ops.append(port.Enqueue(begin_job(item, id=self.new_id(), now=self.clock())))
                for row in (settled.item, *settled.ended):
                    stored[row.id] = row
                    if others.expected:
                        others.rows[row.id] = row
                ops += change.ops
            ids = [item.id for item in batch]
            expected = [op for rows in seen.values() for op in rows.expected]
            await self.store.apply(scope, [*expected, *ops, *cases, *self._embedding(scope, ids, vectors), *beside])
            return [stored[id] for id in ids]

        return await deciding(decide)

    async def begin(self, scope: Scope, id: str, finish: Sequence[port.Op], due_at: datetime | None = None) -> None:
        """Let a planned value, whose time has come, end what held until now; with `finish`, all or none.

        `due_at`: when that was; long ago, what was planned for later then does not hold yet.
        """

        async def decide() -> None:
            now, ops, seen = self.clock(), list[port.Op](), dict[tuple[str, str | None], Field]()
            as_of = read_as_of(due_at, now)
            for item in await self.store.get(scope, KnowledgeItem, [id]):
                if not item.is_current(as_of) or item.is_planned(as_of):
                    continue
                change = self.change(scope, "supersede", PLANS)
                rivals = (await self.field(scope, item, seen)).rivals(item, as_of)
                held = {row.id: row for row in rivals.values() if row.speaker == item.speaker}
                settled = settle(item, list(held.values()), now)
                for ended in settled.ended:
                    change.put(ended, held[ended.id], why=settled.why)
                if settled.item != item:
                    after = replace(settled.item, updated_at=now, version=item.version + 1)
                    change.put(after, item, why=settled.why)
                ops += [*change.ops, *self._cases(settled, held, change)]
                ops += [port.Account(due=change.id)] if change.ops else []
            expected = [op for rows in seen.values() for op in rows.expected]
            await self.store.apply(scope, [*expected, *ops, *finish])

        await deciding(decide)

    async def validate(
        self, scope: Scope, id: str, policy: ConfidencePolicy, by: str | None, *, version: int | None = None
    ) -> KnowledgeItem:
        """The person's word for an item; another value that stood beside it ends, for they have said which is right."""

        async def decide() -> KnowledgeItem:
            *_, before = await self.line(scope, id, version)
            after = audit.validated(before, self.clock(), policy)
            others = await self.field(scope, before, {})
            outdone = self._outdone(others, after)
            if before.needs_resolution:  # what stands against it in open cases ends as well
                wanted = port.CaseFilter(open_only=True, items=[before.id])
                cases = (await self.store.page(scope, wanted, limit=MOST_CASES)).rows
                ids = {id for case in cases for id in (case.old_id, case.new_id)} - {row.id for row in outdone}
                rows = await self.store.get(scope, KnowledgeItem, sorted(ids - {before.id}))
                outdone += [row for row in rows if row.is_current(self.clock())]
            if (marked := inheriting(after, outdone)) is not after:
                after = replace(marked, updated_at=self.clock(), version=before.version + 1)
            change = self.change(scope, "validate", by)
            if after is not before:
                change.put(after, before)
            self._end_rivals(change, outdone, after)
            if change.ops:
                await self.store.apply(scope, [*others.expected, *change.ops])
            return after

        return await deciding(decide)

    async def recover(self, scope: Scope, id: str, by: str | None, version: int | None = None) -> KnowledgeItem:
        """Take an item out of the archive."""
        return await self.change_item(
            scope, id, verb="recover", by=by, change=audit.recovered, brief=True, version=version
        )

    async def recover_note(self, scope: Scope, id: str, by: str | None) -> Note:
        """Take a note out of the archive."""

        async def decide() -> Note:
            found = await self.store.get(scope, Note, [id])
            if not found:
                raise NotFoundError("note", id)
            after = audit.recovered_note(found[0])
            if after is not found[0]:
                change = self.change(scope, "recover", by)
                change.put(after, found[0], brief=True)
                await self.store.apply(scope, change.ops)
            return after

        return await deciding(decide)

    async def change_item(
        self,
        scope: Scope,
        id: str,
        *,
        verb: str,
        by: str | None,
        change: Callable[[KnowledgeItem, datetime], KnowledgeItem],
        why: str | None = None,
        brief: bool = False,
        version: int | None = None,
    ) -> KnowledgeItem:
        """Change one item and what it was merged into since, which is given back; no change is recorded as none.

        When it comes back beside another value, the person is to say which. `brief`: as for `Change.put`.
        """

        async def decide() -> KnowledgeItem:
            recorded, now = self.change(scope, verb, by, why), self.clock()
            beside: list[port.Op] = []
            for before in await self.line(scope, id, version):
                self._respect(before, scope, by)
                after = change(before, now)
                if after is before:
                    continue
                if not before.is_current(now):
                    others = await self.field(scope, before, {})
                    after, cases = self.questioned(after, others, recorded)
                    beside += [*others.expected, *cases]
                recorded.put(after, before, brief=brief)
            if recorded.ops:
                await self.store.apply(scope, [*beside, *recorded.ops])
            return after

        return await deciding(decide)

    async def correct(
        self,
        scope: Scope,
        id: str,
        content: str,
        *,
        language: str | None,
        policy: ConfidencePolicy,
        read: Callable[[KnowledgeItem], Awaitable[Candidate | None]],
        by_topic: Callable[[KnowledgeItem], KnowledgeItem],
        vectors_of: Callable[[KnowledgeItem], Awaitable[Sequence[Vector] | None]],
        by: str | None,
        why: str | None,
        version: int | None = None,
    ) -> KnowledgeItem:
        """Put a right item in the place of a wrong one, as one change; of what is history, the right one is as well."""

        async def decide() -> KnowledgeItem:
            *_, item = await self.line(scope, id, version)
            self._respect(item, scope, by)
            if item.deleted_at is not None and item.superseded_by is not None:
                raise ConflictError(
                    f"item {id} was already replaced by {item.superseded_by}; correct that one", "replaced"
                )
            if item.deleted_at is not None:
                raise ConflictError(f"item {id} is deleted; restore it first", "deleted")
            wrong, right = audit.corrected(item, content, new_id=self.new_id(), now=self.clock(), policy=policy)
            right = put_right(right, item, await read(right))
            was_found = item.tags == by_topic(replace(item, tags=())).tags  # in the wrong words, and given by nobody
            right = by_topic(replace(right, tags=()) if was_found else right)
            others = await self.field(scope, right, {})
            others.rows.pop(item.id, None)
            outdone = self._outdone(others, right)
            right = inheriting(replace(right, language=language or right.language), outdone)
            change = self.change(scope, "correct", by, why)
            change.put(right, None)
            change.put(wrong, item)
            self._end_rivals(change, outdone, right)
            vectors = await vectors_of(right)
            embedding = self._embedding(scope, [right.id], vectors)
            await self.store.apply(scope, [*others.expected, *change.ops, *embedding])
            return right

        return await deciding(decide)

    async def forget(self, scope: Scope, id: str, *, dry_run: bool = False) -> port.Gone:
        """Remove an item for good, and what it was merged into since."""

        async def decide() -> port.Gone:
            rows = await self.line(scope, id)
            along = {row.id: row.version for row in rows}
            return await self.store.forget(scope, port.ForgetItem(id, along), dry_run=dry_run)

        return await deciding(decide)

    async def start_conversation(self, conversation: Conversation, by: str | None) -> None:
        """Store a new conversation; an id in use is a `ConflictError`."""
        change = self.change(conversation.scope, "start", by)
        change.put(conversation, None)
        try:
            await self.store.apply(conversation.scope, change.ops)
        except StaleError as exc:
            raise ConflictError(
                f"there is a conversation {conversation.id!r} already; choose another id", "conversation"
            ) from exc

    async def change_conversation(
        self, scope: Scope, id: str, *, verb: str, by: str | None, change: Callable[[Conversation], Conversation]
    ) -> Conversation:
        """Change one conversation that is not deleted; its messages hide or show with it."""

        async def decide() -> Conversation:
            before = await self.store.find(scope, Conversation, id)
            if before is None or before.deleted_at is not None:
                raise NotFoundError("conversation", id)
            after = replace(change(before), updated_at=self.clock(), version=before.version + 1)
            recorded = self.change(scope, verb, by)
            recorded.put(after, before)
            await self.store.apply(scope, [*recorded.ops, *hiding(id, None, after.deleted_at)])
            return after

        return await deciding(decide)

    async def undo(self, scope: Scope, id: str, by: str | None) -> list[audit.AuditEntry]:
        """Reverse the change an id stands for, whole; the entries that were reversed."""

        async def decide() -> list[audit.AuditEntry]:
            entries = await self._reversible(scope, id)
            change = self.change(scope, "undo", by, undoes=entries[0].change)
            shown: list[port.Op] = []
            opened: list[port.Op] = []
            seen: dict[tuple[str, str | None], Field] = {}
            for entry in reversed(entries):
                current = await self.row(scope, entry)
                earlier = reversed_row(entry, current, self.clock())
                if isinstance(current, KnowledgeItem) and isinstance(earlier, KnowledgeItem):
                    self._respect(current, scope, by)
                    if entry.verb == KEEP_LOCAL:
                        audit.owner_only(by, scope.user, "let out")
                    others = await self.field(scope, current, seen)
                    own = {entry.target_id for entry in entries}
                    earlier, doubts = self.questioned(earlier, others, change, apart_from=own)
                    opened += doubts
                change.put(earlier, current)
                if entry.target is audit.Target.CONVERSATION and entry.before is not None and entry.after is not None:
                    moments = [side.get("deleted_at") for side in (entry.after, entry.before)]
                    hidden, was_hidden = (moment and datetime.fromisoformat(moment) for moment in moments)
                    shown += hiding(entry.target_id, hidden, was_hidden)  # also when a new message revived it since
            expected = [op for rows in seen.values() for op in rows.expected]
            cases = await self.undone_cases(scope, entries)
            again = self.embedded_anew(scope, change)
            await self.store.apply(scope, [*expected, *change.ops, *cases, *opened, *shown, *again])
            return entries

        return await deciding(decide)

    def _cases(self, settled: Settled, held: Mapping[str, KnowledgeItem], change: Change) -> list[port.Op]:
        """A record of every older value the new one ended, or that only the person can weigh against it."""
        clashes = [(held[ended.id], settled.why or "", Outcome.NEW) for ended in settled.ended]
        if settled.item.is_current(change.at):
            clashes += [(old, why, Outcome.OPEN) for old, why in settled.asked]
        return [port.Put(change.case(settled.item, old, why, outcome), None) for old, why, outcome in clashes]

    async def undone_cases(self, scope: Scope, entries: Sequence[audit.AuditEntry]) -> list[port.Op]:
        """The cases a change that is being reversed had settled, which it settles no longer."""
        found: dict[str, Case] = {}
        for entry in entries:
            if entry.target is audit.Target.ITEM:
                page = await self.store.page(scope, port.CaseFilter(items=[entry.target_id]), limit=MOST_CASES)
                found |= {case.id: case for case in page.rows if case.change == entry.change}
        now = self.clock()
        return [
            port.Put(replace(case, outcome=Outcome.UNDONE, settled_at=now, version=case.version + 1), case.version)
            for case in found.values()
        ]

    def _outdone(self, others: Field, item: KnowledgeItem) -> list[KnowledgeItem]:
        """Every other current value of the attribute, which ends once the person has said that this one is right."""
        if not item.is_current(self.clock()):
            return []
        return [rival for rival in others.rivals(item, self.clock()).values() if not same_value(rival, item)]

    def _end_rivals(self, change: Change, outdone: Sequence[KnowledgeItem], item: KnowledgeItem) -> None:
        for rival in outdone:
            ended = superseded(rival, item, self.clock())
            change.put(ended, rival, verb="supersede", why="the person said which")

    def questioned(
        self, item: KnowledgeItem, others: Field, change: Change, *, apart_from: Collection[str] = ()
    ) -> tuple[KnowledgeItem, list[port.Op]]:
        """The item, marked for the person to settle when it comes back beside another value, and a case for each."""
        now = self.clock()
        found = others.rivals(item, now).items() if item.is_current(now) else ()
        rivals = [row for id, row in found if id not in apart_from and not same_value(row, item)]
        if not rivals:
            return item, []
        why = f"{item.attribute} came back beside another value"
        doubted = Settled(item, (), None, tuple((rival, why) for rival in rivals))
        return replace(item, needs_resolution=True), self._cases(doubted, {}, change)

    def _respect(self, item: KnowledgeItem, scope: Scope, by: str | None) -> None:
        """Refuse anybody else's change of what the person confirmed."""
        actor = audit.Actor.of(by, scope.user)
        if item.validated and not actor.is_owner(scope.user):
            raise ProtectedError(f"item {item.id} was confirmed by its person; {actor} may not change it")

    def change(
        self, scope: Scope, verb: str, by: str | None, why: str | None = None, undoes: str | None = None
    ) -> Change:
        actor = audit.Actor.of(by, scope.user)
        if why is not None:
            checked_text(why, "why")
        return Change(scope, new_id=self.new_id, verb=verb, actor=actor, at=self.clock(), why=why, undoes=undoes)

    def _embedding(self, scope: Scope, ids: Sequence[str], vectors: Sequence[Vector] | None) -> list[port.Op]:
        """The rows' vectors, or a job for them when the embedder could not answer."""
        if vectors is None:
            return [self.later(scope, port.Kind.ITEM, ids)]
        name = self.embedder.name
        return [port.PutVectors(port.Kind.ITEM, id, name, (vector,)) for id, vector in zip(ids, vectors, strict=True)]

    async def field(self, scope: Scope, item: KnowledgeItem, seen: dict[tuple[str, str | None], Field]) -> Field:
        """What is held of the item's subject and attribute, read once a decision; nothing where no rule asks."""
        key = (item.subject, item.attribute)
        if key not in seen:
            seen[key] = Field()
            if item.attribute is not None and follows_a_rule(item.attribute):
                wanted = port.ItemFilter(now=AT_ONCE, subject=item.subject, attribute=item.attribute)
                page = await self.store.page(scope, wanted, limit=MOST_VALUES)
                rows = {row.id: row for row in page.rows}
                seen[key] = Field(rows, [port.Expect(held=(item.subject, item.attribute, frozenset(rows)))])
        return seen[key]

    async def row(self, scope: Scope, entry: audit.AuditEntry) -> Row | None:
        found: Sequence[Row]
        match entry.target:
            case audit.Target.CONVERSATION:
                return await self.store.find(scope, Conversation, entry.target_id)
            case audit.Target.NOTE:
                found = await self.store.get(scope, Note, [entry.target_id])
            case audit.Target.ITEM:
                found = await self.store.get(scope, KnowledgeItem, [entry.target_id])
        return found[0] if found else None

    async def _reversible(self, scope: Scope, id: str) -> list[audit.AuditEntry]:
        """The entries of the change an id stands for: its own, or the last of an item, conversation or note."""
        entries = await self.store.changes(scope, [id])
        if entries:
            return entries
        for target in (audit.Target.ITEM, audit.Target.CONVERSATION, audit.Target.NOTE):
            trail = await self.store.trail(scope, target, id)
            if trail:
                last = last_reversible(trail)
                if last is None:
                    raise ConflictError(f"every change of {target} {id} is undone already", "undone")
                return await self.store.changes(scope, [last.change])
        raise NotFoundError("change, item or conversation", id)


async def deciding(decide: Callable[[], Awaitable[T]]) -> T:
    """Take a decision again when what it was based on changed meanwhile."""
    for _ in range(MOST_ATTEMPTS - 1):
        try:
            return await decide()
        except StaleError:
            log.debug("deciding again: the row changed meanwhile")
    return await decide()


@contextmanager
def once_only(job: Job) -> Iterator[None]:
    """A step of a job; when its job or buffer is gone, another worker was quicker and all is done."""
    try:
        yield
    except StaleError:
        raise
    except ConflictError:
        log.info("job %s was finished by another worker", job.id)
