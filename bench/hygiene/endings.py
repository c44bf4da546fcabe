"""What a message does to what is held, as the memory decides it: the statements are held, then the message is said.

Each statement is learnt from a program's hand a month before, and so is nobody's confirmed word. What stands is what it
leaves alone, or only says more exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bench.hygiene import fresh
from bench.hygiene.learning import Clock, learning
from bench.minds.asking import Progress
from relembra import Memory
from relembra.domain.candidate import Digest, Talk
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope
from relembra.learn.decisions import EXACTLY, Clash

A_MONTH = timedelta(days=30)
OVER = ("replaces", "ends")


async def counted(lines: Sequence[fresh.Line]) -> Counter[str]:
    """How many statements were over and how many not, and how many of each the memory retired or doubted."""
    told = [line for line in lines if line.held]
    total: Counter[str] = Counter()
    progress, clock = Progress("messages held against statements", len(told)), Clock()
    async with learning(clock) as memory:
        for number, line in enumerate(told, 1):
            talk = fresh.talk_of(line)
            only = frozenset([talk.messages[-1].id])
            digest = await memory._offline.digest(replace(talk, only=only))
            for place, (known, does) in enumerate(line.held):
                scope = Scope(f"{number}.{place}", fresh.WRITER)
                fate = await _fate(memory, clock, line, known, scope, talk, digest)
                total.update([kind := "over" if does in OVER else "standing", f"{kind} {fate}"])
            progress.at(number)
    return total


async def _fate(
    memory: Memory, clock: Clock, line: fresh.Line, known: str, scope: Scope, talk: Talk, digest: Digest
) -> str:
    """Whether a statement is retired, doubted or stands after the message."""
    clock.now = line.at - A_MONTH
    item = await memory.add(
        known, user=scope.user, tenant=scope.tenant, by="program:bench", source="conversation", confidence=0.9
    )
    clock.now = line.at
    heard = replace(talk, messages=tuple(replace(message, scope=scope) for message in talk.messages))
    decisions = await memory._learner.previewed(scope, heard, digest)
    met = [clash for decision in decisions for clash in decision.clashes if _is_met(clash, item)]
    return "retired" if any(clash.ended for clash in met) else "doubted" if met else "stands"


def _is_met(clash: Clash, item: KnowledgeItem) -> bool:
    return clash.old.id == item.id and clash.ended is not False and EXACTLY not in clash.why
