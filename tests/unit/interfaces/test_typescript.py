"""What the TypeScript client has of the API is what the OpenAPI document says."""

from __future__ import annotations

from collections.abc import Callable

from clients.typescript.generate import files, type_of

from loops import each

FILES = files()


@each(FILES)
def test_types_and_routes_are_up_to_date(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"../../clients/typescript/{name}", FILES[name])


@each([
    ({"$ref": "#/components/schemas/Period-Input"}, "PeriodInput"),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
    ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
    ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
    ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}, "[string, number]"),
    ({"type": "object", "additionalProperties": {"type": "boolean"}}, "Record<string, boolean>"),
    ({"type": "object"}, "Record<string, unknown>"), ({"const": 1}, "1"), ({}, "unknown"),
    ({"type": "object", "properties": {"a-b": {"type": "string"}, "c": {}}, "required": ["c"]},
     '{\n  "a-b"?: string;\n  c: unknown;\n}'),
])  # fmt: skip
def test_a_schema_is_written_as_a_type(schema: dict[str, object], written: str) -> None:
    assert type_of(schema) == written
