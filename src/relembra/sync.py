"""The same verbs without await: a blocking twin of `relembra.Memory`, for scripts and notebooks.

One background thread runs the event loop; every verb is handed to it and waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.time import Clock, system_clock
from relembra.errors import StoreError
from relembra.items import LOOKED_EVERY_SECONDS, Told
from relembra.memory import Memory as AsyncMemory
from relembra.portal import Portal

if TYPE_CHECKING:
    from relembra.settings import Settings
    from relembra.store.port import Restored, Salvaged

P = ParamSpec("P")
T = TypeVar("T")


def _waited_for(work: Coroutine[Any, Any, T]) -> T:
    """Something that needs no open memory, on a loop of its own."""
    portal = Portal()
    try:
        return portal.call(work)
    finally:
        portal.close()


def _blocking(
    verb: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Memory, P], T]:
    """The verb, waited for."""

    @wraps(verb)
    def waited(self: Memory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._call(verb, *args, **kwargs)

    return waited


class Memory:
    """A memory whose verbs block. Use it in a `with` block, or call `close` when done."""

    def __init__(self, opening: AbstractAsyncContextManager[AsyncMemory]) -> None:
        self._opening = opening
        self._portal: Portal | None = Portal()
        try:
            self._memory = self._portal.call(opening.__aenter__())
        except BaseException:
            self._portal.close()
            raise

    @classmethod
    def open(
        cls,
        db: str | Path | None = None,
        *,
        settings: Settings | None = None,
        clock: Clock = system_clock,
        background: bool = True,
        read_only: bool = False,
    ) -> Self:
        """A memory on a file, as `relembra.Memory.open`."""
        opening = AsyncMemory.open(db, settings=settings, clock=clock, background=background, read_only=read_only)
        return cls(opening)

    @staticmethod
    def restore_backup(file: str | Path, db: str | Path | None = None, *, settings: Settings | None = None) -> Restored:
        """Put a backup in a memory's place, as `relembra.Memory.restore_backup`."""
        return _waited_for(AsyncMemory.restore_backup(file, db, settings=settings))

    @staticmethod
    def salvage(file: str | Path, target: str | Path) -> Salvaged:
        """Bring what can be read of a damaged file into a new one, as `relembra.Memory.salvage`."""
        return _waited_for(AsyncMemory.salvage(file, target))

    @property
    def user(self) -> str:
        """Whose memory the settings mean, as on the command line and the page."""
        return self._memory.user

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish the batch at hand and let go; safe to call twice."""
        portal, self._portal = self._portal, None
        if portal is not None:
            try:
                portal.call(self._closed())
            finally:
                portal.close()

    async def _closed(self) -> None:
        await self._opening.__aexit__(None, None, None)

    def _call(
        self, verb: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._portal is None:
            raise StoreError("this memory is closed; open it again")
        return self._portal.call(verb(self._memory, *args, **kwargs))

    def watch(
        self, *, user: str, after: int | None = None, every: float = LOOKED_EVERY_SECONDS, tenant: str = DEFAULT_TENANT
    ) -> Generator[Told, None, None]:
        """What is learnt and changed of a person, as it is recorded; each step waits for the next."""
        told = self._memory.watch(user=user, after=after, every=every, tenant=tenant)

        async def following(_: AsyncMemory) -> Told:
            return await anext(told)

        async def ended(_: AsyncMemory) -> None:
            await told.aclose()

        try:
            while True:
                yield self._call(following)
        finally:
            if self._portal is not None:
                self._call(ended)

    tools = staticmethod(AsyncMemory.tools)
    # made from the verbs by `--update-golden`:
    list = _blocking(AsyncMemory.list)
    retry = _blocking(AsyncMemory.retry)
    failed_jobs = _blocking(AsyncMemory.failed_jobs)
    jobs = _blocking(AsyncMemory.jobs)
    job = _blocking(AsyncMemory.job)
    retry_job = _blocking(AsyncMemory.retry_job)
    cancel_job = _blocking(AsyncMemory.cancel_job)
    run_job = _blocking(AsyncMemory.run_job)
    consolidate = _blocking(AsyncMemory.consolidate)
    consolidations = _blocking(AsyncMemory.consolidations)
    consolidation = _blocking(AsyncMemory.consolidation)
    rollback = _blocking(AsyncMemory.rollback)
    garden = _blocking(AsyncMemory.garden)
    garden_plan = _blocking(AsyncMemory.garden_plan)
    find_insights = _blocking(AsyncMemory.find_insights)
    insights = _blocking(AsyncMemory.insights)
    block = _blocking(AsyncMemory.block)
    unblock = _blocking(AsyncMemory.unblock)
    switch_space = _blocking(AsyncMemory.switch_space)
    switch_spaces = _blocking(AsyncMemory.switch_spaces)
    blocks = _blocking(AsyncMemory.blocks)
    spaces = _blocking(AsyncMemory.spaces)
    users = _blocking(AsyncMemory.users)
    refusal = _blocking(AsyncMemory.refusal)
    search = _blocking(AsyncMemory.search)
    recall = _blocking(AsyncMemory.recall)
    load = _blocking(AsyncMemory.load)
    why = _blocking(AsyncMemory.why)
    save = _blocking(AsyncMemory.save)
    in_words = _blocking(AsyncMemory.in_words)
    messages = _blocking(AsyncMemory.messages)
    start_conversation = _blocking(AsyncMemory.start_conversation)
    conversations = _blocking(AsyncMemory.conversations)
    conversation = _blocking(AsyncMemory.conversation)
    rename_conversation = _blocking(AsyncMemory.rename_conversation)
    delete_conversation = _blocking(AsyncMemory.delete_conversation)
    forget = _blocking(AsyncMemory.forget)
    count = _blocking(AsyncMemory.count)
    over_time = _blocking(AsyncMemory.over_time)
    export = _blocking(AsyncMemory.export)
    import_ = _blocking(AsyncMemory.import_)
    add = _blocking(AsyncMemory.add)
    add_many = _blocking(AsyncMemory.add_many)
    get = _blocking(AsyncMemory.get)
    find = _blocking(AsyncMemory.find)
    validate = _blocking(AsyncMemory.validate)
    correct = _blocking(AsyncMemory.correct)
    delete = _blocking(AsyncMemory.delete)
    restore = _blocking(AsyncMemory.restore)
    archive = _blocking(AsyncMemory.archive)
    recover = _blocking(AsyncMemory.recover)
    keep_local = _blocking(AsyncMemory.keep_local)
    history = _blocking(AsyncMemory.history)
    sources = _blocking(AsyncMemory.sources)
    related = _blocking(AsyncMemory.related)
    undo = _blocking(AsyncMemory.undo)
    link = _blocking(AsyncMemory.link)
    unlink = _blocking(AsyncMemory.unlink)
    links = _blocking(AsyncMemory.links)
    linked = _blocking(AsyncMemory.linked)
    create_key = _blocking(AsyncMemory.create_key)
    keys = _blocking(AsyncMemory.keys)
    revoke_key = _blocking(AsyncMemory.revoke_key)
    key_of = _blocking(AsyncMemory.key_of)
    page_pass = _blocking(AsyncMemory.page_pass)
    link_pass = _blocking(AsyncMemory.link_pass)
    key_of_pass = _blocking(AsyncMemory.key_of_pass)
    end_pass = _blocking(AsyncMemory.end_pass)
    begin_reply = _blocking(AsyncMemory.begin_reply)
    end_reply = _blocking(AsyncMemory.end_reply)
    drop_reply = _blocking(AsyncMemory.drop_reply)
    queue_reply = _blocking(AsyncMemory.queue_reply)
    learn = _blocking(AsyncMemory.learn)
    preview = _blocking(AsyncMemory.preview)
    usage = _blocking(AsyncMemory.usage)
    conflicts = _blocking(AsyncMemory.conflicts)
    conflict = _blocking(AsyncMemory.conflict)
    resolve = _blocking(AsyncMemory.resolve)
    reopen = _blocking(AsyncMemory.reopen)
    notes = _blocking(AsyncMemory.notes)
    note = _blocking(AsyncMemory.note)
    timeline = _blocking(AsyncMemory.timeline)
    report = _blocking(AsyncMemory.report)
    appointment = _blocking(AsyncMemory.appointment)
    note_files = _blocking(AsyncMemory.note_files)
    profile = _blocking(AsyncMemory.profile)
    cognitive = _blocking(AsyncMemory.cognitive)
    people = _blocking(AsyncMemory.people)
    minified = _blocking(AsyncMemory.minified)
    me = _blocking(AsyncMemory.me)
    call_tool = _blocking(AsyncMemory.call_tool)
    command = _blocking(AsyncMemory.command)
    settle = _blocking(AsyncMemory.settle)
    reindex = _blocking(AsyncMemory.reindex)
    other_models = _blocking(AsyncMemory.other_models)
    missing_vectors = _blocking(AsyncMemory.missing_vectors)
    verify = _blocking(AsyncMemory.verify)
    stats = _blocking(AsyncMemory.stats)
    backup = _blocking(AsyncMemory.backup)
    # end


__all__ = ["Memory"]
