"""Whatever fits the OpenAPI document, and much that does not, sent to a real server: never a mistake of ours, and what
comes back is what the document says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from acceptance.running import RELEMBRA
from acceptance.served import Running, serving
from relembra.interfaces.http.app import create_app
from relembra.settings import Settings
from scripted import Raw, scripted

EXAMPLES = 8
ENDLESS = {"/v1/events"}
SPEAK_FOR_A_MODEL = {"/v1/chat/completions", "/v1/responses", "/v1/models"}
"""What the model's server answers is passed on as it is."""

DOCUMENT = create_app(None, Settings(), is_open=True).openapi()  # type: ignore[arg-type]
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS: list[Any] = [found.ok() for found in SCHEMA.get_all_operations()]  # type: ignore[union-attr]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("fuzzed")
    with (
        scripted(Raw(200, b"{}", {"Content-Type": "application/json"})) as model,
        serving(
            folder, *RELEMBRA, "serve", "--json", "--db", "m.db", "--port", "0", RELEMBRA_UPSTREAM=model.url
        ) as running,
    ):
        yield running
        assert running.stop() == 0


@pytest.mark.filterwarnings("ignore:.*:hypothesis.errors.HypothesisWarning")
@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one.path not in ENDLESS], ids=lambda one: one.label)
def test_nothing_that_is_sent_is_a_mistake_of_ours(operation: Any, server: Running) -> None:
    good = operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)
    wrong = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)

    @seed(7)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def sent(data: st.DataObject) -> None:
        case = data.draw(good if data.draw(st.booleans()) else wrong)
        answer = case.call(base_url=server.url, timeout=60)
        if operation.path in SPEAK_FOR_A_MODEL:
            assert answer.status_code != 500, answer.text
        else:
            case.validate_response(answer, checks=CHECKS)

    sent()
    assert server.is_well()
