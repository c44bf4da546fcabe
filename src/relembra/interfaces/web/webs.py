"""Items and what connects them as a web around one: who stands where, for a template to draw.

Across is measured in per cent and down in pixels, as in `charts`. Which items are connected is the engine's word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import cos, radians, sin

from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.text import fold, visible_line

HEIGHT = 620
NEAR = 6
"""At most so many stand around the centre."""
FAR_EACH = 2
"""And so many behind each of them."""
_MIDDLE = HEIGHT / 2 - 14  # labels stand under their nodes
_NEAR_ACROSS, _NEAR_DOWN = 28.0, 176.0
_FAR_ACROSS, _FAR_DOWN = 42.5, 268.0
_FIRST = -90.0  # degrees: straight up
_APART = 15.0  # degrees from the one they stand behind
_CENTRE_LINE, _NEAR_LINE, _FAR_LINE = 24, 18, 17  # characters
_LETTER = 7


class Tie(StrEnum):
    """What two items have to do with each other."""

    LINKED = "linked"  # one names the other
    PERSON = "person"  # both are about one person
    TOLD = "told"  # they were learnt from the same talk
    ALIKE = "alike"  # they mean something alike


@dataclass(frozen=True, slots=True)
class Node:
    """An item's place; `ring`: 0 in the middle, 1 around it, 2 behind those."""

    item: KnowledgeItem
    ring: int
    x: float
    y: float
    lines: tuple[str, ...]  # its words, cut to what fits under it

    @property
    def width(self) -> int:
        """About how many pixels its words take."""
        return max(map(len, self.lines), default=0) * _LETTER + 6


@dataclass(frozen=True, slots=True)
class Edge:
    one: Node
    other: Node
    tie: Tie


@dataclass(frozen=True, slots=True)
class Web:
    height: int
    nodes: tuple[Node, ...]  # the centre first, then the rings
    edges: tuple[Edge, ...]

    @property
    def centre(self) -> Node:
        return self.nodes[0]

    @property
    def ties(self) -> tuple[Tie, ...]:
        """Those it has some of, in their order."""
        there = {edge.tie for edge in self.edges}
        return tuple(tie for tie in Tie if tie in there)

    def around(self, node: Node) -> tuple[tuple[Tie, Node], ...]:
        """What one leads on to: the next ring's nodes that hang on it."""
        return tuple((edge.tie, edge.other) for edge in self.edges if edge.one == node and edge.other.ring > node.ring)


def web_around(
    centre: KnowledgeItem, near: Sequence[KnowledgeItem], behind: Mapping[str, Sequence[KnowledgeItem]]
) -> Web:
    """A web of an item, those related to it and, by the id of each of these, those related to them."""
    nodes = [_node(centre, 0, 50, _MIDDLE)]
    edges: list[Edge] = []
    around = distinct(near, [centre], limit=NEAR)
    for number, item in enumerate(around):
        node = _placed(item, 1, _FIRST + number * 360 / len(around), _NEAR_ACROSS, _NEAR_DOWN)
        nodes.append(node)
        edges.append(Edge(nodes[0], node, tie_of(centre, item)))
    ring = nodes[1:]
    for number, node in enumerate(ring):
        others = behind.get(node.item.id, ())
        edges += _between(node, ring[number + 1 :], {item.id for item in others})
        fresh = distinct(others, [placed.item for placed in nodes], limit=FAR_EACH)
        for item, turn in zip(fresh, _turns(len(fresh)), strict=True):
            far = _placed(item, 2, _FIRST + number * 360 / len(ring) + turn, _FAR_ACROSS, _FAR_DOWN)
            nodes.append(far)
            edges.append(Edge(node, far, tie_of(node.item, item)))
    return Web(HEIGHT, tuple(nodes), tuple(edges))


def distinct(items: Sequence[KnowledgeItem], told: Sequence[KnowledgeItem], *, limit: int) -> list[KnowledgeItem]:
    """The first few that are not told yet, each saying something else."""
    ids, words = {item.id for item in told}, {fold(item.content) for item in told}
    found: list[KnowledgeItem] = []
    for item in items:
        if len(found) < limit and item.id not in ids and fold(item.content) not in words:
            ids.add(item.id)
            words.add(fold(item.content))
            found.append(item)
    return found


def _between(node: Node, beside: Sequence[Node], related: set[str]) -> list[Edge]:
    """What ties one to others of its ring, but for mere likeness: that would be a line from each to each."""
    ties = [(other, tie_of(node.item, other.item)) for other in beside if other.item.id in related]
    return [Edge(node, other, tie) for other, tie in ties if tie is not Tie.ALIKE]


def tie_of(one: KnowledgeItem, other: KnowledgeItem) -> Tie:
    """The strongest of what two related items have to do with each other."""
    if other.id in one.related or one.id in other.related:
        return Tie.LINKED
    if one.subject != SELF and fold(one.subject) == fold(other.subject):
        return Tie.PERSON
    if (one.note_id and one.note_id == other.note_id) or set(one.message_ids) & set(other.message_ids):
        return Tie.TOLD
    return Tie.ALIKE


def label(text: str, *, width: int, lines: int = 2) -> tuple[str, ...]:
    """A text in short lines, cut between words where it can be; a cut one ends in an ellipsis."""
    left, found = visible_line(text), list[str]()
    while left and len(found) < lines:
        is_last = len(found) == lines - 1
        if len(left) <= width:
            found.append(left)
            break
        head = left[: width - 1] if is_last else left[: width + 1]
        cut = head.rfind(" ")
        at = cut if cut > width // 3 else width - 1
        line = left[:at].rstrip()
        found.append(line.rstrip(" ,;:.-") + "…" if is_last else line)
        left = left[at:].lstrip()
    return tuple(found)


def _turns(number: int) -> tuple[float, ...]:
    return (0.0,) if number == 1 else tuple(_APART * (2 * at - number + 1) for at in range(number))


def _placed(item: KnowledgeItem, ring: int, angle: float, across: float, down: float) -> Node:
    turn = radians(angle)
    return _node(item, ring, 50 + across * cos(turn), _MIDDLE + down * sin(turn))


def _node(item: KnowledgeItem, ring: int, x: float, y: float) -> Node:
    width = (_CENTRE_LINE, _NEAR_LINE, _FAR_LINE)[ring]
    return Node(item, ring, round(x, 2), round(y, 1), label(item.content, width=width, lines=1 if ring == 2 else 2))
