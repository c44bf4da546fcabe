"""Night work without a model: notes put together by what they mean, told again in their own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from relembra.domain.candidate import Reread, Spent, Talk, Topic
from relembra.domain.message import LONGEST_TITLE, Note
from relembra.domain.policy import ClusterPolicy
from relembra.domain.searchable import note_text
from relembra.domain.text import fold, shortened
from relembra.minds.offline.language import language_of
from relembra.minds.offline.text import split_sentences
from relembra.minds.port import Embedder, Tokens, Vector
from relembra.minds.reader.wording import ended, weighed

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]
    Groups = list[list[int]]


MOST_COMPARED = 500
"""Vectors compared with one another; those behind them only join the groups that these form."""


def grouped(
    vectors: Sequence[Vector], *, similar_at_least: float, related_at_least: float, fewest: int, most: int
) -> list[list[int]]:
    """Groups of at least two, by place and in the order of their first; what is near to nothing is in none.

    Two groups are one while their members' mean cosine is `similar_at_least`. Where that gives too many, they go on
    becoming one down to `related_at_least`, and then the largest are taken. Where it gives too few, the cut is moved as
    little as gives enough: down as far, or up to finer groups, as long as these leave no more than half out.
    """
    if len(vectors) < 2 or most < 1:
        return []
    rows = _rows(vectors)
    first = rows[:MOST_COMPARED]
    cosines, merges = _merges(first, down_to=related_at_least)
    usual = sum(1 for cosine in cosines if cosine >= similar_at_least)
    cut = _cut(*_counts(len(first), merges), usual=usual, least=min(fewest, most), most=most)
    groups = [group for group in _joined(len(first), merges[:cut]) if len(group) > 1]
    groups = sorted(sorted(groups, key=len, reverse=True)[:most])
    for place in range(len(first), len(rows)):
        near = [float((rows[group] @ rows[place]).mean()) for group in groups]
        if near and max(near) >= similar_at_least:
            groups[near.index(max(near))].append(place)
    return groups


def by_centrality(vectors: Sequence[Vector]) -> list[int]:
    """Places, the one nearest to all the others first."""
    rows = _rows(vectors)
    near = rows @ rows.sum(0)
    return sorted(range(len(rows)), key=lambda place: (-round(float(near[place]), 6), place))


def _rows(vectors: Sequence[Vector]) -> Numbers:
    import numpy as np

    return np.stack([np.frombuffer(vector, "<f4") for vector in vectors])


def _merges(rows: Numbers, *, down_to: float) -> tuple[list[float], list[tuple[int, int]]]:
    """Which two groups, named by their first members, become one in each step, and their mean cosine then."""
    import numpy as np

    near = (rows @ rows.T).astype(np.float64)
    np.fill_diagonal(near, -np.inf)
    sizes = np.ones(len(rows))
    cosines, merges = list[float](), list[tuple[int, int]]()
    for _ in range(len(rows) - 1):
        one, other = sorted(divmod(int(near.argmax()), len(rows)))
        cosine = float(near[one, other])
        if cosine < down_to:
            break
        cosines.append(cosine)
        merges.append((one, other))
        together = (near[one] * sizes[one] + near[other] * sizes[other]) / (sizes[one] + sizes[other])
        near[one], near[:, one] = together, together
        near[other], near[:, other] = -np.inf, -np.inf
        near[one, one] = -np.inf
        sizes[one] += sizes[other]
    return cosines, merges


def _joined(count: int, merges: Sequence[tuple[int, int]]) -> Groups:
    groups = {place: [place] for place in range(count)}
    for one, other in merges:
        groups[one] = sorted(groups[one] + groups.pop(other))
    return list(groups.values())


def _counts(count: int, merges: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """How many groups of at least two there are before the first step and after each, and how many are in them."""
    sizes = dict.fromkeys(range(count), 1)
    counts, covered = [0], [0]
    for one, other in merges:
        gone = sizes.pop(other)
        counts.append(counts[-1] + (sizes[one] + gone == 2) - (sizes[one] > 1 and gone > 1))
        covered.append(covered[-1] + (sizes[one] == 1) + (gone == 1))
        sizes[one] += gone
    return counts, covered


def _cut(counts: Sequence[int], covered: Sequence[int], *, usual: int, least: int, most: int) -> int:
    """After which step to stop."""
    if counts[usual] > most:
        return next((step for step in range(usual, len(counts)) if counts[step] <= most), len(counts) - 1)
    fair = [step for step, in_them in enumerate(covered) if counts[step] <= most and 2 * in_them >= covered[usual]]
    return min(fair, key=lambda step: (max(least - counts[step], 0), abs(step - usual), -step))


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
        best = _best(sentences, lambda text: self._tokens.count(text) <= tokens)
        if best or not sentences:
            return best
        scores = weighed(sentences)[1]
        return self._begun(max(zip(scores, sentences, strict=True), key=lambda pair: pair[0])[1], tokens)

    def spent(self) -> list[Spent]:
        """Nothing, for no model is asked."""
        return []

    async def close(self) -> None:
        """Nothing is held."""

    def _topic(self, notes: Sequence[Note], vectors: Sequence[Vector], language: str) -> Topic:
        central = by_centrality(vectors)
        spoken = [place for place in central if self._language_of(note_text(notes[place])) == language]
        title = shortened(notes[(spoken or central)[0]].title, LONGEST_TITLE)
        return Topic(title=title, summary=summary_of(notes) or title, note_ids=tuple(one.id for one in notes))

    def _begun(self, sentence: str, tokens: int) -> str:
        limit = len(sentence)
        while limit > 1 and self._tokens.count(shortened(sentence, limit)) > tokens:
            limit = limit * 4 // 5
        short = shortened(sentence, limit)
        return short if self._tokens.count(short) <= tokens else ""


def summary_of(notes: Sequence[Note]) -> str:
    """The sentences of the notes that tell most, as many as fit, as they happened."""
    several = len({name for note in notes for name in note.participants}) > 1
    told = [_by(note, sentence) if several else sentence for note in notes for sentence in _sentences(note.summary)]
    return _best(told, lambda text: len(text) <= SUMMARY_CHARACTERS)


def _best(sentences: Sequence[str], fits: Callable[[str], bool]) -> str:
    """The sentences that tell most, in the order they stand, as many as fit; none whose words another has as well."""
    words, scores = weighed(sentences)
    taken: list[int] = []
    for place in sorted(range(len(sentences)), key=lambda place: (-scores[place], place)):
        text = " ".join(sentences[other] for other in sorted([*taken, place]))
        if not any(words[place] <= words[other] for other in taken) and fits(text):
            taken.append(place)
    return " ".join(sentences[place] for place in sorted(taken))


def _by(note: Note, sentence: str) -> str:
    """A sentence beside those of others: with who said it, where the note is one person's and does not name them."""
    if len(note.participants) != 1 or fold(note.participants[0]) in fold(sentence):
        return sentence
    return f"{note.participants[0]}: {sentence}"


def _sentences(text: str) -> list[str]:
    head = text[:LONGEST_TEXT]
    return [ended(shortened(head[start:end], LONGEST_SENTENCE)) for start, end in split_sentences(head)]
