"""A memory that outlives a run: what it was filled from is written beside it, and so are the plain vectors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from relembra.evaluation.baselines import Numbers
from relembra.evaluation.datasets.reading import DataError


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one filled memory; `mark` says what has to be in it."""

    db: Path
    mark: dict[str, str]

    @property
    def _note(self) -> Path:
        return self.db.with_name(self.db.name + ".bench.json")

    @property
    def _numbers(self) -> Path:
        return self.db.with_name(self.db.name + ".bench.npy")

    def is_full(self) -> bool:
        """Whether everything is in it already; a file with anything else in it is refused, and stays as it is."""
        if not self.db.exists():
            return False
        try:
            note = json.loads(self._note.read_text("utf-8"))
        except (OSError, ValueError):
            note = {}
        if not isinstance(note, dict) or note.get("mark") != self.mark:
            raise DataError(f"{self.db} was filled from something else; name a new file, or remove it", field="kept")
        return note.get("full") is True

    def begin(self) -> None:
        """Say what is being put in, before anything is."""
        self._write(full=False)

    def finish(self) -> None:
        """Say that everything is in."""
        self._write(full=True)

    def vectors(self, rows: int) -> Numbers | None:
        """The plain vectors kept beside it, where there are as many as there should be."""
        try:
            found: Numbers = np.load(self._numbers, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return found if len(found) == rows else None

    def keep_vectors(self, vectors: Numbers) -> None:
        np.save(self._numbers, vectors)

    def _write(self, *, full: bool) -> None:
        try:
            self._note.write_text(json.dumps({"mark": self.mark, "full": full}), encoding="utf-8")
        except OSError as exc:
            raise DataError(f"{self._note} cannot be written: {exc}", field="kept") from exc
