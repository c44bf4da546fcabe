"""The page at /docs: every operation of the OpenAPI document, without scripts and without anything from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

STYLE = """
:root{color-scheme:light dark}body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;font:1rem/1.55 system-ui}
code,pre{font:.9em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}pre{overflow-x:auto}summary{cursor:pointer}
details{margin:.5rem 0;padding:.4rem .8rem;border:1px solid #8888;border-radius:.5rem}ul{padding-left:1rem}
"""
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src 'self'; frame-ancestors 'none'"


@router.get("/docs")
async def docs(request: Request) -> Response:
    return HTMLResponse(page(request.app.openapi()), headers={"Content-Security-Policy": POLICY})


def page(document: Mapping[str, Any]) -> str:
    """The whole document on one page."""
    operations = [
        f"<details><summary><b>{method.upper()}</b> <code>{escape(path)}</code> {_marked(operation.get('summary', ''))}"
        f"</summary>{_operation(document, operation)}</details>"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Relembra: the HTTP API</title><style>{STYLE}</style></head><body>"
        f"<h1>Relembra {escape(document['info']['version'])}: the HTTP API</h1>"
        "<p>Requests need a key, unless the server listens on this machine alone:</p>"
        "<pre>Authorization: Bearer rlb_…</pre>"
        f'<p><a href="/openapi.json">The same as an OpenAPI document</a></p>{"".join(operations)}</body></html>'
    )


def _operation(document: Mapping[str, Any], operation: Mapping[str, Any]) -> str:
    """What one operation does, takes and answers."""
    parts = [f"<p>{_marked(operation.get('description', ''))}</p>"]
    lines = [(one["name"], one.get("description", "")) for one in operation.get("parameters", ())]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        body = document["components"]["schemas"][name] if name else content["schema"]
        lines += [(name, part.get("description", "")) for name, part in body.get("properties", {}).items()]
        examples = [content["example"]] if "example" in content else body.get("examples", ())
        parts += [f"<pre>{escape(json.dumps(one, ensure_ascii=False, indent=2))}</pre>" for one in examples]
    lines += [(status, one.get("description", "")) for status, one in operation.get("responses", {}).items()]
    listed = "".join(f"<li><code>{escape(name)}</code> {_marked(text)}</li>" for name, text in lines)
    return f"{''.join(parts)}<ul>{listed}</ul>"


def _marked(text: str) -> str:
    """Prose with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
