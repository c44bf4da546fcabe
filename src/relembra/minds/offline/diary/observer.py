"""Turning what was said into observations of days: words by the lexicons, moods and areas by the judges' heads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfoNotFoundError

from relembra.domain.deadline import time_limit
from relembra.domain.insight import AREA_MOOD, FEELING, MOOD, STATE, Feature, Observation
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType
from relembra.domain.message import Message
from relembra.domain.moment import local
from relembra.domain.policy import InsightPolicy
from relembra.domain.text import fold
from relembra.errors import MindError, TooSlowError
from relembra.minds.offline.diary.reading import noticed, stated, tells_of_others
from relembra.minds.offline.judges.judges import Judges
from relembra.minds.offline.judges.values import Judgement, Mood
from relembra.minds.port import Observer, Vector

__all__ = ["OfflineObserver"]

BATCH = 500
log = logging.getLogger(__name__)
_SIGNS = {Mood.POSITIVE: 1, Mood.NEGATIVE: -1}


class OfflineObserver:
    """Reads messages by themselves, in both languages, without a model; embeds nothing."""

    def __init__(
        self,
        judges: Judges | None = None,
        *,
        policy: InsightPolicy | None = None,
        read_within: timedelta = timedelta(seconds=3),
    ) -> None:
        self._judges = judges
        self._read_seconds = read_within.total_seconds()
        self._sure = (policy or InsightPolicy()).mood_at_least

    @property
    def model(self) -> str | None:
        return None if self._judges is None else self._judges.encoder

    async def observe(
        self, messages: Sequence[Message], vectors: Mapping[str, Vector], items: Sequence[KnowledgeItem] = ()
    ) -> list[Observation]:
        found: list[Observation] = []
        for start in range(0, len(messages), BATCH):
            part = messages[start : start + BATCH]
            found += await asyncio.to_thread(self._read, part, vectors)
        said = {message.id: message for message in messages}
        told = {(one.message_id, one.feature.name) for one in found if one.feature.kind == FEELING}
        found += [one for item in items for one in _of_item(item, said, told)]
        return found

    def _read(self, messages: Sequence[Message], vectors: Mapping[str, Vector]) -> list[Observation]:
        told: list[Observation] = []
        own: list[Message] = []  # messages the judges are asked about
        for message in messages:
            try:
                with time_limit(self._read_seconds):
                    told += _told(message)
                    if message.id in vectors and not tells_of_others(message.text):
                        own.append(message)
            except TooSlowError:
                log.warning("message %s is left unread: it took longer than %g seconds", message.id, self._read_seconds)
        return [*told, *self._judged(own, vectors)]

    def _judged(self, messages: Sequence[Message], vectors: Mapping[str, Vector]) -> Iterator[Observation]:
        if self._judges is None or not messages:
            return
        try:
            judged = self._judges.judge_vectors([one.text for one in messages], [vectors[one.id] for one in messages])
        except MindError:  # heads fitted on another encoder say nothing of these vectors
            return
        for message, judgement in zip(messages, judged, strict=True):
            for feature, sign in self._moods(judgement):
                yield _observation(message, feature, sign)

    def _moods(self, judgement: Judgement) -> Iterator[tuple[Feature, int]]:
        sign = _SIGNS.get(judgement.mood.value)
        if sign is None or judgement.mood.probability < self._sure:
            return
        yield Feature(STATE, MOOD), sign
        if judgement.area.value is not None and judgement.area.probability >= self._sure:
            yield Feature(AREA_MOOD, judgement.area.value), sign


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
