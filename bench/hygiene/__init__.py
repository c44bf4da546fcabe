"""How clean the memory's learning is: what it keeps and ends, hears of itself and shows; no key, no network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from bench.hygiene import echo, endings, figures, fresh, leaks, speed, stories
from bench.minds import measured
from bench.minds.asking import Progress, said
from bench.table import Row
from relembra.bootstrap import offline_reader
from relembra.domain.policy import Policy
from relembra.minds.offline.wordpiece import OfflineTokens

__all__ = ["about_echo", "about_leaks", "about_messages", "about_stories", "rows"]


def rows(*, data: Path | None, quick: bool = False) -> Iterator[Row]:
    """Section by section, so that whoever stops early has what was measured; `quick`: only how messages are read.

    `data`: a folder of labelled messages to read instead of the fresh test.
    """
    folder = data or fresh.DATA
    sections: list[tuple[str, Iterable[Row]]] = [("messages", about_messages(folder))]
    if not quick:
        sections += [
            ("stories", about_stories()),
            ("echo", about_echo()),
            ("leaks", about_leaks()),
            ("speed", speed.rows(folder)),
        ]
    for name, section in sections:
        said(name)
        yield from measured(name, section)


def about_messages(folder: Path) -> Iterator[Row]:
    """Messages and dialogues as the reader that ships reads them; never told one by one."""
    policy = Policy()
    learn = replace(policy.learn, keep_at_least=figures.LEAST, keep_among_people=figures.LEAST)
    closer = replace(policy, learn=learn)

    async def read() -> list[fresh.Reading]:
        reader = offline_reader(OfflineTokens(), closer)
        every = list(fresh.lines(folder))
        progress, readings = Progress("messages read", len(every)), []
        for line in every:
            readings.append(await fresh.read(reader, line))
            progress.at(len(readings))
        return readings

    yield from figures.rows(asyncio.run(read()), policy.learn)
    yield from figures.ended(asyncio.run(endings.counted(list(fresh.lines(folder)))))


def about_stories() -> Iterator[Row]:
    """What is held after people talked for months."""
    yield from stories.rows(asyncio.run(stories.learnt(stories.every())))


def about_echo(stories_each: int = 4) -> Iterator[Row]:
    """Over the first stories of each language."""
    every = stories.every()
    chosen = [
        story
        for language in figures.LANGUAGES
        for story in [story for story in every if story.language == language][:stories_each]
    ]
    tally = asyncio.run(echo.learnt(chosen))
    _tell(tally.remarks)
    yield from echo.rows(tally)


def about_leaks() -> Iterator[Row]:
    """People, tenants and spaces of its own."""
    tally = asyncio.run(leaks.told())
    _tell(tally.remarks)
    yield from leaks.rows(tally)


def _tell(remarks: Iterable[str]) -> None:
    """What should never have been, one by one."""
    for remark in remarks:
        said(f"  {remark}")
