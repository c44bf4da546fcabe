"""Whether a question for all things of a kind brings them all: items of that kind among the first ten.

The items share next to no words with the questions. The sets are told of in `asked/README.md`.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from statistics import mean

from bench.requests import NOW, asked_lines
from bench.table import Row
from relembra import Memory
from relembra.settings import Settings

SETS = ("tuned", "chosen", "unseen", "advice")
FIRST = 10
GOALS = {"unseen": 0.95}


def rows() -> list[Row]:
    shares: dict[str, list[float]] = {name: [] for name in SETS}
    with tempfile.TemporaryDirectory() as folder:
        for language in sorted({line["language"] for line in asked_lines("listed")}):
            for name, share in asyncio.run(_asked(Path(folder) / f"{language}.db", language)):
                shares[name].append(share)
    return [
        Row(
            f"lists, {name}: all of the kind among {FIRST}",
            f"{mean(found):.3f}",
            f"{len(found)} questions",
            mean(found),
            GOALS.get(name),
            at_least=True,
        )
        for name, found in shares.items()
    ]


async def _asked(db: Path, language: str) -> list[tuple[str, float]]:
    """The set of each question of a language, with the share of the items of its kind among the first."""
    kinds: dict[str, set[str]] = {}
    async with Memory.open(db, settings=Settings(), clock=lambda: NOW, background=False) as memory:
        for line in asked_lines("listed", language):
            told = {name: line[name] for name in ("attribute", "value", "subject") if name in line}
            item = await memory.add(line["content"], user="someone", **told)
            kinds.setdefault(line["kind"], set()).add(item.id)
        found = []
        for line in asked_lines("lists", language):
            hits = await memory.search(line["text"], user="someone", limit=FIRST)
            wanted = set[str]().union(*(kinds[kind] for kind in line["kind"].split()))
            found.append((line["set"], len(wanted & {hit.item.id for hit in hits}) / len(wanted)))
        return found
