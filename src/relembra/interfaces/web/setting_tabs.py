"""What all parts of the settings share: their tabs, and the clocks somebody may choose from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any
from zoneinfo import available_timezones

from starlette.responses import Response

from relembra.interfaces.web.visits import Visit

REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
"""What names of clocks begin with; other names are old ones for the same."""
EVERYWHERE = "UTC"


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of the settings."""

    path: str
    name: str  # of its sentence
    icon: str


def tabs(visit: Visit) -> list[Tab]:
    """The parts of the settings that are this visitor's to see."""
    shown = [
        Tab("/settings", "reading", "palette"),
        Tab("/settings/data", "data", "database"),
        Tab("/settings/accounts", "accounts", "link"),
        Tab("/settings/models", "models", "cpu"),
    ]
    if is_for_all(visit):
        shown += [Tab("/settings/keys", "keys", "key-round"), Tab("/settings/listening", "listening", "ban")]
    if visit.caller.everywhere:
        shown.append(Tab("/settings/installation", "house", "house"))
    return shown


def is_for_all(visit: Visit) -> bool:
    """Whether what concerns everybody of the tenant is this visitor's to decide."""
    return visit.may("admin") and visit.caller.user is None


def part(visit: Visit, template: str, *, status: int = HTTPStatus.OK, **parts: Any) -> Response:
    """A part of the settings, under its tabs."""
    shown = tabs(visit)
    here = [visit.words(f"page.settings.{tab.name}") for tab in shown if tab.path == visit.path]
    return visit.page(template, status=status, title=visit.words("page.settings"), named=here, tabs=shown, **parts)


@cache
def zones() -> dict[str, list[tuple[str, str]]]:
    """The clocks of the world by region: each with its name and how the place is called."""
    found: dict[str, list[tuple[str, str]]] = {region: [] for region in REGIONS}
    for name in sorted(available_timezones()):
        region, _, place = name.partition("/")
        if region in found and place:
            found[region].append((name, place.replace("_", " ").replace("/", " · ")))
    return {region: places for region, places in found.items() if places}


def is_listed(zone: str) -> bool:
    return zone == EVERYWHERE or any(zone == name for places in zones().values() for name, _ in places)
