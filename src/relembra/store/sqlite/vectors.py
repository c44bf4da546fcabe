"""Writing vectors, and keeping count of those that lie together: how many, and when any was put or dropped."""

from __future__ import annotations

from collections import Counter

import apsw

from relembra.domain.scope import Scope
from relembra.errors import InvalidInputError
from relembra.store import rows
from relembra.store.port import Kind, PutVectors
from relembra.store.sqlite.indexing import TABLES
from relembra.store.sqlite.stamps import tick
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value

_BYTES_A_NUMBER = 4
_IS_STORED = {kind: filled("is_stored", table=table) for kind, table in TABLES.items()}

_Part = tuple[int, int]
"""The number of a model and of a kind."""


class Puts:
    """The vectors one transaction puts for a scope; counted once, at its end."""

    def __init__(self, db: apsw.Connection, scope: Scope) -> None:
        self._db = db
        self._scope = scope
        self._tick = 0
        self._put: Counter[_Part] = Counter()
        self._replaced: Counter[_Part] = Counter()

    def put(self, op: PutVectors) -> None:
        db, person = self._db, (self._scope.tenant, self._scope.user)
        id = rows.known_id(op.id)
        if id is None or not first_value(db, _IS_STORED[op.kind], (*person, id)):
            return
        self._tick = self._tick or tick(db)
        kind = rows.KIND_NUMBERS[op.kind]
        models = {_model(db, op.model, len(vector)) for vector in op.vectors}
        model = models.pop() if models else first_value(db, SQL["model"], (op.model,))
        if model is None:
            return
        db.execute(SQL["drop_vectors"], (*person, model, kind, apsw.carray((id,))))
        self._replaced[model, kind] += db.changes()
        parts = [(*person, model, kind, id, part, self._tick, vector) for part, vector in enumerate(op.vectors)]
        db.executemany(SQL["put_vector"], parts)
        self._put[model, kind] += len(parts)

    def finish(self) -> None:
        for model, kind in self._put:
            put, replaced = self._put[model, kind], self._replaced[model, kind]
            _count(self._db, self._scope, model, kind, put - replaced, self._tick, self._tick if replaced else 0)


def drop(db: apsw.Connection, scope: Scope, kind: Kind, ids: tuple[bytes, ...]) -> int:
    """Drop the vectors of rows, of all models; how many there were."""
    person, number = (scope.tenant, scope.user), rows.KIND_NUMBERS[kind]
    dropped = 0
    for (model,) in fetched(db, SQL["model_ids"]):
        db.execute(SQL["drop_vectors"], (*person, model, number, apsw.carray(ids)))
        if count := db.changes():
            _count(db, scope, model, number, -count, 0, tick(db))
            dropped += count
    return dropped


def _count(db: apsw.Connection, scope: Scope, model: int, kind: int, more: int, put_at: int, dropped_at: int) -> None:
    db.execute(SQL["count_vectors"], (scope.tenant, scope.user, model, kind, more, put_at, dropped_at))


def _model(db: apsw.Connection, name: str, size: int) -> int:
    """The model's number, given one at its first vector; all its vectors have one length."""
    found = fetched(db, SQL["model"], (name,))
    if found:
        number, dimensions = found[0]
        if size != dimensions * _BYTES_A_NUMBER:
            raise InvalidInputError(f"vectors of {name} are {dimensions * _BYTES_A_NUMBER} bytes, not {size}")
        return int(number)
    if not size or size % _BYTES_A_NUMBER:
        raise InvalidInputError(f"a vector holds float32 numbers, and {size} bytes hold no whole number of them")
    return int(first_value(db, SQL["add_model"], (name, size // _BYTES_A_NUMBER)))
