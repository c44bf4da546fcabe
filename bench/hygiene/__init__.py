"""How clean the memory's learning is: what it keeps, ends, asks, hears of itself and shows; no key, no network."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from pathlib import Path

from bench.hygiene import calls, echo, fresh, labels, leaks, messages, speed, stories
from bench.hygiene.labels import DATA, LANGUAGES, Half, Split, halves
from bench.minds import measured
from bench.minds.asking import Progress, said
from bench.table import Row
from relembra.bootstrap import offline_reader
from relembra.domain.candidate import Candidate
from relembra.domain.policy import Policy
from relembra.minds.offline.tokens import OfflineTokens

__all__ = ["about_echo", "about_fresh", "about_leaks", "about_messages", "about_stories", "rows"]

ECHOED_STORIES = 4  # of each language


def rows(*, data: Path | None, split: Split, quick: bool = False, told_of: Collection[Half] = ()) -> Iterator[Row]:
    """Section by section, so that whoever stops early has what was measured; `quick`: only how clean, not how costly.

    `told_of`: the halves whose misses are told one by one, with their sentences.
    """
    folder = data or DATA
    sections: list[tuple[str, Iterable[Row]]] = [
        ("fresh", about_fresh()),
        ("messages", about_messages(folder, split, told_of)),
        ("stories", about_stories(folder, split, told_of)),
        ("echo", about_echo(folder, split, told_of)),
        ("leaks", about_leaks(aloud=bool(told_of))),
    ]
    if not quick:
        sections += [("calls", calls.rows(folder)), ("speed", speed.rows(folder))]
    for name, section in sections:
        said(name)
        yield from measured(name, section)


def about_fresh() -> Iterator[Row]:
    """Messages and dialogues nobody tuned on, as the reader that ships reads them; never told one by one."""

    async def found() -> list[tuple[fresh.Line, list[Candidate]]]:
        reader = offline_reader(OfflineTokens(), Policy())
        return [(line, await fresh.read(reader, line)) for line in fresh.lines()]

    yield from fresh.rows(asyncio.run(found()))


def about_messages(folder: Path, split: Split, told_of: Collection[Half] = ()) -> Iterator[Row]:
    """Portuguese, English, and both together."""
    tallies = []
    for language in LANGUAGES:
        tally = messages.MessageTally()
        for half in halves(split):
            found = asyncio.run(messages.learnt(labels.messages(folder, half, language)))
            part = reduce(add, (messages.counted(*one) for one in found))
            _tell(part.remarks, aloud=half in told_of)
            tally += part
        tallies.append(tally)
        yield from messages.rows(f"messages {language}", tally)
    yield from messages.rows("messages", reduce(add, tallies))


def about_stories(folder: Path, split: Split, told_of: Collection[Half] = ()) -> Iterator[Row]:
    """Stories of both languages together."""
    tally = stories.StoryTally()
    for half in halves(split):
        labelled = labels.stories(folder, half)
        ends = asyncio.run(stories.learnt(labelled, Progress("stories", len(labelled)).at))
        part = reduce(add, (stories.counted(end) for end in ends))
        _tell(part.remarks, aloud=half in told_of)
        tally += part
    yield from stories.rows("stories", tally)


def about_echo(folder: Path, split: Split, told_of: Collection[Half] = ()) -> Iterator[Row]:
    """Over the first stories of each language."""
    tally = echo.EchoTally()
    for half in halves(split):
        labelled = labels.stories(folder, half)
        chosen = [
            story
            for language in LANGUAGES
            for story in [story for story in labelled if story.language == language][:ECHOED_STORIES]
        ]
        part = asyncio.run(echo.learnt(chosen))
        _tell(part.remarks, aloud=half in told_of)
        tally += part
    yield from echo.rows(tally)


def about_leaks(*, aloud: bool = False) -> Iterator[Row]:
    """People, tenants and spaces of its own, whatever the split."""
    tally = asyncio.run(leaks.told())
    _tell(tally.remarks, aloud=aloud)
    yield from leaks.rows(tally)


def _tell(remarks: Sequence[str], *, aloud: bool) -> None:
    for remark in remarks if aloud else ():
        said(f"  {remark}")
