"""What holds for the whole installation: its language, its clock, and the policy with all its numbers. What is chosen
is written to the settings file, which is read at the next start."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, fields
from datetime import timedelta
from enum import StrEnum
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.policy import LIFE, PRESETS, Policy, overridden, preset
from relembra.errors import InvalidInputError, SettingsError
from relembra.interfaces.times import span
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.setting_tabs import EVERYWHERE, is_listed, part, zones
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.words import LANGUAGES, Words
from relembra.settings import Settings
from relembra.settings_file import file_to_write, held_in, overriding, write_settings

pages = Pages()

NAMES = ("language", "timezone", "preset")
USUAL = Settings()


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the policy, as it is shown."""

    name: str
    meaning: str
    value: str
    usual: str
    is_different: bool  # from the usual policy
    is_own: bool  # the settings file says it


@dataclass(frozen=True, slots=True)
class Numbers:
    """A part of the policy."""

    name: str
    numbers: list[Number]

    @property
    def changed(self) -> int:
        return sum(one.is_different or one.is_own for one in self.numbers)


@pages.get("/settings/installation", Right.ADMIN)
async def installation(visit: Visit) -> Response:
    visit.caller.must_operate()
    return await _shown(visit)


@pages.post("/settings/installation", Right.ADMIN)
async def change(visit: Visit) -> Response:
    visit.caller.must_operate()
    try:
        path = file_to_write(os.environ)
        chosen = _chosen(visit, await asyncio.to_thread(_filed, path))
        if chosen:
            await asyncio.to_thread(write_settings, path, chosen)
    except (InvalidInputError, SettingsError) as error:
        return await _shown(visit, wrong=visit.sentence(error), status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return visit.to("/settings/installation", done="house_saved" if chosen else "saved")


def _filed(path: Path) -> dict[str, str]:
    """What the settings file says, or leaves as usual."""
    held = held_in(path)
    return {name: str(held.get(name, getattr(USUAL, name))) for name in NAMES}


def _chosen(visit: Visit, filed: dict[str, str]) -> dict[str, str]:
    """What the form says otherwise than the file."""
    allowed = {"language": ("", *LANGUAGES), "preset": tuple(PRESETS)}
    chosen = {}
    for name in NAMES:
        word = visit.field(name)
        if name not in visit.form or word == filed[name]:
            continue
        if word not in allowed.get(name, (word,)):
            raise InvalidInputError(f"there is no {name} {word!r}", field=name)
        chosen[name] = word
    return chosen


async def _shown(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    path, filed, running = Path(), {name: str(getattr(visit.settings, name)) for name in NAMES}, visit.settings
    try:
        path = file_to_write(os.environ)
        filed = await asyncio.to_thread(_filed, path)
    except SettingsError as error:
        wrong = wrong or visit.sentence(error)
    typed = {name: visit.field(name) for name in NAMES} if wrong and visit.form else filed
    looked_at = visit.asked("preset") if visit.asked("preset") in PRESETS else running.preset
    zone = typed["timezone"]
    return part(
        visit,
        "settings_house.html",
        status=status,
        path=str(path.absolute()) if path != Path() else "",
        typed=typed,
        later={name: filed[name] for name in NAMES if (filed[name] or _system(name)) != _in_use(running, name)},
        winning={name: variable for name in NAMES for variable in overriding(os.environ, name)},
        running=running,
        presets=list(PRESETS),
        looked_at=looked_at,
        rooms=numbers(looked_at, running.policy, visit.words),
        languages=LANGUAGES,
        zones=zones(),
        others=sorted({EVERYWHERE, zone} - {""} if not is_listed(zone) else {EVERYWHERE}),
        wrong=wrong,
    )


def _in_use(running: Settings, name: str) -> str:
    return str(getattr(running, name)) or _system(name)


def _system(name: str) -> str:
    """What an empty setting stands for; the command line has looked that up before it starts a server."""
    from relembra.bootstrap import system_language

    return system_language() if name == "language" else ""


def numbers(name: str, own: dict[str, dict[str, Any]], words: Words) -> list[Numbers]:
    """Every number of a preset with what the settings file changes, by part, in words."""
    chosen = overridden(preset(name), own)
    return [
        Numbers(room.name, _of_part(room.name, chosen, own.get(room.name, {}), words))
        for room in fields(Policy)
        if room.name != "name"
    ]


def _of_part(room: str, chosen: Policy, own: dict[str, Any], words: Words) -> list[Number]:
    held, usual = getattr(chosen, room), getattr(LIFE, room)
    return [
        Number(
            name=one.name,
            meaning=words.name("policy", f"{room}.{one.name}"),
            value=shown(getattr(held, one.name), words),
            usual=shown(getattr(usual, one.name), words),
            is_different=getattr(held, one.name) != getattr(usual, one.name),
            is_own=one.name in own,
        )
        for one in fields(held)
    ]


def shown(value: Any, words: Words) -> str:
    """A number of the policy as people write it."""
    match value:
        case bool():
            return words("page.settings.yes" if value else "page.settings.no")
        case timedelta():
            return span(words, value)
        case StrEnum():
            return str(value)
        case int():
            return words.whole(value)
        case float():
            return words.number(value, 6).rstrip("0").rstrip(".,")
    return str(value)
