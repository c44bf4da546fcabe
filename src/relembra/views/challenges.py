"""What weighs on somebody now: hard feelings about something, open conditions, debts, and a job lost of late."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from relembra.domain.attributes import FORMER
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.text import fold

__all__ = ["DISMISSAL_LASTS", "challenges", "is_hard_feeling"]

DISMISSAL_LASTS = timedelta(days=90)

_HARD = (
    # Portuguese, without accents
    "ansi|aflit|angusti|apavor|assust|cansa|chatead|culpa|decepcion|deprim|depress|desamparad|desanim|desesper|"
    "desespero|desmotiv|dificuldade|esgotad|estress|exaust|frustr|furios|impotente|insegur|irrita|luto|magoa|medo|"
    "nervos|odeia|odio|panico|perdid|pessim|pression|preocup|raiva|receio|saturad|sobrecarreg|sofr|sozinh|solidao|"
    "tens|terror|trauma|trist|vergonha|"
    # English
    "afraid|alone|anger|angry|anx|asham|burned out|burnt out|depress|despair|devastat|disappoint|discourag|distress|"
    "dread|embarrass|exhaust|fear|frighten|frustrat|furious|grie|guilt|hate|heartbroken|helpless|homesick|hopeless|"
    "insecur|irritat|jealous|lonel|miserable|nervous|overwhelm|panic|pressur|resent|sad|scared|stress|struggl|suffer|"
    "tense|tired|unhappy|upset|worr|worthless"
)
_HARD_FEELING = re.compile(rf"\b(?:{_HARD})")
_NO_LONGER = re.compile(
    r"\b(?:nao|nunca|deixou de|parou de|sem|venceu|superou|perdeu o|not|never|no longer|stopped|without|overcame|"
    r"isn'?t|doesn'?t|don'?t)\b(?:\W+\w+){0,3}\W*$"
)
_DISMISSED = re.compile(
    r"\bdemi(?:tid|ss)|\bmandad[oa] embora|\bdispensad[oa]|\bdesempregad|\bperd(?:eu|i) o (?:emprego|trabalho)|"
    r"\bfired\b|\blaid off|\blayoff|\bdismiss|\blost (?:my|her|his|their|the) job|\bunemployed|\bmade redundant|"
    r"\blet go\b"
)
_WORK = frozenset({"event", "employment", "occupation", f"{FORMER}employment", f"{FORMER}occupation"})
_OPEN = frozenset({"condition", "debt"})


def challenges(items: Iterable[KnowledgeItem], now: datetime) -> list[KnowledgeItem]:
    """Those of held items that weigh on the person now, in the order given."""
    return [item for item in items if _weighs(item, now)]


def is_hard_feeling(item: KnowledgeItem) -> bool:
    """Whether it is a feeling, and its words name a hard one that is not over."""
    if item.type is not KnowledgeType.EMOTION and item.attribute != "emotion":
        return False
    for text in (fold(item.content), fold(item.value or "")):
        if named := [found.start() for found in _HARD_FEELING.finditer(text)]:
            return any(not _NO_LONGER.search(_clause(text[:start])) for start in named)
    return False


def _weighs(item: KnowledgeItem, now: datetime) -> bool:
    if item.attribute in _OPEN:
        return True
    if is_hard_feeling(item):
        return True
    recent = timedelta() <= now - item.held_from <= DISMISSAL_LASTS
    tells_of_work = item.attribute in _WORK or item.type is KnowledgeType.MEMORY
    return recent and tells_of_work and _DISMISSED.search(fold(item.content)) is not None


def _clause(before: str) -> str:
    """The words of the same clause before a word."""
    return re.split(r"[.;,!?]", before)[-1]
