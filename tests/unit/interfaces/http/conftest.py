from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from houses import House, a_house
from serving import client_of


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True) as made:
        yield made


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(house) as made:
        yield made
