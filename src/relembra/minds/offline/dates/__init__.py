"""Dates in Portuguese and English prose: where they stand, which interval they mean, how exactly it was said."""

from __future__ import annotations

from relembra.minds.offline.dates.finder import find_dates
from relembra.minds.offline.dates.mention import DateMention, Kind, Precision

__all__ = ["DateMention", "Kind", "Precision", "find_dates"]
