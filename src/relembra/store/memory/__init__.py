"""A store in dictionaries."""

from relembra.store.memory.store import InMemoryStore

__all__ = ["InMemoryStore"]
