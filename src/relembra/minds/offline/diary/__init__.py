"""What people tell of their days, in Portuguese and English: feelings and topics, sleep, exercise and the like."""

from __future__ import annotations

from relembra.minds.offline.diary.observer import OfflineObserver

__all__ = ["OfflineObserver"]
