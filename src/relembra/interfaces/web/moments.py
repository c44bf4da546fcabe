"""Days and hours as the reader says them, by the reader's own clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from relembra.interfaces.times import span
from relembra.interfaces.words import Words

MONTHS = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "pt": ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"),
}
LONG_MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
    "pt": ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
           "novembro", "dezembro"),
}  # fmt: skip
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
        """ "3 Mar 2026", "3 mar. 2026"; the year is left out where it is this one's."""
        when = self.here(moment) if isinstance(moment, datetime) else moment
        month = MONTHS[self.words.language][when.month - 1]
        is_this_year = when.year == self.here(self.now).year
        if self.words.language == "pt":
            return f"{when.day} {month}." if is_this_year else f"{when.day} {month}. {when.year}"
        return f"{when.day} {month}" if is_this_year else f"{when.day} {month} {when.year}"

    def long_day(self, moment: date) -> str:
        """ "Tuesday, 3 March 2026", "terça-feira, 3 de março de 2026"."""
        when = self.here(moment) if isinstance(moment, datetime) else moment
        weekday = WEEKDAYS[self.words.language][when.weekday()]
        month = LONG_MONTHS[self.words.language][when.month - 1]
        of = " de " if self.words.language == "pt" else " "
        return f"{weekday}, {when.day}{of}{month}{of}{when.year}"

    def month(self, when: date) -> str:
        """ "March 2026", "março de 2026"."""
        of = " de " if self.words.language == "pt" else " "
        return f"{LONG_MONTHS[self.words.language][when.month - 1]}{of}{when.year}"

    def hour(self, moment: datetime) -> str:
        return f"{self.here(moment):%H:%M}"

    def moment(self, moment: datetime) -> str:
        """A day with its hour."""
        return f"{self.day(moment)}, {self.hour(moment)}"

    def ago(self, moment: datetime) -> str:
        """ "2 h ago"; a day once it is more than a month past, or to come."""
        past = self.now - moment
        if not timedelta() <= past < timedelta(days=30):
            return self.day(moment)
        if past < timedelta(minutes=1):
            return self.words("time.now")
        return self.words("time.ago", span=span(self.words, past))
