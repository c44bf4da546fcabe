"""Which connection gives way where there are too many."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from loops import each
from relembra.interfaces.http.connections import Held, Patience, _whose


@dataclass(eq=False)
class Connection:
    """One that only says whether it was let go."""

    patience: Patience = field(default_factory=lambda: Patience(most_of_one=2, most_connections=4))
    is_being_read: bool = False
    gone: bool = False

    def let_go(self) -> None:
        self.gone = True


def held(*whose: str) -> tuple[Held, list[Any]]:
    """A server with a connection of each."""
    server, several = Held(), [Connection() for _ in whose]
    assert all(server.take(one, name) for one, name in zip(several, whose, strict=True))  # type: ignore[arg-type]
    return server, several


def test_of_one_address_the_one_idle_for_longest_gives_way() -> None:
    server, (other, first, second) = held("b", "a", "a")
    server.mark(first, idle=False)
    server.mark(first, idle=True)
    new: Any = Connection()
    assert server.take(new, "a")
    assert [one.gone for one in (other, first, second, new)] == [False, False, True, False]
    assert server.counted == {"a": 2, "b": 1}


def test_where_all_are_taken_that_of_anybody_does() -> None:
    server, (first, *rest) = held("a", "b", "c")
    new: Any = Connection()
    assert server.take(new, "d")
    assert [one.gone for one in (first, *rest, new)] == [True, False, False, False]


@each(["asked", "read"])
def test_none_that_somebody_asks_or_reads_on_gives_way(busy: str) -> None:
    server, both = held("a", "a")
    for one in both:
        if busy == "asked":
            server.mark(one, idle=False)
        one.is_being_read = busy == "read"
    new: Any = Connection()
    assert not server.take(new, "a")
    assert server.take(new, "b")
    assert not any(one.gone for one in both)


def test_one_that_is_gone_leaves_its_place_and_comes_back_by_no_answer() -> None:
    server, (first, second) = held("a", "a")
    server.drop(first)
    server.drop(first)
    server.mark(first, idle=True)
    new: Any = Connection()
    assert server.take(new, "a")
    assert (second.gone, list(server.idle)) == (False, [second, new])
    for one in (second, new):
        server.drop(one)
    assert (server.all, server.idle, server.counted) == ({}, {}, {})


def test_a_network_of_ipv6_is_one_address() -> None:
    assert _whose(("2001:db8::1", 1)) == _whose(("2001:db8::ffff:1", 2)) != _whose(("2001:db8:0:1::1", 1))
    assert _whose(("fe80::1%eth0", 1)) == _whose(("fe80::2%eth0", 1))
    assert (_whose(("10.0.0.9", 1)), _whose(None)) == ("10.0.0.9", "")
