"""Writes what the TypeScript client has of the API: its types (`api.d.ts`) and its routes (`routes.js`).

    python clients/typescript/generate.py

Both are made from the OpenAPI document and the table of verbs, and a test keeps them up to date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relembra.domain.access import Right
from relembra.interfaces.http.app import document
from relembra.verbs import VERBS, Verb

HERE = Path(__file__).parent
MADE = "// Made from the API's OpenAPI document by generate.py; do not edit.\n"
JSON = "application/json"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = Mapping[str, Any]


def word(name: str) -> str:
    """A schema's name as TypeScript can have it."""
    return re.sub(r"\W", "", name)


def type_of(schema: Schema) -> str:
    """A JSON schema as TypeScript writes it."""
    if "$ref" in schema:
        return word(str(schema["$ref"]).rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if parts := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(map(type_of, parts)))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
        case "array":
            inner = type_of(schema.get("items", {}))
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "object" if schema.get("properties"):
            return "{\n" + "\n".join(_fields(schema)) + "\n}"
        case "object":
            others = schema.get("additionalProperties", True)
            return f"Record<string, {type_of(others) if isinstance(others, Mapping) and others else 'unknown'}>"
        case str(kind):
            return SIMPLE[kind]
    return "unknown"


def _fields(schema: Schema) -> Iterator[str]:
    needed = schema.get("required", ())
    for name, field in schema["properties"].items():
        yield from _comment(field.get("description", ""), "  ")
        shown = name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)
        yield f"  {shown}{'' if name in needed else '?'}: {type_of(field)};"


def _comment(text: str, lead: str = "") -> Iterator[str]:
    if text:
        yield f"{lead}/** {' '.join(text.split()).replace('*/', '* /')} */"


def schemas(whole: Schema) -> str:
    """Every named value of the API."""
    made = []
    for name, schema in sorted(whole["components"]["schemas"].items()):
        lines = [*_comment(schema.get("description", "").partition("\n\n")[0])]
        kind = type_of(schema)
        is_object = kind.startswith("{")
        lines.append(f"export interface {word(name)} {kind}" if is_object else f"export type {word(name)} = {kind};")
        made.append("\n".join(lines))
    return "\n\n".join(made)


def operation(verb: Verb, told: Schema) -> str:
    """What a verb is given and answers."""
    given = [f"{name}: string" for name in re.findall(r"{(\w+)", verb.path)]
    given += [
        f"{one['name']}{'' if one.get('required') else '?'}: {type_of(one['schema'])}"
        for one in told.get("parameters", ())
        if one["in"] == "query"
    ]
    parts = [f"{{ {'; '.join(given)} }}"] if given else []
    if JSON in (content := told.get("requestBody", {}).get("content", {})) and verb.has_body:
        parts.append(type_of(content[JSON]["schema"]))
    answer = " | ".join(dict.fromkeys(map(type_of, answered(told)))) or "Response"
    lines = [*_comment(told.get("summary", ""), "  ")]
    lines.append(f"  {verb.name}: {{ given: {' & '.join(parts) or 'Record<string, never>'}; answer: {answer} }};")
    return "\n".join(lines)


def answered(told: Schema) -> list[Schema]:
    """What a verb answers as JSON; nothing where it answers a file or a stream."""
    contents = [one.get("content", {}) for status, one in told["responses"].items() if status.startswith("2")]
    return [content[JSON]["schema"] for content in contents if list(content) == [JSON]]


def takes_user(whole: Schema, told: Schema) -> bool:
    """Whether a request may name whose memory is meant."""
    content = told.get("requestBody", {}).get("content", {}).get(JSON, {})
    schema = whole["components"]["schemas"].get(content.get("schema", {}).get("$ref", "").rpartition("/")[2], {})
    return "user" in schema.get("properties", {}) or any(
        (one["name"], one["in"]) == ("user", "query") for one in told.get("parameters", ())
    )


def operations(whole: Schema) -> Iterator[tuple[Verb, Schema]]:
    by_name = {told.get("operationId"): told for ways in whole["paths"].values() for told in ways.values()}
    return ((verb, by_name[verb.name]) for verb in VERBS.values())


def api(whole: Schema) -> str:
    """The file of types."""
    rows = "\n".join(operation(verb, told) for verb, told in operations(whole))
    verbs = f"/** Every verb: what it is given, and what it answers. */\nexport interface Operations {{\n{rows}\n}}"
    return f"{MADE}\n{schemas(whole)}\n\n{verbs}\n"


def routes(whole: Schema) -> str:
    """The file of routes: method, path, where parameters go, if it takes a user, answers a file, is done once."""
    rows = []
    for verb, told in operations(whole):
        once = any(one["name"] == "Idempotency-Key" for one in told.get("parameters", ()))
        row = {
            "method": verb.http_method,
            "path": verb.path.replace(":path", ""),
            "body": verb.has_body,
            "user": takes_user(whole, told),
            "file": not answered(told),
            "once": once and verb.right is not Right.READ,
        }
        rows.append(f"  {verb.name}: {json.dumps(row)},")
    return f"{MADE}\nexport const ROUTES = {{\n" + "\n".join(rows) + "\n};\n"


def files() -> dict[str, str]:
    """What is written, by name."""
    whole = document()
    return {"api.d.ts": api(whole), "routes.js": routes(whole)}


if __name__ == "__main__":
    for name, text in files().items():
        (HERE / name).write_text(text, encoding="utf-8")
