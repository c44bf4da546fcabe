from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from houses import House, a_house
from web_pages import Reader, a_reader


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True, keys=False) as house:
        yield house


@pytest.fixture
async def reader(house: House) -> AsyncIterator[Reader]:
    async with a_reader(house) as reader:
        yield reader
