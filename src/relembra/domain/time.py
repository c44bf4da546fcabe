"""Moments on a person's clock, and limits of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from relembra.errors import InvalidInputError, TooSlowError

Clock = Callable[[], datetime]

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
"""Moments before the first or after the last are not kept: so no sum with one that is leaves the calendar."""
AHEAD = timedelta(days=1)
"""How far another clock may be ahead of ours."""


def system_clock() -> datetime:
    """Now, on this machine's own clock: its offset tells the day things are dated by."""
    return datetime.now(UTC).astimezone()


def zoned_clock(zone: str) -> Clock:
    """Now on the clock of a place, by its IANA name, so that what is dated by it knows when that clock changes."""
    place = ZoneInfo(zone)
    return lambda: datetime.now(place)


def in_utc(moment: datetime, field: str = "at") -> datetime:
    """The same moment in UTC; a moment without a timezone is refused, for guessing it would shift it."""
    if not isinstance(moment, datetime):
        raise InvalidInputError(f"{field} must be a datetime with a timezone, not {moment!r}", field=field)
    if moment.tzinfo is None:
        raise InvalidInputError(f"{field} needs a timezone, like 2026-03-01T10:00:00-03:00", field=field)
    try:
        return moment.astimezone(UTC)
    except OverflowError as exc:
        raise InvalidInputError(f"{field} {moment.isoformat()} is out of range", field=field) from exc


def to_keep(moment: datetime, field: str = "at") -> datetime:
    """The same moment in UTC, to be kept; one that lies too far away is refused."""
    utc = in_utc(moment, field)
    if not EARLIEST <= utc <= LATEST:
        years = f"{EARLIEST.year} to {LATEST.year}"
        raise InvalidInputError(f"{field} {moment.isoformat()} is out of range; take one from {years}", field=field)
    return utc


def nearest_to_keep(moment: datetime) -> datetime:
    """The same moment in UTC; for one that lies too far away, like a founding in 1532, the nearest that is kept."""
    if moment.year < EARLIEST.year:
        return EARLIEST
    return LATEST if moment.year >= LATEST.year else max(EARLIEST, min(in_utc(moment), LATEST))


def not_ahead(moment: datetime, now: datetime, field: str = "at") -> datetime:
    """A moment something was said at, in UTC; one more than a day ahead is refused, for nothing was said then yet."""
    said = to_keep(moment, field)
    if said - in_utc(now, "clock") > AHEAD:
        raise InvalidInputError(
            f"{field} {moment.isoformat()} lies more than a day ahead; give when it was said", field=field, kind="ahead"
        )
    return said


LATE = timedelta(days=1)
"""What was said longer ago than this when it is read is read as of then."""


def read_as_of(said_at: datetime | None, now: datetime) -> datetime:
    """The moment by which words are read: when they were said, where that is long ago."""
    return said_at if said_at is not None and now - said_at > LATE else now


def zone_of(moment: datetime) -> str:
    """How the speaker's clock stood: an IANA name where the moment carries one, else an offset like -03:00."""
    key = getattr(moment.tzinfo, "key", None)
    if isinstance(key, str):
        with suppress(KeyError, ValueError, OSError):  # found by this name later, also by another program
            return ZoneInfo(key).key
    offset = moment.utcoffset() or timedelta()
    sign = "-" if offset < timedelta() else "+"
    minutes = abs(int(offset.total_seconds())) // 60
    return f"{sign}{minutes // 60:02d}:{minutes % 60:02d}"


def local(moment: datetime, zone: str) -> datetime:
    """The moment on the speaker's own clock."""
    if zone[:1] in "+-" and len(zone) == 6:
        minutes = int(zone[1:3]) * 60 + int(zone[4:])
        offset = timedelta(minutes=-minutes if zone[0] == "-" else minutes)
        return moment.astimezone(timezone(offset))
    return moment.astimezone(ZoneInfo(zone))


_ends: ContextVar[float | None] = ContextVar("relembra_deadline", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let `check_time` raise `TooSlowError` within the block once this thread has worked for so many seconds."""
    token = _ends.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _ends.reset(token)


def check_time() -> None:
    """`TooSlowError` when the time is up; to be called between any two steps that could take long."""
    ends = _ends.get()
    if ends is not None and time.thread_time() > ends:
        raise TooSlowError("reading took longer than it may")
