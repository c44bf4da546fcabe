"""The demo's stories: what a story is made of, and how one is read. The stories themselves are TOML files beside this.

A story says what happens and what is asked, never what the engine answers.
"""

from __future__ import annotations

import tomllib
from datetime import datetime
from importlib import resources

import msgspec


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
    """What was said so far is read by `learn`, and what came of it is shown, also when nothing did."""


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


class Nights(_Step, frozen=True, kw_only=True):
    """The records of all nights so far, one a line, and the busiest of them as a difference."""


class Gardener(_Step, frozen=True, kw_only=True):
    """What the gardener did on its visits, and what it would do next."""


class Insights(_Step, frozen=True, kw_only=True):
    """What recurs, looked for now."""


class Report(_Step, frozen=True, kw_only=True):
    """The report of the week that is over, shown word for word."""


class Visit(_Step, frozen=True, kw_only=True):
    """What to tell at the next appointment, shown word for word."""


class Portrait(_Step, frozen=True, kw_only=True):
    """The compact memory with its version."""


Step = (
    Say
    | Listen
    | Wonder
    | Learn
    | Ask
    | Load
    | Confirm
    | Correct
    | Forget
    | Nights
    | Gardener
    | Insights
    | Report
    | Visit
    | Portrait
)


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


LANGUAGES = ("en", "pt")


def story_in(language: str) -> Story:
    """The story told in a language; English where there is none."""
    name = language if language in LANGUAGES else "en"
    text = (resources.files(__name__) / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Story)
