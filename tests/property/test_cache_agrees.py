"""The cache in the process agrees with a dict under random operations, and stays within its bounds."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from builders import ANA, ANA_ELSEWHERE, BIA, NOW
from relembra.domain.scope import Scope
from relembra.store.cache import Cache

SCOPES = st.sampled_from([ANA, BIA, ANA_ELSEWHERE])
KEYS = st.sampled_from("abcdef")
MOST_ENTRIES = 6
MOST_BYTES = 2_000


class CacheMachine(RuleBasedStateMachine):
    """The model is a dict in order of use, each value with its size and the moments it lasts from and until."""

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.cache = Cache(most_entries=MOST_ENTRIES, most_bytes=MOST_BYTES, clock=lambda: self.now)
        self.model: dict[tuple[Scope, str], tuple[int, int, datetime, datetime]] = {}

    @rule(scope=SCOPES, key=KEYS, value=st.integers(), seconds=st.integers(-1, 30), size=st.integers(0, 2_100))
    def put(self, scope: Scope, key: str, value: int, seconds: int, size: int) -> None:
        ttl = timedelta(seconds=seconds)
        self.cache.put(scope, key, value, ttl, size=size)
        self.model.pop((scope, key), None)
        if seconds > 0 and size <= MOST_BYTES:
            self.model[scope, key] = value, size, self.now, self.now + ttl
            while len(self.model) > MOST_ENTRIES or self.bytes_held() > MOST_BYTES:
                del self.model[next(iter(self.model))]

    @rule(scope=SCOPES, key=KEYS)
    def get(self, scope: Scope, key: str) -> None:
        held = self.model.pop((scope, key), None)
        wanted = None
        if held is not None and held[2] <= self.now < held[3]:
            self.model[scope, key] = held
            wanted = held[0]
        assert self.cache.get(scope, key) == wanted

    @rule(seconds=st.integers(-5, 40))
    def move_the_clock(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @precondition(lambda self: len(self.model) > 2)
    @rule(tenant=st.sampled_from(sorted({ANA.tenant, ANA_ELSEWHERE.tenant})))
    def clear(self, tenant: str) -> None:
        asyncio.run(self.cache.clear(tenant))
        self.model = {place: held for place, held in self.model.items() if place[0].tenant != tenant}

    @invariant()
    def both_hold_as_much_within_bounds(self) -> None:
        assert len(self.cache._entries) == len(self.model) <= MOST_ENTRIES
        assert self.cache.bytes == self.bytes_held() <= MOST_BYTES

    def bytes_held(self) -> int:
        return sum(taken for _, taken, _, _ in self.model.values())


TestCache = CacheMachine.TestCase
