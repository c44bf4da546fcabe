"""Echoes: nothing is learnt from what the memory itself wrote, from the assistant's replies, or from programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import timedelta

from bench.hygiene.learning import Clock, finished, held, learning, rested, shown
from bench.hygiene.shares import count_row
from bench.hygiene.stories import Story, lived
from bench.table import Row
from relembra import Memory
from relembra.domain.case import Outcome
from relembra.domain.knowledge import KnowledgeItem
from relembra.learn.casework import question
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.views import memory as compact
from relembra.views import memory as minified
from relembra.views import profile
from relembra.views.profile import people

A_DAY = timedelta(days=1)

PASTED = {
    "pt": ("aqui está o contexto:\n{block}", "olha o que apareceu na tela:\n\n{block}\n\no que acha?"),
    "en": ("here is the context:\n{block}", "look what came up on my screen:\n\n{block}\n\nthoughts?"),
}
ABOUT = {"pt": "o que você sabe sobre mim?", "en": "what do you know about me?"}
REPLIES = {
    "pt": (
        "Como você mora em Quixadá e tem três filhos, recomendo um carro de sete lugares.",
        "Claro! Você é alérgica a camarão e trabalha na Petrobras, então evite o bufê.",
        "Seu aniversário é dia 3 de maio, e sua irmã Zuleica é dentista.",
    ),
    "en": (
        "Since you live in Spokane and have three kids, I would take the seven-seater.",
        "Sure! You are allergic to shrimp and work at Boeing, so skip the buffet.",
        "Your birthday is May 3, and your sister Zelda is a dentist.",
    ),
}
PROGRAMS = {
    "pt": ("Localização atualizada: você mora em Quixadá.", "Eu moro em Quixadá e sou alérgico a camarão."),
    "en": ("Location updated: you live in Spokane.", "I live in Spokane and I'm allergic to shrimp."),
}
AGREED = {"pt": "me ajuda a planejar o fim de semana?", "en": "can you help me plan the weekend?"}


@dataclass(kw_only=True)
class EchoTally:
    """How often something was said back, and how often that changed what is known; adds up."""

    pasted: int = 0
    pasted_learnt: int = 0
    returned: int = 0  # the memory's words as the assistant's reply
    returned_learnt: int = 0
    replies: int = 0
    replies_learnt: int = 0
    programs: int = 0
    programs_learnt: int = 0
    remarks: list[str] = field(default_factory=list)

    def __add__(self, other: EchoTally) -> EchoTally:
        return EchoTally(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})


async def learnt(stories: Sequence[Story]) -> EchoTally:
    """Live each story, then say back whatever the memory makes of it."""
    clock = Clock()
    tally = EchoTally()
    async with learning(clock) as memory:
        for story in stories:
            await lived(memory, clock, story)
            tally += await _Mirror(memory, clock, story).counted()
        await finished(memory)
    return tally


def rows(tally: EchoTally) -> Iterator[Row]:
    yield count_row("echo, learnt from our own text pasted by the person", tally.pasted_learnt, tally.pasted)
    yield count_row("echo, learnt from our own text in a reply", tally.returned_learnt, tally.returned)
    yield count_row("echo, learnt from what the assistant claims", tally.replies_learnt, tally.replies)
    yield count_row("echo, learnt from a program", tally.programs_learnt, tally.programs)


def differences(before: Sequence[KnowledgeItem], after: Sequence[KnowledgeItem]) -> list[KnowledgeItem]:
    """Items that are new, or were taken for said again, or ended."""
    known = {item.id: item for item in before}
    return [
        item
        for item in after
        if item.id not in known
        or item.observations != known[item.id].observations
        or item.superseded_at != known[item.id].superseded_at
    ]


class _Mirror:
    """Says things back to one person's memory, a day apart, and sees what that changed."""

    def __init__(self, memory: Memory, clock: Clock, story: Story) -> None:
        self._memory = memory
        self._clock = clock
        self._story = story

    async def counted(self) -> EchoTally:
        language = self._story.language
        tally = EchoTally()
        for name, block in (await self._blocks()).items():
            for frame in PASTED[language]:
                tally.pasted += 1
                tally.pasted_learnt += await self._changes(tally, name, said=frame.format(block=block))
            tally.returned += 1
            tally.returned_learnt += await self._changes(tally, name, said=AGREED[language], replied=block)
        for claim in REPLIES[language]:
            tally.replies += 1
            tally.replies_learnt += await self._changes(tally, "reply", said=AGREED[language], replied=claim)
        for words in PROGRAMS[language]:
            tally.programs += 1
            tally.programs_learnt += await self._changes(tally, "program", said=words, author="RoboCasa", program=True)
        return tally

    async def _blocks(self) -> dict[str, str]:
        """Everything the memory can write of this person."""
        story, memory, now = self._story, self._memory, self._clock.now
        user, tenant, language = story.owner, story.id, story.language
        items = await held(memory, user, tenant)
        asked = await memory.load(user=user, tenant=tenant, query=ABOUT[language])
        recalled = await memory.load(user=user, tenant=tenant, query=story.turns[0].get("said"))
        portrait = profile.profile(items, (), name=user, now=now, language=language)
        small = compact.compact(
            items, people(items, now=now), name=user, now=now, language=language, tokens=OfflineTokens()
        )
        blocks = {
            "context": asked.text,
            "recalled": recalled.text,
            "profile": profile.rendered(portrait),
            "user memory": compact.rendered(small),
            "minified": minified.dumped(minified.minified(items, now=now)),
        }
        for number, one in enumerate(await memory.conflicts(user=user, tenant=tenant)):
            if one.case.outcome is Outcome.OPEN:
                blocks[f"question {number}"] = question(one.case, one.old, one.new, language).text
        return {name: block for name, block in blocks.items() if block.strip()}

    async def _changes(
        self,
        tally: EchoTally,
        name: str,
        *,
        said: str,
        replied: str | None = None,
        author: str | None = None,
        program: bool = False,
    ) -> int:
        user, tenant = self._story.owner, self._story.id
        before = await held(self._memory, user, tenant)
        self._clock.now += A_DAY
        await self._memory.save(
            user=user, tenant=tenant, said=said, replied=replied, author=author, program=program, at=self._clock.now
        )
        await rested(self._memory, self._clock, self._clock.now)
        changed = differences(before, await held(self._memory, user, tenant))
        tally.remarks += [f"{self._story.id} ECHO of {name}: {shown(item)}" for item in changed]
        return len(changed)
