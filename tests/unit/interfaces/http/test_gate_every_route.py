"""Every route there is, tried by everybody who may not: a route that is added is tried by itself.

What a route takes is read from the OpenAPI document; whom it lets in, from what it depends on.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import jwt
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from houses import ELSEWHERE, House, a_house
from loops import each
from relembra.domain.access import Right
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import Needs
from relembra.interfaces.http.problems import PROBLEM
from relembra.interfaces.web.pages import is_page
from relembra.settings import Settings
from relembra.verbs import VERBS, About
from scripted import Raw, scripted

SECRET = "a secret of more than thirty-two bytes, as it has to be"
OPEN = {"/healthz", "/readyz", "/docs", "/openapi.json"}
SIGNED = {"/v1/webhooks/{channel}", "/v1/webhooks/whatsapp/cloud", "/v1/webhooks/email/inbound"}
OTHERWISE = {"/metrics": Right.ADMIN, "/mcp": Right.READ}
"""Where the right is asked for in the route itself."""

READING_POSTS = {"/mcp", *(f"/v1/{name}" for name in ("context", "preview", "recall", "search", "why", "tools/{name}"))}
"""What only reads, though too long to ask in an address."""

CHAT = {"/v1/chat/completions", "/v1/responses", "/v1/models"}
"""Told as OpenAI's clients read it; the user a request names there is only a word for whoever is bound to nobody."""

HIDDEN = "mel de jataí e figos de setembro"
PLACED = re.compile(r"{(\w+)(?::\w+)?}")


@dataclass(frozen=True)
class Route:
    """A route and a request it would take."""

    method: str
    path: str
    right: Right | None
    takes_user: str | None = None  # where a request names the person
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    async def sent(
        self,
        client: httpx.AsyncClient,
        headers: dict[str, str] | None = None,
        *,
        user: str | None = None,
        places: dict[str, str] | None = None,
    ) -> httpx.Response:
        filled = UNKNOWN | (places or {}) | ({"id": "7"} if "/links/" in self.path else {})
        path = PLACED.sub(lambda found: filled[found[1]], self.path)
        query, body = dict(self.query), self.body
        if user is not None and self.takes_user == "query":
            query["user"] = user
        if isinstance(body, dict) and self.takes_user == "body":
            body = {name: part for name, part in body.items() if name != "user"} | ({"user": user} if user else {})
        query |= dict(client.params)
        more: dict[str, Any] = {} if body is None else {"json": body}
        return await client.request(self.method, path, params=query, headers=headers, **more)


UNKNOWN = {
    "channel": "telegram",
    "id": "0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77",
    "day": "2026-03-01",
    "name": "search_knowledge",
}


def an_app() -> FastAPI:
    """Without a memory: only looked at."""
    return create_app(None, Settings(), is_open=False)  # type: ignore[arg-type]


def routes_of(app: FastAPI) -> Iterator[Route]:
    document = app.openapi()
    for one in iter_route_contexts(app.routes):
        if is_page(str(one.path)):  # test_every_page tries those
            continue
        for method in sorted((one.methods or {"POST"}) - {"HEAD"}):
            said = document["paths"].get(one.path_format or one.path, {}).get(method.lower(), {})
            yield Route(
                method,
                str(one.path),
                OTHERWISE.get(str(one.path)) or right_of(one),
                takes_user=None if one.path in CHAT else where_user(document, said),
                query=query_of(said),
                body=next(iter(schema_of(document, said).get("examples", ())), None),
            )


def right_of(one: Any) -> Right | None:
    wanted = [one.dependant] if getattr(one, "dependant", None) else []
    while wanted:
        dependant = wanted.pop()
        if isinstance(dependant.call, Needs):
            return dependant.call.right
        wanted += dependant.dependencies
    return None


def where_user(document: dict[str, Any], said: dict[str, Any]) -> str | None:
    if any(one["name"] == "user" and one["in"] == "query" for one in said.get("parameters", ())):
        return "query"
    return "body" if "user" in schema_of(document, said).get("properties", {}) else None


def query_of(said: dict[str, Any]) -> dict[str, str]:
    needed = [one for one in said.get("parameters", ()) if one["in"] == "query" and one.get("required")]
    return {one["name"]: "something" for one in needed}


def schema_of(document: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """What a JSON body holds, with an example; every body of the document has one."""
    content = said.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema: dict[str, Any] = content.get("schema", {})
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    schema = document["components"]["schemas"][name] if name else schema
    return schema | ({"examples": [content["example"]]} if "example" in content else {})


ROUTES = list(routes_of(an_app()))
GUARDED = [route for route in ROUTES if route.path not in OPEN | SIGNED]
every_route = each(GUARDED)
BY_ROUTE = {(verb.http_method, verb.path): verb for verb in VERBS.values()}


@pytest.fixture
async def house() -> AsyncIterator[House]:
    """Bia said something that nobody else may hear. One for all routes, for whoever is refused changes nothing."""
    with scripted(Raw(200, b"{}")) as model:
        async with a_house(jwt_secret=SECRET, webhook_secret="signed", upstream=model.url) as made:
            await made.memory.save(user="bia", said=HIDDEN, conversation="c1")
            await made.memory.add(HIDDEN, user="bia")
            await made.memory.link("telegram", "7", user="bia")
            made.app.state.stopping.set()  # so that what never ends does
            yield made


def a_token(**claims: Any) -> str:
    ordinary = {"sub": "ana", "scope": "admin", "exp": time.time() + 3_600}
    return jwt.encode(ordinary | claims, SECRET, "HS256")


async def places_of(house: House) -> dict[str, str]:
    """Ids of bia's, for whatever a path asks for."""
    item = (await house.memory.list(user="bia"))[0]
    return {"id": item.id, "channel": "telegram"}


async def is_untouched(house: House) -> bool:
    """Whether all of bia's is as it was."""
    known = [item.content for item in await house.memory.list(user="bia")]
    said = [message.text for message in await house.memory.messages(user="bia")]
    links = [link.id for link in await house.memory.links(user="bia")]
    return (known, said, links) == ([HIDDEN], [HIDDEN], ["7"])


def test_every_route_is_open_on_purpose_signed_or_says_which_right_it_needs() -> None:
    assert [str(route) for route in GUARDED if route.right is None] == []
    assert {route.path for route in ROUTES} >= OPEN | SIGNED


def test_whatever_changes_something_needs_more_than_the_right_to_read() -> None:
    reads = [route for route in GUARDED if route.right is Right.READ]
    assert [str(route) for route in reads if route.method != "GET" and route.path not in READING_POSTS] == []


def said(answer: httpx.Response) -> str:
    told = answer.json()
    return str(told["error"]["message"] if "error" in told else told["detail"])


MISPLACED: tuple[dict[str, str], ...] = (
    {},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer "},
    {"Authorization": "Bearer rlb_"},
    {"Authorization": "Bearer rlb_aaaaaaaa_" + "a" * 43},
    {"Authorization": "Bearer a.b.c"},
    {"Authorization": "Basic {admin}"},
    {"Authorization": "{admin}"},
    {"Authorization": "Bearer {admin} {admin}"},
    {"Cookie": "key={admin}"},
    {"X-Api-Key": "{admin}"},
)


@every_route
async def test_nobody_comes_in_without_a_key_that_is_right_and_nothing_changes(route: Route, house: House) -> None:
    before, places, admin = await house.memory.stats(), await places_of(house), house.secrets["admin"]
    for headers in MISPLACED:
        house.seconds.now += 60
        async with house.client(**{name: value.replace("{admin}", admin) for name, value in headers.items()}) as client:
            answer = await route.sent(client, user="bia", places=places)
        assert answer.status_code == 401, (headers, answer.text)
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == ("application/json" if route.path in CHAT else PROBLEM)
        assert "rlb_…" in said(answer) or "token" in said(answer)
    async with house.client() as client:
        client.params = httpx.QueryParams(key=admin, token=admin, access_token=admin)
        assert (await route.sent(client, user="bia")).status_code == 401
    for standing in ("revoked", "expired"):
        async with house.client(standing) as client:
            answer = await route.sent(client, user="bia", places=places)
        assert answer.status_code == 401
        assert standing in said(answer)
    async with house.client(Authorization=f"Bearer {a_token(exp=1)}") as client:
        assert (await route.sent(client, user="ana", places=places)).status_code == 401
    assert await house.memory.stats() == before


@every_route
async def test_a_lesser_right_is_refused_and_nothing_changes(route: Route, house: House) -> None:
    assert route.right is not None
    before, places = await house.memory.stats(), await places_of(house)
    for lesser in Right:
        if not lesser.allows(route.right):
            for key in (lesser.value, f"ana-{lesser}"):
                async with house.client(key) as client:
                    answer = await route.sent(client, user="ana", places=places)
                assert answer.status_code == 403, answer.text
            async with house.client(Authorization=f"Bearer {a_token(scope=lesser)}") as client:
                assert (await route.sent(client, user="ana", places=places)).status_code == 403
    assert await house.memory.stats() == before


@every_route
async def test_another_tenant_is_told_nothing(route: Route, house: House) -> None:
    async with house.client("other") as client:
        answer = await route.sent(client, user="bia", places=await places_of(house))
        named = await route.sent(client, {"X-Relembra-Tenant": "default"}, user="bia", places=await places_of(house))
    assert HIDDEN not in answer.text + named.text
    assert answer.status_code != 500, answer.text
    if "{id" in route.path and "/links/" not in route.path:  # whose an account is, is a question with an answer
        assert answer.status_code in (403, 404, 422), answer.text
    assert named.status_code == 403
    assert await is_untouched(house)


@every_route
async def test_another_user_is_told_nothing(route: Route, house: House) -> None:
    places = await places_of(house)
    for headers in (
        {"Authorization": f"Bearer {house.secrets['ana-admin']}"},
        {"Authorization": f"Bearer {a_token()}"},
    ):
        async with house.client(**headers) as client:
            named = await route.sent(client, user="bia", places=places)
            unnamed = await route.sent(client, places=places)
        assert HIDDEN not in named.text + unnamed.text
        assert 500 not in (named.status_code, unnamed.status_code), named.text + unnamed.text
        if route.takes_user is not None:
            assert named.status_code == 403, named.text
        if "{id" in route.path:
            assert unnamed.status_code in (403, 404, 422), unnamed.text
    assert await is_untouched(house)


@every_route
async def test_a_key_of_one_person_opens_nothing_of_the_tenant_nor_any_but_an_operator_s_the_whole(
    route: Route, house: House
) -> None:
    verb = BY_ROUTE.get((route.method, route.path))
    if verb is not None and not verb.bound:
        async with house.client("ana-admin") as client:
            assert (await route.sent(client, user="ana")).status_code == 403
    if verb is not None and verb.about is About.INSTALLATION:
        async with house.client("admin") as client:
            assert (await route.sent(client)).status_code == 403


async def test_whoever_may_comes_in(house: House) -> None:
    """Else every refusal above would prove nothing. What one request removes, another may find gone."""
    places = await places_of(house)
    refused = (400, 401, 403, 405, 413, 415, 421, 429, 500)
    async with house.client("operator") as client:
        for route in GUARDED:
            answer = await route.sent(client, user="bia", places=places)
            assert answer.status_code not in refused, (str(route), answer.text)


@each(sorted(OPEN))
async def test_what_is_open_needs_no_key_and_tells_nothing_of_anybody(path: str, house: House) -> None:
    async with house.client(peer=ELSEWHERE) as client:
        answer = await client.get(path)
    assert answer.status_code == {"/readyz": 503}.get(path, 200)  # it is stopping
    assert HIDDEN not in answer.text


async def test_an_address_nobody_serves_asks_for_a_key_too(house: House) -> None:
    async with house.client() as client:
        assert (await client.get("/v1/nothing")).status_code == 401
    async with house.client("read") as client:
        answer = await client.get("/v1/nothing")
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)
