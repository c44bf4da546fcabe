"""The words of reports in both languages, and days as each writes them."""

from __future__ import annotations

from datetime import date, datetime, time

from relembra.domain.knowledge import LifeArea
from relembra.domain.text import escaped
from relembra.recall.rendering import LONG_MONTHS, MONTHS, short_date, unbracketed

__all__ = [
    "AREAS",
    "LONG_MONTHS",
    "WEEKDAYS",
    "WORDS",
    "bare",
    "counted",
    "day",
    "dotted",
    "full_day",
    "number",
    "quoted",
    "span",
]

AREAS = {
    "en": {
        LifeArea.HEALTH: "Health",
        LifeArea.FINANCE: "Money",
        LifeArea.RELATIONSHIPS: "Relationships",
        LifeArea.CAREER: "Work",
        LifeArea.GROWTH: "Growth",
        LifeArea.LEISURE: "Leisure",
        LifeArea.SPIRITUALITY: "Spirituality",
        LifeArea.MENTAL_HEALTH: "Mental health",
        None: "Other",
    },
    "pt": {
        LifeArea.HEALTH: "Saúde",
        LifeArea.FINANCE: "Finanças",
        LifeArea.RELATIONSHIPS: "Relacionamentos",
        LifeArea.CAREER: "Trabalho",
        LifeArea.GROWTH: "Crescimento",
        LifeArea.LEISURE: "Lazer",
        LifeArea.SPIRITUALITY: "Espiritualidade",
        LifeArea.MENTAL_HEALTH: "Saúde mental",
        None: "Outros",
    },
}
WEEKDAYS = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "pt": ("seg", "ter", "qua", "qui", "sex", "sáb", "dom"),
}
WORDS = {
    "en": {
        "weekly": "The week of {span}",
        "monthly": "{month} {year}",
        "happened": "What happened",
        "learnt": "What was learnt",
        "changed": "What changed",
        "questions": "Open questions",
        "moods": "Moods",
        "goals": "Goals",
        "people": "People who came up",
        "coming": "Coming up",
        "insights": "Patterns found",
        "so_far": "So far, up to {day}.",
        "quiet_weekly": "A quiet week",
        "quiet_monthly": "A quiet month",
        "full_weekly": "In this week",
        "full_monthly": "In this month",
        "nothing_new": "nothing new was learnt",
        "more": "and {count} more",
        "or": "or",
        "new": "new",
        "achieved": "achieved",
        "dropped": "given up",
        "again": "mentioned again",
        "open": "Still open: {count}.",
        "times": "{count} times",
        "birthday": "birthday of {name}",
        "own_birthday": "own birthday",
        "week": "Week of {span}",
        "evidence": "resting on {text}",
        "at_least": "at least {count}",
    },
    "pt": {
        "weekly": "A semana de {span}",
        "monthly": "{month} de {year}",
        "happened": "O que aconteceu",
        "learnt": "O que foi aprendido",
        "changed": "O que mudou",
        "questions": "Perguntas em aberto",
        "moods": "Humor",
        "goals": "Objetivos",
        "people": "Pessoas que apareceram",
        "coming": "O que vem por aí",
        "insights": "Padrões encontrados",
        "so_far": "Até agora, dia {day}.",
        "quiet_weekly": "Uma semana quieta",
        "quiet_monthly": "Um mês quieto",
        "full_weekly": "Nesta semana",
        "full_monthly": "Neste mês",
        "nothing_new": "nada de novo foi aprendido",
        "more": "e mais {count}",
        "or": "ou",
        "new": "novo",
        "achieved": "alcançado",
        "dropped": "abandonado",
        "again": "lembrado de novo",
        "open": "Ainda em aberto: {count}.",
        "times": "{count} vezes",
        "birthday": "aniversário: {name}",
        "own_birthday": "o próprio aniversário",
        "week": "Semana de {span}",
        "evidence": "com base em {text}",
        "at_least": "pelo menos {count}",
    },
}
_COUNTED = {
    "en": {
        "message": ("{count} message", "{count} messages"),
        "conversation": ("{count} conversation", "{count} conversations"),
        "learnt": ("{count} new thing learnt", "{count} new things learnt"),
        "change": ("{count} change", "{count} changes"),
        "question": ("{count} open question", "{count} open questions"),
        "insight": ("{count} pattern found", "{count} patterns found"),
    },
    "pt": {
        "message": ("{count} mensagem", "{count} mensagens"),
        "conversation": ("{count} conversa", "{count} conversas"),
        "learnt": ("{count} coisa nova aprendida", "{count} coisas novas aprendidas"),
        "change": ("{count} mudança", "{count} mudanças"),
        "question": ("{count} pergunta em aberto", "{count} perguntas em aberto"),
        "insight": ("{count} padrão encontrado", "{count} padrões encontrados"),
    },
}
_MARKS = str.maketrans({"*": r"\*", "_": r"\_", "`": r"\`", "\\": r"\\", "|": r"\|", "~": r"\~", "$": r"\$"})


def quoted(text: str) -> str:
    """Remembered text in quotation marks, with nothing in it that Markdown or HTML would act on."""
    return f"“{bare(text)}”"


def bare(text: str) -> str:
    """The same without the quotation marks, for names."""
    return unbracketed(escaped(text)).translate(_MARKS)


def counted(thing: str, count: int, language: str, *, more: bool = False) -> str:
    """3 messages, 1 mensagem; `more`: there are more than were counted."""
    one, several = _COUNTED[language][thing]
    told = WORDS[language]["at_least"].format(count=count) if more else str(count)
    return (one if count == 1 and not more else several).format(count=told)


def day(of: date, language: str, *, weekday: bool = False) -> str:
    """9 nov or Nov 9, with the day of the week where asked."""
    month = MONTHS[language][of.month - 1]
    told = f"{of.day} {month}" if language == "pt" else f"{month} {of.day}"
    return f"{WEEKDAYS[language][of.weekday()]}, {told}" if weekday else told


def full_day(of: date, language: str) -> str:
    """9 nov 2026 or Nov 9, 2026."""
    return short_date(datetime.combine(of, time()), language)


def span(first: date, last: date, language: str) -> str:
    """2 a 8 de março de 2026, March 2–8, 2026; with both months or years where they differ."""
    one, other = (LONG_MONTHS[language][end.month - 1] for end in (first, last))
    if language == "pt":
        start = f"{first.day}" if one == other else f"{first.day} de {one}"
        start += f" de {first.year}" if first.year != last.year else ""
        return f"{start} a {last.day} de {other} de {last.year}"
    start = f"{one} {first.day}" + (f", {first.year}" if first.year != last.year else "")
    return f"{start}–{last.day}, {last.year}" if one == other else f"{start} – {other} {last.day}, {last.year}"


def number(value: float, language: str) -> str:
    """71.5 as the language writes it."""
    told = f"{value:g}"
    return told.replace(".", ",") if language == "pt" else told


def dotted(parts: list[str]) -> str:
    return " · ".join(part for part in parts if part)
