"""Nothing local-only gets out: whatever is asked for a model on another machine, its words are in no answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, BIA, NOW, a_case, a_conversation, a_message, a_note, an_id, an_item, kept, minutes
from memories import Clock, InMemoryStore, a_memory
from relembra import Memory
from relembra.domain.case import Case
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.policy import COMPANION, LIFE, WORK, Policy
from relembra.domain.scope import DIRECT, Place, Scope, shelf_of
from relembra.minds.offline.analysis import BilingualAnalyzer
from seeds import rounds

GROUP = Place("g1", "general")
ATTRIBUTES = (None, "residence", "relation", "likes", "medication")
ORDER = (Conversation, Message, Note, KnowledgeItem, Case)


@dataclass(frozen=True)
class Story:
    """Something said, answered, noted and learnt, each in words of its own; `secret`: it is to stay here."""

    number: int
    scope: Scope
    place: Place
    secret: bool
    attribute: str | None
    subject: str
    replaced: bool  # another value was held before
    doubted: bool  # a case stands open between it and the first story's item
    reported: bool
    insight: bool

    def word(self, what: str) -> str:
        return f"{what}marca{self.number}z"

    @property
    def words(self) -> list[str]:
        return [self.word(what) for what in ("item", "said", "reply", "note", "past", "report", "topic", "pattern")]


@st.composite
def stories(draw: st.DrawFn) -> list[Story]:
    return [
        Story(
            number=number,
            scope=draw(st.sampled_from([ANA, ANA, BIA])),
            place=draw(st.sampled_from([DIRECT, DIRECT, GROUP])),
            secret=draw(st.booleans()),
            attribute=draw(st.sampled_from(ATTRIBUTES)),
            subject=draw(st.sampled_from(["self", "Clara"])),
            replaced=draw(st.booleans()),
            doubted=draw(st.booleans()),
            reported=draw(st.booleans()),
            insight=draw(st.booleans()),
        )
        for number in range(draw(st.integers(1, 5)))
    ]


def rows_of(story: Story, first: KnowledgeItem | None) -> tuple[list[Any], KnowledgeItem]:
    at, base, scope, place = NOW - minutes(50 - 10 * story.number), 100 * (story.number + 1), story.scope, story.place
    shelf = shelf_of(scope, place)
    conversation = f"c{story.number}"
    said = a_message(
        id=an_id(base), scope=scope, place=place, author=scope.user, conversation=conversation, sent_at=at,
        text=f"regata {story.word('said')} da Clara ontem",
    )  # fmt: skip
    reply = a_message(
        id=an_id(base + 1), scope=scope, place=place, author="assistant", role=Role.ASSISTANT,
        conversation=conversation, sent_at=at + minutes(1), text=f"regata {story.word('reply')} anotada",
    )  # fmt: skip
    note = a_note(
        id=an_id(base + 2), scope=shelf, place=place, conversation=conversation, happened_at=at + minutes(1),
        title=f"regata {story.word('note')}", summary=f"regata {story.word('note')} da Clara",
        participants=(scope.user,), message_ids=(said.id, reply.id),
    )  # fmt: skip
    session = replace(note, id=an_id(base + 3), kind=NoteKind.SESSION)
    topic = replace(
        note, id=an_id(base + 4), kind=NoteKind.TOPIC_CLUSTER, conversation=None, message_ids=(), note_ids=(note.id,),
        title=f"regata {story.word('topic')}", summary=f"regata {story.word('topic')} da Clara",
    )  # fmt: skip
    item = an_item(
        id=an_id(base + 5), scope=scope, place=place, title=story.word("item"), subject=story.subject,
        content=f"A regata {story.word('item')} da Clara", attribute=story.attribute, value=story.word("item"),
        message_ids=(said.id,), note_id=note.id, created_at=at, held_from=at, local_only=story.secret,
    )  # fmt: skip
    also = an_item(
        id=an_id(base + 6), scope=scope, place=place, title="barco", content=f"A regata tem barco {story.number}",
        message_ids=(said.id,), note_id=note.id, evidence=said.text, source=Source.AI_INFERENCE, created_at=at,
        held_from=at,
    )  # fmt: skip
    rows: list[Any] = [a_conversation(id=conversation, scope=scope, place=place), said, reply]
    rows += [note, session, topic, item, also]
    if story.replaced:
        rows.append(
            replace(
                item,
                id=an_id(base + 7),
                content=f"regata {story.word('past')}",
                value=story.word("past"),
                title=story.word("past"),
                superseded_by=item.id,
                superseded_at=at,
                message_ids=(),
                note_id=None,
                local_only=False,
            )
        )
    if story.insight:
        rows.append(
            an_item(
                id=an_id(base + 8),
                scope=scope,
                place=place,
                type=KnowledgeType.INSIGHT,
                source=Source.AI_INFERENCE,
                content=f"regata {story.word('pattern')}",
                title="pattern",
                message_ids=(said.id,),
                created_at=at,
                held_from=at,
            )
        )
    if story.reported and place.is_private:
        rows.append(
            a_note(
                id=an_id(base + 9),
                scope=scope,
                kind=NoteKind.APPOINTMENT,
                title="regata",
                happened_at=at,
                summary=f"regata {story.word('report')}: “A regata {story.word('item')} da Clara”",
            )
        )
    if story.doubted and first is not None and first.scope == scope and first.place == place:
        rows.append(a_case(id=an_id(base + 10), scope=scope, place=place, old_id=first.id, new_id=item.id))
    return rows, item


def laid(told: Sequence[Story]) -> list[Any]:
    rows: list[Any] = []
    first: KnowledgeItem | None = None
    for story in told:
        made, item = rows_of(story, first)
        rows += made
        first = first or item
    return sorted(rows, key=lambda row: ORDER.index(type(row)))


def plain(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value, enc_hook=lambda one: getattr(one, "__dict__", str(one))), default=str)


async def answers(memory: Memory, user: str, place: Place, wishes: dict[str, Any]) -> str:
    """All that any verb says for a model on another machine, as one text."""
    who: dict[str, Any] = {"user": user, "outside": True}
    where = who | ({} if place.is_private else {"space": place.space, "channel": place.channel})
    query = "regata da Clara @bia"
    everybody: dict[str, Any] = {"speakers": ("ana", "bia"), "mentioned": ("ana", "bia"), "budget": 20_000}
    told: list[Any] = [
        await memory.search(query, limit=100, **where, **wishes),
        await memory.recall(query, limit=100, trace=True, **where, **wishes),
        await memory.list(limit=100, **where, **wishes), await memory.messages(limit=100, **where),
        await memory.notes(limit=100, kind=[str(kind) for kind in NoteKind], **where),
        await memory.conflicts(limit=100, **where), await memory.cognitive(**where), await memory.people(**where),
        await memory.minified(**where), await memory.insights(**where), await memory.me(**who),
        await memory.call_tool("search_knowledge", {"query": query, "limit": 10}, **where),
        await memory.call_tool("analyze_context", {"current_topic": query}, **where),
        await memory.command("/recall regata", **where), await memory.command("/perfil", **where),
        await memory.command("/forget regata", **where),
    ]  # fmt: skip
    for conversation in (None, "c0", "c1"):
        context = await memory.load(query=query, conversation=conversation, **where, **everybody, **wishes)
        told += [context, context.text, str(context.chat)]
    newest = await memory.load(**where, **everybody, **wishes)
    trace = await memory.why(query, budget=20_000, **where, **wishes)
    profile = await memory.profile(**where)
    told += [newest, newest.text, trace, trace.context.text]
    return "\n".join([*(plain(one) for one in told), repr(profile)])


@settings(max_examples=rounds(25), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    stories(), st.sampled_from(["ana", "bia"]), st.sampled_from([DIRECT, GROUP]),
    st.sampled_from([LIFE, COMPANION, WORK]), st.sampled_from([{}, {"history": True}, {"as_of": NOW - minutes(15)}]),
)  # fmt: skip
def test_no_word_of_what_stays_here_is_in_any_answer(
    told: list[Story], user: str, place: Place, policy: Policy, wishes: dict[str, Any]
) -> None:
    async def ask() -> None:
        store = InMemoryStore(BilingualAnalyzer())
        await kept(store, *laid(told))
        async with a_memory(store, clock=Clock(), policy=policy) as memory:
            await memory.reindex()
            inside = await memory.me(user=user)
            text = await answers(memory, user, place, wishes)
            again = await memory.me(user=user)
        for story in told:
            if story.secret:
                assert [word for word in story.words if word in text] == []
        assert again == inside  # asking for another changes nothing for oneself

    asyncio.run(ask())


def test_what_is_not_marked_gets_out() -> None:
    """The test above would be worth nothing if nothing came out."""
    story = Story(0, ANA, DIRECT, False, "residence", "self", True, False, True, True)

    async def ask() -> str:
        store = InMemoryStore(BilingualAnalyzer())
        await kept(store, *laid([story]))
        async with a_memory(store, clock=Clock()) as memory:
            await memory.reindex()
            return await answers(memory, "ana", DIRECT, {"history": True})

    text = asyncio.run(ask())
    assert [word for word in story.words if word not in text] == []


def test_what_others_said_in_a_channel_gets_out_where_it_is_not_marked() -> None:
    told = [Story(0, BIA, GROUP, False, None, "self", False, False, False, False)]
    told += [Story(1, BIA, GROUP, True, None, "self", False, False, False, False)]

    async def ask() -> str:
        store = InMemoryStore(BilingualAnalyzer())
        await kept(store, *laid(told))
        async with a_memory(store, clock=Clock()) as memory:
            await memory.reindex()
            return plain(
                await memory.recall("regata", user="ana", space="g1", limit=100, outside=True, kinds="message")
            )

    text = asyncio.run(ask())
    assert [story.word(what) in text for story in told for what in ("said", "reply")] == [True, True, False, False]
