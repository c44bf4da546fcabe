from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from houses import House, a_house
from web_pages import Reader, a_reader


@pytest.fixture
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house that is open, without keys, or as a module's `HOUSE` says."""
    async with a_house(**getattr(request.module, "HOUSE", {"is_open": True, "keys": False})) as house:
        yield house


@pytest.fixture
async def reader(house: House) -> AsyncIterator[Reader]:
    async with a_reader(house) as reader:
        yield reader
