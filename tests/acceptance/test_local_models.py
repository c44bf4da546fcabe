"""What a language model is sent, over the real protocol: never what is marked local-only, unless it is local."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest

from memories import Clock
from relembra import Memory
from relembra.settings import Settings
from scripted import KEY, Answer, Request, scripted, structured

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
MARK = "zoltanib"
LONG = " ".join(f"They went on about {MARK} for hour {number}, and then some more." for number in range(20))
OTHERS = " ".join(f"They went on about rowing for hour {number}, and then some more." for number in range(20))


def parts(request: Request) -> frozenset[str]:
    """What a reply is to say, which tells the tasks apart."""
    return frozenset(request.body["tools"][0]["function"]["parameters"]["properties"])


def answer(request: Request) -> Answer:
    """A long note of what was said with nothing to learn, and something short for every other task."""
    told = {
        "title": "A talk", "summary": LONG if MARK in request.user else OTHERS, "things": [],
        "text": "They went on about rowing.", "sentence": "They talk.",
    }  # fmt: skip
    return structured({name: told[name] for name in parts(request)})


def sent(*requests: Request) -> str:
    return "\n".join(json.dumps(request.body, ensure_ascii=False) for request in requests)


@pytest.mark.parametrize("local", ["no", "auto"])
async def test_only_a_local_model_is_sent_what_is_marked(local: Literal["no", "auto"], tmp_path: Path) -> None:
    clock = Clock(NOON)
    with scripted(answer) as server:
        settings = Settings(
            llm="openai:fast-1", llm_deep="openai:deep-1", llm_url=server.url, llm_api_key=KEY, llm_local=local,
            durability="normal", policy={"listen": {"model_summaries": True, "summary_every": 2}},
        )  # fmt: skip
        async with Memory.open(tmp_path / "m.db", settings=settings, clock=clock, background=False) as memory:
            said = await memory.save(user="ana", said=f"Every day I take {MARK} with my breakfast.", replied="Noted.")
            await memory.settle(flush=True)
            assert MARK in sent(*server.requests)  # it is read before anybody can mark it
            await memory.add(f"Takes {MARK} every day", user="ana", local_only=True, message_ids=[said.messages[0].id])
            for item in await memory.list(user="ana"):  # and so is what was learnt from it as it was said
                await memory.keep_local(item.id, user="ana")
            server.requests.clear()

            for number in range(4):
                clock.move(minutes=1)
                await memory.save(user="ana", said=f"I work as a rower on the river, {number} hours a day.")
            await memory.settle()
            clock.move(hours=2)
            await memory.settle(flush=True)
            digests = server.calls
            assert digests > 0

            await memory.consolidate(user="ana")
            rereads = server.calls
            assert rereads > digests

            clock.move(days=40)
            await memory.garden(user="ana")
            retold = server.calls
            assert retold > rereads
            notes = await memory.notes(user="ana")
            assert all(len(note.summary) < len(LONG) for note in notes)  # told again by one or the other
        assert "river" in sent(*server.requests)
        if local == "no":
            assert MARK not in sent(*server.requests)
        else:
            told = {parts(request) for request in server.requests if MARK in sent(request)}
            assert {"text"} in told  # told again
            assert {"things"} in told  # read again
            assert any("summary" in names for names in told)  # beside what is known
