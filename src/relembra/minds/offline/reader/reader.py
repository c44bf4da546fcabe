"""The reader that needs no model, no key and no network: rules find what is said, a trained gate guards the door."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from relembra.domain.attributes import about, is_known
from relembra.domain.candidate import NO_EFFECT, Candidate, Comparison, Digest, Effect, Spent, Talk
from relembra.domain.deadline import time_limit
from relembra.domain.knowledge import SELF
from relembra.domain.message import Message, Role
from relembra.domain.moment import local
from relembra.domain.policy import LearnPolicy
from relembra.domain.text import collapsed, shortened
from relembra.errors import TooSlowError
from relembra.minds.offline.judges.values import Act, Judgement, Label, Mood
from relembra.minds.offline.language import Language, language_of
from relembra.minds.offline.reader.engine import Grammar, Said, read
from relembra.minds.offline.reader.summary import note_text, summarised
from relembra.minds.offline.reader.telling import Telling, tellings
from relembra.minds.port import Tokens, Vector

if TYPE_CHECKING:
    from relembra.minds.offline.judges.judges import Judges

__all__ = ["OfflineReader", "grammar_of"]

VERSION = 1
SUMMARY_CHARACTERS = 240

log = logging.getLogger(__name__)

_MOODS = {
    "pt": {Mood.POSITIVE: "animado", Mood.NEGATIVE: "abatido", Mood.NEUTRAL: "neutro"},
    "en": {Mood.POSITIVE: "in good spirits", Mood.NEGATIVE: "low", Mood.NEUTRAL: "neutral"},
}
_MOOD = {"pt": "humor", "en": "mood"}


class OfflineReader:
    """Deterministic. Rules propose; the gate refuses what is not worth keeping, and lets plain telling in whole."""

    name = f"offline@{VERSION}"

    def __init__(self, judges: Judges, tokens: Tokens, *, policy: LearnPolicy, summary_tokens: int) -> None:
        self.judges = judges
        self._tokens = tokens
        self._policy = policy
        self._summary_tokens = summary_tokens

    async def digest(self, talk: Talk) -> Digest:
        spoken = [message for message in talk.messages if _is_spoken(message, talk.speaker)]
        vectors = talk.vectors if talk.embedded_by == self.judges.encoder else {}
        proposed = await self._proposed(spoken, talk.language, vectors)
        return Digest(
            note=await asyncio.to_thread(note_text, talk),
            candidates=tuple(candidate for one in proposed for candidate in one.kept),
            reader=self.name,
            unread=tuple(message.id for message, one in zip(spoken, proposed, strict=True) if one.unread),
        )

    async def worth(self, messages: Sequence[Message]) -> list[bool]:
        """Which messages are worth a model's tokens: those that would teach something, and those the gate lets in."""
        return [one.worth or bool(one.kept) for one in await self._proposed(messages, "en")]

    async def _proposed(
        self, messages: Sequence[Message], language: str, vectors: Mapping[str, Vector] = {}
    ) -> list[_Proposed]:
        """What each message is, and what it says that is worth knowing: what rules read, and telling that is sure."""
        messages = [replace(message, text=collapsed(message.text)) for message in messages]
        read = [await asyncio.to_thread(self._read, message, language) for message in messages]
        texts = [message.text for message in messages]
        parts = [telling.text for found in read if found is not None for telling in found.told]
        judged = iter(await self.judges.judge([*texts, *parts], vectors))
        whole = [next(judged) for _ in texts]
        return [
            _Proposed(judgement.worth.value, [], unread=True)
            if found is None
            else _Proposed(
                judgement.worth.value,
                self._kept(message, judgement, found, [(telling, next(judged)) for telling in found.told]),
            )
            for message, judgement, found in zip(messages, whole, read, strict=True)
        ]

    def _read(self, message: Message, language: str) -> _Read | None:
        """What rules find in a message; None where that takes too long."""
        seconds = self._policy.read_within.total_seconds()
        try:
            return _read(message, language, seconds)
        except TooSlowError:
            log.warning("message %s is left unread: reading it took longer than %g seconds", message.id, seconds)
            return None

    def _kept(
        self, message: Message, judgement: Judgement, read: _Read, told: Sequence[tuple[Telling, Judgement]]
    ) -> list[Candidate]:
        policy = self._policy
        if judgement.worth.probability < policy.doubt_under:
            return []
        kept = [_candidate(said, read.grammar, message, judgement) for said in read.said]
        kept += [
            _whole(telling, message, one, read.grammar.language)
            for telling, one in told
            if one.worth.probability >= policy.whole_at_least
            and judgement.worth.value
            and one.act.value is Act.STATEMENT
            and one.kind.value is not None
        ]
        return kept

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
        related = await self.judges.relate(pairs)
        return [
            Comparison(contradicts=one.all[Label.CONTRADICTS], same=one.all[Label.SAME], why=one.why) for one in related
        ]

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:  # noqa: ARG002
        """Nothing: rules see no more in a message than what they propose from it."""
        return [NO_EFFECT] * len(known)

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        """Nothing is held; the embedder belongs to whoever made it."""


def _is_spoken(message: Message, speaker: str | None) -> bool:
    return message.role is Role.USER and speaker in (None, message.author)


@dataclass(frozen=True, slots=True)
class _Read:
    """What rules found in a message, by the grammar of its language, and the plain telling they left."""

    grammar: Grammar
    said: tuple[Said, ...]
    told: tuple[Telling, ...] = ()


@dataclass(frozen=True, slots=True)
class _Proposed:
    """What came of reading one message; `worth`: the gate lets it in."""

    worth: bool
    kept: list[Candidate]
    unread: bool = False


def grammar_of(language: Language) -> Grammar:
    """The grammar of a language, loaded when it is first needed."""
    if language == "pt":
        from relembra.minds.offline.reader.portuguese import GRAMMAR
    else:
        from relembra.minds.offline.reader.english import GRAMMAR
    return GRAMMAR


def _read(message: Message, fallback: str, seconds: float) -> _Read:
    """Read by the language of the words; where they do not tell, by the talk's, and else by the other."""
    spoken = language_of(message.text)
    first: Language = spoken or ("pt" if fallback == "pt" else "en")
    other: Language = "en" if first == "pt" else "pt"
    said_at = local(message.sent_at, message.zone)
    grammar = grammar_of(first)
    with time_limit(seconds):  # loading a grammar does not count
        found = read(message.text, grammar, said_at=said_at)
    if not found and spoken is None:
        another = grammar_of(other)
        with time_limit(seconds):
            found = read(message.text, another, said_at=said_at)
        grammar = another if found else grammar
    with time_limit(seconds):
        told = tellings(message.text, grammar, [said.quote for said in found])
    return _Read(grammar, tuple(found), tuple(told))


def _candidate(said: Said, grammar: Grammar, message: Message, judgement: Judgement) -> Candidate:
    fixed = about(said.attribute)
    person = dict(said.person)
    is_name = said.subject != SELF and said.subject != said.relation
    subject = said.subject.title() if is_name and said.subject.islower() else said.subject
    if said.relation and said.attribute == "relation":
        person = {"name": subject, "relation": said.relation} | person
    return Candidate(
        content=said.content or grammar.worded(said),
        message_id=message.id,
        type=said.type or fixed.type,
        area=fixed.area if is_known(said.attribute or "") else judgement.area.value,
        sub_area=fixed.sub_area,
        subject=subject,
        attribute=said.attribute,
        value=said.value,
        language=grammar.language,
        tags=said.tags,
        person=person,
        changed=said.changed,
        held_from=said.held_from,
        held_until=said.held_until,
        expires_at=said.expires_at,
        evidence=said.quote,
        why=f"rule: {said.rule}",
    )


def _whole(telling: Telling, message: Message, judgement: Judgement, language: Language) -> Candidate:
    assert judgement.kind.value is not None
    return Candidate(
        content=" ".join(telling.text.split()),
        message_id=message.id,
        type=judgement.kind.value,
        area=judgement.area.value,
        subject=telling.subject,
        language=language,
        weight=0.5,
        evidence=telling.text,
        why=judgement.worth.why,
    )
