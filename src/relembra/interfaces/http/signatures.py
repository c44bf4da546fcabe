"""Whether a webhook comes from whom it says: HMAC over where it was sent and its bytes, and when it was signed."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from relembra.interfaces.http.problems import UnauthorizedError

OURS = "x-relembra-signature"
META = "x-hub-signature-256"
WINDOW = timedelta(minutes=5)
"""How far a signature's moment may lie from ours, either way; and how far ahead of ours a message's own."""

RETRIED_FOR = timedelta(hours=24)
"""How old a message may be whose signature has no moment of its own; a provider sends one again for about so long."""

HOW = (
    "sign the lines t, POST, the path with its query, and the body with HMAC-SHA256 and send"
    " 'X-Relembra-Signature: t=SECONDS,v2=HEX'"
)
_MOMENT = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Sent:
    """What a signature is of."""

    target: str  # the path as it is asked for, with its query
    body: bytes
    method: str = "POST"


def signed(secret: str, sent: Sent, at: datetime) -> str:
    """The header for what is sent at a moment."""
    moment = str(int(at.timestamp()))
    return f"t={moment},v2={_of(secret, moment, sent)}"


def check(secret: str, headers: Mapping[str, str], sent: Sent, *, now: datetime) -> bool:
    """Whether the signature says when it was made; `UnauthorizedError` where it is missing, wrong or too old.

    Meta's is of the body alone, so that it tells nothing of the channel: believe it only by a secret no other has.
    """
    if given := headers.get(OURS):
        parts = dict(part.strip().partition("=")[::2] for part in given.split(","))
        moment = parts.get("t", "")
        if not _MOMENT.fullmatch(moment) or not _same(parts.get("v2", ""), _of(secret, moment, sent)):
            raise UnauthorizedError(f"the signature is not of this request and secret: {HOW}")
        if abs(now.timestamp() - int(moment)) > WINDOW.total_seconds():
            raise UnauthorizedError("the signature is too old, or from a clock that goes wrong; sign it anew")
        return True
    if given := headers.get(META):
        if not _same(given.removeprefix("sha256="), hexed(secret, sent.body)):
            raise UnauthorizedError("the signature is not of this body and secret: check the app secret")
        return False
    raise UnauthorizedError(f"a webhook must be signed: {HOW}")


def hexed(secret: str, content: bytes) -> str:
    return hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()


def _of(secret: str, moment: str, sent: Sent) -> str:
    return hexed(secret, f"{moment}\n{sent.method}\n{sent.target}\n".encode() + sent.body)


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())
