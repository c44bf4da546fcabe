"""Leaks: what was said to one memory, or in one place, must never be shown in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import product

from bench.corpus import word
from bench.hygiene.learning import Clock, finished, learning, rested
from bench.hygiene.shares import Goal, count_row, share_row
from bench.table import Row
from relembra import Memory
from relembra.domain.text import fold

TENANTS = ("default", "other")
PEOPLE = ("ana", "bia", "caio", "dora", "elias", "flora")
SPACES = (None, "família", "trabalho")

SECRETS = {
    None: ("Moro em {mark}.", "I am allergic to {mark}.", "Minha terapeuta se chama {mark}."),
    "família": ("Minha irmã {mark} é médica.", "Vou me casar em {mark}.", "My dog is called {mark}."),
    "trabalho": ("Trabalho na {mark}.", "My biggest client is {mark}.", "Meu chefe se chama {mark}."),
}
QUESTIONS = ("onde eu moro e trabalho?", "what do you know about my family?", "alergia cliente chefe irmã casar")
FIRST_RANK = 1_000


@dataclass(frozen=True, slots=True)
class Secret:
    """An invented name, and where its owner said it."""

    mark: str
    tenant: str
    user: str
    space: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Asking:
    """Whose memory is asked, and where."""

    tenant: str
    user: str
    space: str | None


@dataclass(kw_only=True)
class LeakTally:
    looked: int = 0  # secrets looked for where they must not be
    leaked: int = 0
    own: int = 0  # secrets their owner asks for in private
    own_shown: int = 0
    own_learnt: int = 0
    remarks: list[str] = field(default_factory=list)


def secrets() -> list[Secret]:
    """One for every person, place and sentence; no mark is part of another."""
    chances = product(TENANTS, PEOPLE, SPACES, range(3))
    return [
        Secret(mark := f"{word(FIRST_RANK + number)}x".capitalize(), tenant, user, space, _said(space, which, mark))
        for number, (tenant, user, space, which) in enumerate(chances)
    ]


def forbidden(secret: Secret, asking: Asking) -> bool:
    """Whether it must not be shown: another tenant's, another person's, or said elsewhere than the space one is in.

    What somebody says in a space is no secret to those in the same space.
    """
    if secret.tenant != asking.tenant:
        return True
    if asking.space is not None:
        return secret.space != asking.space
    return secret.user != asking.user


async def told() -> LeakTally:
    """Tell every secret, then ask for all of them everywhere."""
    clock, said = Clock(), secrets()
    async with learning(clock) as memory:
        for secret in said:
            clock.now += timedelta(seconds=20)
            await memory.save(
                user=secret.user, tenant=secret.tenant, space=secret.space, said=secret.text, at=clock.now
            )
        await rested(memory, clock, clock.now)
        await finished(memory)
        tally = LeakTally()
        for tenant, user, space in product(TENANTS, PEOPLE, SPACES):
            asking = Asking(tenant, user, space)
            for verb, text in (await _shown(memory, asking)).items():
                count(tally, said, asking, verb, text)
    return tally


def count(tally: LeakTally, said: Sequence[Secret], asking: Asking, verb: str, text: str) -> None:
    """Look for every secret in what one verb showed."""
    held = fold(text)
    for secret in said:
        there = fold(secret.mark) in held
        if forbidden(secret, asking):
            tally.looked += 1
            tally.leaked += there
            if there:
                tally.remarks.append(f"LEAK {verb} of {asking} shows {secret}")
        elif asking == Asking(secret.tenant, secret.user, None):
            tally.own += verb == "messages"
            tally.own_shown += there and verb == "messages"
            tally.own_learnt += there and verb == "list"


def rows(tally: LeakTally) -> Iterator[Row]:
    yield count_row("leaks, shown where it must not be", tally.leaked, tally.looked)
    yield share_row("leaks, shown to whoever said it", tally.own_shown, tally.own, Goal.least(1.0))
    yield share_row("leaks, learnt of whoever said it", tally.own_learnt, tally.own)


async def _shown(memory: Memory, asking: Asking) -> dict[str, str]:
    """Everything each verb shows to one who asks."""
    user, tenant, space = asking.user, asking.tenant, asking.space
    items = await memory.list(user=user, tenant=tenant, space=space, limit=1_000, history=True)
    said = await memory.messages(user=user, tenant=tenant, space=space, limit=1_000)
    conflicts = await memory.conflicts(user=user, tenant=tenant, space=space)
    found = []
    contexts = []
    for question in QUESTIONS:
        hits = await memory.search(question, user=user, tenant=tenant, space=space, limit=50)
        found += [hit.item.content for hit in hits]
        contexts.append((await memory.load(user=user, tenant=tenant, space=space, query=question)).text)
    return {
        "list": "\n".join(item.content for item in items),
        "messages": "\n".join(message.text for message in said),
        "conflicts": "\n".join(f"{one.old.content} {one.new.content}" for one in conflicts),
        "search": "\n".join(found),
        "load": "\n".join(contexts),
    }


def _said(space: str | None, which: int, mark: str) -> str:
    return SECRETS[space][which].format(mark=mark)
