"""Remembered things as lines of text, in the reader's language, quoted and escaped.

Remembered text is data: it stays on one line, inside quotation marks, with markup escaped, so that nothing said
once can pass for an instruction or close a block later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from relembra.domain.attributes import Section
from relembra.domain.knowledge import Doubt, DoubtedItem, KnowledgeItem
from relembra.domain.message import Message, Role
from relembra.domain.moment import local as local
from relembra.domain.text import as_words
from relembra.domain.text import escaped as escaped
from relembra.domain.text import quoted as quoted

HEADINGS = {
    "en": {
        "memory": "Memory of {name}",
        "profiles": "About {name}",
        "known": "What is known about {name}",
        "notes": "Notes",
        "earlier": "Said earlier",
        "recent": "The conversation so far",
        "ask": "To ask {name} gently, when it fits",
    },
    "pt": {
        "memory": "Memória de {name}",
        "profiles": "Sobre {name}",
        "known": "O que se sabe sobre {name}",
        "notes": "Notas",
        "earlier": "Dito antes",
        "recent": "A conversa até aqui",
        "ask": "A perguntar com jeito a {name}, quando couber",
    },
}
MEMORY_TITLES = {
    "en": {
        "name": "Name",
        "pronouns": "Pronouns",
        "age": "Age",
        "location": "Lives in",
        "occupation": "Work",
        "timezone": "Timezone",
        "communication_style": "How to speak with them",
        "family_context": "Family",
        "current_goals": "Goals now",
        "current_challenges": "Challenges now",
        "top_of_mind": "On their mind",
        "values": "What matters to them",
        "learnt_patterns": "Learnt over time",
    },
    "pt": {
        "name": "Nome",
        "pronouns": "Pronomes",
        "age": "Idade",
        "location": "Mora em",
        "occupation": "Trabalho",
        "timezone": "Fuso horário",
        "communication_style": "Como falar com a pessoa",
        "family_context": "Família",
        "current_goals": "Objetivos atuais",
        "current_challenges": "Desafios atuais",
        "top_of_mind": "Em que tem pensado",
        "values": "O que importa para a pessoa",
        "learnt_patterns": "Aprendido com o tempo",
    },
}
SECTION_TITLES = {
    "en": {
        Section.BIO: "Bio",
        Section.INTERESTS: "Interests",
        Section.SKILLS: "Skills",
        Section.OPINIONS: "Opinions",
        Section.RELATIONSHIPS: "Relationships",
        Section.OTHER: "Other",
    },
    "pt": {
        Section.BIO: "Biografia",
        Section.INTERESTS: "Interesses",
        Section.SKILLS: "Habilidades",
        Section.OPINIONS: "Opiniões",
        Section.RELATIONSHIPS: "Relações",
        Section.OTHER: "Outros",
    },
}
BEFORE = {"en": "before", "pt": "antes"}
ASSISTANT = {"en": "assistant", "pt": "assistente"}
UNSURE = {"en": "unsure", "pt": "incerto"}
SAID_BY = {"en": "said by {name}", "pt": "dito por {name}"}
MONTHS = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "pt": ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"),
}

LONG_MONTHS = {
    "en": (
        *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
        *("November", "December"),
    ),
    "pt": (
        *("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro"),
        *("novembro", "dezembro"),
    ),
}
SAID_LATER = {"en": "on {day} said: {words}", "pt": "em {day} disse: {words}"}

Quote = Callable[[str], str]
"""How remembered text is put in quotation marks."""
Names = Mapping[str, str]
"""What people are called, by who they are."""
NOBODY: Names = MappingProxyType({})
_ROUND = str.maketrans("[]［］【】〔〕〖〗⟦⟧﹝﹞⁅⁆", "()" * 8)


def heading(name: str, part: str, language: str) -> str:
    return "## " + HEADINGS[language][part].format(name=quoted(name))


def item_line(
    item: KnowledgeItem, language: str, *, sure_from: float, learnt: str | None = None, names: Names = NOBODY
) -> str:
    """One belief with its date, or with where it was learnt, and a mark where it is unsure or another's claim."""
    marks = [learnt or short_date(local(item.held_from, item.zone), language)]
    marks += doubts(item, language, sure_from=sure_from, names=names)
    return f"- {told(item, language, quoted(item.content), quote=quoted)} [{', '.join(marks)}]"


def told(item: KnowledgeItem, language: str | None, text: str | None = None, *, quote: Quote = as_words) -> str:
    """What an item says, in its own text or the one given, and beside it the newer words that stand against it."""
    said, newer = item.content if text is None else text, against(item, language, quote=quote)
    return f"{said.rstrip(' .')}; {newer}" if newer else said


def against(item: KnowledgeItem, language: str | None, *, quote: Quote = as_words) -> str:
    """The newer words that put an item in doubt, and their day: "em 3 de março disse: “o time acabou”". Else no text.

    `quote`: how they are quoted; where the whole is not escaped later, this has to.
    """
    if not isinstance(item, DoubtedItem):
        return ""
    spoken = "pt" if language == "pt" else "en"
    return SAID_LATER[spoken].format(day=_long_day(item.doubt, spoken), words=quote(item.doubt.words))


def _long_day(doubt: Doubt, language: str) -> str:
    """3 March, 3 de março; with its year where that is another."""
    of = " de " if language == "pt" else " "
    day = f"{doubt.said_at.day}{of}{LONG_MONTHS[language][doubt.said_at.month - 1]}"
    return day if doubt.of_this_year else f"{day}{of}{doubt.said_at.year}"


def doubts(item: KnowledgeItem, language: str, *, sure_from: float, names: Names = NOBODY) -> list[str]:
    """That an item is unsure, and who claimed it where that is not the owner."""
    marks = [UNSURE[language]] if is_unsure(item, sure_from) else []
    if is_claim(item):
        speaker = item.speaker or ""
        marks.append(SAID_BY[language].format(name=unbracketed(quoted(names.get(speaker, speaker)))))
    return marks


def is_unsure(item: KnowledgeItem, sure_from: float) -> bool:
    return item.confidence < sure_from or item.needs_resolution


def is_claim(item: KnowledgeItem) -> bool:
    return item.speaker is not None and item.speaker != item.scope.user


def message_line(
    message: Message,
    language: str,
    *,
    dated: bool,
    text: str | None = None,
    when: str | None = None,
    names: Names = NOBODY,
) -> str:
    """One utterance with who said it; `text`: the words of it to show, `when`: its day as shown."""
    if dated:
        when = when or short_date(local(message.sent_at, message.zone), language)
    opening = f"{when}, " if dated else ""
    return f"- {opening}{speaker(message, language, names)}: {quoted(message.text if text is None else text)}"


def author_of(message: Message, language: str, names: Names = NOBODY) -> str:
    """Who said it, in words: by a name they stated, else as an app shows them, else by their id."""
    return ASSISTANT[language] if message.role is Role.ASSISTANT else names.get(message.author, message.author_name)


def speaker(message: Message, language: str, names: Names = NOBODY) -> str:
    """Who said it, as shown in a prompt: a name is quoted, so that none passes for the assistant."""
    said_by = author_of(message, language, names)
    return said_by if message.role is Role.ASSISTANT else quoted(said_by)


def summary_line(text: str, language: str) -> str:
    """What came before the messages shown, told briefly."""
    return f"- ({BEFORE[language]}) {quoted(text)}"


def unbracketed(text: str) -> str:
    """The text with round brackets for square ones, so that it can close or open none of ours."""
    return text.translate(_ROUND)


def short_date(moment: datetime, language: str) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English."""
    month = MONTHS[language][moment.month - 1]
    return f"{moment.day} {month} {moment.year}" if language == "pt" else f"{month} {moment.day}, {moment.year}"
