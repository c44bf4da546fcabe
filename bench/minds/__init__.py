"""Every quality figure of the offline minds as they ship, against its goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.minds import costs, finding, reading
from bench.minds.asking import Asked, Split, said
from bench.table import Row
from relembra.errors import MindError
from relembra.minds.embedders import OfflineEmbedder

__all__ = ["rows"]


def rows(*, data: Path | None, split: Split, quick: bool) -> Iterator[Row]:
    """One section after the other, so that whoever stops early has what was measured; quick ones first."""
    with Asked(OfflineEmbedder()) as asked:
        sections: list[tuple[str, Iterable[Row]]] = [
            ("sizes", costs.sizes()),
            ("reading", reading.readings(split)),
            ("language", reading.languages(split)),
            ("personal facts", finding.facts(asked, split)),
            ("typed variants", finding.typed(asked, split)),
            ("moods", reading.moods(split)),
            ("matching", costs.matching(asked)),
            ("pairs", reading.pairs(asked, split)),
        ]
        if data is None:
            said("left out: ASSIN2, FaQuAD and LongMemEval, since --data names no folder")
        else:
            sections += [
                ("ASSIN2", finding.similarity(asked, data, split)),
                ("FaQuAD", finding.paragraphs(asked, data)),
                ("LongMemEval", finding.turns(asked, data, quick=quick)),
            ]
        for name, section in sections:
            said(name)
            yield from measured(name, section)


def measured(name: str, section: Iterable[Row]) -> Iterator[Row]:
    """The section's rows; a mind that cannot answer, or a set that is not there, costs its section and not the run."""
    try:
        yield from section
    except (MindError, OSError) as exc:
        said(f"{name}: {exc}")
        yield Row(f"{name}: the rest could not be measured", "", "", None, None)
