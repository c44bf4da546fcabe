"""How reports quote, count, cap lists, and write days and numbers, in the language they are in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import escaped
from relembra.locale import Words
from relembra.recall.rendering import LONG_MONTHS, MONTHS, doubts, short_date, unbracketed

_SURE_FROM = ConfidencePolicy().medium
_MARKS = str.maketrans({"*": r"\*", "_": r"\_", "`": r"\`", "\\": r"\\", "|": r"\|", "~": r"\~", "$": r"\$"})


def quoted(text: str) -> str:
    """Remembered text in quotation marks, with nothing in it that Markdown or HTML would act on."""
    return f"“{bare(text)}”"


def bare(text: str) -> str:
    """The same without the quotation marks, for names."""
    return unbracketed(escaped(text)).translate(_MARKS)


def counted(thing: str, count: int, language: str, *, more: bool = False) -> str:
    """3 messages, 1 mensagem; `more`: there are more than were counted."""
    words = Words(language, "reports")
    told = words("at_least", count=count) if more else str(count)
    return words(f"count.{thing}.{'one' if count == 1 and not more else 'many'}", count=told)


def area_name(area: LifeArea | None, language: str) -> str:
    return Words(language, "reports")(f"area.{area or 'none'}")


def short_weekday(of: date, language: str) -> str:
    """Mon or seg."""
    return Words(language, "formats")(f"weekday.short.{of.weekday()}")


def day(of: date, language: str, *, weekday: bool = False) -> str:
    """9 nov or Nov 9, with the day of the week where asked."""
    told = Words(language, "formats")("day", day=of.day, month=MONTHS[language][of.month - 1])
    return f"{short_weekday(of, language)}, {told}" if weekday else told


def full_day(of: date, language: str) -> str:
    """9 nov 2026 or Nov 9, 2026."""
    return short_date(datetime.combine(of, time()), language)


def span(first: date, last: date, language: str) -> str:
    """2 a 8 de março de 2026, March 2–8, 2026; with both months or years where they differ."""
    month, last_month = month_name(first, language), month_name(last, language)
    key = "span.years" if first.year != last.year else "span.month" if month == last_month else "span.year"
    starts = {"first": first.day, "month": month, "year": first.year}
    ends = {"last": last.day, "last_month": last_month, "last_year": last.year}
    return Words(language, "formats")(key, **starts, **ends)


def month_name(of: date, language: str) -> str:
    """March or março."""
    return LONG_MONTHS[language][of.month - 1]


def item_line(item: KnowledgeItem, when: str, language: str) -> str:
    """An item with its day, and a mark where it is unsure or someone's claim."""
    marks = [when, *doubts(item, language, sure_from=_SURE_FROM)]
    return f"{quoted(item.content)} [{', '.join(marks)}]"


def capped(rows: Sequence[str], lines: int, language: str) -> list[str]:
    """The first so many rows as a list, and how many more there are."""
    left = len(rows) - lines
    shown = [*rows[:lines], *([Words(language, "reports")("more", count=left)] if left > 0 else [])]
    return [f"- {row}" for row in shown]
