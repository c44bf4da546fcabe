"""Row-level security on PostgreSQL: ways to reach another person's rows, tried and failing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib.resources import files
from typing import Any

import psycopg
import pytest
from psycopg import errors as pg

from builders import (
    ANA,
    BIA,
    MODEL,
    NOW,
    STRANGERS,
    Words,
    a_case,
    a_conversation,
    a_job,
    a_key,
    a_message,
    a_note,
    a_query,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_id,
    an_item,
    buffering,
    items_where,
    kept,
)
from loops import each
from postgres import Server
from relembra.domain.access import BlockKind, Link, Session
from relembra.domain.message import Message
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.store.port import (
    CountUse,
    ForgetPerson,
    IndexMessages,
    KeptReply,
    Kind,
    MessageFilter,
    Put,
    PutVectors,
    RunFilter,
    Use,
)
from relembra.store.postgres import PostgresStore
from relembra.store.sql.store import SqlStore, Whose

GUILD = shelf_of(ANA, Place("guild"))
NOBODYS = {"migration", "model", "meta"}
"""Tables that hold nothing of anybody."""
ALL = (ANA, *STRANGERS)


@pytest.fixture
async def filled(postgres_server: Server) -> str:
    """A database with a row of every kind for each of three people; its address."""
    address = postgres_server.emptied()
    store = await PostgresStore.open(address, analyzer=Words())
    for number, scope in enumerate(ALL):
        said, item = a_message(scope=scope, text=f"said by {scope.user}", external_id="x"), an_item(scope=scope)
        await store.apply(scope, [buffering(said)])
        await kept(store, item, a_conversation(scope=scope), a_note(scope=scope), an_entry(scope=scope))
        await kept(store, a_case(scope=scope), a_job(scope=scope))
        use = CountUse(Use(day=NOW.date(), task="read", model="m", calls=1, input_tokens=1, output_tokens=1))
        await store.apply(scope, [Put(a_run(scope=scope), None), Put(a_view(scope=scope), None), use])
        vectors = PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),))
        await store.apply(scope, [vectors, IndexMessages((said.id,))])
        key = a_key(tenant=scope.tenant, user=scope.user)
        await store.put_key(key, bytes(32))
        session = Session(key=key.id, created_at=NOW, expires_at=NOW + timedelta(days=1))
        await store.put_session(session, bytes([number]) * 32)
        link = Link(tenant=scope.tenant, channel="discord", id=scope.user, user=scope.user, created_at=NOW)
        await store.put_link(link)
        lease = timedelta(minutes=1)
        await store.begin_reply(scope.tenant, "key", scope.user, fingerprint="f", now=NOW, lease=lease)
        reply = KeptReply(status=200, headers={}, body=b"")
        await store.end_reply(scope.tenant, "key", scope.user, reply, user=scope.user, until=NOW + timedelta(days=1))
        await store.block(scope.tenant, BlockKind.PERSON, f"x{number}", since=NOW, new_id=an_id)
    await store.close()
    return address


Setting = dict[str, str]
MINE: Setting = {"reach": "person", "tenant": ANA.tenant, "owner": ANA.user}


@contextmanager
def within(connection: psycopg.Connection[Any], **settings: str) -> Iterator[psycopg.Connection[Any]]:
    """A transaction as the application's role, with these settings."""
    with connection.transaction():
        connection.execute("SET LOCAL ROLE relembra_app")
        connection.execute("SET LOCAL search_path = relembra, pg_catalog")
        for name, value in settings.items():
            connection.execute("SELECT set_config(%s, %s, true)", [f"relembra.{name}", value])
        yield connection


@contextmanager
def connected(address: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection


def tables(connection: psycopg.Connection[Any]) -> list[str]:
    found = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'relembra'::regnamespace AND relkind = 'r' ORDER BY relname"
    )
    return [name for (name,) in found]


def test_every_table_is_forced_and_nothing_passes_over_it(filled: str) -> None:
    with connected(filled) as connection:
        open_tables = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'relembra'::regnamespace AND relkind IN ('r', 'p')"
            " AND NOT (relrowsecurity AND relforcerowsecurity)"
        ).fetchall()
        others = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'relembra'::regnamespace AND relkind IN ('v', 'm', 'f')"
            " UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'relembra'::regnamespace AND prosecdef"
        ).fetchall()
        role = connection.execute(
            "SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcanlogin FROM pg_roles"
            " WHERE rolname = 'relembra_app'"
        ).fetchone()
        owned = connection.execute("SELECT count(*) FROM pg_class WHERE relowner = 'relembra_app'::regrole").fetchone()
    assert open_tables == [("migration",)]  # names of files
    assert (others, role, owned) == ([], (False,), (0,))


def test_a_statement_without_a_condition_sees_and_changes_the_persons_own_rows_alone(filled: str) -> None:
    with connected(filled) as connection:
        names = [name for name in tables(connection) if name not in NOBODYS]
        with within(connection, reach="all"):
            everything = {name: count(connection, name) for name in names}
        assert {name for name, rows in everything.items() if rows < len(ALL)} == set(), "each holds a row of everybody"
        with within(connection, **MINE):
            mine = {name: count(connection, name) for name in names}
        assert all(0 < mine[name] < everything[name] for name in names), mine
        with within(connection, reach="tenant", tenant=ANA.tenant):
            assert all(mine[name] <= count(connection, name) < everything[name] for name in names)
        with within(connection, **MINE):
            assert connection.execute("UPDATE item SET title = 'mine'").rowcount == mine["item"]
            assert connection.execute("DELETE FROM message").rowcount == mine["message"]
        with within(connection, reach="all"):
            assert count(connection, "message") == everything["message"] - mine["message"]


def count(connection: psycopg.Connection[Any], name: str) -> int:
    row = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()  # noqa: S608 (own names)
    assert row is not None
    return int(row[0])


NO_SETTING: list[Setting] = [
    {},
    {"tenant": ANA.tenant, "owner": ANA.user},
    {"reach": "", "tenant": ANA.tenant, "owner": ANA.user},
    {"reach": "person", "tenant": ANA.tenant},
    {"reach": "person", "owner": ANA.user},
    {"reach": "tenant"},
    {"reach": "ALL"},
    {"reach": "person", "tenant": "", "owner": ""},
]


@each(NO_SETTING)
def test_who_does_not_say_whose_rows_they_want_gets_none(settings: Setting, filled: str) -> None:
    with connected(filled) as connection, within(connection, **settings):
        assert {count(connection, name) for name in tables(connection) if name not in NOBODYS} == {0}


REFUSED: list[tuple[str, type[psycopg.Error]]] = [
    ("INSERT INTO stamp (tenant, owner, said, known) VALUES ('default', 'bia2', 1, 1)", pg.InsufficientPrivilege),
    ("UPDATE item SET owner = 'bia'", pg.InsufficientPrivilege),
    ("UPDATE item SET tenant = 'other'", pg.InsufficientPrivilege),
    ("TRUNCATE item", pg.InsufficientPrivilege),
    ("ALTER TABLE item NO FORCE ROW LEVEL SECURITY", pg.InsufficientPrivilege),
    ("DROP POLICY reach ON item", pg.InsufficientPrivilege),
    ("CREATE VIEW relembra.everything AS SELECT * FROM item", pg.InsufficientPrivilege),
    ("CREATE FUNCTION relembra.f() RETURNS int LANGUAGE sql AS 'SELECT 1'", pg.InsufficientPrivilege),
    ("CREATE POLICY mine ON item USING (true)", pg.InsufficientPrivilege),
    ("SET LOCAL row_security = off; SELECT * FROM item", pg.InsufficientPrivilege),
    ("SET LOCAL ROLE postgres", pg.InsufficientPrivilege),
    ("COPY item FROM STDIN", psycopg.Error),
    ("COPY item TO '/tmp/rows'", pg.InsufficientPrivilege),
    ("DELETE FROM migration", pg.InsufficientPrivilege),
    ("DELETE FROM model; INSERT INTO no_such VALUES (1)", pg.UndefinedTable),
]  # fmt: skip


@each(REFUSED)
def test_the_applications_role_may_not(statement: str, error: type[psycopg.Error], filled: str) -> None:
    with connected(filled) as connection, pytest.raises(error), within(connection, **MINE):
        connection.execute(statement.encode())


def test_ways_around_show_no_rows_of_others(filled: str) -> None:
    with connected(filled) as connection:
        with within(connection, **MINE):
            connection.execute("CREATE TEMP VIEW looked AS SELECT owner, tenant FROM message")
            assert set(connection.execute("SELECT owner, tenant FROM looked")) == {(ANA.user, ANA.tenant)}
            with connection.cursor().copy("COPY (SELECT owner, tenant FROM message) TO STDOUT") as copied:
                assert set(copied.rows()) == {(ANA.user, ANA.tenant)}
            with connection.cursor().copy("COPY item (owner, tenant) TO STDOUT") as copied:
                assert set(copied.rows()) == {(ANA.user, ANA.tenant)}
            joined = "SELECT count(*) FROM posting JOIN message USING (tenant, id) WHERE message.owner <> 'ana'"
            assert connection.execute(joined).fetchone() == (0,)
            assert connection.execute("SELECT count(*) FROM pg_stats WHERE schemaname = 'relembra'").fetchone() == (0,)
        with within(connection, reach="person", tenant=BIA.tenant, owner=BIA.user):
            assert set(connection.execute("SELECT owner FROM looked")) == {(BIA.user,)}  # the view is nobody's either


def test_a_function_that_tells_what_it_is_given_is_given_own_rows_alone(filled: str) -> None:
    with connected(filled) as connection:
        told: list[str] = []
        connection.add_notice_handler(lambda notice: told.append(str(notice.message_primary)))
        with within(connection, **MINE):
            connection.execute(
                "CREATE FUNCTION pg_temp.tells(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001"
                " AS $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$"
            )
            connection.execute("SELECT count(*) FROM message WHERE pg_temp.tells(text)")
    assert told == ["said by ana"]


def test_nothing_of_one_transaction_is_left_for_the_next(filled: str) -> None:
    """As a pool or a pooler lends a connection to one person after another."""
    with connected(filled) as connection:
        connection.execute("PREPARE mine AS SELECT owner, tenant FROM relembra.message")
        seen = []
        for scope in ALL:
            with within(connection, reach="person", tenant=scope.tenant, owner=scope.user):
                seen.append(connection.execute("EXECUTE mine").fetchall())
        with within(connection):
            seen.append(connection.execute("EXECUTE mine").fetchall())
        assert seen == [*([(scope.user, scope.tenant)] for scope in ALL), []]
        assert connection.execute("SELECT current_setting('relembra.owner', true)").fetchone() == ("",)
        assert connection.execute("SELECT count(*) FROM relembra.message").fetchone() == (
            0,
        )  # the owner's role neither


# ── which call of a store may reach how far ───────────────────────────────────────────────────────────────────────


class Reached(Exception):  # noqa: N818 (it stops a call and says nothing bad)
    def __init__(self, whose: Whose) -> None:
        self.whose = whose


class Told(SqlStore):
    """Tells whose rows a call would touch."""

    _analyzer = Words()

    def __init__(self) -> None:
        from relembra.store.sql.vectors import HotSlices

        self._hot = HotSlices()

    async def _read(self, _work: Any, whose: Whose, /) -> Any:
        raise Reached(whose)

    async def _write(self, _work: Any, whose: Whose, _turns: Any, /) -> Any:
        raise Reached(whose)

    async def _forget(self, scope: Scope, _work: Any, /) -> Any:
        raise Reached(scope.tenant)


SPEAKERS = MessageFilter(asked_in=Place("guild", "general"), said_there=True, owners=("ana", "bia"))
QUERY = a_query("tea")
TENANTS: list[tuple[str, Callable[[SqlStore], Any]]] = [
    ("a channel's search", lambda store: store.search(GUILD, QUERY, SPEAKERS)),
    ("a channel's neighbours", lambda store: store.beside(GUILD, [], before=1, after=1, wanted=SPEAKERS)),
    ("forgetting", lambda store: store.forget(ANA, ForgetPerson())),
    ("what of a space stays here", lambda store: store.withheld(GUILD)),
    ("stamps of several", lambda store: store.stamps([ANA, GUILD])),
    ("a message that waits on a space's shelf",
     lambda store: store.apply(ANA, [buffering(a_message(place=Place("guild", "general")))])),
    ("another's job", lambda store: store.apply(GUILD, [*map(_enqueued, [a_job(scope=ANA)])])),
]  # fmt: skip
PERSONS: list[tuple[str, Callable[[SqlStore], Any]]] = [
    ("a search", lambda store: store.search(ANA, QUERY, items_where())),
    ("a search of messages", lambda store: store.search(ANA, QUERY, MessageFilter())),
    ("one's own stamp", lambda store: store.stamps([ANA])),
    ("what of a person stays here", lambda store: store.withheld(ANA)),
    ("saving", lambda store: store.apply(ANA, [buffering(a_message()), _enqueued(a_job())])),
    ("one's own jobs", lambda store: store.jobs(scope=ANA)),
    ("one's own numbers", lambda store: store.usage(ANA)),
    ("one's own page of runs", lambda store: store.page(ANA, RunFilter())),
]
EVERYBODYS = {
    "claim", "give_back", "job", "cancel", "next_due", "hasten", "retry", "drop_jobs", "jobs", "put_key", "keys",
    "key_by_prefix", "revoke_key", "touch_keys", "put_session", "session", "end_session", "purge_replies", "unindexed",
    "identity", "unembedded", "model_names", "drop_other_vectors", "usage", "page", "ids_like",
}  # fmt: skip
"""Claiming jobs, upkeep, numbers of all, and keys; the last three when they are asked of everybody."""


def _enqueued(job: Any) -> Any:
    from relembra.store.port import Enqueue

    return Enqueue(job)


@pytest.mark.parametrize(("calls", "whose"), [(TENANTS, ANA.tenant), (PERSONS, ANA)])
async def test_a_call_reaches_no_further_than_it_has_to(
    calls: list[tuple[str, Callable[[SqlStore], Any]]], whose: Whose
) -> None:
    for name, call in calls:
        with pytest.raises(Reached) as told:
            await call(Told())
        assert told.value.whose == whose, name


GIVEN: dict[str, list[Any]] = {
    "page": [None, RunFilter()], "ids_like": [None], "usage": [None], "jobs": [], "next_due": [], "identity": [],
    "begin_reply": [ANA.tenant, "", ""], "get": [ANA, Message, []],
}  # fmt: skip
"""What calls are made with that are not about a scope alone."""
ASKED_ABOVE = ("apply", "search", "beside", "stamps", "put_link", "nearest", "words", "forget")


async def test_only_work_upkeep_numbers_and_keys_reach_everybody() -> None:
    reached: dict[str, Whose] = {}
    for name, method in inspect.getmembers(SqlStore, inspect.isfunction):
        if not name.startswith("_") and name not in ASKED_ABOVE:
            with pytest.raises(Reached) as told:
                await method(Told(), *GIVEN.get(name, [ANA]))
            reached[name] = told.value.whose
    assert {name for name, whose in reached.items() if whose is None} == EVERYBODYS


# ── Supabase ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_is_signed_in_to_supabase_reads_their_own_rows_and_no_more(filled: str, postgres_server: Server) -> None:
    script = files("relembra.store.postgres").joinpath("supabase.sql").read_text("utf-8")
    with postgres_server.admin("memory") as admin:
        admin.execute(
            "CREATE SCHEMA IF NOT EXISTS auth; DROP FUNCTION IF EXISTS auth.uid();"
            " CREATE FUNCTION auth.uid() RETURNS text LANGUAGE sql STABLE"  # there it is a uuid from the token
            " AS $$ SELECT nullif(current_setting('request.jwt.claim.sub', true), '') $$"
        )
        if admin.execute("SELECT 1 FROM pg_roles WHERE rolname = 'authenticated'").fetchone() is None:
            admin.execute("CREATE ROLE authenticated")
        admin.execute("GRANT USAGE ON SCHEMA auth TO authenticated, memory")
    with connected(filled) as connection:
        connection.execute(script.encode())
        connection.execute(script.encode())
    with postgres_server.admin("memory") as admin, admin.transaction():
        admin.execute("SET LOCAL ROLE authenticated")
        seen = []
        for user in ("ana", "bia", "", "nobody"):
            admin.execute("SELECT set_config('request.jwt.claim.sub', %s, true)", [user])
            seen.append(set(admin.execute("SELECT tenant, owner FROM relembra.message")))
        admin.execute("SELECT set_config('relembra.reach', 'all', true)")  # what only the program says
        for user in ("ana", "bia"):
            admin.execute("SELECT set_config('request.jwt.claim.sub', %s, true)", [user])
            seen.append(set(admin.execute("SELECT tenant, owner FROM relembra.message")))
        assert seen == [{("default", "ana")}, {("default", "bia")}, set(), set(), *seen[:2]]
        for refused in ("UPDATE relembra.message SET text = ''", "SELECT * FROM relembra.access_key"):
            with pytest.raises(pg.InsufficientPrivilege), admin.transaction():
                admin.execute(refused.encode())
