"""The conversation at hand: which of the last messages still belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from relembra.domain.message import Message
from relembra.minds.port import Tokens


def session(newest_first: Sequence[Message], now: datetime, idle: timedelta) -> list[Message]:
    """The messages back to the first silence longer than `idle`, oldest first; not what is dated well after now."""
    kept: list[Message] = []
    moment = now
    for message in newest_first:
        if message.sent_at - now > idle:
            continue
        if moment - message.sent_at > idle:
            break
        kept.append(message)
        moment = message.sent_at
    return kept[::-1]


def compressed(
    oldest_first: Sequence[Message], tokens: Tokens, most_tokens: int
) -> tuple[list[Message], list[Message]]:
    """The oldest messages, to be told briefly, and those shown as they are: the newest that stay under the limit.

    The last message is always shown, and what is told briefly is still kept whole where it was said.
    """
    shown: list[Message] = []
    spent = 0
    for message in reversed(oldest_first):
        spent += tokens.count(message.text)
        if shown and spent > most_tokens:
            break
        shown.append(message)
    kept = shown[::-1]
    return list(oldest_first[: len(oldest_first) - len(kept)]), kept
