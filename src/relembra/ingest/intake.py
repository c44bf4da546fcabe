"""What arrives, checked and turned into messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from relembra.domain.access import EVERY_SPACE, Block, BlockKind
from relembra.domain.message import (
    AUTHOR_NAME,
    IMAGE,
    KIND,
    LONGEST_TITLE,
    SHA256,
    Conversation,
    Message,
    Role,
    SavedKind,
    title_for,
)
from relembra.domain.scope import DIRECT_CHANNEL, Place, Scope
from relembra.domain.text import as_seen, checked_name, checked_text, fold, is_blank, shortened, visible_line
from relembra.domain.time import in_utc, not_ahead, zone_of
from relembra.errors import InvalidInputError
from relembra.minds.port import InWords, Tokens

ASSISTANT = "assistant"
RESERVED = (ASSISTANT, "assistente", "system", "sistema", "relembra")
_RESERVED = frozenset(map(as_seen, RESERVED))
_NOT_SHOWN = _RESERVED | frozenset(map(as_seen, ("user", "usuario", "tool", "developer")))
MOST_MESSAGES = 1_000
"""How many one save takes; they are kept in one transaction."""
_ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.SYSTEM,
    "function": Role.SYSTEM,
}
BRIDGE = "bridge"
"""The word of a save's metadata that says that a bridge brings what several people say, as "Name: words"."""
MOSTLY_NAMED = 0.75  # of the messages of a log begin with a name
_NO = ("", "false", "no", "0")
_NAMED = re.compile(r"(?P<name>[^\W\d_][\w.'’-]{1,29}(?: [\w.'’-]{1,30}){0,3}): +(?P<words>\S.*)", re.DOTALL)
_LABELS = """
    note notes todo task tasks idea ideas question answer subject reminder remember ps update edit title summary warning
    error info debug re fwd from date time today tomorrow example tip fact context goal
    nota notas tarefa tarefas ideia ideias pergunta resposta assunto lembrete lembrar obs aviso erro de para data hora
    hoje amanhã exemplo dica fato contexto objetivo resumo título atualização
"""
_NO_NAMES = frozenset(fold(label) for label in _LABELS.split())
"""What stands before a colon and is nobody's name, folded."""
_TEXTS = ("text", "input_text", "output_text")
NOTHING: Mapping[str, Any] = MappingProxyType({})
_MILLISECONDS = 10**11
"""A Unix time of this and above would be in the year 5138, and is one in milliseconds."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages of one save and the conversation they belong to, not yet stored."""

    conversation: Conversation
    messages: tuple[Message, ...]
    left_out: tuple[str, ...] = ()  # what was handed over and is no text, by its place


def place_of(space: str | None, channel: str | None) -> Place:
    """A channel needs its space; a space without a channel means its general one."""
    if space is None:
        if channel not in (None, DIRECT_CHANNEL):
            raise InvalidInputError(f"channel {channel!r} needs a space", field="channel")
        return Place()
    return Place(space, channel or "general")


def conversation_of(given: str | None, place: Place) -> str:
    """The conversation's id: the one given, else the place's own."""
    if given is not None:
        return checked_name(given, "conversation")
    return DIRECT_CHANNEL if place.space is None else f"{place.space}/{place.channel}"


def exchange(
    scope: Scope,
    *,
    said: str | None = None,
    replied: str | None = None,
    messages: Sequence[Mapping[str, Any]] | None = None,
    now: datetime,
    place: Place,
    new_id: Callable[[], str],
    at: datetime | None = None,
    conversation: str | None = None,
    external_id: str | None = None,
    author: str | None = None,
    metadata: Mapping[str, str] | None = None,
    program: bool = False,
    author_name: str | None = None,
    kind: SavedKind = SavedKind.TALK,
    in_words: Mapping[str, InWords] = NOTHING,
) -> Exchange:
    """The messages of one save: what was said and what was replied, or a list as chat programs hold it.

    An entry of a journal is a conversation of its own. `in_words`: recordings and pictures of the list, by their place.
    """
    if external_id is not None:
        checked_name(external_id, "external_id")
    moment = now if at is None else at
    not_ahead(moment, now)
    if kind is SavedKind.JOURNAL:
        if said is None or replied is not None or messages is not None or program or author is not None:
            raise InvalidInputError("a journal entry is what one person said: give said alone", field="kind")
        if not place.is_private:
            raise InvalidInputError("a journal is private: leave out space and channel", field="space")
        conversation = conversation or f"journal/{new_id()}"
    thread = conversation_of(conversation, place)
    left_out: tuple[str, ...] = ()
    if messages is None:
        spoken = _turn(scope, said, replied, moment, external_id=external_id, author=author, program=program)
    elif said is None and replied is None and author is None and not program:
        spoken, left_out = _listed(scope, messages, moment, now=now, external_id=external_id, in_words=in_words)
        if conversation is not None and len(spoken) > 1:
            spoken = _told_apart(spoken, conversation)
    else:
        raise InvalidInputError("messages say who spoke: leave out said, replied, author and program", field="messages")
    given = metadata or {}
    for name, value in given.items():
        if not isinstance(value, str):
            raise InvalidInputError(f"metadata {name!r} must be text, not {value!r}", field="metadata")
    others = {name: value for name, value in given.items() if name != AUTHOR_NAME}
    if kind is SavedKind.JOURNAL:
        others[KIND] = kind.value
    else:
        spoken = _by_name(spoken, scope, is_bridged=as_seen(given.get(BRIDGE, "")) not in _NO)
    known_as = given.get(AUTHOR_NAME)
    shown = (display_name(author_name or known_as), display_name(known_as))  # a person, and the assistant
    kept = tuple(
        Message(
            id=new_id(),
            scope=scope,
            conversation=thread,
            role=one.role,
            author=one.author,
            text=one.text,
            sent_at=in_utc(one.at),
            zone=zone_of(one.at),
            place=place,
            external_id=one.external_id,
            metadata={**others, **one.metadata, **({AUTHOR_NAME: called} if called else {})},
            saved_at=in_utc(now, "clock"),
        )
        for one in spoken
        for called in [one.name or shown[one.role is Role.ASSISTANT]]
    )
    first = next((message for message in kept if message.role is not Role.SYSTEM), kept[0])
    opening = Conversation(
        id=thread,
        scope=scope,
        place=place,
        title=title_for(first.text),
        created_at=min(message.sent_at for message in kept),
        updated_at=max(message.sent_at for message in kept),
    )
    return Exchange(opening, kept, left_out)


@dataclass(frozen=True, slots=True)
class _Spoken:
    """One thing said, by whom and when."""

    role: Role
    author: str
    text: str
    at: datetime
    external_id: str | None
    name: str | None = None  # as it stood before the words
    metadata: Mapping[str, str] = field(default_factory=dict)


def _turn(
    scope: Scope,
    said: str | None,
    replied: str | None,
    at: datetime,
    *,
    external_id: str | None,
    author: str | None,
    program: bool,
) -> list[_Spoken]:
    """What was said and what was replied; at least one of them."""
    if said is None and replied is None:
        raise InvalidInputError("nothing to save: give what was said, what was replied, or both", field="said")
    if program and (author is None or as_seen(author) == as_seen(scope.user)):
        raise InvalidInputError("a program that speaks needs a name of its own; give author", field="author")
    who = _speaker(author or scope.user)
    found = []
    if said is not None:
        role = Role.SYSTEM if program else Role.USER
        found.append(_Spoken(role, who, checked_text(said, "said"), at, external_id))
    if replied is not None:
        found.append(_Spoken(Role.ASSISTANT, ASSISTANT, checked_text(replied, "replied"), at, external_id))
    return found


# ── messages as chat programs hold them ───────────────────────────────────────────────────────────────────────────────


def text_of(content: object) -> str:
    """The text of a message: of a string, or of the parts of a list that are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict) and part.get("type") in _TEXTS)
    return "\n".join(part for part in parts if isinstance(part, str))


def _listed(
    scope: Scope,
    messages: Sequence[Mapping[str, Any]],
    at: datetime,
    *,
    now: datetime,
    external_id: str | None,
    in_words: Mapping[str, InWords],
) -> tuple[list[_Spoken], tuple[str, ...]]:
    """What a list of messages says, and by its place what in it is no text; `InvalidInputError` names the message.

    One without a moment was said when the one before it was. One without an id gets the list's, where that has one.
    """
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise InvalidInputError("messages must be a list of messages with a role and a content", field="messages")
    if len(messages) > MOST_MESSAGES:
        raise InvalidInputError(f"messages holds {len(messages)}; at most {MOST_MESSAGES} at once", field="messages")
    spoken: list[_Spoken] = []
    left_out: list[str] = []
    named: set[tuple[Role, str]] = set()
    for number, message in enumerate(messages):
        field = f"messages[{number}]"
        if not isinstance(message, Mapping):
            raise InvalidInputError(f"{field} must have a role and a content", field=field)
        role, author = _who(scope, message, field)
        at = _said_at(message, field, now) or at
        id = message.get("id")
        name = checked_name(id, f"{field}.id") if id is not None else external_id and f"{external_id}#{number}"
        if name and (role, name) in named:
            raise InvalidInputError(
                f"{field}.id {name!r} is an earlier message's; each has its own", field=f"{field}.id"
            )
        named.add((role, name or ""))
        text, files, others = _content(message, field, in_words)
        left_out += others
        voices = {key: value for file in files if IMAGE not in file.metadata for key, value in file.metadata.items()}
        if text is not None:
            spoken.append(_Spoken(role, author, text, at, name, metadata=voices))
        for file in files:
            if IMAGE in file.metadata:  # a program says what it shows, and not whoever shows it
                id = name and f"{name}#{file.metadata[SHA256][:16]}"
                spoken.append(_Spoken(Role.SYSTEM, author, file.text, at, id, metadata=file.metadata))
    if not spoken:
        raise InvalidInputError("nothing to save: messages holds no text", field="messages")
    return spoken, tuple(left_out)


def _told_apart(spoken: Sequence[_Spoken], conversation: str) -> list[_Spoken]:
    """With ids for those that came without, made of all that the conversation's list says up to each.

    A program that hands over its whole list after every turn so adds only what is new.
    """
    said, found = blake2b(conversation.encode(), digest_size=16), []
    for one in spoken:
        said.update(f"{one.role}\0{one.author}\0{one.text}\0".encode())
        found.append(one if one.external_id else replace(one, external_id=f"list:{said.hexdigest()}"))
    return found


def _by_name(spoken: list[_Spoken], scope: Scope, *, is_bridged: bool) -> list[_Spoken]:
    """What logs and bridges bring as "Name: words", taken apart into who said it and the words.

    Of a bridge each message is; else only in a list where most of what people say has a name before it, and two names
    or more stand there twice, so that "Note: buy milk" stays as it is.
    """
    own = [one for one in spoken if one.role is Role.USER and (is_bridged or one.author == scope.user)]
    parts = {id(one): found for one in own if (found := _NAMED.fullmatch(one.text)) and _is_name(found["name"])}
    times = Counter(as_seen(found["name"]) for found in parts.values())
    recurring = {name for name, count in times.items() if count > 1}
    if not is_bridged and (len(recurring) < 2 or len(parts) < MOSTLY_NAMED * len(own)):
        return spoken
    taken = []
    for one in spoken:
        if (found := parts.get(id(one))) is not None:
            name = found["name"]
            author = scope.user if as_seen(name) == as_seen(scope.user) else name
            one = replace(one, author=author, text=found["words"], name=name)
        taken.append(one)
    return taken


def _is_name(name: str) -> bool:
    """Whether what stands before a colon may be somebody's name."""
    return as_seen(name) not in _NOT_SHOWN and fold(name) not in _NO_NAMES


def _who(scope: Scope, message: Mapping[str, Any], field: str) -> tuple[Role, str]:
    given, name = message.get("role"), message.get("name")
    role = _ROLES.get(given) if isinstance(given, str) else None
    if role is None:
        raise InvalidInputError(f"{field}.role must be user, assistant, system or tool, not {given!r}", field=field)
    if role is Role.ASSISTANT:
        return role, ASSISTANT
    if role is Role.USER:
        return role, scope.user if name is None else _speaker(name, f"{field}.name")
    if isinstance(name, str) and as_seen(name) == as_seen(scope.user):
        raise InvalidInputError(f"{field}.name: a program needs a name of its own", field=f"{field}.name")
    return role, str(given) if name is None else _speaker(name, f"{field}.name")


def _said_at(message: Mapping[str, Any], field: str, now: datetime) -> datetime | None:
    """When a message says it was sent: a datetime, its ISO form, or a Unix time in seconds."""
    key = "at" if message.get("at") is not None else "created_at"
    given, field = message.get(key), f"{field}.{key}"
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given < _MILLISECONDS:
        given = datetime.fromtimestamp(given, UTC)
    if isinstance(given, str):
        try:
            given = datetime.fromisoformat(given)
        except ValueError:
            given = None
    elif given is None:
        return None
    if not isinstance(given, datetime):
        raise InvalidInputError(
            f"{field} is no moment: write it like 2026-03-01T10:00:00-03:00, or as Unix seconds", field=field
        )
    not_ahead(given, now, field)
    return given


def _content(
    message: Mapping[str, Any], field: str, in_words: Mapping[str, InWords]
) -> tuple[str | None, list[InWords], list[str]]:
    """The text of a message, None where it has none to keep; its recordings and pictures in words; and what else it
    holds, each by its place.
    """
    content, field = message.get("content"), f"{field}.content"
    calls = next((name for name in ("tool_calls", "function_call", "refusal", "audio") if message.get(name)), None)
    if isinstance(content, list):
        kinds = [part.get("type") if isinstance(part, Mapping) else None for part in content]
        if not all(isinstance(kind, str) for kind in kinds):
            raise InvalidInputError(f"{field} must be text, or parts that each have a type", field=field)
        files = [in_words[at] for place in range(len(kinds)) if (at := f"{field}[{place}]") in in_words]
        unread = [
            place for place, kind in enumerate(kinds) if kind not in _TEXTS and f"{field}[{place}]" not in in_words
        ]
        others = [f"{field}[{place}]: {kinds[place]}" for place in unread]
        text = text_of(content).strip()
        for voice in (file.text for file in files if IMAGE not in file.metadata):  # of before: with what was beside it
            text = voice if text and voice.startswith(f"{text}\n") else f"{text}\n{voice}".strip()
        if (others or files) and not text:
            return None, files, others
        return checked_text(text if files else text_of(content), field), files, others
    if calls is not None and (content is None or content == ""):
        return None, [], [f"{field}: {calls}"]
    if not isinstance(content, str):
        raise InvalidInputError(f"{field} must be text or a list of parts, not {content!r}", field=field)
    return checked_text(content, field), [], []


def _speaker(author: str, field: str = "author") -> str:
    """Who said it; nobody may pass for the assistant, however spelt, in what is shown to it later."""
    if as_seen(checked_name(author, field)) in _RESERVED:
        raise InvalidInputError(f"{field} {author!r} cannot be the author of what a person said", field=field)
    return author


def display_name(given: str | None) -> str | None:
    """What an app calls somebody, on one short line; None for one that cannot be read or means no person."""
    if given is None or is_blank(given):
        return None
    name = shortened(visible_line(given), LONGEST_TITLE)
    return None if as_seen(name) in _NOT_SHOWN else name


class Refusal(StrEnum):
    """Why something said was not kept."""

    BLOCKED = "blocked"  # the person, or whoever spoke, is on the blacklist
    SWITCHED_OFF = "switched_off"  # nothing is remembered in that space
    SKIPPED = "skipped"  # the caller asked for this message to be passed over


REFUSALS = {
    BlockKind.PERSON: Refusal.BLOCKED,
    BlockKind.SPACE: Refusal.SWITCHED_OFF,
    BlockKind.SPACES: Refusal.SWITCHED_OFF,
}


@dataclass(frozen=True, slots=True)
class BlockSettings:
    """Whom and what the settings block, for every tenant, by names folded alike. The same check guards what is captured
    and what is recalled.
    """

    blocks: tuple[Block, ...] = ()  # as they are spelt in the settings
    keys: frozenset[tuple[BlockKind, str]] = frozenset()
    only: frozenset[str] = frozenset()  # spaces, folded; empty: any

    @classmethod
    def of(
        cls, blocked: Collection[str], spaces_off: Collection[str] = (), spaces_only: Collection[str] = ()
    ) -> BlockSettings:
        named = [*((BlockKind.PERSON, name) for name in blocked), *((BlockKind.SPACE, name) for name in spaces_off)]
        named += [(BlockKind.SPACES, EVERY_SPACE)] if spaces_only else []
        blocks = tuple(Block(kind=kind, name=name, since=None, by_settings=True) for kind, name in named)
        return cls(blocks, frozenset((block.kind, block.key) for block in blocks), frozenset(map(fold, spaces_only)))

    def names(self, kind: BlockKind, name: str) -> bool:
        """Whether the settings block this person or space."""
        return self.by(kind, name) is not None

    def by(self, kind: BlockKind, name: str) -> str | None:
        """The setting that blocks them."""
        if (kind, fold(name)) in self.keys:
            return {BlockKind.PERSON: "blocked", BlockKind.SPACE: "spaces_off"}.get(kind, "spaces_only")
        return "spaces_only" if kind is BlockKind.SPACE and self.only and fold(name) not in self.only else None

    def hears(self, message: Message) -> bool:
        """Whether a message that was kept may still be learnt from."""
        author = message.author if message.role is Role.USER else None
        return self.refusal(message.scope.user, message.place, author=author) is None

    def refusal(self, user: str, place: Place, *, author: str | None = None, skip: bool = False) -> Refusal | None:
        if self.names(BlockKind.PERSON, user) or (author is not None and self.names(BlockKind.PERSON, author)):
            return Refusal.BLOCKED
        if place.space is not None and self.names(BlockKind.SPACE, place.space):
            return Refusal.SWITCHED_OFF
        return Refusal.SKIPPED if skip else None


def session(newest_first: Sequence[Message], now: datetime, idle: timedelta) -> list[Message]:
    """The messages back to the first silence longer than `idle`, oldest first; not what is dated well after now."""
    kept: list[Message] = []
    moment = now
    for message in newest_first:
        if message.sent_at - now > idle:
            continue
        if moment - message.sent_at > idle:
            break
        kept.append(message)
        moment = message.sent_at
    return kept[::-1]


def compressed(
    oldest_first: Sequence[Message], tokens: Tokens, most_tokens: int
) -> tuple[list[Message], list[Message]]:
    """The oldest messages, to be told briefly, and those shown as they are: the newest that stay under the limit.

    The last message is always shown, and what is told briefly is still kept whole where it was said.
    """
    shown: list[Message] = []
    spent = 0
    for message in reversed(oldest_first):
        spent += tokens.count(message.text)
        if shown and spent > most_tokens:
            break
        shown.append(message)
    kept = shown[::-1]
    return list(oldest_first[: len(oldest_first) - len(kept)]), kept
