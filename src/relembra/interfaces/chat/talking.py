"""What becomes of a message in a chat app: kept, and answered where it is meant for us."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from relembra.domain.message import Message, Role
from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import InvalidInputError, UpstreamError
from relembra.interfaces.buckets import Buckets
from relembra.interfaces.chat.commands import NAMES, Asker, Commands
from relembra.interfaces.chat.replies import remembered
from relembra.interfaces.chat.words import say
from relembra.tools.typed import typed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from relembra.interfaces.answering import Answering
    from relembra.interfaces.chat.switches import Switches
    from relembra.memory import Memory
    from relembra.recall.assembly import MemoryContext

__all__ = ["Heard", "Talking", "drained"]

GRACE_SECONDS = 5.0

ASKED_A_MINUTE = 20  # of a model by one person, whoever they are: anybody may write to a bot
MOST_RECENT = 2_000
LOOKED_AT = 50
MOST_PROFILES = 3
LEAST_SIMILARITY = 0.2
"""What is less like the question is not shown as an answer."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Something a person said in a chat app."""

    text: str
    asker: Asker
    external_id: str
    at: datetime
    to_us: bool  # whether it waits for an answer
    mentioned: tuple[str, ...] = ()  # other people it names
    name: str | None = None  # how the app shows whoever said it


class Talking:
    """Keeps what people say in one app, and answers what is meant for us."""

    def __init__(
        self,
        memory: Memory,
        answering: Answering,
        *,
        commands: Commands,
        switches: Switches,
        tenant: str = DEFAULT_TENANT,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._memory = memory
        self._answering = answering
        self._commands = commands
        self._switches = switches
        self._tenant = tenant
        self._since = clock()
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._asked = Buckets()

    async def heard(self, said: Heard) -> str | None:
        """What to say back; None where nothing is to be said. A message that comes again is kept and answered once.

        Trouble with the store is raised: whoever called can have the message again. Other trouble is told.
        """
        if said.external_id in self._recent:
            return None
        self._recent[said.external_id] = None
        if len(self._recent) > MOST_RECENT:
            self._recent.popitem(last=False)
        try:
            return await self._reply(said)
        except BaseException:
            self._recent.pop(said.external_id, None)
            raise

    async def keep(self, said: Heard) -> None:
        """Keep what was said at once, whoever answers it later. Commands are not kept, nor what is said where the
        memory is off.
        """
        group = said.asker.group
        if not said.text.strip() or typed(said.text, NAMES) is not None:
            return
        if group is None or await self._switches.is_on(group):
            await self._kept(said)

    async def _reply(self, said: Heard) -> str | None:
        asker = said.asker
        command = typed(said.text, NAMES) if said.to_us else None
        if command is not None:
            spoken = replace(asker, language=command.language or asker.language)
            return await self._commands.answer(command.name, command.rest, spoken)
        if asker.group is not None and not await self._switches.is_on(asker.group):
            return say("switch.is_off", asker.language) if said.to_us else None
        if not said.text.strip():
            return say("hello", asker.language) if said.to_us else None
        if not said.to_us:
            await self.keep(said)
            return None
        if said.at < self._since and await self._was_answered(said):
            return None
        if self._answering.asks_a_model and self._asked.take(asker.user, ASKED_A_MINUTE) > 0:
            await self.keep(said)
            return say("slowly", asker.language)
        return await self._answered(said)

    async def _kept(self, said: Heard) -> None:
        asker = said.asker
        try:
            await self._memory.save(
                said=said.text,
                at=said.at,
                user=asker.user,
                space=asker.space,
                channel=asker.channel,
                external_id=said.external_id,
                author_name=said.name,
                tenant=self._tenant,
            )
        except InvalidInputError as exc:  # what cannot be kept now never can
            log.warning("%s could not be kept: %s", said.external_id, exc.field)

    async def _answered(self, said: Heard) -> str:
        asker = said.asker
        named = said.mentioned if asker.space is not None else ()  # in private nobody hears of others
        try:
            reply = await self._answering.answer(
                said.text,
                user=asker.user,
                tenant=self._tenant,
                space=asker.space,
                channel=asker.channel,
                external_id=said.external_id,
                author_name=said.name,
                at=said.at,
                outside=True,
                speakers=(asker.user,) if asker.space is not None else (),
                mentioned=named,
            )
        except UpstreamError as exc:
            log.warning("%s was not answered: %s", said.external_id, type(exc).__name__)
            return say("upstream", asker.language)
        except InvalidInputError as exc:
            log.warning("%s could not be used: %s", said.external_id, exc.field)
            return say("wrong", asker.language)
        if reply.text is not None:
            return reply.text
        if reply.saved is not None and reply.saved.refused is not None:
            return say("refused", asker.language)
        if reply.context is None or reply.saved is None:
            return say("trouble", asker.language)
        return await self._shown(said, reply.context, named)

    async def _shown(self, said: Heard, context: MemoryContext, named: Sequence[str]) -> str:
        """What is remembered, where no model puts it into words."""
        profiles = [await self._profile(name, said, context.language) for name in named[:MOST_PROFILES]]
        if context.items or context.notes:
            return "\n\n".join([remembered(context, (), context.language), *profiles])
        if profiles:
            return "\n\n".join(profiles)
        messages = await self._messages(said)
        if messages or context.question is not None or "?" in said.text:
            return remembered(context, messages, context.language)
        return say("kept", context.language)

    async def _messages(self, said: Heard) -> list[Message]:
        """What was said before that is like the question, a moment ago too."""
        asker = said.asker
        found = await self._memory.recall(
            said.text,
            user=asker.user,
            kinds="message",
            space=asker.space,
            channel=asker.channel,
            outside=True,
            tenant=self._tenant,
        )
        like = [hit.message for hit in found.messages if hit.why.similarity >= LEAST_SIMILARITY]
        return [one for one in like if one.external_id != said.external_id and one.role is Role.USER]

    async def _profile(self, name: str, said: Heard, language: str) -> str:
        """What people of this place may know of somebody it names."""
        asked = Asker(user=name, language=language, space=said.asker.space, channel=said.asker.channel)
        return await self._commands.answer("profile", "", asked)

    async def _was_answered(self, said: Heard) -> bool:
        """Whether a reply to it was kept, perhaps by a program that ended before it could say so."""
        asker = said.asker
        recent = await self._memory.messages(
            user=asker.user, space=asker.space, channel=asker.channel, limit=LOOKED_AT, tenant=self._tenant
        )
        return any(one.external_id == said.external_id and one.role is Role.ASSISTANT for one in recent)


async def drained(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Let tasks come to their end; those that take longer than some seconds are ended."""
    others = set(tasks) - {asyncio.current_task()}
    if others:
        _, late = await asyncio.wait(others, timeout=GRACE_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
