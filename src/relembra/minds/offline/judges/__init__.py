"""Small judges on the encoder's vectors: what a message is, whether it is worth remembering, and how two agree."""

from __future__ import annotations

from relembra.minds.offline.judges.judges import Judges

__all__ = ["Judges"]
