"""How well requests that concern nobody are told from those of the person: what a context brings to each.

A request that concerns nobody should bring only what is vital, and one of the person's never so little. The sets are
told of in `asked/README.md`.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.table import Row
from relembra import Memory
from relembra.recall.assembly import VITAL, MemoryContext
from relembra.recall.rendering import MemoryLine
from relembra.settings import Settings

FOLDER = Path(__file__).parent / "asked"
NOW = datetime(2026, 11, 19, 15, tzinfo=UTC)
BUDGET = 800
SETS = ("tuned", "chosen", "unseen")
GOALS = {("unseen", False): 0.9, ("unseen", True): 0.02}  # by whether they are personal


def rows() -> list[Row]:
    bare: dict[tuple[str, bool], list[bool]] = {(name, personal): [] for name in SETS for personal in (False, True)}
    with tempfile.TemporaryDirectory() as folder:
        for language in sorted({line["language"] for line in asked_lines("people")}):
            for name, personal, is_bare in asyncio.run(_asked(Path(folder) / f"{language}.db", language)):
                bare[name, personal].append(is_bare)
    made = []
    for (name, personal), found in bare.items():
        what = f"requests, {name}: {'lost to that' if personal else 'told to concern nobody'}"
        share, goal = sum(found) / len(found), GOALS.get((name, personal))
        made.append(Row(what, f"{share:.3f}", f"{len(found)} requests", share, goal, at_least=not personal))
    return made


async def _asked(db: Path, language: str) -> list[tuple[str, bool, bool]]:
    """The requests of a language, put to a memory of one person's talk: set, whether personal, and whether bare."""
    now = [NOW]
    async with Memory.open(db, settings=Settings(), clock=lambda: now[0], background=False) as memory:
        for line in asked_lines("people", language):
            now[0] = NOW - timedelta(days=line["days_ago"])
            await memory.save(user="someone", said=line["said"])
            await memory.settle(flush=True)
        now[0] = NOW
        found = []
        for name in SETS:
            for line in asked_lines(name, language):
                context = await memory.load(user="someone", query=line["text"], budget=BUDGET)
                found.append((name, line["personal"], _is_bare(context)))
        return found


def _is_bare(context: MemoryContext) -> bool:
    """Whether a context holds nothing but what is vital."""
    return all(isinstance(line, MemoryLine) and line.field in VITAL for line in context.lines)


def asked_lines(name: str, language: str | None = None) -> list[dict[str, Any]]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as rows:
        lines = [json.loads(row) for row in rows]
    return [line for line in lines if language in (None, line["language"])]
