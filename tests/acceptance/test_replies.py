"""`relembra serve` whole: a reply that is owed outlives the process, and goes out once."""

from __future__ import annotations

import hmac
import json
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web

from acceptance.running import RELEMBRA
from acceptance.served import serving, until
from loopbacks import in_a_thread, listening
from relembra.sync import Memory
from whatsapps import ANA, NUMBER, SECRET, TOKEN, VERIFY, WHERE, Graph, a_delivery, a_message


@asynccontextmanager
async def staged() -> AsyncIterator[Graph]:
    graph = Graph()
    app = web.Application()
    app.router.add_post("/v25.0/{number}/messages", graph.answer)
    async with listening(app) as address:
        graph.url = f"http://{address}/v25.0"
        yield graph


def queued(url: str) -> list[dict[str, Any]]:
    """The replies that are owed."""
    found: list[dict[str, Any]] = httpx.get(f"{url}/v1/jobs", params={"kind": "reply"}, timeout=60).json()["items"]
    return found


def test_a_reply_is_sent_once_by_the_next_server_after_one_was_killed(tmp_path: Path) -> None:
    with in_a_thread(staged()) as graph:
        env = {
            "RELEMBRA_WHATSAPP_NUMBER": NUMBER, "RELEMBRA_WHATSAPP_TOKEN": TOKEN, "RELEMBRA_WHATSAPP_URL": graph.url,
            "RELEMBRA_WHATSAPP_APP_SECRET": SECRET, "RELEMBRA_WHATSAPP_VERIFY_TOKEN": VERIFY,
        }  # fmt: skip
        command = [*RELEMBRA, "--db", "m.db", "--json", "serve", "--port", "0"]
        body = json.dumps(a_delivery(a_message("I keep bees in the garden.", at=int(time.time()))))
        digest = hmac.new(SECRET.encode(), body.encode(), "sha256").hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={digest}", "Content-Type": "application/json"}

        def delivered(url: str) -> None:
            answer = httpx.post(f"{url}{WHERE}", content=body, headers=headers, timeout=60)
            assert (answer.status_code, answer.json()) == (200, {"taken": 1})

        graph.fails(503)
        with serving(tmp_path, *command, **env) as first:
            delivered(first.url)
            until(lambda: any(job["error"] for job in queued(first.url)))
            first.stop(signal.SIGKILL)
        with Memory.open(tmp_path / "m.db", background=False) as memory:
            [job] = memory.jobs(kind="reply")
            memory.retry_job(job.id)
        with serving(tmp_path, *command, **env) as second:
            until(lambda: len(graph.asked) == 2)
            delivered(second.url)
            until(lambda: not queued(second.url))
            assert second.stop() == 0
        assert len(graph.asked) == 2
        assert {sent["to"] for _, _, sent in graph.asked} == {ANA}
        assert graph.texts[0] == graph.texts[1]
        with Memory.open(tmp_path / "m.db", background=False) as memory:
            assert [one.text for one in memory.messages(user=f"whatsapp:{ANA}")] == ["I keep bees in the garden."]
