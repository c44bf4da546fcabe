"""Work watched from a page: for whoever sent for it alone, gone when its time is over."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import gettempdir

import pytest

from houses import ELSEWHERE, a_house
from memories import a_memory, a_store
from relembra import Memory
from relembra.errors import BusyError, NotFoundError
from relembra.interfaces.web.errands import FOLDERS, KEPT, MOST_OF_ONE, Errand, Errands, Owner
from relembra.interfaces.web.visits import LOOKS
from web_pages import Reader

ANA = Owner("key 1", "default", "ana")
ADMIN = Owner("key 2", "default", "ana")  # who looks at the memory of ana
OTHER_ADMIN = Owner("key 4", "default", "eva")
BEN = Owner("key 3", "default", "ben")


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with a_memory(await a_store("memory", tmp_path)) as memory:
        yield memory


@pytest.fixture
async def errands(memory: Memory) -> AsyncIterator[Errands]:
    errands = Errands(memory)
    async with errands.open():
        yield errands


async def slowly(_: Errand) -> None:
    await asyncio.Event().wait()


async def written(errand: Errand) -> Path:
    path = errand.folder / "export.jsonl"
    path.write_text("somebody's words")
    return path


async def test_what_came_of_it_is_for_whoever_sent_for_it(errands: Errands) -> None:
    errand = errands.start("export", owner=ADMIN, work=written)
    await errand.outcome()
    assert await errands.get(errand.id, owner=ADMIN) is errand
    for other in (ANA, BEN):
        with pytest.raises(NotFoundError):
            await errands.get(errand.id, owner=other)


async def test_two_callers_export_side_by_side_and_import_one_after_the_other(errands: Errands) -> None:
    errands.start("export", owner=ADMIN, work=slowly)
    errands.start("import", owner=ADMIN, work=slowly)
    assert errands.running("export", owner=ANA) is None
    errands.start("export", owner=ANA, work=slowly)
    for kind in ("export", "import"):
        with pytest.raises(BusyError):
            errands.start(kind, owner=ANA, work=slowly)


async def test_forgetting_somebody_leaves_no_file_that_may_tell_of_them(errands: Errands) -> None:
    paths = [
        await errands.start("export", owner=owner, work=written, is_of_all=is_of_all).outcome()
        for owner, is_of_all in ((ADMIN, False), (OTHER_ADMIN, True), (BEN, False))
    ]
    assert all(path.exists() for path in paths)
    errands.drop(ANA.person)
    assert [path.exists() for path in paths] == [False, False, True]


async def test_whatever_program_forgets_anything_of_somebody_takes_what_lies_ready(tmp_path: Path) -> None:
    async with a_memory(await a_store("sqlite", tmp_path)) as memory:
        errands = Errands(memory)
        async with errands.open(), a_memory(await a_store("sqlite", tmp_path)) as another_program:
            item = await memory.add("Um segredo da Ana.", user="ana")
            owners = (ANA, False), (OTHER_ADMIN, True), (BEN, False)
            ready = [errands.start("export", owner=who, work=written, is_of_all=all) for who, all in owners]
            paths = [await errand.outcome() for errand in ready]
            for errand in ready:
                assert await errands.get(errand.id, owner=errand.owner) is errand
            await another_program.forget(user="ana", item=item.id)
            for errand in ready[:2]:
                with pytest.raises(NotFoundError):
                    await errands.get(errand.id, owner=errand.owner)
            assert await errands.get(ready[2].id, owner=BEN) is ready[2]
            assert [path.exists() for path in paths] == [False, False, True]


async def test_what_is_forgotten_while_it_is_written_takes_the_file_too(memory: Memory, errands: Errands) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(errand: Errand) -> Path:
        path = await written(errand)
        begun.set()
        await go_on.wait()
        return path

    await memory.add("Um segredo da Ana.", user="ana")
    errand = errands.start("export", owner=ANA, work=work)
    await begun.wait()
    await memory.forget(user="ana", all=True)
    assert await errands.get(errand.id, owner=ANA) is errand  # it goes on, and tells nothing yet
    go_on.set()
    path = await errand.outcome()
    with pytest.raises(NotFoundError):
        await errands.get(errand.id, owner=ANA)
    assert not path.exists()


async def test_what_nobody_asks_for_again_is_removed_as_well(memory: Memory) -> None:
    errands = Errands(memory, looked_every=0.01)
    async with errands.open():
        await memory.add("Um segredo da Ana.", user="ana")
        errand, other = (errands.start("export", owner=owner, work=written) for owner in (ANA, BEN))
        path, others = await errand.outcome(), await other.outcome()
        await memory.forget(user="ana", all=True)
        async with asyncio.timeout(10):
            while errand.folder.exists():  # noqa: ASYNC110 - a folder has no event for it
                await asyncio.sleep(0.01)
        assert not path.exists()
        assert others.exists()


@pytest.mark.parametrize("door", ["page", "api"])
async def test_a_prepared_export_is_gone_once_its_person_is_forgotten(door: str) -> None:
    async with a_house() as house, house.client(peer=ELSEWHERE) as client:
        await house.memory.add("Um segredo da Ana.", user="ana")
        reader = Reader(client)
        client.cookies.set(LOOKS, "user=ana")
        await reader.post("/enter", key=house.secrets["admin"])
        address = (await reader.post("/export", format="json")).headers["location"]
        errand: Errand = next(iter(house.app.state.errands._errands.values()))
        await errand.outcome()
        assert "segredo" in (await reader.answer(f"{address}/file")).text
        if door == "page":
            await reader.post("/erase", name="ana")
        else:
            async with house.client("ana-write") as api:
                answer = await api.post("/v1/forget", json={"user": "ana", "all": True})
                assert answer.status_code == 200
        answers = [await reader.answer(path) for path in (f"{address}/file", address)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert not errand.folder.exists()


async def test_closing_ends_and_removes_everything(memory: Memory) -> None:
    errands = Errands(memory)
    async with errands.open():
        running = errands.start("import", owner=ANA, work=slowly)
        done = errands.start("export", owner=ANA, work=written)
        await done.outcome()
    assert running.task is not None
    assert running.task.cancelled()
    assert not running.folder.exists()
    assert not done.folder.exists()


async def test_what_a_killed_server_left_is_swept_away(memory: Memory) -> None:
    old, new = (Path(gettempdir()) / f"{FOLDERS}{name}-{os.getpid()}" for name in ("old", "new"))
    for folder in (old, new):
        folder.mkdir()
    before = time.time() - KEPT.total_seconds() - 60
    os.utime(old, (before, before))
    async with Errands(memory).open():
        assert not old.exists()
        assert new.exists()
    new.rmdir()


async def test_an_export_of_everybody_stays_with_the_administrator() -> None:
    async with a_house() as house:
        await house.memory.add("Um segredo do Ben.", user="ben")
        await house.memory.add("Algo da Ana.", user="ana")
        async with house.client(peer=ELSEWHERE) as client:
            reader = Reader(client)
            client.cookies.set(LOOKS, "user=ana")
            await reader.post("/enter", key=house.secrets["admin"])
            address = (await reader.post("/export", format="everybody")).headers["location"]
            errand: Errand = next(iter(house.app.state.errands._errands.values()))
            assert b"segredo do Ben" in (await errand.outcome()).path.read_bytes()
            assert (await reader.answer(address)).status_code == 200
            await reader.post("/enter", key=house.secrets["ana-write"])
            assert (await reader.answer(address)).status_code == 404
            assert (await reader.answer(f"{address}/file")).status_code == 404


async def test_work_that_is_cut_off_makes_room_for_another(errands: Errands) -> None:
    cut = errands.start("import", owner=ANA, work=slowly)
    await asyncio.sleep(0)
    assert cut.task is not None
    cut.task.cancel()
    await asyncio.wait({cut.task})
    assert cut.state == "failed"
    assert errands.start("import", owner=ANA, work=written).state == "running"


async def test_one_caller_does_not_take_all_the_room(errands: Errands) -> None:
    for number in range(MOST_OF_ONE):
        errands.start(f"kind {number}", owner=ANA, work=slowly)
    with pytest.raises(BusyError):
        errands.start("one more", owner=ANA, work=slowly)
    errands.start("one more", owner=BEN, work=slowly)
