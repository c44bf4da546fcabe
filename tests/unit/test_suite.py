"""Tests that could not fail: assertions that hold whatever happens, and failures that are swallowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]


def always_true(test: ast.expr) -> bool:
    """Whether an asserted expression is true whatever the program does."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return bool(parts) and not any(isinstance(part, ast.Starred) for part in parts)
        case ast.Dict(keys=keys):
            return bool(keys) and None not in keys
        case ast.Lambda() | ast.GeneratorExp():
            return True
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.Constant) for part in parts)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(map(always_true, values))
        case ast.BoolOp(values=values):
            return all(map(always_true, values))
        case ast.Compare(left=ast.Call(func=ast.Name(id="len")), ops=[ast.GtE()], comparators=[ast.Constant(value=0)]):
            return True
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]):
            return ast.dump(left) == ast.dump(right) and not calls(left)
        case _:
            return False


def calls(node: ast.AST) -> bool:
    """Whether something is called, so that it may tell another thing the second time."""
    return any(isinstance(one, ast.Call | ast.Await) for one in ast.walk(node))


def swallows(node: ast.Try) -> bool:
    """Whether an assertion stands where its failure is caught and nothing comes of it."""
    caught = {"", "Exception", "BaseException", "AssertionError"}
    asserts = any(isinstance(one, ast.Assert) for part in node.body for one in ast.walk(part))
    return asserts and any(
        (ast.unparse(handler.type) if handler.type else "") in caught
        and all(isinstance(one, ast.Pass | ast.Continue) for one in handler.body)
        for handler in node.handlers
    )


def tries_nothing(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a test neither asserts, nor expects an error, nor leaves that to whatever it calls."""
    return node.name.startswith("test_") and not any(
        isinstance(one, ast.Assert | ast.Call | ast.Await | ast.Raise) for part in node.body for one in ast.walk(part)
    )


def mistakes(source: str) -> Iterator[int]:
    """The lines of what cannot fail."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assert() if always_true(node.test):
                yield node.lineno
            case ast.Try() if swallows(node):
                yield node.lineno
            case ast.FunctionDef() | ast.AsyncFunctionDef() if tries_nothing(node):
                yield node.lineno


def test_every_test_can_fail() -> None:
    files = [*TESTS.rglob("*.py"), *(TESTS.parent / "training" / "tests").rglob("*.py")]
    found = [f"{path.relative_to(TESTS.parent)}:{line}" for path in files for line in mistakes(path.read_text("utf-8"))]
    assert len(files) > 100
    assert found == []
