"""Remembered things as lines of text, in the reader's language, quoted and escaped.

Remembered text is data: it stays on one line, inside quotation marks, with markup escaped, so that nothing said
once can pass for an instruction or close a block later.
"""

from __future__ import annotations

from datetime import datetime

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Role
from relembra.domain.moment import local as local
from relembra.domain.text import escaped as escaped

HEADINGS = {
    "en": {
        "known": "What is known about {name}",
        "earlier": "Said earlier",
        "recent": "The conversation so far",
        "ask": "To ask {name} gently, when it fits",
    },
    "pt": {
        "known": "O que se sabe sobre {name}",
        "earlier": "Dito antes",
        "recent": "A conversa até aqui",
        "ask": "A perguntar com jeito a {name}, quando couber",
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


def heading(name: str, part: str, language: str) -> str:
    return "## " + HEADINGS[language][part].format(name=escaped(name))


def item_line(item: KnowledgeItem, language: str, *, sure_from: float) -> str:
    """One belief with its date, and a mark where it is unsure."""
    marks = [short_date(local(item.held_from, item.zone), language)]
    if item.confidence < sure_from or item.needs_resolution:
        marks.append(UNSURE[language])
    if item.speaker is not None and item.speaker != item.scope.user:
        marks.append(SAID_BY[language].format(name=escaped(item.speaker)))
    return f"- “{escaped(item.content)}” [{', '.join(marks)}]"


def message_line(message: Message, language: str, *, dated: bool) -> str:
    """One utterance with who said it."""
    who = ASSISTANT[language] if message.role is Role.ASSISTANT else message.author
    when = short_date(local(message.sent_at, message.zone), language) + ", " if dated else ""
    return f"- {when}{escaped(who)}: “{escaped(message.text)}”"


def summary_line(text: str, language: str) -> str:
    """What came before the messages shown, told briefly."""
    return f"- ({BEFORE[language]}) “{escaped(text)}”"


def short_date(moment: datetime, language: str) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English."""
    month = MONTHS[language][moment.month - 1]
    return f"{moment.day} {month} {moment.year}" if language == "pt" else f"{month} {moment.day}, {moment.year}"
