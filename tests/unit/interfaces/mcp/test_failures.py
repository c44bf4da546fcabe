"""What an assistant is told when the store refuses."""

from __future__ import annotations

import pytest

from relembra.errors import StoreReadOnlyError
from relembra.interfaces.mcp.server import sentence_of
from relembra.locale import Words


@pytest.mark.parametrize(("language", "said"), [("en", "may only be read"), ("pt", "só pode ser lida")])
def test_a_memory_that_is_only_read_says_so(language: str, said: str) -> None:
    told = sentence_of(StoreReadOnlyError("/home/ana/m.db"), Words(language, "mcp"))
    assert said in told
    assert "/home/ana" not in told
