"""The gentle question: two things that cannot both be so, put to the person in their own language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from relembra.domain.attributes import SupersessionRule, rule_for
from relembra.domain.case import Case
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.text import quoted, shortened

LONGEST_SIDE = 120

_SAID = {"pt": "Antes você disse {old}, agora {new}.", "en": "Before, you said {old}, and now {new}."}
_CHANGED = {"pt": "Mudou algo?", "en": "Has something changed?"}
_WHICH = {"pt": "Qual está certo?", "en": "Which one is right?"}
_SECOND_EN = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go", "studies": "study"}
_SPOKEN_EN = re.compile(
    r"(?P<verb>is|has|was|does|goes|studies|(?:live|work|like|dislike|love|hate|prefer|speak|take|weigh|wake|want|own|"
    r"earn|drive|use)s)(?P<small>(?: (?:in|at|on|as|from|to|for|with|of|a|an|the|not|born))*) (?P<rest>.+)",
    re.IGNORECASE,
)
_SPOKEN_PT = re.compile(
    r"(?P<verb>mora|trabalha|nasceu|tem|gosta|odeia|prefere|fala|toma|pesa|acorda|dorme|estuda|faz|chama-se|adora|quer|"
    r"usa|mede|é|está|se chama|não)(?P<small>(?: (?:em|no|na|nos|nas|de|do|da|dos|das|a|o|às|com|como|um|uma|para))*)"
    r" (?P<rest>.+)",
    re.IGNORECASE,
)
"""What is worded for it may be said to the person; what is remembered stands in quotation marks all the same."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask the person, and the case the answer settles."""

    case_id: str
    text: str

    def __str__(self) -> str:
        return self.text


def question(case: Case, old: KnowledgeItem, new: KnowledgeItem, language: str) -> Question:
    """Both sides, and whether something changed; of what cannot change, which is right."""
    language = new.language if new.language == old.language and new.language in _SAID else language
    said = _SAID[language].format(old=_side(old, language), new=_side(new, language))
    return Question(case.id, f"{said} {(_WHICH if is_lasting(new.attribute) else _CHANGED)[language]}")


def is_lasting(attribute: str | None) -> bool:
    """Whether two values mean that one is wrong: what never changes, and a name, which is rather misspelt."""
    return attribute == "name" or rule_for(attribute) is SupersessionRule.FIXED


def _side(item: KnowledgeItem, language: str) -> str:
    """The item as the person would hear it: in the second person where it is worded for that, else quoted."""
    content = shortened(item.content, LONGEST_SIDE).rstrip(".")
    pattern = _SPOKEN_PT if language == "pt" else _SPOKEN_EN
    spoken = pattern.fullmatch(content) if item.subject == SELF and item.language == language else None
    if spoken is None:
        return quoted(content)
    verb = spoken["verb"].lower()
    told = (
        f"{verb if language == 'pt' else _SECOND_EN.get(verb) or verb[:-1]}{spoken['small']} {quoted(spoken['rest'])}"
    )
    return f"que {told}" if language == "pt" else f"that you {told}"
