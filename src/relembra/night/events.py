"""Events for another program: posted to its address, signed, by jobs that try again until they arrive.

An event names what happened, and of an insight what it says and rests on. Which events there are to send is decided
where they happen; that an insight was queued is noted on it in the same transaction, so that each is sent once.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from relembra.domain.jobs import EVENT, Job, Terms
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.time import Clock
from relembra.errors import MissingExtraError, UpstreamError
from relembra.learn.keeper import once_only
from relembra.store.port import FinishJob, Store

if TYPE_CHECKING:
    import httpx

SIGNATURE = "x-relembra-signature"
LONGEST_SECONDS = 10.0
FOUND = "insight.found"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sent:
    """What a signature is of."""

    target: str  # the path as it is asked for, with its query
    body: bytes
    method: str = "POST"


def digest_of(secret: str, moment: str, sent: Sent) -> str:
    content = f"{moment}\n{sent.method}\n{sent.target}\n".encode() + sent.body
    return hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()


def signed(secret: str, sent: Sent, at: datetime) -> str:
    """The header for what is sent at a moment."""
    moment = str(int(at.timestamp()))
    return f"t={moment},v2={digest_of(secret, moment, sent)}"


class Receiver(Protocol):
    """Whoever is sent events."""

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, and may hear what is marked local-only."""

    async def send(self, id: str, body: bytes, at: datetime) -> None:
        """Hand an event over, known by its id where it comes twice; `UpstreamError` where it was not taken."""

    async def close(self) -> None:
        """Let go."""


@dataclass(slots=True)
class EventWebhook:
    """A receiver behind an address. It is asked directly, is followed nowhere else, and answers with any 2xx."""

    url: str = field(repr=False)  # may hold a secret
    secret: str = field(repr=False)
    is_local: bool
    seconds: float = LONGEST_SECONDS
    _client: httpx.AsyncClient | None = None

    async def send(self, id: str, body: bytes, at: datetime) -> None:
        try:
            import httpx
        except ImportError as exc:
            raise MissingExtraError("the event webhook", "http") from exc
        if self._client is None:
            none = CookieJar(DefaultCookiePolicy(allowed_domains=()))
            self._client = httpx.AsyncClient(timeout=self.seconds, cookies=none, follow_redirects=False)
        request = self._client.build_request("POST", self.url, content=body)
        target = request.url.raw_path.decode("ascii")
        signature = signed(self.secret, Sent(target, body), at)
        request.headers.update({"Content-Type": "application/json", "Idempotency-Key": id, SIGNATURE: signature})
        try:
            response = await self._client.send(request, stream=True)
            await response.aclose()  # whatever it says is not read
        except httpx.TransportError as exc:
            raise UpstreamError(f"the event webhook at {self._host} did not answer ({type(exc).__name__})") from exc
        if not response.is_success:
            status = response.status_code
            raise UpstreamError(f"the event webhook at {self._host} answered {status}", status=status)

    @property
    def _host(self) -> str:
        return urlsplit(self.url).hostname or ""

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


class Announcer:
    """Sends the events that are queued. One that went meanwhile, or may not leave this machine, is not sent."""

    kinds: tuple[str, ...] = (EVENT,)
    # one at a time: in a batch, one that fails would have those sent before it sent again
    terms = Terms(claim_limit=1, turns=64, tries=14, lease=timedelta(minutes=1), waits_for_minds=False, lane="events")

    def __init__(self, store: Store, receiver: Receiver, clock: Clock) -> None:
        self._store = store
        self._receiver = receiver
        self._clock = clock

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            item = await self._store.find(job.scope, KnowledgeItem, str(job.payload["item"]))
            if item is None or not item.is_current(self._clock()):
                log.info("event %s is not sent: what it tells is no longer held", job.id)
            elif not self._receiver.is_local and item.id in (await self._store.withheld(job.scope)).items:
                log.info("event %s is not sent: it may not leave this machine", job.id)
            else:
                await self._receiver.send(job.id, _body(job, item), self._clock())
            with once_only(job):
                await self._store.apply(job.scope, [FinishJob(job.id)])


def _body(job: Job, item: KnowledgeItem) -> bytes:
    insight: dict[str, Any] = {
        name: getattr(item, name)
        for name in ("id", "title", "content", "language", "area", "evidence", "confidence", "observations")
    }
    event = {
        "id": job.id,
        "type": FOUND,
        "at": job.created_at.isoformat(),
        "tenant": job.scope.tenant,
        "user": job.scope.user,
        "insight": insight,
    }
    return json.dumps(event, ensure_ascii=False).encode()
