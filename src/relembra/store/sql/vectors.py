"""Vectors: written with a count of those that lie together, and compared in matrices kept in memory between searches.

A person's vectors of a kind are a slice. Its count and the ticks of the last put and drop say whether a matrix that
was read before still holds what a transaction sees.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from relembra.domain.scope import Scope
from relembra.errors import InvalidInputError
from relembra.minds.port import Vector
from relembra.store import rows
from relembra.store.port import Kind, PutVectors
from relembra.store.sql import Session, tick

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]
    Offsets = npt.NDArray[np.int64]

_BYTES_A_NUMBER = 4


def put(db: Session, scope: Scope, op: PutVectors) -> None:
    """Put a row's vectors of a model in the place of those before."""
    id, kind = rows.known_id(op.id), rows.KIND_NUMBERS[op.kind]
    if id is None or not db.first("is_stored", scope, id, table=rows.SEARCHED[op.kind]):
        return
    models = {model_number(db, op.model, len(vector)) for vector in op.vectors}
    model = models.pop() if models else db.first("model", op.model)
    if model is None:
        return
    now = tick(db)
    replaced = db.run("drop_vectors", scope, model, kind, (id,))
    db.many("put_vector", [(scope, model, kind, id, part, now, vector) for part, vector in enumerate(op.vectors)])
    db.run("count_vectors", scope, model, kind, len(op.vectors) - replaced, now, now if replaced else 0)


def drop(db: Session, scope: Scope, kind: Kind, ids: tuple[bytes, ...]) -> int:
    """Drop the vectors of rows, of all models; how many there were."""
    number = rows.KIND_NUMBERS[kind]
    dropped = 0
    for (model,) in db.rows("model_ids"):
        if count := db.run("drop_vectors", scope, model, number, ids):
            db.run("count_vectors", scope, model, number, -count, 0, tick(db))
            dropped += count
    return dropped


def model_number(db: Session, name: str, size: int) -> int:
    """The model's number, given one at its first vector; all its vectors have one length."""
    for number, dimensions in db.rows("model", name):
        if size != dimensions * _BYTES_A_NUMBER:
            raise InvalidInputError(f"vectors of {name} are {dimensions * _BYTES_A_NUMBER} bytes, not {size}")
        return int(number)
    if not size or size % _BYTES_A_NUMBER:
        raise InvalidInputError(f"a vector holds float32 numbers, and {size} bytes hold no whole number of them")
    return int(db.first("add_model", name, size // _BYTES_A_NUMBER))


MOST_BYTES = 192 * 1024 * 1024
"""Of all matrices together; a larger slice is read for each search and not kept."""

_BYTES_A_ROW = 256  # an id, its place, and what Python needs to keep them
_AT_ONCE = 512
_QUESTIONS = 8  # looked with at the same time, about
_ASKED_AT_ONCE = 64
_FEW_ASKED = 32  # as one sitting asks; the night asks for hundreds, which is worth several threads
_SPARE_VECTORS = 256  # and an eighth more: so many may come before a matrix is read anew

Key = tuple[str, str, int, int]
"""Tenant, owner, and the numbers of the model and the kind."""


class Nearness(NamedTuple):
    """How near a row is: by the nearest of its vectors, and by that of its whole text."""

    cosine: float
    whole: float
    part: int


class State(NamedTuple):
    """What a slice is like in a transaction: how many vectors, and the ticks of the last put and drop."""

    vectors: int
    put_at: int
    dropped_at: int


class Matrix:
    """Vectors below one another, those of a row together. It is only added to, so that earlier views stay right."""

    def __init__(self, room: int, dimensions: int) -> None:
        import numpy as np  # slow to load

        self.numbers: Numbers = np.empty((room, dimensions), dtype=np.float32)
        self.starts: Offsets = np.empty(room + 1, dtype=np.int64)  # where each row begins, and where the last one ends
        self.starts[0] = 0
        self.ids: list[bytes] = []
        self.places: dict[bytes, int] = {}
        self.vectors = 0

    @property
    def bytes(self) -> int:
        """What is in use; room nobody wrote to yet is not in memory."""
        of_numbers: int = self.numbers[: self.vectors].nbytes + self.starts[: self.vectors].nbytes
        return of_numbers + _BYTES_A_ROW * len(self.ids)

    def add(self, found: Iterable[Sequence[Any]]) -> None:
        """Take in vectors as they are stored: id, part, vector, those of a row one after another."""
        import numpy as np

        found = iter(found)
        while some := list(islice(found, _AT_ONCE)):
            end = self.vectors + len(some)
            joined = b"".join([vector for _, _, vector in some])
            self.numbers[self.vectors : end] = np.frombuffer(joined, "<f4").reshape(-1, self.numbers.shape[1])
            for place, (id, _, _) in enumerate(some, self.vectors):
                if not self.ids or self.ids[-1] != id:
                    self.places[id] = len(self.ids)
                    self.ids.append(id)
                self.starts[len(self.ids)] = place + 1
            self.vectors = end


@dataclass(frozen=True, slots=True)
class View:
    """A matrix as it was in one state of its slice."""

    matrix: Matrix
    state: State
    rows: int
    bytes: int


class HotSlices:
    """The slices searched last, bounded by bytes. Used by several threads."""

    def __init__(self, *, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._views: OrderedDict[Key, View] = OrderedDict()  # the least recently used first
        self._bytes = 0
        self._nearby: OrderedDict[tuple[Key, State, Vector], Nearby] = OrderedDict()  # one question looks several times
        self.epoch = 0
        """How often something was forgotten; asked before a transaction reads anything, and again before keeping it."""

    def view(self, db: Session, key: Key, *, dimensions: int, epoch: int) -> View | None:
        """The slice as this transaction sees it; None where there is no vector."""
        state = State(*next(iter(db.rows("vector_slice", *key)), (0, 0, 0)))
        if not state.vectors:
            return None
        with self._lock:
            held = self._views.get(key)
            if held is not None:
                self._views.move_to_end(key)
        if held is not None and held.state == state:
            return held
        if held is not None and held.state.dropped_at == state.dropped_at and held.state.put_at < state.put_at:
            grown = self._grown(db, key, held, state, epoch)
            if grown is not None:
                return grown
        matrix = Matrix(state.vectors + state.vectors // 8 + _SPARE_VECTORS, dimensions)
        matrix.add(db.each("vectors_of_slice", *key))
        view = View(matrix, state, len(matrix.ids), matrix.bytes)
        with self._lock:
            held = self._views.get(key)
            if epoch == self.epoch and (held is None or held.state[1:] < state[1:]):
                self._put(key, view)
        return view

    def nearby(self, db: Session, key: Key, vector: Vector, *, dimensions: int, epoch: int) -> Nearby | None:
        """How near a slice's rows are to a vector, kept for the next look with the same question; None without any."""
        view = self.view(db, key, dimensions=dimensions, epoch=epoch)
        if view is None:
            return None
        name = (key, view.state, vector)
        with self._lock:
            held = self._nearby.get(name)
        if held is not None:
            return held
        made = Nearby(view, vector)
        with self._lock:
            # Of a slice there is no room for, nothing holds on to the matrix.
            if epoch == self.epoch and self._views.get(key) is view:
                self._nearby[name] = made
                while len(self._nearby) > _QUESTIONS:
                    self._nearby.popitem(last=False)
        return made

    def drop(self, scope: Scope) -> None:
        """Let go of a person's or space's vectors, and of all spaces' of the tenant, where something of it may lie."""
        with self._lock:
            self.epoch += 1
            self._nearby.clear()
            for key in list(self._views):
                owner = Scope(key[0], key[1])
                if owner == scope or (owner.tenant == scope.tenant and owner.space is not None):
                    self._drop(key)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self.epoch += 1
            self._nearby.clear()
            self._views.clear()
            self._bytes = 0

    def _grown(self, db: Session, key: Key, held: View, state: State, epoch: int) -> View | None:
        """The slice with what was put since; None when another thread added to it meanwhile, or there is no room."""
        more = db.rows("vectors_since", *key, held.state.put_at)
        with self._lock:
            matrix = held.matrix
            is_full = matrix.vectors + len(more) > len(matrix.numbers)
            if epoch != self.epoch or matrix.vectors != held.state.vectors or is_full:
                return None
            matrix.add(more)
            view = View(matrix, state, len(matrix.ids), matrix.bytes)
            self._put(key, view)
            return view

    def _put(self, key: Key, view: View) -> None:
        self._drop(key)
        self._views[key] = view
        self._bytes += view.bytes
        while self._bytes > self._most_bytes:
            self._drop(next(iter(self._views)))

    def _drop(self, key: Key) -> None:
        held = self._views.pop(key, None)
        self._bytes -= 0 if held is None else held.bytes


class Nearby:
    """How near all rows of a view are to a vector."""

    def __init__(self, view: View, vector: Vector) -> None:
        import numpy as np

        self._matrix, self._rows = view.matrix, view.rows
        self._starts = view.matrix.starts[: view.rows + 1]
        numbers = view.matrix.numbers[: int(self._starts[-1])]
        self._cosines = _products(numbers, np.frombuffer(vector, dtype="<f4"))
        self._best: Numbers = np.maximum.reduceat(self._cosines, self._starts[:-1])

    def nearest(self, most: int, among: Collection[bytes] | None = None) -> list[bytes]:
        """The nearest rows, of all or of some, nearest first and then by id."""
        import numpy as np

        held, rows, ids = self._matrix.places, self._rows, self._matrix.ids
        places = np.arange(rows)
        if among is not None:
            places = np.array([place for id in among if (place := held.get(id, rows)) < rows], dtype=np.int64)
        best = self._best[places]
        if most < len(places):
            near = best >= np.partition(best, -most)[-most]
            places, best = places[near], best[near]
        found = sorted((-cosine, ids[place]) for cosine, place in zip(best.tolist(), places.tolist(), strict=True))
        return [id for _, id in found[:most]]

    def of(self, ids: Iterable[bytes]) -> dict[bytes, Nearness]:
        """How near these rows are, those that have vectors; of equally near parts the first counts."""
        import numpy as np

        held, rows = self._matrix.places, self._rows
        known = [(id, place) for id in ids if (place := held.get(id, rows)) < rows]
        places = np.array([place for _, place in known], dtype=np.int64)
        firsts, ends = self._starts[places], self._starts[places + 1]
        wholes, bests = self._cosines[firsts].tolist(), self._best[places].tolist()
        found: dict[bytes, Nearness] = {}
        for (id, _), first, end, whole, best in zip(known, firsts.tolist(), ends.tolist(), wholes, bests, strict=True):
            part = 0 if end - first == 1 else self._cosines[first:end].tolist().index(best)
            found[id] = Nearness(best, whole, part)
        return found


def nearest_to_each(view: View, vectors: Sequence[Vector], most: int) -> list[list[tuple[bytes, float]]]:
    """For each vector the nearest rows of a view, nearest first and then by id."""
    import numpy as np

    starts, ids = view.matrix.starts[: view.rows], view.matrix.ids
    numbers = view.matrix.numbers[: int(view.matrix.starts[view.rows])]
    found: list[list[tuple[bytes, float]]] = []
    for start in range(0, len(vectors), _ASKED_AT_ONCE):
        asked = np.frombuffer(b"".join(vectors[start : start + _ASKED_AT_ONCE]), "<f4").reshape(-1, numbers.shape[1])
        few = len(vectors) <= _FEW_ASKED
        cosines = np.stack([_products(numbers, one) for one in asked]) if few else asked @ numbers.T
        best = np.maximum.reduceat(cosines, starts, axis=1) if len(numbers) > view.rows else cosines
        for row in best:
            places = np.argpartition(row, -most)[-most:] if most < len(row) else np.arange(len(row))
            near = sorted(
                (-cosine, ids[place]) for place, cosine in zip(places.tolist(), row[places].tolist(), strict=True)
            )
            found.append([(id, -cosine) for cosine, id in near])
    return found


def _products(numbers: Numbers, asked: Numbers) -> Numbers:
    """Each vector's product with one, row by row in this thread, so that equal vectors have equal ones.

    The product of the matrix as a whole tells equal vectors apart by where they stand in it. It would also go to
    several threads, which on a busy machine wait for one another several times as long as the work takes.
    """
    import numpy as np

    products: Numbers
    products = np.vecdot(numbers, asked) if hasattr(np, "vecdot") else np.einsum("ij,j->i", numbers, asked)
    return products
