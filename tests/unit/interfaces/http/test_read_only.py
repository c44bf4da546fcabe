"""A server on a memory that is only read: every route and page that reads answers, as the document says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from houses import LOOPBACK, lived_in
from relembra.bootstrap import opened
from relembra.interfaces.http.app import create_app
from relembra.interfaces.web.visits import FORM, LOOKS
from relembra.settings import Settings
from serving import checked

LAST_WEEK = datetime.now(UTC) - timedelta(days=8)

ASKED = {
    "/v1/export": {"user": "ana"},
    "/v1/refusal": {"user": "ana"},
    "/history/day": {"day": LAST_WEEK.date().isoformat()},
}
"""What has to be asked besides whose memory it is."""

OF_NOBODY = {"/v1/tools", "/v1/keys", "/v1/users", "/v1/failed_jobs", "/v1/blocks", "/v1/spaces", "/v1/backup",
             "/v1/other_models", "/v1/missing_vectors"}  # fmt: skip

NOT_READING = {
    "/v1/events": "has no end",
    "/v1/models": "another server answers",
    "/v1/webhooks/whatsapp/cloud": "Meta asks, with a token",
    "/static/{name}": "no memory is read",
    "/item/{id}/forget": "asks what forgetting would do, by doing it",
    "/erase": "asks what forgetting would do, by doing it",
}

NOT_THERE = {"/progress/{id}"}
"""Of something no memory holds by that name."""

POSTED: dict[str, dict[str, object]] = {
    "/v1/context": {"query": "chá"},
    "/v1/search": {"query": "chá"},
    "/v1/recall": {"query": "chá"},
    "/v1/why": {"query": "chá"},
    "/v1/preview": {"text": "Tenho um gato"},
    "/v1/report": {},
    "/v1/appointment": {},
    "/v1/tools/search_knowledge": {"arguments": {"query": "chá"}},
}
"""What reads and is sent as a body; reports are told without being kept."""


async def filled(path: Path) -> dict[str, str]:
    """A memory with one of everything; an id of each, by the first part of its address."""
    async with opened(settings=Settings(db=str(path)), background=False) as memory:
        item = await memory.add("Gosta de chá de hortelã", user="ana")
        await memory.save(user="ana", said="Moro em Recife.", conversation="c1", at=LAST_WEEK)
        await memory.settle(flush=True)
        note = await memory.report("weekly", user="ana", day=LAST_WEEK.date())
        assert note is not None
        await memory.save(user="ana", said="Moro em Olinda. Adoro jazz.", conversation="c2", at=LAST_WEEK)
        await memory.settle(flush=True)
        await memory.consolidate(user="ana")
        [run] = await memory.consolidations(user="ana", limit=1)
        [case, *_] = await memory.conflicts(user="ana")
        [job, *_] = await memory.jobs()
    return {"knowledge": item.id, "item": item.id, "notes": note.id, "note": note.id, "conflicts": case.id,
            "questions": case.id, "consolidations": run.id, "nights": run.id, "jobs": job.id,
            "conversations": "c1"}  # fmt: skip


@asynccontextmanager
async def served(path: Path) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    settings = Settings(db=str(path), read_only=True)
    async with opened(settings=settings) as memory:
        app = create_app(memory, settings, is_open=True)
        transport = httpx.ASGITransport(app, client=(LOOPBACK, 50_000))
        async with lived_in(app), httpx.AsyncClient(transport=transport, base_url="http://localhost:8484") as client:
            client.cookies.set(LOOKS, "user=ana")
            as_documented = checked(app)

            async def check(answer: httpx.Response) -> None:
                if answer.request.url.path.startswith("/v1/"):
                    await as_documented(answer)

            client.event_hooks = {"response": [check]}
            yield app, client


def addressed(path: str, ids: dict[str, str]) -> str:
    first = path.removeprefix("/v1/").removeprefix("/settings/").strip("/").partition("/")[0]
    path = path.replace("{channel}/{id:path}", "x/y").replace("{id:path}", "{id}")
    return path.replace("{id}", ids.get(first, "none")).replace("{name}", "none")


async def test_whatever_reads_answers_and_no_page_pretends_that_a_note_was_kept(tmp_path: Path) -> None:
    ids = await filled(tmp_path / "m.db")
    before = (tmp_path / "m.db").read_bytes()
    answers: dict[str, httpx.Response] = {}
    async with served(tmp_path / "m.db") as (app, client):
        paths = {str(one.path) for one in iter_route_contexts(app.routes) if "GET" in (one.methods or ())}
        for path in sorted(paths - set(NOT_READING)):
            query = {"fragment": ids["item"]} if path == "/v1/knowledge/find" else ASKED.get(path, {})
            if path.startswith("/v1/") and path not in OF_NOBODY:
                query = {"user": "ana"} | query
            answers[path] = await client.get(addressed(path, ids), params=query)
        for path, body in POSTED.items():
            answers[path] = await client.post(path, json={"user": "ana", **body})
        answers["verify"] = await client.post("/v1/verify")
        for what in ("report", "appointment"):
            sent = {"form": client.cookies[FORM], "what": what, "period": "weekly"}
            assert (await client.post("/note/new", data=sent)).status_code == 403
    wrong = {path: int(answer.status_code) for path, answer in answers.items() if answer.is_error}
    assert wrong == dict.fromkeys(NOT_THERE, 404)
    assert (tmp_path / "m.db").read_bytes() == before
