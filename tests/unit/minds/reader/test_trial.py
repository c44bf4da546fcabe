"""What `relembra doctor` tries of the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from relembra.errors import MindError
from relembra.minds.offline.trial import tried_reading
from relembra.minds.reader.networks import Networks, shipped_networks
from relembra.minds.reader.spans import Tagged


class Blind(Networks):
    """Networks that see nothing in any word, as damaged ones might."""

    def tag(self, words: object) -> Tagged:
        seen = super().tag(words)  # type: ignore[arg-type]
        return Tagged(seen.tags * 0, seen.status, seen.marks, seen.about)


def test_the_shipped_networks_read_plain_sentences() -> None:
    assert tried_reading(shipped_networks()) == 4


def test_networks_that_read_nothing_are_a_clear_problem() -> None:
    with pytest.raises(MindError, match=r"misread 'Eu moro em Recife\.'.*install relembra again"):
        tried_reading(Blind())


def test_a_network_that_is_not_there_is_a_clear_problem(tmp_path: Path) -> None:
    with pytest.raises(MindError, match="tagger-int8"):
        tried_reading(Networks(tmp_path))
