"""What happens without the packages."""

from __future__ import annotations

import importlib
import sys

import pytest

from loops import each
from relembra.errors import MissingExtraError


@each([
    ("relembra.interfaces.frameworks.pydantic_ai", "pydantic_ai", "llm"),
    ("relembra.interfaces.frameworks.langchain", "langchain_core", "langchain"),
    ("relembra.interfaces.frameworks.langgraph", "langgraph", "langchain"),
    ("relembra.interfaces.frameworks.openai_agents", "agents", "agents"), ("relembra.client", "httpx", "http"),
])  # fmt: skip
def test_a_module_without_its_package_says_what_to_install(module: str, package: str, extra: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in sys.modules if f"{name}.".startswith((f"{module}.", f"{package}."))]:
            patch.delitem(sys.modules, name)
        patch.setitem(sys.modules, package, None)
        with pytest.raises(MissingExtraError, match=rf"pip install 'relembra\[{extra}\]'"):
            importlib.import_module(module)
