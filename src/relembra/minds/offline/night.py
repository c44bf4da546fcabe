"""Night work without a model: notes put together by what they mean, told again in their own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from relembra.domain.candidate import Reread, Spent, Talk, Topic
from relembra.domain.message import LONGEST_TITLE, Note
from relembra.domain.policy import ClusterPolicy
from relembra.domain.searchable import note_text
from relembra.domain.text import fold, shortened
from relembra.minds.offline.grouping import by_centrality, grouped
from relembra.minds.offline.language import language_of
from relembra.minds.offline.sentences import split_sentences
from relembra.minds.port import Embedder, Tokens, Vector
from relembra.minds.reader.summary import ended, weighed

__all__ = ["OfflineNight"]

VERSION = 1
SUMMARY_CHARACTERS = 600
LONGEST_SENTENCE = 300
LONGEST_TEXT = 20_000  # characters looked at of one text
MOST_SENTENCES = 1_000


class OfflineNight:
    """Deterministic. The embedder belongs to whoever made it."""

    name = f"offline-night@{VERSION}"
    rereads = False

    def __init__(
        self,
        embedder: Embedder,
        tokens: Tokens,
        *,
        policy: ClusterPolicy | None = None,
        language_of: Callable[[str], str | None] = language_of,
    ) -> None:
        self._embedder = embedder
        self._tokens = tokens
        self._policy = policy or ClusterPolicy()
        self._language_of = language_of

    async def reread(self, talk: Talk) -> Reread:  # noqa: ARG002 - the port's
        """Nothing: rules find the same as by day."""
        return Reread(reader=self.name)

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        """Notes of one matter by their vectors, each with the title of its most central note and its best sentences."""
        if len(notes) < 2 or most < 1:
            return []
        vectors = await self._embedder.embed([note_text(note) for note in notes])
        groups = await asyncio.to_thread(
            grouped,
            vectors,
            similar_at_least=self._policy.similar_at_least,
            related_at_least=self._policy.related_at_least,
            fewest=self._policy.least,
            most=most,
        )
        return [
            self._topic([notes[place] for place in group], [vectors[place] for place in group], language)
            for group in groups
        ]

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:  # noqa: ARG002 - the port's
        """The sentences that tell most, in the order they stand, as many as fit; of one too long for all its beginning.

        Nothing is translated: they stay in the language they were told in.
        """
        sentences = [sentence for text in texts for sentence in _sentences(text)][:MOST_SENTENCES]
        words, scores = weighed(sentences)
        ranks = sorted(range(len(sentences)), key=lambda place: (-scores[place], place))
        taken: list[int] = []
        for place in ranks:
            if any(words[place] <= words[other] for other in taken):
                continue
            if self._tokens.count(_told(sentences, [*taken, place])) <= tokens:
                taken.append(place)
        if taken or not ranks:
            return _told(sentences, taken)
        return self._begun(sentences[ranks[0]], tokens)

    def spent(self) -> list[Spent]:
        """Nothing, for no model is asked."""
        return []

    async def close(self) -> None:
        """Nothing is held."""

    def _topic(self, notes: Sequence[Note], vectors: Sequence[Vector], language: str) -> Topic:
        central = by_centrality(vectors)
        spoken = [place for place in central if self._language_of(note_text(notes[place])) == language]
        title = shortened(notes[(spoken or central)[0]].title, LONGEST_TITLE)
        return Topic(title=title, summary=summary_of(notes, central) or title, note_ids=tuple(one.id for one in notes))

    def _begun(self, sentence: str, tokens: int) -> str:
        limit = len(sentence)
        while limit > 1 and self._tokens.count(shortened(sentence, limit)) > tokens:
            limit = limit * 4 // 5
        short = shortened(sentence, limit)
        return short if self._tokens.count(short) <= tokens else ""


def summary_of(notes: Sequence[Note], order: Sequence[int]) -> str:
    """The best sentence of each note, then their next best, in that order until no more fit; told as they happened."""
    several = len({name for note in notes for name in note.participants}) > 1
    placed = [
        (number, _by(note, sentence) if several else sentence)
        for number, note in enumerate(notes)
        for sentence in _sentences(note.summary)
    ]
    words, scores = weighed([sentence for _, sentence in placed])
    of_note: dict[int, list[int]] = {number: [] for number in order}
    for place in sorted(range(len(placed)), key=lambda place: (-scores[place], place)):
        of_note[placed[place][0]].append(place)
    turns = max(map(len, of_note.values()), default=0)
    taken: list[int] = []
    room = SUMMARY_CHARACTERS
    for place in (of_note[number][turn] for turn in range(turns) for number in order if turn < len(of_note[number])):
        length = len(placed[place][1]) + 1
        if length <= room and not any(words[place] <= words[other] for other in taken):
            taken.append(place)
            room -= length
    return _told([sentence for _, sentence in placed], taken)


def _by(note: Note, sentence: str) -> str:
    """A sentence beside those of others: with who said it, where the note is one person's and does not name them."""
    if len(note.participants) != 1 or fold(note.participants[0]) in fold(sentence):
        return sentence
    return f"{note.participants[0]}: {sentence}"


def _told(sentences: Sequence[str], places: Sequence[int]) -> str:
    return " ".join(sentences[place] for place in sorted(places))


def _sentences(text: str) -> list[str]:
    head = text[:LONGEST_TEXT]
    return [ended(shortened(head[start:end], LONGEST_SENTENCE)) for start, end in split_sentences(head)]
