"""What was said: messages in conversations. Never rewritten, only hidden or forgotten."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from relembra.domain.scope import DIRECT, Place, Scope
from relembra.domain.text import is_blank, shortened

LONGEST_TITLE = 60
AUTHOR_NAME = "author_name"
"""The word of a message's metadata that says how an app shows the speaker; it is not a stated fact."""
KIND = "kind"
"""The word of a message's metadata that says what it is, where that is not talk."""
PROMPTERS = ("system", "developer")
"""Whom a message is by that tells an assistant how to be; no program that speaks may be called so."""
IMPORTED_FROM = "imported_from"
"""The word of a message's metadata that names the program whose export it came in."""
VOICE = "voice"
"""The word of a message's metadata that names the recording it was heard in; the words are a transcript."""
IMAGE = "image"
"""The word of a message's metadata that names the picture it was; the words are a program's, of what it shows."""
SHA256, READ_BY = "sha256", "read_by"
"""Of a recording or picture: the digest of what it holds, and what put it into words."""
TAKEN_AT, TAKEN_IN = "taken_at", "taken_in"
"""Of a picture: when, and at which latitude and longitude, where the person lets that be kept."""
_LOOKED_AT = 400  # characters of a message that may be a megabyte long
_FIRST_SENTENCE = re.compile(r".{8,}?[.!?…](?= )")


class SavedKind(StrEnum):
    """What is saved: talk, or a diary entry, which is the person's own telling."""

    TALK = "talk"
    JOURNAL = "journal"


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One utterance, verbatim, in the memory of the person it was said by or to."""

    id: str
    scope: Scope
    conversation: str
    role: Role
    author: str  # who said it: the user's name, or the program's
    text: str
    sent_at: datetime  # UTC
    zone: str = "+00:00"  # the speaker's own clock
    place: Place = DIRECT
    external_id: str | None = None  # saving the same one twice is one message
    metadata: Mapping[str, str] = field(default_factory=dict)
    saved_at: datetime
    deleted_at: datetime | None = None  # hidden with its conversation

    @property
    def author_name(self) -> str:
        """What the speaker is called where it was said: as an app shows them, else their id."""
        return self.metadata.get(AUTHOR_NAME) or self.author

    @property
    def is_prompt(self) -> bool:
        """Whether it tells an assistant how to be; what a tool or another program says is talk."""
        return self.role is Role.SYSTEM and self.author in PROMPTERS

    @property
    def is_journal(self) -> bool:
        """Whether it is an entry of the person's diary, and no part of a talk."""
        return self.metadata.get(KIND) == SavedKind.JOURNAL

    @property
    def form(self) -> str:
        """What it is where that is no talk: "journal", or "image", whose words are no one's own."""
        return IMAGE if IMAGE in self.metadata else SavedKind.JOURNAL if self.is_journal else ""

    @property
    def is_imported(self) -> bool:
        """Whether it came in another program's export, wherever it was said."""
        return IMPORTED_FROM in self.metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread of messages of one person, under an id they or their program chose."""

    id: str
    scope: Scope
    place: Place = DIRECT
    title: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    version: int = 1


class NoteKind(StrEnum):
    CONVERSATION = "conversation"
    TOPIC_CLUSTER = "topic_cluster"
    SESSION = "session"
    APPOINTMENT = "appointment"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    DOCUMENT = "document"
    JOURNAL = "journal"
    EVENT = "event"  # of a calendar


FROM_FILES = (NoteKind.DOCUMENT, NoteKind.EVENT)
"""Notes of what a file says, not of what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What happened in a stretch of talk, and the messages or notes it is made of."""

    id: str
    scope: Scope
    place: Place = DIRECT
    conversation: str | None = None  # the one it tells of
    kind: NoteKind
    title: str
    summary: str
    participants: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    note_ids: tuple[str, ...] = ()
    accesses: int = 0
    last_access: datetime | None = None
    happened_at: datetime
    created_at: datetime
    archived_at: datetime | None = None
    deleted_at: datetime | None = None
    version: int = 1

    @property
    def is_undated(self) -> bool:
        """Whether it is of a document that tells no day, and stands at the one it came in on."""
        return self.kind is NoteKind.DOCUMENT and self.happened_at == self.created_at


def title_for(text: str) -> str:
    """A conversation's first title: the first sentence of what opened it, on one short line."""
    line = " ".join(text[:_LOOKED_AT].split())
    if sentence := _FIRST_SENTENCE.match(line):
        line = sentence[0]
    title = shortened(line, LONGEST_TITLE).rstrip(".")
    return shortened(text, LONGEST_TITLE) if is_blank(title) else title
