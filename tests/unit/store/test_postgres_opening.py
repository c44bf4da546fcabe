"""Opening PostgreSQL: migrations, old and new programs side by side, roles, and what is said when it does not work."""

from __future__ import annotations

import asyncio
import builtins
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from builders import ANA, NOW, Words, a_message, an_item, kept
from loops import each
from postgres import Server, binaries
from relembra import errors
from relembra.bootstrap import chosen_store, daily_backups, restore_backup
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.settings import Settings, shown_db
from relembra.store.port import Whole
from relembra.store.postgres import PostgresStore, schema
from relembra.store.postgres.connection import Connection, configure, connect, statement_of
from relembra.store.postgres.schema import Migration, migrations, prepare
from relembra.store.postgres.store import dead_rows_left
from relembra.store.sql import STATEMENTS
from relembra.store.sqlite import SqliteStore, backups

KNOWN = migrations()
LATER = Migration(len(KNOWN) + 1, "0099_more.sql", "-- breaking: no\nALTER TABLE item ADD COLUMN mood TEXT;")
BREAKING = Migration(len(KNOWN) + 1, "0099_other.sql", "ALTER TABLE item RENAME COLUMN title TO heading;")


@contextmanager
def owner(address: str) -> Iterator[Connection]:
    with closing(connect(address, "here")) as connection:
        configure(connection)
        yield connection


def catalogue(address: str) -> list[tuple[Any, ...]]:
    """All columns, indexes, policies and what was migrated."""
    column = "column_name::text || data_type || coalesce(collation_name, '') || is_nullable"
    with psycopg.connect(address) as connection:
        return connection.execute(
            f"SELECT 'c', table_name::text, {column}"  # noqa: S608 (own)
            " FROM information_schema.columns WHERE table_schema = 'relembra'"
            " UNION ALL SELECT 'i', indexname::text, indexdef FROM pg_indexes WHERE schemaname = 'relembra'"
            " UNION ALL SELECT 'p', tablename::text, policyname || qual FROM pg_policies WHERE schemaname = 'relembra'"
            " UNION ALL SELECT 'm', name, checksum || made_at::text FROM relembra.migration ORDER BY 1, 2, 3"
        ).fetchall()


def columns(address: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address) as connection:
        return connection.execute(
            "SELECT table_name::text, column_name::text FROM information_schema.columns"
            " WHERE table_schema = 'relembra' ORDER BY 1, 2"
        ).fetchall()


async def opened(address: str, **options: Any) -> PostgresStore:
    return await PostgresStore.open(address, analyzer=Words(), connections=2, **options)


async def test_a_store_opened_again_or_by_many_at_once_is_made_once(postgres_server: Server) -> None:
    address = postgres_server.new_database()
    stores = await asyncio.gather(*(opened(address) for _ in range(6)))
    made = catalogue(address)
    await asyncio.gather(*(store.close() for store in stores))
    await (await opened(address)).close()
    assert catalogue(address) == made
    assert [row[1] for row in made if row[0] == "m"] == [migration.name for migration in KNOWN]


async def test_its_tables_are_those_of_the_file(postgres_server: Server, tmp_path: Path) -> None:
    await (await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())).close()
    address = postgres_server.emptied()
    await (await opened(address)).close()
    with closing(sqlite3.connect(tmp_path / "memory.db")) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        ours = {(name, column[1]) for name in names for column in file.execute(f"PRAGMA table_info({name})")}
    theirs = set(columns(address))
    assert ours - theirs == {("clock", "tick")}  # a sequence
    assert {table for table, _ in theirs - ours} == {"migration"}


async def test_programs_before_and_after_a_migration_that_adds_work_side_by_side(postgres_server: Server) -> None:
    address = postgres_server.new_database()
    before = await opened(address)
    await kept(before, item := an_item())
    with owner(address) as connection:
        prepare(connection, "here", known=[*KNOWN, LATER])
        prepare(connection, "here", known=[*KNOWN, LATER])  # the newer one once more
    await kept(before, other := an_item())
    after = await opened(address)  # one that does not know it is started again
    assert await after.get(ANA, KnowledgeItem, [item.id, other.id]) == [item, other]
    await kept(after, an_item())
    await before.close()
    await after.close()


async def test_a_program_that_cannot_go_on_is_refused_and_changes_nothing(postgres_server: Server) -> None:
    address = postgres_server.new_database()
    await (await opened(address)).close()
    with owner(address) as connection:
        prepare(connection, "here", known=[*KNOWN, BREAKING])
        made = catalogue(address)
        with pytest.raises(errors.StoreVersionError, match="newer Relembra"):
            prepare(connection, "here")
        edited = replace(KNOWN[0], text=KNOWN[0].text + " ")
        with pytest.raises(errors.StoreVersionError, match="another there"):
            prepare(connection, "here", known=[edited, *KNOWN[1:]])
    assert catalogue(address) == made


def test_a_migration_that_fails_leaves_what_was_before_it(postgres_server: Server) -> None:
    address = postgres_server.new_database()
    wrong = Migration(99, "0099_wrong.sql", "CREATE TABLE half (id BIGINT); SELECT 1 / 0")
    with owner(address) as connection:
        prepare(connection, "here")
        made = catalogue(address)
        with pytest.raises(psycopg.Error):
            prepare(connection, "here", known=[*KNOWN, wrong])
    assert catalogue(address) == made


async def test_a_schema_of_another_program_is_refused_and_left_as_it_is(postgres_server: Server) -> None:
    address = postgres_server.new_database()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA relembra CREATE TABLE item (a INTEGER)")
    made = columns(address)
    with pytest.raises(errors.StoreVersionError, match="another program"):
        await opened(address)
    assert columns(address) == made


# ── roles ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def works(address: str) -> None:
    store = await opened(address)
    await kept(store, item := an_item())
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert (await store.verify()).problems == ()
    await store.close()


async def test_the_owner_a_superuser_and_a_mere_user_of_the_tables_open_it(postgres_server: Server) -> None:
    address = postgres_server.new_database("roles")
    await works(address)
    await works(postgres_server.address("roles", "postgres"))  # works as relembra_app, or it would see everything
    with postgres_server.admin() as admin:
        admin.execute("CREATE ROLE guest LOGIN")
    guest = postgres_server.address("roles", "guest")
    with pytest.raises(errors.StoreError):
        await opened(guest)
    with postgres_server.admin() as admin:
        admin.execute("GRANT relembra_app TO guest")
    await works(guest)
    store = await opened(guest)
    await kept(store, a_message())
    from relembra.store.port import ForgetPerson

    assert not (await store.forget(ANA, ForgetPerson())).erased  # it is the owner's to do
    await store.close()
    with owner(guest) as connection, pytest.raises(errors.StoreVersionError, match="owner"):
        prepare(connection, "here", known=[*KNOWN, LATER])


async def test_an_owner_who_can_make_no_role_works_as_itself_under_the_same_policies(postgres_server: Server) -> None:
    with postgres_server.admin() as admin:
        admin.execute("CREATE ROLE plain LOGIN")
    postgres_server.new_database("plain", owner="plain")
    address = postgres_server.address("plain", "plain")
    await works(address)
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM relembra.item").fetchone() == (0,)


async def test_a_role_that_passes_over_policies_and_has_no_other_to_work_as_is_refused(postgres_server: Server) -> None:
    await works(postgres_server.new_database())  # which makes the role
    with postgres_server.admin() as admin:
        admin.execute("CREATE ROLE passing LOGIN BYPASSRLS")
    postgres_server.new_database("passing", owner="passing")
    address = postgres_server.address("passing", "passing")
    with pytest.raises(errors.StoreError, match="bypasses"):
        await opened(address)
    with postgres_server.admin() as admin:
        admin.execute("GRANT relembra_app TO passing")
    await works(address)


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────

WRONG: list[tuple[str, type[errors.RelembraError], str]] = [
    ("postgresql://ana:hush@127.0.0.1:1/memory", errors.StoreUnavailableError, "no server answers"),
    ("postgresql://ana:hush@nowhere.invalid/memory", errors.StoreUnavailableError, "no server answers"),
    ("postgres://ana:hush@/memory?host={folder}", errors.StoreError, "no such database or role"),
    ("postgresql://memory:hush@/nothing?host={folder}", errors.StoreError, "no such database or role"),
    ("postgresql://ana:hush@[::1/x", errors.SettingsError, "USER:PASSWORD@HOST"),
    ("postgresql://ana@/x?hush=%%%", errors.SettingsError, "USER:PASSWORD@HOST"),
    ("mysql://ana:hush@host/memory", errors.SettingsError, "postgresql://"),
    ("host=db password=hush dbname=memory", errors.SettingsError, "USER:PASSWORD@HOST"),
]


@each(WRONG)
async def test_an_address_that_leads_nowhere_is_refused_without_its_password(
    address: str, error: type[errors.RelembraError], said: str, postgres_server: Server
) -> None:
    address = address.replace("{folder}", str(postgres_server.folder))
    with pytest.raises(error, match=said) as told:
        await chosen_store(address, Settings(), BilingualAnalyzer())
    assert "hush" not in f"{told.value!r}{told.value.__cause__}"
    assert "hush" not in repr(Settings(db=address)) + shown_db(address)


async def test_a_wrong_password_is_said_to_be_one() -> None:
    from relembra.store.postgres.connection import refused

    failure = psycopg.OperationalError('FATAL: password authentication failed for user "ana"')
    told = refused(failure, "postgresql://ana:hush@host/x", "postgresql://host/x")
    assert "password" in str(told)
    assert "hush" not in str(told)


async def test_a_server_that_is_too_old_is_refused(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "OLDEST_SERVER", 990_000)
    with pytest.raises(errors.StoreVersionError, match="newer is needed"):
        await opened(postgres_server.new_database())


async def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = builtins.__import__

    def without(name: str, *args: Any, **options: Any) -> Any:
        if name.startswith("relembra.store.postgres"):
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(errors.MissingExtraError, match=r"relembra\[postgres\]"):
        await chosen_store("postgresql://host/memory", Settings(), BilingualAnalyzer())


async def test_what_only_a_file_can_do_says_what_to_do_instead(postgres_server: Server, tmp_path: Path) -> None:
    address = postgres_server.emptied()
    with pytest.raises(errors.SettingsError, match="pg_restore"):
        await restore_backup(tmp_path / "copy.db", address)
    store = await opened(address)
    with pytest.raises(errors.StoreError, match="pg_dump"):
        await store.backup(tmp_path / "copy.db")
    await store.close()


async def test_backups_of_each_day_are_files_to_open(postgres_server: Server, tmp_path: Path) -> None:
    address = postgres_server.emptied()
    store = await opened(address, archive=backups.archive)
    await kept(store, item := an_item(), message := a_message())
    secret = await store.identity()
    settings = Settings(db=address, backup_folder=str(tmp_path))
    daily = daily_backups(store, address, settings, lambda: NOW)
    assert daily is not None
    assert await daily.make_due() is not None
    [copy] = tmp_path.iterdir()
    assert copy.name.startswith("memory-")
    held = await SqliteStore.open(copy, analyzer=Words())
    assert await held.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert await held.get(ANA, Message, [message.id]) == [message]
    assert (await held.verify()).problems == ()
    assert await held.identity() != secret
    [stamp] = await held.stamps([ANA])
    await kept(held, an_item())
    [later] = await held.stamps([ANA])
    assert later.said > stamp.said  # its clock goes on where the server's was
    await held.close()
    await store.close()


async def test_a_dump_made_and_restored_as_the_manual_says_is_whole(postgres_server: Server, tmp_path: Path) -> None:
    """By the owner of the tables, for whom policies hold as well."""
    programs = binaries()
    assert programs is not None
    address = postgres_server.emptied()
    store = await opened(address)
    await kept(store, item := an_item())
    await store.close()
    made, dump = catalogue(address), tmp_path / "dump"

    async def run(*words: str, **settings: str) -> None:
        process = await asyncio.create_subprocess_exec(programs / words[0], *words[1:], env=settings)
        assert await process.wait() == 0

    how = ("--enable-row-security", "--schema=relembra", "--format=custom", f"--file={dump}", address)
    await run("pg_dump", *how, PGOPTIONS="-c relembra.reach=all")
    target = postgres_server.new_database()
    for _ in range(2):
        await run("pg_restore", "--clean", "--if-exists", f"--dbname={target}", str(dump))
    assert catalogue(target) == made
    store = await opened(target)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert (await store.verify()).problems == ()
    await store.close()


async def test_opened_for_reading_alone_nothing_is_written(postgres_server: Server) -> None:
    address = postgres_server.new_database()
    with pytest.raises(errors.StoreVersionError, match="for writing"):
        await opened(address, read_only=True)
    store = await opened(address)
    await kept(store, item := an_item())
    await store.close()
    reading = await opened(address, read_only=True)
    assert await reading.get(ANA, KnowledgeItem, [item.id]) == [item]
    with pytest.raises(errors.StoreReadOnlyError):
        await kept(reading, an_item())
    await reading.close()
    with pytest.raises(errors.StoreError, match="closed"):
        await reading.page(ANA, Whole.__new__(Whole))


REPORTS: list[tuple[str, str, int | None]] = [
    ('finished vacuuming "m.relembra.item": index scans: 1\npages: 0 removed, 1 remain\n'
     "tuples: 3 removed, 2 remain, 7 are dead but not yet removable\nremovable cutoff: 10", "", 7),  # 15 and later
    ('table "item": found 3 removable, 9 nonremovable row versions in 1 out of 1 pages',
     "4 dead row versions cannot be removed yet, oldest xmin: 745\nSkipped 0 pages due to buffer pins", 4),  # 14
    ('vacuuming "relembra.item"', "", None),
    ("", "", None),
]  # fmt: skip


@each(REPORTS)
def test_what_a_vacuum_had_to_leave_is_read_from_its_report(message: str, detail: str, rows: int | None) -> None:
    assert dead_rows_left(message, detail) == rows


OF_FILES = {"put_salvaged", "salvaged_keys", "salvaged_row", "mend_salvaged", "wind_clock"}
"""Statements only a file is asked."""


async def test_every_whole_statement_is_one_the_server_understands(postgres_server: Server) -> None:
    address = postgres_server.emptied()
    await (await opened(address)).close()
    wrong: dict[str, str] = {}
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET search_path = relembra")
        for name in STATEMENTS.keys() - OF_FILES:
            text = statement_of(name)
            if "{" not in text and text.startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
                try:
                    connection.execute(f"PREPARE one AS {text}".encode())
                except psycopg.Error as exc:
                    wrong[name] = str(exc)
                else:
                    connection.execute("DEALLOCATE one")
    assert wrong == {}


def test_every_key_begins_with_the_tenant_but_for_those_the_manual_lists() -> None:
    """By the tenant rows could be spread over several machines."""
    text = "\n".join(migration.text for migration in migrations())
    keys: list[tuple[str, str]] = re.findall(r"CREATE UNIQUE INDEX \w+ ON (\w+) \(([^)]+)\)", text)
    for table, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\);", text, re.DOTALL):
        whole, alone = re.search(r"PRIMARY KEY \(([^)]+)\)", body), re.search(r"(\w+) [^,\n]*PRIMARY KEY", body)
        found = whole or alone
        assert found is not None, table
        keys.append((table, found[1]))
    without = {table for table, key in keys if not key.startswith("tenant")} | {"migration"}
    manual = (Path(__file__).parents[3] / "docs" / "scale.md").read_text("utf-8").partition("key without the tenant")[2]
    listed = [line.split("|")[1] for line in manual.partition("\n\n")[0].splitlines() if line.startswith("| `")]
    assert {name for cell in listed for name in re.findall(r"`(\w+)`", cell)} == without
