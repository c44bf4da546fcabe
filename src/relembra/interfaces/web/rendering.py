"""Templates into pages. Everything remembered is escaped here, by the environment, and nowhere by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from relembra.domain.confidence import level
from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.text import shortened
from relembra.interfaces.reasons import attribute, reason
from relembra.interfaces.web import static
from relembra.recall.rendering import against, told

if TYPE_CHECKING:
    from relembra.interfaces.web.visits import Visit

FOLDER = Path(__file__).parent / "templates"

AREAS: dict[str, str] = {
    LifeArea.HEALTH: "heart",
    LifeArea.FINANCE: "dollar-sign",
    LifeArea.RELATIONSHIPS: "users",
    LifeArea.CAREER: "briefcase",
    LifeArea.GROWTH: "target",
    LifeArea.LEISURE: "sparkles",
    LifeArea.SPIRITUALITY: "sun",
    LifeArea.MENTAL_HEALTH: "brain",
}
"""The icon of each area; its colour is in the style sheet under the same name."""
NO_AREA = "circle-dashed"

TYPES: dict[str, str] = {
    "fact": "quote",
    "preference": "smile",
    "memory": "history",
    "insight": "zap",
    "person": "user-round",
    "goal": "target",
    "emotion": "heart",
}
BRIEF = 400
"""How many letters of a text a list shows; all of it stands on a page of its own."""


def brief(text: str, limit: int = BRIEF) -> str:
    """A text as a list shows it: as it is, or its first words."""
    return text if len(text) <= limit else shortened(text, limit)


def newer(item: KnowledgeItem, language: str) -> str:
    """The words that stand against an item, as a line of their own; mostly none."""
    line = against(item, language)
    return line[:1].upper() + line[1:]


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=200,
    )
    made.globals |= {"AREAS": AREAS, "NO_AREA": NO_AREA, "TYPES": TYPES, "static": static.address}
    made.filters["brief"] = brief
    return made


def rendered(template: str, visit: Visit, parts: dict[str, Any]) -> str:
    """A page with what every template may use: `t`, `visit`, `clock` and the names of few things."""
    words = visit.words
    policy = visit.settings.chosen_policy()

    def level_of(item: KnowledgeItem) -> str:
        return level(item.confidence, policy.confidence)

    return (
        environment()
        .get_template(template)
        .render(
            t=words,
            visit=visit,
            clock=visit.clock,
            level_of=level_of,
            reason=lambda why: reason(words, why),
            attribute=lambda name: attribute(words, name),
            line_of=lambda item: told(item, words.language),
            newer=lambda item: newer(item, words.language),
            **parts,
        )
    )
