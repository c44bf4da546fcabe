"""The workflow for n8n: its structure, and what it asks of a real server when it is run.

It is run by as much of n8n as it needs: expressions are paths, literals, `+`, `||` and two functions.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import jsonschema  # type: ignore[import-untyped]
import pytest

from houses import House, a_house
from loops import each
from relembra.interfaces.http.app import document
from scripted import scripted, spoken

ROOT = Path(__file__).parents[3]
FLOW: dict[str, Any] = json.loads((ROOT / "integrations/n8n/messages.json").read_text("utf-8"))
NODES: dict[str, dict[str, Any]] = {node["name"]: node for node in FLOW["nodes"]}
KNOWN = {"webhook": {2, 2.1}, "set": {3.4}, "if": {2.2, 2.3}, "httpRequest": {4.2, 4.3}, "respondToWebhook": {1.4, 1.5}}
"""Versions of n8n's own nodes whose parameters are those used here."""

ADDRESS, MODEL = "http://127.0.0.1:8484", "https://api.openai.com/v1"
TERM = re.compile(
    r"\s*(?:'(?P<word>[^']*)'|(?P<null>null)|(?:\$json|\$\('(?P<node>[^']+)'\)\.first\(\)\.json)(?P<path>[\w.\[\]]*))\s*"
)


def test_it_is_a_workflow_whose_connections_lead_to_nodes_that_exist() -> None:
    assert {"name", "nodes", "connections", "settings"} <= set(FLOW)
    assert len({node["id"] for node in FLOW["nodes"]}) == len(NODES) == len(FLOW["nodes"])
    for name, node in NODES.items():
        assert node["typeVersion"] in KNOWN[node["type"].removeprefix("n8n-nodes-base.")], name
        assert len(node["position"]) == 2
        assert "credentials" not in node, "they are chosen where it is loaded"
        assert set(re.findall(r"\$\('([^']+)'\)", json.dumps(node["parameters"]))) <= set(NODES), name
    aimed = [to for outs in FLOW["connections"].values() for out in outs["main"] for to in out]
    assert set(FLOW["connections"]) <= set(NODES)
    assert {to["node"] for to in aimed} == set(NODES) - {"Message in"}
    assert all((to["type"], to["index"]) == ("main", 0) for to in aimed)
    ends = set(NODES) - set(FLOW["connections"])
    assert {NODES[name]["type"] for name in ends} == {"n8n-nodes-base.respondToWebhook"}


class Run:
    """One execution."""

    def __init__(self, house: House, client: httpx.AsyncClient, model: str) -> None:
        self._house = house
        self._client = client
        self._model = model
        self.passed: list[str] = []
        self._given: dict[str, Any] = {}

    async def of(self, body: dict[str, Any]) -> tuple[int, Any]:
        """What is answered to a message."""
        name, item = "Message in", {"body": body}
        while True:
            self.passed.append(name)
            node, out = NODES[name], 0
            parameters = node["parameters"]
            match node["type"].removeprefix("n8n-nodes-base."):
                case "set":
                    rows = parameters["assignments"]["assignments"]
                    item = item | {row["name"]: self.filled(row["value"], item) for row in rows}
                case "if":
                    out = 0 if self._holds(parameters["conditions"]["conditions"][0], item) else 1
                case "httpRequest":
                    item = await self._asked(parameters, item)
                case "respondToWebhook":
                    answer = json.loads(self.filled(parameters["responseBody"], item))
                    return parameters["options"].get("responseCode", 200), answer
            self._given[name] = item
            name = FLOW["connections"][name]["main"][out][0]["node"]

    def _holds(self, condition: dict[str, Any], item: Any) -> bool:
        left = self.filled(condition["leftValue"], item)
        match condition["operator"]["operation"]:
            case "notEmpty":
                return left not in ("", None)
            case "startsWith":
                return str(left).startswith(condition["rightValue"])
        raise AssertionError(condition)

    async def _asked(self, parameters: dict[str, Any], item: Any) -> Any:
        assert (parameters["authentication"], parameters["genericAuthType"]) == (
            "genericCredentialType", "httpBearerAuth",
        )  # fmt: skip
        url, method = self.filled(parameters["url"], item), parameters["method"]
        body = json.loads(self.filled(parameters["jsonBody"], item)) if parameters.get("sendBody") else None
        if url.startswith(MODEL):
            async with httpx.AsyncClient() as client:
                return (await client.post(url.replace(MODEL, self._model), json=body)).json()
        documented(method, url.removeprefix(ADDRESS), body)
        response = await self._client.request(method, url.removeprefix(ADDRESS), json=body)
        assert response.is_success, response.text
        return response.json()

    def filled(self, value: str, item: Any) -> Any:
        """A parameter: as it is, or an expression; one that is nothing else keeps its type."""
        if not value.startswith("="):
            return value
        value = value[1:]
        if whole := re.fullmatch(r"{{((?:(?!}}).)*)}}", value):
            return self._value(whole[1].strip(), item)
        return re.sub(r"{{((?:(?!}}).)*)}}", lambda found: str(self._value(found[1].strip(), item)), value)

    def _value(self, expression: str, item: Any) -> Any:
        if called := re.fullmatch(r"(JSON\.stringify|encodeURIComponent)\((.*)\)", expression):
            inner = self._value(called[2], item)
            return json.dumps(inner) if called[1].startswith("JSON") else quote(str(inner), safe="")
        for choice in expression.split("||"):
            parts = [self._term(part, item) for part in choice.split(" + ")]
            held = "".join(map(str, parts)) if len(parts) > 1 else parts[0]
            if held:
                break
        return held

    def _term(self, written: str, item: Any) -> Any:
        found = TERM.fullmatch(written)
        assert found, written
        if found["word"] is not None or found["null"]:
            return found["word"]
        held = self._given[found["node"]] if found["node"] else item
        for step in re.findall(r"\w+", found["path"]):
            held = held[int(step)] if step.isdecimal() else held.get(step)
        return held


def documented(method: str, path: str, body: Any) -> None:
    """Hold a request against the OpenAPI document."""
    whole = document()
    fitting = [one for one in whole["paths"] if re.fullmatch(re.sub(r"{\w+}", "[^/]+", one), path)]
    operations = [whole["paths"][one][method.lower()] for one in fitting if method.lower() in whole["paths"][one]]
    assert len(operations) == 1, (method, path)
    if body is None:
        assert "requestBody" not in operations[0]
        return
    schema = operations[0]["requestBody"]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": whole["components"]}).validate(body)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house() as made:
        yield made


MESSAGE = {"from": "5511912345678", "id": "wamid.1", "text": "o que posso comer?", "name": "Ana", "channel": "whatsapp"}
PERSON = "whatsapp:5511912345678"


async def test_a_message_is_answered_with_what_is_remembered_and_kept(house: House) -> None:
    await house.memory.add("É alérgica a amendoim", user=PERSON)
    with scripted(spoken("Nada com amendoim.")) as model:
        async with house.client("admin") as client:
            run = Run(house, client, model.url)
            status, answer = await run.of(MESSAGE)
        assert "amendoim" in model.requests[0].system
        assert model.requests[0].user == MESSAGE["text"]
    assert (status, answer) == (200, {"user": PERSON, "reply": "Nada com amendoim."})
    replied, said = await house.memory.messages(user=PERSON)
    assert (said.text, said.author_name, said.external_id) == (MESSAGE["text"], "Ana", "whatsapp:wamid.1")
    assert (replied.text, said.conversation) == ("Nada com amendoim.", "whatsapp")
    assert run.passed[-4:] == ["Context", "Model", "Save", "Reply"]


async def test_the_command_is_answered_by_the_memory_for_whoever_is_linked(house: House) -> None:
    await house.memory.link("whatsapp", "5511912345678", user="ana")
    await house.memory.add("A reunião com o cliente é quinta às 15h", user="ana")
    async with house.client("admin") as client:
        run = Run(house, client, "")
        status, answer = await run.of(MESSAGE | {"text": "/lembrar reunião cliente"})
    assert (status, answer["user"], "15h" in answer["reply"]) == (200, "ana", True)
    assert run.passed[-1] == "Reply to command"
    assert await house.memory.messages(user="ana") == []


async def test_what_only_looks_like_a_command_is_talk(house: House) -> None:
    with scripted(spoken("Sim.")) as model:
        async with house.client("admin") as client:
            run = Run(house, client, model.url)
            assert (await run.of(MESSAGE | {"text": "/tmp é uma pasta?"}))[1]["reply"] == "Sim."
    assert "Known?" in run.passed


@each([{}, {"text": ""}, {"from": "1"}])
async def test_a_message_without_words_is_refused(body: dict[str, Any], house: House) -> None:
    async with house.client("admin") as client:
        assert (await Run(house, client, "").of(body))[0] == 400
    assert (await house.memory.stats()).messages == 0
