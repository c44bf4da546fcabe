"""The offline reader of questions: one pass for each thing a question may tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from relembra.domain.deadline import check_time
from relembra.domain.inquiry import Inquiry
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Role
from relembra.domain.moment import in_utc
from relembra.domain.text import collapsed
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.inquiry.names import handles_in, names_in
from relembra.minds.offline.inquiry.past import asks_for_several, asks_of_before, speaks_of_past
from relembra.minds.offline.inquiry.periods import period_of
from relembra.minds.offline.inquiry.roles import asks_advice, role_of
from relembra.minds.offline.inquiry.topics import about, areas_of, topics_in, types_of
from relembra.minds.offline.inquiry.weights import weights_of
from relembra.minds.offline.inquiry.wrapping import unwrapped
from relembra.minds.offline.language import language_of

_ANALYZER = BilingualAnalyzer()

__all__ = ["READ_CHARACTERS", "OfflineInquirer"]

LONGEST_LOOKED_AT = 40_000
READ_CHARACTERS = 4_000
"""Longer texts are judged by their end, where the question is."""
DATED_CHARACTERS = 1_500
"""As far back from the end as dates are looked for: those further up are a story's and not a question's."""

# Words that ask for one kind of knowledge whatever the topic.
_KINDS = (
    (
        KnowledgeType.PREFERENCE,
        re.compile(
            r"\b(?:favou?rites?|prefer(?:s|red|ence|ences)?|do i (?:like|love|hate|enjoy)|does [a-z]+ (?:like|love"
            r"|hate)"
            r"|favorit[oa]s?|preferid[oa]s?|prefir?[oae]|prefere|preferencias?|gost[oa]|odei[oa]|adoro|detesto|curto)\b"
        ),
    ),
    (KnowledgeType.GOAL, re.compile(r"\b(?:goals?|resolutions?|metas?|objetivos?|sonhos?|want to|pretendo|planejo)\b")),
    (
        KnowledgeType.PERSON,
        re.compile(r"\b(?:who(?:'s| is| are)|quem (?:e|eh|sao)|birthdays?|aniversarios?|niver)\b"),
    ),
)


class OfflineInquirer:
    """Reads questions in Portuguese and English by rules alone; safe to share between threads."""

    def read(self, text: str, *, now: datetime, known: Mapping[str, str] = {}) -> Inquiry:
        """The question taken apart; `InvalidInputError` only for a moment without a timezone."""
        in_utc(now, "now")
        read = _end_of(collapsed(text[-LONGEST_LOOKED_AT:]), READ_CHARACTERS)
        language = language_of(read)
        core = unwrapped(read)
        check_time()
        flat, bare = flattened(read), flattened(core)
        topics = topics_in(bare, language)
        check_time()
        role = role_of(bare.text, flat.text, language)
        advice = role is not Role.ASSISTANT and asks_advice(bare.text)
        before = asks_of_before(bare.text)
        check_time()
        looks_back = before or speaks_of_past(bare.text)
        kinds = [kind for kind, words in _KINDS if words.search(bare.text)]
        if advice:
            kinds.insert(0, KnowledgeType.PREFERENCE)
        dated = "" if advice else _end_of(read, DATED_CHARACTERS)
        check_time()
        period = period_of(dated, now=now, language=language, past=looks_back)
        return Inquiry(
            text=text,
            language=language,
            core=core,
            names=names_in(flat, known),
            mentions=handles_in(read),
            period=period,
            weights=weights_of(read, _ANALYZER, dated="" if period is None else period.text),
            topics=topics,
            about=about(topics, language),
            types=tuple(dict.fromkeys((*kinds, *types_of(topics)))),
            areas=areas_of(topics),
            role=role,
            past=before,
            ordered=asks_for_several(bare.text),
        )


def _end_of(text: str, limit: int) -> str:
    """The end of a long text, from the beginning of a word."""
    if len(text) <= limit:
        return text
    end = text[-limit:]
    space = end.find(" ")
    return end[space + 1 :] if 0 <= space < limit // 2 else end
