"""The picture of the house in docs/architecture.md, kept true: who may import whom, read from the import statements."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import relembra

ROOT = Path(relembra.__file__).parent
ROOMS = ("ingest", "learn", "recall", "night", "transfer")
VERBS = (
    *("services", "blocklist", "visibility", "profiles", "contexts", "lessons", "items", "conversations"),
    *("interchange", "keys", "figures", "notebook", "background", "toolbox"),
)
SHOWN = ("views", "tools")  # pure functions over values, for whoever shows what is known
TERMINAL_AND_WEB = {"typer", "rich", "click", "fastapi", "starlette", "uvicorn", "mcp"}
DOORS = tuple(f"interfaces.{door}" for door in ("cli", "http", "mcp", "chat", "frameworks", "web"))
SHARED_BY_STORES = ("port", "cache", "rows", "traces", "sql")
SLOW_TO_LOAD = ("numpy", "onnxruntime", "apsw", "typer", "rich", "msgspec")


def name_of(path: Path) -> str:
    """A file's module, without the leading "relembra."; the package itself is "relembra"."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "relembra"


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def imported(path: Path) -> Iterator[str]:
    """The modules a file imports anywhere in it, ours without the leading "relembra."."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (ours(alias.name) for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                inner = [ours(f"{module}.{alias.name}") for alias in names]
                yield from (name for name in inner if name in MODULES)
                if not all(name in MODULES for name in inner):
                    yield ours(module)
            case ast.ImportFrom():
                pytest.fail(f"{path} has a relative import; say where from in full")


def ours(module: str) -> str:
    return module.removeprefix("relembra.")


def is_ours(module: str) -> bool:
    return module in MODULES


def within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def is_port(module: str) -> bool:
    return module.endswith(".port") or module == "store.cache"


def adapter_of(module: str) -> str | None:
    """The adapter a module is part of: `store.sqlite` of `store.sqlite.writing`; none for ports and what they share."""
    parts = module.split(".")
    if parts[0] == "store" and len(parts) > 1 and parts[1] not in SHARED_BY_STORES:
        return ".".join(parts[:2])
    if parts[0] == "minds" and len(parts) > 1 and parts[1] != "port":
        return "minds"
    return None


def may_import(module: str, other: str) -> bool:
    """Whether the picture has an arrow from a module to another of ours."""
    room = module.split(".")[0]
    inward = within(other, "domain", "errors")
    if room == "verbs":
        return inward
    if room in ("domain", "errors"):
        return inward and not (room == "errors" and within(other, "domain"))
    if is_port(module):
        return inward or is_port(other)
    if room == "store":
        return inward or other == "minds.port" or (room == other.split(".")[0] and own_or_shared(module, other))
    if room == "minds":
        return inward or within(other, "minds")
    if room == "views":
        return inward or other in ("locale", "minds.port", "recall.rendering") or within(other, "views")
    if room == "tools":
        return inward or other in ("locale", "recall.rendering") or within(other, *SHOWN)
    if room in ("night", "transfer") and other == "locale":
        return True  # sentences of insights and of documents for people
    if room in ("ingest", "night") and within(other, "learn"):
        return True  # what is listened to and what is read at night is decided by the rules of learning
    if room in ("night", "transfer") and within(other, "views"):
        return True  # it makes them anew; what a calendar says is worded as they are
    if room in ROOMS:
        return inward or is_port(other) or within(other, room)
    if room == "settings":
        return inward
    if room == "client":  # speaks to a server and needs nothing of the engine
        return other in ("errors", "verbs", "portal", "domain.access")
    if room in ("memory", *VERBS):
        # `Memory.open` asks bootstrap for a wired one; settings are named in its signature.
        return inward or is_port(other) or within(other, *ROOMS, *SHOWN, *VERBS, "bootstrap", "settings")
    if room == "evaluation":  # measures a memory from outside, by its public verbs
        return inward or other == "minds.port" or within(other, "memory", "evaluation")
    if room == "bootstrap":
        return not within(other, "interfaces", "evaluation")
    if room in ("sync", "relembra"):
        return adapter_of(other) is None and not within(other, "interfaces", "bootstrap", "evaluation")
    if room == "__main__":
        return within(other, "interfaces.cli")
    if room == "interfaces":
        return adapter_of(other) is None and (not within(other, "interfaces") or same_interface(module, other))
    return False


def own_or_shared(module: str, other: str) -> bool:
    return adapter_of(other) in (None, adapter_of(module))


def same_interface(module: str, other: str) -> bool:
    """Its own interface, what all interfaces share, or one this one opens."""
    door = module.split(".")[1:2]
    shared = not within(other, *DOORS)
    opened = door == ["cli"] or (
        door == ["http"] and within(other, "interfaces.mcp", "interfaces.web", "interfaces.chat")
    )
    opened = opened or (door == ["web"] and within(other, "interfaces.http"))  # who is let in, and how errors are told
    return shared or opened or door == other.split(".")[1:2]


@pytest.fixture(scope="module")
def arrows() -> dict[str, list[str]]:
    """What each module of ours imports, read once."""
    return {module: list(imported(path)) for module, path in MODULES.items()}


def test_imports_point_inward(arrows: dict[str, list[str]]) -> None:
    pairs = [(module, other) for module, others in arrows.items() for other in others if is_ours(other)]
    assert len(pairs) > len(MODULES)
    assert [f"{module} may not import {other}" for module, other in pairs if not may_import(module, other)] == []


def test_every_module_imported_of_ours_is_there(arrows: dict[str, list[str]]) -> None:
    top = {name.split(".")[0] for name in MODULES} - sys.stdlib_module_names
    named = [(module, other) for module, others in arrows.items() for other in others if other.split(".")[0] in top]
    assert [f"{module} imports {other}" for module, other in named if other not in MODULES] == []


def test_the_words_the_rules_and_the_ports_need_the_standard_library_only(arrows: dict[str, list[str]]) -> None:
    inner = {module for module in MODULES if within(module, "domain", "errors") or is_port(module)}
    theirs = [(module, other) for module in inner for other in arrows[module] if not is_ours(other)]
    assert [pair for pair in theirs if pair[1].split(".")[0] not in sys.stdlib_module_names] == []


def test_only_interfaces_know_a_terminal_or_the_web(arrows: dict[str, list[str]]) -> None:
    behind = {module for module in MODULES if not within(module, "interfaces")}
    theirs = [(module, other) for module in behind for other in arrows[module] if not is_ours(other)]
    assert [pair for pair in theirs if pair[1].split(".")[0] in TERMINAL_AND_WEB] == []


def test_one_module_imports_the_runtime(arrows: dict[str, list[str]]) -> None:
    users = {module for module, others in arrows.items() if any(name.split(".")[0] == "onnxruntime" for name in others)}
    assert users <= {"minds.onnx"}


def test_the_picture_says_no() -> None:
    """The rules themselves, tried on arrows that must not be there."""
    forbidden = [
        ("domain.text", "store.port"),
        ("errors", "domain.text"),
        ("store.port", "store.sqlite.store"),
        ("store.sqlite.store", "minds.offline.analysis"),
        ("minds.offline.analysis", "store.port"),
        ("recall.ranking", "learn.keeper"),
        ("views.profile", "recall.ranking"),
        ("recall.rendering", "views.profile"),
        ("tools.answers", "memory"),
        ("evaluation.retrieval", "store.port"),
        ("memory", "store.sqlite"),
        ("bootstrap", "interfaces.cli"),
        ("interfaces.mcp.server", "interfaces.http.app"),
        ("interfaces.web.pages", "interfaces.cli.commands"),
        ("client", "memory"),
        ("a_new_module", "domain.text"),
    ]
    assert [arrow for arrow in forbidden if may_import(*arrow)] == []


def test_importing_the_package_loads_nothing_slow() -> None:
    program = f"import relembra, sys; print([name for name in {SLOW_TO_LOAD} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
