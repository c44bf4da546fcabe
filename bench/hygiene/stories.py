"""Stories: what a memory holds, and what it has ended, after a person talked to it for months."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.hygiene.learning import QUIET, Clock, finished, held, learning, rested
from bench.hygiene.shares import share_row
from bench.minds.asking import Progress
from bench.table import Row
from relembra import Memory
from relembra.domain.knowledge import FORMER, SELF, KnowledgeItem, KnowledgeType
from relembra.domain.text import fold

DATA = Path(__file__).parent / "data" / "stories.jsonl"


@dataclass(frozen=True, slots=True)
class Story:
    """What a person said over a long time, with labels of what must be held at its end, and of what must be over."""

    id: str
    language: str
    owner: str
    turns: tuple[dict[str, Any], ...]
    current: tuple[dict[str, Any], ...]
    retired: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class End:
    """A story's memory when it is over: whatever was learnt, ended things too."""

    story: Story
    items: Sequence[KnowledgeItem]
    now: datetime


def every() -> list[Story]:
    told = map(json.loads, DATA.read_text(encoding="utf-8").splitlines())
    return [
        Story(
            one["id"],
            one["lang"],
            one["owner"],
            tuple(turn | {"at": datetime.fromisoformat(turn["at"])} for turn in one["turns"]),
            tuple(one["current"]),
            tuple(one["retired"]),
        )
        for one in told
    ]


async def learnt(stories: Sequence[Story]) -> list[End]:
    """Live each story in its own person's memory."""
    clock, progress, ends = Clock(), Progress("stories", len(stories)), []
    async with learning(clock) as memory:
        for story in stories:
            await lived(memory, clock, story)
            ends.append(End(story, await held(memory, story.owner, story.id), clock.now))
            progress.at(len(ends))
        await finished(memory)
    return ends


async def lived(memory: Memory, clock: Clock, story: Story) -> None:
    """Say a story turn by turn at its own times; it is the tenant's, so that each has its owner to itself."""
    last: datetime | None = None
    for turn in story.turns:
        if last is not None and turn["at"] - last > QUIET:
            await rested(memory, clock, last)
        clock.now = last = turn["at"]
        await memory.save(user=story.owner, tenant=story.id, **turn)
    await rested(memory, clock, clock.now)


def rows(ends: Sequence[End]) -> Iterator[Row]:
    found = wanted = stands = doubted = over = 0
    for end in ends:
        current = [item for item in end.items if item.is_current(end.now)]
        needed = [label for label in end.story.current if not label.get("optional")]
        wanted += len(needed)
        found += sum(any(fits(label, item) for item in current) for label in needed)
        for label in end.story.retired:
            meant = [item for item in end.items if is_it(label, item, end.story)]
            left = [item for item in meant if item in current]
            over += bool(meant)
            stands += any(not item.needs_resolution for item in left)
            doubted += bool(left) and all(item.needs_resolution for item in left)
    yield share_row("stories, held of what should be", found, wanted)
    yield share_row("stories, still held of what was learnt and is over", stands, over)
    yield share_row("stories, in doubt of what was learnt and is over", doubted, over)


def fits(label: dict[str, Any], item: KnowledgeItem) -> bool:
    """Whether an item says what a label does: of the person or of somebody else, each word in one of its forms."""
    said = fold(" ".join([item.content, item.value or "", item.subject, *item.person.values()]))
    is_same = (label["subject"] == SELF) == (item.subject == SELF)
    return is_same and all(any(_stands(fold(one), said) for one in word.split("|")) for word in label["words"])


def is_it(label: dict[str, Any], item: KnowledgeItem, story: Story) -> bool:
    """Whether an item is what a label says is over, and neither tells of its end nor of another thing still so."""
    tells = item.type is KnowledgeType.MEMORY or (item.attribute or "").startswith(FORMER)
    return fits(label, item) and not tells and not any(fits(other, item) for other in story.current)


def _stands(word: str, text: str) -> bool:
    """A part of a word is enough, but a number is one only whole: 6 is not in 16."""
    before = r"(?<!\d)" if word[:1].isdigit() else ""
    after = r"(?!\d)" if word[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(word)}{after}", text) is not None
