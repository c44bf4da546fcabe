from __future__ import annotations

from collections.abc import Iterator

import pytest

from scripted import ScriptedModel, scripted


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    """Stands in for a model's server."""
    with scripted() as server:
        yield server
