"""The embedded store: one SQLite file."""

from relembra.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
