"""The HTTP interface against the verbs it offers: one name everywhere, nothing left out, and the document kept."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

from fastapi import FastAPI
from pydantic import BaseModel

from loops import each
from relembra import Memory
from relembra.domain.access import Right
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import Needs
from relembra.interfaces.http.schemas import parameters_of, path_of
from relembra.learn.drafts import DraftParts
from relembra.settings import Settings
from relembra.verbs import NOT_OFFERED, PARAMETERS, described
from relembra.verbs import VERBS as VERB_ROWS
from serving import Operation, operations

DOCS = Path(__file__).parents[4] / "docs" / "http.md"


def an_app() -> FastAPI:
    """Without a memory: only looked at."""
    return create_app(None, Settings(), is_open=True)  # type: ignore[arg-type]


DOCUMENT = an_app().openapi()
ROUTES = [one for one in operations(an_app()) if one.tag not in ("chat", "webhooks")]
VERBS = {name: verb for name, verb in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}


def test_every_verb_is_a_route_of_the_same_name_or_says_why_not() -> None:
    named = {one.id for one in ROUTES}
    assert sorted(set(VERBS) - named) == sorted(NOT_OFFERED)
    assert named <= set(VERBS)


def test_no_name_is_used_twice() -> None:
    ids = [one["operationId"] for way in DOCUMENT["paths"].values() for one in way.values()]
    assert len(ids) == len(set(ids))


def given_of(route: Operation) -> list[type[BaseModel]]:
    hints = get_type_hints(route.endpoint)
    return [kind for kind in hints.values() if isinstance(kind, type) and issubclass(kind, BaseModel)]


@each(ROUTES)
def test_what_a_verb_may_leave_out_for_models_elsewhere_a_request_can_ask_for(route: Operation) -> None:
    verb = VERBS[route.id]
    if "outside" in inspect.signature(verb).parameters:
        assert any("outside" in model.model_fields for model in given_of(route))


def test_every_parameter_is_described_and_no_description_is_left_over() -> None:
    used = set()
    for verb in VERB_ROWS.values():
        for name in [*path_of(verb), *(one for one, *_ in parameters_of(verb))]:
            assert described(verb, name), (verb.name, name)
            used |= {f"{verb.name}.{name}", name}
    drafts = {f"add.{name}" for name in DraftParts.__annotations__}
    assert set(PARAMETERS) <= used | drafts


@each(ROUTES)
def test_every_body_has_an_example_that_it_takes(route: Operation) -> None:
    for model in given_of(route):
        if model.model_config.get("strict"):
            shown: Any = model.model_config.get("json_schema_extra")
            assert shown["examples"]
            for example in shown["examples"]:
                model.model_validate(example)


def test_the_document_is_as_it_was(golden: Callable[[str, str], None]) -> None:
    """A line a route and a value, so that a change of one shows as one."""
    document = DOCUMENT
    routes = [(f"{way.upper()} {path}", told) for path, ways in document["paths"].items() for way, told in ways.items()]
    values = document["components"]["schemas"].items()
    lines = [f"{name} {json.dumps(told, ensure_ascii=False, sort_keys=True)}" for name, told in (*routes, *values)]
    golden("http/openapi.txt", "\n".join(sorted(lines)) + "\n")


def right_of(route: Operation) -> Right:
    hints = get_type_hints(route.endpoint, include_extras=True)
    needs = [part.dependency for kind in hints.values() for part in getattr(kind, "__metadata__", ()) if is_need(part)]
    [need] = needs
    assert isinstance(need, Needs)
    return need.right


def is_need(part: object) -> bool:
    return isinstance(getattr(part, "dependency", None), Needs)


def test_the_page_has_a_row_for_every_route_with_the_right_it_needs() -> None:
    rows = re.findall(
        r"^\| `(\w+) (/v1/\S+)` \| `(\w+)` \| (read|write|admin)\b", DOCS.read_text("utf-8"), re.MULTILINE
    )
    shown = [(one.method, one.path.replace(":path", ""), one.id, right_of(one).value) for one in ROUTES]
    assert sorted(rows) == sorted(shown)
