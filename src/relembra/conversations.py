"""What was said: saving it, reading it back, the conversations it belongs to, and forgetting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from relembra.contexts import Contexts
from relembra.domain.jobs import CONSOLIDATE, SUMMARISE, job_now, read_job
from relembra.domain.message import SHA256, Conversation, Message, Role, SavedKind
from relembra.domain.scope import DEFAULT_TENANT, Scope, person, shelf_of
from relembra.domain.text import checked_name, checked_text, is_blank, one
from relembra.errors import InvalidInputError, NotFoundError, RelembraError
from relembra.ingest.intake import MOST_MESSAGES, REFUSALS, BlockSettings, Exchange, Refusal, exchange, place_of
from relembra.minds.port import InWords
from relembra.night.worker import Worker
from relembra.recall.query import Listing, checked_limit, cursor_from
from relembra.services import Part, Services
from relembra.store.port import (
    ConversationFilter,
    CountUse,
    Enqueue,
    Expect,
    ForgetConversation,
    ForgetPerson,
    Gone,
    InBuffer,
    Kind,
    MessageFilter,
    PutMessage,
    TouchConversation,
)
from relembra.transfer.media import NO_WORDS, Attachment, Media, media_kind
from relembra.visibility import Visibility


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save stored; `new` is False when the external id had been saved before."""

    conversation: str
    messages: tuple[Message, ...]
    new: bool
    refused: Refusal | None = None  # why nothing was kept
    left_out: tuple[str, ...] = ()  # of `messages`: what is no text, by its place


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation with a page of what was said in it, newest first; `next`: where the page behind it begins."""

    conversation: Conversation
    messages: tuple[Message, ...]
    next: str | None = None


class Conversations(Part):
    """Messages and their conversations."""

    def __init__(
        self, services: Services, blocks: BlockSettings, visibility: Visibility, contexts: Contexts, worker: Worker,
        media: Media,
    ) -> None:  # fmt: skip
        super().__init__(services)
        self._media = media
        self._blocks = blocks
        self._visibility = visibility
        self._contexts = contexts
        self._worker = worker

    async def save(
        self,
        *,
        user: str,
        said: str | None = None,
        replied: str | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        at: datetime | None = None,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        external_id: str | None = None,
        author: str | None = None,
        author_name: str | None = None,
        program: bool = False,
        skip: bool = False,
        kind: str = SavedKind.TALK,
        metadata: Mapping[str, str] | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Saved:
        """Keep what was said, what was replied, or both; durable on return. Indexing and learning go on behind it.

        `messages`: a list instead, as chat programs hold it, all kept or none. Recordings and pictures in it are put
        into words by what the settings choose, and what else is no text is left out. What is said in private is learnt
        from at once, in a space once it has been quiet there.
        `program`: a program said it, so nothing is learnt from it. `skip`: pass over this one. What is skipped, said by
        a blocked person or in a space switched off is not kept at all (`Saved.refused` says why). `author_name`: how an
        app shows the speaker, who is called so until they state a name. `kind="journal"`: an entry of the person's
        diary, however long, which is read whole and noted by itself at once.
        """
        scope, place, now = person(tenant, user), place_of(space, channel), self._now()
        what = one(SavedKind, kind, "kind")

        def taken(in_words: Mapping[str, InWords]) -> tuple[Exchange, set[str], Refusal | None]:
            """The turn, everybody in it, and why nothing of it is to be kept."""
            turn = exchange(
                scope, said=said, replied=replied, messages=messages, at=at, now=self._clock(), place=place,
                conversation=conversation, external_id=external_id, author=author, author_name=author_name,
                program=program, metadata=metadata, kind=what, new_id=self._new_id, in_words=in_words,
            )  # fmt: skip
            people = {user, author or user, *(row.author for row in turn.messages if row.role is not Role.ASSISTANT)}
            refusals = (self._blocks.refusal(user, place, author=who, skip=skip) for who in people)
            return turn, people, next((why for why in refusals if why is not None), None)

        parts = self._media.parts(messages)
        turn, people, refused = taken({part.place: NO_WORDS[part.kind] for part in parts})
        if parts and refused is None:  # what is not kept is shown to no model
            blocked = await self._store.blocks(tenant, people=sorted(people), space=space)
            refused = REFUSALS[blocked[0].kind] if blocked else None
        if parts and refused is None:
            in_words, trouble = await self._in_words(scope, parts, conversation, now)
            try:
                turn, people, refused = taken(in_words)
            except InvalidInputError as exc:
                raise exc if trouble is None else trouble from None  # perhaps what could not be told was all there is
        if refused is not None:
            return Saved(turn.conversation.id, (), False, refused)
        listen = self._policy.listen
        ids, buffers = [], []
        for message in turn.messages:
            ids.append(message.id)
            waits = (listen.quiet, listen.window) if what is SavedKind.TALK else (timedelta(), timedelta())
            into = InBuffer(id=self._new_id(), now=now, quiet=waits[0], window=waits[1])
            buffers.append(PutMessage(message, None if message.role is Role.SYSTEM else into))
        spoken = [message.id for message in turn.messages if message.role is Role.USER and place.is_private]
        reading = [read_job(scope, turn.conversation.id, spoken, id=self._new_id(), now=now)] if spoken else []
        await self._contexts.mark_asked(scope)
        receipt = await self._store.apply(
            scope,
            [
                Expect(people=tuple(sorted(people)), space=space),
                TouchConversation(turn.conversation),
                *buffers,
                self._keeper.later(scope, Kind.MESSAGE, ids),
                *map(Enqueue, reading),
                self._listening.tonight(CONSOLIDATE, scope, turn.messages[0].zone, turn.messages[0].sent_at),
            ],
        )
        if receipt.blocked is not None:
            return Saved(turn.conversation.id, (), False, REFUSALS[receipt.blocked])
        asking = sum(message.role is Role.USER for message in turn.messages)
        if receipt.waiting // listen.summary_every > max(0, receipt.waiting - asking) // listen.summary_every:
            shelf = shelf_of(scope, place)  # a summary is a view: were the job lost, the next one would make up for it
            payload = {"space": place.space, "channel": place.channel, "name": turn.conversation.id}
            job = job_now(SUMMARISE, shelf, payload, id=self._new_id(), now=self._now())
            await self._store.apply(shelf, [Enqueue(job)])
        self._worker.wake()
        known = {(message.external_id, message.role): message for message in receipt.known}
        kept = tuple(known.get((message.external_id, message.role), message) for message in turn.messages)
        is_new = len(receipt.known) < len(kept)
        return Saved(kept[0].conversation, kept, is_new, left_out=turn.left_out)

    async def in_words(self, name: str, fetch: Callable[[], Awaitable[bytes]]) -> InWords | None:
        """What is said in a recording or seen in a picture, which is not kept; None where nothing is set that reads it,
        and then it is not fetched.

        `name` tells by its ending what it is. A `MindError` where it cannot be told now, `InvalidInputError` where it
        is damaged or too large.
        """
        kind = media_kind(name)
        return await self._media.in_words(kind, name, await fetch()) if kind and self._media.reads(kind) else None

    async def _in_words(
        self, scope: Scope, parts: Sequence[Attachment], conversation: str | None, now: datetime
    ) -> tuple[Mapping[str, InWords], RelembraError | None]:
        """The recordings and pictures of a list in words, those the conversation has already as they are there.

        What they cost is counted at once: it is spent, whatever becomes of the words.
        """
        known: dict[str, InWords] = {}
        if conversation is not None:
            page = await self._store.page(scope, MessageFilter(conversation=conversation), limit=MOST_MESSAGES)
            held = [row for row in page.rows if SHA256 in row.metadata]
            known = {row.metadata[SHA256]: InWords(row.text, row.metadata) for row in held}
        told, trouble = await self._media.parts_in_words(parts, known)
        if spent := [CountUse.of(spent, now) for one in told.values() for spent in one.spent]:
            await self._store.apply(scope, spent)
        return {place: one for place, one in told.items() if not is_blank(one.text)}, trouble

    async def messages(
        self,
        *,
        user: str,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Message]:
        """What was said, newest first."""
        scope, place = person(tenant, user), place_of(space, channel)
        checked_limit(limit, self._policy.search.largest_page)
        away = (await self._visibility.withheld(scope, outside)).messages
        wanted = MessageFilter(asked_in=place, said_there=channel is not None, conversation=conversation, without=away)
        page = await self._store.page(scope, wanted, after=cursor_from(after), limit=limit)
        return Listing(page)

    async def start_conversation(
        self,
        *,
        user: str,
        id: str | None = None,
        title: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Conversation:
        """Open a conversation under an id of yours or a new one; an id in use is a `ConflictError`."""
        scope, now = person(tenant, user), self._now()
        conversation = Conversation(
            id=checked_name(id, "conversation") if id is not None else self._new_id(),
            scope=scope,
            place=place_of(space, channel),
            title=checked_text(title, "title") if title is not None else "",
            created_at=now,
            updated_at=now,
        )
        await self._keeper.start_conversation(conversation, by)
        return conversation

    async def conversations(
        self, *, user: str | None = None, limit: int = 50, after: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Listing[Conversation]:
        """Conversations of a person, or of everybody in the tenant, last used first."""
        checked_limit(limit, self._policy.search.largest_page)
        scope = None if user is None else person(tenant, user)
        wanted = ConversationFilter(tenant=checked_name(tenant, "tenant") if scope is None else None)
        return Listing(await self._store.page(scope, wanted, after=cursor_from(after), limit=limit))

    async def conversation(
        self,
        id: str,
        *,
        user: str,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Thread:
        """One conversation of a person, with what they and the assistant said in it, newest first."""
        scope = person(tenant, user)
        held = await self._store.find(scope, Conversation, id)
        if held is None or held.deleted_at is not None:
            raise NotFoundError("conversation", id)
        said = await self.messages(user=user, conversation=id, limit=limit, after=after, outside=outside, tenant=tenant)
        return Thread(held, tuple(said), said.next)

    async def rename_conversation(
        self, id: str, title: str, *, user: str, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conversation:
        """Give a conversation another title."""
        scope = person(tenant, user)
        name = checked_text(title, "title")
        return await self._keeper.change_conversation(
            scope, id, verb="rename", by=by, change=lambda held: replace(held, title=name)
        )

    async def delete_conversation(
        self, id: str, *, user: str, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conversation:
        """Hide a conversation with its messages; `undo` brings both back. What was learnt from it stays known."""
        scope, now = person(tenant, user), self._now()
        return await self._keeper.change_conversation(
            scope, id, verb="delete", by=by, change=lambda held: replace(held, deleted_at=now)
        )

    async def forget(
        self,
        *,
        user: str,
        item: str | None = None,
        conversation: str | None = None,
        all: bool = False,
        dry_run: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Gone:
        """Remove for good one item, one conversation with what only it taught, or everything of a person.

        With `dry_run` nothing changes, and the receipt says what would go.
        """
        scope = person(tenant, user)
        if sum((item is not None, conversation is not None, all)) != 1:
            raise InvalidInputError("say what to forget: one item, one conversation, or all")
        if dry_run:
            return await self._gone(scope, item, conversation, dry_run=True)
        self._contexts.forget(scope)
        try:
            gone = await self._gone(scope, item, conversation, dry_run=False)
            if not all:
                await self._casework.calm(scope)
            return gone
        finally:
            await self._cache.clear(tenant)  # words of theirs may stand in what is kept for others they talked with

    async def _gone(self, scope: Scope, item: str | None, conversation: str | None, *, dry_run: bool) -> Gone:
        if item is not None:
            return await self._keeper.forget(scope, item, dry_run=dry_run)
        if conversation is not None:
            if await self._store.find(scope, Conversation, conversation) is None:
                raise NotFoundError("conversation", conversation)
            return await self._store.forget(scope, ForgetConversation(conversation), dry_run=dry_run)
        return await self._store.forget(scope, ForgetPerson(), dry_run=dry_run)
