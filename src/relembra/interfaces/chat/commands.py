"""What can be asked of the memory by name in a chat app: by slash commands and by what is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import fold
from relembra.errors import ConflictError, InvalidInputError, NotFoundError
from relembra.interfaces.chat.replies import quotable
from relembra.interfaces.chat.words import EVERYTHING, HERE, KEEPS, say
from relembra.learn.asking import question
from relembra.listen.intake import conversation_of, place_of
from relembra.tools.command_words import FOR_GOOD, SPELLINGS, WORDS, receipt
from relembra.tools.commands import SHORT_ID

if TYPE_CHECKING:
    from relembra.interfaces.chat.switches import Switches
    from relembra.learn.casework import Conflict
    from relembra.memory import Memory
    from relembra.store.port import Gone

__all__ = ["Asker", "Commands"]

MOST_QUESTIONS = 5
LOOKED_AT = 50

NAMES = {
    "remember": ("keep", "en"),
    "guardar": ("keep", "pt"),
    "questions": ("questions", "en"),
    "perguntas": ("questions", "pt"),
    "memory": ("memory", "en"),
    "memoria": ("memory", "pt"),
    "recall": ("recall", "en"),
    "lembrar": ("recall", "pt"),
    "forget": ("forget", "en"),
    "esquecer": ("forget", "pt"),
    "undo": ("undo", "en"),
    "desfazer": ("undo", "pt"),
    "profile": ("profile", "en"),
    "perfil": ("profile", "pt"),
    "help": ("help", "en"),
    "start": ("help", ""),
    "ajuda": ("help", "pt"),
}
"""What is typed, without accents and in small letters: the command, and its language where it tells one."""

ON, OFF = ("on", "ligar"), ("off", "desligar")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks, in which language, and who hears the answer."""

    user: str
    language: str
    space: str | None = None  # where the answer is heard; None: by the person alone
    channel: str | None = None
    here: tuple[str | None, str | None] = (None, None)  # the space and channel it was asked in
    group: int | None = None  # the group, as its switch knows it
    manages: bool = False  # whether they may switch the memory of the group


class Commands:
    """Does what is asked by name; every answer is a text for the person."""

    def __init__(self, memory: Memory, switches: Switches, *, tenant: str = DEFAULT_TENANT) -> None:
        self._memory = memory
        self._switches = switches
        self._tenant = tenant

    async def answer(self, name: str, rest: str, asker: Asker) -> str:
        """The answer to a command by the name it has here."""
        match name:
            case "memory":
                return await self.switch(rest, asker)
            case _ if asker.group is not None and not await self._switches.is_on(asker.group):
                return say("switch.is_off", asker.language)
            case "questions":
                return await self.questions(rest, asker)
            case "forget":
                return await self.forget(rest, asker)
            case "help":
                return f"{WORDS[asker.language]['help']}\n{say('help', asker.language)}"
            case _:
                return await self._shared(name, rest, asker)

    async def questions(self, rest: str, asker: Asker) -> str:
        """What only the person can settle; with an id and an answer, settle one."""
        open_ones = await self._memory.conflicts(
            user=asker.user, open_only=True, space=asker.space, channel=asker.channel, limit=LOOKED_AT,
            outside=True, tenant=self._tenant,
        )  # fmt: skip
        if rest:
            return await self._settled(list(open_ones), rest, asker)
        if not open_ones:
            return say("questions.none", asker.language)
        shown = open_ones[:MOST_QUESTIONS]
        lines = [f"{one.id[-SHORT_ID:]} · {_question(one, asker.language)}" for one in shown]
        return "\n".join([*lines, say("questions.answer", asker.language, id=shown[0].id[-SHORT_ID:])])

    async def _settled(self, open_ones: list[Conflict], rest: str, asker: Asker) -> str:
        id, _, answer = rest.partition(" ")
        fitting = [one for one in open_ones if one.id.endswith(id.strip("#.,").lower())]
        if len(fitting) != 1 or len(id) < 4:
            return say("questions.unknown", asker.language, id=quotable(id, 40))
        keep = KEEPS.get(fold(answer.strip(" .,!")))
        if keep is None:
            return say("questions.which", asker.language)
        one = fitting[0]
        try:
            await self._memory.resolve(one.id, keep=keep, user=asker.user, tenant=self._tenant)
        except (ConflictError, NotFoundError):
            return say("questions.moved", asker.language)
        return say(f"questions.{keep}", asker.language, old=quotable(one.old.content), new=quotable(one.new.content))

    async def forget(self, what: str, asker: Asker) -> str:
        """Forget one thing, what was said here, or everything; the last two only when it is said to be for good."""
        whole = _whole(what)
        if whole is None:
            return await self._shared("forget", what, asker)
        name, for_good = whole
        if not for_good:
            return say(f"forget.{name}", asker.language)
        if name == "everything":
            gone = await self._memory.forget(user=asker.user, all=True, tenant=self._tenant)
            return _receipt(gone, asker.language)
        try:
            here = conversation_of(None, place_of(*asker.here))
            gone = await self._memory.forget(user=asker.user, conversation=here, tenant=self._tenant)
        except NotFoundError:
            return say("forget.nothing_here", asker.language)
        return _receipt(gone, asker.language)

    async def switch(self, rest: str, asker: Asker) -> str:
        """Whether anything is kept in the group, or a change of that by somebody who manages it."""
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
        spelt = SPELLINGS["en"].get(name, name)
        answered = await self._memory.command(
            f"/{spelt} {rest}", user=asker.user, space=asker.space, channel=asker.channel,
            language=asker.language, outside=True, tenant=self._tenant,
        )  # fmt: skip
        if answered is None:
            raise InvalidInputError(f"there is no command {name!r}", field="text")
        return answered.text


def _question(conflict: Conflict, language: str) -> str:
    return quotable(question(conflict.case, conflict.old, conflict.new, language).text, 400)


def _whole(what: str) -> tuple[str, bool] | None:
    """Whether all that was said here, or everything, is to be forgotten, and whether for good."""
    words = fold(" ".join(what.split()).strip(" .!"))
    ending = next((ending for ending in FOR_GOOD if words.endswith(f" {ending}")), None)
    named = words.removesuffix(f" {ending}") if ending else words
    for name, spellings in (("everything", EVERYTHING), ("here", HERE)):
        if named in spellings:
            return name, ending is not None
    return None


def _receipt(gone: Gone, language: str) -> str:
    told = receipt(gone.counts, language)
    return told if gone.erased else f"{told}\n{WORDS[language]['gone.later']}"
