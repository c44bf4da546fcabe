"""Exports for other programs: a vault of linked files, mem0's list, a table."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Any

from loops import each
from memories import Clock
from relembra import Memory

HOSTILE = [
    "../../etc/passwd", "C:\\Windows\\win.ini", "CON", "nul.txt", "a/b:c*d?e|f<g>h", "Ana", "ANA", "ána", "李小龙",
    "🦊", ". .", "x" * 199, "---\ntitle: other", "[[index|me]]", "x]] #tag ^id %%hidden%%", "yes", "null", "2026-01-01",
    '"quoted" \\ back', "{{a}}", "\ufffe!",
]  # fmt: skip


async def exported(memory: Memory, format: Any, **what: Any) -> bytes:
    out = io.BytesIO()
    done = await memory.export(out, user="ana", format=format, **what)
    assert done.bytes == len(out.getvalue())
    return out.getvalue()


async def vault(memory: Memory, **what: Any) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(await exported(memory, "vault", **what))) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def links(text: str) -> set[str]:
    return set(re.findall(r"\[\[([^\[\]|]+)\|[^\[\]|]*\]\]", text))


def head(text: str) -> Any:
    """Each property on a line of its own, in quotation marks as JSON and YAML share them."""
    lines = text.split("---\n")[1].splitlines()
    return {name: json.loads(value) for name, _, value in (line.partition(": ") for line in lines)}


async def test_a_vault_links_people_areas_notes_and_days(memory: Memory, clock: Clock) -> None:
    await memory.save(user="ana", said="[Clara.relation=sister]\nand [likes=rowing]", replied="I see", conversation="c")
    await memory.settle(flush=True)
    old = await memory.add("Lives in Recife", user="ana", attribute="residence", value="Recife")
    clock.move(days=1)
    new = await memory.add("Lives in Porto", user="ana", attribute="residence", value="Porto")
    gone = await memory.add("Has a cat", user="ana")
    await memory.delete(gone.id, user="ana")
    await memory.save(user="ana", said="later", conversation="d")
    files = await vault(memory, language="en")
    (note,) = (name for name in files if name.startswith("notes/"))
    days = ["days/2026-03-01.md", "days/2026-03-02.md"]
    assert {"index.md", "people/clara.md", *days} <= files.keys()
    (area,) = (name for name in files if f"^i-{old.id}" in files[name] and name.startswith("areas/"))
    stem = area.removesuffix(".md")
    assert f"[[{stem}#^i-{new.id}|" in files[area]
    assert {"days/2026-03-01"} <= links(files[note])
    assert any(note.removesuffix(".md") in links(files[name]) for name in files if name.startswith("areas/"))
    assert {"people/clara", *(day.removesuffix(".md") for day in days)} <= links(files["index.md"])
    assert "Has a cat" not in "".join(files.values())
    assert head(files[days[1]]) == {"title": "2026-03-02", "date": "2026-03-02"}
    assert await vault(memory, language="en") == files


async def test_nothing_in_a_vault_leads_outside_or_becomes_markup(memory: Memory) -> None:
    for text in HOSTILE:
        name = text.replace("\n", " ").replace("\ufffe", "")
        await memory.add(f"knows {name}", user="ana", subject=name, tags=[name])
        await memory.save(user="ana", said=f"# {text}\n![x](http://h/y) <b> `z` #tag %%", conversation="c")
        await memory.settle(flush=True)
    files = await vault(memory, language="pt")
    names = set(files)
    assert len({name.casefold() for name in names}) == len(names) >= len(HOSTILE)
    for name, text in files.items():
        assert re.fullmatch(r"(?:(?:people|areas|notes|days)/)?[a-z0-9][a-z0-9-]*\.md", name)
        assert not re.search(r"(?:^|/)(?:con|nul)\.", name)
        assert {link.split("#")[0] + ".md" for link in links(text)} <= names
        body = text.split("---\n", 2)[2]
        assert not re.search(r"(?<!\\)(?:[`%<]|#(?![# ^]|\^i-)|!\[)", body), name
        assert "[[" not in re.sub(r"\[\[[^\[\]|]+\|[^\[\]|]*\]\]", "", body)
        assert set(head(text)) <= {"title", "date", "relation", "birthday", "kind", "participants", "space", "id"}
        assert all(isinstance(value, str | list) for value in head(text).values())


async def test_mem0_holds_what_is_held_now_and_comes_back(memory: Memory, clock: Clock) -> None:
    await memory.add("Lives in Recife", user="ana", attribute="residence", value="Recife")
    clock.move(days=1)
    kept = await memory.add("Lives in Porto", user="ana", attribute="residence", value="Porto", tags=["home"])
    await memory.add("Clara rows", user="ana", subject="Clara")
    await memory.add("Has a secret", user="ana", local_only=True)
    await memory.add("Ana snores", user="ana", by="person:bia")
    content = await exported(memory, "mem0")
    first, second = json.loads(content)["results"]
    assert (first["id"], first["memory"], first["categories"], first["user_id"]) == (
        kept.id,
        "Lives in Porto",
        ["home"],
        "ana",
    )
    assert first.keys() == {"id", "memory", "hash", "metadata", "categories", "created_at", "updated_at", "user_id"}
    assert (second["memory"], second["metadata"]["subject"]) == ("Clara rows", "Clara")
    clock.move(days=9)
    came = await memory.import_(io.BytesIO(content), user="rui")
    assert (came.formats, came.added["items"]) == (("mem0",), 2)
    found = {item.content: item for item in await memory.list(user="rui")}
    assert {text: (item.subject, item.held_from) for text, item in found.items()} == {
        "Lives in Porto": ("self", kept.held_from),
        "Clara rows": ("Clara", kept.held_from),
    }
    assert (await memory.import_(io.BytesIO(content), user="rui")).total == 0


@each(["=1+1", "+55 81 9999", "-2", "@cmd", " =x", "＝1", "plain, “text”", 'a "b"\r\nc', "\tx"])
async def test_a_table_holds_every_text_and_no_formula(text: str, memory: Memory) -> None:
    await memory.add(text, user="ana", title="t", confidence=0.95, by="program:x")
    content = await exported(memory, "csv")
    assert content.startswith(b"\xef\xbb\xbfid,type,")
    assert content.endswith(b"\r\n")
    (row,) = (
        row
        for row in csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
        if row["content"].lstrip("'") == text
    )
    assert row["content"][0] not in "=+-@\t＝ "
    assert (row["confidence"], row["is_current"]) == ("0.95", "true")
