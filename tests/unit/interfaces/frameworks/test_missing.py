"""What happens without the packages."""

from __future__ import annotations

import subprocess
import sys

from loops import each

PROGRAM = """
import sys
from relembra.errors import MissingExtraError
sys.modules[{package!r}] = None
try:
    import {module}
except MissingExtraError as exc:
    print(exc)
"""


@each(
    [
        ("relembra.interfaces.frameworks.pydantic_ai", "pydantic_ai", "llm"),
        ("relembra.interfaces.frameworks.langchain", "langchain_core", "langchain"),
        ("relembra.interfaces.frameworks.langgraph", "langgraph", "langchain"),
        ("relembra.interfaces.frameworks.openai_agents", "agents", "agents"),
        ("relembra.client", "httpx", "http"),
    ]
)
def test_a_module_without_its_package_says_what_to_install(module: str, package: str, extra: str) -> None:
    program = PROGRAM.format(module=module, package=package)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert f"pip install 'relembra[{extra}]'" in said.stdout
