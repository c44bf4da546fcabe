from __future__ import annotations

from datetime import timedelta
from typing import Any

from builders import NOW, a_key
from loops import each
from relembra.domain.access import NewKey, Right, Standing, digest_of, is_secret_of, new_secret, prefix_of, standing

HOUR = timedelta(hours=1)


def test_a_right_allows_itself_and_what_is_less() -> None:
    rights = [Right.READ, Right.WRITE, Right.ADMIN]
    assert [[mine.allows(other) for other in rights] for mine in rights] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_a_secret_has_its_form_and_is_known_again_by_its_digest() -> None:
    secret = new_secret()
    prefix = prefix_of(secret)
    assert prefix is not None
    assert secret.startswith(f"rlb_{prefix}_")
    assert (len(prefix), len(secret)) == (8, 4 + 8 + 1 + 43)
    assert prefix.isalnum()
    assert prefix == prefix.lower()
    assert is_secret_of(secret, digest_of(secret))
    assert not is_secret_of(secret, digest_of(secret + "A"))
    assert secret.encode() not in digest_of(secret)


@each(
    [
        ({}, Standing.VALID),
        ({"expires_at": NOW + HOUR}, Standing.VALID),
        ({"expires_at": NOW}, Standing.EXPIRED),
        ({"revoked_at": NOW - HOUR}, Standing.REVOKED),
        ({"revoked_at": NOW - HOUR, "expires_at": NOW - HOUR}, Standing.REVOKED),
    ]
)
def test_how_a_key_stands(changes: dict[str, Any], expected: Standing) -> None:
    assert standing(a_key(**changes), NOW) is expected


def test_a_new_key_does_not_show_its_secret_where_it_is_printed_by_mistake() -> None:
    secret = new_secret()
    assert secret not in repr(NewKey(a_key(), secret))
