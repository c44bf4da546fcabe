"""What takes too long to read: it is read beside the event loop, given up in time, and said to be unread."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from loops import each
from memories import Clock, a_memory, a_store
from relembra import Memory
from relembra.domain.policy import LIFE
from relembra.domain.text import LONGEST_RUN, collapsed
from relembra.domain.time import check_time, time_limit
from relembra.errors import TooSlowError
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import OfflineReader

AT_ONCE = replace(LIFE, learn=replace(LIFE.learn, read_within=timedelta(0)))
LONGEST_PAUSE_SECONDS = 20.0
"""Far more than the loop waits for one step of reading on a busy machine; the messages below once took minutes."""


@pytest.fixture
async def hasty(clock: Clock, tmp_path: Path) -> AsyncIterator[Memory]:
    """A memory that has no time to read anything."""
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=AT_ONCE.learn, summary_tokens=80)
    async with a_memory(await a_store("memory", tmp_path), clock=clock, policy=AT_ONCE, reader=reader) as memory:
        yield memory


async def longest_pause(*work: asyncio.Task[object]) -> float:
    """The longest the event loop did not come round while the work was done, and the work done."""
    longest, last = 0.0, time.monotonic()
    while not all(task.done() for task in work):
        await asyncio.sleep(0.01)
        longest, last = max(longest, time.monotonic() - last), time.monotonic()
    await asyncio.gather(*work)
    return longest


@each([("I live  in\n\nPorto.\n Yes", "I live  in\n\nPorto.\n Yes"), ("a" + " " * 1_000 + "b", "a b"),
     ("a \t\u00a0\u2003\u200b\u2060\ufeffb", "a b"), ("a   \n   b", "a\nb"), ("a\n \n \n b", "a\n\nb"),
     ("k" * 500 + "!" * 41, "k" * LONGEST_RUN + "!" * LONGEST_RUN),
     ("mo\u200bro 👩‍💻", "mo\u200bro 👩‍💻")])  # fmt: skip
def test_runs_of_blanks_are_read_as_one_and_lines_stay_lines(text: str, read: str) -> None:
    assert (collapsed(text), collapsed(collapsed(text))) == (read, collapsed(text))


def test_work_without_a_limit_goes_on_and_with_one_it_ends() -> None:
    check_time()
    with time_limit(60):
        check_time()
        with pytest.raises(TooSlowError), time_limit(-1):
            check_time()
        check_time()


@each(["nasci " + "no dia " * 500, "acordo às uma" + " e meia" * 500, "minha meta" + " de vida" * 500,
     "tenho reunião" + " , - " * 800, "I live in " + "a, and " * 600, "eu moro em " + "de " * 1_300, "@" * 4_000,
     "my sister " * 400])  # fmt: skip
async def test_hostile_words_hold_nobody_up(text: str, memory: Memory) -> None:
    told = asyncio.create_task(memory.preview(text, user="ana"))
    asked = asyncio.create_task(memory.load(user="ana", query=text))
    assert await longest_pause(told, asked) < LONGEST_PAUSE_SECONDS


async def test_a_preview_says_that_a_message_is_left_unread(hasty: Memory, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    foreseen = await hasty.preview("I live in Porto.", user="ana")
    assert (list(foreseen), foreseen.unread) == ([], True)
    assert "left unread" in caplog.text
    assert "Porto" not in caplog.text


async def test_learning_counts_and_logs_what_it_left_unread(hasty: Memory, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    for text in ("I live in Porto.", "I am allergic to nuts."):
        await hasty.save(user="ana", said=text)
    learnt = await hasty.learn(user="ana")
    assert (learnt.added, learnt.unread, learnt.waiting) == ([], 2, 0)
    assert len(await hasty.messages(user="ana")) == 2
    for message in await hasty.messages(user="ana"):
        assert message.id in caplog.text
    assert (await hasty.learn(user="ana")).unread == 0


async def test_a_question_that_takes_too_long_is_searched_for_as_it_stands(hasty: Memory) -> None:
    await hasty.add("Lives in Porto", user="ana")
    assert [hit.item.content for hit in await hasty.search("Porto", user="ana")] == ["Lives in Porto"]
