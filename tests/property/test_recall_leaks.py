"""No leak: whoever asks wherever, nothing comes back in any form that may not be heard there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import NOW, a_conversation, a_message, a_note, an_id, an_item, days, kept
from memories import Clock, InMemoryStore, a_memory
from relembra import Memory
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.policy import COMPANION, LIFE, WORK
from relembra.domain.scope import DIRECT, Place, Scope, may_hear, shelf_of
from relembra.minds.offline.analysis import BilingualAnalyzer
from seeds import rounds

PEOPLE = ("ana", "bia", "caio")
PLACES = (DIRECT, Place("g1", "a"), Place("g1", "b"), Place("g2", "a"))
TENANTS = ("default", "default", "other")
AnyRow = KnowledgeItem | Note | Message

marks = st.sampled_from([None, None, None, NOW - days(1)])


@dataclass(frozen=True)
class Laid:
    """A row with the word only it holds."""

    row: AnyRow
    mark: str


def talk(draw: st.DrawFn) -> list[Laid]:
    """What some people said in some places, mostly in several: who speaks in two channels is where one leaks.

    A question in a channel looks among those who spoke there, so that whoever spoke in one alone shows nothing.
    """
    spoken = draw(st.lists(st.sampled_from(list(product(PEOPLE, PLACES))), unique=True, min_size=3, max_size=10))
    rows = []
    for number, (user, place) in enumerate(sorted(spoken, key=str), 50):
        mark, at = f"marca{number}z", NOW - days(number - 45)
        text = f"regata {mark} de Clara"
        message = a_message(
            id=an_id(number + 1), scope=Scope("default", user), place=place, text=text, author=user, sent_at=at,
            saved_at=at, conversation=f"c{number}",
        )  # fmt: skip
        rows.append(Laid(message, mark))
    return rows


@st.composite
def laid(draw: st.DrawFn) -> list[Laid]:
    """Rows of several people in several places, all about the same thing."""
    rows = talk(draw)
    for number in range(draw(st.integers(1, 14))):
        scope = Scope(draw(st.sampled_from(TENANTS)), draw(st.sampled_from(PEOPLE)))
        place, mark = draw(st.sampled_from(PLACES)), f"marca{number}z"
        text, id = f"regata {mark} de Clara", an_id(number + 1)
        at = NOW - days(draw(st.integers(1, 40)))
        row: AnyRow
        match draw(st.sampled_from(["item", "note", "message", "message"])):
            case "item":
                row = an_item(
                    id=id, scope=scope, place=place, title=mark, content=text, created_at=at, held_from=at,
                    subject=draw(st.sampled_from(["self", "Clara"])), archived_at=draw(marks), deleted_at=draw(marks),
                    superseded_at=draw(marks), attribute=draw(st.sampled_from([None, "residence", "relation"])),
                    value=mark,
                )  # fmt: skip
            case "note":
                people = tuple(draw(st.sets(st.sampled_from(PEOPLE), min_size=1)))
                row = a_note(
                    id=id, scope=shelf_of(scope, place), place=place, title=mark, summary=text, happened_at=at,
                    participants=people if place.space else (scope.user,), archived_at=draw(marks),
                )  # fmt: skip
            case _:
                row = a_message(
                    id=id, scope=scope, place=place, text=text, author=draw(st.sampled_from([scope.user, *PEOPLE])),
                    sent_at=at, saved_at=at, conversation=f"c{number}", deleted_at=draw(marks),
                )  # fmt: skip
        rows.append(Laid(row, mark))
    return rows


def may_be_told(row: AnyRow, asker: Scope, asked: Place, blocked: str | None) -> bool:
    """The rule, said once more: one's own where it may be heard, and of others what the space asked in was told, their
    messages in that very channel."""
    if asker.user == blocked or (isinstance(row, Message) and row.deleted_at is not None):
        return False
    if row.scope.tenant != asker.tenant:
        return False
    if isinstance(row, Note) and row.scope.space is not None:
        return row.place.space == asked.space
    if row.scope.user == asker.user:
        return may_hear(row.place, asked)
    if isinstance(row, Message):
        return not asked.is_private and row.place == asked and blocked not in (row.scope.user, row.author)
    return isinstance(row, KnowledgeItem) and not asked.is_private and row.place.space == asked.space


def said_there(row: Message, asker: Scope, asked: Place) -> bool:
    """Whether it was said in the asker's own memory in private, or by anybody in the channel asked in."""
    if asked.is_private:
        return row.scope == asker
    return row.scope.tenant == asker.tenant and row.place == asked


async def told(
    memory: Memory, asker: Scope, asked: Place, wishes: dict[str, Any]
) -> tuple[list[AnyRow], str, set[str], set[str]]:
    """Every row that came back in any way, all text, and whom the question was understood to name, known or heard."""
    who: dict[str, Any] = {"user": asker.user, "tenant": asker.tenant, "space": asked.space}
    who |= {} if asked.is_private else {"channel": asked.channel}
    everybody: dict[str, Any] = {"speakers": PEOPLE, "mentioned": PEOPLE, "budget": 20_000}
    query = "regata da Clara @bia, que ana e caio e bia contaram"
    search = await memory.search(query, limit=100, **who, **wishes)
    recall = await memory.recall(query, limit=100, trace=True, **who, **wishes)
    load = await memory.load(query=query, **who, **everybody, **wishes)
    newest = await memory.load(**who, **everybody, **wishes)
    trace = await memory.why(query, budget=20_000, **who, **wishes)
    rows: list[AnyRow] = [hit.item for hit in (*search, *recall.items)]
    for found in (recall.notes, load.notes, trace.context.notes):
        rows += [hit.note for hit in found]
    rows += [hit.message for hit in recall.messages]
    rows += [one.row for one in (*recall.missed, *trace.missed)]
    for context in (load, newest, trace.context):
        rows += [*context.items, *context.messages]
    names = {*recall.inquiry.names, *trace.inquiry.names}
    text = "\n".join([load.text, newest.text, trace.context.text, str(load.chat)])
    assert set(recall.conversations) <= {row.conversation for row in rows if isinstance(row, Message)}
    return rows, text, names, {*recall.inquiry.speakers, *trace.inquiry.speakers}


def rows_of(given_: Iterable[Laid]) -> list[AnyRow | Conversation]:
    talks = [
        a_conversation(id=one.row.conversation, scope=one.row.scope, place=one.row.place)
        for one in given_
        if isinstance(one.row, Message)
    ]
    return [*talks, *(one.row for one in given_)]


@settings(max_examples=rounds(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    laid(), st.sampled_from(PEOPLE), st.sampled_from(PLACES), st.sampled_from([LIFE, COMPANION, WORK]),
    st.sampled_from([{}, {"history": True}, {"as_of": NOW - days(5)}, {"true_at": NOW - days(5)}]),
    st.sampled_from([None, None, *PEOPLE]),
)  # fmt: skip
def test_nothing_comes_back_that_may_not_be_heard(
    given_: list[Laid], user: str, asked: Place, policy: Any, wishes: dict[str, Any], blocked: str | None
) -> None:
    asker = Scope("default", user)

    async def ask() -> None:
        store = InMemoryStore(BilingualAnalyzer())
        await kept(store, *rows_of(given_))
        async with a_memory(store, clock=Clock(), policy=policy) as memory:
            await memory.reindex()
            if blocked is not None:
                await memory.block(blocked)
            rows, text, names, speakers = await told(memory, asker, asked, wishes)
            await memory.settle()
        for row in rows:
            assert may_be_told(row, asker, asked, blocked)
        for one in given_:
            if not may_be_told(one.row, asker, asked, blocked):
                assert one.mark not in text
        heard = {
            one.row.subject
            for one in given_
            if isinstance(one.row, KnowledgeItem) and may_be_told(one.row, asker, asked, blocked)
        }
        if blocked != user:
            assert names <= heard
        spoke = {one.row.author for one in given_ if isinstance(one.row, Message) and said_there(one.row, asker, asked)}
        assert speakers <= spoke

    asyncio.run(ask())
