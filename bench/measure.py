"""How large the house is: lines, modules, and modules that one other module alone imports.

    python -m bench.measure

`tests/unit/test_measures.py` holds what is printed, and lets it only shrink.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PARTS = ("interfaces", "store", "minds")


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


def measures() -> dict[str, int]:
    package = SOURCE / "relembra"
    return {
        "lines of Python in src": lines(package),
        **{f"lines in {part}": lines(package / part) for part in PARTS},
        "modules": len(modules()),
        "modules with one importer": sum(len(them) == 1 for them in importers().values()),
        "lines of tests": lines(ROOT / "tests"),
    }


if __name__ == "__main__":
    for what, figure in measures().items():
        print(f"{what:28}{figure:>8,}")
