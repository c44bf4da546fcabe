"""The demo's stories: what a story is made of, how one is lived through a memory, and how one is brought into another.

A story, a TOML file beside this, says what happens and what is asked, never what the engine answers.
"""

from __future__ import annotations

import asyncio
import threading
import tomllib
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import datetime, time, timedelta
from importlib import resources
from io import BytesIO
from typing import Any, Literal

import msgspec

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Whose
from relembra.errors import NotFoundError
from relembra.memory import Memory
from relembra.settings import Settings

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

    async def wait(self, memory: Memory, until: datetime) -> None:
        """Let the time pass, with the work of its nights."""
        async for _ in self.nights(memory, until):
            pass
        self.now = max(self.now, until.astimezone(self.now.tzinfo))

    async def do(self, memory: Memory, step: Step | Entry) -> Any:
        """Have a step happen; what the memory answered, None where a step only looks at it."""
        user, language = self.user, self.story.language
        match step:
            case Entry(said=said, at=at):
                return await memory.save(user=user, said=said, at=at, conversation=self.today)
            case Say(said=said, replied=replied, who=who, space=space):
                conversation = step.conversation or (self.today if space is None else None)
                where: dict[str, Any] = {"at": self.now, "conversation": conversation, "space": space}
                saved = await memory.save(user=user, said=said, replied=replied, author=who, **where)
                await memory.settle()
                self._heard = tuple(message.id for message in saved.messages)
                return saved
            case Listen():
                return await memory.learn(user=user)
            case Wonder():
                question = (await memory.load(user=user, conversation=self.today)).question
                if question is None:
                    return None
                await memory.save(user=user, replied=question.text, at=self.now, conversation=self.today)
                await memory.settle()
                return question.text
            case Learn(name=name, content=content, source=source):
                parts = msgspec.structs.asdict(step)
                del parts["name"], parts["content"]
                by, messages = (None, ()) if source == "user_input" else (ASSISTANT, self._heard)
                self._items[name] = await memory.add(content, user=user, by=by, message_ids=messages, **parts)
                return self._items[name]
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


def nights_between(start: datetime, end: datetime) -> list[datetime]:
    """The night hours between two moments, on the clock of the first: by that one the person was last heard."""
    days = (end.astimezone(start.tzinfo).date() - start.date()).days
    hours = [datetime.combine(start.date() + timedelta(days=day), _NIGHT, start.tzinfo) for day in range(days + 1)]
    return [hour for hour in hours if start < hour <= end]


# ── a story in a user's memory ────────────────────────────────────────────────────────────────────────────────────

DEMO = "demo-story"
"""The tag of every item a story brought, and the beginning of its conversations' ids."""
MOST_DAYS, MOST_ITEMS = 60, 1_000
_TAKEN_IN = 8
"""How many steps of the whole taking it in counts for."""


async def bring(
    memory: Memory,
    *,
    language: str,
    now: datetime,
    settings: Settings,
    progress: Callable[[int, int | None], None],
    whose: Whose,
) -> None:
    """Bring the story in a language into a memory, as if its user had lived through it until yesterday.

    It is lived in a memory of its own, kept in this process, on a clock of its own and with the shipped models, so that
    its nights have their dates, nothing is sent anywhere, and no half of a story is shown. What came of it is imported.
    """
    story, stopped = story_in(language), threading.Event()
    steps = len(story.moments) + 1

    def tick(done: int) -> None:
        if stopped.is_set():
            raise asyncio.CancelledError
        progress(done, steps + _TAKEN_IN)

    def taken_in(done: int, total: int) -> None:
        progress(steps + _TAKEN_IN * done // max(1, total), steps + _TAKEN_IN)

    user = str(whose["user"])
    try:
        export = await asyncio.to_thread(live, story, user=user, now=now, timezone=settings.timezone, progress=tick)
    except asyncio.CancelledError:
        stopped.set()
        raise
    await memory.import_(BytesIO(export), progress=taken_in, **whose)


def live(
    story: Story, *, user: str, now: datetime, timezone: str = "", progress: Callable[[int], None] = lambda _: None
) -> bytes:
    """Live a story until now, with a loop of its own so that it keeps nothing else waiting; what came of it.

    `progress` hears of each moment, and may raise to end it. What comes out is an export with the tag on each of its
    items, and without what could not be told from the person's own later: nights that changed nothing, nights to come,
    and the compact memory, which is made of what is known.
    """
    document: dict[str, Any] = msgspec.json.decode(asyncio.run(_lived(story, user, now, timezone, progress)))
    for item in document["items"]:
        item["tags"] = [*item.get("tags", ()), DEMO]
    document["runs"] = [run for run in document["runs"] if run["changes"]]
    document |= {"work": [], "views": []}
    document["counts"] |= {part: len(document[part]) for part in ("runs", "work", "views")}
    return msgspec.json.encode(document)


async def _lived(story: Story, user: str, now: datetime, timezone: str, progress: Callable[[int], None]) -> bytes:
    settings = Settings(language="pt" if story.language == "pt" else "en", timezone=timezone, policy=NEVER_QUIET)
    moments, file = moved(story, now), BytesIO()
    start = moments[0].at
    life = Life(story, user, start, lambda moment: conversation_on((moment.date() - start.date()).days + 1))
    async with Memory.open(":memory:", settings=settings, clock=life.clock, background=False) as memory:
        for number, moment in enumerate(moments):
            progress(number)
            await life.wait(memory, moment.at)
            for step in [moment] if isinstance(moment, Entry) else moment.steps:
                if getattr(step, "space", None) is None:  # a story is for one person; others hear nothing of it
                    await life.do(memory, step)
                life.now += BETWEEN_STEPS
        await life.wait(memory, now)
        await memory.export(file, user=user, format="json")
    progress(len(moments) + 1)
    return file.getvalue()


def moved(story: Story, now: datetime) -> list[Scene | Entry]:
    """What happens in a story, at the same hours of other days, so that the last of it was yesterday."""
    moments = story.moments
    days = (now - timedelta(days=1)).date() - moments[-1].at.date()

    def later(at: datetime) -> datetime:
        return datetime.combine(at.date() + days, at.time(), now.tzinfo)

    return [msgspec.structs.replace(moment, at=later(moment.at)) for moment in moments]


async def is_here(memory: Memory, whose: Whose) -> bool:
    """Whether a memory holds a story."""
    return bool(await memory.messages(conversation=conversation_on(1), limit=1, **whose))


async def take_away(memory: Memory, whose: Whose) -> None:
    """Forget what a story brought, and nothing else: what was said outside it as well stays known.

    Its first day goes last, by which it is known to be here, so that an interrupted removal can begin again.
    """
    for day in range(MOST_DAYS, 1, -1):
        with suppress(NotFoundError):
            await memory.forget(conversation=conversation_on(day), **whose)
    found = await memory.list(tags=(DEMO,), history=True, deleted=True, limit=MOST_ITEMS, **whose)
    for id in [item.id for item in found if not item.message_ids]:
        with suppress(NotFoundError):
            await memory.forget(item=id, **whose)
    with suppress(NotFoundError):
        await memory.forget(conversation=conversation_on(1), **whose)


def conversation_on(day: int) -> str:
    """The conversation of a story's day, counted from 1."""
    return f"{DEMO}-{day:02}"
