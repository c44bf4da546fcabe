"""Telling talk briefly without a model: the sentences that carry most, as they were said, in their own order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from relembra.domain.candidate import NoteText, Talk
from relembra.domain.message import Message, Role, title_for
from relembra.domain.text import fold, shortened
from relembra.minds.offline.judges.rules import rule_of
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.sentences import split_sentences

__all__ = ["note_text", "summarised"]

SUMMARY_CHARACTERS = 400
MOST_SENTENCES = 4
LONGEST_SENTENCE = 200
LONGEST_TITLE = 60
SHORTEST_SENTENCE = 3  # words

_WORD = re.compile(r"[^\W\d_]{3,}|\d+")


def note_text(talk: Talk) -> NoteText:
    """A title and a summary in the people's own words; who said what is named where several spoke."""
    spoken = [message for message in talk.messages if message.role is Role.USER]
    chosen = summarised(spoken, most_characters=SUMMARY_CHARACTERS)
    first = next((text for _, text in chosen), spoken[0].text if spoken else "…")
    several = len({message.author for message in spoken}) > 1
    told = [f"{who}: {text}" if several else text for who, text in chosen]
    return NoteText(title=shortened(title_for(first), LONGEST_TITLE), summary=" ".join(told) or first)


def summarised(messages: Sequence[Message], *, most_characters: int) -> list[tuple[str, str]]:
    """The sentences that tell most, each with who said it, in the order said; something even of small talk."""
    sentences = [
        (message.author, shortened(message.text[start:end], LONGEST_SENTENCE))
        for message in messages
        for start, end in split_sentences(message.text[:4_000])
    ]
    words = [_words(text) for _, text in sentences]
    spread = Counter(word for found in words for word in found)
    scores = [_score(text, found, spread) for (_, text), found in zip(sentences, words, strict=True)]
    taken: list[int] = []
    room = most_characters
    for index in sorted(range(len(sentences)), key=lambda index: (-scores[index], index)):
        length = len(sentences[index][1]) + 1
        repeats = any(words[index] <= words[other] for other in taken)
        if length <= room and len(taken) < MOST_SENTENCES and not repeats and (scores[index] > 0 or not taken):
            taken.append(index)
            room -= length
    return [sentences[index] for index in sorted(taken)]


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(fold(text)) if word not in STOP_WORDS)


def _score(text: str, words: frozenset[str], spread: Counter[str]) -> float:
    """How much a sentence tells: words the talk comes back to, statements before questions, pleasantries last."""
    if len(words) < SHORTEST_SENTENCE:
        return 0.1 * len(words)
    ruling = rule_of(text)
    if ruling is not None and not ruling.worth:
        return 0.2
    told = sum(1.0 + 0.5 * (spread[word] - 1) for word in words) / (len(words) + 4)
    return told + (0.6 if ruling is not None else 0.0) - (0.4 if text.rstrip().endswith("?") else 0.0)
