"""The embedded store: SQLite, in one file or in memory."""

from relembra.store.sqlite.store import InMemoryStore, SqliteStore

__all__ = ["InMemoryStore", "SqliteStore"]
