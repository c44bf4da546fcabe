"""The reader that needs no model service, no key and no network: small networks read, plain functions word it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice

from relembra.domain.candidate import Candidate, Comparison, Digest, Effect, NoteText, Spent, Talk
from relembra.domain.knowledge import SELF, KnowledgeType, about, is_known
from relembra.domain.message import Message, Role
from relembra.domain.policy import LearnPolicy
from relembra.domain.text import collapsed, fold, shortened
from relembra.domain.time import local, time_limit
from relembra.errors import MindError, TooSlowError
from relembra.minds.languages import LANGUAGES, known
from relembra.minds.offline.language import Language, language_of
from relembra.minds.offline.text import split_sentences
from relembra.minds.port import Tokens
from relembra.minds.reader.facts import Fact, Said, gives_orders, read, without_quotations
from relembra.minds.reader.networks import DOES, Networks, Speaker, Turn, Word, about_known, first_words, laid_out
from relembra.minds.reader.wording import note_text, summary_of, vocabulary

log = logging.getLogger(__name__)

__all__ = ["OfflineReader", "tried_reading"]

VERSION = 3
LONGEST_READ = 4_000  # characters of a message that are read; beyond that it is a document, not talk
MOST_PARTS = 12  # of so many characters each that a diary entry is read in
SUMMARY_CHARACTERS = 240
TURNS_BEFORE = 3
JUST_BEFORE = timedelta(hours=12)  # what was said longer ago is no turn before
WORTH_AT_LEAST = 0.2  # a message less likely to hold something is not shown to a model
TURNS_AT_LEAST = 0.1  # one less likely to end something is not held against what is known


_MOODS = {"pt": ("abatido", "neutro", "animado"), "en": ("low", "neutral", "in good spirits")}
_NO_QUOTES = str.maketrans("", "", "“”")
_MOOD = {"pt": "humor", "en": "mood"}


class OfflineReader:
    """Deterministic. What it is not sure of it does not propose; how sure it is goes with what it proposes."""

    name = f"offline@{VERSION}"

    def __init__(self, networks: Networks, tokens: Tokens, *, policy: LearnPolicy, summary_tokens: int) -> None:
        self._networks = networks
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
            if talk.only is not None and message.id not in talk.only:
                continue
            turns = 0.0
            for part in _parts(message):
                said = await asyncio.to_thread(self._read, talk, place, part)
                if said is None:
                    unread.append(message.id)
                    continue
                found += [_candidate(fact, message, talk.language) for fact in said.facts]
                turns = max(turns, said.turns)
            if turns >= TURNS_AT_LEAST:
                turning.append(message.id)
        note = NoteText(title="", summary="")
        if talk.is_noted:
            note = await asyncio.to_thread(note_text, talk, [*talk.taught, *found])
        return Digest(
            note=note,
            candidates=tuple(found),
            reader=self.name,
            unread=tuple(dict.fromkeys(unread)),
            turning=tuple(turning),
        )

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        place = talk.messages.index(message)
        said = [laid_out(collapsed(part), _before(talk, place))[1] for part in _parts(message)]

        def judged() -> list[Effect]:
            return [max((self._effect(line, words) for words in said), key=lambda one: one.over) for line in known]

        return await asyncio.to_thread(judged)

    async def worth(self, messages: Sequence[Message]) -> list[bool]:
        """Which messages are worth a model's tokens: those that may hold something, or end it."""
        return [await asyncio.to_thread(self._is_worth, message) for message in messages]

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        spoken = [message for message in talk.messages if message.role is Role.USER]
        language = "pt" if talk.language == "pt" else "en"
        ending = f" ({_MOOD[language]}: {_MOODS[language][await asyncio.to_thread(self._mood, spoken[-3:])]})"
        told = summary_of(spoken, most_characters=SUMMARY_CHARACTERS) or previous or ""
        while told and self._tokens.count(told + ending) > self._summary_tokens:
            told = shortened(told, max(1, int(len(told) * 0.85)))
        return (told + ending).strip()

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        return await asyncio.to_thread(lambda: [self._compared(old, new) for old, new in pairs])

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        """Nothing is held."""

    def _read(self, talk: Talk, place: int, part: str) -> Said | None:
        """What a message says in a part of it; None where reading takes too long."""
        message = talk.messages[place]
        text = without_quotations(collapsed(part))
        folded = fold(text).replace("’", "'")
        is_private = any(vocabulary(language).guards["private"].search(folded) for language in LANGUAGES)
        if is_private or gives_orders(text):
            return Said()
        seconds = self._policy.read_within.total_seconds()
        before, language = _before(talk, place), _language(text, talk.language)
        is_among = any(turn.speaker is Speaker.OTHER for turn in before)
        enough = self._policy.among_people
        least = enough(SELF, None) if is_among else self._policy.keep_at_least
        said_at = local(message.sent_at, message.zone)
        self._networks.load()  # which does not count
        try:
            with time_limit(seconds):
                said = read(self._networks, text, before, said_at=said_at, language=language, least=least)
        except TooSlowError:
            log.warning("message %s is left unread: reading it took longer than %g seconds", message.id, seconds)
            return None
        if is_among:
            kept = [fact for fact in said.facts if fact.likely >= enough(fact.subject, fact.attribute)]
            said = replace(said, facts=kept)
        return said

    def _is_worth(self, message: Message) -> bool:
        if message.is_journal:
            return True
        tagged = self._networks.tag(first_words(collapsed(message.text[:LONGEST_READ]), self._networks.cutter))
        return tagged.worth >= WORTH_AT_LEAST or tagged.turns >= TURNS_AT_LEAST

    def _mood(self, messages: Sequence[Message]) -> int:
        """Of the last message that has one: 0 negative, 1 neutral, 2 positive."""
        for message in reversed(messages):
            likely = self._networks.mood(collapsed(message.text[:LONGEST_READ]))
            if (mood := likely.index(max(likely))) != 1:
                return mood
        return 1

    def _effect(self, known: str, words: Sequence[Word]) -> Effect:
        # Without the marks around somebody's own words: the judge learnt from plain statements.
        does = self._networks.does(about_known(known.translate(_NO_QUOTES), words, self._networks.cutter))
        return Effect(**dict(zip(DOES, does, strict=True)))

    def _compared(self, old: str, new: str) -> Comparison:
        effect = self._effect(old, laid_out(new.translate(_NO_QUOTES))[1])
        return Comparison(contradicts=effect.over + effect.asks, same=effect.repeats)


def _parts(message: Message) -> list[str]:
    """What is read of a message: of talk its beginning, of a diary entry all, some pages at a time."""
    text, parts, start = message.text, list[str](), 0
    while start < len(text) and len(parts) < (MOST_PARTS if message.is_journal else 1):
        part = text[start : start + LONGEST_READ]
        if message.is_journal and start + len(part) < len(text):
            sentences = split_sentences(part)  # the last of which may go on
            part = part[: sentences[-1][0] if len(sentences) > 1 else part.rfind(" ") + 1] or part
        parts.append(part)
        start += len(part)
    return parts


def _before(talk: Talk, place: int) -> list[Turn]:
    """The turns right before a message, seen from whoever wrote it."""
    read = talk.messages[place]
    there = (one for one in reversed(talk.messages[:place]) if one.conversation == read.conversation)
    turns = []
    for message in reversed(list(islice(there, TURNS_BEFORE))):
        if message.role is Role.SYSTEM or read.sent_at - message.sent_at > JUST_BEFORE:
            continue
        is_self = message.role is Role.USER and message.author == read.author
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
        type=KnowledgeType.MEMORY if fact.happens else fixed.type,
        area=fixed.area if is_known(fact.attribute or "") else None,
        sub_area=fixed.sub_area,
        subject=fact.subject,
        attribute=fact.attribute,
        value=fact.value or None,
        language=_language(message.text, language),
        person=person,
        changed=fact.changed,
        confidence=round(fact.likely, 2),
        measured=True,
        held_from=fact.held_from,
        held_until=fact.held_until,
        expires_at=fact.expires_at,
        evidence=fact.clause,
        why=f"read with certainty {fact.likely:.2f}",
    )


_SAID_AT = datetime(2026, 3, 11, 12, tzinfo=UTC)


def tried_reading(networks: Networks) -> int:
    """How many plain sentences the networks read, all of them right; `MindError` names the first that was not."""
    plain = [(language, *pair) for language in LANGUAGES for pair in known(language, "words")["trial"]["read"].items()]
    for language, said, wanted in plain:
        told = read(networks, said, (), said_at=_SAID_AT, language=language, least=0.5).facts
        if [fact.value for fact in told] != wanted:
            raise MindError(f"the reader misread {said!r}: {[fact.value for fact in told]}; install relembra again")
    return len(plain)
