"""Keys, accounts, exports, imports and upkeep over HTTP; answers are held against the document."""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from chats import zipped
from houses import House, a_house
from proxies import served
from relembra.learn.drafts import Draft
from serving import client_of

JSON_LINES = {"Content-Type": "application/x-ndjson"}
BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(is_open=True, folder=tmp_path) as made:
        await made.memory.add("É alérgica a camarão.", user="ana")
        await made.memory.add("Toca violão.", user="bia")
        yield made


async def test_a_key_is_made_works_and_is_revoked_and_its_secret_is_told_once(
    house: House, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    asked = {"name": "laptop da Ana", "right": "read", "user": "ana"}
    made, other = [
        (await client.post("/v1/keys", json=asked, headers={"Idempotency-Key": "once"})).json() for _ in range(2)
    ]
    assert made["secret"] != other["secret"]
    listed = await client.get("/v1/keys")
    assert made["key"] in listed.json()["items"]
    assert made["secret"] not in listed.text
    for file in (path for path in tmp_path.iterdir() if path.is_file()):
        assert made["secret"].encode() not in file.read_bytes()
    async with house.client(Authorization=f"Bearer {made['secret']}") as ana:
        assert len((await ana.get("/v1/knowledge")).json()["items"]) == 1
        assert (await client.delete(f"/v1/keys/{made['key']['prefix']}")).json()["revoked_at"] is not None
        assert (await ana.get("/v1/knowledge")).status_code == 401


async def test_keys_stay_within_their_tenant(house: House) -> None:
    async with client_of(house, "other") as client:
        assert {key["tenant"] for key in (await client.get("/v1/keys")).json()["items"]} == {"other"}
        made = (await client.post("/v1/keys", json={"name": "x", "right": "admin"})).json()
        assert made["key"]["tenant"] == "other"
        assert (await client.get("/v1/keys?every_tenant=true")).status_code == 403
        assert (await client.post("/v1/keys", json={"name": "x", "every_tenant": True})).status_code == 403
        [theirs] = [key for key in await house.memory.keys(tenant="default") if key.name == "admin"]
        assert (await client.delete(f"/v1/keys/{theirs.id}")).status_code == 404
    async with client_of(house, "operator") as client:
        tenants = {key["tenant"] for key in (await client.get("/v1/keys?every_tenant=true")).json()["items"]}
        assert tenants == {"default", "other", "*"}
        made = (await client.post("/v1/keys", json={"name": "x", "every_tenant": True})).json()
        assert made["key"]["tenant"] == "*"


async def test_an_export_is_taken_in_under_another_name_whole_or_not_at_all(client: httpx.AsyncClient) -> None:
    for format, user in (("jsonl", "caio"), ("json", "dora")):
        whole = await client.get("/v1/export", params={"user": "ana", "format": format})
        assert whole.headers["content-disposition"] == f'attachment; filename="relembra.{format}"'
        there, sent = f"/v1/import?user={user}", {"content": whole.content, "headers": JSON_LINES}
        tried = (await client.post(f"{there}&dry_run=true", **sent)).json()  # type: ignore[arg-type]
        assert (tried["dry_run"], tried["added"]["items"]) == (True, 1)
        if format == "jsonl":
            cut = whole.content[: whole.content.rindex(b"\n", 0, -1) + 1]
            assert (await client.post(there, content=cut, headers=JSON_LINES)).status_code == 422
        assert (await client.get(f"/v1/knowledge?user={user}")).json()["items"] == []
        added = [(await client.post(there, **sent)).json()["added"]["items"] for _ in range(2)]  # type: ignore[arg-type]
        assert added == [1, 0]
        [item] = (await client.get(f"/v1/knowledge?user={user}")).json()["items"]
        assert item["content"] == "É alérgica a camarão."
    assert "camarão" in (await client.get("/v1/export?user=ana&format=markdown&language=pt")).text
    packed = await client.get("/v1/export?user=ana&format=notes")
    assert packed.content.startswith(b"PK")
    assert int(packed.headers["content-length"]) == len(packed.content)


async def test_everybody_s_export_is_for_administrators(house: House) -> None:
    async with client_of(house, "write") as client:
        assert (await client.get("/v1/export")).status_code == 403
        assert (await client.post("/v1/import", content=b"{}", headers=JSON_LINES)).status_code == 403
    async with client_of(house, "other") as client:
        assert "camar" not in (await client.get("/v1/export")).text
    async with client_of(house, "admin") as client:
        lines = (await client.get("/v1/export")).text
        assert "violão" in lines
        assert all(json.loads(line) for line in lines.splitlines())
        assert (await client.get("/v1/export?format=json")).status_code == 422
    async with client_of(house, "ana-read") as client:
        lines = (await client.get("/v1/export")).text
        assert ("camarão" in lines, "violão" in lines) == (True, False)


async def test_a_large_export_comes_in_blocks_and_whoever_leaves_breaks_nothing(tmp_path: Path) -> None:
    async with a_house(is_open=True, keys=False, folder=tmp_path, to_be_served=True) as house:
        drafts = [Draft(content=f"Sabe de cor o verso número {number}. " * 20) for number in range(150)]
        await house.memory.add_many(drafts, user="ana")
        async with served(house.app) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
            async with client.stream("GET", "/v1/export?user=ana") as left:
                await anext(left.aiter_raw())
            async with client.stream("GET", "/v1/export?user=ana") as response:
                blocks = [block async for block in response.aiter_raw()]

            async def again() -> AsyncIterator[bytes]:
                for block in blocks:
                    yield block

            taken = await client.post("/v1/import?user=caio", content=again(), headers=JSON_LINES)
    assert len(blocks) > 1
    assert taken.json()["added"]["items"] == 150


async def test_what_is_no_export_is_refused_and_no_file_stays_behind(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    for path in ("/v1/backup", "/v1/export?user=ana&format=json", "/v1/export?format=notes"):
        await client.get(path)
    for body in (b"", b"nonsense", b"{}", b'{"a":1}\n', b"\xff\xfe\x00"):
        for headers in (BYTES, JSON_LINES):
            assert (await client.post("/v1/import?user=ana", content=body, headers=headers)).status_code == 422
    assert list(aside.iterdir()) == []


async def test_a_copy_of_everything_is_whole(client: httpx.AsyncClient, tmp_path: Path) -> None:
    copy = await client.get("/v1/backup", headers={"Range": "bytes=0-9"})  # made anew each time, so only whole
    assert int(copy.headers["content-length"]) == len(copy.content)
    kept = tmp_path / "copy.db"
    kept.write_bytes(copy.content)
    with sqlite3.connect(kept) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert file.execute("SELECT count(*) FROM item").fetchone() == (2,)
    file.close()


async def test_all_is_checked_and_counted_for_an_operator_and_one_s_own_for_anybody(
    house: House, client: httpx.AsyncClient
) -> None:
    await client.post("/v1/settle", json={})
    assert (await client.post("/v1/verify")).json()["ok"] is True
    assert (await client.get("/v1/stats")).json()["people"] == 2
    assert (await client.get("/v1/other_models")).json() == {"models": []}
    assert (await client.get("/v1/missing_vectors")).json() == {"count": 0}
    assert (await client.post("/v1/reindex")).json() == {"count": 0}
    async with client_of(house, "admin") as admin:
        for path in ("/v1/stats", "/v1/usage"):
            assert (await admin.get(path)).status_code == 403
    async with client_of(house, "ana-read") as ana:
        assert (await ana.get("/v1/stats")).json()["items"]["current"] == 1
        assert (await ana.get("/v1/usage")).json() == {"items": []}
        assert (await ana.get("/v1/stats?user=bia")).status_code == 403


GROUP = """13/03/2023 09:00 - Dora criou o grupo "clube"
13/03/2023 09:00 - Dora: A chave fica no vaso.
13/03/2023 09:01 - Rui: Certo."""


async def test_a_group_of_another_program_is_heard_by_nobody_else(house: House) -> None:
    """Who speaks has to be said, and what cannot be read is refused."""
    async with house.client("ana-write") as ana, house.client("write") as tenant:
        refused = await ana.post("/v1/import", content=GROUP.encode(), headers=BYTES)
        assert (refused.status_code, "Rui" in refused.json()["detail"]) == (422, True)
        taken = await ana.post(
            "/v1/import?me=Dora&timezone=America/Recife", content=zipped({"a.txt": GROUP}), headers=BYTES
        )
        assert (taken.status_code, taken.json()["added"]["messages"], taken.json()["why"]) == (200, 2, {"service": 1})
        assert {one.place.space for one in await house.memory.messages(user="ana")} == {None}
        nowhere = await tenant.post("/v1/import?user=bia&me=Dora&timezone=Mars/Base", content=GROUP, headers=BYTES)
        assert nowhere.status_code == 422
        whole = await tenant.post("/v1/import?user=bia&me=Dora", content=GROUP.encode(), headers=BYTES)
        assert whole.json()["formats"] == ["whatsapp"]
        assert {one.place.space for one in await house.memory.messages(user="bia")} == {"clube"}


@pytest.mark.parametrize("row", ["message", "item", "buffer"])
async def test_a_key_of_one_person_brings_nothing_into_a_space(house: House, row: str) -> None:
    space = None if row == "item" else "clube"
    await house.memory.save(user="dora", said="A chave fica no vaso.", space=space)
    if row == "message":
        await house.memory.settle(flush=True)
    if row == "item":
        await house.memory.add("Guarda a chave.", user="dora", space="clube")
    out = io.BytesIO()
    await house.memory.export(out, user="dora", format="jsonl")
    async with house.client("ana-write") as ana, house.client("write") as tenant:
        refused = await ana.post("/v1/import", content=out.getvalue(), headers=JSON_LINES)
        assert (refused.status_code, "space" in refused.json()["detail"]) == (422, True)
        assert await house.memory.messages(user="ana") == []
        allowed = await tenant.post("/v1/import?user=ana", content=out.getvalue(), headers=JSON_LINES)
        assert allowed.status_code == 200
