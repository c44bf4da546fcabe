"""What can be asked of the memory by name in a chat app: by slash commands and by what is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import fold
from relembra.errors import ConflictError, InvalidInputError, NotFoundError
from relembra.ingest.intake import conversation_of, place_of
from relembra.interfaces.chat.replies import quotable, say
from relembra.learn.casework import question
from relembra.locale import Words
from relembra.tools.commands import FOR_GOOD, SHORT_ID, receipt
from relembra.tools.commands import NAMES as SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relembra.interfaces.chat.bot import Switches
    from relembra.learn.casework import Conflict
    from relembra.memory import Memory

MOST_QUESTIONS = 5
LOOKED_AT = 50

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

    @property
    def place(self) -> dict[str, Any]:
        """Whose memory is meant and where the answer is seen, as a memory's verbs take them."""
        return {"user": self.user, "tenant": self.tenant, "space": self.space, "channel": self.channel}


class Commands:
    """Does what is asked by name; every answer is a text for the person."""

    def __init__(self, memory: Memory, switches: Switches) -> None:
        self._memory = memory
        self._switches = switches

    async def answer(self, name: str, rest: str, asker: Asker) -> str:
        """The answer to a command by the name it has here."""
        match name:
            case "memory":
                return await self.switch(rest, asker)
            case _ if asker.group is not None and not await self._switches.is_on(asker.group):
                return say("switch.is_off", asker.language)
            case "questions":
                return await self.questions(rest, asker)
            case "forget" if (whole := _whole(rest)) is not None:
                return await self._forget(*whole, asker)
            case "help":
                return f"{Words(asker.language, 'commands')('help')}\n{say('help', asker.language)}"
            case _:
                return await self._shared(name, rest, asker)

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
            chosen = {"conversation": conversation_of(None, place_of(*asker.here))}
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
        if self._switches.is_off_by_settings(group):
            return say("switch.settings", language)
        if word not in (*ON, *OFF):
            return say("switch.is_on" if await self._switches.is_on(group) else "switch.is_off", language)
        if not asker.manages:
            return say("switch.admins", language)
        await self._switches.turn(group, on=word in ON)
        return say("switch.on" if word in ON else "switch.off", language)

    async def _shared(self, name: str, rest: str, asker: Asker) -> str:
        """What every chat answers alike."""
        spelt = next((word for word, (command, _) in SHARED.items() if command == name), name)
        text = f"/{spelt} {rest}"
        answered = await self._memory.command(text, language=asker.language, outside=True, **asker.place)
        if answered is None:
            raise InvalidInputError(f"there is no command {name!r}", field="text")
        return answered.text


def _whole(what: str) -> tuple[str, bool] | None:
    """Whether all that was said here, or everything, is to be forgotten, and whether for good."""
    words = fold(" ".join(what.split()).strip(" .!"))
    ending = next((ending for ending in FOR_GOOD if words.endswith(f" {ending}")), None)
    name = WHOLE.get(words.removesuffix(f" {ending}"))
    return None if name is None else (name, ending is not None)
