"""Telling talk briefly without a model: the sentences that carry most, as they were said, in their own order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from relembra.domain.candidate import Candidate, NoteText, Talk
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Role
from relembra.domain.text import fold, shortened
from relembra.minds.offline.language import language_of
from relembra.minds.offline.sentences import split_sentences
from relembra.minds.reader.titles import capitalised, said_words, title_of
from relembra.minds.reader.wording import vocabulary

__all__ = ["ended", "note_text", "summary_of", "weighed"]

SUMMARY_CHARACTERS = 400
MOST_SENTENCES = 4
LONGEST_SENTENCE = 200
LOOKED_AT = 4_000  # characters of a message
SHORTEST_SENTENCE = 3  # words
OF_A_FACT = 5.0  # what a sentence weighs more that tells a fact: more than most weigh by their words
OF_A_QUESTION = -0.2
VAGUE = vocabulary("pt").phrases["vague"] | vocabulary("en").phrases["vague"]

_MARKED = re.compile(r"[.!?…。！？][\"'”’»)\]]*$|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]$")


def note_text(talk: Talk, found: Sequence[Candidate | KnowledgeItem] = ()) -> NoteText:
    """A title that says the matter, and a summary in the people's own words; `found` is what was read in the talk."""
    spoken = [message for message in talk.messages if message.role is Role.USER]
    texts = [message.text[:LOOKED_AT] for message in spoken]
    language = language_of("\n".join(texts)) or ("pt" if talk.language == "pt" else "en")
    title = title_of(texts, found, language) or "…"
    facts = [fold(fact.evidence) for fact in found if fact.evidence]
    summary = summary_of(spoken, most_characters=SUMMARY_CHARACTERS, title=title, facts=facts)
    return NoteText(title=title, summary=summary or title)


def summary_of(messages: Sequence[Message], *, most_characters: int, title: str = "", facts: Sequence[str] = ()) -> str:
    """The sentences that tell most, in the order said, each with its mark; who said what where several spoke.

    Pleasantries and what only repeats the title are left out, unless there is nothing else.
    """
    sentences = [
        (message.author_name, capitalised(ended(shortened(message.text[start:end], LONGEST_SENTENCE))))
        for message in messages
        for start, end in split_sentences(message.text[:LOOKED_AT])
    ]
    words, scores = weighed([text for _, text in sentences])
    for index, (_, text) in enumerate(sentences):
        if any(fact in fold(text) for fact in facts):
            scores[index] += OF_A_FACT
    told, taken, room = [said_words(title)], list[int](), most_characters
    for index in sorted(range(len(scores)), key=lambda index: (-scores[index], index)):
        length = len(sentences[index][1]) + 1
        tells = scores[index] > 0 and not any(words[index] <= other for other in told)
        if length <= room and len(taken) < MOST_SENTENCES and (tells or not taken):
            taken.append(index)
            told.append(words[index])
            room -= length
    several = len({message.author_name for message in messages}) > 1
    return _spoken([sentences[index] for index in sorted(taken)], several=several)


def weighed(sentences: Sequence[str]) -> tuple[list[frozenset[str]], list[float]]:
    """The words of each sentence that say something, and how much it tells among the others."""
    words = [said_words(text) for text in sentences]
    spread = Counter(word for found in words for word in found)
    return words, [_weight(text, found, spread) for text, found in zip(sentences, words, strict=True)]


def ended(sentence: str) -> str:
    """With a mark at its end, so that another can follow."""
    return sentence if _MARKED.search(sentence) else sentence.rstrip(" ,;:-–—") + "."


def _spoken(chosen: Sequence[tuple[str, str]], *, several: bool) -> str:
    return " ".join(
        f"{who}: {text}" if several and (at == 0 or chosen[at - 1][0] != who) else text
        for at, (who, text) in enumerate(chosen)
    )


def _weight(text: str, words: frozenset[str], spread: Counter[str]) -> float:
    """How much a sentence tells by its words: those the talk comes back to, statements before questions."""
    if len(words) < SHORTEST_SENTENCE:
        return -0.1 / (1 + len(words)) if words <= VAGUE else 0.1 * len(words)
    told = sum(1.0 + 0.5 * (spread[word] - 1) for word in words) / (len(words) + 4)
    return told + OF_A_QUESTION * text.rstrip().endswith("?")
