"""Which items a command is asked for, as the verbs take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relembra.domain.ids import is_id
from relembra.interfaces.cli.call import Call
from relembra.memory import Memory

if TYPE_CHECKING:
    from relembra.recall.asked import ItemWishes


async def wishes(call: Call, memory: Memory) -> ItemWishes:
    """What was typed, with the whole id of a note of which only a piece was given."""
    asked = call.given.wishes()
    piece = asked.get("note")
    if piece is not None and not is_id(piece):
        from relembra.interfaces.cli.notes import named

        asked["note"] = (await named(call, memory, piece)).id
    return asked
