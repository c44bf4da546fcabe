"""What is derived from a row's text: its postings, and the counts BM25 needs of one person's rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import apsw

from relembra.domain.scope import Scope
from relembra.domain.searchable import message_text
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import Kind
from relembra.store.sqlite.statements import SQL, filled

TABLES = {Kind.ITEM: "item", Kind.MESSAGE: "message", Kind.NOTE: "note"}

_UNINDEXED_MESSAGE = filled("unindexed_message", columns=rows.MESSAGE_COLUMNS)


def add_terms(db: apsw.Connection, scope: Scope, kind: Kind, id: bytes, terms: Counter[str]) -> int:
    """Write a row's postings and count it in; its length."""
    number = rows.KIND_NUMBERS[kind]
    length = terms.total()
    # In the order of the key, so that neighbours are written together.
    postings = [(scope.tenant, scope.user, number, term, id, tf, length) for term, tf in sorted(terms.items())]
    if postings:
        db.executemany(SQL["put_posting"], postings)
    db.execute(SQL["count_in_slice"], (scope.tenant, scope.user, number, 1, length))
    return length


def drop_terms(
    db: apsw.Connection, scope: Scope, kind: Kind, id: bytes, length: int, terms: Collection[str] | None
) -> None:
    """Take a row's postings out and count it out; `terms`: None where they are not known any more."""
    number = rows.KIND_NUMBERS[kind]
    if terms is None:
        db.execute(SQL["drop_postings_of"], (scope.tenant, scope.user, number, apsw.carray((id,))))
    elif terms:
        db.executemany(SQL["drop_posting"], [(scope.tenant, scope.user, number, term, id) for term in sorted(terms)])
    db.execute(SQL["count_in_slice"], (scope.tenant, scope.user, number, -1, -length))


def index_message(db: apsw.Connection, scope: Scope, id: str, analyzer: Analyzer) -> None:
    """Write the terms of a message that has none yet; any other is passed over."""
    raw = rows.known_id(id)
    if raw is None:
        return
    found = db.execute(_UNINDEXED_MESSAGE, (scope.tenant, scope.user, raw)).fetchall()
    if not found:
        return
    terms = Counter(analyzer.terms(message_text(rows.message_of(scope, found[0]))))
    length = add_terms(db, scope, Kind.MESSAGE, raw, terms)
    db.execute(SQL["message_is_indexed"], (analyzer.version, length, scope.tenant, scope.user, raw))
