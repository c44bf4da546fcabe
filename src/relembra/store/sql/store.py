"""What every store on a SQL database is: each method is one function of this package, in one transaction of an adapter.

An adapter says how to read and write (`_read`, `_write`), and does by itself what has to do with files or a server.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from relembra.domain.access import Link
from relembra.domain.scope import Scope
from relembra.minds.port import Analyzer, Vector
from relembra.store import port
from relembra.store.sql import Session, accounts, forget, queue, reads, search, writes
from relembra.store.sql import stamps as read_stamps
from relembra.store.sql.vectors import HotSlices

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[Session], T]

Whose = Scope | str | None
"""Whose rows a transaction may touch: one person's or space's, a whole tenant's, or everybody's."""
Turn = Whose | tuple[str, ...]
"""What nobody else may write meanwhile, where several can write: whatever belongs to a scope, a tenant or everybody, or
one thing by its name. Who writes for a scope never does so while its tenant is another's."""

_Method = Callable[Concatenate["SqlStore", P], Coroutine[Any, Any, T]]


def everybodys(*_args: object, **_options: object) -> Whose:
    return None


def scopes(scope: Scope | None = None, *_args: object, tenant: str | None = None, **_options: object) -> Whose:
    """The scope's a call is about, else the tenant's, else everybody's."""
    return tenant if scope is None else scope


def tenants(tenant: str, *_args: object, **_options: object) -> Whose:
    return tenant


def _tenant_of(scope: Scope, *_args: object, **_options: object) -> Whose:
    """For what a space holds others' rows are looked at."""
    return scope if scope.space is None else scope.tenant


def _among(scope: Scope, *args: Any, wanted: Any = None, **_options: object) -> Whose:
    """The person's, or the tenant's where messages of several people are asked for."""
    wanted = args[-1] if wanted is None else wanted
    return scope.tenant if getattr(wanted, "owners", ()) else scope


def _all_of(scopes: Sequence[Scope], *_args: object) -> Whose:
    tenants = {scope.tenant for scope in scopes}
    if len(scopes) == 1:
        return scopes[0]
    return tenants.pop() if len(tenants) == 1 else None


def _of_link(link: Link) -> Whose:
    return link.tenant


def _reads(task: Callable[Concatenate[Session, P], T], whose: Callable[..., Whose] = scopes) -> _Method[P, T]:
    """A method that does a task where the store reads."""

    async def method(self: SqlStore, /, *args: P.args, **options: P.kwargs) -> T:
        return await self._read(lambda db: task(db, *args, **options), whose(*args, **options))

    return method


def _writes(
    task: Callable[Concatenate[Session, P], T],
    whose: Callable[..., Whose] = everybodys,
    turns: Callable[..., tuple[Turn, ...]] = lambda *_args, **_options: (),
) -> _Method[P, T]:
    """A method that does a task where the store writes, when it is its turn; back once it is durable."""

    async def method(self: SqlStore, /, *args: P.args, **options: P.kwargs) -> T:
        work: Work[T] = lambda db: task(db, *args, **options)  # noqa: E731
        return await self._write(work, whose(*args, **options), turns(*args, **options))

    return method


class SqlStore:
    """The methods of a store, but for those that have to do with where it lies."""

    _analyzer: Analyzer
    _hot: HotSlices

    async def _read(self, work: Work[T], whose: Whose, /) -> T:
        """Run work that only reads, on one state of the store."""
        raise NotImplementedError

    async def _write(self, work: Work[T], whose: Whose, turns: tuple[Turn, ...], /) -> T:
        """Run work in a transaction; back once it is durable."""
        raise NotImplementedError

    async def _try_out(self, tenant: str, work: Work[T], /) -> T:
        """What the work would answer; all it does is taken back."""
        raise NotImplementedError

    async def _forget(self, scope: Scope, work: Work[T], /) -> tuple[T, bool]:
        """Run work that is to leave no trace; also whether none is left by now."""
        raise NotImplementedError

    # ── everything remembered ─────────────────────────────────────────────────────────────────────────────────────

    async def apply(self, scope: Scope, ops: Sequence[port.Op]) -> port.Receipt:
        writes.refuse_foreign(scope, ops)
        written = writes.scopes_of(scope, ops)
        whose = scope if len(written) == 1 else scope.tenant
        return await self._write(lambda db: writes.apply(db, scope, ops, self._analyzer), whose, tuple(written))

    get = _reads(reads.get)
    find = _reads(reads.find)
    page = _reads(reads.page)
    ids_like = _reads(reads.ids_like)
    count_items = _reads(reads.count_items)
    passings = _reads(reads.passings)
    beside = _reads(reads.beside, _among)
    buffers = _reads(reads.buffers)
    case_scope = _reads(reads.case_scope, tenants)
    stamps = _reads(read_stamps, _all_of)
    unaccounted = _reads(queue.unaccounted)
    usage = _reads(reads.usage)
    withheld = _reads(reads.withheld, _tenant_of)
    acquaintances = _reads(reads.acquaintances)
    speakers = _reads(reads.speakers)
    voices = _reads(reads.voices, tenants)
    predecessors = _reads(reads.predecessors)
    trail = _reads(reads.trail)
    changes = _reads(reads.changes)
    page_trail = _reads(reads.page_trail)
    last_entry = _reads(reads.last_entry)
    owners = _reads(reads.owners, tenants)
    vectors = _reads(reads.vectors)

    async def words(self, scope: Scope, kind: port.Kind, query: port.Query) -> port.Words:
        return await self._read(lambda db: search.Keywords(db, [scope], kind, query, self._analyzer), scope)

    async def nearest(
        self, scope: Scope, kind: port.Kind, model: str, vectors: Sequence[Vector], *, limit: int, at_least: float
    ) -> list[list[tuple[str, float]]]:
        kept = {"hot": self._hot, "epoch": self._hot.epoch}
        wanted: Any = {"limit": limit, "at_least": at_least, **kept}
        return await self._read(lambda db: search.nearest(db, scope, kind, model, vectors, **wanted), scope)

    async def search(
        self, scope: Scope, query: port.Query, wanted: port.ItemFilter | port.MessageFilter | port.NoteFilter
    ) -> list[port.Candidate]:
        analyzer, hot, epoch = self._analyzer, self._hot, self._hot.epoch
        return await self._read(
            lambda db: search.search(db, scope, query, wanted, analyzer=analyzer, hot=hot, epoch=epoch),
            _among(scope, wanted),
        )

    async def forget(self, scope: Scope, what: port.Forget, *, dry_run: bool = False) -> port.Gone:
        def work(db: Session) -> port.Gone:
            return forget.forget(db, scope, what)

        if dry_run:
            return replace(await self._try_out(scope.tenant, work), erased=False, dry_run=True)
        gone, is_erased = await self._forget(scope, work)
        return replace(gone, erased=is_erased)

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

    claim = _writes(queue.claim, turns=lambda *_, one_a_scope=False, **__: (("claim",),) if one_a_scope else ())
    give_back = _writes(queue.give_back)
    jobs = _reads(queue.jobs)
    job = _reads(queue.job, everybodys)
    cancel = _writes(queue.cancel)
    next_due = _reads(queue.next_due)
    hasten = _writes(queue.hasten)
    retry = _writes(queue.retry)
    drop_jobs = _writes(queue.drop_jobs)

    # ── who may come in ───────────────────────────────────────────────────────────────────────────────────────────

    put_key = _writes(accounts.put_key)
    keys = _reads(accounts.keys, everybodys)
    key_by_prefix = _reads(accounts.key_by_prefix, everybodys)
    revoke_key = _writes(accounts.revoke_key)
    touch_keys = _writes(accounts.touch_keys)
    put_session = _writes(accounts.put_session)
    session = _reads(accounts.session, everybodys)
    end_session = _writes(accounts.end_session)
    put_link = _writes(accounts.put_link, _of_link, lambda link: (("link", link.tenant, link.channel, link.id),))
    drop_link = _writes(accounts.drop_link, tenants)
    links = _reads(accounts.links, tenants)
    block = _writes(queue.block, tenants, lambda tenant, *_, **__: (tenant,))
    unblock = _writes(queue.unblock, tenants)
    blocks = _reads(queue.blocks, tenants)
    spaces = _reads(queue.spaces, tenants)
    begin_reply = _writes(
        accounts.begin_reply, tenants, lambda tenant, caller, key, **_: (("reply", tenant, caller, key),)
    )
    end_reply = _writes(accounts.end_reply, tenants)
    drop_reply = _writes(accounts.drop_reply, tenants)
    purge_replies = _writes(accounts.purge_replies)

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def identity(self) -> str:
        held: str | None = await self._read(accounts.held_identity, None)
        if held is None:
            held = str(await self._write(accounts.identity, None, (("identity",),)))
        return held

    unindexed = _reads(reads.unindexed, everybodys)
    unembedded = _reads(reads.unembedded, everybodys)
    model_names = _reads(reads.model_names, everybodys)

    async def drop_other_vectors(self, model: str) -> int:
        dropped = await self._write(lambda db: reads.drop_other_vectors(db, model), None, (None,))
        self._hot.clear()
        return dropped
