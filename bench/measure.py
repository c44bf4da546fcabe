"""How large the house is: lines, modules, and modules that one other module alone imports; how far one message goes;
and how much stands in two places.

    python -m bench.measure

`tests/unit/test_measures.py` holds what is printed, and lets it only shrink.
"""

from __future__ import annotations

import ast
import asyncio
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "relembra"
PARTS = ("interfaces", "store", "minds")
SHARED_LINES = 6
"""So many lines in a row, blank ones aside, are no chance any more."""


def lines(folder: Path) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py"))


def modules() -> dict[str, Path]:
    named = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in named.items()}


def importers() -> dict[str, set[str]]:
    """Who imports each module, anywhere in their code."""
    known, found = modules(), defaultdict[str, set[str]](set)
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    found[whole if whole in known else node.module].add(name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.name].add(name)
    return {name: found[name] - {name} for name in known}


def repeated() -> list[list[str]]:
    """Where runs of lines begin that stand in two places or more, signatures and imports aside; each run once."""
    found = defaultdict[tuple[str, ...], list[tuple[Path, int]]](list)
    rows = {path: list(_statements(path)) for path in sorted(PACKAGE.rglob("*.py"))}
    for path, inside in rows.items():
        for start in range(len(inside) - SHARED_LINES + 1):
            found[tuple(text for _, text in inside[start : start + SHARED_LINES])].append((path, start))
    shared = [places for places in found.values() if len(places) > 1]
    going_on = {place for places in shared for place in places}
    return [
        [f"{path.relative_to(PACKAGE)}:{rows[path][start][0]}" for path, start in places]
        for places in shared
        if not all((path, start - 1) in going_on for path, start in places)
    ]


def _statements(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a module that do something, each with its number."""
    text = path.read_text(encoding="utf-8")
    passed: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            passed.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            passed.update(range(node.lineno, node.body[0].lineno))
    for number, line in enumerate(text.splitlines(), start=1):
        if number not in passed and len(line.strip()) > 1:
            yield number, line.strip()


def passed_through() -> dict[Path, set[str]]:
    """The functions of ours one message goes through, by file: it is saved, learnt from and loaded."""
    return asyncio.run(_followed())


async def _followed() -> dict[Path, set[str]]:
    from relembra import Memory

    seen: set[CodeType] = set()
    follows = False

    def note(frame: FrameType, event: str, _: object) -> None:
        if follows and event == "call":
            seen.add(frame.f_code)

    threading.setprofile(note)
    try:
        async with Memory.open(":memory:", background=False) as memory:
            await _remembered(memory)  # what is loaded once is loaded
            sys.setprofile(note)
            follows = True
            await _remembered(memory)
            follows = False
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    found = defaultdict[Path, set[str]](set)
    for code in seen:
        path = Path(code.co_filename)
        if path.is_relative_to(PACKAGE) and not code.co_name.startswith("<"):
            found[path.relative_to(PACKAGE)].add(code.co_qualname)
    return found


async def _remembered(memory: object) -> None:
    from relembra import Memory

    assert isinstance(memory, Memory)
    await memory.save(user="ana", said="I live in Porto.", replied="How nice!")
    await memory.learn(user="ana")
    await memory.load(user="ana", query="Where do I live?")


def measures() -> dict[str, int]:
    way = passed_through()
    return {
        "lines of Python in src": lines(PACKAGE),
        **{f"lines in {part}": lines(PACKAGE / part) for part in PARTS},
        "modules": len(modules()),
        "modules with one importer": sum(len(them) == 1 for them in importers().values()),
        "files one message passes": len(way),
        "functions one message passes": sum(map(len, way.values())),
        "runs of six lines repeated": len(repeated()),
        "lines of tests": lines(ROOT / "tests"),
    }


if __name__ == "__main__":
    for what, figure in measures().items():
        print(f"{what:30}{figure:>8,}")
