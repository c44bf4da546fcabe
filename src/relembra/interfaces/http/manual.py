"""The page at /docs: every operation of the OpenAPI document, without a script and without anything from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from html import escape
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from relembra.locale import Words

router = APIRouter(include_in_schema=False)

STYLE = """
:root{color-scheme:light dark}body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;font:1rem/1.55 system-ui}
nav{display:flex;flex-wrap:wrap;gap:.3rem .9rem}code,pre{font:.9em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
details{margin:.5rem 0;padding:.4rem .8rem;border:1px solid #8888;border-radius:.5rem}summary{cursor:pointer}
summary b{display:inline-block;min-width:4rem}pre{overflow-x:auto}ul{padding-left:1rem}
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
    words = Words(language, "http")
    groups: dict[str, list[str]] = defaultdict(list)
    for path, operations in document.get("paths", {}).items():
        for method, operation in operations.items():
            tag = str(next(iter(operation.get("tags", ())), "server"))
            groups[tag].append(
                _operation(document, words, f"<b>{method.upper()}</b><code>{escape(path)}</code>", operation)
            )
    names = {tag: escape(words.name("group", tag)) for tag in groups}
    links = "".join(f'<a href="#{escape(tag)}">{name}</a>' for tag, name in names.items())
    sections = "".join(f'<h2 id="{escape(tag)}">{names[tag]}</h2>{"".join(rows)}' for tag, rows in groups.items())
    version = escape(str(document.get("info", {}).get("version", "")))
    title, lead, key, same, routes = (escape(words(id)) for id in ("title", "lead", "key", "document", "routes"))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><header><h1>{title} {version}</h1><p>{lead}</p>"
        f'<p>{key}</p><pre>Authorization: Bearer rlb_…</pre><p><a href="/openapi.json">{same}</a></p></header>'
        f'<nav aria-label="{routes}">{links}</nav><main>{sections}</main></body></html>'
    )


def _operation(document: Mapping[str, Any], words: Words, head: str, said: Mapping[str, Any]) -> str:
    """One operation: what it does, takes and answers."""
    parts = [f"<p>{_marked(said.get('description', ''))}</p>"]
    parameters = [_line(one["name"], one.get("description", "")) for one in said.get("parameters", ())]
    for content in said.get("requestBody", {}).get("content", {}).values():
        body = _resolved(document, content.get("schema", {}))
        parameters += [_line(name, part.get("description", "")) for name, part in body.get("properties", {}).items()]
        examples = [content["example"]] if "example" in content else body.get("examples", ())
        shown = [f"<pre>{escape(json.dumps(one, ensure_ascii=False, indent=2))}</pre>" for one in examples]
        parts.append(f"<h3>{escape(words('body'))}</h3>{''.join(shown)}" if shown else "")
    if parameters:
        parts.append(f"<h3>{escape(words('parameters'))}</h3><ul>{''.join(parameters)}</ul>")
    answers = [_line(status, one.get("description", "")) for status, one in said.get("responses", {}).items()]
    parts.append(f"<h3>{escape(words('answers'))}</h3><ul>{''.join(answers)}</ul>")
    return f"<details><summary>{head} {_marked(said.get('summary', ''))}</summary>{''.join(parts)}</details>"


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = document.get("components", {}).get("schemas", {}).get(name, schema)
    return found


def _line(name: str, description: str) -> str:
    return f"<li><code>{escape(name)}</code> {_marked(description)}</li>"


def _marked(text: str) -> str:
    """Prose with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
