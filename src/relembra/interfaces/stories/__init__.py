"""The demo's stories: what a story is made of, and how one is lived through a memory.

A story, a TOML file beside this, says what happens and what is asked, never what the engine answers.
"""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator, Callable
from datetime import datetime, time, timedelta
from importlib import resources
from typing import Any, Literal

import msgspec

from relembra.domain.knowledge import KnowledgeItem
from relembra.memory import Memory

LANGUAGES = ("en", "pt")
ASSISTANT = "model:assistant"
BETWEEN_STEPS = timedelta(minutes=2)
NEVER_QUIET = {"listen": {"quiet": 86_400 * 365, "window": 86_400 * 365}}  # it listens when the story says so

_NIGHT = time(3)
_NIGHTLY = (timedelta(minutes=-10), timedelta(), timedelta(minutes=50))
"""What is said is learnt from before the hour; the work of the hour leaves more, for some minutes later."""


class _Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """Something that happens in a scene; `do` names which."""


class Say(_Step, frozen=True, kw_only=True):
    """An exchange, kept by `save`. `who` speaks where it is not the story's person."""

    said: str
    replied: str
    who: str | None = None
    space: str | None = None
    conversation: str | None = None


class Listen(_Step, frozen=True, kw_only=True):
    """What was said so far is read by `learn`."""


class Wonder(_Step, frozen=True, kw_only=True):
    """The assistant puts the gentle question its context carries, where two things known disagree."""


class Learn(_Step, frozen=True, kw_only=True):
    """Something made known by `add`: by the assistant's tool from what was just said, or by the person's own hand."""

    name: str  # what later steps call it
    content: str
    source: str = "conversation"
    type: str = "fact"
    area: str | None = None
    attribute: str | None = None
    value: str | None = None
    evidence: str | None = None
    space: str | None = None


class Ask(_Step, frozen=True, kw_only=True):
    """A question put to `search`; `space`: asked there, else in private."""

    query: str
    space: str | None = None


class Load(_Step, frozen=True, kw_only=True):
    """A context asked of `load`, shown word for word."""

    query: str
    budget: int


class Confirm(_Step, frozen=True, kw_only=True):
    """The person confirms an item."""

    name: str
    words: str


class Correct(_Step, frozen=True, kw_only=True):
    """The person puts an item right."""

    name: str
    words: str
    content: str


class Forget(_Step, frozen=True, kw_only=True):
    """The person has a conversation forgotten, with what only it taught."""

    conversation: str
    words: str


class Show(_Step, frozen=True, kw_only=True):
    """The records of the nights, what the gardener does, what recurs, a report, or the compact memory."""

    what: Literal["nights", "gardener", "insights", "report", "visit", "portrait"]


Step = Say | Listen | Wonder | Learn | Ask | Load | Confirm | Correct | Forget | Show


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A day without a scene: something said in passing, and learnt from at night."""

    at: datetime
    said: str


class Scene(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One moment of the story."""

    at: datetime
    title: str
    steps: tuple[Step, ...]


class Story(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person, what they live through, and the words in which it is shown."""

    language: str
    user: str
    person: str
    assistant: str
    title: str
    opening: str
    try_next: tuple[str, ...]
    words: dict[str, str]
    scenes: tuple[Scene, ...]
    diary: tuple[Entry, ...] = ()

    @property
    def moments(self) -> list[Scene | Entry]:
        """Everything that happens, in order."""
        return sorted((*self.scenes, *self.diary), key=lambda moment: moment.at)


def story_in(language: str) -> Story:
    """The story in a language; English where there is none."""
    name = language if language in LANGUAGES else "en"
    text = (resources.files(__name__) / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Story)


class Life:
    """A story lived through a memory, on a clock of its own; `day`: the conversation of a moment's day."""

    def __init__(self, story: Story, user: str, start: datetime, day: Callable[[datetime], str]) -> None:
        self.story = story
        self.user = user
        self.now = start
        self._day = day
        self._items: dict[str, KnowledgeItem] = {}  # what was learnt, by the story's names
        self._heard: tuple[str, ...] = ()  # the messages that learning can point to

    def clock(self) -> datetime:
        return self.now

    @property
    def today(self) -> str:
        return self._day(self.now)

    async def nights(self, memory: Memory, until: datetime) -> AsyncIterator[datetime]:
        """Each night before a moment once it is over: what was said is learnt from, and its work is done."""
        for night in nights_between(self.now, until):
            for after in _NIGHTLY:
                self.now = night + after
                await memory.settle(flush=after < timedelta())
            yield night

    async def do(self, memory: Memory, step: Step | Entry) -> Any:
        """Have a step happen; what the memory answered, None where a step only looks at it."""
        user, language = self.user, self.story.language
        match step:
            case Entry(said=said, at=at):
                return await memory.save(user=user, said=said, at=at, conversation=self.today)
            case Say():
                return await self._say(memory, step)
            case Listen():
                return await memory.learn(user=user)
            case Wonder():
                return await self._wonder(memory)
            case Learn():
                return await self._learn(memory, step)
            case Confirm(name=name):
                self._items[name] = await memory.validate(self._items[name].id, user=user)
                return self._items[name]
            case Correct(name=name, content=content, words=words):
                self._items[name] = await memory.correct(self._items[name].id, content, user=user, why=words)
                return self._items[name]
            case Forget(conversation=conversation):
                return await memory.forget(user=user, conversation=conversation)
            case Show(what="insights"):
                await memory.find_insights(user=user)
                return await memory.insights(user=user)
            case Show(what="report"):
                return await memory.report("weekly", user=user, language=language)
            case Show(what="visit"):
                return await memory.appointment(user=user, language=language)
        return None

    async def _say(self, memory: Memory, step: Say) -> Any:
        conversation = step.conversation or (self.today if step.space is None else None)
        said: dict[str, Any] = {"said": step.said, "replied": step.replied, "space": step.space, "author": step.who}
        saved = await memory.save(user=self.user, at=self.now, conversation=conversation, **said)
        await memory.settle()
        self._heard = tuple(message.id for message in saved.messages)
        return saved

    async def _wonder(self, memory: Memory) -> str | None:
        """The gentle question the context carries, asked; None where there is none."""
        question = (await memory.load(user=self.user, conversation=self.today)).question
        if question is None:
            return None
        await memory.save(user=self.user, replied=question.text, at=self.now, conversation=self.today)
        await memory.settle()
        return question.text

    async def _learn(self, memory: Memory, step: Learn) -> KnowledgeItem:
        by_hand = step.source == "user_input"
        parts = {name: part for name, part in msgspec.structs.asdict(step).items() if name not in ("name", "content")}
        by, messages = (None, ()) if by_hand else (ASSISTANT, self._heard)
        item = await memory.add(step.content, user=self.user, by=by, message_ids=messages, **parts)
        self._items[step.name] = item
        return item


def nights_between(start: datetime, end: datetime) -> list[datetime]:
    """The night hours between two moments, on the clock of the first: by that one the person was last heard."""
    days = (end.astimezone(start.tzinfo).date() - start.date()).days
    hours = [datetime.combine(start.date() + timedelta(days=day), _NIGHT, start.tzinfo) for day in range(days + 1)]
    return [hour for hour in hours if start < hour <= end]
