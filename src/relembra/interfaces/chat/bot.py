"""What the bots of chat apps share: who speaks, where memory is on, what becomes of a message, and the commands."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from relembra.domain.access import BlockKind, account_id, account_name
from relembra.domain.message import Message, Role
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_name, fold
from relembra.errors import ConflictError, InvalidInputError, NotFoundError, RelembraError, StoreError, UpstreamError
from relembra.ingest.intake import BlockSettings, conversation_of, place_of
from relembra.interfaces.requests import Buckets
from relembra.learn.casework import question
from relembra.locale import Words
from relembra.tools.commands import NAMES as SHARED
from relembra.tools.commands import (
    SHORT_ID,
    item_line,
    message_line,
    note_line,
    quotable,
    receipt,
    said_for_good,
    typed,
)
from relembra.transfer.media import LARGEST

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence

    from relembra.interfaces.upstream import Answering
    from relembra.learn.casework import Conflict
    from relembra.memory import Memory
    from relembra.recall.assembly import MemoryContext
    from relembra.settings import Settings

MOST_ITEMS, MOST_NOTES, MOST_MESSAGES = 5, 2, 3
LONGEST_OPENING = 40
"""How much of a code block's first line is kept, again in each piece where the block goes on."""

_FENCE = re.compile(r"^ {0,3}(`{3,10}|~{3,10})([^`\n]*)")


def say(key: str, language: str, **parts: object) -> str:
    """A sentence of chat apps in a language."""
    return Words(language, "chat")(key, **parts)


def spoken(locale: str | None, otherwise: str) -> str:
    """The language of ours that a locale like pt-BR or en-GB is nearest to; another tongue is answered in English."""
    if not locale:
        return otherwise
    return "pt" if locale.lower().startswith("pt") else "en"


def remembered(context: MemoryContext, messages: Sequence[Message], language: str) -> str:
    """What is remembered about a question, in a few lines for a person; `messages` that answer it where nothing else
    does.
    """
    lines = [item_line(item, language) for item in context.items[:MOST_ITEMS]]
    lines += [note_line(hit.note, language) for hit in context.notes[:MOST_NOTES]]
    if not lines:
        lines = [message_line(message, language) for message in messages[:MOST_MESSAGES]]
    text = "\n".join([say("found", language), *lines]) if lines else say("nothing", language)
    if context.insight is not None:
        noticed = say("insight", language, text=context.insight.content, evidence=context.insight.evidence or "")
        text = f"{text}\n\n{noticed}"
    return text if context.question is None else f"{text}\n\n{context.question.text}"


def width(text: str) -> int:
    """How long an app counts a text, in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def pieces(text: str, limit: int) -> list[str]:
    """A text in pieces of at most `limit` UTF-16 units (some hundred at least), cut between lines where they allow it,
    else between words. A code block that has to be cut is closed at the end of a piece and opened again in the next.
    """
    made: list[str] = []
    held: list[str] = []
    opening = fence = ""  # of the code block we are in: how it began, and what ends it
    has_code = any(map(_FENCE.match, text.split("\n")))
    most = limit - 2 * LONGEST_OPENING if has_code else limit  # so that there is room for both
    for line in [part for whole in text.strip("\n").split("\n") for part in _parts(whole, most)]:
        found = _FENCE.match(line)
        ends = bool(fence and found and found[1].startswith(fence) and not found[2].strip())
        begins = None if fence else found
        closing = "" if ends else fence or (begins[1] if begins else "")
        if width("\n".join([*held, line, *([closing] if closing else [])])) > limit and held != [opening]:
            made.append("\n".join([*held, fence] if fence and held[-1] != opening else held[:-1] if fence else held))
            held = [opening] if fence else []
        held.append(line)
        if begins:
            fence, opening = begins[1], line[:LONGEST_OPENING].rstrip()
            held[-1] = opening
        elif ends:
            fence = opening = ""
    made.append("\n".join([*held, fence] if fence else held))
    return [piece for piece in made if piece.strip()]


def _parts(line: str, most: int) -> Iterator[str]:
    """A line cut into parts that are not too long, at a space where one is in the later half."""
    while width(line) > most:
        end = most - sum(char > "\uffff" for char in line[:most])
        cut = line.rfind(" ", end // 2, end)
        end = cut if cut > 0 else max(1, end)
        yield line[:end]
        line = line[end:].removeprefix(" ")
    yield line


T = TypeVar("T")

GRACE_SECONDS = 5.0
ASKED_A_MINUTE = 20  # of a model by one person, for anybody may write to a bot
HEARD_AT_ONCE = 4  # recordings
MOST_RECENT = 2_000
LOOKED_AT = 50
MOST_PROFILES = 3
LEAST_SIMILARITY = 0.2
"""What is less like the question is not shown as an answer."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """Something a person said in a chat app."""

    text: str
    asker: Asker
    external_id: str
    at: datetime
    to_us: bool  # whether it waits for an answer
    mentioned: tuple[str, ...] = ()  # other people it names
    metadata: Mapping[str, str] = field(default_factory=dict)  # kept with it
    name: str | None = None  # how the app shows whoever said it
    unheard: str = ""  # a recording that was not listened to: what is said of that


class Bot:
    """The bot of one app: keeps what people say, and answers what is meant for it."""

    def __init__(
        self,
        app: str,
        memory: Memory,
        answering: Answering,
        settings: Settings,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._memory = memory
        self._answering = answering
        self._tenant = settings.tenant
        self._sleep = sleep
        self.language = settings.language or "en"
        self.people = People(memory, app, tenant=settings.tenant)
        self.switches = Switches(
            memory, app, tenant=settings.tenant, blocks=BlockSettings.of((), settings.spaces_off, settings.spaces_only)
        )
        self._since = datetime.now(UTC)
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._asked = Buckets()
        self._busy: set[asyncio.Task[Any]] = set()
        self._listening = asyncio.Semaphore(HEARD_AT_ONCE)

    async def asker(
        self, id: int | str, handle: str | None, language: str, *, keep: bool = True, **parts: Any
    ) -> Asker:
        """Who speaks by an account; `parts` as an `Asker` has them. Nothing is kept of them where memory is off."""
        is_open = keep and await self.switches.is_on(parts.get("group"))
        user = await self.people.user_of(id, handle, keep=is_open)
        return Asker(user=user, tenant=self._tenant, language=language, **parts)

    async def patiently(self, id: int, work: Callable[[], Awaitable[T]], waits: Iterable[float]) -> T:
        """Do what a message asks for; while the store is out of reach, wait and try again."""
        for wait in waits:
            try:
                return await work()
            except StoreError as exc:
                log.warning("message %s waits: %s", id, type(exc).__name__)
                await self._sleep(wait)
        return await work()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something that is to come to its end before the bot does."""
        task = asyncio.create_task(work)
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)
        return task

    async def finish(self) -> None:
        """Let what is under way come to its end; what takes longer than some seconds is ended."""
        own = {asyncio.current_task()}
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                while others := self._busy - own:  # what is under way may begin more
                    await asyncio.wait(others)
        late = self._busy - own
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def heard(
        self, said: Incoming, name: str, fetch: Callable[[], Awaitable[bytes]], *, size: int = 0
    ) -> Incoming:
        """A message that is a recording, with what is said in it; nothing is fetched where nothing is kept of it.

        One that comes again and was kept has its words. `size`: in bytes, where the app tells it.
        """
        asker = said.asker
        if not await self.switches.is_on(asker.group):
            return said
        if await self._memory.refusal(user=asker.user, space=asker.space, tenant=asker.tenant) is not None:
            return replace(said, unheard="refused")
        recent = await self._memory.messages(limit=LOOKED_AT, **asker.place)
        kept = next((one for one in recent if one.external_id == said.external_id and one.role is Role.USER), None)
        if kept is not None:
            return replace(said, text=kept.text, metadata=kept.metadata)
        told = None
        try:
            async with self._listening:
                told = None if size > LARGEST else await self._memory.in_words(name, fetch)
        except RelembraError as exc:
            log.warning("%s could not be listened to: %s", said.external_id, type(exc).__name__)
        if told is None or not told.text.strip():
            return replace(said, unheard="unheard")
        return replace(said, text=told.text, metadata={**said.metadata, **told.metadata})

    async def keep(self, said: Incoming) -> Message | None:
        """Keep what was said at once, whoever answers it later. None: it was not. Commands are not kept, nor what is
        said where memory is off or by somebody blocked.
        """
        if not said.text.strip() or typed(said.text, NAMES) or not await self.switches.is_on(said.asker.group):
            return None
        try:
            saved = await self._memory.save(
                said=said.text,
                at=said.at,
                external_id=said.external_id,
                author_name=said.name,
                conversation=said.asker.conversation,
                metadata=said.metadata,
                **said.asker.place,
            )
        except InvalidInputError as exc:  # what cannot be kept now never can
            log.warning("%s could not be kept: %s", said.external_id, exc.field)
            return None
        return saved.messages[0] if saved.messages else None

    async def answer(self, said: Incoming) -> str | None:
        """What to say back; None where nothing is to be said. A message that comes again is answered once."""
        if said.external_id in self._recent:
            return None
        self._recent[said.external_id] = None
        if len(self._recent) > MOST_RECENT:
            self._recent.popitem(last=False)
        try:
            return await self.reply(said)
        except RelembraError as exc:
            self._recent.pop(said.external_id, None)
            log.warning("%s was not answered: %s", said.external_id, type(exc).__name__)
            return say("trouble", said.asker.language)

    async def reply(self, said: Incoming) -> str | None:
        """The same without remembering that it was answered; a `RelembraError` where it cannot be."""
        asker = said.asker
        command = typed(said.text, NAMES)
        if command is not None:
            spoken = replace(asker, language=command.language or asker.language)
            return await self.command(command.name, command.rest, spoken)
        if not await self.switches.is_on(asker.group):
            return say("switch.is_off", asker.language)
        if not said.text.strip():
            return say(said.unheard or "hello", asker.language)
        if said.at < self._since:  # a program that ended before it could say so may have kept a reply
            recent = await self._memory.messages(limit=LOOKED_AT, **asker.place)
            if any(one.external_id == said.external_id and one.role is Role.ASSISTANT for one in recent):
                return None
        if self._answering.asks_a_model and self._asked.take(asker.user, ASKED_A_MINUTE) > 0:
            await self.keep(said)
            return say("slowly", asker.language)
        return await self._answered(said)

    async def _answered(self, said: Incoming) -> str:
        asker = said.asker
        in_private = asker.space is None  # where nothing of others is shown
        named = () if in_private else said.mentioned
        try:
            reply = await self._answering.answer(
                said.text,
                external_id=said.external_id,
                author_name=said.name,
                at=said.at,
                outside=True,
                speakers=() if in_private else (asker.user,),
                mentioned=named,
                conversation=asker.conversation,
                **asker.place,
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

    async def _shown(self, said: Incoming, context: MemoryContext, named: Sequence[str]) -> str:
        """What is remembered, where no model puts it into words."""
        language = context.language
        others = [replace(said.asker, user=name, language=language, group=None) for name in named[:MOST_PROFILES]]
        profiles = [await self.command("profile", "", other) for other in others]
        if context.items or context.notes:
            return "\n\n".join([remembered(context, (), language), *profiles])
        if profiles:
            return "\n\n".join(profiles)
        found = await self._memory.recall(said.text, kinds="message", outside=True, **said.asker.place)
        like = [hit.message for hit in found.messages if hit.why.similarity >= LEAST_SIMILARITY]
        messages = [one for one in like if one.external_id != said.external_id and one.role is Role.USER]
        if messages or context.question or context.insight or "?" in said.text:
            return remembered(context, messages, language)
        return say("kept", language)

    # ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def command(self, name: str, rest: str, asker: Asker) -> str:
        """The answer to a command by the name it has here."""
        match name:
            case "memory":
                return await self.switch(rest, asker)
            case _ if not await self.switches.is_on(asker.group):
                return say("switch.is_off", asker.language)
            case "questions":
                return await self.questions(rest, asker)
            case "forget" if (whole := _whole(rest)) is not None:
                return await self._forget(*whole, asker)
            case "help":
                return f"{Words(asker.language, 'commands')('help')}\n{say('help', asker.language)}"
        spelt = next((word for word, (command, _) in SHARED.items() if command == name), name)
        text = f"/{spelt} {rest}"
        answered = await self._memory.command(text, language=asker.language, outside=True, **asker.place)
        if answered is None:
            raise InvalidInputError(f"there is no command {name!r}", field="text")
        return answered.text

    async def questions(self, rest: str, asker: Asker) -> str:
        """What only the person can settle; with an id and an answer, settle one."""
        found = await self._memory.conflicts(open_only=True, limit=LOOKED_AT, outside=True, **asker.place)
        if rest:
            return await self._settled(found, rest, asker)
        if not found:
            return say("questions.none", asker.language)
        lines = [
            f"{one.id[-SHORT_ID:]} · {quotable(question(one.case, one.old, one.new, asker.language).text, 400)}"
            for one in found[:MOST_QUESTIONS]
        ]
        return "\n".join([*lines, say("questions.answer", asker.language, id=found[0].id[-SHORT_ID:])])

    async def _settled(self, found: Sequence[Conflict], rest: str, asker: Asker) -> str:
        id, _, answer = rest.partition(" ")
        fitting = [one for one in found if one.id.endswith(id.strip("#.,").lower())]
        if len(fitting) != 1 or len(id) < 4:
            return say("questions.unknown", asker.language, id=quotable(id, 40))
        keep = KEEPS.get(fold(answer.strip(" .,!")))
        if keep is None:
            return say("questions.which", asker.language)
        one = fitting[0]
        try:
            await self._memory.resolve(one.id, keep=keep, user=asker.user, tenant=asker.tenant)
        except (ConflictError, NotFoundError):
            return say("questions.moved", asker.language)
        return say(f"questions.{keep}", asker.language, old=quotable(one.old.content), new=quotable(one.new.content))

    async def _forget(self, what: str, for_good: bool, asker: Asker) -> str:
        """Forget what was said here, or everything; only when it is said to be for good."""
        if not for_good:
            return say(f"forget.{what}", asker.language)
        chosen: dict[str, Any] = {"all": True}
        if what == "here":
            chosen = {"conversation": conversation_of(asker.conversation, place_of(*asker.here))}
        try:
            gone = await self._memory.forget(user=asker.user, tenant=asker.tenant, **chosen)
        except NotFoundError:
            return say("forget.nothing_here", asker.language)
        text = receipt(gone.counts, asker.language)
        return text if gone.erased else f"{text}\n{Words(asker.language, 'commands')('gone.later')}"

    async def switch(self, rest: str, asker: Asker) -> str:
        """Whether anything is kept in the group, or a change of that by an admin."""
        group, language, word = asker.group, asker.language, fold(rest.strip(" ."))
        if group is None:
            return say("switch.group", language)
        if self.switches.is_off_by_settings(group):
            return say("switch.settings", language)
        if word not in (*ON, *OFF):
            return say("switch.is_on" if await self.switches.is_on(group) else "switch.is_off", language)
        if not asker.manages:
            return say("switch.admins", language)
        await self.switches.turn(group, on=word in ON)
        return say("switch.on" if word in ON else "switch.off", language)


class People:
    """The people behind one app's accounts. An account is linked to a person when it first speaks."""

    def __init__(self, memory: Memory, app: str, *, tenant: str = DEFAULT_TENANT) -> None:
        self._memory = memory
        self._app = app
        self._tenant = tenant
        self._one_at_a_time = asyncio.Lock()

    async def known(self, id: int | str) -> str | None:
        """Whose an account is; None for one that never spoke."""
        return await self._memory.linked(self._app, str(id), tenant=self._tenant)

    async def called(self, handle: str) -> str | None:
        """Whoever speaks in this app by that handle; None where nobody does."""
        name = account_name(self._app, handle)
        links = await self._memory.links(user=name, tenant=self._tenant) if handle else []
        return name if any(link.channel == self._app for link in links) else None

    async def user_of(self, id: int | str, handle: str | None, *, keep: bool = True) -> str:
        """Whose an account is. One seen for the first time is called by its app and handle, "discord:bia", never by a
        plain name: whoever chooses a handle must not get the memory of whoever has that name elsewhere.

        Without `keep` nothing is written down of one that was not seen before.
        """
        async with self._one_at_a_time:
            known = await self.known(id)
            if known is not None:
                return known
            name = account_name(self._app, str(id))
            if not keep:
                return name
            if handle and handle.strip() and not account_id(handle).isdecimal():  # which could be another account's id
                called = account_name(self._app, handle)
                name = called if await self._is_free(called) else name
            await self._memory.link(self._app, str(id), user=name, tenant=self._tenant)
            return name

    async def _is_free(self, name: str) -> bool:
        """Whether nobody has that name: a handle may have been another's before."""
        try:
            checked_name(name, "user")
        except InvalidInputError:
            return False
        if await self._memory.links(user=name, tenant=self._tenant):
            return False
        if any(key.user == name for key in await self._memory.keys(tenant=self._tenant)):
            return False
        held = await self._memory.stats(user=name, tenant=self._tenant)
        return not (held.conversations or held.messages or held.notes or sum(held.items.values()))


class Switches:
    """The switches of one app's groups. A group is on until it is switched off, here or by whoever runs this."""

    def __init__(
        self, memory: Memory, app: str, *, tenant: str = DEFAULT_TENANT, blocks: BlockSettings | None = None
    ) -> None:
        self._memory = memory
        self._app = app
        self._tenant = tenant
        self._blocks = blocks or BlockSettings()

    def space(self, group: int) -> str:
        """The space that a group is."""
        return f"{self._app}:{group}"

    def is_off_by_settings(self, group: int) -> bool:
        """Whether the settings switch the group off, which no switch in the app changes."""
        return self._blocks.names(BlockKind.SPACE, self.space(group))

    async def is_on(self, group: int | None) -> bool:
        """Whether what is said in a group is kept; in private, None, it is."""
        if group is None or self.is_off_by_settings(group):
            return group is None
        return await self._memory.refusal(space=self.space(group), tenant=self._tenant) is None

    async def turn(self, group: int, *, on: bool) -> None:
        """Switch a group with all the spaces in it, such as channels few can see; it stays so after a restart."""
        whole = self.space(group)
        held = await self._memory.spaces(tenant=self._tenant)
        inside = [state.name for state in held if state.name.startswith(f"{whole}:") and not state.by_settings]
        for space in (whole, *inside):
            await self._memory.switch_space(space, on=on, tenant=self._tenant)


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────

MOST_QUESTIONS = 5

NAMES = SHARED | {
    "questions": ("questions", "en"),
    "perguntas": ("questions", "pt"),
    "memory": ("memory", "en"),
    "memoria": ("memory", "pt"),
    "start": ("help", ""),
}
"""What is typed, without accents and in small letters: the command, and its language where it tells one."""

ON, OFF = ("on", "ligar"), ("off", "desligar")
WHOLE = {"everything": "everything", "tudo": "everything", "here": "here", "aqui": "here"}
"""What may stand behind /forget instead of an id, without accents and in small letters."""

KEEPS = {
    "new": "new", "old": "old", "both": "both", "neither": "neither",
    "novo": "new", "nova": "new", "antigo": "old", "antiga": "old", "ambos": "both", "nenhum": "neither",
}  # fmt: skip
"""The answers to a question, as they are typed and as `resolve` takes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks, in which language, and who sees the answer."""

    user: str
    language: str
    tenant: str = DEFAULT_TENANT
    space: str | None = None  # where the answer is seen; None: by the person alone
    channel: str | None = None
    here: tuple[str | None, str | None] = (None, None)  # the space and channel it was asked in
    group: int | None = None  # the group, as its switch knows it
    manages: bool = False  # whether they may switch the memory of the group
    conversation: str | None = None  # in private, where it is not the one all apps share

    @property
    def place(self) -> dict[str, Any]:
        """Whose memory is meant and where the answer is seen, as a memory's verbs take them."""
        return {"user": self.user, "tenant": self.tenant, "space": self.space, "channel": self.channel}


def _whole(what: str) -> tuple[str, bool] | None:
    """Whether all that was said here, or everything, is to be forgotten, and whether for good."""
    named, for_good = said_for_good(what)
    name = WHOLE.get(fold(named.strip(" .!")))
    return None if name is None else (name, for_good)
