"""The page at /docs: every route with what it takes and answers, made from the OpenAPI document without a script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

METHODS = ("get", "post", "put", "patch", "delete")
DEEPEST = 5

WORDS = {
    "en": {
        "title": "Relembra: the HTTP API",
        "lead": "What an assistant remembers: say it, ask it, see it, correct it, forget it.",
        "key": "Requests need a key, unless the server listens on this machine alone:",
        "document": "The same as an OpenAPI document",
        "routes": "Routes",
        "parameters": "Parameters",
        "body": "Body",
        "answers": "Answers",
        "required": "required",
        "query": "in the address",
        "path": "in the path",
        "header": "as a header",
        "cookie": "as a cookie",
    },
    "pt": {
        "title": "Relembra: a API HTTP",
        "lead": "O que um assistente lembra: diga, pergunte, veja, corrija, esqueça.",
        "key": "Os pedidos precisam de uma chave, a não ser que o servidor só escute nesta máquina:",
        "document": "O mesmo em um documento OpenAPI",
        "routes": "Rotas",
        "parameters": "Parâmetros",
        "body": "Corpo",
        "answers": "Respostas",
        "required": "obrigatório",
        "query": "no endereço",
        "path": "no caminho",
        "header": "como cabeçalho",
        "cookie": "como cookie",
    },
}

GROUPS = {
    "pt": {
        "server": "servidor",
        "messages": "mensagens",
        "knowledge": "conhecimento",
        "recall": "lembrar",
        "learning": "aprender",
        "events": "eventos",
        "notes": "notas",
        "views": "retratos",
        "conflicts": "conflitos",
        "tools": "ferramentas",
        "nights": "noites",
        "jobs": "tarefas",
        "transfer": "exportar e importar",
        "access": "acesso",
        "upkeep": "manutenção",
        "chat": "conversa com um modelo",
        "webhooks": "webhooks",
    }
}

STYLE = """
:root{color-scheme:light dark;--ink:#1d2328;--soft:#5c6872;--line:#dde3e8;--back:#fff;--card:#f6f8fa;--mark:#0b6e4f}
@media(prefers-color-scheme:dark){:root{--ink:#e4e9ed;--soft:#9aa7b2;--line:#333c44;--back:#14181b;--card:#1c2226;--mark:#5fd3a8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;background:var(--back);color:var(--ink);
font:1rem/1.55 system-ui,sans-serif}
h1{margin:0;font-size:1.6rem}h2{margin:2.2rem 0 .6rem;font-size:1.15rem}
h3{margin:1rem 0 .3rem;font-size:.9rem;color:var(--soft)}
a{color:var(--mark)}code,pre{font:.9em/1.5 ui-monospace,monospace}
pre{margin:.3rem 0;padding:.7rem .9rem;overflow-x:auto;
border:1px solid var(--line);border-radius:.5rem;background:var(--back)}
nav{display:flex;flex-wrap:wrap;gap:.3rem .9rem;margin:1rem 0}
details{margin:.5rem 0;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
summary{display:flex;flex-wrap:wrap;gap:.2rem .7rem;align-items:baseline;padding:.6rem .9rem;cursor:pointer}
summary:focus-visible,a:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
summary b{min-width:3.6rem;font:700 .78rem ui-monospace,monospace;color:var(--mark)}
summary code{overflow-wrap:anywhere}summary span{color:var(--soft)}
details>div{padding:0 .9rem .9rem;border-top:1px solid var(--line)}
ul{margin:0;padding:0;list-style:none}li{padding:.3rem 0;overflow-wrap:anywhere}
li i{color:var(--soft);font-style:normal;font-size:.88rem}
p{margin:.6rem 0}
"""
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)


@router.get("/docs")
async def docs(request: Request) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    made: dict[str, str] = request.app.state.manuals
    if language not in made:
        made[language] = page(request.app.openapi(), language)
    headers = {"Content-Security-Policy": POLICY, "Content-Language": language, "Vary": "Accept-Language"}
    return HTMLResponse(made[language], headers=headers)


def language_of(accepted: str) -> str:
    """Portuguese for whoever would rather read it than English, else English."""
    wishes: dict[str, tuple[float, int]] = {}
    for place, part in enumerate(accepted.lower().split(",")[:20]):
        name, _, quality = part.strip().partition(";q=")
        try:
            wishes.setdefault(name[:2], (-float(quality or 1), place))
        except ValueError:
            continue
    last = (1.0, 0)
    return "pt" if wishes.get("pt", last) < wishes.get("en", last) else "en"


def page(document: Mapping[str, Any], language: str) -> str:
    """The whole document on one page."""
    words = WORDS[language]
    groups: dict[str, list[str]] = defaultdict(list)
    for path, operations in document.get("paths", {}).items():
        for method in METHODS:
            if (operation := operations.get(method)) is not None:
                tag = str(next(iter(operation.get("tags", ())), "server"))
                groups[tag].append(_Route(document, words, method, path, operation).html())
    names = {tag: GROUPS.get(language, {}).get(tag, tag) for tag in groups}
    links = "".join(f'<a href="#{escape(tag)}">{escape(name)}</a>' for tag, name in names.items())
    sections = "".join(
        f'<section><h2 id="{escape(tag)}">{escape(names[tag])}</h2>{"".join(routes)}</section>'
        for tag, routes in groups.items()
    )
    version = escape(str(document.get("info", {}).get("version", "")))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(words['title'])}</title><style>{STYLE}</style></head><body>"
        f"<header><h1>{escape(words['title'])} {version}</h1><p>{escape(words['lead'])}</p>"
        f"<p>{escape(words['key'])}</p><pre>Authorization: Bearer rlb_…</pre>"
        f'<p><a href="/openapi.json">{escape(words["document"])}</a></p></header>'
        f'<nav aria-label="{escape(words["routes"])}">{links}</nav><main>{sections}</main></body></html>'
    )


class _Route:
    """One route of the document, as a part of the page."""

    def __init__(
        self,
        document: Mapping[str, Any],
        words: Mapping[str, str],
        method: str,
        path: str,
        operation: Mapping[str, Any],
    ) -> None:
        self._document = document
        self._words = words
        self._method = method
        self._path = path
        self._operation = operation

    def html(self) -> str:
        said = self._operation
        description = said.get("description", "")
        parts = [f"<p>{_marked(line)}</p>" for line in str(description).split("\n\n") if line.strip()]
        if parameters := [self._parameter(one) for one in said.get("parameters", ())]:
            parts.append(f"<h3>{escape(self._words['parameters'])}</h3><ul>{''.join(parameters)}</ul>")
        for kind, content in said.get("requestBody", {}).get("content", {}).items():
            parts.append(f"<h3>{escape(self._words['body'])} · {escape(kind)}</h3>{self._shown(content)}")
            parts.append(f"<ul>{''.join(self._fields(content.get('schema', {})))}</ul>")
        parts.append(f"<h3>{escape(self._words['answers'])}</h3><ul>{''.join(self._answers())}</ul>")
        return (
            f"<details><summary><b>{self._method.upper()}</b><code>{escape(self._path)}</code>"
            f"<span>{_marked(str(said.get('summary', '')))}</span></summary><div>{''.join(parts)}</div></details>"
        )

    def _parameter(self, one: Mapping[str, Any]) -> str:
        where = self._words.get(str(one.get("in")), str(one.get("in")))
        return self._line(str(one.get("name")), one.get("schema", {}), one, where=where, needed=one.get("required"))

    def _fields(self, schema: Mapping[str, Any]) -> Iterator[str]:
        resolved = self._resolved(schema)
        needed = resolved.get("required", ())
        for name, part in resolved.get("properties", {}).items():
            yield self._line(str(name), part, part, where="", needed=name in needed)

    def _line(
        self, name: str, schema: Mapping[str, Any], said: Mapping[str, Any], *, where: str, needed: object
    ) -> str:
        notes = [self._kind(schema), where, self._words["required"] if needed else ""]
        marks = escape(" · ".join(note for note in notes if note))
        return f"<li><code>{escape(name)}</code> <i>{marks}</i> {_marked(str(said.get('description', '')))}</li>"

    def _answers(self) -> Iterator[str]:
        for status, answer in self._operation.get("responses", {}).items():
            shown = "".join(
                self._shown(content)
                for kind, content in answer.get("content", {}).items()
                if kind == "application/json" and content.get("schema")
            )
            yield f"<li><code>{escape(str(status))}</code> {_marked(str(answer.get('description', '')))}{shown}</li>"

    def _shown(self, content: Mapping[str, Any]) -> str:
        examples = content.get("examples", {})
        first = next((one.get("value") for one in examples.values()), None)
        example = content.get("example", first)
        if example is None:
            example = self._example(content.get("schema", {}), 0)
        if example is None:
            return ""
        return f"<pre>{escape(json.dumps(example, ensure_ascii=False, indent=2))}</pre>"

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        found: Mapping[str, Any] = self._document.get("components", {}).get("schemas", {}).get(name, {})
        return found if name else schema

    def _kind(self, schema: Mapping[str, Any]) -> str:
        if "$ref" in schema:
            resolved = self._resolved(schema)
            return self._kind(resolved) if "enum" in resolved else str(schema["$ref"]).rpartition("/")[2]
        if "enum" in schema:
            return " | ".join(map(str, schema["enum"]))
        for several in ("anyOf", "oneOf"):
            if several in schema:
                kinds = [self._kind(one) for one in schema[several] if one.get("type") != "null"]
                return " | ".join(dict.fromkeys(kinds))
        if schema.get("type") == "array":
            return f"[{self._kind(schema.get('items', {}))}]"
        return str(schema.get("format") or schema.get("type") or "")

    def _example(self, schema: Mapping[str, Any], depth: int) -> Any:
        """An example somebody wrote, else one made of its parts."""
        schema = self._resolved(schema)
        if schema.get("examples"):
            return schema["examples"][0]
        if depth > DEEPEST:
            return None
        for known in ("example", "default", "const"):
            if schema.get(known) is not None:
                return schema[known]
        if "enum" in schema:
            return schema["enum"][0]
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return self._example(schema[several][0], depth + 1)
        if "properties" in schema:
            made = {name: self._example(part, depth + 1) for name, part in schema["properties"].items()}
            needed = schema.get("required", ())
            return {name: part for name, part in made.items() if part is not None or name in needed}
        if schema.get("type") == "array":
            part = self._example(schema.get("items", {}), depth + 1)
            return [] if part is None else [part]
        return {"string": "…", "integer": 1, "number": 0.5, "boolean": True}.get(str(schema.get("type")))


def _marked(text: str) -> str:
    """Prose with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
