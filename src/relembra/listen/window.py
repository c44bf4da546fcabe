"""The conversation at hand: which of the last messages still belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from relembra.domain.message import Message


def session(newest_first: Sequence[Message], now: datetime, idle: timedelta) -> list[Message]:
    """The messages back to the first silence longer than `idle`, oldest first."""
    kept: list[Message] = []
    moment = now
    for message in newest_first:
        if moment - message.sent_at > idle:
            break
        kept.append(message)
        moment = message.sent_at
    return kept[::-1]
