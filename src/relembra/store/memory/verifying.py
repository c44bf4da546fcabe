"""Checking the shelves against themselves: terms, vectors, external ids, pointers, buffers, what is due."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping

from relembra.domain.scope import Scope
from relembra.minds.port import Analyzer
from relembra.store.memory.shelf import Key, Shelf
from relembra.store.port import Kind, Verification

_UNIT_TOLERANCE = 1e-3


def verified(shelves: Mapping[Scope, Shelf], analyzer: Analyzer) -> Verification:
    checked: Counter[str] = Counter(rows=0, terms=0, vectors=0)
    problems: list[str] = []
    for scope, shelf in shelves.items():
        rows = {(kind, id): text for kind, id, text in shelf.indexed()}
        vectors = sum(len(parts) for parts in shelf.vectors.values())
        checked.update(rows=len(rows), terms=len(shelf.terms), vectors=vectors)
        checked.update(buffers=len(shelf.buffers), runs=len(shelf.runs))
        found = (*_problems(shelf, rows, analyzer), *_buffer_problems(shelves, scope))
        problems += [f"{scope}: {problem}" for problem in found]
    return Verification(dict(checked), tuple(problems))


def _problems(shelf: Shelf, rows: Mapping[Key, str], analyzer: Analyzer) -> Iterator[str]:
    for (kind, id), text in rows.items():
        terms = shelf.terms.get((kind, id))
        if terms is None and kind is not Kind.MESSAGE:
            yield f"{kind} {id} has no terms"
        elif terms is not None and terms != Counter(analyzer.terms(text)):
            yield f"{kind} {id} has other terms than its text"
    yield from (f"terms of {kind} {id}, which is gone" for kind, id in shelf.terms.keys() - rows.keys())
    lengths: dict[str, int] = {}
    for (kind, id, model), vectors in shelf.vectors.items():
        if (kind, id) not in rows:
            yield f"a vector of {kind} {id}, which is gone"
        for vector in vectors:
            if len(vector) != lengths.setdefault(model, len(vector)):
                yield f"the vector of {kind} {id} is of another length than others of {model}"
            if abs(math.hypot(*array("f", vector)) - 1.0) > _UNIT_TOLERANCE:
                yield f"the vector of {kind} {id} is not of unit length"
    named = {(m.external_id, m.role): m.id for m in shelf.messages.values() if m.external_id is not None}
    if named != shelf.external:
        yield "external ids and messages disagree"
    for id in shelf.due_messages - shelf.messages.keys():
        yield f"message {id} is due to be accounted for and is not there"
    for item in shelf.items.values():
        if item.superseded_by is not None and item.superseded_by not in shelf.items:
            yield f"item {item.id} was superseded by an item that is not there"


def _buffer_problems(shelves: Mapping[Scope, Shelf], scope: Scope) -> Iterator[str]:
    shelf = shelves[scope]
    for buffer in shelf.buffers.values():
        for user, id in buffer.messages:
            speaker = shelves.get(Scope(scope.tenant, user))
            if speaker is None or id not in speaker.messages:
                yield f"message {id} of buffer {buffer.id} is not there"
        if buffer.is_open and buffer.id not in shelf.jobs:
            yield f"buffer {buffer.id} is open and has no job"
