"""Turning what was said into observations of days: words by the lexicons, moods by the reader's networks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfoNotFoundError

from relembra.domain.deadline import time_limit
from relembra.domain.insight import AREA_MOOD, FEELING, MOOD, STATE, TOPIC_AREAS, Feature, Observation
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType
from relembra.domain.message import Message
from relembra.domain.moment import local
from relembra.domain.policy import InsightPolicy
from relembra.domain.text import collapsed, fold
from relembra.errors import TooSlowError
from relembra.minds.offline.diary.reading import READ_CHARACTERS, noticed, stated, tells_of_others, topic_of
from relembra.minds.port import Observer
from relembra.minds.reader.networks import Networks

__all__ = ["OfflineObserver"]

BATCH = 500
log = logging.getLogger(__name__)


class OfflineObserver:
    """Reads messages by themselves, in both languages, without a model; without networks words only, and no mood."""

    def __init__(
        self,
        networks: Networks | None = None,
        *,
        policy: InsightPolicy | None = None,
        read_within: timedelta = timedelta(seconds=3),
    ) -> None:
        self._networks = networks
        self._read_seconds = read_within.total_seconds()
        self._sure = (policy or InsightPolicy()).mood_at_least

    async def observe(self, messages: Sequence[Message], items: Sequence[KnowledgeItem] = ()) -> list[Observation]:
        found: list[Observation] = []
        for start in range(0, len(messages), BATCH):
            found += await asyncio.to_thread(self._read, messages[start : start + BATCH])
        said = {message.id: message for message in messages}
        told = {(one.message_id, one.feature.name) for one in found if one.feature.kind == FEELING}
        found += [one for item in items for one in _of_item(item, said, told)]
        return found

    def _read(self, messages: Sequence[Message]) -> list[Observation]:
        found: list[Observation] = []
        for message in messages:
            try:
                with time_limit(self._read_seconds):
                    found += [*_told(message), *self._moods(message)]
            except TooSlowError:
                log.warning("message %s is left unread: it took longer than %g seconds", message.id, self._read_seconds)
        return found

    def _moods(self, message: Message) -> Iterator[Observation]:
        """How it sounds, of itself and of the area of life it names; nothing of what is about somebody else."""
        if self._networks is None or tells_of_others(message.text):
            return
        low, _, high = self._networks.mood(collapsed(message.text[:READ_CHARACTERS]))
        if max(low, high) < self._sure:
            return
        area = TOPIC_AREAS.get(topic_of(message.text))
        for feature in (Feature(STATE, MOOD), *([Feature(AREA_MOOD, area)] if area else [])):
            yield _observation(message, feature, 1 if high > low else -1)


def _told(message: Message) -> Iterator[Observation]:
    for one in noticed(message.text, _at(message).weekday()):
        yield _observation(message, one.feature, one.polarity, days_ago=one.days_ago)


def _of_item(
    item: KnowledgeItem, said: Mapping[str, Message], told: set[tuple[str | None, str]]
) -> Iterator[Observation]:
    """A feeling of the person's own that was learnt, on each day it was said: a reader may know it where the words
    alone do not tell."""
    if item.type is not KnowledgeType.EMOTION or item.subject != SELF or _is_claimed(item):
        return
    for feature in stated(item.value or item.content):
        for id in item.message_ids:
            if id in said and (id, feature.name) not in told:
                yield _observation(said[id], feature, 1, item_id=item.id)


def _is_claimed(item: KnowledgeItem) -> bool:
    """Whether somebody other than the person said it of them."""
    return item.speaker is not None and fold(item.speaker) != fold(item.scope.user)


def _observation(
    message: Message, feature: Feature, sign: int, *, days_ago: int = 0, item_id: str | None = None
) -> Observation:
    at = _at(message)
    lasting = feature.kind in (FEELING, AREA_MOOD) or feature.name == MOOD
    return Observation(
        day=at.date() - timedelta(days=days_ago),
        hour=at.hour if lasting and not days_ago else None,
        feature=feature,
        polarity=sign,
        message_id=message.id,
        item_id=item_id,
    )


def _at(message: Message) -> datetime:
    """When it was said, on the speaker's own clock; one nobody knows is read as UTC."""
    try:
        return local(message.sent_at, message.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return message.sent_at.astimezone(UTC)


_: type[Observer] = OfflineObserver
