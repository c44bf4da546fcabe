"""Commands typed in a chat: a program hands over a message, and gets an answer where it is one of ours.

Answers are plain text. Remembered text stands in quotation marks on one line, and nothing in it is markup of ours: who
sends it on should send it as plain text too, and should not save commands and their answers as talk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, Role
from relembra.domain.scope import DEFAULT_TENANT, Place, may_hear
from relembra.domain.text import checked_language, fold, is_blank, shortened, visible_line
from relembra.errors import ConflictError, InvalidInputError, NotFoundError
from relembra.locale import LANGUAGES, Words
from relembra.recall.rendering import ASSISTANT, SECTION_TITLES, short_date, told
from relembra.views.profile import Line
from relembra.views.timeline import day_of

__all__ = ["CommandAnswer", "Typed", "answered", "short_id", "typed"]

SHORT_ID = 8
SUREST_ID = 6
"""The shortest fragment of an id that is taken for one and not for a word."""
MOST_LINES = 7
MOST_ITEMS, MOST_NOTES, MOST_MESSAGES = 4, 2, 3
MOST_OFFERED = 5
LEAST_SIMILARITY = 0.2
"""What is less like the question is not shown as an answer; where it is asked what is meant, it is."""
MOST_OF_A_SECTION = 3
LONGEST_QUOTE = 140
LONGEST_QUERY = 60

NAMES = {
    name: (command, language)
    for command, *names in (
        ("keep", "remember", "guardar"),
        ("recall", "recall", "lembrar"),
        ("forget", "forget", "esquecer"),
        ("undo", "undo", "desfazer"),
        ("profile", "profile", "perfil"),
        ("help", "help", "ajuda"),
    )
    for language, name in zip(LANGUAGES, names, strict=True)
}
"""What is typed, without accents and in small letters: the command it is, and the language it is in."""

FOR_GOOD = ("for good", "forever", "de vez", "para sempre")
"""What stands behind an id when nothing is to be left, without accents and in small letters."""

_ID = re.compile(r"(?=[a-f\-]*\d)[0-9a-f\-]{4,36}")
_AROUND_AN_ID = " \t\r\n.,;:!?…()[]<>\"'“”‘’`#"


_COMMAND = re.compile(r"\s*/(?P<name>[^\W\d_]+)(?:@(?P<bot>[\w.\-]*\w))?[.,;:!?…]*(?:\s+(?P<rest>.*))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it was typed. `bot`: the program it is meant for, where it says so."""

    name: str
    language: str
    rest: str
    bot: str | None

    def is_for(self, bot: str) -> bool:
        """Whether it may be meant for a program of this name."""
        return self.bot is None or fold(self.bot) == fold(bot.removeprefix("@"))


def typed(text: str, names: Mapping[str, tuple[str, str]]) -> Typed | None:
    """The command a text is, of those named; None for any other text."""
    found = _COMMAND.match(text)
    if found is None or (known := names.get(fold(found["name"]))) is None:
        return None
    rest = found["rest"] or ""
    return Typed(*known, "" if is_blank(rest) else rest.strip(), found["bot"])


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """The answer to a command: which one it was, what to say, and what it speaks of.

    `done`: False where the person has to say more, or what they named is not there.
    """

    name: str
    text: str
    items: tuple[KnowledgeItem, ...] = ()
    done: bool = True


@dataclass(frozen=True, slots=True)
class _Chat:
    """Who asks, where, and in which language they are answered."""

    memory: Any  # a `Memory`, which imports this
    user: str
    space: str | None
    channel: str | None
    tenant: str
    language: str
    outside: bool = False

    @property
    def who(self) -> dict[str, Any]:
        """The person, for verbs about one item."""
        return {"user": self.user, "tenant": self.tenant}

    @property
    def here(self) -> dict[str, Any]:
        """The person and the place, for verbs that look for something."""
        return {**self.who, "space": self.space, "channel": self.channel, "outside": self.outside}

    def say(self, key: str, **values: object) -> str:
        return Words(self.language, "commands")(key, **values)


async def answered(
    memory: Any,
    text: str,
    *,
    user: str,
    space: str | None = None,
    channel: str | None = None,
    language: str | None = None,
    bot: str | None = None,
    keeps: bool = True,
    outside: bool = False,
    tenant: str = DEFAULT_TENANT,
) -> CommandAnswer | None:
    """The answer to a message of a person's that is a command of ours; None for any other, which is not looked at.

    In a space only what may be heard there is shown or forgotten. The answer is in the command's own language unless
    `language` says another. `bot`: the program's name in the chat; a command for another's (/help@other) is not ours.
    `keeps`: whether anything may be kept of this person there.
    """
    checked_language(language)
    command = typed(text, NAMES)
    if command is None or (bot is not None and not command.is_for(bot)):
        return None
    chat = _Chat(memory, user, space, channel, tenant, language or command.language, outside)
    match command.name:
        case "keep":
            return await _kept(chat, command.rest, may=keeps)
        case "recall":
            return await _recalled(chat, command.rest)
        case "forget":
            return await _forgotten(chat, command.rest)
        case "undo":
            return await _undone(chat, command.rest)
        case "profile":
            return await _profile(chat)
        case _:
            return CommandAnswer("help", chat.say("help"))


# ── keep ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _kept(chat: _Chat, text: str, *, may: bool) -> CommandAnswer:
    if not may:
        return CommandAnswer("keep", chat.say("keep.refused"), done=False)
    if not text:
        return CommandAnswer("keep", chat.say("keep.usage"), done=False)
    item = await chat.memory.add(text, user=chat.user, space=chat.space, channel=chat.channel, tenant=chat.tenant)
    lines = [chat.say("keep.done", content=quotable(item.content)), chat.say("keep.forget", id=short_id(item.id))]
    return CommandAnswer("keep", "\n".join(lines), (item,))


# ── recall ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _recalled(chat: _Chat, query: str) -> CommandAnswer:
    if not query:
        return CommandAnswer("recall", chat.say("recall.usage"), done=False)
    found = await chat.memory.recall(
        query,
        limit=2 * MOST_LINES,  # some messages are commands, this very one among them
        **chat.here,
    )
    items = [hit.item for hit in found.items if hit.why.similarity >= LEAST_SIMILARITY]
    notes = [hit.note for hit in found.notes if hit.why.similarity >= LEAST_SIMILARITY]
    titles = {note.id: note for note in notes}
    messages = [hit.message for hit in found.messages if hit.why.similarity >= LEAST_SIMILARITY]
    messages = [message for message in messages if typed(message.text, NAMES) is None][:MOST_MESSAGES]
    notes = notes[:MOST_NOTES]
    items = items[: max(MOST_ITEMS, MOST_LINES - len(notes) - len(messages))]
    lines = [
        *(item_line(item, chat.language, titles) for item in items),
        *(note_line(note, chat.language) for note in notes),
        *(message_line(message, chat.language) for message in messages),
    ][:MOST_LINES]
    asked = quotable(query, LONGEST_QUERY)
    if not lines:
        return CommandAnswer("recall", chat.say("recall.nothing", query=asked))
    return CommandAnswer("recall", "\n".join([chat.say("recall.found", query=asked), *lines]), tuple(items))


def item_line(item: KnowledgeItem, language: str, notes: Mapping[str, Note] | None = None) -> str:
    """An item with its id, since when it holds, and where it is from: one of these notes where it was learnt there."""
    note = (notes or {}).get(item.note_id or "")
    source = Words(language, "tools")(f"source.{item.source}") if note is None else _named(note.title)
    marks = [short_date(day_of(item.held_from, item.zone), language), source]
    if item.speaker is not None and fold(item.speaker) != fold(item.scope.user):
        marks.append(_named(item.speaker))
    if item.needs_resolution:
        marks.append(Words(language, "commands")("unsure"))
    said = told(item, language, f"“{quotable(item.content)}”")
    return f"{short_id(item.id)} · {said} · {', '.join(marks)}"


def note_line(note: Note, language: str) -> str:
    when, named = short_date(note.happened_at, language), Words(language, "commands")("note")
    return f"{short_id(note.id)} · “{quotable(note.summary or note.title)}” · {when}, {named} “{_named(note.title)}”"


def message_line(message: Message, language: str) -> str:
    who = ASSISTANT[language] if message.role is Role.ASSISTANT else _named(message.author_name)
    when = short_date(day_of(message.sent_at, message.zone), language)
    return f"{short_id(message.id)} · “{quotable(message.text)}” · {when}, {who}"


# ── forget and undo ───────────────────────────────────────────────────────────────────────────────────────────────────


async def _forgotten(chat: _Chat, what: str) -> CommandAnswer:
    if not what:
        return CommandAnswer("forget", chat.say("forget.usage"), done=False)
    named, for_good = said_for_good(what)
    if (id := _id_in(named)) is not None:
        match await _held(chat, id, "forget"):
            case KnowledgeItem() as item if len(id) < SUREST_ID:
                return _offered(chat, [item])
            case KnowledgeItem() as item:
                return await (_gone(chat, item) if for_good else _deleted(chat, item))
            case CommandAnswer() as unsure:
                return unsure
        if for_good or not id.replace("-", "").isdigit():  # a year or a telephone number is looked for
            return CommandAnswer("forget", chat.say("id.unknown", id=id), done=False)
    hits = await chat.memory.search(named, limit=MOST_OFFERED, **chat.here)
    items = [hit.item for hit in hits]
    if not items:
        return CommandAnswer("forget", chat.say("forget.nothing", query=quotable(named, LONGEST_QUERY)), done=False)
    return _offered(chat, items)


def _offered(chat: _Chat, items: Sequence[KnowledgeItem]) -> CommandAnswer:
    """What may be meant, with ids to say which."""
    lines = [item_line(item, chat.language) for item in items]
    repeat = chat.say("forget.repeat", id=short_id(items[0].id))
    return CommandAnswer("forget", "\n".join([chat.say("forget.which"), *lines, repeat]), tuple(items), done=False)


async def _deleted(chat: _Chat, item: KnowledgeItem) -> CommandAnswer:
    was = "forget.already" if item.deleted_at is not None else "forget.done"
    if item.deleted_at is None:
        item = await chat.memory.delete(item.id, **chat.who)
    id = short_id(item.id)
    lines = [
        chat.say(was, content=quotable(item.content)),
        chat.say("forget.undo", id=id),
        chat.say("forget.for_good", id=id),
    ]
    return CommandAnswer("forget", "\n".join(lines), (item,))


async def _gone(chat: _Chat, item: KnowledgeItem) -> CommandAnswer:
    """The receipt, which does not say again what was forgotten."""
    gone = await chat.memory.forget(item=item.id, **chat.who)
    lines = [receipt(gone.counts, chat.language)]
    if item.message_ids:
        lines.append(chat.say("gone.said"))
    if not gone.erased:
        lines.append(chat.say("gone.later"))
    return CommandAnswer("forget", "\n".join(lines))


async def _undone(chat: _Chat, what: str) -> CommandAnswer:
    if (id := _id_in(what)) is None:
        return CommandAnswer("undo", chat.say("undo.usage"), done=False)
    item = await _held(chat, id, "undo")
    if not isinstance(item, KnowledgeItem):
        return item or CommandAnswer("undo", chat.say("id.unknown", id=id), done=False)
    content = quotable(item.content)
    if item.deleted_at is None:  # to undo what else happened to it would be a guess
        return CommandAnswer("undo", chat.say("undo.not_forgotten", content=content), (item,), done=False)
    try:
        await chat.memory.undo(item.id, **chat.who)
    except (ConflictError, NotFoundError):
        return CommandAnswer("undo", chat.say("undo.cannot", content=content), (item,), done=False)
    item = await chat.memory.find(item.id, outside=chat.outside, **chat.who)
    return CommandAnswer("undo", chat.say("undo.done", content=content), (item,))


async def _held(chat: _Chat, id: str, name: str) -> KnowledgeItem | CommandAnswer | None:
    """The item an id or a part of one names, if it may be heard here; an answer where it names several."""
    try:
        item: KnowledgeItem = await chat.memory.find(id, outside=chat.outside, **chat.who)
    except InvalidInputError:
        return CommandAnswer(name, chat.say("id.several", id=id), done=False)
    except NotFoundError:
        return None
    return item if may_hear(item.place, Place(chat.space)) else None


def _id_in(text: str) -> str | None:
    """The id, or part of one, that the text is; a word of the letters a to f, like "cafe", is none."""
    bare = text.strip(_AROUND_AN_ID).lower()
    return bare if _ID.fullmatch(bare) else None


def said_for_good(text: str) -> tuple[str, bool]:
    """The text without the words that say that nothing is to be left, and whether they were there."""
    bare = " ".join(text.split()).rstrip(_AROUND_AN_ID)
    folded = fold(bare)
    for ending in FOR_GOOD:
        if folded.endswith(f" {ending}") and len(folded) == len(bare):
            return bare[: -len(ending)].rstrip(), True
    return text, False


# ── profile ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _profile(chat: _Chat) -> CommandAnswer:
    profile = await chat.memory.profile(language=chat.language, **chat.here)
    name = _named(profile.name)
    if profile.is_empty:
        return CommandAnswer("profile", chat.say("profile.empty", name=name))
    titles = SECTION_TITLES[chat.language]
    sections = [f"{titles[section]}: {_listed(chat, lines)}" for section, lines in profile.sections.items() if lines]
    return CommandAnswer("profile", "\n".join([chat.say("profile.heading", name=name), *sections]))


def _listed(chat: _Chat, lines: Sequence[Line]) -> str:
    """The first few lines of a section, and how many more there are."""
    shown = [
        f"“{quotable(line.text)}”" + (f" ({chat.say('unsure')})" if line.needs_resolution else "")
        for line in lines[:MOST_OF_A_SECTION]
    ]
    more = len(lines) - len(shown)
    return "; ".join(shown + ([chat.say("profile.more", count=more)] if more else []))


# ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def short_id(id: str) -> str:
    """The end of an id, long enough to be unlike a word when it is typed back."""
    return next((id[-length:] for length in range(SHORT_ID, len(id)) if _ID.fullmatch(id[-length:])), id)


def quotable(text: str, limit: int = LONGEST_QUOTE) -> str:
    """Remembered text on one short line, without invisible controls and without the marks it is quoted with."""
    return shortened(visible_line(text).replace("“", '"').replace("”", '"'), limit)


def _named(text: str) -> str:
    return quotable(text, LONGEST_QUERY)


def counted(name: str, count: int, language: str) -> str:
    """A place of a receipt with how much went from there, as in "2 vectors"."""
    words, key = Words(language, "commands"), f"gone.{name}.{'one' if count == 1 else 'many'}"
    return f"{count} {words(key) if words.has(key) else name}"


def receipt(counts: Mapping[str, int], language: str) -> str:
    """What was removed for good, counted."""
    gone = ", ".join(counted(name, count, language) for name, count in counts.items() if count)
    return Words(language, "commands")("gone.done", counts=gone or counted("items", 0, language))
