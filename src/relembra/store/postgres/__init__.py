"""The store on a PostgreSQL server, which many programs and machines may share."""

from relembra.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
