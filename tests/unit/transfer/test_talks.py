"""Taking chats in: whose words they become, once each, in whole files, and learnt from as if heard back then."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import ANA, Words
from chats import RECIFE, chatgpt, node, whatsapp, zipped
from loops import each
from memories import Clock, InMemoryStore, a_memory
from readers import NotationReader
from relembra import Memory
from relembra.bootstrap import offline_reader
from relembra.domain.case import Outcome
from relembra.domain.jobs import IMPORT, READ
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.policy import Policy
from relembra.errors import InvalidInputError, StoreError, UnknownSpeakerError
from relembra.minds.embedders import OfflineEmbedder
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.store.port import Ledger, Store, Whole, all_rows
from relembra.transfer.media import Media

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
ANYTIME = datetime(1970, 1, 2, tzinfo=UTC)


@pytest.fixture
async def memory(store: Store) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=Clock(NOW), reader=NotationReader()) as memory:
        yield memory


async def taken(memory: Memory, content: str | bytes, user: str = "ana", **how: Any) -> Any:
    given = content.encode() if isinstance(content, str) else content
    return await memory.import_(io.BytesIO(given), **{"user": user, "timezone": "America/Recife", **how})


async def said(memory: Memory, **asked: Any) -> list[tuple[str, str]]:
    """Who said what, in order."""
    found = await memory.messages(user="ana", limit=100, **asked)
    return [(one.author, one.text) for one in reversed(found)]


def lines(*rows: tuple[str, str, str]) -> str:
    """What was said when in which conversation."""
    return "\n".join(
        json.dumps({"role": "user", "at": at, "conversation": talk, "content": text}) for at, talk, text in rows
    )


async def known(memory: Memory) -> list[KnowledgeItem]:
    rows: list[Any] = await all_rows(partial(memory._store.page, ANA, Whole(Ledger.ITEM)), limit=500)
    return rows


TWO = whatsapp("13/03/2023 09:00 - Ana Lima: oi", "13/03/2023 09:00 - Rui: oi", "13/03/2023 09:00 - Rui: oi")
LATER = TWO + "14/03/2023 09:00 - Ana Lima: [likes=rowing]\n"
CHAT = chatgpt(
    node("q", None, ["a"], "user", "Moro em Olinda", 1_700_000_000),
    node("a", "q", [], "assistant", "Que bom!", 1_700_000_009),
)  # fmt: skip


async def test_a_chat_is_taken_in_once_and_a_longer_one_adds_what_is_new(memory: Memory) -> None:
    first = await taken(memory, TWO, me="ana lima")
    assert (first.added, first.by) == ({"conversations": 1, "messages": 3}, {"Rui": 2, "Ana Lima": 1})
    again = await taken(memory, TWO, me=["Ana Lima"])
    assert (again.total, again.skipped) == (0, 3)
    more = await taken(memory, LATER, me="Ana Lima")
    assert (more.added, more.skipped) == ({"messages": 1}, 3)
    assert await said(memory) == [("ana", "oi"), ("Rui", "oi"), ("Rui", "oi"), ("ana", "[likes=rowing]")]
    await memory.settle()
    assert [item.content for item in await memory.list(user="ana")] == ["Likes rowing"]


async def test_a_trial_keeps_nothing_and_says_what_would_come(memory: Memory) -> None:
    trial = await taken(memory, LATER + "14/03/2023 10:00 - Rui: <Media omitted>\n", me="Ana Lima", dry_run=True)
    assert (trial.dry_run, trial.added, trial.formats, trial.talks, trial.why) == (
        True, {"conversations": 1, "messages": 4}, ("whatsapp",), 1, {"media": 1},
    )  # fmt: skip
    assert (trial.first.isoformat(), trial.last.isoformat()) == (
        "2023-03-13T09:00:00-03:00",
        "2023-03-14T09:00:00-03:00",
    )
    assert (await memory.stats()).messages == 0


async def test_what_an_assistant_said_and_was_told(memory: Memory) -> None:
    await taken(memory, zipped({"conversations-000.json": CHAT, "chat.html": "<p>", "user.json": "{}"}))
    [conversation] = await memory.conversations(user="ana")
    assert (conversation.title, conversation.id) == ("Viagem", "chatgpt:c1")
    found = list(await memory.messages(user="ana"))
    assert [(one.role.value, one.text, one.zone, one.metadata) for one in found] == [
        ("assistant", "Que bom!", "America/Recife", {"imported_from": "chatgpt"}),
        ("user", "Moro em Olinda", "America/Recife", {"imported_from": "chatgpt"}),
    ]  # fmt: skip


@each(
    [
        (TWO, ["Ana Lima"], "Ana Lima"), (TWO.replace("Ana Lima", "ANÁ"), [], "ANÁ"),  # called as here
        (TWO + "14/03/2023 09:00 - Rui: \u200eYou deleted this message\n", [], "Rui"),  # as a line tells
    ]
)  # fmt: skip
async def test_who_it_is_is_told_or_found(content: str, me: list[str], name: str) -> None:
    async with a_memory(InMemoryStore(Words()), clock=Clock(NOW), reader=NotationReader()) as memory:
        await taken(memory, content, me=me)
        others = {who for who, _ in await said(memory)} - {"ana"}
        assert others == {"Ana Lima", "Rui", "ANÁ"} & set(content.replace(":", " - ").split(" - ")) - {name}


async def test_who_speaks_is_asked_where_nothing_tells(memory: Memory) -> None:
    for me in ([], ["Bia"]):
        with pytest.raises(UnknownSpeakerError) as asked:
            await taken(memory, TWO, me=me)
        assert asked.value.names == ("Rui", "Ana Lima")
    other = whatsapp("13/03/2023 09:00 - Ana Lima: tchau", "13/03/2023 09:01 - Bia: tchau")
    came = await taken(memory, zipped({"a.txt": TWO, "b.txt": other}))  # the one who speaks in both
    assert came.talks == 2
    assert {who for who, _ in await said(memory)} == {"ana", "Rui", "Bia"}


async def test_others_never_pass_for_the_person_or_the_assistant(memory: Memory) -> None:
    content = whatsapp(*(f"13/03/2023 09:00 - {name}: [residence=Oslo]" for name in ("Eu", "Ana", "Assistant", "Bia")))
    await taken(memory, content, me="Eu", spaces=False)
    assert [who for who, _ in await said(memory)] == ["ana", "Ana (whatsapp)", "Assistant (whatsapp)", "Bia"]
    await memory.settle()
    assert {item.speaker for item in await known(memory)} == {None, "Ana (whatsapp)", "Assistant (whatsapp)", "Bia"}


GROUP = whatsapp("13/03/2023 09:00 - Ana criou o grupo “Turma”", "13/03/2023 09:00 - Ana: [likes=rowing]",
    "13/03/2023 09:01 - Rui: [likes=tea]")  # fmt: skip


async def test_a_group_becomes_a_space_and_stays_there(memory: Memory) -> None:
    await taken(memory, GROUP)
    await memory.settle(flush=True)
    assert {(item.place.space, item.speaker) for item in await known(memory)} == {("Turma", None), ("Turma", "Rui")}
    [note] = await memory.notes(user="ana", space="Turma")
    assert note.participants == ("ana", "Rui")
    assert {item.note_id for item in await known(memory)} == {note.id}


@each(
    [
        (
            (
                "13/03/2023 09:00 - Rui: oi, tudo bem?",
                "13/03/2023 09:01 - Ana: Meu aniversário é dia 5 de agosto, não esquece hein",
                "13/03/2023 09:02 - Rui: Anotado",
                "13/03/2023 09:03 - Ana: Eu moro em Recife, trabalho na Vale",
                "14/06/2024 09:00 - Rui: bom dia",
                "14/06/2024 09:01 - Ana: Agora trabalho na Globo",
            ),
            {("birthday", "5 de agosto", True), ("residence", "Recife", True), ("employment", "Vale", False),
             ("employment", "Globo", True)},
        ),
        (
            (
                "13/03/2023 09:00 - Rui: Hello",
                "13/03/2023 09:01 - Ana: My birthday is on May 3",
                "14/06/2023 09:00 - Rui: hi there",
                "14/06/2023 09:01 - Ana: I moved to Boston in May. I work at Moderna now",
                "14/09/2024 09:00 - Rui: how are things?",
                "14/09/2024 09:01 - Ana: We moved to Denver last month",
            ),
            {("birthday", "May 3", True), ("employment", "Moderna", True), ("residence", "Boston", False),
             ("residence", "Denver", True)},
        ),
    ]
)  # fmt: skip
async def test_what_people_tell_each_other_of_themselves_is_learnt(
    chat: tuple[str, ...], learnt: set[tuple[str, str, bool]]
) -> None:
    reader = offline_reader(OfflineTokens(), Policy())
    async with a_memory(InMemoryStore(Words()), clock=Clock(NOW), reader=reader) as memory:
        await taken(memory, whatsapp(*chat), me="Ana")
        await memory.settle(flush=True)
        assert {(item.attribute, item.value, item.held_until is None) for item in await known(memory)} == learnt


async def test_a_group_is_kept_in_private_where_others_would_hear_it(memory: Memory) -> None:
    await taken(memory, GROUP, spaces=False)
    assert {one.place.space for one in await memory.messages(user="ana")} == {None}


async def test_nothing_of_the_blocked_is_kept(memory: Memory) -> None:
    await memory.block("rui")
    came = await taken(memory, LATER, me="Ana Lima")
    assert (came.why, {who for who, _ in await said(memory)}) == ({"blocked": 2}, {"ana"})


async def test_what_another_memory_knew_comes_once(memory: Memory) -> None:
    content = json.dumps(
        [{"id": "a", "memory": "Lives in Leeds", "created_at": "2024-01-01T00:00:00Z"}, {"memory": "\x00", "id": "b"}]
    )
    came = [await taken(memory, content) for _ in range(2)]
    assert [(one.added["items"], one.skipped, one.why) for one in came] == [(1, 0, {"empty": 1}), (0, 1, {"empty": 1})]
    [item] = await memory.list(user="ana")
    assert (item.content, item.source.value, item.held_from.year) == ("Lives in Leeds", "import", 2024)


async def test_what_other_memories_knew_meets_what_is_held_as_of_then(memory: Memory) -> None:
    facts = [("[residence=Lisbon]", 2024), ("[residence=Porto]", 2023), ("Long walks by the sea", 2023)]
    knew = [{"id": text, "memory": text, "created_at": f"{year}-04-01T10:00:00Z"} for text, year in facts]
    assert [(await taken(memory, json.dumps(knew))).added["items"] for _ in range(2)] == [3, 0]
    again = {**knew[0], "id": "the same under another id", "updated_at": "2025-01-01T00:00:00Z"}
    assert (await taken(memory, json.dumps([again]))).added["items"] == 0
    assert {item.value for item in await known(memory) if item.superseded_by} == {"Porto"}
    changed = {**knew[0], "memory": "[residence=Oslo]", "updated_at": "2025-01-01T00:00:00Z"}
    assert (await taken(memory, json.dumps([changed]))).added["items"] == 1
    assert {item.value for item in await known(memory) if not item.superseded_by} == {"Oslo", None}


async def test_of_several_people_s_memories_only_the_person_s_own_is_taken(memory: Memory) -> None:
    knew = [{"id": name, "memory": f"[likes={name}]", "user_id": name} for name in ("Ana", "bruno", "rui")]
    came = await taken(memory, json.dumps(knew))
    assert ([item.value for item in await known(memory)], came.why) == (["Ana"], {"others": 2})
    with pytest.raises(UnknownSpeakerError) as asked:
        await taken(memory, json.dumps(knew), user="zoe")
    assert asked.value.names == ("Ana", "bruno", "rui")
    assert (await taken(memory, json.dumps(knew), user="zoe", me="rui")).added["items"] == 1
    assert (await taken(memory, json.dumps(knew[:1]), user="leo")).added["items"] == 1  # there is but one


async def test_whom_a_graph_is_about_stands_in_the_words(memory: Memory) -> None:
    rows = [
        {"type": "entity", "name": "default_user", "entityType": "person", "observations": ["[residence=Oslo]"]},
        {"type": "entity", "name": "Mia", "entityType": "person", "observations": ["[residence=Boston]"]},
        {"type": "relation", "from": "Mia", "relationType": "works_with", "to": "default_user"},
    ]
    await taken(memory, "\n".join(map(json.dumps, rows)))
    told = {(item.content, item.subject, item.value) for item in await known(memory)}
    assert {("[residence=Oslo]", "self", "Oslo"), ("Mia: [residence=Boston]", "Mia", "Boston")} <= told
    assert "Mia: works with default_user" in {content for content, *_ in told}


async def test_a_chat_without_zones_is_the_same_in_any(memory: Memory) -> None:
    await taken(memory, LATER, me="Ana Lima")
    assert (await taken(memory, LATER, me="Ana Lima", timezone="Asia/Tokyo")).total == 0


async def test_what_is_said_again_in_turns_is_kept_as_often(memory: Memory) -> None:
    rows = [("2023-03-13", talk, text) for _ in range(2) for talk, text in (("a", "yes"), ("b", "hm"))]
    assert (await taken(memory, lines(*rows))).added["messages"] == 4
    assert (await taken(memory, lines(*rows))).total == 0


async def test_a_friend_of_the_person_s_name_is_not_them_where_the_file_tells(memory: Memory) -> None:
    about = {"personal_information": {"first_name": "Ana", "last_name": "Paula"}}
    rows = [
        {"id": number, "type": "message", "date": "2023-03-13T09:00:00", "from": name, "text": "oi"}
        for number, name in enumerate(("Ana Paula", "Ana"))
    ]
    chat = {"name": "Ana", "type": "personal_chat", "id": 1, "messages": rows}
    came = await taken(memory, json.dumps({**about, "chats": {"list": [chat]}}))
    assert (came.me, await said(memory)) == (("Ana Paula",), [("ana", "oi"), ("Ana (telegram)", "oi")])


async def test_what_came_in_an_export_is_no_conversation_going_on(memory: Memory) -> None:
    await taken(memory, lines(("2026-11-19T11:55:00Z", "c", "The dentist called")))
    assert "dentist" not in (await memory.load(user="ana")).text
    assert "dentist" in (await memory.load(user="ana", conversation="jsonl:c")).text
    assert "dentist" in (await memory.load(user="ana", query="Who called, the dentist?")).text


class Hears:
    """A transcriber that always hears the same."""

    name = "hears"

    async def transcribe(self, audio: bytes, name: str) -> str:
        return "hello"

    async def close(self) -> None:
        pass


async def test_a_damaged_recording_is_left_out_alone(store: Store) -> None:
    heard = "[13/03/2023, 09:00:00] Ana: oi\n[13/03/2023, 09:01:00] Rui: \u200e<attached: a.opus>\n"
    content = bytearray(
        zipped({"_chat.txt": heard, "a.opus": b"sound" * 40, "b.m4a": b"x" * 90, "c.md": "Rent is 900"})
    )
    for name in (b"a.opus", b"b.m4a"):
        content[content.index(name) + len(name) + 4] ^= 0xFF
    async with a_memory(store, clock=Clock(NOW), reader=NotationReader(), media=Media(Hears())) as memory:
        came = await taken(memory, bytes(content), me="Ana")
        assert came.added == {"conversations": 1, "messages": 1, "documents": 1, "passages": 1}
        assert came.why == {"unreadable": 1}


@each(
    [
        ("hello", "no export"), ('{"a": 1}', "no export"), (CHAT[:-9], "cut off"),
        ("[" + CHAT[1:-1] + ",7]", "element 2 must"),
        (zipped({"a.json": CHAT[:-9]}), r"a\.json.*cut off"), (zipped({"a.json": "x"}), "no export"),
    ]
)  # fmt: skip
async def test_a_file_with_anything_wrong_brings_nothing(content: str | bytes, why: str) -> None:
    async with a_memory(InMemoryStore(Words()), clock=Clock(NOW), reader=NotationReader()) as memory:
        with pytest.raises(InvalidInputError, match=why) as refused:
            await taken(memory, content)
        assert (refused.value.field, (await memory.stats()).messages, await memory.jobs()) == ("file", 0, [])


async def test_of_several_files_each_stands_for_itself(memory: Memory, tmp_path: Path) -> None:
    for name, content in {"good.json": CHAT, "bad.json": CHAT[:-9], "notes.txt": "x"}.items():
        (tmp_path / name).write_text(content)
    came = await memory.import_(tmp_path, user="ana")
    assert (came.added["messages"], came.left_alone, [one.file for one in came.refused]) == (2, 0, ["bad.json"])


HOSTILE: list[dict[str, Any]] = [
    {"role": "user", "content": "a\x00b", "at": 1e9}, {"role": "user", "content": "\ud83d", "at": 1e9},
    {"role": "user", "content": "x", "at": 1e18}, {"role": "user", "content": "x", "at": "0001-01-01T00:00:00"},
    {"role": "user", "content": "x", "at": float("nan")}, {"role": "user", "content": "x" * 1_100_000, "at": 1e9},
    {"role": "user", "content": "x", "at": "9999-12-31T23:59:59-14:00"},
    {"role": "user", "content": "\u200b", "at": 1e9},
    {"role": "user", "content": "y", "at": 1e9, "conversation": "\x1f" * 500, "space": "\x1fguild", "name": "\u202e"},
]  # fmt: skip


async def test_what_no_memory_could_keep_is_left_out_or_made_fit(memory: Memory) -> None:
    came = await taken(memory, "\n".join(json.dumps({"conversation": str(n), **row}) for n, row in enumerate(HOSTILE)))
    assert came.why == {"time": 4, "long": 1, "empty": 1}
    assert sorted(text for _, text in await said(memory)) == ["ab", "y", "�"]


async def test_an_import_that_was_stopped_goes_on_when_it_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relembra.transfer.talks.BATCH", 1)
    store = InMemoryStore(Words())
    async with a_memory(store, clock=Clock(NOW), reader=NotationReader()) as memory:
        for _ in range(4):
            apply, calls = store.apply, 0

            async def once(*given: Any, apply: Any = apply, **named: Any) -> Any:
                nonlocal calls
                calls += 1
                if calls == 3:  # the hold, one message, and then nothing more
                    raise StoreError("the power went off")
                return await apply(*given, **named)

            monkeypatch.setattr(store, "apply", once)
            with contextlib.suppress(StoreError):
                await taken(memory, LATER, me="Ana Lima")
            monkeypatch.setattr(store, "apply", apply)
        await taken(memory, LATER, me="Ana Lima")
        await memory.settle()
        assert len(await said(memory)) == 4
        assert [item.content for item in await memory.list(user="ana")] == ["Likes rowing"]
        assert [job for job in await memory.jobs() if job.kind == IMPORT] == []


async def test_nothing_is_learnt_until_all_is_here(memory: Memory) -> None:
    """And what an import left behind that was killed is let go by the worker."""
    store = memory._store
    states: list[set[str]] = []
    progress = lambda *_: None  # noqa: E731
    apply = store.apply

    async def looked(*given: Any, **named: Any) -> Any:
        receipt = await apply(*given, **named)
        claimed = await store.claim((READ,), now=NOW, lease=timedelta(), limit=1, after=(IMPORT,))
        states.append({job.kind for job in claimed})
        return receipt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "apply", looked)
        await taken(memory, LATER, me="Ana Lima", progress=progress)
    assert states[:-2] == [set()] * len(states[:-2])
    assert {READ} in states[-2:]


STORY = [
    ("2022-03-01T10:00-03:00", "a", "[residence=Recife] [employment=Acme]"),
    ("2022-05-10T20:00-03:00", "b", "[residence=Natal@2022-07-01]"),
    ("2022-09-01T20:00-03:00", "c", "[likes=rowing]"),
    ("2023-06-20T12:00-03:00", "a", "[employment=Globo!]"),
    ("2023-09-20T12:00-03:00", "b", "[dislikes=rowing]"),
    ("2025-03-03T12:00-03:00", "c", "[residence=Lisboa]"),
    ("2026-01-03T12:00-03:00", "a", "[likes=tea]"),
]
READ_BY_PEOPLE = {
    "pt": ["Eu moro no Recife e trabalho na Acme.", "Em julho vou me mudar para Natal.", "Hoje estou muito triste.",
           "Fui demitido da Acme.", "Agora trabalho na Globo.", "Agora moro em Lisboa.", "Meu peso é 80 kg."],
    "en": ["I live in Leeds and I work at Acme.", "In July I'm moving to Bristol.", "I am very sad today.",
           "I was fired from Acme.", "I work at Globex now.", "I live in Lisbon now.", "My weight is 80 kg."],
}  # fmt: skip


async def learnt(memory: Memory) -> list[tuple[Any, ...]]:
    """All that came of it, with its dates."""
    rows = await known(memory)
    content = {row.id: row.content for row in rows}
    return sorted(
        (row.content, row.held_from, row.held_until, row.expires_at, content.get(row.superseded_by or ""),
         row.archived_at is not None, row.needs_resolution, row.weight) for row in rows
    )  # fmt: skip


async def lived(memory: Memory, clock: Clock, story: Sequence[tuple[str, str, str]]) -> list[tuple[Any, ...]]:
    """Each message saved when it was said, and all work done when it was due."""

    async def until(moment: datetime) -> None:
        while True:
            coming = [due for due in (await memory._store.next_due()).values() if clock.now < due < moment]
            if not coming:
                break
            clock.now = min(coming)
            await memory.settle()
        clock.now = moment

    clock.now = datetime.fromisoformat(story[0][0]) - timedelta(days=1)
    for at, talk, text in story:
        await until(datetime.fromisoformat(at).astimezone(UTC))
        await memory.save(user="ana", said=text, conversation=talk, at=clock.now.astimezone(RECIFE))
        await memory.settle()
    await until(NOW)
    return await learnt(memory)


async def imported(
    memory: Memory, clock: Clock, files: Sequence[Sequence[tuple[str, str, str]]]
) -> list[tuple[Any, ...]]:
    clock.now = NOW - timedelta(days=1)
    for rows in files:
        await taken(memory, lines(*rows))
        await memory.settle()
    clock.now = NOW
    await memory.settle()
    return await learnt(memory)


@settings(max_examples=8)
@given(st.randoms(use_true_random=False), st.lists(st.sampled_from(STORY), min_size=2, unique=True))
async def test_a_story_imported_in_any_order_is_learnt_as_if_heard_live(
    chance: random.Random, some: list[tuple[str, str, str]]
) -> None:
    story = sorted(some)
    found = []
    for as_file in (False, True):
        clock = Clock(NOW)
        async with a_memory(InMemoryStore(Words()), clock=clock, reader=NotationReader()) as memory:
            chance.shuffle(some)
            found.append(await (imported(memory, clock, [some]) if as_file else lived(memory, clock, story)))
    assert found[0] == found[1]


@each(["pt", "en"])
async def test_what_people_write_is_read_as_of_then(language: str) -> None:
    story = [(at, talk, text) for (at, talk, _), text in zip(STORY, READ_BY_PEOPLE[language], strict=True)]
    found = []
    for as_file in (False, True):
        clock = Clock(NOW)
        async with a_memory(InMemoryStore(Words()), clock=clock, embedder=OfflineEmbedder()) as memory:
            found.append(await (imported(memory, clock, [story[::-1]]) if as_file else lived(memory, clock, story)))
            assert len(found[-1]) >= 6
    assert found[0] == found[1]


@settings(max_examples=6)
@given(st.randoms(use_true_random=False))
async def test_what_is_known_of_later_is_not_replaced_by_what_was_said_before(chance: random.Random) -> None:
    """Exports that come one after another, the newer first: what holds now is the same."""
    files = [[row for row in STORY if row[1] == talk] for talk in "abc"]
    chance.shuffle(files)
    clock = Clock(NOW)
    async with a_memory(InMemoryStore(Words()), clock=clock, reader=NotationReader()) as memory:
        await imported(memory, clock, files)
        current = {item.content for item in await memory.list(user="ana")}
        assert current >= {"Lives in Lisboa", "Works at Globo", "Likes tea"}
        assert not current & {"Lives in Recife", "Works at Acme", "Lives in Natal"}
        assert [one for one in await memory.conflicts(user="ana") if one.case.outcome is Outcome.OPEN] == []
