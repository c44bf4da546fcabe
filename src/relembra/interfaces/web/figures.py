"""The figures of a memory as charts on a page: the history's, and one that stands alone in a file."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from relembra.interfaces.figures import Figures, cost, growth, passing
from relembra.interfaces.web.templates import Clockface, asset, environment
from relembra.locale import Words


def charts_of(figures: Figures, words: Words, clock: Clockface) -> dict[str, Any]:
    """What the template draws: columns with their sums, and rows of a name, its words and how many there are."""
    known, steps = figures.known, figures.weeks.steps
    return {
        "growth": growth(figures),
        "learnt": [sum(step.learnt.values()) for step in steps],
        "passing": passing(figures),
        "passed": [step.ended + step.archived + step.deleted for step in steps],
        "cost": cost(figures),
        "tokens": [use.input_tokens + use.output_tokens for use in figures.cost],
        "days": [clock.day(use.day) for use in figures.cost],
        "areas": [
            (area or "none", words.name("area", area) if area else words("figures.no_area"), number)
            for area, number in known.areas.items()
        ],
        "types": [("", words.name("type", name), number) for name, number in known.types.items()],
        "levels": [(name, words.name("level", name), number) for name, number in known.levels.items()],
    }


def page_alone(figures: Figures, title: str, clock: Clockface) -> str:
    """The charts as one page that fetches nothing."""
    style = Markup(asset("page.css")[0].decode())
    parts = {"figures": figures, "charts": charts_of(figures, clock.words, clock), "style": style, "title": title}
    return environment().get_template("figures_alone.html").render(t=clock.words, clock=clock, **parts)
