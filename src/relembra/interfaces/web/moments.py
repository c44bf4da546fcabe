"""Days and hours as the reader says them, by the reader's own clock, and as the engine writes them in its texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from relembra.interfaces.times import due, span
from relembra.interfaces.words import Words
from relembra.recall.rendering import MONTHS
from relembra.views.reports import words as told

__all__ = ["MONTHS", "Clockface"]

WEEKDAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "pt": ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"),
}


@dataclass(frozen=True, slots=True)
class Clockface:
    """A clock in a language and a place, at a moment."""

    words: Words
    zone: tzinfo
    now: datetime

    def here(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone)

    def day(self, moment: date) -> str:
        """ "Mar 3, 2026", "3 mar 2026"; the year is left out where it is this one's."""
        when = self._date(moment)
        is_this_year = when.year == self.here(self.now).year
        return told.day(when, self.words.language) if is_this_year else told.full_day(when, self.words.language)

    def long_day(self, moment: date) -> str:
        """ "Tuesday, March 3, 2026", "terça-feira, 3 de março de 2026"."""
        when = self._date(moment)
        weekday = WEEKDAYS[self.words.language][when.weekday()]
        month = told.LONG_MONTHS[self.words.language][when.month - 1]
        if self.words.language == "pt":
            return f"{weekday}, {when.day} de {month} de {when.year}"
        return f"{weekday}, {month} {when.day}, {when.year}"

    def days(self, first: date, last: date) -> str:
        """Some days running: "March 2–8, 2026", "2 a 8 de março de 2026"."""
        return told.span(first, last, self.words.language)

    def month(self, when: date) -> str:
        """ "March 2026", "março de 2026"."""
        of = " de " if self.words.language == "pt" else " "
        return f"{told.LONG_MONTHS[self.words.language][when.month - 1]}{of}{when.year}"

    def hour(self, moment: datetime) -> str:
        return f"{self.here(moment):%H:%M}"

    def moment(self, moment: datetime) -> str:
        """A day with its hour."""
        return f"{self.day(moment)}, {self.hour(moment)}"

    def exact(self, moment: datetime) -> str:
        """A moment to keep, which anybody understands later: with its year, and its distance from Greenwich."""
        here = self.here(moment)
        shift = f"{here:%z}"
        apart = f"UTC{shift[:3]}:{shift[3:5]}".replace("-", "−") if here.utcoffset() else "UTC"
        return f"{told.full_day(here, self.words.language)}, {here:%H:%M} ({apart})"

    def due(self, moment: datetime) -> str:
        """When something is to be done: "tomorrow at 03:00", a day with its hour where it is further off."""
        return due(self.words, moment, self.now, zone=self.zone, later=self.moment(moment))

    def ago(self, moment: datetime) -> str:
        """ "2 h ago"; a day once it is more than a month past, or to come."""
        past = self.now - moment
        if not timedelta() <= past < timedelta(days=30):
            return self.day(moment)
        if past < timedelta(minutes=1):
            return self.words("time.now")
        return self.words("time.ago", span=span(self.words, past))

    def _date(self, moment: date) -> date:
        return self.here(moment).date() if isinstance(moment, datetime) else moment
