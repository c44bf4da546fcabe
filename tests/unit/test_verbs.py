"""What is made from the tables: the rows of `memory.py` and `sync.py`, and the tables of the manual."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from relembra import memory
from relembra.domain.knowledge import ATTRIBUTES
from relembra.memory import Memory
from relembra.services import Part
from relembra.verbs import GROUPS, NOT_OFFERED, VERBS, About, Verb

Made = Callable[[str, str, str, str], None]
NAMES = {verb.name for verb in VERBS.values()} | set(NOT_OFFERED)
NO_BLOCKING_ROW = {"open", "restore_backup", "salvage", "close", "start", "watch", "send_replies"}


def verbs_of(part: type) -> list[str]:
    """The verbs written in a class, which are all async; `forget` of some parts is another method, which is not."""
    return [name for name, method in vars(part).items() if name in NAMES and is_async(method)]


def is_async(method: object) -> bool:
    return inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method)


def rows_of_parts() -> list[tuple[str, str]]:
    parts = [kind for kind in vars(memory).values() if isinstance(kind, type) and issubclass(kind, Part)]
    return [(part.__name__, name) for part in parts for name in verbs_of(part)]


def test_the_verbs_of_a_memory_are_those_of_its_parts(made: Made) -> None:
    rows = "".join(f"    {name} = _verb({part}.{name})\n" for part, name in rows_of_parts())
    made("src/relembra/memory.py", "    # made from the parts by `--update-golden`:", "    # end", rows)


def test_every_verb_has_a_blocking_twin(made: Made) -> None:
    names = dict.fromkeys(["list", *(name for _, name in rows_of_parts()), *verbs_of(Memory)])
    rows = "".join(f"    {name} = _blocking(AsyncMemory.{name})\n" for name in names if name not in NO_BLOCKING_ROW)
    made("src/relembra/sync.py", "    # made from the verbs by `--update-golden`:", "    # end", rows)


def test_the_page_of_routes_has_a_row_for_every_verb(made: Made) -> None:
    heading = "| Route | Verb | Right | What it does |\n|---|---|---|---|\n"
    tables = [
        f"### {group.capitalize()}\n\n{heading}{''.join(route_row(VERBS[verb.name]) for verb in verbs)}\n"
        for group, verbs in GROUPS.items()
    ]
    made("docs/http.md", "<!-- made from verbs.py -->", "## The Python client", "\n" + "".join(tables))


def route_row(verb: Verb) -> str:
    said = " ".join((inspect.getdoc(getattr(Memory, verb.name)) or "").partition("\n\n")[0].split())
    said = said.partition(". ")[0].rstrip(".").replace("None", "null").replace("a `ConflictError`", "a 409")
    right = verb.right.value + EVERYBODYS.get(verb.about, "")
    route = f"{verb.http_method} {verb.path.replace(':path', '')}"
    return f"| `{route}` | `{verb.name}` | {right} | {said} |\n"


EVERYBODYS = {
    About.ANYONE: "; everybody's: admin",
    About.ANY_SPACE: "; everybody's: admin",
    About.EVERYONE: "; everybody's: operator",
    About.INSTALLATION: "; operator",
}


def test_the_page_on_learning_has_a_row_for_every_attribute(made: Made) -> None:
    rows = "".join(
        f"| `{name}` | {fixed.rule} | {fixed.section} | {fixed.type} | {fixed.area or 'none'} |\n"
        for name, fixed in ATTRIBUTES.items()
    )
    heading = "| attribute | a new value | section | type | area |\n|---|---|---|---|---|"
    made("docs/learning.md", heading, "\nTwo families besides", rows)
