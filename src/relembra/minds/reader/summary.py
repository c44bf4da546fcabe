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

__all__ = ["note_text", "summarised", "weighed"]

SUMMARY_CHARACTERS = 400
MOST_SENTENCES = 4
LONGEST_SENTENCE = 200
LONGEST_TITLE = 60
SHORTEST_SENTENCE = 3  # words
LOOKED_AT = 10  # sentences

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
        (message.author_name, shortened(message.text[start:end], LONGEST_SENTENCE))
        for message in messages
        for start, end in split_sentences(message.text[:4_000])
    ]
    words, scores = weighed([text for _, text in sentences])
    taken: list[int] = []
    room = most_characters
    for index in _best(scores, len(scores)):
        length = len(sentences[index][1]) + 1
        repeats = any(words[index] <= words[other] for other in taken)
        if length <= room and len(taken) < MOST_SENTENCES and not repeats and (scores[index] > 0 or not taken):
            taken.append(index)
            room -= length
    return [sentences[index] for index in sorted(taken)]


def weighed(sentences: Sequence[str]) -> tuple[list[frozenset[str]], list[float]]:
    """The words of each sentence that say something, and how much it tells among the others."""
    words = [_words(text) for text in sentences]
    spread = Counter(word for found in words for word in found)
    scores = [_weight(text, found, spread) for text, found in zip(sentences, words, strict=True)]
    for index in _best(scores, LOOKED_AT):  # what rules know of a sentence costs more, so only the best are asked
        scores[index] += _ruled(sentences[index])
    return words, scores


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(fold(text)) if word not in STOP_WORDS)


def _best(scores: Sequence[float], most: int) -> list[int]:
    return sorted(range(len(scores)), key=lambda index: (-scores[index], index))[:most]


def _weight(text: str, words: frozenset[str], spread: Counter[str]) -> float:
    """How much a sentence tells by its words: those the talk comes back to, statements before questions."""
    if len(words) < SHORTEST_SENTENCE:
        return 0.1 * len(words)
    told = sum(1.0 + 0.5 * (spread[word] - 1) for word in words) / (len(words) + 4)
    return told - (0.4 if text.rstrip().endswith("?") else 0.0)


def _ruled(text: str) -> float:
    """What a rule adds: a plain fact tells more, and what is nobody's claim or a pleasantry less."""
    ruling = rule_of(text)
    return 0.0 if ruling is None else 0.6 if ruling.worth else -0.6
