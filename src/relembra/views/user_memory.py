"""The compact user memory: who somebody is and what moves them now. The value, its text, and its stored form.

It is always made anew from items and notes (`views.compact`); whoever stores it counts the versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import datetime
from typing import Any

from relembra.domain.moment import in_utc
from relembra.errors import InvalidInputError
from relembra.recall.rendering import HEADINGS, MEMORY_TITLES, quoted

__all__ = ["FACTS", "LISTS", "TITLES", "UserMemory", "changed_parts", "from_body", "rendered", "to_body"]

TITLES = {language: {"memory": HEADINGS[language]["memory"], **titles} for language, titles in MEMORY_TITLES.items()}
FACTS = ("pronouns", "age", "location", "occupation", "timezone", "communication_style", "family_context")
LISTS = ("current_goals", "current_challenges", "top_of_mind", "values", "learnt_patterns")


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMemory:
    """What an assistant should always know about a person; every list has the most important first."""

    name: str
    pronouns: str | None = None
    age: int | None = None
    location: str | None = None
    occupation: str | None = None
    family_context: str | None = None
    current_goals: tuple[str, ...] = ()
    current_challenges: tuple[str, ...] = ()
    top_of_mind: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    communication_style: str | None = None
    timezone: str | None = None
    learnt_patterns: tuple[str, ...] = ()
    language: str = "en"  # of the words that are not the person's own
    version: int = 1
    made_at: datetime
    tokens: int = field(default=0, compare=False)  # of its text; counted when it is made, and not stored

    @property
    def text(self) -> str:
        """The block for a prompt, in its own language."""
        return rendered(self)


def rendered(memory: UserMemory, language: str | None = None) -> str:
    """The memory as text, with what is remembered quoted; one without even a name is no text."""
    titles = TITLES[language or memory.language]
    rows = ["## " + titles["memory"].format(name=quoted(memory.name))] if memory.name else []
    for part in FACTS:
        value = getattr(memory, part)
        if value is not None:
            rows.append(f"{titles[part]}: {value}" if isinstance(value, int) else f"{titles[part]}: {quoted(value)}")
    for part in LISTS:
        if lines := getattr(memory, part):
            rows += [f"{titles[part]}:", *(f"- {quoted(line)}" for line in lines)]
    return "\n".join(rows)


def changed_parts(before: UserMemory | None, after: UserMemory) -> tuple[str, ...]:
    """The names of the parts that differ; of those there are, where there was none before."""
    if before is None:
        return tuple(name for name in (*FACTS, *LISTS) if getattr(after, name))
    return tuple(name for name in (*FACTS, *LISTS) if getattr(after, name) != getattr(before, name))


def to_body(memory: UserMemory) -> dict[str, Any]:
    """The memory as plain JSON values, to be stored."""
    body = {part.name: getattr(memory, part.name) for part in _stored()}
    body |= {name: list(body[name]) for name in LISTS}
    return body | {"made_at": memory.made_at.isoformat()}


def _stored() -> list[Field[Any]]:
    """What is kept of it: everything but what can be counted again."""
    return [part for part in fields(UserMemory) if part.name != "tokens"]


def from_body(body: Mapping[str, Any]) -> UserMemory:
    """The memory of stored JSON values; `InvalidInputError` names the part that cannot be read."""
    known = {part.name for part in _stored()}
    if astray := sorted(set(body) - known):
        raise InvalidInputError(f"a user memory has no {', '.join(astray)}", field=astray[0])
    for name in ("name", "made_at"):
        if name not in body:
            raise InvalidInputError(f"a user memory needs {name}", field=name)
    parts = {name: _read(name, value) for name, value in body.items()}
    return UserMemory(**parts)


def _read(name: str, value: Any) -> Any:
    if name == "made_at" and isinstance(value, str):
        try:
            return in_utc(datetime.fromisoformat(value), "made_at")
        except ValueError:
            pass
    elif name in LISTS:
        if isinstance(value, (list, tuple)) and all(isinstance(line, str) for line in value):
            return tuple(value)
    elif name in ("age", "version"):
        if (isinstance(value, int) and not isinstance(value, bool)) or (name == "age" and value is None):
            return value
    elif isinstance(value, str) or (value is None and name in FACTS):
        return value
    raise InvalidInputError(f"{name} of a user memory cannot be {value!r}", field=name)
