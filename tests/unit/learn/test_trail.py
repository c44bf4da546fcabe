from __future__ import annotations

from dataclasses import replace

import pytest

from builders import NOW, an_entry, an_item
from relembra import ConflictError
from relembra.learn.trail import reversed_row, snapshot


def test_words_that_were_forgotten_cannot_be_undone_into_being() -> None:
    item = an_item(version=2)
    entry = an_entry(target_id=item.id, before=snapshot(replace(item, version=1)), after=snapshot(item))
    blanked = replace(entry, before={**(entry.before or {}), "content": None})
    assert reversed_row(entry, item, NOW) == replace(item, version=3)
    with pytest.raises(ConflictError, match="forgotten"):
        reversed_row(blanked, item, NOW)
