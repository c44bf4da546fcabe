"""Taking an export in: what comes, what stays, what is refused, and what happens when it is stopped."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from builders import ANA, BIA, NOW, Words, a_case, a_job, an_id, an_item, kept, minutes
from loops import each
from memories import Clock, InMemoryStore, a_memory
from readers import NotationReader
from relembra import Memory
from relembra.domain.jobs import GARDEN, Run, RunKind
from relembra.domain.message import Message
from relembra.domain.scope import Scope
from relembra.errors import InvalidInputError
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Account, Enqueue, Ledger, Put, Store, Whole
from relembra.transfer.exports import ExportFile, write_document, write_lines
from relembra.transfer.imports import Importer


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def theirs(clock: Clock) -> AsyncIterator[Memory]:
    """The memory an export comes from."""
    async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock, reader=NotationReader()) as memory:
        yield memory


@pytest.fixture
async def memory(store: Store, clock: Clock) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=clock, reader=NotationReader()) as memory:
        yield memory


async def export_of(memory: Memory, **what: Any) -> bytes:
    out = io.BytesIO()
    await memory.export(out, **{"user": "ana", **what})
    return out.getvalue()


async def taken(memory: Memory, document: bytes, **how: Any) -> Any:
    return await memory.import_(io.BytesIO(document), **how)


async def test_only_what_was_due_is_due_here(theirs: Memory, memory: Memory, clock: Clock) -> None:
    first = await theirs.save(user="ana", said="[likes=rowing]")
    await theirs.settle(flush=True)
    store = theirs._store
    due = await store.unaccounted(ANA, limit=10)
    await store.apply(ANA, [Account(due.messages, due.changes)])
    second = await theirs.save(user="ana", said="hello")
    await taken(memory, await export_of(theirs))
    now_due = await memory._store.unaccounted(ANA, limit=10)
    assert (now_due.messages, now_due.buffered, now_due.changes) == ((), (second.messages[0].id,), ())
    assert [row.id for row in await memory._store.get(ANA, Message, [first.messages[0].id])] == [first.messages[0].id]


async def test_a_space_comes_with_everybody_and_stays_away_with_one(theirs: Memory, memory: Memory) -> None:
    await theirs.save(user="ana", said="[likes=rowing]", space="guild")
    await theirs.save(user="bia", said="hi ana", space="guild")
    await theirs.settle(flush=True)
    one = await taken(memory, await export_of(theirs))
    assert (one.why, one.people, await memory.notes(user="ana", space="guild")) == ({"space_note": 1}, ("ana",), [])
    rest = await taken(memory, await export_of(theirs, user=None, format="jsonl"))
    assert (rest.added["notes"], rest.people) == (1, ("ana", "bia"))
    assert len(await memory.notes(user="ana", space="guild")) == 1


@pytest.mark.parametrize("into", ["other", "default"])
async def test_under_another_name_the_person_speaks_and_decides_under_it(
    theirs: Memory, memory: Memory, into: str
) -> None:
    """Also beside the person's own memory, in the same tenant."""
    await theirs.save(user="ana", said="[residence=Recife] [likes=rowing]")
    await theirs.settle(flush=True)
    await theirs.save(user="ana", said="[residence=Oslo~]")
    await theirs.settle(flush=True)
    item = (await theirs.list(user="ana", attribute="likes"))[0]
    await theirs.validate(item.id, user="ana")
    await theirs.delete(item.id, user="ana")
    document = await export_of(theirs)
    await taken(memory, document, tenant=into)
    came = await taken(memory, document, user="maria", tenant=into)
    again = await taken(memory, document, user="maria", tenant=into)
    assert (came.skipped, came.conflicted, again.total, again.conflicted) == (0, 0, 0, 0)
    assert {message.author for message in await memory.messages(user="maria", tenant=into)} == {"maria"}
    assert {note.participants for note in await memory.notes(user="maria", tenant=into)} == {("maria",)}
    trail = (await memory.history(item.id, user="maria", tenant=into)).trail
    assert str(trail[-1].actor) == "person:maria"
    await memory.undo(item.id, user="maria", tenant=into)
    assert (await memory.get(item.id, user="maria", tenant=into)).scope == Scope(into, "maria")
    assert (await memory.get(item.id, user="ana", tenant=into)).deleted_at is not None


async def test_a_record_of_a_night_that_has_another_here_stays_out() -> None:
    def a_run() -> Run:
        return Run(
            id=an_id(), scope=ANA, kind=RunKind.GARDENING, night=NOW.date(), since=None, until=NOW, started_at=NOW
        )

    theirs, here, held = InMemoryStore(Words()), InMemoryStore(Words()), a_run()
    await theirs.apply(ANA, [Put(a_run(), None)])
    await here.apply(ANA, [Put(held, None)])
    came = await _importer(here).run(await _file(theirs))
    assert (came.conflicted, (await here.page(ANA, Whole(Ledger.RUN))).rows) == (1, (held,))


async def test_a_night_half_done_finds_its_record_here() -> None:
    """The job keeps the id its record has; beside the memory it came from, it gets another."""
    theirs, here, id = InMemoryStore(Words()), InMemoryStore(Words()), an_id()
    run = Run(id=id, scope=ANA, kind=RunKind.GARDENING, night=NOW.date(), since=None, until=NOW, started_at=NOW)
    job = a_job(id=id, kind=GARDEN, key=GARDEN, payload={"zone": "America/Recife", "shell": "rm"}, due_at=NOW)
    await theirs.apply(ANA, [Put(run, None), Enqueue(job)])
    for store, user in ((here, None), (here, "bia")):
        await _importer(store, user=user).run(await _file(theirs))
    (mine, hers) = [*await here.jobs(scope=ANA), *await here.jobs(scope=BIA)]
    assert (mine.id, mine.key, mine.payload, mine.due_at) == (id, GARDEN, {"zone": "America/Recife"}, NOW)
    assert await here.find(ANA, Run, id) == run
    assert hers.id != id


async def test_anothers_case_is_not_touched() -> None:
    theirs, here = InMemoryStore(Words()), InMemoryStore(Words())
    sides = [an_item(), an_item()]
    case = a_case(old_id=sides[0].id, new_id=sides[1].id)
    await kept(theirs, *sides, case)
    await kept(here, a_case(id=case.id, scope=BIA))
    came = await _importer(here).run(await _file(theirs))
    assert (came.conflicts, came.added["items"]) == ((("cases", case.id),), 2)


async def _file(store: InMemoryStore, *, lines: bool = False) -> ExportFile:
    out = io.BytesIO()
    if lines:
        await write_lines(store, ANA, "default", out, now=NOW)
    else:
        await write_document(store, ANA, out, now=NOW)
    return ExportFile(out)


def _importer(store: InMemoryStore, **how: Any) -> Importer:
    given: dict[str, Any] = {"tenant": "default", "user": None, "now": NOW, "new_id": an_id, "quiet": minutes(25)}
    return Importer(store, **given | how)


HEAD = b'{"format":"relembra","version":1,"tenant":"t","exported_at":"2026-01-01T00:00:00Z",'
LINES = HEAD.replace(b"{", b'{"row":"header",') + b'"user":"ana"}\n'


ROW = HEAD + b'"user":"ana","items":['


@each(
    [
        (b"", "no export"),
        (b"\xff\xfe\x00", "no export"),
        (b"{}", "no export"),
        (b"[" * 100_000, "no export"),
        (b'{"format":"relembra","version":1', "cut off"),
        (b'{"format":"relembra"}', "which version"),
        (b'{"format":"relembra","version":2,"tenant":"default","user":"ana"}', "version 2"),
        (b'{"format":"relembra","version":1,"tenant":"default","user":5}', "header.*user"),
        (HEAD + b'"user":"\\u001fguild"}', "printable"),
        (HEAD + b'"user":null}', "whose"),
        (HEAD + b'"user":"ana","items":{}}', "items must be a list"),
        (ROW + b"7]}", "items 1 must be an object"),
        (ROW + b'{"x":NaN}]}', "items 1: a number is not finite"),
        (ROW + b'["a"]]}', "items 1 must be an object"),
        (ROW + b'"a",{}]}', "items 1 must be an object"),
        (ROW + b'{"x":}]}', "items 1 is no JSON"),
        (ROW + b"]} {}", "no JSON document"),
        (ROW + b'],"counts":{"items":1}}', "0 rows, where 1 were counted"),
        (ROW + b'{"a":[' + b"[]," * 400_000 + b"0]}]}", "items 1 holds more than"),
        (ROW + b'{"a":"' + b"x" * 17_000_000 + b'"}]}', "items 1 is longer than 16 MiB"),
        (ROW + b'{"a":[' + b"0," * 400_000 + b"0]}]}", "items 1 holds more than"),
        (HEAD + b'"user":"ana","counts":[' + b"0," * 4_000 + b"0]}", "header.*counts"),
        (LINES + b'{"row":"item","x":[' + b"0," * 400_000 + b"0]}\n", "line 2 holds more than"),
        (LINES + b'{"row":"item","x":"' + b"x" * 17_000_000 + b'"}\n', "line 2 is too long"),
        (LINES.replace(b'"ana"', b"null") + b'{"row":"person","user":"a"}\n' * 10_002, "of whom it holds nothing"),
    ]
)
async def test_what_is_no_export_or_would_swell_is_refused(bytes: bytes, why: str, memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match=why) as refused:
        await taken(memory, bytes)
    assert (refused.value.field, (await memory.stats()).people) == ("file", 0)


async def test_the_rows_of_a_document_are_told_apart_whatever_they_hold(theirs: Memory, memory: Memory) -> None:
    contents = ['He said "]}, {"', "back\\slash\\", "[[[", '\\"}', "é 🙂 \u2028"]
    for content in contents:
        await theirs.add(content, user="ana")
    document = json.loads(await export_of(theirs))
    await taken(memory, codecs.BOM_UTF8 + json.dumps(document, indent=2, ensure_ascii=True).encode())
    assert {item.content for item in await memory.list(user="ana")} == set(contents)


async def test_a_document_may_say_whose_it_is_behind_its_rows(theirs: Memory, memory: Memory) -> None:
    """As a program leaves it that sorts the names, or adds some of its own."""
    await theirs.add("Lives in Recife", user="ana")
    document = json.loads(await export_of(theirs))
    head = {name: document.pop(name) for name in ("version", "tenant", "user")}
    other = {"items": [{"not": "one of them"}]}
    await taken(memory, json.dumps({"other": other, **document, **head}).encode())
    assert [item.content for item in await memory.list(user="ana")] == ["Lives in Recife"]


DEEP: Any = {}
for _ in range(40):
    DEEP = {"deeper": DEEP}


BROKEN = [
    ("items", {"confidence": 1.5}, "confidence"),
    ("items", {"accesses": 10**30}, "too large"),
    ("items", {"type": "rumour"}, "type"),
    ("items", {"note_id": "../../etc"}, "not an id"),
    ("items", {"superseded_by": an_id(7)}, "not in the file"),
    ("items", {"content": "  "}, "content"),
    ("items", {"title": "a\0b"}, "NUL"),
    ("items", {"created_at": "2026-03-01T12:00:00"}, "timezone"),
    ("items", {"zone": "Mars/Olympus"}, "timezone"),
    ("items", {"place": {"space": "\x1fguild", "channel": "x"}}, "space"),
    ("items", {"version": 0}, "version"),
    ("messages", {"text": "x" * 1_100_000}, "longer"),
    ("messages", {"metadata": DEEP}, "deeper"),
    ("messages", {"role": "root"}, "role"),
    ("cases", {"new_id": an_id(9)}, "not in the file"),
    ("trail", {"actor": "root"}, "who"),
    ("work", {"kind": "shell"}, "no work 'shell'"),
    ("work", {"kind": "learn", "payload": {"note": "x"}}, "learning"),
    ("buffers", {"opened_at": "0001-01-01T00:00:00Z"}, "buffer"),
    ("buffers", {"conversation": "elsewhere"}, "elsewhere"),
]


async def test_a_broken_row_is_named_and_nothing_is_stored(theirs: Memory, memory: Memory) -> None:
    for said in ("[residence=Recife]", "[residence=Oslo~]"):
        await theirs.save(user="ana", said=said)
        await theirs.settle(flush=True)
    await theirs.save(user="ana", said="and so on")
    whole = await export_of(theirs)
    for part, change, why in BROKEN:
        document = json.loads(whole)
        document[part][-1].update(change)
        with pytest.raises(InvalidInputError, match=why) as refused:
            await taken(memory, json.dumps(document).encode())
        assert part in str(refused.value) or "item" in str(refused.value) or "message" in str(refused.value)
    assert (await memory.stats()).people == 0


async def test_a_row_cannot_choose_whose_it_is(theirs: Memory, memory: Memory) -> None:
    item = await theirs.add("Lives in Recife", user="ana")
    document = json.loads(await export_of(theirs))
    for part in ("items", "trail"):
        document[part][0]["scope"] = {"tenant": "default", "user": "bia"}
    document["trail"][0]["after"]["scope"] = {"tenant": "default", "user": "bia"}
    await taken(memory, json.dumps(document).encode())
    assert await memory.list(user="bia") == []
    (entry,) = (await memory.history(item.id, user="ana")).trail
    assert entry.scope == ANA
    assert entry.after is not None
    assert entry.after["scope"] == {"tenant": "default", "user": "ana"}


async def test_a_document_cut_anywhere_after_its_beginning_is_told_to_be(theirs: Memory, memory: Memory) -> None:
    await theirs.add("Mora em São João", user="ana")
    whole = await export_of(theirs, format="json")
    for end in range(len(whole) // 10, len(whole) - 1, len(whole) // 10):
        with pytest.raises(InvalidInputError, match="cut off"):
            await taken(memory, whole[:end])


async def test_a_stream_cut_off_or_changed_anywhere_is_noticed(theirs: Memory, memory: Memory) -> None:
    await theirs.add("Lives in Recife", user="ana")
    await theirs.save(user="ana", said="hello")
    stream = await export_of(theirs, format="jsonl")
    rows = stream.splitlines(keepends=True)
    cut = [stream[:-1], *(b"".join(rows[:count]) for count in range(1, len(rows))), stream[: len(stream) // 2]]
    changed = [stream.replace(b"Recife", b"Oslo00", 1), b"".join((*rows[:2], *rows[3:])), stream + rows[2]]
    for broken in (*cut, *changed):
        with pytest.raises(InvalidInputError):
            await taken(memory, broken)
    assert (await memory.stats()).people == 0


@each(
    [
        (b'{"row":"person","user":"bia"}', "alone"),
        (b'{"row":"space","space":"guild"}', "alone"),
        (b'{"row":"person"}', "a name"),
        (b'{"row":"person","user":"ana"}\n{"row":"message"}\n{"row":"item"}', "line 4: Object missing"),
        (b'{"row":"secret"}', "no row"),
        (b'{"no":"row"}', "not a row"),
        (b"[]", "not a row"),
        (b'{"row":"item"}', "line 3: Object missing"),
    ]
)
async def test_a_line_that_does_not_belong_is_named(line: bytes, why: str, theirs: Memory, memory: Memory) -> None:
    rows = (await export_of(theirs, format="jsonl")).splitlines(keepends=True)
    with pytest.raises(InvalidInputError, match=why):
        await taken(memory, b"".join((*rows[:2], line + b"\n", *rows[2:])))


async def test_rows_out_of_order_are_refused(theirs: Memory, memory: Memory) -> None:
    """What waits to be learnt is told before its messages; the other way round it would be lost."""
    await theirs.save(user="ana", said="hello")
    rows = (await export_of(theirs, format="jsonl")).splitlines(keepends=True)
    with pytest.raises(InvalidInputError, match="out of order"):
        await taken(memory, b"".join((*rows[:2], *reversed(rows[2:-1]), rows[-1])))


async def test_a_message_said_far_ahead_is_refused_by_its_place_in_the_file_and_nothing_comes(
    theirs: Memory, memory: Memory, clock: Clock
) -> None:
    await theirs.save(user="ana", said="[residence=York]")
    clock.move(days=3_650)
    saved = await theirs.save(user="ana", said="[residence=Leeds]")
    document = await export_of(theirs)
    clock.move(days=-3_650)
    with pytest.raises(InvalidInputError, match=r"message.*sent_at 2036.* lies more than a day ahead"):
        await taken(memory, document)
    assert list(await memory.messages(user="ana")) == []
    clock.move(days=3_650)
    await taken(memory, document)
    assert saved.messages[0] in list(await memory.messages(user="ana"))


async def test_what_was_not_read_yet_is_read_here_and_what_was_is_not_read_again(
    theirs: Memory, memory: Memory
) -> None:
    await theirs.save(user="ana", said="[residence=York] [fact=rows at dawn]")
    await theirs.settle()
    await theirs.save(user="ana", said="[likes=tea]")
    await taken(memory, await export_of(theirs))
    await memory.settle(flush=True)
    held = list(await memory.list(user="ana"))
    told = sorted((item.value or item.content, item.observations) for item in held)
    assert told == [("York", 1), ("rows at dawn", 1), ("tea", 1)]
    assert {item.note_id for item in held} == {note.id for note in await memory.notes(user="ana")}
