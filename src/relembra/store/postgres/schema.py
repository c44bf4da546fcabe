"""Making and renewing the tables: numbered files, each once and in one transaction, whoever opens the store first.

A migration says in its first line whether a program that does not know it can go on beside it (`-- breaking: no`).
What is there is compared by checksum, so that nobody works on tables other than they think.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from psycopg import errors as pg

from relembra import errors
from relembra.domain.time import system_clock
from relembra.store.postgres.connection import (
    OLDEST_SERVER,
    SEARCH_PATH,
    Connection,
    Session,
    lock_number,
    statement_of,
)
from relembra.store.rows import micros

APP_ROLE = "relembra_app"


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of SQL."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    @property
    def is_breaking(self) -> bool:
        return not self.text.startswith("-- breaking: no\n")


@cache
def migrations() -> tuple[Migration, ...]:
    """Those this program knows, in order."""
    folder = files(__package__).joinpath("migrations")
    found = [(file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir() if file.name.endswith(".sql")]
    return tuple(Migration(int(name[:4]), name, text) for name, text in sorted(found))


def prepare(
    connection: Connection, place: str, *, read_only: bool = False, known: Sequence[Migration] | None = None
) -> str | None:
    """Bring the tables up to date, as the role that connected; the role to work as, None for that very one."""
    known = migrations() if known is None else known
    db = Session(connection)
    version, said, user, has_schema, _ = db.rows("server")[0]
    if version < OLDEST_SERVER:
        raise errors.StoreVersionError(f"{place} runs PostgreSQL {said}; version 14 or newer is needed")
    if _missing(db, place, known):
        if read_only:
            raise errors.StoreVersionError(f"{place} has no tables of this version; open it once for writing")
        try:
            _migrate(db, place, known, has_schema=has_schema)
        except pg.InsufficientPrivilege:
            raise errors.StoreVersionError(
                f"the tables at {place} have to be brought up to date, and role {user} may not:"
                " open the store once as the owner of schema relembra, or of the database"
            ) from None
    role, bypasses, _ = db.rows("roles")[0]
    if role == APP_ROLE and not db.first("is_let_in"):  # it was made since
        with connection.transaction():
            _let_in(db)
    if bypasses:
        raise errors.StoreError(
            f"role {role} at {place} bypasses row-level security; connect as a role that does not, or make the role"
            f" {APP_ROLE} and grant it to {user}"
        )
    return None if role == user else str(role)


def _missing(db: Session, place: str, known: Sequence[Migration]) -> list[Migration]:
    """What is still to be done; refuses tables this program cannot work on."""
    *_, has_migrations = db.rows("server")[0]
    if not has_migrations:
        return list(known)
    ours = {migration.number: migration for migration in known}
    done = {number: (checksum, is_breaking) for number, checksum, is_breaking in db.rows("migrations")}
    for number, (checksum, is_breaking) in done.items():
        if number not in ours and is_breaking:
            raise errors.StoreVersionError(
                f"{place} was brought to version {number} by a newer Relembra, with which this one cannot go on:"
                " upgrade with pip install -U relembra"
            )
        if number in ours and ours[number].checksum != checksum:
            raise errors.StoreVersionError(
                f"{place}: migration {number} was another there than in this program; use one release of Relembra"
            )
    return [migration for migration in known if migration.number not in done]


def _migrate(db: Session, place: str, known: Sequence[Migration], *, has_schema: bool) -> None:
    """Do what is missing, one transaction each; of many programs that start together, one does it."""
    connection = db.connection
    while True:
        with connection.transaction():
            connection.execute(f"SELECT pg_advisory_xact_lock({lock_number(('migrate',))})")
            if not has_schema:
                db.run("make_schema")
                has_schema = True
            missing = _missing(db, place, known)
            if not missing:
                return
            first = missing[0]
            db.run("make_migrations")
            connection.execute(f"SELECT set_config('search_path', '{SEARCH_PATH}', true)")
            connection.execute("SELECT set_config('relembra.reach', 'all', true)")
            connection.execute(first.text.encode())
            noted = (first.number, first.name, first.checksum, first.is_breaking, micros(system_clock()))
            db.run("add_migration", *noted)
            _let_in(db)


def _let_in(db: Session) -> None:
    """The role the program works as, which neither owns the tables nor passes over their policies, where we may."""
    role, _, may_create = db.rows("roles")[0]
    if role != APP_ROLE and may_create:
        for statement in ("make_app_role", "join_app_role"):
            # Another database's program may have made it, and have it for itself; the owner's own role does as well.
            with (
                suppress(pg.DuplicateObject, pg.UniqueViolation, pg.InsufficientPrivilege),
                db.connection.transaction(),
            ):
                db.run(statement)
    if db.rows("app_role"):
        db.connection.execute(statement_of("grants").encode())
