"""Memory: every verb, and the parts that carry them out."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, cast

from relembra.background import JobQueue, Nights, NightTasks
from relembra.blocklist import Blocklist
from relembra.contexts import Contexts
from relembra.conversations import Conversations, Saved
from relembra.domain.jobs import FLUSH
from relembra.domain.policy import LIFE, Policy
from relembra.domain.scope import DEFAULT_TENANT, person
from relembra.domain.scope import new_id as uuid7
from relembra.domain.text import fold
from relembra.domain.time import Clock, in_utc, system_clock
from relembra.errors import RelembraError, StoreReadOnlyError
from relembra.figures import Statistics
from relembra.ingest.intake import BlockSettings, place_of
from relembra.ingest.pipeline import EndsImport, Flusher, LearnDuty, Listening, ReadDuty, Summariser
from relembra.interchange import Interchange
from relembra.items import History, Items
from relembra.keys import Accounts, Keys, Replies, ReplyDuty
from relembra.learn.casework import Casework
from relembra.learn.keeper import Keeper
from relembra.learn.learner import Learner
from relembra.learn.rollback import Rollback
from relembra.lessons import Lessons
from relembra.minds.port import (
    Analyzer,
    Embedder,
    Inquirer,
    NightReader,
    Observer,
    Outside,
    Reader,
    Tokens,
    family_of,
)
from relembra.night.events import Announcer, Receiver
from relembra.night.gardener import Beginner
from relembra.night.upkeep import Backups, Indexer, Progress, reindex
from relembra.night.worker import LONGEST_SLEEP_SECONDS, Duty, Worker
from relembra.notebook import Notebook
from relembra.profiles import Profiles
from relembra.recall.finder import Finder
from relembra.services import Part, Services
from relembra.store.cache import Cache
from relembra.store.port import Restored, Salvaged, Stats, Store, Verification
from relembra.toolbox import Toolbox
from relembra.transfer.media import Media
from relembra.visibility import Visibility

if TYPE_CHECKING:
    from relembra.settings import Settings
    from relembra.tools.commands import CommandAnswer

log = logging.getLogger(__name__)

__all__ = ["History", "Memory", "Saved"]

P = ParamSpec("P")
R = TypeVar("R")
_list = list  # `Memory.list` is a verb


def _verb(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Memory, P], R]:
    """The method of a part as a verb of the memory that holds the part."""
    part = method.__qualname__.partition(".")[0]

    def done(self: Memory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return method(self._parts[part], *args, **kwargs)

    async def awaited(self: Memory, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        return await cast("Awaitable[Any]", method(self._parts[part], *args, **kwargs))

    verb = awaited if inspect.iscoroutinefunction(method) else done
    return cast("Callable[Concatenate[Memory, P], R]", wraps(method)(verb))


class Memory:
    """A memory for many people. Open one with `Memory.open`; each verb says whose memory with `user` and `tenant`."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        analyzer: Analyzer,
        tokens: Tokens,
        language_of: Callable[[str], str | None],
        offline: Reader,
        inquirer: Inquirer,
        offline_night: NightReader,
        observer: Observer,
        cache: Cache,
        backups: Backups | None = None,
        events: Receiver | None = None,
        night: NightReader | None = None,
        reader: Reader | None = None,
        media: Media | None = None,
        outside: Outside = Outside(),  # noqa: B008 - a frozen value
        mend: Callable[[str], str] | None = None,
        policy: Policy = LIFE,
        blocks: BlockSettings | None = None,
        language: str = "en",
        user: str = "",
        home: str = "",
        space_zones: Mapping[str, str] | None = None,
        clock: Clock = system_clock,
        new_id: Callable[[], str] = uuid7,
    ) -> None:
        self.user = user  # whose memory the settings mean, as on the command line and the page
        self._store = store
        self._embedder = embedder
        self._tokens = tokens
        self._cache = cache
        self._outside = outside
        self._offline = offline
        self._backups = backups
        self._renewal: asyncio.Task[None] | None = None
        self._backing_up: asyncio.Task[None] | None = None

        def now() -> datetime:
            return in_utc(clock(), "clock")

        self._now, self._clock = now, clock
        closed = blocks or BlockSettings()
        reads = reader or offline
        media = media or Media()
        self._minds = (reads, offline, night or offline_night, offline_night, embedder, media)
        self._events = events
        finder = Finder(store, embedder=embedder, analyzer=analyzer, policy=policy, mend=mend)
        keeper = Keeper(store, embedder=embedder, clock=now, new_id=new_id)
        casework = Casework(store, policy=policy, clock=now, new_id=new_id)
        self._learner = learner = Learner(
            store=store,
            reader=reads,
            offline=offline,
            reads_outside=outside.reader,
            embedder=embedder,
            casework=casework,
            policy=policy,
            clock=now,
            new_id=new_id,
            told=lambda scope, learnt: self._lessons.tell(scope, learnt),
            topics=inquirer.topics,
            language=language,
        )
        indexer = Indexer(store, embedder, embeds_outside=outside.embedder)
        self._listening = listening = Listening(
            store=store,
            reader=reads,
            offline=offline,
            reads_outside=outside.reader or outside.night,
            learner=learner,
            language_of=language_of,
            language=language,
            clock=now,
            new_id=new_id,
            vectors=indexer,
            calls_a_day=policy.learn.model_calls,
            tend=policy.tend,
            home=home,
            space_zones={fold(space): zone for space, zone in (space_zones or {}).items()},
            hears=closed.hears,
            begin=keeper.begin,
        )
        services = Services(
            store=store, cache=cache, policy=policy, tokens=tokens, language_of=language_of, language=language,
            home=home, outside=outside, clock=clock, now=now, new_id=new_id, offline=offline, reader=reads,
            finder=finder, keeper=keeper, casework=casework, learner=learner, listening=listening,
        )  # fmt: skip
        self._blocklist = blocklist = Blocklist(services, closed)
        visibility = Visibility(services, blocklist)
        self._profiles = profiles = Profiles(services, visibility, blocklist)
        tasks = NightTasks(
            services,
            embedder=embedder,
            night=night or offline_night,
            offline_night=offline_night,
            observer=observer,
            rewrite=profiles.rewrite,
            announces=events is not None,
        )
        summaries = reads if policy.listen.model_summaries else offline
        duties: list[Duty] = [
            indexer,
            EndsImport(listening),
            ReadDuty(listening),
            Flusher(listening),
            LearnDuty(listening),
            Summariser(listening, summaries, idle=policy.context.session_idle),
            Beginner(keeper),
            replying := ReplyDuty(store),
            tasks.duty,
            *(() if events is None else (Announcer(store, events, now),)),
        ]
        self._worker = worker = Worker(store, duties, chore=self._small_work, clock=clock)
        self._contexts = contexts = Contexts(services, blocklist, visibility, profiles, inquirer, worker)
        self._lessons = Lessons(services, blocklist, visibility, worker)
        items = Items(services, visibility, worker)
        conversations = Conversations(services, closed, visibility, contexts, worker, media)
        interchange = Interchange(services, visibility, worker, media)
        self._keys = Keys(services, worker)
        self._replies = Replies(services, worker, replying)
        parts: list[Part] = [
            *(blocklist, profiles, contexts, self._lessons, items, conversations, interchange),
            *(self._keys, self._replies, Accounts(services, interchange, conversations)),
            Statistics(services, visibility),
            Notebook(services, visibility, tasks.reporter, worker),
            JobQueue(services, worker),
            Nights(services, visibility, tasks, worker, Rollback(keeper)),
            Toolbox(services, blocklist, visibility, contexts, items),
        ]
        self._parts = {type(part).__name__: part for part in parts}

    @staticmethod
    def open(
        db: str | Path | None = None,
        *,
        settings: Settings | None = None,
        clock: Clock = system_clock,
        background: bool = True,
        read_only: bool = False,
    ) -> AbstractAsyncContextManager[Memory]:
        """A memory on a file, made if it is not there; ":memory:" keeps it in this process only.

        `clock` is for simulations; without `background` work waits for `settle`. `read_only`: of a file that is there,
        also where it cannot be written; whatever would write is a `StoreReadOnlyError`.
        """
        from relembra.bootstrap import opened  # the one module that names adapters, and only when asked

        return opened(db, settings=settings, clock=clock, background=background, read_only=read_only)

    @staticmethod
    async def restore_backup(
        file: str | Path, db: str | Path | None = None, *, settings: Settings | None = None
    ) -> Restored:
        """Put a backup in the place of a memory's file, which no program may have open; what was there is put aside.

        The backup is checked first and stays as it is. `StoreUnavailableError` while the memory is in use.
        """
        from relembra.bootstrap import restore_backup

        return await restore_backup(Path(file), db, settings=settings)

    @staticmethod
    async def salvage(file: str | Path, target: str | Path) -> Salvaged:
        """Bring what can be read of a damaged file into a new one, and leave the damaged one as it is.

        Vectors are not brought along: open the new file and `reindex`.
        """
        from relembra.bootstrap import salvage

        return await salvage(Path(file), Path(target))

    # ── verbs ─────────────────────────────────────────────────────────────────────────────────────────────────────

    list = _verb(Items.page)
    # made from the parts by `--update-golden`:
    retry = _verb(JobQueue.retry)
    failed_jobs = _verb(JobQueue.failed_jobs)
    jobs = _verb(JobQueue.jobs)
    job = _verb(JobQueue.job)
    retry_job = _verb(JobQueue.retry_job)
    cancel_job = _verb(JobQueue.cancel_job)
    run_job = _verb(JobQueue.run_job)
    consolidate = _verb(Nights.consolidate)
    consolidations = _verb(Nights.consolidations)
    consolidation = _verb(Nights.consolidation)
    rollback = _verb(Nights.rollback)
    garden = _verb(Nights.garden)
    garden_plan = _verb(Nights.garden_plan)
    find_insights = _verb(Nights.find_insights)
    insights = _verb(Nights.insights)
    block = _verb(Blocklist.block)
    unblock = _verb(Blocklist.unblock)
    switch_space = _verb(Blocklist.switch_space)
    switch_spaces = _verb(Blocklist.switch_spaces)
    blocks = _verb(Blocklist.blocks)
    spaces = _verb(Blocklist.spaces)
    users = _verb(Blocklist.users)
    refusal = _verb(Blocklist.refusal)
    search = _verb(Contexts.search)
    recall = _verb(Contexts.recall)
    load = _verb(Contexts.load)
    why = _verb(Contexts.why)
    save = _verb(Conversations.save)
    in_words = _verb(Conversations.in_words)
    messages = _verb(Conversations.messages)
    start_conversation = _verb(Conversations.start_conversation)
    conversations = _verb(Conversations.conversations)
    conversation = _verb(Conversations.conversation)
    rename_conversation = _verb(Conversations.rename_conversation)
    delete_conversation = _verb(Conversations.delete_conversation)
    forget = _verb(Conversations.forget)
    count = _verb(Statistics.count)
    over_time = _verb(Statistics.over_time)
    export = _verb(Interchange.export)
    import_ = _verb(Interchange.import_)
    add = _verb(Items.add)
    add_many = _verb(Items.add_many)
    get = _verb(Items.get)
    find = _verb(Items.find)
    validate = _verb(Items.validate)
    correct = _verb(Items.correct)
    delete = _verb(Items.delete)
    restore = _verb(Items.restore)
    archive = _verb(Items.archive)
    recover = _verb(Items.recover)
    keep_local = _verb(Items.keep_local)
    history = _verb(Items.history)
    sources = _verb(Items.sources)
    related = _verb(Items.related)
    undo = _verb(Items.undo)
    watch = _verb(Items.watch)
    link = _verb(Accounts.link)
    unlink = _verb(Accounts.unlink)
    links = _verb(Accounts.links)
    linked = _verb(Accounts.linked)
    create_key = _verb(Keys.create_key)
    keys = _verb(Keys.keys)
    revoke_key = _verb(Keys.revoke_key)
    key_of = _verb(Keys.key_of)
    page_pass = _verb(Keys.page_pass)
    link_pass = _verb(Keys.link_pass)
    key_of_pass = _verb(Keys.key_of_pass)
    end_pass = _verb(Keys.end_pass)
    begin_reply = _verb(Replies.begin_reply)
    end_reply = _verb(Replies.end_reply)
    drop_reply = _verb(Replies.drop_reply)
    queue_reply = _verb(Replies.queue_reply)
    send_replies = _verb(Replies.send_replies)
    learn = _verb(Lessons.learn)
    preview = _verb(Lessons.preview)
    usage = _verb(Lessons.usage)
    conflicts = _verb(Lessons.conflicts)
    conflict = _verb(Lessons.conflict)
    resolve = _verb(Lessons.resolve)
    reopen = _verb(Lessons.reopen)
    notes = _verb(Notebook.notes)
    note = _verb(Notebook.note)
    timeline = _verb(Notebook.timeline)
    report = _verb(Notebook.report)
    appointment = _verb(Notebook.appointment)
    note_files = _verb(Notebook.note_files)
    profile = _verb(Profiles.profile)
    cognitive = _verb(Profiles.cognitive)
    people = _verb(Profiles.people)
    minified = _verb(Profiles.minified)
    me = _verb(Profiles.me)
    call_tool = _verb(Toolbox.call_tool)
    # end

    @staticmethod
    def tools(
        format: Literal["openai", "anthropic", "plain"] = "openai", language: str = "en"
    ) -> _list[dict[str, Any]]:
        """The three tools for an assistant, as OpenAI or Anthropic want them described, or plainly."""
        from relembra.tools.answers import tools

        return tools(format, language)

    async def command(
        self,
        text: str,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        language: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> CommandAnswer | None:
        """The answer to a command in chat ("/lembrar …", "/forget …", "/perfil"); None where the text is none."""
        from relembra.tools.commands import answered

        keeps = await self._blocklist.refused(tenant, user, place_of(space, channel)) is None
        return await answered(
            self, text, user=user, space=space, channel=channel, language=language, keeps=keeps, outside=outside,
            tenant=tenant,
        )  # fmt: skip

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def settle(self, *, flush: bool = False) -> int:
        """Finish all background work that is due now; how many jobs there were.

        With `flush` everybody's open buffers are noted and learnt from now, without waiting for quiet.
        """
        await (self._renewal or self._renew())
        if flush:
            await self._store.hasten(FLUSH, now=self._now())
        return await self._worker.run_due()

    async def reindex(self, progress: Progress | None = None) -> int:
        """Give every row a vector of the embedder in use; may be interrupted and goes on where it stopped."""
        return await reindex(self._store, self._embedder, progress, embeds_outside=self._outside.embedder)

    async def other_models(self) -> _list[str]:
        """Models other than the one in use that left vectors here, which `reindex` would replace."""
        return [name for name in await self._store.model_names() if name != self._embedder.name]

    async def missing_vectors(self) -> int:
        """How many rows have no vector of the embedder in use, which `reindex` would give them. Counts everything."""
        stats = await self._store.stats()
        rows = stats.messages + stats.notes + sum(stats.items.values())
        return max(0, rows - stats.vectors.get(self._embedder.name, 0))

    async def verify(self) -> Verification:
        """Check that rows, text index and vectors agree."""
        return await self._store.verify()

    async def stats(self, *, user: str | None = None, tenant: str = DEFAULT_TENANT) -> Stats:
        """How much is held, of one person or of everybody."""
        return await self._store.stats(None if user is None else person(tenant, user))

    async def backup(self, target: str | Path) -> int:
        """Write a consistent copy while in use; its size in bytes."""
        return await self._store.backup(Path(target))

    def start(self, *, queued: bool = True, longest_sleep: float = LONGEST_SLEEP_SECONDS) -> None:
        """Do queued work in the background from now on, and embed anew what another version of the model embedded.

        Without `queued` another process does that, and here is done what follows this one's own answers. What other
        processes enqueue is seen within the longest sleep, in seconds.
        """
        self._worker.start(queued=queued, longest_sleep=longest_sleep)
        if not queued:
            return
        if self._backups is not None:
            self._backing_up = asyncio.create_task(self._backups.keep(), name="relembra-backups")
        self._renewal = asyncio.create_task(self._renew(), name="relembra-renewal")

    async def _renew(self) -> None:
        """After a new version of the model: reindex. Another model altogether may be a trial, so it is only told."""
        try:
            others = await self.other_models()
            if not others:
                return
            if any(family_of(name) != family_of(self._embedder.name) for name in others):
                log.warning("vectors of %s are not compared with %s; reindex embeds anew", others, self._embedder.name)
                return
            log.warning("vectors of %s are replaced by those of %s", others, self._embedder.name)
            await self.reindex()
        except RelembraError as exc:
            log.warning("embedding anew stopped and goes on at the next start: %s", type(exc).__name__)

    @property
    def lacks(self) -> _list[str]:
        """What was out of reach when it was last needed and is done without: the shared "cache", the "embedder"."""
        lost = {"cache": not self._cache.is_whole, "embedder": getattr(self._embedder, "is_lost", False)}
        return [name for name, is_lost in lost.items() if is_lost]

    async def close(self) -> None:
        """Finish the batch at hand and let go; what is left stays queued for the next start."""
        try:
            behind = [task for task in (self._renewal, self._backing_up) if task is not None]
            for task in behind:
                task.cancel()
            await asyncio.gather(*behind, return_exceptions=True)
            await self._worker.stop()
            self._profiles.forget()
            await self._small_work()
        except StoreReadOnlyError:
            log.debug("accesses are not counted in a memory that is only read")
        except RelembraError as exc:
            log.warning("the last access counts were lost: %s", type(exc).__name__)
        finally:
            if self._events is not None:
                await self._events.close()
            for held in (*self._minds, self._cache, self._store):
                await held.close()

    async def _small_work(self) -> None:
        """What follows answers and never holds one up."""
        await self._contexts.follow_up()
        await self._keys.note_uses()
        await self._replies.purge()
