"""What comes back: search, recall with its reasons, and the context for an assistant."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Unpack

from relembra.blocklist import Blocklist
from relembra.domain.audit import tagged
from relembra.domain.insight import MENTIONED, TAG, is_to_tell
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, told_beside
from relembra.domain.message import FROM_FILES, Message, Note, NoteKind, Role
from relembra.domain.policy import RankingName
from relembra.domain.scope import DEFAULT_TENANT, DIRECT, Place, Scope, person, shelf_of
from relembra.domain.searchable import Inquiry
from relembra.domain.text import checked_language, checked_text, each, fold
from relembra.domain.time import local, time_limit
from relembra.errors import ConflictError, InvalidInputError, NotFoundError, StaleError, TooSlowError
from relembra.ingest.intake import compressed, conversation_of, place_of, session
from relembra.ingest.pipeline import working_note
from relembra.minds.port import Inquirer
from relembra.night.worker import Worker
from relembra.profiles import Profiles
from relembra.recall.assembly import VITAL, MemoryContext, assemble, nothing
from relembra.recall.finder import Wanted
from relembra.recall.query import ItemWishes, Miss, Missed, Recall, checked_limit, item_filter
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Rule, Why, by_layer, unasked
from relembra.recall.rendering import ProfileLine, Question, is_telling
from relembra.services import Part, Services
from relembra.store.port import (
    NAMING,
    NOTHING,
    CaseFilter,
    ItemFilter,
    ItemOrder,
    Kind,
    MessageFilter,
    NoteFilter,
    Stamp,
    Touch,
    Voice,
    Withheld,
    cache_key,
)
from relembra.visibility import Visibility

if TYPE_CHECKING:
    from relembra.views.profile import Tie

RECALL_LIMIT = 10
FAR_ITEM = 0.37  # similarities below which what is known does not concern a task,
FAR_MESSAGE = 0.32  # and what was said, or
FAR_MEANING = 0.37  # how near in meaning that is; docs/evaluation.md says how well these tell
LEAST_MEANING = 0.2  # of an item that shares no word with a task
FILLED = 3  # times as many rows are looked at as answer, to fill a context that has room left
HEARD_LATELY = 500  # messages of a channel, the newest, tell who speaks there
MOST_VOICES = 20  # people whose words in a channel are searched, the last who spoke and whoever asks
MOST_LOOKED_UP = 4  # times as many names as profiles are shown, since not everybody named is known
NOTE_KINDS = tuple(kind for kind in NoteKind if kind not in (NoteKind.SESSION, NoteKind.WEEKLY, NoteKind.MONTHLY))
"""What is recalled. The session at hand is shown by itself; reports only tell again what other notes and items do."""
RECALLER = "program:recall"
AT_ONCE = 400
"""Characters of a question that is taken apart right away: to cross to a thread takes longer than a short one does."""


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a recall came about: what was asked, what was shown, and every row that matched and was not, with why."""

    inquiry: Inquiry
    context: MemoryContext
    missed: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """One `load`, checked."""

    scope: Scope
    place: Place
    now: datetime
    query: str | None
    budget: int
    conversation: str | None
    language: str | None
    format: str
    speakers: tuple[str, ...]
    mentioned: tuple[str, ...]
    wanted: ItemFilter
    trace: bool
    outside: bool  # for a model on another machine
    away: Withheld = NOTHING  # what of the person stays on this one then

    @property
    def is_then(self) -> bool:
        """Whether another moment than now is asked about."""
        return self.wanted.as_of is not None or self.wanted.true_at is not None


class _Session(NamedTuple):
    """The conversation at hand: the last messages, the newest first, and the working summary."""

    newest_first: tuple[Message, ...]
    note: Note | None


class Contexts(Part):
    """Answers to questions, and what follows them in the background."""

    def __init__(
        self,
        services: Services,
        blocklist: Blocklist,
        visibility: Visibility,
        profiles: Profiles,
        inquirer: Inquirer,
        worker: Worker,
    ) -> None:
        super().__init__(services)
        self._blocklist = blocklist
        self._visibility = visibility
        self._profiles = profiles
        self._worker = worker
        self._inquirer = inquirer
        self._read: dict[tuple[Scope, Kind], set[str]] = {}  # what was shown, to be counted behind the answer
        self._revived: dict[tuple[Scope, Kind], set[str]] = {}  # what was brought back from the archive
        self._asked: dict[tuple[Scope, str], datetime] = {}  # which questions were put, and when
        self._mentioned: dict[Scope, set[str]] = {}  # which insights were handed out to be told

    async def search(
        self,
        query: str,
        *,
        user: str,
        limit: int | None = None,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
        **wishes: Unpack[ItemWishes],
    ) -> list[Hit]:
        """The items that answer best by meaning and by words, each with its score and why.

        `outside`: for a model on another machine, which is shown nothing that is marked local-only, or from which
        that was learnt; so it is with every verb that takes it.
        """
        most = self._policy.search.default_limit if limit is None else limit
        found = await self.recall(
            query, user=user, limit=most, kinds="item", space=space, channel=channel, outside=outside, tenant=tenant,
            **wishes,
        )  # fmt: skip
        return list(found.items)

    async def recall(
        self,
        query: str,
        *,
        user: str,
        limit: int = RECALL_LIMIT,
        kinds: Iterable[str] | str | None = None,
        space: str | None = None,
        channel: str | None = None,
        trace: bool = False,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
        **wishes: Unpack[ItemWishes],
    ) -> Recall:
        """What answers a question, weak matches too: items, notes and messages, up to `limit` of each kind.

        With `trace` it also tells every row that matched and was left out, and why.
        """
        scope, place = person(tenant, user), place_of(space, channel)
        checked_limit(limit, self._policy.search.largest_limit)
        chosen = Kind if kinds is None else each(Kind, kinds, "kinds")
        away = await self._visibility.withheld(scope, outside)
        wanted = replace(item_filter(self._now(), place, **wishes), without=away.items)
        inquiry = await self.inquiry(scope, checked_text(query, "query"), place, without=away.items)
        if await self._blocklist.refused(tenant, user, place) is not None:
            return Recall(query=query, inquiry=inquiry)
        found = await self._brought(
            scope,
            inquiry,
            wanted,
            items=limit if Kind.ITEM in chosen else 0,
            notes=limit if Kind.NOTE in chosen else 0,
            messages=limit if Kind.MESSAGE in chosen else 0,
            least=0.0,
            trace=trace,
            outside=outside,
        )
        if not trace:  # which only looks at how it comes about
            self.count_found(scope, found.items, found.notes)
        return found

    async def load(
        self,
        *,
        user: str,
        query: str | None = None,
        budget: int | None = None,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        language: str | None = None,
        format: str = "markdown",
        speakers: Iterable[str] | str = (),
        mentioned: Iterable[str] | str = (),
        as_of: datetime | None = None,
        true_at: datetime | None = None,
        history: bool = False,
        skip: bool = False,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> MemoryContext:
        """The few lines that matter now, within a budget: who the person is, what is known, noted and was said about
        the query (or the last thing said), and the conversation at hand.

        In a space it shows the profiles of those who speak (`speakers`, besides those heard there lately), of up to
        three who are `mentioned`, and of up to three from recalled notes. Where two things known cannot both be so, it
        carries one gentle question for the person (`question`); where there is none, in private, one insight they were
        not told yet (`insight`). `as_of`: what was believed then; `true_at`: what was true then; `history`: what is not
        held any more as well.
        """
        place = place_of(space, channel)
        asked = self._checked(
            user, query, budget, conversation, place, language, format, speakers, mentioned, tenant,
            as_of=as_of, true_at=true_at, history=history, outside=outside,
        )  # fmt: skip
        if await self._blocklist.refused(tenant, user, place, skip=skip) is not None:
            return nothing(asked.budget, language or self._language, format)
        context, _ = await self._loaded(asked)
        self._follow(asked, context)
        return context

    async def why(
        self,
        query: str,
        *,
        user: str,
        budget: int | None = None,
        space: str | None = None,
        channel: str | None = None,
        language: str | None = None,
        as_of: datetime | None = None,
        true_at: datetime | None = None,
        history: bool = False,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Trace:
        """The context a query would get, from candidates to the cut, misses included. Nothing is counted or asked."""
        place = place_of(space, channel)
        asked = self._checked(
            user, checked_text(query, "query"), budget, None, place, language, "markdown", (), (), tenant,
            as_of=as_of, true_at=true_at, history=history, trace=True, outside=outside,
        )  # fmt: skip
        if await self._blocklist.refused(tenant, user, place) is not None:
            away = (await self._visibility.withheld(asked.scope, outside)).items
            inquiry = await self.inquiry(asked.scope, query, place, without=away)
            return Trace(inquiry=inquiry, context=nothing(asked.budget, language or self._language), missed=())
        context, found = await self._loaded(asked)
        told = context.told | told_beside(hit.item for hit in found.items)
        left = [
            replace(one, miss=Miss.TOLD) if one.row.id in told else one for one in _left_out(found, context, Miss.CUT)
        ]
        return Trace(inquiry=found.inquiry, context=context, missed=(*left, *found.missed))

    # ── one load ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _checked(
        self,
        user: str,
        query: str | None,
        budget: int | None,
        conversation: str | None,
        place: Place,
        language: str | None,
        format: str,
        speakers: Iterable[str] | str,
        mentioned: Iterable[str] | str,
        tenant: str,
        *,
        trace: bool = False,
        outside: bool = False,
        **wishes: Unpack[ItemWishes],
    ) -> _Asked:
        tokens = self._policy.context.budget_tokens if budget is None else budget
        if not isinstance(tokens, int) or isinstance(tokens, bool):
            raise InvalidInputError(f"budget {tokens!r} is no whole number of tokens", field="budget")
        if tokens < 0:
            raise InvalidInputError(f"budget {tokens} is negative", field="budget")
        checked_language(language)
        if conversation is not None:
            conversation_of(conversation, place)
        nothing(tokens, language or self._language, format)
        now = self._now()
        speaking, named = (
            tuple(person(tenant, name).user for name in ([names] if isinstance(names, str) else names))
            for names in (speakers, mentioned)
        )

        return _Asked(
            scope=person(tenant, user),
            place=place,
            now=now,
            query=None if query is None else checked_text(query, "query"),
            budget=tokens,
            conversation=conversation,
            language=language,
            format=format,
            speakers=speaking,
            mentioned=named,
            wanted=item_filter(now, place, **wishes),
            trace=trace,
            outside=outside,
        )

    async def _loaded(self, asked: _Asked) -> tuple[MemoryContext, Recall]:
        scope, place, now, limits = asked.scope, asked.place, asked.now, self._policy.context
        shelf = shelf_of(scope, place)
        stamps = dict(zip((scope, shelf), await self._store.stamps([scope, shelf]), strict=True))
        if away := await self._visibility.withheld(scope, asked.outside, stamps[scope]):
            asked = replace(asked, away=away, wanted=replace(asked.wanted, without=away.items))
        newest_first, note = await self._session(asked, (stamps[scope].said, stamps[shelf].said))
        recent = [] if asked.is_then else list(reversed(newest_first))
        if asked.conversation is None:  # the session going on in that place
            recent = session(recent[::-1], now, limits.session_idle)
        topic = asked.query or next((message.text for message in reversed(recent) if message.role is Role.USER), None)
        inquiry = await self.inquiry(scope, topic or "", place, stamps[scope], away.items)
        said = (topic or "", *(message.text for message in reversed(recent)))
        spoken = asked.language or next((found for found in map(self._language_of, said) if found), self._language)
        summary, shown = (None, recent) if asked.is_then else await self._summary(note, recent, now)
        layered = self._policy.ranking.name is RankingName.WORK
        most = self._policy.layers.medium_most if layered else 0
        ranking = self._policy.ranking
        times = FILLED if ranking.fills else 1

        async def recalled() -> Recall:
            if topic is None:
                return await self._newest(asked, inquiry)
            if inquiry.is_small_talk:
                return Recall(query=inquiry.text, inquiry=inquiry)
            return await self._brought(
                scope,
                inquiry,
                asked.wanted,
                items=most or times * limits.recalled_items,
                notes=most or limits.recalled_notes,
                messages=most or times * limits.recalled_messages,
                least=ranking.least_shown,
                apart_from={message.id for message in recent},
                trace=asked.trace,
                outside=asked.outside,
            )

        recalling = asyncio.ensure_future(recalled())
        try:  # while the question is embedded
            private = asked.place.is_private and not asked.is_then
            memory = await self._profiles.memory_lines(scope, spoken, stamps[scope], away) if private else ()
            question = None if asked.is_then else await self._question(asked, spoken, stamps[scope])
            insight = await self._insight(asked, stamps[scope]) if private and question is None else None
            found = self._telling(await recalling, asked)
        finally:
            recalling.cancel()
        if inquiry.is_small_talk or (inquiry.is_task and self._is_far(found)):  # it is enough to know who they are
            memory = tuple(line for line in memory if line.field in VITAL)
            if asked.trace:
                found = replace(
                    found,
                    missed=(*_left_out(found, Recall(query=found.query, inquiry=inquiry), Miss.WEAK), *found.missed),
                )
            found = replace(found, items=(), notes=(), messages=())
        if layered:  # as many of each layer as the policy chooses
            layers, every = self._policy.layers, found
            chosen = by_layer(found.items, found.notes, found.messages, now=now, policy=layers)
            found = replace(found, items=tuple(chosen[0]), notes=tuple(chosen[1]), messages=tuple(chosen[2]))
            if asked.trace:
                found = replace(found, missed=(*_left_out(every, found, Miss.OUTRANKED), *found.missed))
            shown = compressed(shown[-layers.short :] if layers.short else [], self._tokens, layers.short_tokens)[1]
        answers, filling = self._filling(found) if ranking.fills and topic is not None else (found, [])
        profiles = await self._mentioned_profiles(asked, answers, spoken)
        learnt_in = await self._visibility.notes_of(scope, [hit.item for hit in found.items], asked.outside)
        context = assemble(
            name=scope.user,
            names=await self._names(asked, found, shown, profiles, stamps[scope]),
            hits=answers.items,
            notes=answers.notes,
            earlier=answers.messages,
            filling=filling,
            fill=ranking.fills and topic is not None and not inquiry.is_small_talk,
            recent=shown,
            memory=memory,
            profiles=profiles,
            learnt_in={note.id: note for note in learnt_in},
            summary=summary,
            question=question,
            insight=insight,
            now=local(now, recent[-1].zone) if recent else now,
            budget=asked.budget,
            language=spoken,
            policy=self._policy,
            tokens=self._tokens,
            format=asked.format,
        )
        return context, found

    def _is_far(self, found: Recall) -> bool:
        """Whether nothing that was found is nearly as like a request as what questions about oneself find.

        Earlier work to be done and small talk tell nothing of the asker, however alike; a question may have an answer.
        """

        def is_near(why: Why) -> bool:
            return why.similarity >= FAR_MESSAGE or (why.cosine or 0.0) >= FAR_MEANING

        if any(hit.why.similarity >= FAR_ITEM and _is_like(hit) for hit in found.items):
            return False
        if any(hit.note.kind in FROM_FILES and is_near(hit.why) for hit in found.notes):
            return False
        said = [hit for hit in found.messages if hit.message.role is Role.USER and is_near(hit.why)]
        near = [hit.message.text[-AT_ONCE:] for hit in said]
        read = (self._inquirer.read(text, now=self._clock()) for text in near)
        return all(one.is_small_talk or (one.is_task and "?" not in one.text) for one in read)

    def _telling(self, found: Recall, asked: _Asked) -> Recall:
        """The same without what is too unsure to be told unasked."""
        sure = self._policy.confidence
        unsure = [
            Missed(hit.item, Miss.UNSURE, hit.score, hit.why) for hit in found.items if not is_telling(hit.item, sure)
        ]
        telling = tuple(hit for hit in found.items if is_telling(hit.item, sure))
        return replace(found, items=telling, missed=(*(unsure if asked.trace else ()), *found.missed))

    def _filling(self, found: Recall) -> tuple[Recall, list[Hit | NoteHit | MessageHit]]:
        """What answers, and what of the rest may fill the room that is left, best first.

        What an assistant said fills only where its words are asked for.
        """
        limits, least = self._policy.context, self._policy.ranking.least_similarity
        items = [hit for hit in found.items if hit.why.similarity > least][: limits.recalled_items]
        notes = [hit for hit in found.notes if hit.why.similarity > least][: limits.recalled_notes]
        messages = [hit for hit in found.messages if hit.why.similarity + hit.why.around > least]
        messages = messages[: limits.recalled_messages]
        strong = {id(hit) for hit in (*items, *notes, *messages)}
        rest: list[Hit | NoteHit | MessageHit] = [*found.messages, *found.items]
        filling = [
            hit
            for hit in rest
            if id(hit) not in strong
            and not (
                isinstance(hit, MessageHit)
                and hit.message.role is Role.ASSISTANT
                and found.inquiry.role is not Role.ASSISTANT
            )
        ]
        filling.sort(key=lambda hit: -(hit.why.similarity + hit.why.around))
        return replace(found, items=tuple(items), notes=tuple(notes), messages=tuple(messages)), filling

    async def _newest(self, asked: _Asked, inquiry: Inquiry) -> Recall:
        """What was learnt last, where nothing is asked."""
        page = await self._store.page(asked.scope, asked.wanted, limit=self._policy.context.recalled_items)
        hits = [unasked(item, self._policy.ranking) for item in page.rows]
        shown = await self._visibility.shown_hits(asked.scope, hits, asked.wanted, asked.away)
        return Recall(query=inquiry.text, inquiry=inquiry, items=tuple(shown))

    async def _question(self, asked: _Asked, language: str, stamp: Stamp) -> Question | None:
        """The question to put next, but for one handed out a moment ago and not yet written down; whether there is any
        holds until something else is known."""
        scope, place = asked.scope, asked.place

        async def is_anything_open() -> bool:
            return bool((await self._store.page(scope, CaseFilter(asked_in=place, open_only=True), limit=1)).rows)

        key = cache_key("open cases", place.space, place.channel)
        if not await self._cached(scope, key, stamp.known, bool, is_anything_open):
            return None
        question = await self._casework.pending(scope, place, asked.now, language, without=asked.away.items)
        return None if question is not None and (scope, question.case_id) in self._asked else question

    async def _insight(self, asked: _Asked, stamp: Stamp) -> KnowledgeItem | None:
        """The surest insight the person was not told; whether there is any holds until something else is known."""
        scope, policy = asked.scope, self._policy.insight

        async def new() -> list[KnowledgeItem]:
            wanted = ItemFilter(
                now=asked.now, types=(KnowledgeType.INSIGHT,), tags=(TAG,), order=ItemOrder.SUREST,
                without=asked.away.items,
            )  # fmt: skip
            held = await self._store.page(scope, wanted, limit=policy.most)
            return [item for item in held.rows if is_to_tell(item, MENTIONED, policy)]

        async def is_any() -> bool:
            return bool(await new())

        key = cache_key("insights to tell", bool(asked.away))
        if scope in self._mentioned or not await self._cached(scope, key, stamp.known, bool, is_any):
            return None
        return next(iter(await new()), None)

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def inquiry(
        self,
        scope: Scope,
        text: str,
        place: Place = DIRECT,
        stamp: Stamp | None = None,
        without: frozenset[str] = frozenset(),
    ) -> Inquiry:
        """The question analysed, with the people this memory knows of as far as the place may hear of them.

        `without`: items whose people are left out.
        """
        told = stamp or (await self._store.stamps([scope]))[0]
        known = await self._cached(
            scope,
            cache_key("names", place.space, bool(without)),
            told.known,
            dict[str, str],
            partial(self._known_names, scope, place, without),
        )

        speakers = await self._speakers(scope, place, told) if text else []
        speaking = {fold(name): author for author, shown in speakers for name in (author, shown)}

        def read() -> Inquiry:
            """One that takes too long to read is searched for as it stands."""
            try:
                with time_limit(self._policy.learn.read_within.total_seconds()):
                    return self._inquirer.read(text, now=self._clock(), known=known, speakers=speaking)
            except TooSlowError:
                log.warning("a question of %d characters took too long to read and is searched for as it is", len(text))
                return Inquiry(text=text, core=text)

        return read() if len(text) <= AT_ONCE else await asyncio.to_thread(read)

    async def _speakers(self, scope: Scope, place: Place, stamp: Stamp) -> list[tuple[str, str]]:
        """Whose words may come back, by id, with how an app showed them last."""
        if place.is_private:
            heard = list[tuple[str, str]]
            return await self._cached(scope, "speakers", stamp.said, heard, partial(self._store.speakers, scope))
        return [(voice.author, voice.shown) for voice in await self._voices(scope, place)]

    async def _voices(self, scope: Scope, place: Place) -> list[Voice]:
        """Who spoke in a channel lately, as far as they are listened to; the last who did, and whoever asks."""
        found = await self._store.voices(scope.tenant, place, messages=HEARD_LATELY)
        names = [name for voice in found for name in (voice.author, voice.scope.user)]
        blocked = await self._blocklist.unheard(scope.tenant, names) if found else set()
        heard = [voice for voice in found if blocked.isdisjoint((fold(voice.author), fold(voice.scope.user)))]
        last = dict.fromkeys([scope, *(voice.scope for voice in heard)])
        taken = set(islice(last, MOST_VOICES))
        return [voice for voice in heard if voice.scope in taken]

    async def _known_names(self, scope: Scope, place: Place, without: frozenset[str]) -> dict[str, str]:
        """What people are called, folded, and whom it means: names, parts of names, and ties in both languages.

        In a space, those it was told of there.
        """
        from relembra.views.profile import bare_tie, words_for

        if place.is_private:
            known = await self._store.acquaintances(scope, without=without)
        else:
            told = await self._visibility.current(scope, place, self._now(), Withheld(items=without))
            called = {(item.subject, item.value) for item in told if item.attribute in NAMING and item.value}
            known = sorted({*called, *((item.subject, item.subject) for item in told)})
        names: dict[str, str] = {}
        tied: dict[Tie, set[str]] = {}
        parts: list[tuple[str, str]] = []
        for subject, name in [(whom, name) for whom, called in known for name in (called, whom) if whom != SELF]:
            names.setdefault(fold(name), subject)
            if (tie := bare_tie(name)) is not None:
                tied.setdefault(tie, set()).add(subject)
            elif name[0].isupper():  # of "melhor amiga" no word stands alone
                parts += [(part, subject) for part in name.split() if part[0].isupper() and len(part) > 2]
        for part, subject in parts:
            names.setdefault(fold(part), subject)
        for tie, subjects in tied.items():
            if len(subjects) == 1:  # with two sisters the word alone means neither
                for word in words_for(tie):
                    names.setdefault(fold(word), next(iter(subjects)))
        return names

    async def _brought(
        self,
        scope: Scope,
        inquiry: Inquiry,
        wanted: ItemFilter,
        *,
        items: int,
        notes: int,
        messages: int,
        least: float,
        apart_from: Collection[str] = (),
        trace: bool = False,
        outside: bool = False,
    ) -> Recall:
        ends = (wanted.until, wanted.as_of, wanted.true_at)  # what was said after a moment does not tell of it
        until = min((moment for moment in ends if moment is not None), default=None)
        place = wanted.asked_in
        shelf = shelf_of(scope, place)
        away = await self._visibility.withheld(scope, outside)
        said = MessageFilter(
            asked_in=place, from_space=wanted.from_space, from_channel=wanted.from_channel, since=wanted.since,
            until=until, without=away.messages, prompts=False,
        )  # fmt: skip
        channel = None
        if messages and not place.is_private:
            owners = {scope, *(voice.scope for voice in await self._voices(scope, place))}
            kept_here = [(await self._visibility.withheld(owner, outside)).messages for owner in owners]
            channel = replace(
                said,
                said_there=True,
                owners=tuple(sorted(owner.user for owner in owners)),
                without=frozenset[str]().union(*kept_here),
            )
        noted = away if shelf == scope else await self._visibility.withheld(shelf, outside)
        # A space's notes tell what others said there, so that they are recalled in that space alone.
        which = NoteFilter(
            asked_in=place, kinds=NOTE_KINDS, from_space=wanted.from_space, from_channel=wanted.from_channel,
            since=wanted.since, until=until, without=noted.notes,
        )  # fmt: skip
        found = await self._finder.brought(
            scope,
            inquiry,
            Wanted(
                items=wanted,
                most_items=items,
                messages=said,
                channel=channel,
                most_messages=messages,
                notes=[(shelf, which)] if notes else (),
                most_notes=notes,
                apart_from=apart_from,
                least=least,
                trace=trace,
            ),
        )
        unheard = await self._unheard(scope, found)
        hidden = await self._visibility.hidden_notes(scope, [hit.note for hit in found.notes])
        gone = [Missed(hit.note, Miss.DELETED, hit.score, hit.why) for hit in found.notes if hit.note.id in hidden]
        missed = [
            replace(one, row=away.out_of(one.row)) if isinstance(one.row, KnowledgeItem) else one
            for one in (*found.missed, *(gone if trace else ()))
            if one.row.id not in unheard
        ]
        return replace(
            found,
            items=tuple(await self._visibility.shown_hits(scope, found.items, wanted, away)),
            notes=tuple(hit for hit in found.notes if hit.note.id not in hidden),
            messages=tuple(hit for hit in found.messages if hit.message.id not in unheard),
            missed=tuple(missed),
        )

    async def _unheard(self, scope: Scope, found: Recall) -> set[str]:
        """Messages found in the memory of others whose authors are blocked, as some may be that a bridge brought."""
        rows = (*(hit.message for hit in found.messages), *(one.row for one in found.missed))
        others = [row for row in rows if isinstance(row, Message) and row.scope != scope]
        blocked = await self._blocklist.unheard(scope.tenant, [row.author for row in others]) if others else set()
        return {row.id for row in others if row.role is not Role.ASSISTANT and fold(row.author) in blocked}

    # ── the conversation at hand ──────────────────────────────────────────────────────────────────────────────────

    async def _session(self, asked: _Asked, stamp: tuple[int, int]) -> _Session:
        """The last messages and the working summary: from the cache while nothing was said since, else read anew."""
        scope, place = asked.scope, asked.place
        shelf = shelf_of(scope, place)
        named = conversation_of(asked.conversation, place)

        async def read() -> _Session:
            wanted = MessageFilter(
                asked_in=place,
                said_there=asked.conversation is None,
                conversation=asked.conversation,
                without=asked.away.messages,
                prompts=False,
            )
            page = await self._store.page(scope, wanted, limit=self._policy.context.recent_messages)
            is_named = asked.conversation is not None
            talk = tuple(row for row in page.rows if is_named or not (row.is_journal or row.is_imported))
            return _Session(talk, await working_note(self._store, shelf, place, named))

        key = cache_key("session", place.space, place.channel, asked.conversation, asked.outside)
        newest_first, note = await self._cached(scope, key, stamp, _Session, read)
        # A summary stays on this machine where something of its talk does, which others in a space may mark any time.
        away = asked.away if shelf == scope else await self._visibility.withheld(shelf, asked.outside)
        return _Session(newest_first, None if named in away.conversations else note)

    async def _summary(
        self, note: Note | None, recent: list[Message], now: datetime
    ) -> tuple[str | None, list[Message]]:
        """What came before the messages shown: the session's working summary, or the oldest of them told briefly."""
        older, shown = compressed(recent, self._tokens, self._policy.listen.compress_over_tokens)
        if older:
            talk = await self._listening.talk(None, older)
            return await self._offline.working_summary(talk, None), shown
        if note is None or now - note.happened_at > self._policy.context.session_idle:
            return None, shown
        covered = {message.id for message in shown}
        return (note.summary, shown) if not covered.issuperset(note.message_ids) else (None, shown)

    # ── who they are ──────────────────────────────────────────────────────────────────────────────────────────────

    async def _names(
        self,
        asked: _Asked,
        found: Recall,
        recent: Iterable[Message],
        profiles: Iterable[ProfileLine],
        stamp: Stamp,
    ) -> dict[str, str]:
        """What the people of a context are called; in private, others go by their ids."""
        ids = {asked.scope.user}
        if not asked.place.is_private:
            ids |= {line.person for line in profiles} | {hit.item.speaker for hit in found.items if hit.item.speaker}
            ids |= {one.author for one in (*(hit.message for hit in found.messages), *recent) if one.role is Role.USER}
        names: dict[str, str] = {}
        for id in sorted(ids):
            with suppress(InvalidInputError):  # a name nobody can have as an account
                whose = person(asked.scope.tenant, id)
                known = stamp if whose == asked.scope else None
                names[id], _ = await self._visibility.name_of(whose, asked.place, asked.outside, known)
        names = {id: name for id, name in names.items() if name != id}
        times = Counter(names.values())  # the account stands beside a name that several have
        return {id: f"{name} ({id})" if times[name] > 1 else name for id, name in names.items()}

    async def _mentioned_profiles(self, asked: _Asked, found: Recall, language: str) -> tuple[ProfileLine, ...]:
        """In a space, which must not hear the compact memory, the profiles of people as known there."""
        if asked.is_then or asked.place.is_private:
            return ()
        limits, tenant = self._policy.context, asked.scope.tenant
        buffers = await self._store.buffers(shelf_of(asked.scope, asked.place))
        here = [buffer for buffer in buffers if buffer.place == asked.place and buffer.is_open]
        heard_lately = sorted({name for buffer in here for name, _ in buffer.messages})  # whose words wait to be noted
        speaking = [asked.scope.user, *asked.speakers, *heard_lately]
        handles = (*asked.mentioned, *found.inquiry.mentions)
        mentioned = [name for handle in handles for name in (handle, handle.lower())]
        noted = [name for hit in found.notes for name in hit.note.participants]
        blocked = await self._blocklist.unheard(tenant, [*speaking, *mentioned, *noted])
        seen, lines = set[str](), list[ProfileLine]()
        for names, most in (
            (speaking, len(speaking)),
            (mentioned, limits.mentioned_profiles),
            (noted, limits.noted_profiles),
        ):
            shown = 0
            for name in [name for name in dict.fromkeys(names) if name not in seen][: MOST_LOOKED_UP * most]:
                if shown < most and fold(name) not in blocked:
                    seen.add(name)
                    with suppress(InvalidInputError):  # a handle nobody can have as an account
                        whose = person(tenant, name)
                        told = await self._profiles.profile_lines(whose, asked.place, language, asked.outside)
                        shown += bool(told)
                        lines += told
        return tuple(lines)

    # ── what follows an answer ────────────────────────────────────────────────────────────────────────────────────

    def count(self, scope: Scope, items: Iterable[KnowledgeItem], notes: Iterable[Note] = ()) -> None:
        """Leave it to be counted, behind the answer, that these were read."""
        self._read.setdefault((scope, Kind.ITEM), set()).update(item.id for item in items)
        for note in notes:
            self._read.setdefault((note.scope, Kind.NOTE), set()).add(note.id)

    def count_found(self, scope: Scope, items: Iterable[Hit], notes: Iterable[NoteHit] = ()) -> None:
        """The same for what answers a question, without what is hardly like it."""
        least = self._policy.ranking.least_similarity
        good = (hit.item for hit in items if hit.why.similarity >= least)
        self.count(scope, good, (hit.note for hit in notes if hit.why.similarity >= least))

    def _follow(self, asked: _Asked, context: MemoryContext) -> None:
        """Leave what follows an answer to be done behind it."""
        scope, revives = asked.scope, not asked.is_then
        ranking = self._policy.ranking

        def answers(hit: Hit | NoteHit) -> bool:
            return not ranking.least_shown < hit.why.similarity <= ranking.least_similarity

        self.count(
            scope,
            (hit.item for hit in filter(answers, context.hits)),
            (hit.note for hit in filter(answers, context.notes)),
        )
        for hit in context.notes:
            if hit.why.rule is Rule.ARCHIVE and revives:
                self._revived.setdefault((hit.note.scope, Kind.NOTE), set()).add(hit.note.id)
        revived = {hit.item.id for hit in context.hits if hit.why.rule is Rule.ARCHIVE}
        if revived and revives:
            self._revived.setdefault((scope, Kind.ITEM), set()).update(revived)
        if context.question is not None:
            self._asked[scope, context.question.case_id] = asked.now
        if context.insight is not None:
            self._mentioned.setdefault(scope, set()).add(context.insight.id)
        if context.question is not None or context.insight is not None or self._revived:
            self._worker.wake()

    async def follow_up(self) -> None:
        """What follows answers and never holds one up: access counts, and what was put and told."""
        for scope in {scope for scope, _ in self._asked}:
            await self.mark_asked(scope)
        await self._revive()
        await self._note_mentioned()
        await self._profiles.keep_ready()
        read, self._read = self._read, {}
        for (scope, kind), ids in read.items():
            await self._store.apply(scope, [Touch(kind, tuple(sorted(ids)), self._now())])

    def forget(self, scope: Scope) -> None:
        """Leave nothing of a person to be done."""
        self._profiles.forget(scope)
        self._mentioned.pop(scope, None)
        for kind in Kind:
            self._read.pop((scope, kind), None)
            self._revived.pop((scope, kind), None)

    async def mark_asked(self, scope: Scope) -> None:
        """Note which questions were put to a person, before an answer is looked for in what they say."""
        for key in [key for key in self._asked if key[0] == scope]:
            if (at := self._asked.pop(key, None)) is not None:
                await self._casework.mark_asked(scope, key[1], at)

    async def _note_mentioned(self) -> None:
        """Mark the insights that were handed out, so that no other context has them."""
        mentioned, self._mentioned = self._mentioned, {}
        for scope, ids in mentioned.items():
            for id in sorted(ids):
                with suppress(NotFoundError, ConflictError):  # it went, or another program was quicker
                    await self._keeper.change_item(
                        scope, id, verb="mention", by=RECALLER, change=partial(tagged, MENTIONED), brief=True
                    )

    async def _revive(self) -> None:
        """Bring back what a recall found in the archive."""
        revived, self._revived = self._revived, {}
        for (scope, kind), ids in revived.items():
            recover = self._keeper.recover if kind is Kind.ITEM else self._keeper.recover_note
            for id in sorted(ids):
                try:
                    await recover(scope, id, RECALLER)
                except (NotFoundError, StaleError, ConflictError):
                    continue  # another program was quicker


def _is_like(hit: Hit) -> bool:
    """Whether an item is like a request by itself, and not only of its topic."""
    return bool(hit.why.terms) or (hit.why.cosine or 0.0) >= LEAST_MEANING


def _left_out(found: Recall, shown: Recall | MemoryContext, miss: Miss) -> list[Missed]:
    """What was found and is not among what is shown."""
    items, messages = (shown.items, shown.messages) if isinstance(shown, Recall) else (shown.hits, shown.earlier)
    held = {
        *(hit.item.id for hit in items),
        *(hit.note.id for hit in shown.notes),
        *(hit.message.id for hit in messages),
    }
    every = [
        *(Missed(hit.item, miss, hit.score, hit.why) for hit in found.items),
        *(Missed(hit.note, miss, hit.score, hit.why) for hit in found.notes),
        *(Missed(hit.message, miss, hit.score, hit.why) for hit in found.messages),
    ]
    return [missed for missed in every if missed.row.id not in held]
