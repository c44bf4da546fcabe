"""The reader that needs no model service, no key and no network: two small networks read, plain functions word it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from relembra.domain.attributes import about, is_known
from relembra.domain.candidate import Candidate, Comparison, Digest, Effect, Spent, Talk
from relembra.domain.deadline import time_limit
from relembra.domain.knowledge import SELF
from relembra.domain.message import Message, Role
from relembra.domain.moment import local
from relembra.domain.policy import LearnPolicy
from relembra.domain.text import collapsed, shortened
from relembra.errors import TooSlowError
from relembra.minds.offline.judges.judges import Judges
from relembra.minds.offline.judges.values import Mood
from relembra.minds.offline.language import Language, language_of
from relembra.minds.offline.reader.summary import note_text, summarised
from relembra.minds.port import Tokens
from relembra.minds.reader.facts import Fact, facts_of
from relembra.minds.reader.guards import gives_orders, without_quotations
from relembra.minds.reader.layout import LONGEST, Speaker, Turn, Word, laid_out, pieces_of
from relembra.minds.reader.networks import Networks
from relembra.minds.reader.questions import DOES, about_known

__all__ = ["TrainedReader"]

VERSION = 2
LONGEST_READ = 4_000  # characters of a message that are read; beyond that it is a document, not talk
SUMMARY_CHARACTERS = 240
TURNS_BEFORE = 3
KEEP_AT_LEAST = 0.85  # what is less likely is not kept as a fact
WORTH_AT_LEAST = 0.2  # a message less likely to hold something is not shown to a model
TURNS_AT_LEAST = 0.3  # one less likely to end something is not held against what is known

log = logging.getLogger(__name__)

_MOODS = {
    "pt": {Mood.POSITIVE: "animado", Mood.NEGATIVE: "abatido", Mood.NEUTRAL: "neutro"},
    "en": {Mood.POSITIVE: "in good spirits", Mood.NEGATIVE: "low", Mood.NEUTRAL: "neutral"},
}
_MOOD = {"pt": "humor", "en": "mood"}


class TrainedReader:
    """Deterministic. What it is not sure of it does not propose; how sure it is goes with what it proposes."""

    name = f"offline@{VERSION}"

    def __init__(
        self, networks: Networks, judges: Judges, tokens: Tokens, *, policy: LearnPolicy, summary_tokens: int
    ) -> None:
        self.networks = networks
        self.judges = judges
        self._tokens = tokens
        self._policy = policy
        self._summary_tokens = summary_tokens

    async def digest(self, talk: Talk) -> Digest:
        found: list[Candidate] = []
        unread: list[str] = []
        turning: list[str] = []
        for place, message in enumerate(talk.messages):
            if message.role is not Role.USER or talk.speaker not in (None, message.author):
                continue
            facts = await asyncio.to_thread(self._read, talk, place)
            if facts is None:
                unread.append(message.id)
            else:
                found += [_candidate(fact, message, talk.language) for fact in facts]
            if await asyncio.to_thread(self._turns, talk, place):
                turning.append(message.id)
        return Digest(
            note=await asyncio.to_thread(note_text, talk),
            candidates=tuple(found),
            reader=self.name,
            unread=tuple(unread),
            turning=tuple(turning),
        )

    def _turns(self, talk: Talk, place: int) -> bool:
        """Whether a message may end or change something known."""
        words = self._words(talk, place)
        return bool(words) and self.networks.tag(words).turns >= TURNS_AT_LEAST

    def _words(self, talk: Talk, place: int) -> tuple[Word, ...]:
        """A message with the turns before it, the last words that fit."""
        _, words = laid_out(collapsed(talk.messages[place].text[:LONGEST_READ]), _before(talk, place))
        while len(pieces_of(words, self.networks.cutter).ids) > LONGEST:
            words = words[len(words) // 8 + 1 :]
        return words

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        words = self._words(talk, talk.messages.index(message))
        return [await asyncio.to_thread(self._effect, line, words) for line in known]

    def _effect(self, known: str, words: Sequence[Word]) -> Effect:
        judged = self.networks.judge(about_known(known, words, self.networks.cutter))
        return Effect(**dict(zip(DOES, judged.does, strict=True)))

    async def worth(self, messages: Sequence[Message]) -> list[bool]:
        """Which messages are worth a model's tokens: those the tagger thinks may hold something."""
        return [await asyncio.to_thread(self._is_worth, message) for message in messages]

    def _is_worth(self, message: Message) -> bool:
        _, words = laid_out(collapsed(message.text[:LONGEST_READ]))
        return bool(words) and self.networks.tag(words[:200]).worth >= WORTH_AT_LEAST

    def _read(self, talk: Talk, place: int) -> list[Fact] | None:
        """The facts of a message; None where reading takes too long."""
        message = talk.messages[place]
        text = without_quotations(collapsed(message.text[:LONGEST_READ]))
        if gives_orders(text):
            return []
        seconds = self._policy.read_within.total_seconds()
        try:
            with time_limit(seconds):
                return facts_of(
                    self.networks,
                    text,
                    _before(talk, place),
                    said_at=local(message.sent_at, message.zone),
                    language=_language(text, talk.language),
                    least=KEEP_AT_LEAST,
                )
        except TooSlowError:
            log.warning("message %s is left unread: reading it took longer than %g seconds", message.id, seconds)
            return None

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        spoken = [message for message in talk.messages if message.role is Role.USER]
        several = len({message.author for message in spoken}) > 1
        chosen = " ".join(
            (f"{who}: " if several else "") + text.rstrip(".!… ") + "."
            for who, text in summarised(spoken, most_characters=SUMMARY_CHARACTERS)
        )
        judged = await self.judges.judge([message.text for message in spoken[-2:]])
        mood = next((one.mood.value for one in reversed(judged) if one.mood.value is not Mood.NEUTRAL), Mood.NEUTRAL)
        language = "pt" if talk.language == "pt" else "en"
        ending = f" ({_MOOD[language]}: {_MOODS[language][mood]})"
        told = chosen or previous or ""
        while told and self._tokens.count(told + ending) > self._summary_tokens:
            told = shortened(told, max(1, int(len(told) * 0.85)))
        return (told + ending).strip()

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        return [await asyncio.to_thread(self._compared, old, new) for old, new in pairs]

    def _compared(self, old: str, new: str) -> Comparison:
        effect = self._effect(old, laid_out(new)[1])
        return Comparison(contradicts=effect.over + effect.asks, same=effect.repeats)

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        """Nothing is held; the embedder belongs to whoever made it."""


def _before(talk: Talk, place: int) -> list[Turn]:
    """The turns right before a message, seen from whoever wrote it."""
    author = talk.messages[place].author
    turns = []
    for message in talk.messages[max(0, place - TURNS_BEFORE) : place]:
        if message.role is Role.SYSTEM:
            continue
        is_self = message.role is Role.USER and message.author == author
        speaker = Speaker.SELF if is_self else Speaker.OTHER if message.role is Role.USER else Speaker.ASSISTANT
        turns.append(Turn(speaker, collapsed(message.text[:LONGEST_READ]), message.author_name))
    return turns


def _language(text: str, fallback: str) -> Language:
    return language_of(text) or ("pt" if fallback == "pt" else "en")


def _candidate(fact: Fact, message: Message, language: str) -> Candidate:
    fixed = about(fact.attribute)
    person = {"name": fact.subject, "relation": fact.value} if fact.attribute == "relation" else {}
    if fact.relation and fact.subject != SELF and fact.attribute != "relation":
        person = {"name": fact.subject, "relation": fact.relation}
    return Candidate(
        content=fact.content,
        message_id=message.id,
        type=fixed.type,
        area=fixed.area if is_known(fact.attribute or "") else None,
        sub_area=fixed.sub_area,
        subject=fact.subject,
        attribute=fact.attribute,
        value=fact.value,
        language=_language(message.text, language),
        person=person,
        changed=fact.changed,
        confidence=fact.likely,
        held_from=fact.held_from,
        held_until=fact.held_until,
        expires_at=fact.expires_at,
        evidence=fact.clause,
        why=f"read with certainty {fact.likely:.2f}",
    )
