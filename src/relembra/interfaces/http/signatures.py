"""Whether a webhook comes from whom it says: HMAC over its bytes, and not older than it may be."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from relembra.interfaces.http.problems import UnauthorizedError

OURS = "x-relembra-signature"
META = "x-hub-signature-256"
WINDOW = timedelta(minutes=5)
"""How far a signature's moment may lie from ours, either way."""

RETRIED_FOR = timedelta(hours=24)
"""How old a message may be whose signature has no moment of its own; a provider sends one again for about so long."""

HOW = "sign t.BODY with HMAC-SHA256 and send 'X-Relembra-Signature: t=SECONDS,v1=HEX'"


def signed(secret: str, body: bytes, at: datetime) -> str:
    """The header for a body sent at a moment."""
    moment = int(at.timestamp())
    return f"t={moment},v1={_hex(secret, f'{moment}.'.encode() + body)}"


def check(secret: str, headers: Mapping[str, str], body: bytes, *, now: datetime) -> bool:
    """Whether the signature says when it was made; `UnauthorizedError` where it is missing, wrong or too old."""
    if given := headers.get(OURS):
        parts = dict(part.strip().partition("=")[::2] for part in given.split(","))
        moment, code = parts.get("t", ""), parts.get("v1", "")
        if not moment.isdecimal() or len(moment) > 12 or not _same(code, _hex(secret, f"{moment}.".encode() + body)):
            raise UnauthorizedError(f"the signature is not of this body and secret: {HOW}")
        if abs(now - datetime.fromtimestamp(int(moment), UTC)) > WINDOW:
            raise UnauthorizedError("the signature is too old, or from a clock that goes wrong; sign it anew")
        return True
    if given := headers.get(META):
        if not _same(given.removeprefix("sha256="), _hex(secret, body)):
            raise UnauthorizedError("the signature is not of this body and secret: check the app secret")
        return False
    raise UnauthorizedError(f"a webhook must be signed: {HOW}")


def _hex(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())
