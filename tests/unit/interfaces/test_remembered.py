from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, a_message
from loops import each
from relembra.domain.message import Message, Role
from relembra.domain.policy import LIFE
from relembra.interfaces.http.openai import plain
from relembra.interfaces.http.proxy import OPENING_TOKENS, block_of
from relembra.locale import Words
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.recall.assembly import MemoryContext, assemble

TOKENS = OfflineTokens()


def a_context(*recent: Message, **changes: Any) -> MemoryContext:
    ordinary: dict[str, Any] = {"hits": (), "earlier": (), "summary": None, "budget": 500, "language": "en"}
    return assemble(name="ana", recent=recent, now=NOW, policy=LIFE, tokens=TOKENS, **ordinary | changes)


@each(["en", "pt"])
def test_the_opening_has_the_room_that_is_kept_for_it(language: str) -> None:
    assert TOKENS.count(f"{Words(language, 'context')('opening')}\n\n") <= OPENING_TOKENS


@given(st.lists(st.text(min_size=1, max_size=200).filter(str.strip), min_size=1, max_size=8), st.integers(0, 400))
def test_a_block_stays_within_the_budget(texts: list[str], budget: int) -> None:
    context = a_context(*(a_message(text=text) for text in texts), budget=max(0, budget - OPENING_TOKENS))
    for sent in ((), {plain(texts[0])}):
        block = block_of(context, sent)
        if block is not None:
            assert TOKENS.count(block) <= budget


def test_what_the_model_is_told_anyway_is_left_out() -> None:
    said = a_message(text="My cat is\n Pingo.")
    replied = a_message(text="What a cat!", role=Role.ASSISTANT, author="assistant")
    context = a_context(said, replied, summary="They talked of cats.")
    whole = block_of(context, ())
    assert whole is not None
    assert "Pingo" in whole
    assert "talked of cats" in whole
    some = block_of(context, {"My cat is Pingo."})
    assert some is not None
    assert "Pingo" not in some
    assert "What a cat!" in some
    assert block_of(context, {"My cat is Pingo.", "What a cat!"}) is None
    assert block_of(context, (), held=said.conversation) is None


def test_nothing_remembered_is_no_block() -> None:
    assert block_of(a_context(), ()) is None
    assert block_of(a_context(a_message(), budget=0), ()) is None
