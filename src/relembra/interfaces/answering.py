"""A message in, a reply out: what chat apps and webhooks do with every message they are handed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import ConflictError, InvalidInputError, RelembraError

if TYPE_CHECKING:
    from relembra.interfaces.upstream import Upstreams
    from relembra.memory import Memory, Saved
    from relembra.recall.assembly import MemoryContext

__all__ = ["Answering", "Reply"]

RECALL_SECONDS = 2.0
"""The longest a chat waits for what is remembered; a hundred times what it takes, and still a pause one bears."""

RECALL, SAVE = "recall", "save"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came of a message. `text` is None where no model is set: then `context` is what one would be given."""

    text: str | None
    context: MemoryContext | None = None  # of the format chat where a model was asked, else Markdown
    saved: Saved | None = None  # what was said; None for a command, which is no talk
    command: bool = False
    trouble: str | None = None  # recall, save or both: what the memory could not do


class Answering:
    """Answers messages out of a memory: commands itself, all else with a model where one is set."""

    def __init__(self, memory: Memory, upstreams: Upstreams, *, recall_seconds: float = RECALL_SECONDS) -> None:
        self._memory = memory
        self._upstreams = upstreams
        self._recall_seconds = recall_seconds

    @property
    def asks_a_model(self) -> bool:
        """Whether a reply costs a model's call."""
        return bool(self._upstreams)

    async def answer(
        self,
        text: str,
        *,
        user: str,
        tenant: str = DEFAULT_TENANT,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        author: str | None = None,
        author_name: str | None = None,
        external_id: str | None = None,
        at: datetime | None = None,
        budget: int | None = None,
        speakers: Iterable[str] | str = (),
        mentioned: Iterable[str] | str = (),
        outside: bool = False,
    ) -> Reply:
        """The reply to a message, kept with it. What was said is kept before a model is asked, so that an
        `UpstreamError` loses nothing, and asking again with the same external id keeps it once.

        Trouble of the memory's own never holds up the reply; what is given wrongly is an `InvalidInputError`.
        `outside`: the reply goes by servers of others, so that nothing kept local is in it, whichever model answers.
        """
        whose: dict[str, Any] = {"user": user, "space": space, "channel": channel, "tenant": tenant}
        named: dict[str, Any] = {**whose, "conversation": conversation}
        trouble: list[str] = []
        command = await self._memory.command(text, outside=outside, **whose)
        if command is not None:
            return Reply(text=command.text, command=True)
        who = {"author": author, "author_name": author_name}
        saved = await self._saved(trouble, said=text, external_id=external_id, at=at, **who, **named)
        upstream = self._upstreams.chosen()[0] if self._upstreams else None
        context = await self._recalled(
            trouble,
            query=text,
            budget=budget,
            speakers=speakers,
            mentioned=mentioned,
            format="markdown" if upstream is None else "chat",
            outside=outside or (upstream is not None and not upstream.local),
            **named,
        )
        if upstream is None:
            return Reply(text=None, context=context, saved=saved, trouble=",".join(trouble) or None)
        replied = await self._upstreams.complete(turns(context, text))
        if saved is None or saved.refused is None:
            await self._saved(trouble, replied=replied, external_id=external_id, **named)
        return Reply(text=replied, context=context, saved=saved, trouble=",".join(dict.fromkeys(trouble)) or None)

    async def _saved(self, trouble: list[str], **given: Any) -> Saved | None:
        try:
            return await self._memory.save(**given)
        except (InvalidInputError, ConflictError):
            raise
        except RelembraError as exc:
            log.warning("what was said could not be kept: %s", type(exc).__name__)
            trouble.append(SAVE)
            return None

    async def _recalled(self, trouble: list[str], **given: Any) -> MemoryContext | None:
        try:
            async with asyncio.timeout(self._recall_seconds):
                return await self._memory.load(**given)
        except InvalidInputError:
            raise
        except (RelembraError, TimeoutError) as exc:
            log.warning("nothing could be recalled: %s", type(exc).__name__)
            trouble.append(RECALL)
            return None


def turns(context: MemoryContext | None, text: str) -> list[dict[str, str]]:
    """The chat to send: what is remembered, the conversation at hand, and the message once, at its end."""
    before = [] if context is None else context.chat
    now = {"role": "user", "content": text}
    return [*(before[:-1] if before[-1:] == [now] else before), now]
