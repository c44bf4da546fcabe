"""The gentle question: two things that cannot both be so, put to the person in their own language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from relembra.domain.case import Case
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.text import escaped, shortened

LONGEST_SIDE = 120

_ASKED = {
    "pt": "Antes você disse {old}, agora {new}. Mudou algo?",
    "en": "Before, you said {old}, and now {new}. Has something changed?",
}
_SAID = {"pt": "que {said}", "en": "that you {said}"}
_VERBS_EN = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go", "studies": "study"}
_THIRD_EN = re.compile(r"(?:live|work|like|dislike|love|hate|prefer|speak|take|weigh|wake|wants?|own|earn|drive|use)s")
_THIRD_PT = re.compile(
    r"(?:mora|trabalha|nasceu|tem|gosta|odeia|prefere|fala|toma|pesa|acorda|dorme|estuda|faz|chama-se|adora|quer|usa|mede|"
    r"e|é|está|se chama|nao|não) "
)


_PLAIN = re.compile(r"[\w\s'’,./-]{1,80}")  # words that may stand in a sentence of ours without quotation marks


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask the person, and the case the answer settles."""

    case_id: str
    text: str

    def __str__(self) -> str:
        return self.text


def question(case: Case, old: KnowledgeItem, new: KnowledgeItem, language: str) -> Question:
    """One sentence that quotes both sides; remembered text stays data, on one line and without markup."""
    language = new.language if new.language == old.language and new.language in _ASKED else language
    text = _ASKED[language].format(old=_side(old, language), new=_side(new, language))
    return Question(case.id, text)


def _side(item: KnowledgeItem, language: str) -> str:
    """The item as the person would hear it: in the second person where it is worded for that, else quoted."""
    content = escaped(shortened(item.content, LONGEST_SIDE)).rstrip(".")
    if item.subject == SELF and item.language == language and _PLAIN.fullmatch(content):
        head, _, rest = content.partition(" ")
        if language == "en" and (verb := _second_person(head.lower())):
            return _SAID["en"].format(said=f"{verb} {rest}")
        if language == "pt" and _THIRD_PT.match(content.lower()):
            return _SAID["pt"].format(said=content[:1].lower() + content[1:])
    return f"“{content}”"


def _second_person(verb: str) -> str | None:
    if verb in _VERBS_EN:
        return _VERBS_EN[verb]
    return verb[:-1] if _THIRD_EN.fullmatch(verb) else None
