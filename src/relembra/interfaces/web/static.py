"""Style sheets, scripts and icons: read once, sent with an address that changes when they do, so kept by browsers."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
KEPT = "public, max-age=31536000, immutable"
SCRIPTS = ("htmx.min.js", "page.js")


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent."""

    body: bytes
    small: bytes  # compressed
    kind: str
    version: str

    @classmethod
    def of(cls, kind: str, *paths: Path) -> Asset:
        body = b"\n".join(path.read_bytes() for path in paths)
        return cls(body, gzip.compress(body, mtime=0), kind, hashlib.sha256(body).hexdigest()[:12])


@cache
def assets() -> dict[str, Asset]:
    scripts = FOLDER / "js"
    return {
        "page.css": Asset.of("text/css; charset=utf-8", *sorted((FOLDER / "css").glob("*.css"))),
        "page.js": Asset.of("text/javascript; charset=utf-8", *(scripts / name for name in SCRIPTS)),
        "icons.svg": Asset.of("image/svg+xml", FOLDER / "icons.svg"),
        "favicon.svg": Asset.of("image/svg+xml", FOLDER / "favicon.svg"),
    }


def address(name: str) -> str:
    """Where a page finds one."""
    return f"/static/{name}?v={assets()[name].version}"


async def send(request: Request) -> Response:
    asset = assets().get(str(request.path_params["name"]))
    if asset is None:
        return Response(status_code=404)
    headers = {"Vary": "Accept-Encoding"}
    if request.query_params.get("v") == asset.version:
        headers["Cache-Control"] = KEPT
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.small, media_type=asset.kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(asset.body, media_type=asset.kind, headers=headers)


async def send_icon(request: Request) -> Response:  # noqa: ARG001 - what Starlette calls
    """The icon where browsers look for it beside what is no page of ours, like a JSON answer."""
    icon = assets()["favicon.svg"]
    return Response(icon.body, media_type=icon.kind, headers={"Cache-Control": "public, max-age=86400"})
