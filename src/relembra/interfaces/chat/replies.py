"""Replies to programs that bring messages by webhook: owed from the moment a message is kept, and sent once.

What is owed is a queued job with ids alone, and of a recording with when it was sent and by whom. The words wait beside
it as a kept reply, which forgetting takes along.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Protocol

import msgspec

from relembra.domain.message import Message, Role
from relembra.errors import DeliveryError, RelembraError, StoreError
from relembra.interfaces.chat.bot import GRACE_SECONDS, Asker, Bot, Incoming, pieces, say
from relembra.interfaces.requests import Buckets

if TYPE_CHECKING:
    from relembra.domain.jobs import Job
    from relembra.interfaces.upstream import Answering
    from relembra.memory import Memory
    from relembra.settings import Settings

ANSWERED_FOR = timedelta(hours=20)
"""How old a message may be to be answered: what was answered is known for a day."""

PAGE, MOST_PAGES = 100, 20

log = logging.getLogger(__name__)


class App(Protocol):
    """A program that messages come from, and how to answer there."""

    name: str
    longest: int  # a reply, in UTF-16 units; what is longer is sent in pieces

    async def send(self, to: str, text: str, about: Mapping[str, str]) -> None:
        """Send one piece to an account; `about`: the metadata of what it answers. `DeliveryError` where it fails."""

    async def close(self) -> None:
        """Let connections go."""


class Owed(msgspec.Struct):
    """What is still to be sent of a reply."""

    left: list[str] = []
    about: dict[str, str] = {}


class Recorded(msgspec.Struct):
    """A recording that is still to be listened to."""

    id: str
    at: datetime
    name: str | None = None
    about: dict[str, str] = {}


class Replies:
    """Takes what people say in one program, and sends them what the bot answers."""

    def __init__(
        self, app: App, memory: Memory, answering: Answering, settings: Settings, *, most_an_hour: int | None = None,
        fetch: Callable[[str], Awaitable[bytes]] | None = None,
    ) -> None:  # fmt: skip
        self.app = app
        self._bot = Bot(app.name, memory, answering, settings)
        self._memory = memory
        self._tenant = settings.tenant
        self._most_an_hour = most_an_hour  # answers to one account
        self._fetch = fetch  # a recording by its id
        self._answers = Buckets(seconds=lambda: time.monotonic() / 60)  # an hour goes by there like a minute

    async def incoming(
        self,
        account: str,
        text: str,
        *,
        id: str,
        at: datetime,
        name: str | None,
        metadata: Mapping[str, str],
        also: str = "",
    ) -> Incoming:
        """A message in our words; whoever writes for the first time is somebody of their own.

        `also`: another id of the same account, by which alone it may come later.
        """
        if also and also != account:
            await self._join(account, also)
        asker = await self._bot.asker(account, None, self._bot.language, conversation=self.app.name)
        of = f"{self.app.name}:{_digest(id)}"
        return Incoming(text=text, asker=asker, external_id=of, at=at, to_us=True, name=name, metadata=metadata)

    async def _join(self, account: str, also: str) -> None:
        """Let two ids of one account be one person's, whichever of them was known first."""
        known, other = await self._bot.people.known(account), await self._bot.people.known(also)
        if known is None and other is not None:
            await self._memory.link(self.app.name, account, user=other, tenant=self._tenant)
        elif other is None:
            user = known or await self._bot.people.user_of(account, None)
            await self._memory.link(self.app.name, also, user=user, tenant=self._tenant)

    async def take(self, account: str, said: Incoming, *, now: datetime, recording: str = "") -> None:
        """Keep a message and leave its answer to be sent. The same message again changes nothing.

        `recording`: the id of one that says it, which is listened to and kept when its answer is due.
        """
        is_late = now - said.at > ANSWERED_FOR
        payload = {"app": self.app.name, "to": "" if is_late else account, "of": said.external_id}
        kept = None if recording else await self._bot.keep(said)
        if recording:
            recorded = Recorded(recording, said.at, said.name, dict(said.metadata))
            payload["recorded"] = msgspec.json.encode(recorded).decode()
        elif is_late:
            return
        elif self._most_an_hour is not None and self._answers.take(account, self._most_an_hour) > 0:
            log.warning("%s is not answered: too many of one account", said.external_id)
            return
        elif kept is None:  # a command, or words that are not kept, and so not at hand later
            await self._answer_now(said)
        else:
            payload["message"] = kept.id
        await self._memory.queue_reply(user=said.asker.user, key=said.external_id, payload=payload, tenant=self._tenant)

    async def _answer_now(self, said: Incoming) -> None:
        if await self._begun(said.external_id) is not None:
            return
        try:
            text = await self._bot.reply(said)
        except StoreError:
            await self._memory.drop_reply(**self._named(said.external_id))
            raise
        except RelembraError:
            text = say("wrong", said.asker.language)
        owed = self._owed(text, said.metadata)
        await self._keep(said.external_id, said.asker.user, owed)
        if await self._begun(said.external_id) is None:  # forgetting took it along, and its receipt is still owed
            await self._keep(said.external_id, said.asker.user, owed)

    async def send(self, job: Job) -> None:
        """Send what is left of a reply, which is made first where it is none yet."""
        of, to = str(job.payload["of"]), str(job.payload["to"])
        owed = await self._begun(of)
        if owed is None:
            owed = await self._made(job, of)
            await self._keep(of, job.scope.user, owed)
        while owed.left:
            await self.app.send(to, owed.left[0], owed.about)
            owed = Owed(owed.left[1:], owed.about if owed.left[1:] else {})
            await self._keep(of, job.scope.user, owed)

    async def _made(self, job: Job, of: str) -> Owed:
        """The answer to a message as it was kept; nothing where that was forgotten."""
        asker = Asker(user=job.scope.user, language=self._bot.language, tenant=self._tenant, conversation=self.app.name)
        incoming = partial(Incoming, asker=asker, external_id=of, to_us=True)
        message = job.payload.get("message")
        try:
            if (recorded := job.payload.get("recorded")) is not None:
                assert self._fetch is not None
                one = msgspec.json.decode(str(recorded), type=Recorded)
                came = incoming(text="", at=one.at, name=one.name, metadata=one.about)
                came = await self._bot.heard(came, "voice.ogg", partial(self._fetch, one.id))
                kept = await self._bot.keep(came)
                if not job.payload["to"]:
                    return Owed()
                if kept is None:
                    return self._owed(await self._bot.reply(came), came.metadata)
                message = kept.id
            found = await self._kept(job.scope.user, of)
            said = next((one for one in found if one.id == message), None)
            if said is None:
                return Owed()
            replied = (one.text for one in found if one.role is Role.ASSISTANT)
            text = next(replied, None)  # of a process that ended before it could send it
            if text is None:
                text = await self._bot.reply(incoming(text=said.text, at=said.sent_at, name=said.author_name))
        except BaseException:
            await self._memory.drop_reply(**self._named(of))
            raise
        return self._owed(text, said.metadata)

    async def _kept(self, user: str, of: str) -> list[Message]:
        """A message and the reply to it, as far as they are among the person's newest."""
        after: str | None = None
        found: list[Message] = []
        for _ in range(MOST_PAGES):
            page = await self._memory.messages(user=user, limit=PAGE, after=after, tenant=self._tenant)
            found += [one for one in page if one.external_id == of]
            after = page.next
            if after is None or any(one.role is Role.USER for one in found):
                break
        return found

    def _owed(self, text: str | None, about: Mapping[str, str]) -> Owed:
        return Owed(pieces(text, self.app.longest) if text else [], dict(about))

    def _named(self, of: str) -> dict[str, str]:
        return {"caller": f"reply:{self.app.name}", "key": of, "tenant": self._tenant}

    async def _begun(self, of: str) -> Owed | None:
        kept = await self._memory.begin_reply(fingerprint=of, **self._named(of))
        return None if kept is None else msgspec.json.decode(kept.body, type=Owed)

    async def _keep(self, of: str, user: str, owed: Owed) -> None:
        body = msgspec.json.encode(owed)
        await self._memory.end_reply(user=user, status=200, body=body, headers={}, **self._named(of))


class Apps:
    """Every program that is set up, by name: what a queued reply is given to."""

    def __init__(self, every: Mapping[str, Replies]) -> None:
        self._every = every
        self._under_way: set[asyncio.Task[None]] = set()
        self._is_closing = False

    def __getitem__(self, name: str) -> Replies:
        return self._every[name]

    def __len__(self) -> int:
        return len(self._every)

    async def send(self, job: Job) -> None:
        replies = self._every.get(str(job.payload["app"]))
        if replies is None:
            raise DeliveryError(f"no replies can be sent by {job.payload['app']}: its settings are gone or incomplete")
        task = asyncio.create_task(replies.send(job))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            await task
        except asyncio.CancelledError:
            if task.cancelled() and self._is_closing:
                raise DeliveryError("the server stops; the reply is sent by the next") from None
            task.cancel()
            await asyncio.wait({task})
            raise

    async def close(self, *, grace_seconds: float = GRACE_SECONDS) -> None:
        """Let what is being sent be sent, if that does not take long; the queue keeps the rest."""
        self._is_closing = True
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=grace_seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for replies in self._every.values():
            await replies.app.close()


def at_most_now(at: datetime | None, now: datetime) -> datetime:
    """When something was said, by a clock that may go wrong."""
    return now if at is None else min(at.astimezone(UTC), now)


def _digest(id: str) -> str:
    """A name of bounded length for whatever a program calls its messages."""
    return hashlib.blake2b(id.encode(), digest_size=20).hexdigest()
