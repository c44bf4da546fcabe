from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from memories import InMemoryStore, a_memory
from relembra import Memory
from relembra.domain.scope import Scope
from relembra.errors import StoreUnavailableError
from relembra.ingest.intake import BlockSettings
from relembra.interfaces.upstream import Answering, Upstream, Upstreams
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Op, Receipt, Stamp
from upstreams import ScriptedUpstream, says, upstream


class Failing(InMemoryStore):
    def __init__(self) -> None:
        super().__init__(BilingualAnalyzer())
        self.reads = self.writes = True
        self.stuck: asyncio.Event | None = None

    async def stamps(self, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
        if not self.reads:
            raise StoreUnavailableError("busy")
        if self.stuck is not None:
            await self.stuck.wait()
        return await super().stamps(scopes)

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        if not self.writes:
            raise StoreUnavailableError("busy")
        return await super().apply(scope, ops)


@pytest.fixture
async def store() -> Failing:
    return Failing()


@pytest.fixture
async def memory(store: Failing) -> AsyncIterator[Memory]:
    async with a_memory(store, blocks=BlockSettings.of(["troll"])) as made:
        yield made
        store.reads = store.writes = True


@pytest.fixture
async def model() -> AsyncIterator[ScriptedUpstream]:
    async with upstream(says("In Lisbon.")) as server:
        yield server


@pytest.fixture
async def answering(memory: Memory, model: ScriptedUpstream) -> AsyncIterator[Answering]:
    upstreams = Upstreams([Upstream(name="default", url=model.url)])
    yield Answering(memory, upstreams, recall_seconds=60)
    await upstreams.close()


async def test_what_is_local_only_reaches_no_model_elsewhere(
    memory: Memory, model: ScriptedUpstream, answering: Answering
) -> None:
    await memory.add("Ana lives in Lisbon, in secret.", user="ana", local_only=True)
    await answering.answer("Where do I live, Lisbon?", user="ana")
    near = Upstreams([Upstream(name="default", url=model.url, local=True)])
    await Answering(memory, near).answer("Where do I live, in Lisbon?", user="ana")
    await near.close()
    away, here = model.asked
    assert "secret" not in str(away.body)
    assert "secret" in str(here.body)


async def test_trouble_of_the_memory_holds_up_no_reply(store: Failing, memory: Memory, answering: Answering) -> None:
    store.reads = False
    reply = await answering.answer("Hello!", user="ana")
    assert (reply.text, reply.trouble, reply.context) == ("In Lisbon.", "recall", None)
    store.writes = False
    reply = await answering.answer("Hello again!", user="ana")
    assert (reply.text, reply.trouble, reply.saved) == ("In Lisbon.", "save,recall", None)


async def test_a_memory_that_takes_too_long_is_not_waited_for(
    store: Failing, memory: Memory, model: ScriptedUpstream
) -> None:
    upstreams = Upstreams([Upstream(name="default", url=model.url)])
    store.stuck = asyncio.Event()
    reply = await Answering(memory, upstreams, recall_seconds=0.01).answer("Hello!", user="ana")
    assert (reply.text, reply.trouble) == ("In Lisbon.", "recall")
    store.stuck.set()
    store.stuck = None
    await upstreams.close()
