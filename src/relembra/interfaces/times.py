"""When and how long, as people say it: "today at 03:00", "in 4 h", "2 days"."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, tzinfo

from relembra.domain.jobs import AT_ONCE
from relembra.locale import Words
from relembra.recall.rendering import short_date

_DAY = timedelta(days=1)


def span(words: Words, length: timedelta) -> str:
    """A length of time in its largest unit: seconds, minutes, hours or days."""
    seconds = max(0.0, length.total_seconds())
    if seconds < 0.1:
        return words("time.seconds", n=f"< {words.number(0.1, 1)}")
    if seconds < 1:
        return words("time.seconds", n=words.number(seconds, 1))
    if seconds < 60:
        return words("time.seconds", n=words.whole(round(seconds)))
    if seconds < 3_600:
        return words("time.minutes", n=words.whole(round(seconds / 60)))
    if seconds < 2 * 86_400:
        return words("time.hours", n=words.whole(round(seconds / 3_600)))
    days = round(seconds / 86_400)
    return words(f"time.days.{'one' if days == 1 else 'many'}", n=words.whole(days))


def due(words: Words, moment: datetime, now: datetime, *, zone: tzinfo | None = None, later: str = "") -> str:
    """When something is to be done, by a zone's clock, else by this computer's; what is late says for how long.

    `later`: how a day after tomorrow is said, where an interface says days in its own manner.
    """
    if moment <= AT_ONCE or timedelta() <= now - moment < timedelta(minutes=1):
        return words("time.now")
    if moment < now:
        return words("time.overdue", span=span(words, now - moment))
    there, here = moment.astimezone(zone), now.astimezone(zone)
    clock = f"{there:%H:%M}"
    if there.date() == here.date():
        said = words("time.today", time=clock)
    elif there.date() == (here + _DAY).date():
        said = words("time.tomorrow", time=clock)
    else:
        return later or words("time.day", date=short_date(there, words.language), time=clock)
    return f"{said} ({words('time.in', span=span(words, moment - now))})"


def ago(words: Words, moment: datetime, now: datetime) -> str:
    """How long something is past."""
    return words("time.ago", span=span(words, now - moment))


def day(words: Words, when: date) -> str:
    """A day of the calendar, wherever it was."""
    return short_date(datetime.combine(when, time()), words.language)
