"""Which messages, and which conversations, answer a question: pure functions of what the arms found.

The figures were chosen on one half of the questions of a public set of chats with assistants; `docs/evaluation.md` says
what each part gains on the other half.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from relembra.domain.message import Message, Role
from relembra.domain.policy import RankingName
from relembra.domain.searchable import Inquiry, Period, passage_spans, recency, sentence_spans
from relembra.domain.text import fold
from relembra.minds.port import Vector
from relembra.recall.ranking import Focus, Ranked, Why, unfound
from relembra.store.port import Candidate

# How messages are ranked: what was said has no weight, priority or use of its own.
CANDIDATES = 50  # taken from each arm before fusing
VECTOR_SHARE = 0.5  # of the fused score; keywords have the rest
PASSAGE_SHARE = 0.5  # of meaning, for the nearest passage; the whole message has the rest
KEYWORD_HALFWAY = 12.0  # the BM25 score that counts as half sure
OTHER_LOSS = 0.2  # of an assistant's message where a question is about the asker
UNSURE_LOSS = 0.15  # the same where a question does not tell whom it is about
TIME_GAIN = 0.4  # of a message sent in the time a question names; half of it where that is over a week
TIME_SIMILARITY = 0.35  # the least of what was sent then, where a question asks for nothing else
TOLD_WITHIN = timedelta(days=7)  # after that time, the gain is halved every so often
LONGEST_PERIOD = timedelta(days=32)  # a longer one says too little
OPENING_SHARE = 0.2  # of its first message's similarity, for a conversation's score
REREAD = 20  # of the best, how many are read again sentence by sentence
SENTENCE_SHARE = 0.75  # of how much of a question is covered, for the best sentence; the rest has all of it
NEIGHBOURS_OF = 8  # of the best, beside how many the neighbours are looked at
SHORT_WORDS = 25  # a message of so many words is short
NEIGHBOUR_SHARE = 0.4  # of a short hit's score, for a short message beside it
LONG_SHARE = 0.2  # the same for a longer one
ANSWER_SHARE = 0.8  # of the score of a hit that asks something, for what somebody else says right after it
AFTER = 3  # messages after a hit that are looked at; each step further away halves what it gets
ASKED_WITHIN = 60  # characters from the end of a message in which its question stands
SPEAKER_GAIN = 0.1  # of a message by somebody the question names
FRESH_AMONG = 30  # of the best, among how many the newer of two about one matter is put first
FRESH_SHARE = 0.8  # of the score of the older one, below which one that tells of no change hardly answers
FRESH_LONGEST = 600  # characters; a longer text tells many things and neither outdoes nor is outdone
SAME_MATTER = 0.7  # so near to one another and the question, two messages are about one matter
MAYBE_SAME_MATTER = 0.5  # or from here on, when
APART = 0.3  # that much nearer than the others are to the older one
SAID_AGAIN = 0.98  # a cosine from which one only says the other again
LOST_WORDS = 0.5  # what the question's words weigh against it that only the older one holds
CHANGE_WORDS = 0.06  # what words of change in the newer one weigh for it
FRESH_STEP = 0.000001  # how far above the older one the newer one is put
FIRST_EXCERPTS = 3  # the best messages, which have more room,
FIRST_EXCERPT = 360  # of so many characters
EXCERPT = 130  # characters of the others
EXCERPT_SLACK = 1.2  # a message only this much too long stays whole

CUT = "…"
_IN_PASSAGE = 0.2  # what a sentence gains that stands in the passage nearest to the question
_FINER = 3  # a window of words moves by this part of its length


def excerpt(text: str, shares: Mapping[str, float], *, rank: int, part: int) -> str:
    """What of a message answers: the sentence with most of the question in it, and what stands beside it.

    `shares`: the question's terms the message holds, each with its part of the question; `part`: its nearest passage, 0
    for all of it. The best messages by `rank` have more room; one that is only a little too long stays whole.
    """
    most = FIRST_EXCERPT if rank < FIRST_EXCERPTS else EXCERPT
    whole = " ".join(text.split())
    if len(whole) <= most * EXCERPT_SLACK:
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


_ALL = 0.99  # of a question's words, with room for rounding
_DAY = timedelta(days=1)
_WEEK = timedelta(days=8)  # a week as people count it, with an hour more in autumn


@dataclass(frozen=True, slots=True)
class Talked:
    """Messages and conversations, each best first."""

    messages: list[Ranked]
    conversations: list[str]


@dataclass(frozen=True, slots=True)
class Told:
    """A message read again, and the passage of it that answers."""

    text: str
    passage: str


def ranked_talk(
    candidates: Sequence[Candidate], inquiry: Inquiry, *, now: datetime, half_life_days: float, asker: str | None = None
) -> Talked:
    """Messages by meaning and words, moved by who said them and when; conversations by their best messages.

    `asker`: whose own the others are not, in a channel.
    """
    ranked = []
    for candidate in candidates:
        similarity = talk_similarity(candidate)
        dated = _dated(candidate.moment, inquiry.period)
        if dated and inquiry.time_alone:
            similarity = max(similarity, TIME_SIMILARITY)
        lost = 0.0  # what another's message loses where the question is about the asker or does not ask for it
        if candidate.role is Role.ASSISTANT and inquiry.role is not Role.ASSISTANT:
            lost = OTHER_LOSS if inquiry.role is Role.USER else UNSURE_LOSS
        elif inquiry.role is Role.USER and asker is not None and candidate.owner not in (None, asker):
            lost = OTHER_LOSS
        gained = dated + SPEAKER_GAIN * (candidate.author in inquiry.speakers) - lost
        is_asked_of = candidate.author in inquiry.speakers or (inquiry.role is not None and not lost)
        focus = (*((Focus.TIME,) if dated else ()), *((Focus.SPEAKER,) if is_asked_of else ()))
        why = Why(
            ranking=RankingName.DEFAULT,
            cosine=candidate.cosine,
            bm25=candidate.bm25,
            terms=candidate.terms,
            similarity=similarity,
            weight=candidate.weight,
            recency=recency(candidate.moment, now, half_life_days),
            focus=focus,
            moved=gained,
        )
        ranked.append(Ranked(candidate.id, similarity + gained, why, candidate))
    ranked.sort(key=_best_first)
    return in_order(ranked)


def in_order(ranked: list[Ranked]) -> Talked:
    """Messages in a given order, and their conversations by the best of each and part of what opens it."""
    openings = {one.candidate.conversation: one.why.similarity for one in ranked if one.candidate.opens}
    scores: dict[str, float] = {}
    for one in ranked:
        name = one.candidate.conversation
        if name is not None:
            opening = OPENING_SHARE * openings.get(name, 0.0)
            scores[name] = max(scores.get(name, -math.inf), one.score + opening)
    return Talked(ranked, sorted(scores, key=lambda name: -scores[name]))


def reread(ranked: Sequence[Ranked], told: Mapping[str, Told]) -> list[Ranked]:
    """The order after a second look at the first: words of the question that stand in one sentence count for more."""
    made = []
    for place, one in enumerate(ranked):
        shares = dict(zip(one.candidate.terms, one.candidate.shares, strict=True))
        if place < REREAD and one.id in told and shares:
            covered = sum(shares.values())
            text = told[one.id].text
            best = max((held(text[start:end], shares) for start, end in sentence_spans(text)), default=covered)
            moved = (1 - VECTOR_SHARE if one.candidate.cosine is not None else 1.0) * 0.5
            moved *= SENTENCE_SHARE * (min(best, covered) - covered)
            why = replace(one.why, similarity=max(0.0, one.why.similarity + moved))
            made.append(replace(one, score=one.score + moved, why=why))
        else:
            made.append(one)
    return sorted(made, key=_best_first)


def _best_first(one: Ranked) -> tuple[float, float, str]:
    return (-one.score, -one.why.recency, one.id)


def with_neighbours(
    talked: Talked,
    beside: Iterable[tuple[Message, Iterable[Message]]],
    inquiry: Inquiry,
    *,
    now: datetime,
    within: timedelta,
    half_life_days: float,
) -> Talked:
    """The same, where what stands beside a hit has part of its score, and most of it what answers the hit's question.

    `beside`: the hits, each with the messages around it in the order of time. Long messages stand for themselves, so
    that beside one only the answer to its question counts: chat between people is short on both sides.
    """
    ranked = {one.id: one for one in talked.messages}
    gained: dict[str, float] = {}
    for hit, message, steps in _steps(beside):
        id = hit.id
        if message.role is not Role.USER:
            continue
        if steps > 0 and message.author != hit.author and "?" in hit.text[-ASKED_WITHIN:]:
            share = ANSWER_SHARE
        elif len(hit.text.split()) <= SHORT_WORDS:
            share = NEIGHBOUR_SHARE if len(message.text.split()) <= SHORT_WORDS else LONG_SHARE
        else:
            continue
        if abs(message.sent_at - hit.sent_at) <= within:  # of the same sitting
            gain = share * ranked[id].score * 0.5 ** (abs(steps) - 1)
            gained[message.id] = max(gained.get(message.id, 0.0), gain)
            if message.id not in ranked:
                found = Candidate(message.id, None, None, (), message.sent_at)
                found = found._replace(
                    conversation=message.conversation,
                    role=message.role,
                    author=message.author,
                    owner=message.scope.user,
                )
                why = unfound(RankingName.DEFAULT, recency=recency(message.sent_at, now, half_life_days))
                spoke = SPEAKER_GAIN if message.author in inquiry.speakers else 0.0
                ranked[message.id] = Ranked(message.id, spoke, why, found)
    made = [
        replace(one, score=one.score + gain, why=replace(one.why, around=gain))
        if (gain := gained.get(one.id, 0.0)) > 0
        else one
        for one in ranked.values()
    ]
    made.sort(key=_best_first)
    return in_order(made)


def _steps(beside: Iterable[tuple[Message, Iterable[Message]]]) -> Iterator[tuple[Message, Message, int]]:
    """Each hit with each message around it and how many messages further that is, below 0 for one before."""
    for hit, around in beside:
        order = sorted([hit, *around], key=lambda one: (one.sent_at, one.id))
        place = order.index(hit)
        for at, message in enumerate(order):
            if at != place:
                yield hit, message, at - place


def talk_similarity(candidate: Candidate) -> float:
    """0–1: half for meaning, of which the nearest passage has its share, half for words."""
    words = 0.0
    if candidate.bm25 is not None:
        telling = candidate.bm25 / (candidate.bm25 + KEYWORD_HALFWAY)
        words = 0.5 * telling + 0.5 * sum(candidate.shares)
    if candidate.cosine is None:
        return words
    whole = candidate.cosine if candidate.whole is None else candidate.whole
    meaning = (1 - PASSAGE_SHARE) * whole + PASSAGE_SHARE * candidate.cosine
    return min(1.0, VECTOR_SHARE * max(0.0, meaning) + (1 - VECTOR_SHARE) * words)


def _dated(moment: datetime, period: Period | None) -> float:
    """What a message gains that was sent in the time a question names; things are told later too, so it fades."""
    if period is None or period.end - period.start > LONGEST_PERIOD:
        return 0.0
    if moment < period.start - _DAY:
        return 0.0
    late = (moment - period.end - _DAY) / TOLD_WITHIN
    gain = TIME_GAIN if period.end - period.start <= _WEEK else TIME_GAIN / 2
    return gain * (1.0 if late <= 0 else 0.5**late)


Cosine = Callable[[str, str], float | None]


def cosines(vectors: Mapping[str, Vector]) -> Cosine:
    """How near any two of these are to one another, by id; None where one of them has no vector."""
    import numpy as np

    places = {id: place for place, id in enumerate(vectors)}
    rows = np.frombuffer(b"".join(vectors.values()), dtype="<f4").reshape(max(1, len(vectors)), -1)
    table = (rows @ rows.T).tolist()
    return lambda one, other: table[places[one]][places[other]] if one in places and other in places else None


def fresher_first(ranked: Sequence[Ranked], told: Mapping[str, Told], cosine: Cosine, inquiry: Inquiry) -> list[Ranked]:
    """The order in which, of two messages about the same matter, the newer stands above the older.

    About the same matter: their passages that answer best lie near to one another and to the question, or somewhat
    near, where they are much nearer than the others or both hold every word of the question; the newer one holds
    the question's words the older one holds, and it does not only say the same again; words of change speak for it.
    The newer then takes at least the older one's score. Only short messages of people are compared, and nothing
    where a question asks how things were before, or the older one is of the time a question names.
    """
    first, rest = list(ranked[:FRESH_AMONG]), list(ranked[FRESH_AMONG:])
    short = [
        one
        for one in first
        if one.candidate.role is not Role.ASSISTANT
        and one.candidate.cosine is not None
        and one.id in told
        and len(told[one.id].text) <= FRESH_LONGEST
    ]
    compared = sorted(short, key=lambda one: (one.candidate.moment, one.id))
    if inquiry.past or len(compared) < 2:
        return [*first, *rest]
    # By newer and older: how near the question and both messages' passages are to one another, less what the newer
    # lacks of the question's words.
    kinds = {one.candidate.terms: one.candidate.shares for one in compared}  # few hold other words than all others
    lost = {
        (newer, older): sum(share for term, share in zip(older, shares, strict=True) if term not in newer)
        for older, shares in kinds.items()
        for newer in kinds
    }
    between = [[cosine(newer.id, older.id) or 0.0 for older in compared] for newer in compared]
    near = [
        [
            ((newer.candidate.cosine or 0.0) + (older.candidate.cosine or 0.0) + both) / 3
            - LOST_WORDS * lost[newer.candidate.terms, older.candidate.terms]
            for older, both in zip(compared, row, strict=True)
        ]
        for newer, row in zip(compared, between, strict=True)
    ]
    usual = [sum(row[at] for row in near) - near[at][at] for at in range(len(compared))]
    dated = [_dated(one.candidate.moment, inquiry.period) for one in compared]
    covered = [sum(one.candidate.shares) for one in compared]
    scores = {one.id: one.score for one in first}
    for place, newer in enumerate(compared):
        changes = CHANGE_WORDS if _CHANGE.search(fold(told[newer.id].passage)) else 0.0
        for at, older in enumerate(compared[:place]):
            if older.candidate.moment >= newer.candidate.moment or dated[place] < dated[at]:
                continue  # the older one is of the time a question names, and the newer one is not, or less so
            if not changes and newer.score < FRESH_SHARE * older.score:
                continue  # it hardly answers, and does not say that something changed
            if newer.candidate.owner != older.candidate.owner:
                continue  # what one says of themselves does not replace what another says
            own = near[place][at]
            others = (usual[at] - own) / max(1, len(compared) - 2)
            told_apart = own + changes - others >= APART or min(covered[place], covered[at]) > _ALL
            is_same = own + changes >= (MAYBE_SAME_MATTER if told_apart else SAME_MATTER)
            if is_same and between[place][at] < SAID_AGAIN:
                scores[newer.id] = max(scores[newer.id], scores[older.id] + FRESH_STEP)
    first = [
        replace(one, score=scores[one.id], why=replace(one.why, moved=one.why.moved + scores[one.id] - one.score))
        for one in first
    ]
    first.sort(key=lambda one: -one.score)  # equal ones stay in their order
    return [*first, *rest]


_CHANGE = re.compile(
    r"\b(?:now|currently|no longer|any ?more|switch(?:ed|ing)?|moved|changed|actually|instead|these days|nowadays"
    r"|lately|already|so far|total|just|recently|updated"
    r"|agora|atualmente|mudei|mudou|mudaram|troquei|trocou|passei a|nao [^.!?]{1,30} mais|ja|recentemente|ultimamente"
    r"|acabei de|acabou de|ate agora|na verdade|em vez)\b"
)

"""Words that say that something is new or otherwise than before, in Portuguese or English."""
