"""Documents in a memory: recalled as what they say, replaced by name, learnt from never, forgotten whole."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from chats import zipped
from documents import a_docx, a_pdf
from loops import each
from relembra import Memory
from relembra.errors import InvalidInputError
from relembra.transfer.imports import Imported

RENT = b"# Rent\n\nThe rent is 900 euros. [residence=Lisbon]\n\n# Keys\n\nTwo keys were handed over."


async def taken(memory: Memory, content: bytes, name: str, **more: Any) -> Imported:
    return await memory.import_(io.BytesIO(content), user="ana", file_name=name, **more)


async def passages(memory: Memory) -> dict[str, str]:
    return {note.title: note.summary for note in await memory.notes(user="ana", kind="document")}


async def test_a_document_is_recalled_with_its_place_and_nothing_is_learnt_from_it(memory: Memory) -> None:
    dry = await taken(memory, RENT, "lease.md", dry_run=True)
    assert (dry.added, await passages(memory)) == ({"documents": 1, "passages": 2}, {})
    came = await taken(memory, RENT, "lease.md")
    await taken(memory, a_pdf("", "The deposit is two months."), "deposit.pdf")
    await memory.settle(flush=True)
    assert (came.formats, came.added) == (("markdown",), {"documents": 1, "passages": 2})
    assert await passages(memory) == {
        "lease.md · Rent": "The rent is 900 euros. [residence=Lisbon]",
        "lease.md · Keys": "Two keys were handed over.",
        "deposit.pdf, p. 2": "The deposit is two months.",
    }
    assert ([*await memory.list(user="ana")], [*await memory.timeline(user="ana")]) == ([], [])
    found = await memory.recall("How much is the rent?", user="ana")
    assert found.notes[0].note.title == "lease.md · Rent"
    told = await memory.load(user="ana", query="What is the deposit?", language="en")
    assert "in the document “deposit.pdf, p. 2” — “The deposit is two months.”" in told.text
    shown = await memory.load(user="ana", query="What is the deposit?", space="guild", channel="x")
    assert "deposit" not in shown.text.replace("What is the deposit?", "")


async def test_a_changed_document_takes_the_place_of_what_it_was(memory: Memory) -> None:
    await taken(memory, RENT, "lease.md")
    assert (await taken(memory, RENT, "lease.md")).total == 0
    newer = await taken(memory, RENT.replace(b"900", b"950"), "lease.md")
    assert (newer.added, newer.skipped) == ({"documents": 1, "passages": 1}, 1)
    await memory.settle()
    assert [text for text in (await passages(memory)).values() if "rent" in text] == [
        "The rent is 950 euros. [residence=Lisbon]"
    ]
    assert (await taken(memory, RENT, "lease.md")).added["passages"] == 1
    assert "900" in "".join((await passages(memory)).values())
    assert "950" not in "".join((await passages(memory)).values())
    await taken(memory, b"other", "other.txt")
    assert len(await passages(memory)) == 3


async def test_a_document_is_hidden_and_forgotten_whole(memory: Memory) -> None:
    for content in (RENT, RENT.replace(b"900", b"950")):
        await taken(memory, content, "lease.md")
    await memory.settle()
    (talk,) = await memory.conversations(user="ana")
    assert talk.title == "lease.md"
    await memory.delete_conversation(talk.id, user="ana")
    assert await passages(memory) == {}
    gone = await memory.forget(user="ana", conversation=talk.id)
    assert (gone.counts["notes"], gone.counts["conversations"]) == (3, 1)
    out = io.BytesIO()
    await memory.export(out, user="ana")
    assert b"rent" not in out.getvalue()
    assert (await memory.verify()).problems == ()


async def test_a_document_goes_along_with_an_export_of_the_memory(memory: Memory) -> None:
    await taken(memory, RENT, "lease.md")
    out = io.BytesIO()
    await memory.export(out, user="ana")
    await memory.forget(user="ana", all=True)
    await memory.import_(io.BytesIO(out.getvalue()))
    assert len(await passages(memory)) == 2
    assert (await taken(memory, RENT, "lease.md")).total == 0


async def test_a_document_that_tells_no_day_is_nothing_of_this_week(memory: Memory) -> None:
    await taken(memory, RENT, "lease.md")
    await memory.settle()
    assert "lease.md" not in (await memory.load(user="ana", query="What do I have this week?")).text


async def test_a_folder_of_documents_is_taken_in_and_what_a_program_exported_beside_is_not(
    memory: Memory, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.docx").write_bytes(a_docx("The car is blue."))
    (folder / "bad.docx").write_bytes(a_docx("x", head="<!DOCTYPE x>"))
    (folder / "friends.vcf").write_text("BEGIN:VCARD\r\nFN:Clara\r\nBDAY:1990-03-15\r\nEND:VCARD\r\n")
    came = await memory.import_(folder, user="ana")
    assert (came.added, [one.file for one in came.refused]) == (
        {"documents": 1, "passages": 1, "items": 1},
        ["bad.docx"],
    )
    (clara,) = (one for one in await memory.people(user="ana") if one.name == "Clara")
    assert str(clara.birthday) == "1990-03-15"
    (item,) = await memory.list(user="ana")
    assert (item.type, item.source, item.content) == ("person", "import", "Clara's birthday is Mar 15, 1990")
    (folder / "chat.jsonl").write_text('{"role": "user", "content": "hi", "at": "2024-03-01T10:00:00Z"}')
    (folder / "new.md").write_text("New words")
    (folder / "README.md").write_text("How to read an export")
    (folder / "chat.html").write_text("<p>hi</p>")
    came = await memory.import_(folder, user="ana")
    assert (came.formats, came.left_alone) == (("jsonl", "docx", "vcf", "markdown"), 2)


@each(
    [
        (RENT, "", "no export"),
        (a_docx("x", head="<!DOCTYPE x>"), "a.docx", "types of its own"),
        (zipped({"a.docx": a_docx("x", head="<!DOCTYPE x>")}), "a.zip", "types of its own"),
        (a_pdf(""), "scan.pdf", "no words"),
        (zipped({"b.zip": zipped({"a.md": "x"})}), "a.zip", "a zip within a zip"),
    ]
)
async def test_of_a_document_that_is_refused_nothing_is_kept(
    content: bytes, name: str, why: str, memory: Memory
) -> None:
    with pytest.raises(InvalidInputError, match=why):
        await taken(memory, content, name)
    assert (await passages(memory), [*await memory.conversations(user="ana")]) == ({}, [])
