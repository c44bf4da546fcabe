"""The words of a long message that matter for a question."""

from __future__ import annotations

from collections.abc import Mapping

from relembra.domain.passages import passage_spans, sentence_spans
from relembra.domain.policy import TalkPolicy
from relembra.domain.text import fold

CUT = "…"
_IN_PASSAGE = 0.2  # what a sentence gains that stands in the passage nearest to the question
_FINER = 3  # a window of words moves by this part of its length


def excerpt(text: str, shares: Mapping[str, float], *, rank: int, part: int, policy: TalkPolicy) -> str:
    """What of a message answers: the sentence with most of the question in it, and what stands beside it.

    `shares`: the question's terms the message holds, each with its part of the question; `part`: its nearest passage, 0
    for all of it. The best messages by `rank` have more room; one that is only a little too long stays whole.
    """
    most = policy.first_excerpt if rank < policy.first_excerpts else policy.excerpt
    whole = " ".join(text.split())
    if len(whole) <= most * policy.excerpt_slack:
        return whole
    spans = sentence_spans(text)
    parts = passage_spans(text) if part > 0 else []
    near = parts[part - 1] if 0 < part <= len(parts) else (0, 0)
    sentences = [" ".join(text[start:end].split()) for start, end in spans]
    worth = [
        held(sentence, shares) + (_IN_PASSAGE if near[0] <= start and end <= near[1] else 0.0)
        for sentence, (start, end) in zip(sentences, spans, strict=True)
    ]
    low = high = max(range(len(sentences)), key=lambda place: (worth[place], -place))
    left = most - len(sentences[low])
    while beside := [
        place for place in (low - 1, high + 1) if 0 <= place < len(sentences) and len(sentences[place]) < left
    ]:
        place = max(beside, key=lambda one: worth[one])
        left -= len(sentences[place]) + 1
        low, high = min(low, place), max(high, place)
    inside = " ".join(sentences[low : high + 1])
    if low == high and len(inside) > 2 * most:
        inside = _window(inside, 2 * most, shares)
    return (CUT + " ") * (low > 0) + inside + (" " + CUT) * (high < len(sentences) - 1)


def held(sentence: str, shares: Mapping[str, float]) -> float:
    """How much of the question a sentence holds; a stem begins a word of it."""
    words = " " + fold(sentence)
    return sum(share for term, share in shares.items() if any(before + term in words for before in " \"'“(-/*"))


def _window(sentence: str, most: int, shares: Mapping[str, float]) -> str:
    """Of a line without stops, as a pasted table is, the words with most of the question among them."""
    words = sentence.split()
    size = max(8, most * len(words) // len(sentence))
    step = max(1, size // _FINER)
    starts = range(0, max(1, len(words) - size + step), step)
    at = max(starts, key=lambda place: (held(" ".join(words[place : place + size]), shares), -place))
    whole = " ".join(words[at : at + size])
    inside = whole[: 2 * most]
    return (CUT + " ") * (at > 0) + inside + (" " + CUT) * (at + size < len(words) or inside != whole)
